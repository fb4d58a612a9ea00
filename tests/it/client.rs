//! A small MCP client on the pipes of a real `hadal serve`. It waits for as long as the server lives.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, channel};

use serde_json::{Value, json};

/// The setting with which a call waits for its task however long that takes, so that a busy machine changes no reply.
pub(crate) const PATIENT: (&str, &str) = ("HADAL_CALL_WINDOW_SECONDS", "3600");

/// Whether a reply is as the list of tools says, and as the whole schema of the tool's replies says.
fn fault_in(tool: &str, reply: &Value) -> Option<String> {
    static LIST: LazyLock<Value> = LazyLock::new(|| {
        serde_json::from_str(include_str!("../../src/surface/mcp/tools_list.json")).expect("the list of tools")
    });
    static WHOLE: LazyLock<Value> = LazyLock::new(|| {
        serde_json::from_str(include_str!("../../docs/replies.json")).expect("the schemas of replies")
    });
    let mut tools = LIST["tools"].as_array().expect("tools").iter();
    let listed = tools.find(|listed| listed["name"] == tool).unwrap_or_else(|| panic!("no tool {tool}"));
    let whole = sim::schema::conforms(reply, &WHOLE[tool]);
    whole.and_then(|()| sim::schema::allows(reply, &listed["outputSchema"])).err()
}

pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    next_id: u64,
    /// Everything that came without being asked for, in order.
    pub(crate) notifications: Vec<Value>,
    modern: bool,
}

impl Client {
    /// Starts a server with its own home and does nothing else.
    pub(crate) fn spawn(home: &Path) -> Self {
        #[expect(clippy::disallowed_methods, reason = "the test starts the program as a client does")]
        let mut command = Command::new(env!("CARGO_BIN_EXE_hadal"));
        command
            .arg("serve")
            .env_clear()
            .env("HADAL_BACKGROUND", "no")
            .env("HADAL_WEB", "no")
            .env("HADAL_HOME", home)
            .env(PATIENT.0, PATIENT.1);
        command.current_dir(home).stderr(Stdio::inherit());
        Self::start(command)
    }

    /// Starts this server and does nothing else.
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("hadal starts");
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("a pipe");
        let (send, lines) = channel();
        // Ends with the child's stdout.
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        Self { child, stdin, lines, next_id: 0, notifications: Vec::new(), modern: false }
    }

    /// Makes a server of this command, with its stderr at the end of a file, and opens a session.
    pub(crate) fn serve(mut command: Command, log: &Path) -> Self {
        let log = File::options().create(true).append(true).open(log).expect("a log");
        command.arg("serve").stderr(log);
        let mut client = Self::start(command);
        client.open();
        client
    }

    /// Starts a server and opens a session in the way of the older revisions.
    pub(crate) fn connect(home: &Path) -> Self {
        let mut client = Self::spawn(home);
        client.open();
        client
    }

    /// Opens a session in the way of the older revisions.
    pub(crate) fn open(&mut self) {
        self.open_as("hadal-test", json!({}));
    }

    /// The same, as a client with this name that can do this.
    pub(crate) fn open_as(&mut self, name: &str, capabilities: Value) {
        let info = json!({"name": name, "version": "1"});
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": info});
        self.request("initialize", hello);
        self.notify("notifications/initialized", json!({}));
    }

    /// Starts a server and speaks the newest revision, in which every request stands alone.
    pub(crate) fn connect_modern(home: &Path) -> Self {
        let mut client = Self::spawn(home);
        client.modern = true;
        client
    }

    /// From now on every request stands alone, as in the newest revision.
    pub(crate) fn speak_modern(&mut self) {
        self.modern = true;
    }

    pub(crate) fn line(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("the pipe is open");
        stdin.write_all(line.as_bytes()).and_then(|()| stdin.write_all(b"\n")).expect("hadal reads");
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.line(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string());
    }

    /// Sends a request and returns its id without waiting.
    pub(crate) fn send(&mut self, method: &str, mut params: Value) -> u64 {
        self.next_id += 1;
        if self.modern {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
            params["_meta"]["io.modelcontextprotocol/clientInfo"] = json!({"name": "hadal-test", "version": "1"});
            if params["_meta"].get("io.modelcontextprotocol/clientCapabilities").is_none() {
                params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
            }
        }
        self.line(&json!({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params}).to_string());
        self.next_id
    }

    /// Waits for the answer to a request; what comes in between is kept.
    pub(crate) fn answer(&mut self, id: u64) -> Value {
        let kept = self.notifications.iter().position(|message| message["id"] == id);
        kept.map(|place| self.notifications.remove(place))
            .unwrap_or_else(|| self.hear(&format!("answer to {id}"), |message| message["id"] == id))
    }

    /// Waits for a message that is as wanted and was not heard before; what comes in between is kept.
    pub(crate) fn hear(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let line = sim::wait::message(what, &self.lines).unwrap_or_else(|| panic!("hadal ended: no {what}"));
            let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("not protocol: {line}"));
            if wanted(&message) {
                return message;
            }
            self.notifications.push(message);
        }
    }

    /// The result of a request that is no protocol error.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        let answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The structured content of a tool's reply, which its text repeats and its schema describes (AS-08).
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        let structured = result["structuredContent"].clone();
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().expect("text")).expect("JSON");
        assert_eq!(text, structured);
        assert_eq!(result["isError"], !structured["success"].as_bool().expect("success"));
        let fault = fault_in(tool, &structured);
        assert_eq!(fault, None, "the reply of {tool} is not as its schema says: {structured:#}");
        structured
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Closes the server's input.
    pub(crate) fn close(&mut self) {
        self.stdin = None;
    }

    /// Closes the server's input and waits for its end.
    pub(crate) fn end(mut self) {
        self.close();
        self.wait();
    }

    /// Waits for the end of the process.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        // The end of its stdout is the event to wait for; the exit follows at once.
        while sim::wait::message("the end of hadal", &self.lines).is_some() {}
        self.child.wait().expect("hadal is ours")
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _already_over = self.child.kill();
        let _reaped = self.child.wait();
    }
}
