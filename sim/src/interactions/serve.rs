//! Connections: what a request is for, what it does, and how its answer goes wrong.

use std::collections::HashMap;
use std::io::{self, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::fault::{self, Fault, HUGE, On};
use super::follow::Follower;
use super::frames;
use super::plan::Plan;
use super::record::{Life, Record, Shown};
use super::state::State;
use super::{Invoice, Received};
use crate::host::now_ms;
use crate::http::{Answer, Events, Request};

/// Stack of the thread of a connection in bytes. The default of 2 MiB is made for deeper calls than there are here.
const STACK: usize = 256 * 1024;

#[derive(Debug)]
pub(super) struct Shared {
    /// Nothing is accepted and every connection ends.
    pub(super) down: AtomicBool,
    state: Mutex<State>,
    /// Wakes answers that wait for their delay.
    woken: Condvar,
    connections: Mutex<HashMap<u64, Arc<TcpStream>>>,
    connected: AtomicU64,
}

impl Shared {
    pub(super) fn new(plan: Plan) -> Self {
        Self {
            down: AtomicBool::new(false),
            state: Mutex::new(State::new(plan)),
            woken: Condvar::new(),
            connections: Mutex::new(HashMap::new()),
            connected: AtomicU64::new(0),
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn connections(&self) -> MutexGuard<'_, HashMap<u64, Arc<TcpStream>>> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(test)]
    pub(super) fn open_connections(&self) -> usize {
        self.connections().len()
    }

    /// Closes every connection.
    pub(super) fn disconnect(&self) {
        for stream in self.connections().values() {
            let _already_closed = stream.shutdown(Shutdown::Both);
        }
        let state = self.state();
        state.wake_all();
        self.woken.notify_all();
    }

    pub(super) fn is_down(&self) -> bool {
        self.down.load(Ordering::SeqCst)
    }

    /// Waits in real time, unless the service goes down.
    fn pause(&self, ms: u64) {
        let until = Instant::now() + Duration::from_millis(ms);
        let mut state = self.state();
        while !self.is_down() {
            let Some(left) = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) else {
                return;
            };
            state = self.woken.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

pub(super) fn listen(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming().flatten() {
        if shared.is_down() {
            break;
        }
        let stream = Arc::new(stream);
        let number = shared.connected.fetch_add(1, Ordering::SeqCst);
        shared.connections().insert(number, Arc::clone(&stream));
        let serving = Arc::clone(shared);
        // The thread ends with its connection, which ends with the service at the latest.
        let spawned = std::thread::Builder::new().stack_size(STACK).spawn(move || {
            let _client_gone = converse(&stream, &serving);
            let _already_closed = stream.shutdown(Shutdown::Both);
            serving.connections().remove(&number);
        });
        if spawned.is_err() {
            shared.connections().remove(&number);
        }
    }
}

fn converse(stream: &TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    while let Some(request) = Request::read(&mut reader)? {
        if shared.is_down() {
            break;
        }
        let goes_on = match control(&request, shared) {
            Some(answer) => answer.send(stream).map(|()| true)?,
            None => Call::of(&request).handle(stream, shared)?,
        };
        if !goes_on || request.is_last() {
            break;
        }
    }
    Ok(())
}

/// Answers to whoever drives the simulation.
fn control(request: &Request, shared: &Shared) -> Option<Answer> {
    let done = || Answer::json(200, &json!({}));
    let refused = |problem: &str| Answer::json(400, &json!({"error": problem}));
    Some(match (request.method.as_str(), request.path.as_str()) {
        ("GET", "/_sim/requests") => {
            let requests: Vec<Received> = shared.state().requests.clone();
            Answer::json(200, &json!(requests))
        }
        ("GET", "/_sim/invoice") => {
            let invoice: Invoice = shared.state().invoice();
            Answer::json(200, &json!(invoice))
        }
        ("GET", "/_sim/now") => Answer::json(200, &json!(shared.state().clock.now())),
        ("POST", "/_sim/advance") => match request.parameter("seconds").and_then(|seconds| seconds.parse().ok()) {
            Some(seconds) => {
                shared.state().advance(seconds);
                done()
            }
            None => refused("`seconds` is missing"),
        },
        ("POST", "/_sim/plan") => match serde_json::from_slice(&request.body) {
            Ok(plan) => {
                shared.state().set_plan(plan);
                done()
            }
            Err(problem) => refused(&problem.to_string()),
        },
        _ => return None,
    })
}

/// A request to the service itself.
struct Call<'a> {
    request: &'a Request,
    on: On,
    id: Option<&'a str>,
    body: Value,
    streams: bool,
}

/// What a request is answered with.
enum Reply {
    Whole(Answer),
    Stream { record: Arc<Record>, from: usize },
}

impl From<(u16, Value)> for Reply {
    fn from((status, body): (u16, Value)) -> Self {
        Self::Whole(Answer::json(status, &body))
    }
}

impl<'a> Call<'a> {
    fn of(request: &'a Request) -> Self {
        let rest = ["/v1/interactions", "/v1beta/interactions"].iter().find_map(|base| request.path.strip_prefix(base));
        let parts: Vec<&str> = rest.map_or_else(|| vec!["?"], |rest| rest.split('/').collect());
        let streams = request.parameter("stream").is_some_and(|value| value == "true");
        let (on, id) = match (request.method.as_str(), parts.as_slice()) {
            ("POST", [""]) => (On::Create, None),
            ("GET", ["", id]) if streams => (On::Stream, Some(*id)),
            ("GET", ["", id]) => (On::Get, Some(*id)),
            ("DELETE", ["", id]) => (On::Delete, Some(*id)),
            ("POST", ["", id, "cancel"]) => (On::Cancel, Some(*id)),
            _ => (On::Any, None),
        };
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let streams = on == On::Stream || (on == On::Create && body["stream"] == true);
        Self { request, on, id, body, streams }
    }

    /// `false` closes the connection.
    fn handle(&self, stream: &TcpStream, shared: &Shared) -> io::Result<bool> {
        let (number, met) = self.admit(shared);
        let (fault, mut delay) = match met {
            Ok(met) => met,
            Err(refusal) => return refusal.send(stream).map(|()| true),
        };
        delay += shared.state().plan.reply_delay_ms;
        if fault == Some(Fault::Drop) {
            return Ok(false);
        }
        let (reply, fault) = match (fault, fault.and_then(Fault::instead)) {
            (_, Some(answer)) => (Reply::Whole(answer), None),
            (Some(Fault::TellsKey { status }), None) => {
                let key = self.request.header("x-goog-api-key").unwrap_or_default();
                (Reply::Whole(fault::telling(status, key)), None)
            }
            (_, None) => self.act(shared, fault),
        };
        if let Some(fault) = fault {
            shared.state().requests[number].fault = Some(fault);
        }
        if let Some(Fault::Delay { ms }) = fault {
            delay += ms;
        }
        if delay > 0 {
            shared.pause(delay);
        }
        match reply {
            Reply::Whole(answer) => send(stream, answer, fault),
            Reply::Stream { record, from } => match fault {
                Some(Fault::LostReply) => Ok(false),
                _ => Follower { shared, stream, record: &record, fault }.follow(from),
            },
        }
    }

    /// Logs a request under a number and looks up what goes wrong with it; the error is that of the front end.
    fn admit(&self, shared: &Shared) -> (usize, Result<(Option<Fault>, u64), Answer>) {
        let Request { method, path, query, .. } = self.request;
        let key = self.request.header("x-goog-api-key").map(str::to_owned).or_else(|| self.request.parameter("key"));
        let mut state = shared.state();
        let known = state.plan.keys.as_ref().is_none_or(|keys| key.as_ref().is_some_and(|key| keys.contains(key)));
        let limited = Fault::RateLimited { retry_after: Some(1), retry_delay: Some(1), per_day: false };
        let (fault, verdict) = if !state.is_allowed() {
            (Some(limited), limited.instead().map_or(Ok((None, 0)), Err))
        } else if !known && key.is_none() {
            (None, Err(Answer::json(403, &fault::by_front_end(403, &json!([])))))
        } else if !known {
            (None, Err(fault::bad_key()))
        } else {
            let (fault, delay) = state.meet(self.on, self.streams, self.id, &self.body);
            (fault.or((delay > 0).then_some(Fault::Delay { ms: delay })), Ok((fault, delay)))
        };
        let path = if query.is_empty() { path.clone() } else { format!("{path}?{query}") };
        let (at, method, body) = (state.clock.now(), method.clone(), self.body.clone());
        state.requests.push(Received { at_ms: now_ms(), at, method, path, verb: self.on, key, body, fault });
        (state.requests.len() - 1, verdict)
    }

    /// Does what is asked. The fault may become that of the answer of a model. The lock is not held while an answer is
    /// written down, which can take a while with an image in it.
    fn act(&self, shared: &Shared, fault: Option<Fault>) -> (Reply, Option<Fault>) {
        if self.on == On::Create {
            return self.create(shared, fault);
        }
        if self.request.parameter("fields").is_some() {
            return (refusal("Field masks are not supported."), fault);
        }
        let mut state = shared.state();
        let now = state.clock.now();
        let Some(life) = self.id.and_then(|id| state.life(id)) else {
            return ((404, fault::by_service(404)).into(), fault);
        };
        match self.on {
            On::Cancel if life.is_over(now) => {
                let message = format!("Cannot cancel interaction in status {}.", life.status(now));
                return (refusal(&message), fault);
            }
            On::Cancel => life.cancel(now, fault),
            On::Delete => life.deleted = true,
            On::Get | On::Stream | On::Create | On::Any => {}
        }
        life.record.changed.notify_all();
        let life = life.clone();
        drop(state);
        let reply = match self.on {
            On::Stream => self.stream(&life),
            On::Cancel => (200, life.resource(now, Shown::Cancel)).into(),
            On::Delete => (200, json!({})).into(),
            On::Get | On::Create | On::Any => {
                let input = self.request.parameter("include_input").is_some_and(|value| value == "true");
                (200, life.resource(now, Shown::Get { input })).into()
            }
        };
        (reply, fault)
    }

    fn create(&self, shared: &Shared, fault: Option<Fault>) -> (Reply, Option<Fault>) {
        let mut state = shared.state();
        let (name, started) = match state.start(&self.body) {
            Ok(started) => started,
            Err(refusal) => return ((refusal.status, refusal.body()).into(), fault),
        };
        let fault = started.fault.or(fault);
        if let Some(answer) = started.fault.and_then(Fault::instead) {
            return (Reply::Whole(answer), fault);
        }
        if started.fault == Some(Fault::Drop) {
            // Nothing is accepted, and the answer is lost.
            return ((500, Value::Null).into(), fault);
        }
        let life = state.accept(name, started, &self.body);
        let now = state.clock.now();
        drop(state);
        if self.streams {
            return (Reply::Stream { record: life.record, from: 0 }, fault);
        }
        ((200, life.resource(now, Shown::Create)).into(), fault)
    }

    fn stream(&self, life: &Life) -> Reply {
        let record = Arc::clone(&life.record);
        let Some(last) = self.request.parameter("last_event_id") else { return Reply::Stream { record, from: 0 } };
        match frames::after(&frames::frames(&record), &last) {
            Some(from) => Reply::Stream { record, from },
            None => refusal(&format!("Event '{last}' was not found.")),
        }
    }
}

fn refusal(message: &str) -> Reply {
    (400, json!({"error": {"message": message, "code": "invalid_request"}})).into()
}

/// Sends a whole answer, or what a fault makes of it.
fn send(mut stream: &TcpStream, answer: Answer, fault: Option<Fault>) -> io::Result<bool> {
    match fault {
        Some(Fault::LostReply | Fault::Drop) => Ok(false),
        Some(Fault::NotJson) => {
            let body = b"upstream said: OK (this is no JSON)".to_vec();
            Answer { body, ..answer }.send(stream).map(|()| true)
        }
        Some(Fault::HalfBody) => {
            let bytes = answer.bytes();
            stream.write_all(bytes.get(..bytes.len() - answer.body.len() / 2).unwrap_or_default())?;
            Ok(false)
        }
        Some(Fault::Cancel500ButCancelled | Fault::Create500ButCreated) if answer.status == 200 => {
            Answer::json(500, &fault::by_front_end(500, &json!([]))).send(stream).map(|()| true)
        }
        Some(Fault::Huge) => {
            let mut text = String::from_utf8_lossy(&answer.body).into_owned();
            let _the_closing_brace = text.pop();
            let mut body = Events::open(stream, answer.content_type)?;
            body.text(&text)?;
            body.text(",\"padding\":\"")?;
            let padding = "x".repeat(64 * 1024);
            for _ in 0..HUGE / padding.len() {
                body.text(&padding)?;
            }
            body.text("\"}")?;
            body.end().map(|()| true)
        }
        _ => answer.send(stream).map(|()| true),
    }
}
