//! Reads what a request asks for and makes the answer to it. Pure: no sockets, no clock.

use serde_json::{Value, json};

use super::plan::{Fault, Found, Kind, Plan, Source, Turn};

/// What an answer consists of before it is put on the wire.
#[derive(Debug)]
pub(super) struct Reply {
    /// The parts of the model's content, one event each when streamed.
    pub(super) parts: Vec<Value>,
    pub(super) finish: String,
    /// `groundingMetadata` and the like.
    pub(super) extra: Value,
    pub(super) tokens: Tokens,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tokens {
    pub(super) prompt: u64,
    pub(super) candidates: u64,
}

/// Bytes of JSON per token, about.
const BYTES_PER_TOKEN: u64 = 4;
/// Characters of one event of a stream, about what the real service sends.
const EVENT_CHARS: usize = 200;

pub(super) fn kind(action: &str, body: &Value) -> Kind {
    let has =
        |tool: &str| body["tools"].as_array().is_some_and(|tools| tools.iter().any(|one| one.get(tool).is_some()));
    match action {
        "countTokens" => Kind::CountTokens,
        "generateContent" if has("googleSearch") => Kind::Search,
        "generateContent" if has("urlContext") => Kind::Fetch,
        "generateContent" if schema(body).is_some() => Kind::Router,
        _ => Kind::Main,
    }
}

fn schema(body: &Value) -> Option<&Value> {
    let config = body.get("generationConfig")?;
    config.get("responseJsonSchema").or_else(|| config.get("responseSchema"))
}

/// All texts of the user, joined.
pub(super) fn user_text(body: &Value) -> String {
    let parts = contents(body).filter(|content| content["role"] != "model").flat_map(parts);
    parts.filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n")
}

fn contents(body: &Value) -> impl Iterator<Item = &Value> {
    body["contents"].as_array().into_iter().flatten()
}

fn parts(content: &Value) -> impl Iterator<Item = &Value> {
    content["parts"].as_array().into_iter().flatten()
}

/// The names of the functions that the client offers the model.
pub(super) fn declared(body: &Value) -> Vec<String> {
    let tools = body["tools"].as_array().into_iter().flatten();
    let functions = tools.flat_map(|tool| tool["functionDeclarations"].as_array().into_iter().flatten());
    functions.filter_map(|function| function["name"].as_str().map(str::to_owned)).collect()
}

/// The answer; `None` when the plan has no conversation for it.
pub(super) fn reply(plan: &Plan, kind: Kind, body: &Value, fault: Option<Fault>) -> Option<Reply> {
    let mut reply = match kind {
        Kind::Main => turn(main_turn(plan, body)?, &user_text(body)),
        Kind::Search => search(plan, &user_text(body)),
        Kind::Fetch => page(plan, &user_text(body)),
        Kind::Router => router(plan, schema(body)),
        Kind::CountTokens => Reply::of("", Value::Null),
    };
    match fault {
        Some(Fault::Empty) => reply.parts = vec![json!({"text": ""})],
        Some(Fault::Safety) => (reply.parts, reply.finish) = (Vec::new(), "SAFETY".into()),
        Some(Fault::MaxTokens) => {
            reply.parts.truncate(1);
            reply.finish = "MAX_TOKENS".into();
        }
        _ => {}
    }
    let size = |value: &str| u64::try_from(value.len()).unwrap_or(u64::MAX).div_ceil(BYTES_PER_TOKEN);
    reply.tokens = Tokens {
        prompt: size(&body.to_string()),
        candidates: reply.parts.iter().map(|part| size(&part.to_string())).sum(),
    };
    Some(reply)
}

fn main_turn<'a>(plan: &'a Plan, body: &Value) -> Option<&'a Turn> {
    let text = user_text(body);
    let fits = |words: &[String]| words.iter().all(|word| text.contains(word.as_str()));
    let conversation = plan.conversations.iter().find(|one| fits(&one.contains))?;
    let answered = contents(body).filter(|one| parts(one).any(|part| part.get("functionResponse").is_some())).count();
    conversation.turns.get(answered).or_else(|| conversation.turns.last())
}

/// The arguments of a call, with the prompt's temporary file in the place of its stand-in.
fn arguments(args: &Value, prompt: &str) -> Value {
    let file = prompt.split_whitespace().find(|word| word.contains("/temp-invalid-output-")).unwrap_or_default();
    let Some(args) = args.as_object() else { return args.clone() };
    let filled = args.iter().map(|(name, value)| match value.as_str() {
        Some("{temp file}") => (name.clone(), Value::String(file.to_owned())),
        _ => (name.clone(), value.clone()),
    });
    Value::Object(filled.collect())
}

fn turn(turn: &Turn, prompt: &str) -> Reply {
    let mut reply = Reply::of(&turn.text, Value::Null);
    if turn.text.is_empty() {
        reply.parts.clear();
    }
    for call in &turn.calls {
        reply.parts.push(json!({"functionCall": {"name": call.name, "args": arguments(&call.args, prompt)}}));
    }
    if let Some(finish) = &turn.finish {
        reply.finish.clone_from(finish);
    }
    reply
}

fn search(plan: &Plan, query: &str) -> Reply {
    let found = plan.searches.iter().find(|one| query.contains(&one.contains)).cloned();
    let found = found.unwrap_or_else(|| Found {
        contains: String::new(),
        text: format!("Two pages are about {}.", query.trim()),
        sources: (1..=2).map(|n| Source { title: format!("page{n}.example"), uri: redirect(n) }).collect(),
    });
    let chunks: Vec<_> =
        found.sources.iter().map(|source| json!({"web": {"uri": source.uri, "title": source.title}})).collect();
    let all: Vec<_> = (0..chunks.len()).collect();
    let extra = json!({"groundingMetadata": {
        "webSearchQueries": [query.trim()],
        "groundingChunks": chunks,
        "groundingSupports": [{"segment": {"startIndex": 0, "endIndex": found.text.len(), "text": found.text},
            "groundingChunkIndices": all}],
        "searchEntryPoint": {"renderedContent": "<div></div>"},
    }});
    Reply::of(&found.text, extra)
}

/// What the real search returns instead of the address of the page.
fn redirect(n: usize) -> String {
    format!("https://vertexaisearch.cloud.google.com/grounding-api-redirect/SIM{n}")
}

fn page(plan: &Plan, prompt: &str) -> Reply {
    let url = prompt.split_whitespace().find(|word| word.starts_with("http")).unwrap_or("https://page.example/");
    let found = plan.pages.iter().find(|one| prompt.contains(&one.contains)).cloned();
    let found = found.unwrap_or_else(|| Found {
        contains: String::new(),
        text: format!("The page {url} says what was asked."),
        sources: vec![Source { title: "The page".into(), uri: url.to_owned() }],
    });
    let chunks: Vec<_> =
        found.sources.iter().map(|source| json!({"web": {"uri": source.uri, "title": source.title}})).collect();
    let extra = json!({
        "urlContextMetadata": {"urlMetadata": [
            {"retrievedUrl": url, "urlRetrievalStatus": "URL_RETRIEVAL_STATUS_SUCCESS"}]},
        "groundingMetadata": {"groundingChunks": chunks, "groundingSupports": []},
    });
    Reply::of(&found.text, extra)
}

/// The CLI has two routers, told apart by the answer they want.
fn router(plan: &Plan, schema: Option<&Value>) -> Reply {
    let wants = |field: &str| schema.is_some_and(|schema| schema["properties"].get(field).is_some());
    let answer = if wants("complexity_score") {
        json!({"complexity_reasoning": "simulated", "complexity_score": if plan.hard { 95 } else { 10 }})
    } else {
        json!({"reasoning": "simulated", "model_choice": if plan.hard { "pro" } else { "flash" }})
    };
    Reply::of(&answer.to_string(), Value::Null)
}

impl Reply {
    fn of(text: &str, extra: Value) -> Self {
        let letters: Vec<char> = text.chars().collect();
        let mut parts: Vec<_> =
            letters.chunks(EVENT_CHARS).map(|part| json!({"text": part.iter().collect::<String>()})).collect();
        if parts.is_empty() {
            parts.push(json!({"text": ""}));
        }
        Self { parts, finish: "STOP".into(), extra, tokens: Tokens::default() }
    }

    fn usage(&self) -> Value {
        let Tokens { prompt, candidates } = self.tokens;
        json!({"promptTokenCount": prompt, "candidatesTokenCount": candidates, "totalTokenCount": prompt + candidates})
    }

    fn response(&self, model: &str, parts: &[Value], last: bool) -> Value {
        let mut candidate = json!({"content": {"role": "model", "parts": parts}, "index": 0});
        if last {
            candidate["finishReason"] = json!(self.finish);
            for (name, value) in self.extra.as_object().into_iter().flatten() {
                candidate[name] = value.clone();
            }
        }
        json!({"candidates": [candidate], "usageMetadata": self.usage(), "modelVersion": model, "responseId": "sim"})
    }

    pub(super) fn whole(&self, model: &str) -> Value {
        // Clients join the texts of all parts, but a person who reads the log should see one.
        let text: String = self.parts.iter().filter_map(|part| part["text"].as_str()).collect();
        self.response(model, &[json!({"text": text})], true)
    }

    pub(super) fn events(&self, model: &str) -> Vec<Value> {
        let last = self.parts.len().saturating_sub(1);
        let mut events: Vec<_> = self
            .parts
            .iter()
            .enumerate()
            .map(|(n, part)| self.response(model, std::slice::from_ref(part), n == last))
            .collect();
        if events.is_empty() {
            events.push(self.response(model, &[], true));
        }
        events
    }
}
