//! The files beside a script: the call log, the lock, and how far the script has been used.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::scenario::{Scenario, Script};

/// A run as the fake saw it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Call {
    /// Counts from 0 in the order of the starts.
    pub run: usize,
    pub argv: Vec<String>,
    /// The whole environment, but of the API key only whether it is there.
    pub env: BTreeMap<String, String>,
    /// Contents of the file that `GEMINI_SYSTEM_MD` names.
    pub system_md: Option<String>,
    /// Contents of the file that `GEMINI_CLI_SYSTEM_SETTINGS_PATH` names.
    pub settings: Option<Value>,
    /// The real CLI would ignore those settings: others may write to a directory above them.
    pub settings_exposed: bool,
    pub cwd: PathBuf,
    pub cwd_entries: Vec<String>,
    /// As the model would get it: stdin and `-p`.
    pub prompt: String,
    /// Contents of the files of `--policy`; the real CLI ignores a missing one without a word.
    pub policies: Vec<File>,
    /// Files named in the prompt that hold output to be corrected.
    pub invalid_outputs: Vec<File>,
    /// Files that the CLI would have put into the prompt because of an `@`.
    pub expanded: Vec<PathBuf>,
    pub session_id: String,
    /// The model that answered.
    pub model: String,
    /// The name of the scenario, if it has one.
    pub scenario: String,
    pub pid: u32,
    pub ppid: u32,
    /// The process group.
    pub group: u32,
    /// The first of the two processes when the CLI started itself again.
    pub launcher: Option<u32>,
    pub started_ms: u64,
    pub grandchildren: Vec<u32>,
    /// `None`: it runs, or it was killed.
    pub ended: Option<Ended>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct File {
    pub path: PathBuf,
    /// `None`: it cannot be read.
    pub contents: Option<String>,
    /// It is where the tools of the CLI may read: the working directory or one of `--include-directories`.
    pub in_workspace: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ended {
    pub code: u8,
    /// `end`, `signal` or `stdout closed`.
    pub how: String,
    pub at_ms: u64,
}

impl Call {
    /// The value of a flag, be it `--flag value` or `--flag=value`.
    #[must_use]
    pub fn flag(&self, name: &str) -> Option<&str> {
        let mut args = self.argv.iter();
        while let Some(arg) = args.next() {
            if arg == name {
                return args.next().map(String::as_str);
            }
            if let Some(value) = arg.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')) {
                return Some(value);
            }
        }
        None
    }

    /// All processes of the run.
    #[must_use]
    pub fn processes(&self) -> Vec<u32> {
        self.launcher.into_iter().chain([self.pid]).chain(self.grandchildren.iter().copied()).collect()
    }
}

/// A line of the log.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(super) enum Entry {
    Start(Box<Call>),
    Grandchild { run: usize, pid: u32 },
    End { run: usize, ended: Ended },
}

/// How far a script has been used.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Used {
    runs: usize,
    by_prompt: Vec<u32>,
}

#[derive(Clone, Debug)]
pub(super) struct Desk {
    script: PathBuf,
}

impl Desk {
    pub(super) fn at(script: PathBuf) -> Self {
        Self { script }
    }

    pub(super) fn beside(&self, name: &str) -> PathBuf {
        self.script.parent().unwrap_or(Path::new(".")).join(name)
    }

    /// Runs one at a time of all processes that use this script.
    fn locked<T>(&self, act: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let lock = OpenOptions::new().create(true).append(true).open(self.beside("calls.lock"))?;
        lock.lock()?;
        act()
    }

    pub(super) fn rewrite(&self, script: &[u8]) -> io::Result<()> {
        self.locked(|| {
            let _not_there = fs::remove_file(self.beside("used.json"));
            fs::write(&self.script, script)
        })
    }

    pub(super) fn calls(&self) -> io::Result<Vec<Call>> {
        let text = self.locked(|| match fs::read_to_string(self.beside("calls.jsonl")) {
            Err(problem) if problem.kind() == io::ErrorKind::NotFound => Ok(String::new()),
            other => other,
        })?;
        let mut calls: Vec<Call> = Vec::new();
        for line in text.lines() {
            match serde_json::from_str(line)? {
                Entry::Start(call) => calls.push(*call),
                Entry::Grandchild { run, pid } => {
                    calls.iter_mut().filter(|call| call.run == run).for_each(|call| call.grandchildren.push(pid));
                }
                Entry::End { run, ended } => {
                    calls.iter_mut().filter(|call| call.run == run).for_each(|call| call.ended = Some(ended.clone()));
                }
            }
        }
        Ok(calls)
    }

    pub(super) fn log(&self, entry: &Entry) -> io::Result<()> {
        self.locked(|| self.append(entry))
    }

    fn append(&self, entry: &Entry) -> io::Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        OpenOptions::new().create(true).append(true).open(self.beside("calls.jsonl"))?.write_all(&line)
    }

    /// Logs the start of a run that the script has no say in.
    pub(super) fn refused(&self, call: &mut Call) -> io::Result<()> {
        self.locked(|| self.start(call))
    }

    /// Takes the scenario of a run and logs its start; `None` when there is none left.
    pub(super) fn take(
        &self,
        call: &mut Call,
        complete: impl FnOnce(&mut Call, &Scenario),
    ) -> io::Result<Option<Scenario>> {
        self.locked(|| {
            let script = self.read()?;
            let mut used: Used = fs::read(self.beside("used.json"))
                .ok()
                .and_then(|text| serde_json::from_slice(&text).ok())
                .unwrap_or_default();
            let scenario = choose(&script, &mut used, &call.prompt);
            fs::write(self.beside("used.json"), serde_json::to_vec(&used)?)?;
            if let Some(scenario) = &scenario {
                complete(call, scenario);
            }
            self.start(call)?;
            Ok(scenario)
        })
    }

    fn read(&self) -> io::Result<Script> {
        let explain = |problem: io::Error| io::Error::other(format!("{}: {problem}", self.script.display()));
        let script: Value = serde_json::from_slice(&fs::read(&self.script).map_err(explain)?)?;
        if script.is_array() {
            return Ok(Script { runs: serde_json::from_value(script)?, ..Script::default() });
        }
        Ok(serde_json::from_value(script)?)
    }

    fn start(&self, call: &mut Call) -> io::Result<()> {
        let path = self.beside("runs");
        call.run = fs::read_to_string(&path).ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        fs::write(&path, (call.run + 1).to_string())?;
        self.append(&Entry::Start(Box::new(call.clone())))
    }
}

fn choose(script: &Script, used: &mut Used, prompt: &str) -> Option<Scenario> {
    used.by_prompt.resize(script.by_prompt.len(), 0);
    for (rule, times) in script.by_prompt.iter().zip(&mut used.by_prompt) {
        let fits = rule.contains.iter().all(|word| prompt.contains(word.as_str()));
        if fits && rule.times.is_none_or(|limit| *times < limit) {
            *times += 1;
            return Some(rule.scenario.clone());
        }
    }
    let last = if script.repeat_last { script.runs.last() } else { None };
    let scenario = script.runs.get(used.runs).or(last).cloned();
    used.runs += 1;
    scenario
}
