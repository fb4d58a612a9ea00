//! Servers that are asked for a stream and answer with one JSON body all the same, as small gateways do. The crate hears nothing of
//! such an answer, so these servers are asked without a stream, in OpenAI's protocol, once that is known of them.

use serde_json::{Value, json};

use super::{Form, Heard, fault};
use crate::core::base::error::Result;
use crate::core::base::limits;
use crate::core::model::chat::{Chat, Model};
use crate::core::model::json;
use crate::core::money::price::Tokens;
use crate::world::http;

/// Where a server is, and the key for it.
pub(super) struct Server<'a> {
    pub(super) client: &'a reqwest::Client,
    /// Ends with a slash.
    pub(super) base: &'a str,
    pub(super) key: &'a str,
}

/// Asks one question and reads the answer as a whole.
pub(super) async fn ask(server: Server<'_>, model: &Model, chat: &Chat, form: Form) -> Result<Heard> {
    let request = server.client.post(format!("{}chat/completions", server.base)).bearer_auth(server.key);
    let request = request.header(reqwest::header::CONTENT_TYPE, "application/json");
    let sending = request.body(body(model, chat, form).to_string()).send();
    let reply = sending.await.map_err(|error| fault::lost(model, &error))?;
    let status = reply.status();
    let wait = http::retry_after(reply.headers());
    let said = http::read(reply, limits::CHAT_BYTES).await;
    if !status.is_success() {
        let said = said.unwrap_or_default();
        return Err(fault::refused(model, status.as_u16(), wait, &String::from_utf8_lossy(&said)));
    }
    let said = said.map_err(|broken| match broken {
        http::Broken::Cut(error) => fault::lost(model, &error),
        http::Broken::TooLarge => fault::broken(model, "the reply is too large"),
    })?;
    heard(&said).ok_or_else(|| fault::broken(model, "the reply is no answer in JSON"))
}

fn body(model: &Model, chat: &Chat, form: Form) -> Value {
    let mut body = json!({
        "model": model.name,
        "messages": [{"role": "system", "content": chat.system}, {"role": "user", "content": chat.prompt}],
        "stream": false,
        "max_tokens": chat.max_tokens,
    });
    if form == Form::Schema {
        body["response_format"] =
            json!({"type": "json_schema", "json_schema": {"name": "answer", "strict": true, "schema": json::schema()}});
    }
    body
}

fn heard(said: &[u8]) -> Option<Heard> {
    let reply: Value = serde_json::from_slice(said).ok()?;
    let choice = reply.pointer("/choices/0")?;
    let figure = |place: &str| reply.pointer(place).and_then(Value::as_u64);
    let thought = figure("/usage/completion_tokens_details/reasoning_tokens").unwrap_or_default();
    let counted = figure("/usage/prompt_tokens").zip(figure("/usage/completion_tokens"));
    Some(Heard {
        text: choice["message"]["content"].as_str().unwrap_or_default().to_owned(),
        thoughts: choice["message"]["reasoning_content"].as_str().map_or(0, str::len),
        counted: counted.map(|(input, output)| Tokens {
            input,
            cached: figure("/usage/prompt_tokens_details/cached_tokens").unwrap_or_default(),
            // Thoughts are part of what providers call the completion.
            output: output.saturating_sub(thought),
            thought: thought.min(output),
            ..Tokens::default()
        }),
        cut: choice["finish_reason"] == "length",
        streamed: true,
    })
}
