//! Ollama in its own protocol. Its OpenAI path has no field for the length of the context, and its default cuts long prompts from the
//! front without a word: the rules and the question are the first to go.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Form, Heard, fault};
use tokio::time::Instant;

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::model::chat::{Chat, Model, Purpose, tokens_of};
use crate::core::model::json;
use crate::core::money::price::Tokens;
use crate::world::http;

/// Asks one question and listens to the answer.
pub(super) async fn ask(
    (client, base): (&reqwest::Client, &str),
    model: &Model,
    chat: &Chat,
    form: Form,
    limit: Duration,
) -> Result<Heard> {
    let deadline = Instant::now() + limit;
    let url = format!("{base}/api/chat");
    let request = client.post(url).header(reqwest::header::CONTENT_TYPE, "application/json");
    let sending = request.body(body(model, chat, form).to_string()).send();
    let mut reply = sending.await.map_err(|error| fault::lost(model, &error))?;
    let status = reply.status();
    if !status.is_success() {
        let wait = http::retry_after(reply.headers());
        let said = http::read(reply, limits::CHAT_BYTES).await.unwrap_or_default();
        return Err(fault::refused(model, status.as_u16(), wait, &String::from_utf8_lossy(&said)));
    }
    let mut heard = Heard { cut: true, streamed: true, ..Heard::default() };
    let mut waiting: Vec<u8> = Vec::new();
    loop {
        let chunk = match tokio::time::timeout(
            limits::CHAT_IDLE.min(deadline.saturating_duration_since(Instant::now())),
            reply.chunk(),
        )
        .await
        {
            Ok(Ok(Some(chunk))) => chunk,
            // The connection ended; the last line may have no line feed.
            Ok(Ok(None)) => {
                line(model, &waiting, &mut heard)?;
                break;
            }
            // Half an answer may be of use; a few words are not.
            Ok(Err(_)) | Err(_) if heard.text.len() >= limits::CHAT_WORTH_BYTES => break,
            Ok(Err(error)) => return Err(fault::lost(model, &error)),
            Err(_silent) => return Err(Error::new(Code::Timeout, format!("the model `{model}` fell silent"))),
        };
        waiting.extend_from_slice(&chunk);
        if let Some(end) = waiting.iter().rposition(|byte| *byte == b'\n') {
            let rest = waiting.split_off(end + 1);
            waiting.split(|byte| *byte == b'\n').try_for_each(|whole| line(model, whole, &mut heard))?;
            waiting = rest;
        }
        if heard.text.len() + heard.thoughts > chat.most_bytes() || waiting.len() > limits::CHAT_BYTES {
            break;
        }
    }
    // A stream that never said how it ended and brought nothing broke off.
    if heard.cut && heard.counted.is_none() && heard.text.len() < limits::CHAT_WORTH_BYTES {
        return Err(fault::broken(model, "the stream ended in the middle"));
    }
    Ok(heard)
}

fn body(model: &Model, chat: &Chat, form: Form) -> Value {
    let mut body = json!({
        "model": model.name,
        "messages": [{"role": "system", "content": chat.system}, {"role": "user", "content": chat.prompt}],
        "stream": true,
        "options": {"num_ctx": context_tokens(chat), "num_predict": chat.max_tokens},
    });
    if chat.purpose == Purpose::Queries {
        // A list of words needs no thoughts; models that have none take `false` as well.
        body["think"] = json!(false);
    }
    if form == Form::Schema {
        body["format"] = json::schema();
    }
    body
}

/// The context that a question needs with its answer, in steps: each other figure makes Ollama load the model anew.
fn context_tokens(chat: &Chat) -> u64 {
    let needed = tokens_of(&chat.system) + tokens_of(&chat.prompt) + u64::from(chat.max_tokens) + TEMPLATE_TOKENS;
    needed.next_power_of_two().clamp(limits::OLLAMA_CONTEXT_MIN, limits::OLLAMA_CONTEXT_MAX)
}

/// What the model's own template puts around the messages.
const TEMPLATE_TOKENS: u64 = 256;

/// One line of the stream: a piece of the answer or of its thoughts, the end with its figures, or an error.
fn line(model: &Model, line: &[u8], heard: &mut Heard) -> Result<()> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Ok(());
    }
    let Ok(event) = serde_json::from_slice::<Value>(line) else {
        return Err(fault::broken(model, "a line of the stream is no JSON"));
    };
    if let Some(error) = event["error"].as_str() {
        return Err(fault::refused(model, 500, None, error));
    }
    heard.text.push_str(event["message"]["content"].as_str().unwrap_or_default());
    heard.thoughts += event["message"]["thinking"].as_str().map_or(0, str::len);
    if event["done"] == true {
        heard.cut = event["done_reason"] == "length";
        // A prompt that was read before is not counted again by some versions; nothing is billed by it.
        let figure = |name: &str| event[name].as_u64();
        heard.counted = figure("eval_count").map(|output| Tokens {
            input: figure("prompt_eval_count").unwrap_or_default(),
            output,
            ..Tokens::default()
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_context_has_room_for_the_question_and_its_answer() {
        let chat = |bytes: usize, answer: u32| Chat {
            purpose: Purpose::Answer,
            models: Vec::new(),
            system: String::new(),
            prompt: "x".repeat(bytes),
            max_tokens: answer,
        };
        for (bytes, answer, want) in [
            (10, 100, limits::OLLAMA_CONTEXT_MIN),
            (12_000, 4_000, 16_384),
            (30_000, 4_000, 16_384),
            (60_000, 4_000, 32_768),
            (10_000_000, 4_000, limits::OLLAMA_CONTEXT_MAX),
        ] {
            assert_eq!(context_tokens(&chat(bytes, answer)), want, "{bytes}");
        }
    }
}
