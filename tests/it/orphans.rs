//! What is left of a task's child processes when the task, or hadal itself, is ended: nothing. Linux shows the table of
//! processes that this looks at.
#![cfg(target_os = "linux")]

use std::path::PathBuf;
use std::process::{Child, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use sim::wait::until;

use crate::cli::Home;
use crate::keeper::Kept;

/// A child with a child of its own, and with three that have left its session, two of them by two steps. All are deaf to polite
/// signals and wait at a pipe that nobody writes to. Each has the family's name in its command line.
const FAMILY: &str = r#"
    trap "" TERM INT HUP
    sh -c 'read -r never < "$0.pipe"' "$1" &
    setsid sh -c 'read -r never < "$0.pipe"' "$1" &
    (setsid sh -c '(read -r never < "$0.pipe") & touch "$0.ready"; read -r never < "$0.pipe"' "$1" &)
    read -r never < "$1.pipe"
"#;

/// A hadal that runs one task with the whole family.
struct House {
    home: Home,
    hadal: Child,
    /// Stands in the command line of each process of the family.
    name: String,
}

impl House {
    fn new() -> Self {
        let house = Self::with(&["scripted"]);
        assert_eq!(house.wardens().len(), 1);
        house
    }

    /// A hadal with these words in its command line.
    fn with(words: &[&str]) -> Self {
        let home = Home::new();
        let name = home.0.path().join("family").display().to_string();
        let args = ["-c", FAMILY, &name, &name];
        let child = json!({"key": "c", "act": "child", "program": "/bin/sh", "args": args});
        let pipe = format!("{name}.pipe");
        rustix::fs::mknodat(rustix::fs::CWD, pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        let script = home.0.path().join("script.json");
        std::fs::write(&script, json!({"stages": [[child]]}).to_string()).unwrap();
        let mut command = home.command();
        command
            .env("HADAL_BACKGROUND", "yes")
            .args(words)
            .arg(script)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let house = Self { hadal: command.spawn().unwrap(), home, name };
        let ready = PathBuf::from(format!("{}.ready", house.name));
        until("the family is there", || ready.exists() && house.family().len() >= 5);
        house
    }

    fn family(&self) -> Vec<u32> {
        processes(|_, words| words.contains(&self.name))
    }

    fn wardens(&self) -> Vec<u32> {
        wardens_of(self.hadal.id())
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.hadal), signal).unwrap();
    }

    /// After whatever `end` does, hadal ends and nothing of it is left.
    fn leaves_nothing(mut self, how: &str, end: impl FnOnce(&Self)) {
        let wardens = self.wardens();
        end(&self);
        until(how, || self.hadal.try_wait().unwrap().is_some());
        until(how, || self.family().is_empty());
        until(how, || wardens.iter().all(|pid| !PathBuf::from(format!("/proc/{pid}/exe")).exists()));
    }
}

impl Drop for House {
    fn drop(&mut self) {
        let _already_over = self.hadal.kill();
        let _reaped = self.hadal.wait();
    }
}

/// The living processes whose pid and command line are as wanted; a zombie has no command line.
fn processes(wanted: impl Fn(u32, &[String]) -> bool) -> Vec<u32> {
    let pids = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str().and_then(|name| name.parse().ok()));
    pids.filter(|pid| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let words: Vec<String> =
            line.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect();
        !line.is_empty() && wanted(*pid, &words)
    })
    .collect()
}

fn wardens_of(hadal: u32) -> Vec<u32> {
    processes(|pid, words| words.get(1).is_some_and(|word| word == "__warden") && parent(pid) == Some(hadal))
}

fn parent(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn a_cancelled_task_leaves_no_process() {
    House::new().leaves_nothing("cancel", |house| {
        let id = house.home.run(&["list", "--json"]).json()["tasks"][0]["task_id"].as_str().unwrap().to_owned();
        assert_eq!(house.home.run(&["cancel", "--json", &id]).json()["status"], "cancelled");
        assert_eq!(house.family(), Vec::<u32>::new(), "the answer came before the end");
    });
}

/// Ctrl-C, the polite signal, and impatience.
#[test]
fn an_interrupted_hadal_leaves_no_process() {
    for (how, signals) in
        [("SIGINT", &[Signal::INT][..]), ("SIGTERM", &[Signal::TERM]), ("SIGINT twice", &[Signal::INT, Signal::INT])]
    {
        House::new().leaves_nothing(how, |house| signals.iter().for_each(|signal| house.signal(*signal)));
    }
}

/// A keeper runs children as every hadal does: nothing survives its end, however it comes.
#[test]
fn an_ended_keeper_leaves_no_process() {
    for how in [Signal::TERM, Signal::KILL] {
        let mut house = House::with(&["scripted", "--start-only", "--hand-over"]);
        let kept = Kept::below(house.home.0.path());
        assert!(house.hadal.wait().unwrap().success());
        let keeper = sim::wait::until_some("a keeper", || kept.pid());
        // The family of the command that handed over is gone; this is the keeper's own.
        until("its family is there", || house.family().len() >= 5 && wardens_of(keeper).len() == 1);
        let wardens = wardens_of(keeper);
        kill_process(Pid::from_raw(i32::try_from(keeper).unwrap()).unwrap(), how).unwrap();
        until("the keeper has ended", || kept.pid().is_none());
        until("its family has ended", || house.family().is_empty());
        until("its warden has ended", || wardens.iter().all(|pid| !PathBuf::from(format!("/proc/{pid}/exe")).exists()));
    }
}

/// SIGKILL cannot be prepared for: the kernel and the warden do it all. Also to a hadal that was stopped before.
#[test]
fn a_killed_hadal_leaves_no_process() {
    for (how, signals) in [("SIGKILL", &[Signal::KILL][..]), ("SIGSTOP, then SIGKILL", &[Signal::STOP, Signal::KILL])] {
        House::new().leaves_nothing(how, |house| signals.iter().for_each(|signal| house.signal(*signal)));
    }
}
