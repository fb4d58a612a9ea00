//! A server that speaks OpenAI's chat protocol on a port of this machine, as Ollama, llama.cpp and many gateways do.
//!
//! What it answers is a function of what it was asked, so that a test can play a good model, a bad one or a hijacked one. It keeps every
//! request, and an invoice of what the real service would have billed: failed requests are free, a stream that was cut is not.
//!
//! | request | answer |
//! |---|---|
//! | `POST /v1/chat/completions` | the answer, as a stream if so asked |
//! | `POST /api/chat` | the answer in Ollama's own protocol, as `ollama` has it |
//! | `POST /api/show` | how much a model reads, as Ollama tells it: 8,192 tokens where its name ends in `8k` |
//! | `GET /v1/models`, `GET /api/tags` | the one model, as llama.cpp and Ollama list it |

use std::fmt;
use std::io::{self, BufReader, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use crate::http::{Answer, Port, Request};
use crate::ollama;

/// Ollama's own path.
const OLLAMA: &str = "/api/chat";
/// The model that is listed.
pub const MODEL: &str = "gemini-3.1-pro-preview";
/// Its list price: micro-dollars for a million tokens in and out.
const INPUT: u64 = 2_000_000;
const OUTPUT: u64 = 12_000_000;

/// What the model does with a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Say {
    Text(String),
    /// 429, with or without the seconds to wait.
    RateLimited(Option<u32>),
    Internal,
    Unauthorized,
    NoSuchModel,
    /// An error with its status and its message.
    Refused(u16, String),
    /// The connection is closed without an answer.
    Drop,
    /// So many characters of the text, then the connection breaks.
    Cut(String, usize),
    /// The text after a while.
    Slow(Duration, String),
    /// An answer without words.
    Empty,
    /// Data that is none.
    Garbage,
    /// The text without the figures of what it used.
    Uncounted(String),
    /// The text as one JSON body, also where a stream was asked for.
    Whole(String),
}

/// A question as the log keeps it.
#[derive(Clone, Debug)]
pub struct Received {
    pub model: String,
    pub system: String,
    pub prompt: String,
    pub max_tokens: Option<u64>,
    /// The path it came by.
    pub path: String,
    /// The length of the context, where it came by Ollama's own path.
    pub num_ctx: Option<u64>,
    pub think: Option<bool>,
    pub key: Option<String>,
    pub user_agent: Option<String>,
    /// How many came before it.
    pub number: usize,
}

/// What the real service would have billed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Invoice {
    pub requests: u64,
    pub failed: u64,
    pub prompt_tokens: u64,
    pub completion_tokens: u64,
    pub micros: u64,
}

type Script = Box<dyn Fn(&Received) -> Say + Send + Sync>;

/// A running server. It ends when it is dropped.
#[derive(Debug)]
pub struct Chat {
    port: Port,
    shared: Arc<Shared>,
}

struct Shared {
    script: Script,
    state: Mutex<State>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("state", &self.state).finish_non_exhaustive()
    }
}

#[derive(Debug, Default)]
struct State {
    requests: Vec<Received>,
    invoice: Invoice,
    /// Each question that was billed, with its millionths of a dollar.
    bills: Vec<(Received, u64)>,
}

impl Chat {
    /// Starts it on a free port.
    ///
    /// # Errors
    /// When there is no port to be had.
    pub fn start(script: impl Fn(&Received) -> Say + Send + Sync + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared { script: Box::new(script), state: Mutex::default() });
        let serving = Arc::clone(&shared);
        let port = Port::open(move |stream, _door| serve(stream, &serving))?;
        Ok(Self { port, shared })
    }

    /// The base address for OpenAI's protocol.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.port.address())
    }

    /// The value for `OLLAMA_HOST`.
    #[must_use]
    pub fn ollama_host(&self) -> String {
        self.port.address().to_string()
    }

    #[must_use]
    pub fn requests(&self) -> Vec<Received> {
        self.shared.state().requests.clone()
    }

    #[must_use]
    pub fn invoice(&self) -> Invoice {
        self.shared.state().invoice
    }

    /// Each question that was billed, with its millionths of a dollar.
    #[must_use]
    pub fn bills(&self) -> Vec<(Received, u64)> {
        self.shared.state().bills.clone()
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn receive(&self, request: &Request, body: &Value) -> Received {
        let content = |role: &str| {
            let messages = body["messages"].as_array().into_iter().flatten().filter(|message| message["role"] == role);
            messages.map(|message| text_of(&message["content"])).collect::<Vec<_>>().join("\n")
        };
        let (mut system, mut prompt) = (content("system"), content("user"));
        let num_ctx = (request.path == OLLAMA).then(|| ollama::context(body));
        if let Some(context) = num_ctx {
            // The end stays; the rules are the first to go.
            prompt = ollama::fitting(&prompt, context).to_owned();
            system = ollama::fitting(&system, context.saturating_sub(tokens(&prompt))).to_owned();
        }
        let longest = [&body["max_tokens"], &body["max_completion_tokens"], &body["options"]["num_predict"]];
        let mut state = self.state();
        let received = Received {
            model: body["model"].as_str().unwrap_or_default().to_owned(),
            system,
            prompt,
            max_tokens: longest.into_iter().find_map(Value::as_u64),
            path: request.path.clone(),
            num_ctx,
            think: body["think"].as_bool(),
            key: request.header("authorization").and_then(|value| value.strip_prefix("Bearer ")).map(str::to_owned),
            user_agent: request.header("user-agent").map(str::to_owned),
            number: state.requests.len(),
        };
        state.requests.push(received.clone());
        state.invoice.requests += 1;
        received
    }

    /// Bills an answer and returns its figures.
    fn bill(&self, received: &Received, text: &str) -> Value {
        let input = tokens(&received.system) + tokens(&received.prompt);
        let output = tokens(text);
        let mut state = self.state();
        state.invoice.prompt_tokens += input;
        state.invoice.completion_tokens += output;
        let micros = (input * INPUT + output * OUTPUT + 500_000) / 1_000_000;
        state.invoice.micros += micros;
        state.bills.push((received.clone(), micros));
        json!({"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output})
    }
}

/// A message's content, as text or as parts.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}

impl Received {
    /// The tokens of the question and of the longest answer to it.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        tokens(&self.system) + tokens(&self.prompt) + self.max_tokens.unwrap_or(0)
    }
}

impl Say {
    /// What OpenAI's servers say to a question that is too long for a model.
    #[must_use]
    pub fn too_long(window: u64, asked: &Received) -> Self {
        let (all, answer) = (asked.tokens(), asked.max_tokens.unwrap_or(0));
        let message = format!(
            "This model's maximum context length is {window} tokens. However, you requested {all} tokens ({} in the messages, \
             {answer} in the completion). Please reduce the length of the messages or completion.",
            all - answer
        );
        Self::Refused(400, message)
    }
}

fn tokens(text: &str) -> u64 {
    (text.len() as u64).div_ceil(4)
}

fn serve(stream: &TcpStream, shared: &Shared) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    let Some(request) = Request::read(&mut reader)? else { return Ok(()) };
    match (request.method.as_str(), request.path.as_str()) {
        ("GET", "/v1/models") => return closing(Answer::json(200, &json!({"data": [{"id": MODEL}]}))).send(stream),
        ("GET", "/api/tags") => {
            let models = json!({"models": [{"name": "nomic-embed-text:latest"}, {"name": MODEL}]});
            return closing(Answer::json(200, &models)).send(stream);
        }
        ("POST", "/api/show") => return closing(ollama::show(&request.body)).send(stream),
        ("POST", "/v1/chat/completions" | OLLAMA) => {}
        _ => return closing(Answer::json(404, &json!({"error": {"message": "no such path"}}))).send(stream),
    }
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let received = shared.receive(&request, &body);
    if request.path == OLLAMA {
        return serve_ollama(stream, shared, &received, &body);
    }
    let streamed = body["stream"] == true;
    match (shared.script)(&received) {
        Say::Text(text) => told(stream, shared, &received, &text, streamed),
        Say::Whole(text) => told(stream, shared, &received, &text, false),
        Say::Slow(time, text) => {
            std::thread::sleep(time);
            told(stream, shared, &received, &text, streamed)
        }
        Say::Empty => told(stream, shared, &received, "", streamed),
        Say::Uncounted(text) => {
            head(stream)?;
            piece(stream, &text)?;
            end(stream, None)
        }
        Say::Cut(text, chars) => {
            let text: String = text.chars().take(chars).collect();
            shared.bill(&received, &text);
            head(stream)?;
            piece(stream, &text)
        }
        refusal => {
            shared.state().invoice.failed += 1;
            refuse(stream, &refusal)
        }
    }
}

fn serve_ollama(mut stream: &TcpStream, shared: &Shared, received: &Received, body: &Value) -> io::Result<()> {
    let say = (shared.script)(received);
    let told = |text: &str| ollama::tell(stream, body, text, &shared.bill(received, text));
    match &say {
        Say::Text(text) | Say::Whole(text) => told(text),
        Say::Slow(time, text) => {
            std::thread::sleep(*time);
            told(text)
        }
        Say::Empty => told(""),
        Say::Uncounted(text) => ollama::cut(stream, body, text),
        Say::Cut(text, chars) => {
            let text: String = text.chars().take(*chars).collect();
            shared.bill(received, &text);
            ollama::cut(stream, body, &text)
        }
        Say::Garbage => {
            head(stream)?;
            stream.write_all(b"4\r\n{\"a\n\r\n0\r\n\r\n")
        }
        refusal => {
            shared.state().invoice.failed += 1;
            ollama::refusal(refusal).map_or(Ok(()), |answer| answer.send(stream))
        }
    }
}

fn refuse(stream: &TcpStream, refusal: &Say) -> io::Result<()> {
    let error = |status, message: &str| closing(Answer::json(status, &json!({"error": {"message": message}})));
    match refusal {
        Say::RateLimited(wait) => {
            let mut answer = error(429, "Rate limit reached");
            answer.headers.extend(wait.map(|seconds| ("retry-after", seconds.to_string())));
            answer.send(stream)
        }
        Say::Unauthorized => error(401, "Incorrect API key provided").send(stream),
        Say::Refused(status, message) => error(*status, message).send(stream),
        Say::NoSuchModel => error(404, "The model does not exist").send(stream),
        Say::Garbage => {
            head(stream)?;
            let mut stream = stream;
            stream.write_all(b"data: {\"choices\": [{\n\ndata: \xe2\x82\n\n")
        }
        Say::Drop => Ok(()),
        _ => error(500, "The server had an error").send(stream),
    }
}

fn told(stream: &TcpStream, shared: &Shared, received: &Received, text: &str, streamed: bool) -> io::Result<()> {
    let usage = shared.bill(received, text);
    if !streamed {
        let message = json!({"role": "assistant", "content": text});
        let choice = json!({"index": 0, "message": message, "finish_reason": "stop"});
        let body = json!({"model": received.model, "choices": [choice], "usage": usage});
        return closing(Answer::json(200, &body)).send(stream);
    }
    head(stream)?;
    // Words do not come all at once.
    let middle = text.floor_char_boundary(text.len() / 2);
    let (first, second) = text.split_at_checked(middle).unwrap_or((text, ""));
    piece(stream, first)?;
    piece(stream, second)?;
    end(stream, Some(&usage))
}

fn closing(mut answer: Answer) -> Answer {
    answer.headers.push(("connection", "close".to_owned()));
    answer
}

fn head(mut stream: &TcpStream) -> io::Result<()> {
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n")
}

fn event(mut stream: &TcpStream, data: &str) -> io::Result<()> {
    let frame = format!("data: {data}\n\n");
    stream.write_all(format!("{:x}\r\n{frame}\r\n", frame.len()).as_bytes())
}

fn piece(stream: &TcpStream, text: &str) -> io::Result<()> {
    event(stream, &json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]}).to_string())
}

fn end(mut stream: &TcpStream, usage: Option<&Value>) -> io::Result<()> {
    event(stream, &json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}).to_string())?;
    if let Some(usage) = usage {
        event(stream, &json!({"choices": [], "usage": usage}).to_string())?;
    }
    event(stream, "[DONE]")?;
    stream.write_all(b"0\r\n\r\n")
}
