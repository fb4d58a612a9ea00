//! A signal ends the command, not the task. Needs the engine.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::cli::Home;

struct Running {
    child: Child,
    stderr: Receiver<String>,
}

impl Running {
    fn start(home: &Home, args: &[&str]) -> Self {
        let mut command = home.command();
        command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let (send, stderr) = channel();
        // Ends with the child's stderr.
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| send.send(line)));
        Self { child, stderr }
    }

    /// The first line with these words.
    fn line(&self, words: &str) -> String {
        loop {
            let line = sim::wait::message(words, &self.stderr).unwrap_or_else(|| panic!("no line says {words:?}"));
            if line.contains(words) {
                return line;
            }
        }
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    fn exit_status(mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

/// JB-01: Ctrl-C and SIGTERM end the command within two seconds, say how to go on, and the task goes on when asked.
#[test]
fn an_interrupted_task_is_kept() {
    let home = Home::new();
    let script = home.0.path().join("slow.json");
    let hour = json!({"stages": [[{"key": "a", "act": "work", "ms": 3_600_000}]]});
    std::fs::write(&script, hour.to_string()).unwrap();
    let run = Running::start(&home, &["scripted", script.to_str().unwrap()]);
    let started = run.line("Task ");
    let id = started.split_whitespace().nth(2).unwrap().to_owned();
    run.signal(Signal::INT);
    run.line("error[SHUTTING_DOWN]: interrupted");
    assert_eq!(run.exit_status(), Some(130));

    let wait = Running::start(&home, &["results", "--wait", &id]);
    wait.line("Waiting for task");
    wait.signal(Signal::TERM);
    wait.line(&format!("the task `{id}` is paused"));
    wait.line(&format!("hint: go on with `hadal results --wait {id}`"));
    assert_eq!(wait.exit_status(), Some(130));

    assert_eq!(home.run(&["status", "--json", &id]).json()["status"], "running_async");
    assert_eq!(home.run(&["results", "--json", &id]).code(), "RESEARCH_NOT_COMPLETED");
    assert_eq!(home.run(&["save", "--json", &id]).code(), "RESEARCH_NOT_COMPLETED");
    assert_eq!(home.run(&["cancel", "--json", &id]).json()["status"], "cancelled");
    assert_eq!(home.run(&["cancel", "--json", &id]).code(), "RESEARCH_ALREADY_CANCELLED");
}

/// HR-11: a finished task becomes a file, and a second one beside it.
#[test]
fn a_report_is_saved_once_more_each_time() {
    let home = Home::new();
    let script = home.0.path().join("quick.json");
    let quick = json!({"stages": [[{"key": "a", "act": "work", "ms": 1}]]});
    std::fs::write(&script, quick.to_string()).unwrap();
    let done = home.run(&["scripted", script.to_str().unwrap()]);
    let (id, status) = done.stdout.trim().split_once(' ').unwrap();
    assert_eq!((done.status, status), (0, "completed"), "{}", done.stderr);
    let save = || home.run(&["save", "--json", id, "--prefix", "deep"]).json();
    let (first, second) = (save(), save());
    assert_ne!(first["file_path"], second["file_path"]);
    let text = std::fs::read_to_string(first["file_path"].as_str().unwrap()).unwrap();
    assert!(text.starts_with("---\n") && text.contains(id) && text.contains("a=done"), "{text}");
    assert!(first["filename"].as_str().unwrap().starts_with(&format!("deep_{id}_")), "{first}");
    let named = home.run(&["save", id, "--output-dir", "else where", "--no-metadata"]);
    let path = named.stdout.trim();
    assert!(path.contains("/else where/"), "{path}");
    assert!(std::fs::read_to_string(path).unwrap().starts_with("a=done"));
}
