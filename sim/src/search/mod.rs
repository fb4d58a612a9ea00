//! Twelve search providers on one port of this machine. They know the pages of [`crate::web`] and answer in the shapes of the real
//! services, as their documentation and recorded replies show them.
//!
//! Each provider has a path of its own below [`SearchApi::url`]. Any key is accepted, but a provider that needs one refuses a
//! request without. It keeps every request, and an invoice of what the real services would have billed.

mod shapes;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufReader, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use crate::field::Field;
use crate::http::{Answer, Port, Request};
use crate::web::{Page, all};

/// The providers, by the names that hadal's settings have for them.
pub const PROVIDERS: [&str; 12] = [
    "tavily",
    "brave",
    "exa",
    "serper",
    "searxng",
    "wikipedia",
    "openalex",
    "crossref",
    "arxiv",
    "stackexchange",
    "hackernews",
    "github",
];

/// What goes wrong instead of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// 429, with or without the seconds to wait.
    RateLimited(Option<u32>),
    Internal,
    /// The key is refused.
    Unauthorized,
    /// Data that is none.
    Garbage,
    /// A page that asks whether we are human, with status 200.
    Captcha,
    /// The answer comes after this long.
    Slow(Duration),
    /// The connection is closed without an answer.
    Drop,
    /// More than anybody wants to read.
    Flood,
    /// The answer, and in it the wish to be left alone for so many seconds. Stack Exchange says it like that.
    Backoff(u32),
    /// A proper answer that holds no result.
    Empty,
    /// SearXNG with engines that do not answer it: status 200, no result, and the engines by name.
    Unresponsive,
    /// Wikipedia that is behind: status 200 with an error inside, and the seconds to wait.
    Maxlag(u32),
    /// Stack Exchange that throttles: status 400 with the seconds to wait in words.
    Throttled(u32),
    /// Status 200 with an error inside and an empty list.
    ErrorInside,
    /// An error with its status and its message.
    Says(u16, String),
}

/// Running providers. They end when this is dropped.
#[derive(Debug)]
pub struct SearchApi {
    port: Port,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    /// The field that is searched in place of the web.
    field: Option<Field>,
}

#[derive(Debug, Default)]
struct State {
    requests: Vec<Received>,
    /// Faults by provider, and how often they still happen.
    faults: BTreeMap<String, (Fault, u32)>,
    invoice: BTreeMap<String, u64>,
    /// The text of each request that was billed, with its millionths of a dollar.
    bills: Vec<(String, u64)>,
    /// Pages that the providers know beside those of the web.
    listed: Vec<Page>,
}

/// A request as the log keeps it.
#[derive(Clone, Debug)]
pub struct Received {
    pub provider: String,
    pub method: String,
    pub path: String,
    pub query: String,
    pub user_agent: Option<String>,
    pub body: Value,
    pub fault: Option<Fault>,
}

impl SearchApi {
    /// Starts them on a free port.
    ///
    /// # Errors
    /// When there is no port to be had.
    pub fn start() -> io::Result<Self> {
        Self::open(Shared::default())
    }

    /// The same before the pages of a field.
    ///
    /// # Errors
    /// When there is no port to be had.
    pub fn of(field: &Field) -> io::Result<Self> {
        Self::open(Shared { field: Some(field.clone()), ..Shared::default() })
    }

    fn open(shared: Shared) -> io::Result<Self> {
        let shared = Arc::new(shared);
        let serving = Arc::clone(&shared);
        let port = Port::open(move |stream, _door| serve(stream, &serving))?;
        Ok(Self { port, shared })
    }

    /// Where a provider is asked.
    #[must_use]
    pub fn url(&self, provider: &str) -> String {
        format!("http://{}/{provider}", self.port.address())
    }

    /// The value of hadal's setting that sends all providers here.
    #[must_use]
    pub fn urls(&self) -> String {
        PROVIDERS.map(|provider| format!("{provider}={}", self.url(provider))).join(",")
    }

    /// Lets the next `times` requests to a provider fail.
    pub fn fail(&self, provider: &str, fault: Fault, times: u32) {
        self.shared.state().faults.insert(provider.to_owned(), (fault, times));
    }

    /// Lets the providers know one more page, whether it exists or not.
    pub fn list(&self, url: &str, title: &str, text: &str) {
        self.shared.state().listed.push(Page::listed(url, title, text));
    }

    #[must_use]
    pub fn requests(&self) -> Vec<Received> {
        self.shared.state().requests.clone()
    }

    /// Millionths of a dollar that each provider would have billed.
    #[must_use]
    pub fn invoice(&self) -> BTreeMap<String, u64> {
        self.shared.state().invoice.clone()
    }

    /// The text of each request that was billed, with its millionths of a dollar.
    #[must_use]
    pub fn bills(&self) -> Vec<(String, u64)> {
        self.shared.state().bills.clone()
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Logs a request and takes the fault that it meets, if any.
    fn receive(&self, provider: &str, request: &Request, body: &Value) -> Option<Fault> {
        let mut state = self.state();
        let fault = state.faults.get_mut(provider).filter(|(_, times)| *times > 0).map(|(fault, times)| {
            *times -= 1;
            fault.clone()
        });
        state.requests.push(Received {
            provider: provider.to_owned(),
            method: request.method.clone(),
            path: request.path.clone(),
            query: request.query.clone(),
            user_agent: request.header("user-agent").map(str::to_owned),
            body: body.clone(),
            fault: fault.clone(),
        });
        fault
    }

    fn bill(&self, provider: &str, text: String, micros: u64) {
        let mut state = self.state();
        *state.invoice.entry(provider.to_owned()).or_default() += micros;
        state.bills.push((text, micros));
    }
}

fn serve(stream: &TcpStream, shared: &Shared) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    while let Some(request) = Request::read(&mut reader)? {
        let provider = request.path.split('/').nth(1).unwrap_or_default().to_owned();
        let path = request.path.strip_prefix(&format!("/{provider}")).unwrap_or_default().to_owned();
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let fault = shared.receive(&provider, &request, &body);
        match fault {
            None => {}
            Some(Fault::Slow(time)) => std::thread::sleep(time),
            Some(Fault::Drop) => return Ok(()),
            Some(Fault::Flood) => return flood(stream),
            Some(_) => {}
        }
        let refusal = fault.as_ref().and_then(broken);
        let (answer, micros) = refusal.map_or_else(
            || shapes::answer(&provider, &path, &request, &body, shared, fault.as_ref()),
            |refusal| (refusal, 0),
        );
        // Billed first: whoever has the answer finds it on the invoice.
        if answer.status == 200 {
            shared.bill(&provider, format!("{} {body}", request.query), micros);
        }
        answer.send(stream)?;
        if request.is_last() {
            break;
        }
    }
    Ok(())
}

/// The answer that a fault is; `None` when it is none.
fn broken(fault: &Fault) -> Option<Answer> {
    let html = |status, text: &str| Answer {
        status,
        content_type: "text/html; charset=utf-8",
        headers: Vec::new(),
        body: text.as_bytes().to_vec(),
    };
    Some(match fault {
        Fault::RateLimited(wait) => {
            let mut answer = Answer::json(429, &json!({"error": "Too many requests"}));
            answer.headers.extend(wait.map(|seconds| ("retry-after", seconds.to_string())));
            answer
        }
        Fault::Unauthorized => Answer::json(401, &json!({"detail": {"error": "Unauthorized: invalid API key."}})),
        Fault::Garbage => Answer { body: b"{\"results\": [{\"url\": ".to_vec(), ..Answer::json(200, &json!(null)) },
        Fault::Captcha => html(200, "<!DOCTYPE html><title>Just a moment...</title><p>Verify you are human to go on."),
        Fault::Says(status, message) => {
            Answer::json(*status, &json!({"detail": {"error": message}, "message": message}))
        }
        Fault::Internal => html(500, "<h1>Internal Server Error</h1>"),
        Fault::Unresponsive => Answer::json(
            200,
            &json!({"query": "x", "number_of_results": 0, "results": [], "answers": [], "corrections": [], "infoboxes": [],
                "suggestions": [], "unresponsive_engines": [["google", "Suspended: CAPTCHA"], ["brave", "too many requests"]]}),
        ),
        Fault::Maxlag(seconds) => {
            let info = "Waiting for a database server: 6.2 seconds lagged.";
            let error = json!({"code": "maxlag", "info": info, "type": "db", "lag": 6.2});
            let mut answer = Answer::json(200, &json!({"error": error, "servedby": "sim"}));
            answer.headers.push(("retry-after", seconds.to_string()));
            answer
        }
        Fault::Throttled(seconds) => {
            let words = format!("too many requests from this IP, more requests available in {seconds} seconds");
            Answer::json(400, &json!({"error_id": 502, "error_message": words, "error_name": "throttle_violation"}))
        }
        Fault::ErrorInside => {
            let lists = json!({"error": {"message": "The index is out of order"}, "results": [], "items": [], "hits": [],
                "organic": [], "web": {"results": []}, "message": {"items": []}, "query": {"pages": []}});
            Answer::json(200, &lists)
        }
        Fault::Slow(_) | Fault::Drop | Fault::Flood | Fault::Backoff(_) | Fault::Empty => return None,
    })
}

fn flood(mut stream: &TcpStream) -> io::Result<()> {
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"results\": [")?;
    let piece = [b' '; 1 << 16];
    // A quarter of a gigabyte.
    for _ in 0..4_096 {
        stream.write_all(&piece)?;
    }
    Ok(())
}

/// The pages that hold words of a query, those with the most first.
fn found(query: &str, limit: usize, shared: &Shared) -> Vec<Page> {
    if let Some(field) = &shared.field {
        return field.find(query, limit);
    }
    let listed = shared.state().listed.clone();
    let words = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 3);
        words.map(str::to_lowercase).collect()
    };
    let wanted = words(query);
    let mut pages: Vec<(usize, Page)> = all()
        .into_iter()
        .chain(listed.iter().cloned())
        .map(|page| (words(&format!("{} {}", page.title, page.text)).intersection(&wanted).count(), page))
        .filter(|(score, _)| *score > 0)
        .collect();
    pages.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    pages.into_iter().take(limit).map(|(_, page)| page).collect()
}
