//! Research goes on in the background when the last process that worked on it ends; where nobody works on a task, it says so.
//!
//! Each test has a data directory of its own, and ends the keeper of it. Linux shows the processes that are looked at.
#![cfg(target_os = "linux")]

mod hosted;
mod pausing;
mod taking_over;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use sim::wait::{until, until_some};

use crate::crash::House;

/// The keeper of a data directory, if there is one. It is ended with the test.
pub(crate) struct Kept {
    data: PathBuf,
}

impl Kept {
    pub(crate) fn below(home: &Path) -> Self {
        Self { data: home.join("data") }
    }

    /// The process that holds the lock.
    pub(crate) fn pid(&self) -> Option<u32> {
        let path = self.data.join("keeper.lock");
        let file = File::open(&path).ok()?;
        if file.try_lock().is_ok() {
            return None;
        }
        std::fs::read_to_string(&path).ok()?.split_whitespace().nth(1)?.parse().ok()
    }

    fn there(&self) -> u32 {
        until_some("a keeper", || self.pid())
    }

    fn gone(&self) {
        until("the keeper leaves", || self.pid().is_none());
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.data.join("keeper.log")).unwrap_or_default()
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(pid) = self.pid().filter(|pid| is_keeper(*pid)) {
            signal(pid, Signal::KILL);
        }
    }
}

fn signal(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).unwrap();
    // It may have left by itself.
    let _ = kill_process(pid, signal);
}

fn is_keeper(pid: u32) -> bool {
    words(pid, "cmdline").iter().any(|word| word == "__keeper")
}

/// The words of a file of the process table that has a zero byte after each.
fn words(pid: u32, file: &str) -> Vec<String> {
    let bytes = std::fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
    bytes.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

/// hadal with a keeper.
fn command(house: &House) -> Command {
    let mut command = house.command();
    command.env("HADAL_BACKGROUND", "yes").env("HADAL_EVIDENCE", "off");
    command
}

/// A server that has the tasks of dead processes in hand.
fn server(house: &House, mut command: Command) -> Child {
    command.arg("serve").stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let child = command.spawn().unwrap();
    let owner = format!("{}-%", child.id());
    let database = house.database();
    until("the server has the tasks", || {
        let sql = "SELECT count(*) FROM research_tasks WHERE status IN ('pending', 'running') AND (owner IS NULL OR owner NOT LIKE ?1)";
        database.query_row(sql, [&owner], |row| row.get::<_, u32>(0)).unwrap() == 0
    });
    child
}

fn shown(mut command: Command, args: &[&str]) -> Value {
    let output = command.arg("--json").args(args).stderr(Stdio::null()).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{args:?}: {output:?}"))
}

fn status(house: &House, id: &str) -> Value {
    shown(house.command(), &["status", id])
}

/// What a task is at, without what it was at before.
fn word(status: &Value) -> &str {
    status["current_action"].as_str().unwrap().split(';').next().unwrap()
}

/// A task that ends when the test makes this file.
fn until_file(file: &Path) -> Value {
    let wait = "while [ ! -e \"$0\" ]; do sleep 0.05; done; echo there";
    let child = json!({"key": "a", "act": "child", "program": "/bin/sh", "args": ["-c", wait, file]});
    json!({"stages": [[child]]})
}

fn hour() -> Value {
    json!({"stages": [[{"key": "a", "act": "work", "ms": 3_600_000}]]})
}
