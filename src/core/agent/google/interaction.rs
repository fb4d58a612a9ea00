//! An interaction as the provider shows it, read loosely: every field but the status may be missing, every word may
//! be new, today's `steps` and the older `outputs` both count.

use serde_json::Value;

use super::cite::{self, Block};
use crate::core::agent::{RunStatus, Snapshot, clip};
use crate::core::base::error::{Code, Error};
use crate::core::base::limits;
use crate::core::money::price::Tokens;
use crate::core::text::neutral::{KnownAddresses, neutral};

/// Reads an interaction. Only the status must be there.
pub(crate) fn interaction(body: &Value) -> Result<Snapshot, Error> {
    let Some(word) = body.get("status").and_then(Value::as_str) else {
        return Err(Error::new(Code::ExecutionError, "the provider's reply is no interaction: it has no status"));
    };
    let mut snapshot = Snapshot {
        id: body.get("id").and_then(Value::as_str).filter(|id| is_id(id)).map(str::to_owned),
        status: status(word),
        tokens: body.get("usage").and_then(tokens),
        ..Snapshot::default()
    };
    let mut blocks = Vec::new();
    for step in list(body, "steps").chain(list(body, "outputs")) {
        snapshot.step(step, &mut blocks);
    }
    // The provider's offsets count the text as it came; only then is it made to show and nothing else.
    let (text, sources) = cite::join(&blocks);
    let known = KnownAddresses::new(cite::addresses(&blocks).chain(snapshot.pages.iter().map(String::as_str)));
    (snapshot.text, snapshot.sources) = (neutral(&text, &known), sources);
    snapshot.failure = snapshot.failure.take().or_else(|| failure(body));
    Ok(snapshot)
}

impl Snapshot {
    fn step(&mut self, step: &Value, blocks: &mut Vec<Block>) {
        match kind(step) {
            "model_output" => {
                for content in list(step, "content") {
                    self.content(content, blocks);
                }
                if let Some(message) = message(step.get("error")) {
                    self.failure = Some(message);
                }
            }
            // The older form: what a model put out stood in a flat list.
            "text" | "image" => self.content(step, blocks),
            "thought" => {
                self.thought = self.thought.saturating_add(1);
                let summary = joined(step.get("summary"));
                if !summary.is_empty() {
                    push(&mut self.thoughts, clip(&summary, limits::THOUGHT_CHARS), limits::HOSTED_LISTED);
                }
            }
            "google_search_call" => {
                self.searches = self.searches.saturating_add(1);
                let arguments = step.get("arguments");
                let queries = arguments.map(|arguments| list(arguments, "queries")).into_iter().flatten();
                let one = arguments.and_then(|arguments| arguments.get("query"));
                for query in queries.chain(one).filter_map(Value::as_str) {
                    push(&mut self.queries, clip(query, limits::LABEL_CHARS), limits::HOSTED_LISTED);
                }
            }
            "url_context_result" => {
                let result = step.get("result");
                let one = result.filter(|result| result.is_object());
                let many = result.and_then(Value::as_array).into_iter().flatten();
                for page in many.chain(one) {
                    self.page(page);
                }
            }
            _ => {}
        }
    }

    fn page(&mut self, page: &Value) {
        let Some(url) = page.get("url").and_then(Value::as_str).filter(|url| url.len() <= limits::ADDRESS_BYTES) else {
            return;
        };
        match page.get("status").and_then(Value::as_str).unwrap_or("success") {
            "success" => {
                self.read = self.read.saturating_add(1);
                push(&mut self.pages, url.to_owned(), limits::HOSTED_LISTED);
            }
            other if self.unread.len() < limits::PROBLEMS => {
                self.unread.push((url.to_owned(), clip(other, limits::LABEL_CHARS)));
            }
            _ => {}
        }
    }

    fn content(&mut self, content: &Value, blocks: &mut Vec<Block>) {
        match kind(content) {
            "text" => {
                let Some(text) = content.get("text").and_then(Value::as_str) else { return };
                let annotations = list(content, "annotations").filter_map(cite::Annotation::read);
                blocks.push(Block { text: text.to_owned(), annotations: annotations.collect() });
            }
            "image" => self.images = self.images.saturating_add(1),
            _ => {}
        }
    }
}

/// The status behind the provider's word.
fn status(word: &str) -> RunStatus {
    let own = || word.chars().take(limits::LABEL_CHARS).collect::<String>();
    match word {
        "in_progress" | "queued" => RunStatus::Running(own()),
        "completed" => RunStatus::Completed,
        "incomplete" | "budget_exceeded" => RunStatus::Partial(own()),
        "failed" => RunStatus::Failed,
        "cancelled" => RunStatus::Cancelled,
        "requires_action" | "requires_continuation" => RunStatus::NeedsAction(own()),
        _ => RunStatus::Unknown(own()),
    }
}

/// An id goes into an address: only what ids are made of.
fn is_id(id: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '=' | '~');
    (1..=limits::INTERACTION_ID_BYTES).contains(&id.len()) && id.chars().all(plain)
}

fn tokens(usage: &Value) -> Option<Tokens> {
    let of = |name: &str| usage.get(name).and_then(Value::as_u64);
    let searches = list(usage, "grounding_tool_count")
        .filter(|count| kind(count) == "google_search")
        .filter_map(|count| count.get("count").and_then(Value::as_u64))
        .fold(0, u64::saturating_add);
    let input = of("total_input_tokens")?;
    Some(Tokens {
        input,
        cached: of("total_cached_tokens").unwrap_or(0),
        output: of("total_output_tokens").unwrap_or(0),
        thought: of("total_thought_tokens").or_else(|| of("total_reasoning_tokens")).unwrap_or(0),
        tool_use: of("total_tool_use_tokens").unwrap_or(0),
        searches,
    })
}

/// The reason of a failure stands in one of three places.
fn failure(body: &Value) -> Option<String> {
    list(body, "errors").find_map(|error| message(Some(error))).or_else(|| message(body.get("error")))
}

fn message(error: Option<&Value>) -> Option<String> {
    let error = error?;
    let text = error.get("message").and_then(Value::as_str).or_else(|| error.as_str())?;
    let code = match error.get("code") {
        Some(Value::String(code)) => format!(" ({})", clip(code, limits::LABEL_CHARS)),
        Some(Value::Number(code)) => format!(" ({code})"),
        _ => String::new(),
    };
    Some(format!("{}{code}", clip(text, limits::PROVIDER_MESSAGE_CHARS)))
}

fn kind(value: &Value) -> &str {
    value.get("type").and_then(Value::as_str).unwrap_or_default()
}

fn list<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    value.get(name).and_then(Value::as_array).into_iter().flatten()
}

/// The text of a list of text contents, or a bare string.
fn joined(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let texts: Vec<&str> = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}

fn push(items: &mut Vec<String>, item: String, most: usize) {
    if items.len() < most && !items.contains(&item) {
        items.push(item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// PR-02: offsets count the text as it came; what acts is taken out behind them, and what is cited beside the text is known.
    #[test]
    fn offsets_are_resolved_before_the_text_is_made_neutral() {
        let text = "\u{1b}[1mDeep\u{202e} sea. ![x](http://leak.example/?s) [a](https://a.example/)";
        let end = text.find(". ").unwrap();
        let cited = json!({"type": "url_citation", "url": "https://a.example/", "start_index": 0, "end_index": end});
        let content = json!({"type": "text", "text": text, "annotations": [cited]});
        let body = json!({"status": "completed", "steps": [{"type": "model_output", "content": [content]}]});
        let seen = interaction(&body).unwrap();
        assert_eq!(seen.text, "[1mDeep sea[1]. x (`http://leak.example/?s`) [a](https://a.example/)");
    }
}
