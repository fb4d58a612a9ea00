//! A plain client over sockets; nothing of the service is reached past its port. The clock stands still unless a test moves it.

mod control;
mod creates;
mod faults;
mod runs;
mod streams;

use std::io::{BufRead, BufReader, Read, Write};
use std::time::Duration;

use serde_json::json;

use super::*;

const AGENT: &str = "deep-research-preview-04-2026";

/// A plan whose clock only moves by hand.
fn still(run: Run) -> Plan {
    Plan { speed: 0.0, run, ..Plan::default() }
}

fn with_fault(rule: FaultRule) -> Service {
    Service::start(Plan { faults: vec![rule], ..still(Run::default()) }).unwrap()
}

/// An answer as far as it came.
#[derive(Debug)]
struct Got {
    /// 0 when nothing came.
    status: u16,
    head: String,
    text: String,
    /// Whether the body was whole.
    whole: bool,
}

impl Got {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|problem| panic!("{problem}: {}", self.text))
    }

    fn message(&self) -> String {
        self.json()["error"]["message"].as_str().unwrap().to_owned()
    }
}

/// A connection that can be used again and again.
struct Client(BufReader<TcpStream>);

impl Client {
    fn new(service: &Service) -> Self {
        let stream = TcpStream::connect(service.address()).unwrap();
        // No test waits for ever, whatever goes wrong.
        stream.set_read_timeout(Some(crate::wait::SAFETY_NET)).unwrap();
        Self(BufReader::new(stream))
    }

    fn send(&mut self, method: &str, path: &str, body: &str) {
        let head =
            format!("{method} {path} HTTP/1.1\r\nhost: sim\r\nx-goog-api-key: k\r\ncontent-length: {}", body.len());
        self.0.get_mut().write_all(format!("{head}\r\n\r\n{body}").as_bytes()).unwrap();
    }

    fn head(&mut self) -> String {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if self.0.read_line(&mut head).unwrap_or(0) == 0 {
                break;
            }
        }
        head
    }

    /// The next chunk; `None` at the end, and an error when the connection is closed before it.
    fn chunk(&mut self) -> io::Result<Option<String>> {
        let mut size = String::new();
        self.0.read_line(&mut size)?;
        let size = usize::from_str_radix(size.trim(), 16).map_err(io::Error::other)?;
        let mut bytes = vec![0; size + 2];
        self.0.read_exact(&mut bytes)?;
        bytes.truncate(size);
        Ok((size > 0).then(|| String::from_utf8(bytes).unwrap()))
    }

    fn receive(&mut self) -> Got {
        let head = self.head();
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        let (mut text, mut whole) = (String::new(), false);
        if head.contains("transfer-encoding: chunked") {
            loop {
                match self.chunk() {
                    Ok(Some(chunk)) => text.push_str(&chunk),
                    end => break whole = end.is_ok(),
                }
            }
        } else if let Some((_, length)) = head.split_once("content-length: ") {
            let length: usize = length.split("\r\n").next().unwrap().parse().unwrap();
            self.0.by_ref().take(length as u64).read_to_string(&mut text).unwrap();
            whole = text.len() == length;
        }
        Got { status, head, text, whole }
    }

    fn call(&mut self, method: &str, path: &str, body: &str) -> Got {
        self.send(method, path, body);
        self.receive()
    }

    /// Opens a stream, of which the head is read.
    fn open(&mut self, path: &str) {
        self.send("GET", path, "");
        assert!(self.head().contains("text/event-stream"));
    }

    /// Whether nothing comes, neither an event nor the end, for longer than a stream waits before it looks around.
    fn is_silent(&mut self) -> bool {
        let stream = self.0.get_ref();
        let before = stream.read_timeout().unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(120))).unwrap();
        let read = self.0.fill_buf().map(<[u8]>::len);
        self.0.get_ref().set_read_timeout(before).unwrap();
        read.is_err_and(|problem| matches!(problem.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut))
    }

    /// The name and the data of the next event.
    fn event(&mut self) -> (String, Value) {
        event(&self.chunk().unwrap().unwrap())
    }
}

fn event(frame: &str) -> (String, Value) {
    let (name, data) = frame.trim_end().split_once('\n').unwrap();
    let data = data.strip_prefix("data: ").unwrap();
    (name.strip_prefix("event: ").unwrap().to_owned(), serde_json::from_str(data).unwrap_or(json!(data)))
}

/// The events of a stream that was read to its end.
fn events(got: &Got) -> Vec<(String, Value)> {
    got.text.split_terminator("\n\n").map(event).collect()
}

/// A request over a connection of its own.
fn call(service: &Service, method: &str, path: &str, body: &Value) -> Got {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    Client::new(service).call(method, path, &body)
}

fn asked(input: &str) -> Value {
    json!({"agent": AGENT, "background": true, "input": input, "agent_config": {"type": "deep-research", "thinking_summaries": "auto"}})
}

fn create(service: &Service, body: &Value) -> Got {
    call(service, "POST", "/v1beta/interactions", body)
}

/// The id of a new run.
fn created(service: &Service, input: &str) -> String {
    create(service, &asked(input)).json()["id"].as_str().unwrap().to_owned()
}

fn get(service: &Service, id: &str) -> Got {
    call(service, "GET", &format!("/v1beta/interactions/{id}"), &Value::Null)
}

fn follow(service: &Service, id: &str) -> Got {
    call(service, "GET", &format!("/v1beta/interactions/{id}?stream=true"), &Value::Null)
}

fn cancel(service: &Service, id: &str) -> Got {
    call(service, "POST", &format!("/v1beta/interactions/{id}/cancel"), &Value::Null)
}

fn delete(service: &Service, id: &str) -> Got {
    call(service, "DELETE", &format!("/v1beta/interactions/{id}"), &Value::Null)
}

/// How many steps of a type a resource has.
fn count(resource: &Value, kind: &str) -> usize {
    resource["steps"].as_array().unwrap().iter().filter(|step| step["type"] == kind).count()
}

/// The text of all outputs.
fn report(resource: &Value) -> String {
    let outputs = resource["steps"].as_array().unwrap().iter().filter(|step| step["type"] == "model_output");
    outputs
        .flat_map(|step| step["content"].as_array().unwrap())
        .filter_map(|content| content["text"].as_str())
        .collect()
}
