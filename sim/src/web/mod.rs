//! A small web on a port of this machine: some hundred pages on twenty sites, a chain of pages that leads to an answer, and a site
//! full of traps. All names end in `.sim.test`; a client reaches them by sending every such name to [`Web::address`].
//!
//! It is deterministic: the same request gives the same answer, but for traps that count how often they were asked.

mod pages;
#[cfg(test)]
mod tests;
mod traps;

use std::collections::HashMap;
use std::io::{self, BufReader};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::field::Field;
use crate::http::{Answer, Door, Port, Request};

pub use pages::{ANSWER, FIRST_HOP, QUESTION, SECOND_HOP, SITES, all_urls, sites};
pub(crate) use pages::{Page, all};

/// A running web. It ends when it is dropped.
#[derive(Debug)]
pub struct Web {
    port: Port,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    latency: Duration,
    requests: Mutex<Vec<Received>>,
    /// How often a trap that counts was asked.
    asked: Mutex<HashMap<String, u32>>,
    /// Pages by their addresses, beside the honest ones.
    more: HashMap<String, String>,
}

/// A request as the log keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    pub host: String,
    /// With its query.
    pub path: String,
    pub user_agent: Option<String>,
    pub accept_encoding: Option<String>,
    /// The validators of a conditional request.
    pub if_none_match: Option<String>,
    pub if_modified_since: Option<String>,
}

/// What a page of the web is answered with.
enum Reply {
    Whole(Answer),
    /// Written by hand; the connection is closed after it.
    Raw(Box<Write>),
}

type Write = dyn FnOnce(&TcpStream) -> io::Result<()>;

impl Web {
    /// Starts it on a free port. Each answer takes `latency`.
    ///
    /// # Errors
    /// When there is no port to be had.
    pub fn start(latency: Duration) -> io::Result<Self> {
        Self::open(latency, HashMap::new())
    }

    /// The same with the pages of a field.
    ///
    /// # Errors
    /// When there is no port to be had.
    pub fn of(field: &Field, latency: Duration) -> io::Result<Self> {
        Self::open(latency, field.pages.iter().map(|page| (page.url.clone(), pages::rendered(page))).collect())
    }

    fn open(latency: Duration, more: HashMap<String, String>) -> io::Result<Self> {
        let shared = Arc::new(Shared { latency, requests: Mutex::default(), asked: Mutex::default(), more });
        let serving = Arc::clone(&shared);
        let port = Port::open(move |stream, door| serve(stream, door, &serving))?;
        Ok(Self { port, shared })
    }

    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.port.address()
    }

    /// The value of hadal's setting that sends all names of this web here.
    #[must_use]
    pub fn hosts(&self) -> String {
        format!("*.sim.test={}", self.port.address())
    }

    #[must_use]
    pub fn requests(&self) -> Vec<Received> {
        lock(&self.shared.requests).clone()
    }

    #[must_use]
    pub fn connections(&self) -> u64 {
        self.port.came()
    }
}

fn serve(stream: &TcpStream, door: &Door, shared: &Shared) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    while let Some(request) = Request::read(&mut reader)? {
        if door.is_closed() {
            break;
        }
        let host =
            request.header("host").unwrap_or_default().split(':').next().unwrap_or_default().to_ascii_lowercase();
        let path =
            if request.query.is_empty() { request.path.clone() } else { format!("{}?{}", request.path, request.query) };
        lock(&shared.requests).push(Received {
            host: host.clone(),
            path: path.clone(),
            user_agent: request.header("user-agent").map(str::to_owned),
            accept_encoding: request.header("accept-encoding").map(str::to_owned),
            if_none_match: request.header("if-none-match").map(str::to_owned),
            if_modified_since: request.header("if-modified-since").map(str::to_owned),
        });
        std::thread::sleep(shared.latency);
        let more = shared.more.get(&format!("http://{host}{path}")).map(|page| Reply::Whole(html(200, page)));
        let reply = more
            .or_else(|| traps::answer(&host, &request, |name| shared.count(name)))
            .or_else(|| pages::answer(&host, &path));
        match reply.unwrap_or_else(not_found) {
            Reply::Whole(answer) => answer.send(stream)?,
            Reply::Raw(write) => return write(stream),
        }
        if request.is_last() {
            break;
        }
    }
    Ok(())
}

impl Shared {
    /// How often `name` was asked before.
    fn count(&self, name: &str) -> u32 {
        let mut asked = lock(&self.asked);
        let count = asked.entry(name.to_owned()).or_default();
        *count += 1;
        *count - 1
    }
}

fn not_found() -> Reply {
    Reply::Whole(html(404, "<!DOCTYPE html><title>Not found</title><p>There is no such page."))
}

fn html(status: u16, body: &str) -> Answer {
    Answer { status, content_type: "text/html; charset=utf-8", headers: Vec::new(), body: body.as_bytes().to_vec() }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
