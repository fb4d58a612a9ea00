//! One MCP server over stdio, driven by hand: started, greeted, asked for its tools, stopped.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A server that has not answered by then is broken.
const PATIENCE: Duration = Duration::from_secs(20);

/// From the end of its stdin to the kill.
const GRACE: Duration = Duration::from_secs(3);

/// A program that speaks MCP on stdin and stdout.
#[derive(Debug)]
pub(crate) struct Program<'a> {
    pub(crate) name: &'a str,
    pub(crate) path: &'a Path,
    pub(crate) args: &'a [&'a str],
    /// Its `HADAL_HOME`.
    pub(crate) home: &'a Path,
}

/// A running server. Dropping it ends it.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    started: Instant,
}

impl Server {
    pub(crate) fn start(program: &Program<'_>) -> Result<Self, String> {
        Self::start_with(program, &[])
    }

    /// Starts it with more variables than its home.
    pub(crate) fn start_with(program: &Program<'_>, env: &[(&str, &str)]) -> Result<Self, String> {
        let started = Instant::now();
        let mut child = Command::new(program.path)
            .args(program.args)
            .env("HADAL_HOME", program.home)
            .env("HADAL_BACKGROUND", "no")
            .envs(env.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot start {}: {error}", program.path.display()))?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().ok_or("the server has no stdout")?;
        let (sender, lines) = channel();
        // Ends with the server's stdout, which ends with the server.
        std::thread::spawn(move || {
            let read = BufReader::new(stdout).lines().map_while(Result::ok);
            read.for_each(|line| drop(sender.send(line)));
        });
        Ok(Self { child, stdin, lines, started })
    }

    /// `initialize` answered, then `tools/list` answered: milliseconds from the start to each.
    pub(crate) fn greet(&mut self) -> Result<[f64; 2], String> {
        let client = json!({ "name": "bench", "version": "0" });
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
        self.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello }))?;
        self.answer(1)?;
        let greeted = self.started.elapsed();
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        self.send(&json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }))?;
        let tools = self.answer(2)?;
        let listed = self.started.elapsed();
        if tools.pointer("/result/tools").and_then(Value::as_array).is_none_or(Vec::is_empty) {
            return Err(format!("`tools/list` names no tool: {tools}"));
        }
        Ok([greeted, listed].map(|time| time.as_secs_f64() * 1e3))
    }

    /// Calls a tool and returns its reply, which must be a success.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value, String> {
        let call = json!({ "name": tool, "arguments": arguments });
        self.send(&json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": call }))?;
        let answer = self.answer(3)?;
        let reply = answer.pointer("/result/structuredContent").cloned().unwrap_or_default();
        if reply["success"] == true { Ok(reply) } else { Err(format!("`{tool}` failed: {answer}")) }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Ends it as a crash does: SIGKILL, without a word.
    pub(crate) fn kill(&mut self) -> Result<(), String> {
        self.child.kill().map_err(|error| format!("the server cannot be killed: {error}"))
    }

    fn send(&mut self, message: &Value) -> Result<(), String> {
        let stdin = self.stdin.as_mut().ok_or("stdin is closed")?;
        stdin.write_all(format!("{message}\n").as_bytes()).map_err(|error| format!("the server took no input: {error}"))
    }

    fn answer(&self, id: u64) -> Result<Value, String> {
        loop {
            let line =
                self.lines.recv_timeout(PATIENCE).map_err(|error| format!("no answer to request {id}: {error}"))?;
            let message: Value = serde_json::from_str(&line).map_err(|error| format!("not JSON: {error}: {line}"))?;
            match message.get("id").and_then(Value::as_u64) {
                Some(seen) if seen == id && message.get("result").is_some() => return Ok(message),
                Some(seen) if seen == id => return Err(format!("request {id} was refused: {line}")),
                _ => {}
            }
        }
    }

    /// CPU time so far, in milliseconds, over the threads that live (Linux only; the figure in `stat` has a grain of
    /// 10 ms).
    pub(crate) fn cpu_ms(&self) -> Option<f64> {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).ok()?;
        let mut nanos = 0.0;
        for thread in threads {
            let text = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
            nanos += text.split_whitespace().next()?.parse::<f64>().ok()?;
        }
        Some(nanos / 1e6)
    }

    /// Resident memory in MB (Linux only).
    pub(crate) fn rss_mb(&self) -> Option<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kib: f64 = line.split_whitespace().next()?.parse().ok()?;
        Some(kib * 1024.0 / 1e6)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The polite end first, so that the next start does not find the remains of a crash.
        drop(self.stdin.take());
        while self.lines.recv_timeout(GRACE).is_ok() {}
        // It has gone already, or it has to.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
