//! The Gemini `generateContent` API on a port of this machine, good enough for the real Gemini CLI.
//!
//! It answers by a [`Plan`], keeps every request, and keeps an invoice of what the real service would have billed. It knows no
//! keys: any is accepted unless the plan says otherwise.
//!
//! | request | answer |
//! |---|---|
//! | `POST /v1beta/models/{model}:streamGenerateContent?alt=sse` | a turn of the main model |
//! | `POST /v1beta/models/{model}:generateContent` | a nested search or page, or the auto router |
//! | `POST /v1beta/models/{model}:countTokens` | a number |
//! | `GET /_sim/requests`, `GET /_sim/invoice` | the request log, the invoice |

mod plan;
mod reply;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io::{self, BufReader};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use plan::{Conversation, Fault, FaultRule, Found, FunctionCall, Kind, Plan, Source, Turn};

use crate::host::now_ms;
use crate::http::{self, Door, Port};

/// What [`Fault::Slow`] waits.
const SLOW: Duration = Duration::from_secs(10);

/// A running API. It ends when it is dropped.
#[derive(Debug)]
pub struct GeminiApi {
    port: Port,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    plan: Plan,
    requests: Vec<Received>,
    invoice: Invoice,
}

/// A request as the log keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Received {
    pub at_ms: u64,
    pub path: String,
    pub model: String,
    pub kind: Kind,
    pub key: Option<String>,
    pub user_agent: Option<String>,
    /// Functions offered to the model.
    pub declared: Vec<String>,
    pub bytes: usize,
    pub fault: Option<Fault>,
    pub body: Value,
}

/// What the real service would have billed, by model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invoice {
    pub models: BTreeMap<String, Line>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    pub requests: u64,
    /// Answered with an error, or not at all; not billed.
    pub failed: u64,
    pub prompt_tokens: u64,
    pub candidates_tokens: u64,
    /// Searches are billed one by one.
    pub searches: u64,
}

impl GeminiApi {
    /// Starts it on a free port.
    ///
    /// # Errors
    /// When there is no port to be had.
    pub fn start(plan: Plan) -> io::Result<Self> {
        let state = State { plan, requests: Vec::new(), invoice: Invoice::default() };
        let shared = Arc::new(Shared { state: Mutex::new(state) });
        let serving = Arc::clone(&shared);
        let port = Port::open(move |stream, door| serve(stream, door, &serving))?;
        Ok(Self { port, shared })
    }

    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.port.address())
    }

    #[must_use]
    pub fn requests(&self) -> Vec<Received> {
        self.shared.state().requests.clone()
    }

    #[must_use]
    pub fn invoice(&self) -> Invoice {
        self.shared.state().invoice.clone()
    }

    /// Answers by another plan from here on.
    pub fn set_plan(&self, plan: Plan) {
        self.shared.state().plan = plan;
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn serve(stream: &TcpStream, door: &Door, shared: &Shared) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    while let Some(request) = http::Request::read(&mut reader)? {
        if door.is_closed() {
            break;
        }
        let goes_on = match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/_sim/requests") => {
                let requests = json!(shared.state().requests);
                http::answer(stream, 200, &requests).map(|()| true)?
            }
            ("GET", "/_sim/invoice") => {
                let invoice = json!(shared.state().invoice);
                http::answer(stream, 200, &invoice).map(|()| true)?
            }
            _ => generate(&request, stream, shared)?,
        };
        if !goes_on {
            break;
        }
    }
    Ok(())
}

/// Answers a request to a model. `false` closes the connection.
fn generate(request: &http::Request, stream: &TcpStream, shared: &Shared) -> io::Result<bool> {
    let target = request.path.rsplit_once("/models/").and_then(|(_, rest)| rest.split_once(':'));
    let Some((model, action)) = target else {
        let message = format!("{} {} is not simulated", request.method, request.path);
        return http::answer(stream, 404, &json!({"error": {"code": 404, "message": message}})).map(|()| true);
    };
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let kind = reply::kind(action, &body);
    let (plan, fault) = shared.receive(request, model, kind, &body);
    std::thread::sleep(Duration::from_millis(plan.delay_ms));
    if fault == Some(Fault::Slow) {
        std::thread::sleep(SLOW);
    }
    if fault == Some(Fault::Drop) || (fault == Some(Fault::Cut) && action != "streamGenerateContent") {
        return Ok(false);
    }
    if let Some((status, body)) = fault.and_then(|fault| fault.error(model)) {
        return http::answer(stream, status, &body).map(|()| true);
    }
    let Some(reply) = reply::reply(&plan, kind, &body, fault) else {
        let message = "the plan of the simulator has no conversation for this";
        let body = json!({"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT", "details": []}});
        return http::answer(stream, 400, &body).map(|()| true);
    };
    shared.bill(model, kind, reply.tokens);
    match action {
        "countTokens" => http::answer(stream, 200, &json!({"totalTokens": reply.tokens.prompt}))?,
        "streamGenerateContent" => {
            let mut events = http::Events::start(stream)?;
            for event in reply.events(model) {
                events.send(&event)?;
                if fault == Some(Fault::Cut) {
                    return Ok(false);
                }
                std::thread::sleep(Duration::from_millis(plan.chunk_ms));
            }
            events.end()?;
        }
        _ => http::answer(stream, 200, &reply.whole(model))?,
    }
    Ok(true)
}

impl Shared {
    /// Logs a request and looks up the fault it meets.
    fn receive(&self, request: &http::Request, model: &str, kind: Kind, body: &Value) -> (Plan, Option<Fault>) {
        let mut state = self.state();
        let rule = state.plan.faults.iter_mut().find(|rule| {
            rule.kind.is_none_or(|one| one == kind)
                && rule.model.as_deref().is_none_or(|one| one == model)
                && rule.times != Some(0)
        });
        let fault = rule.map(|rule| {
            rule.times = rule.times.map(|times| times - 1);
            rule.fault
        });
        state.requests.push(Received {
            at_ms: now_ms(),
            path: format!("{}?{}", request.path, request.query),
            model: model.to_owned(),
            kind,
            key: request.header("x-goog-api-key").map(str::to_owned),
            user_agent: request.header("user-agent").map(str::to_owned),
            declared: reply::declared(body),
            bytes: request.body.len(),
            fault,
            body: body.clone(),
        });
        let line = state.invoice.models.entry(model.to_owned()).or_default();
        line.requests += 1;
        line.failed += 1;
        (state.plan.clone(), fault)
    }

    /// Turns a request that was counted as failed into one that is billed.
    fn bill(&self, model: &str, kind: Kind, tokens: reply::Tokens) {
        let mut state = self.state();
        let line = state.invoice.models.entry(model.to_owned()).or_default();
        line.failed -= 1;
        if kind == Kind::CountTokens {
            return;
        }
        line.prompt_tokens += tokens.prompt;
        line.candidates_tokens += tokens.candidates;
        line.searches += u64::from(kind == Kind::Search);
    }
}
