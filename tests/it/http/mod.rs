//! The MCP server over HTTP: the real program, asked over real sockets.

mod attacks;
mod guests;
mod messages;
mod pages;
mod principals;
mod stopping;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A server with its own home.
struct Server {
    child: Child,
    address: SocketAddr,
    home: TempDir,
}

/// What came back: the status, the head in lower case, and the body.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    /// The message in the body, which is JSON or a stream of events.
    fn message(&self) -> Value {
        let mut data = self.body.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim);
        let last = data.rfind(|data| !data.is_empty());
        serde_json::from_str(last.unwrap_or(&self.body)).unwrap_or_else(|_| panic!("{} {}", self.status, self.body))
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    fn code(&self) -> String {
        self.message()["error"]["data"]["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

fn command(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hadal"));
    command.env_clear().env("HADAL_BACKGROUND", "no").env("HADAL_WEB", "no").env("HADAL_HOME", home).current_dir(home);
    command
}

impl Server {
    fn start(home: TempDir, address: &str, variables: &[(&str, &str)]) -> Self {
        let mut command = command(home.path());
        command.args(["serve", "--http", address]).envs(variables.iter().copied());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("MCP is served on http://") {
            line.clear();
            assert!(said.read_line(&mut line).unwrap() > 0, "the server has ended");
        }
        // What else it says must not fill the pipe.
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        let rest = line.split("http://").nth(1).unwrap();
        let port: u16 = rest.split("/mcp").next().unwrap().rsplit(':').next().unwrap().parse().unwrap();
        Self { child, address: SocketAddr::from(([127, 0, 0, 1], port)), home }
    }

    fn local() -> Self {
        Self::start(tempfile::tempdir().unwrap(), "127.0.0.1:0", &[])
    }

    fn path(&self, below: &str) -> PathBuf {
        self.home.path().join(below)
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).unwrap()
    }

    /// A request as it is written, and all that comes back until the server closes.
    fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        // A server that has read enough closes; that is its right.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        parsed(&bytes)
    }

    fn request(&self, method: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let has_host = headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host"));
        let host = if has_host { String::new() } else { format!("Host: {}\r\n", self.address) };
        let rows: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let head = format!(
            "{method} /mcp HTTP/1.1\r\n{host}Connection: close\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\n{rows}Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.raw(head.as_bytes())
    }

    fn post(&self, headers: &[(&str, &str)], message: &Value) -> Answer {
        self.request("POST", headers, &message.to_string())
    }

    /// A call in the way of the newest revision, which has no sessions.
    fn call(&self, token: Option<&str>, tool: &str, arguments: Value) -> Value {
        let bearer = token.map(|token| format!("Bearer {token}"));
        let mut headers = vec![("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/call"), ("Mcp-Name", tool)];
        headers.extend(bearer.as_deref().map(|bearer| ("Authorization", bearer)));
        let answer = self.post(&headers, &modern("tools/call", json!({"name": tool, "arguments": arguments})));
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.message()["result"]["structuredContent"].clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const MODERN: &str = "2026-07-28";

fn modern(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

fn initialize() -> Value {
    let info = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info});
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
}

/// An answer out of what came over the wire.
fn parsed(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
    let (head, body) = bytes.split_at(end.map_or(bytes.len(), |end| end + 4));
    let head = String::from_utf8_lossy(head).to_lowercase().replace('\r', "");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let body = if head.contains("transfer-encoding: chunked") { unchunked(body) } else { body.to_vec() };
    Answer { status, head, body: String::from_utf8_lossy(&body).into_owned() }
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|window| window == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap().trim(), 16).unwrap();
        let start = end + 2;
        body.extend_from_slice(&rest[start..(start + size).min(rest.len())]);
        rest = rest.get(start + size + 2..).unwrap_or_default();
    }
    body
}

/// MC-01: one endpoint answers both eras, with the tools of stdio.
#[test]
fn mc_01_both_eras_are_answered_over_http() {
    let server = Server::local();
    let tools = |message: &Value| message["result"]["tools"].as_array().map(Vec::len);
    let headers = [("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/list")];
    let modern = server.post(&headers, &modern("tools/list", json!({})));
    assert_eq!((modern.status, modern.header("mcp-session-id")), (200, None), "{}", modern.body);
    let opened = server.post(&[], &initialize());
    let session = opened.header("mcp-session-id").unwrap_or_else(|| panic!("{}", opened.head)).to_owned();
    let headers = [("Mcp-Session-Id", session.as_str()), ("MCP-Protocol-Version", "2025-06-18")];
    let told = server.post(&headers, &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    assert_eq!(told.status, 202, "{}", told.body);
    let legacy = server.post(&headers, &json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}));
    assert_eq!(tools(&legacy.message()), tools(&modern.message()));
    assert!(tools(&legacy.message()).unwrap() > 10);
    assert_eq!(server.request("DELETE", &headers, "").status / 100, 2);
    assert_eq!(server.post(&headers, &json!({"jsonrpc": "2.0", "id": 3, "method": "tools/list"})).status, 404);
}

/// MC-01, JB-01: research over HTTP is a task like any other; another process finds it.
#[test]
fn mc_01_research_over_http_is_found_by_others() {
    let server = Server::local();
    std::fs::create_dir(server.path("notes")).unwrap();
    std::fs::write(server.path("notes/sea.md"), "# Sea\n\nThe hadal zone begins at 6,000 metres.\n").unwrap();
    let asked =
        json!({"query": "where does the hadal zone begin?", "engine": "extractive", "library": [server.path("notes")]});
    let reply = server.call(None, "deep_research", asked);
    assert_eq!(reply["status"], "completed", "{reply:#}");
    let id = reply["task_id"].as_str().unwrap();
    let output = command(server.home.path()).args(["results", id]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("6,000 metres"), "{output:?}");
}

/// The event stream of a new session.
fn listening(server: &Server) -> TcpStream {
    let opened = server.post(&[], &initialize());
    let session = opened.header("mcp-session-id").unwrap();
    let mut stream = server.connect();
    let head = format!(
        "GET /mcp HTTP/1.1\r\nHost: {}\r\nAccept: text/event-stream\r\nMcp-Session-Id: {session}\r\n\r\n",
        server.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

/// MC-01: a signal ends the server in order, also while streams are open.
#[test]
fn mc_01_a_signal_ends_the_server_over_http() {
    let mut server = Server::local();
    let mut stream = listening(&server);
    let mut byte = [0];
    stream.read_exact(&mut byte).unwrap();
    let pid = rustix::process::Pid::from_raw(i32::try_from(server.child.id()).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    assert!(server.child.wait().unwrap().success());
}
