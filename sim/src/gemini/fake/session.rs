//! The session file that the CLI keeps in its home. It is the only place where the addresses of sources stand.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::super::scenario::{ToolCall, Usage};
use super::output::stamp;
use crate::host::env;

#[derive(Debug)]
pub(super) struct Session {
    path: PathBuf,
    model: String,
    messages: u32,
}

impl Session {
    /// Begins the file of a run; `None` when there is no home to write to.
    pub(super) fn begin(id: &str, model: &str, prompt: &str) -> Option<Self> {
        let home = env("GEMINI_CLI_HOME").or_else(|| env("HOME"))?;
        let cwd = std::env::current_dir().ok()?;
        let project = Path::new(&home).join(".gemini/tmp").join(slug(&cwd));
        fs::create_dir_all(project.join("chats")).ok()?;
        fs::write(project.join(".project_root"), cwd.as_os_str().as_encoded_bytes()).ok()?;
        let (now, short) = (stamp(), id.chars().take(8).collect::<String>());
        let minute = now.chars().take(16).collect::<String>().replace(':', "-");
        let path = project.join(format!("chats/session-{minute}-{short}.jsonl"));
        let mut session = Self { path, model: model.to_owned(), messages: 0 };
        let head = json!({"sessionId": id, "projectHash": "0".repeat(64), "startTime": now, "lastUpdated": now, "kind": "main"});
        let context = json!([{"id": "context", "timestamp": now, "type": "user",
            "content": [{"text": "<session_context>\nThis is the Gemini CLI.\n</session_context>"}]}]);
        session.append(&head).ok()?;
        session.append(&json!({"$set": {"messages": context, "lastUpdated": now}})).ok()?;
        let id = session.next_id();
        session.append(&json!({"id": id, "timestamp": now, "type": "user", "content": [{"text": prompt}]})).ok()?;
        Some(session)
    }

    /// A turn of the model. Like the real file, it has a turn with tools twice: before and after they ran.
    pub(super) fn turn(&mut self, text: &str, usage: Usage, calls: &[(String, &ToolCall)]) -> io::Result<()> {
        let Usage { input, output, cached } = usage;
        let tokens = json!({"input": input, "output": output, "cached": cached, "thoughts": 0, "tool": 0, "total": input + output});
        let mut message = json!({"id": self.next_id(), "timestamp": stamp(), "type": "gemini", "content": text,
            "thoughts": [], "tokens": tokens, "model": self.model});
        self.append(&message)?;
        if !calls.is_empty() {
            message["toolCalls"] = calls.iter().map(|(id, call)| record(id, call)).collect();
            self.append(&message)?;
            let results: Vec<_> = calls.iter().map(|(id, call)| response(id, call)).collect();
            let id = self.next_id();
            self.append(&json!({"id": id, "timestamp": stamp(), "type": "user", "content": results}))?;
        }
        self.append(&json!({"$set": {"lastUpdated": stamp()}}))
    }

    fn next_id(&mut self) -> String {
        self.messages += 1;
        format!("{:08x}-{:04x}", std::process::id(), self.messages)
    }

    fn append(&self, line: &Value) -> io::Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(&self.path)?;
        file.write_all(format!("{line}\n").as_bytes())
    }
}

/// The name of a project: that of its directory in small letters.
fn slug(cwd: &Path) -> String {
    let name = cwd.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let name: String = name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
    let name = name.trim_matches('-');
    if name.is_empty() { "project".to_owned() } else { name.to_owned() }
}

fn record(id: &str, call: &ToolCall) -> Value {
    let (status, display) = match &call.error {
        Some(_) => ("error", "Error".to_owned()),
        None => ("success", call.shown()),
    };
    let title = match call.name.as_str() {
        "google_web_search" => "GoogleSearch",
        "web_fetch" => "WebFetch",
        "read_file" => "ReadFile",
        other => other,
    };
    json!({"id": id, "name": call.name, "args": call.args, "result": [response(id, call)], "status": status,
        "timestamp": stamp(), "resultDisplay": display, "displayName": title, "renderOutputAsMarkdown": true})
}

fn response(id: &str, call: &ToolCall) -> Value {
    let answer = match &call.error {
        Some(message) => json!({"error": message}),
        None => json!({"output": call.output()}),
    };
    json!({"functionResponse": {"id": id, "name": call.name, "response": answer}})
}

impl ToolCall {
    /// What stdout says of a call that went well.
    pub(super) fn shown(&self) -> String {
        match self.name.as_str() {
            "google_web_search" => format!("Search results for {} returned.", self.args["query"]),
            "web_fetch" => "Content processed from prompt.".to_owned(),
            _ => self.text.clone(),
        }
    }

    /// What the model gets to read.
    fn output(&self) -> String {
        let sources = self.sources.iter().enumerate();
        let list: Vec<_> =
            sources.map(|(n, source)| format!("[{}] {} ({})", n + 1, source.title, source.uri)).collect();
        let list = if list.is_empty() { String::new() } else { format!("\n\nSources:\n{}", list.join("\n")) };
        match self.name.as_str() {
            "google_web_search" => format!("Web search results for {}:\n\n{}{list}", self.args["query"], self.text),
            "web_fetch" => format!("<untrusted_context>\n{}{list}\n</untrusted_context>", self.text),
            _ => self.text.clone(),
        }
    }
}
