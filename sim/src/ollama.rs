//! Ollama's own chat path, as strict as the real one: a prompt that does not fit into `num_ctx` is cut from the front without a word, and
//! the context also bounds the answer. Without `num_ctx` it is 4,096 tokens.

use std::io::{self, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::chat::Say;
use crate::http::Answer;

/// The context when nobody asks for another one.
const DEFAULT_CONTEXT: u64 = 4_096;
const TOKEN_BYTES: usize = 4;

/// The context that a request asks for.
pub(crate) fn context(body: &Value) -> u64 {
    body["options"]["num_ctx"].as_u64().unwrap_or(DEFAULT_CONTEXT)
}

/// What of a text fits into so many tokens: its end.
pub(crate) fn fitting(text: &str, tokens: u64) -> &str {
    let room = usize::try_from(tokens).unwrap_or(usize::MAX).saturating_mul(TOKEN_BYTES);
    let from = text.ceil_char_boundary(text.len().saturating_sub(room));
    text.get(from..).unwrap_or_default()
}

/// The answer as lines of JSON: some thoughts, two pieces, and the end with its figures.
pub(crate) fn tell(mut stream: &TcpStream, body: &Value, text: &str, usage: &Value) -> io::Result<()> {
    let (input, context) = (usage["prompt_tokens"].as_u64().unwrap_or_default(), context(body));
    let asked = body["options"]["num_predict"].as_u64().unwrap_or(u64::MAX);
    let room = asked.min(context.saturating_sub(input));
    let most = usize::try_from(room).unwrap_or(usize::MAX).saturating_mul(TOKEN_BYTES);
    let shown = text.get(..text.floor_char_boundary(text.len().min(most))).unwrap_or_default();
    let line = |message: Value, done: bool| json!({"model": body["model"], "message": message, "done": done});
    let mut lines = Vec::new();
    if body["think"] != false {
        lines.push(line(json!({"role": "assistant", "content": "", "thinking": "Let me see. "}), false));
    }
    let middle = shown.floor_char_boundary(shown.len() / 2);
    for piece in [shown.get(..middle), shown.get(middle..)].into_iter().flatten() {
        lines.push(line(json!({"role": "assistant", "content": piece}), false));
    }
    let mut end = line(json!({"role": "assistant", "content": ""}), true);
    end["done_reason"] = json!(if shown.len() < text.len() { "length" } else { "stop" });
    end["prompt_eval_count"] = json!(input);
    end["eval_count"] = usage["completion_tokens"].clone();
    lines.push(end);
    head(stream)?;
    for line in lines {
        piece(stream, &line)?;
    }
    stream.write_all(b"0\r\n\r\n")
}

/// So much of an answer, then nothing.
pub(crate) fn cut(stream: &TcpStream, body: &Value, text: &str) -> io::Result<()> {
    head(stream)?;
    piece(stream, &json!({"model": body["model"], "message": {"role": "assistant", "content": text}, "done": false}))
}

/// The error in Ollama's form.
pub(crate) fn refusal(refusal: &Say) -> Option<Answer> {
    let error = |status, message: &str| {
        let mut answer = Answer::json(status, &json!({"error": message}));
        answer.headers.push(("connection", "close".to_owned()));
        answer
    };
    Some(match refusal {
        Say::NoSuchModel => error(404, "model 'x' not found"),
        Say::RateLimited(wait) => {
            let mut answer = error(503, "server busy, please try again. maximum pending requests exceeded");
            answer.headers.extend(wait.map(|seconds| ("retry-after", seconds.to_string())));
            answer
        }
        Say::Refused(status, message) => error(*status, message),
        Say::Internal => error(500, "model runner has unexpectedly stopped"),
        _ => return None,
    })
}

fn head(mut stream: &TcpStream) -> io::Result<()> {
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n")
}

fn piece(mut stream: &TcpStream, line: &Value) -> io::Result<()> {
    let frame = format!("{line}\n");
    stream.write_all(format!("{:x}\r\n{frame}\r\n", frame.len()).as_bytes())
}

/// What Ollama tells of a model: 8,192 tokens where its name ends in `8k`.
pub(crate) fn show(body: &[u8]) -> Answer {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let small = body["model"].as_str().is_some_and(|name| name.ends_with("8k"));
    let length = if small { 8_192 } else { 131_072 };
    let info =
        json!({"general.architecture": "llama", "llama.context_length": length, "llama.embedding_length": 4_096});
    Answer::json(200, &json!({"details": {"family": "llama"}, "model_info": info}))
}
