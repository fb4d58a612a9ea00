//! A question to a model with Google's web tools: the same rounds as over Gemini CLI, without the CLI.

use reqwest::Method;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{ApiFailure, GeminiApi, Request};
use crate::core::agent::{Refusal, Snapshot, google};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::model::ask::{Ask, AskReply, Role};
use crate::core::model::{json, prompt};
use crate::core::money::meter::may_be_billed;
use crate::core::money::price;
use crate::core::money::usage::Usage;
use crate::world::{clock, redirects};

impl GeminiApi {
    /// Asks and waits for the whole answer. What it used is told with it, also when it is no answer.
    pub(crate) async fn ask(&self, ask: &Ask, cancel: &CancellationToken) -> (Result<AskReply>, Usage) {
        let model = ask.model.clone().unwrap_or_default();
        let reply = tokio::select! {
            reply = self.ask_model(ask, &model) => reply,
            () = cancel.cancelled() => Err(Error::new(Code::Cancelled, "stopped while a model was asked")),
        };
        // What the far side did not tell counts as expected: the question may be on the bill.
        match reply.and_then(|reply| Ok((google::interaction(&reply)?, reply))) {
            Ok((seen, reply)) => {
                let told = seen.tokens.map(|tokens| price::usage(&model, clock::now_ms(), tokens));
                (self.answer(model, seen, &reply).await, told.unwrap_or_else(|| ask.expected()))
            }
            Err(error) => {
                let usage = if may_be_billed(error.code) { ask.expected() } else { Usage::ZERO };
                (Err(error), usage)
            }
        }
    }

    async fn ask_model(&self, ask: &Ask, model: &str) -> Result<Value> {
        let strict = body(ask, model, Format::Schema);
        let reply = match self.question(&strict).await {
            // Not every model takes a schema together with web tools; the answer is then read out of its text.
            Err(ApiFailure::Refused(Refusal::Wrong(error))) if error.code == Code::ProviderRefused => {
                self.question(&body(ask, model, Format::Free)).await
            }
            answer => answer,
        };
        reply.map_err(|trouble| match trouble {
            ApiFailure::Refused(Refusal::Missing(error)) => Error { hints: Vec::new(), ..error }
                .hint(format!("`{model}` is not a model of this key; set `HADAL_GEMINI_API_MODEL`")),
            other => other.error(),
        })
    }

    async fn answer(&self, model: String, seen: Snapshot, reply: &Value) -> Result<AskReply> {
        let mut text = raw_text(reply);
        if let Some(failure) = seen.failure.as_ref().filter(|_| text.trim().is_empty()) {
            return Err(Error::new(Code::ExecutionError, format!("the model failed: {failure}")));
        }
        let problems = seen.problems();
        let mut sources: Vec<String> = seen.sources.into_iter().map(|cited| cited.url).chain(seen.pages).collect();
        if self.inner.resolve_redirects {
            redirects::resolve(&mut text, &mut sources).await;
        }
        Ok(AskReply { text, model: Some(model), sources, queries: seen.queries, problems, shown: Vec::new() })
    }

    async fn question(&self, body: &Value) -> Result<Value, ApiFailure> {
        let request = Request::new(Method::POST, "interactions", limits::MODEL_REPLY);
        self.send(Request { body: Some(body), fresh: true, ..request }).await
    }
}

/// The answer as the model wrote it: marks for sources inside JSON would be read as a part of it.
fn raw_text(reply: &Value) -> String {
    let list = |value: &Value, name: &str| value.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let steps = list(reply, "steps").into_iter().filter(|step| step["type"] == "model_output");
    // The older form has the contents in a flat list.
    let contents = steps.flat_map(|step| list(&step, "content")).chain(list(reply, "outputs"));
    contents
        .filter(|content| content["type"] == "text")
        .filter_map(|content| Some(content["text"].as_str()?.to_owned()))
        .collect()
}

/// How the answer's form is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Schema,
    Free,
}

fn body(ask: &Ask, model: &str, format: Format) -> Value {
    let mut body = json!({"model": model, "input": input(ask), "store": false});
    if ask.role == Role::Research {
        body["tools"] = json!([{"type": "google_search"}, {"type": "url_context"}]);
    }
    if format == Format::Schema {
        body["response_format"] = json!({"type": "text", "mime_type": "application/json", "schema": json::schema()});
    }
    body
}

/// A correction names a file; here its content stands in the prompt, as data.
fn input(ask: &Ask) -> String {
    let Some(invalid) = &ask.invalid_output else { return ask.prompt.clone() };
    let filled = prompt::fill(
        &ask.prompt,
        &[("invalid_output_path", "(there is no file: it stands at the end, between two marks)")],
    );
    format!("{filled}\n\n{}", ask.marks.fence("OUTPUT", invalid, limits::ANSWER_BYTES))
}
