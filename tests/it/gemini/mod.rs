//! Research on Gemini CLI: the real `hadal`, over MCP and on the command line, against a fake `gemini` that is a real
//! program with the process model of the real one.

mod arguments;
mod bad_input;
mod best_effort;
mod citations;
mod correction;
mod crash;
mod faults;
mod load;
mod models;
mod output;
mod privacy;
mod progress;
mod prompts;
mod rounds;
mod stop;

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use sim::gemini::{Call, FakeGemini, Scenario, Script};
use sim::wait::until;
use tempfile::TempDir;

use crate::client::{Client, PATIENT};

/// The two faces of hadal; what a user sees must be the same.
const FACES: [Face; 2] = [Face::Terminal, Face::Mcp];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Face {
    Terminal,
    Mcp,
}

/// An installation of hadal with its own fake.
struct Lab {
    home: TempDir,
    fake: FakeGemini,
    env: Vec<(String, std::ffi::OsString)>,
}

/// What came of one call.
#[derive(Debug)]
struct Told {
    reply: Value,
    stderr: String,
}

impl Told {
    /// The lines on stderr that say one of these words.
    fn lines(&self, words: &[&str]) -> Vec<&str> {
        self.stderr.lines().filter(|line| words.iter().any(|word| line.contains(word))).collect()
    }

    fn code(&self) -> &str {
        self.reply["error"]["code"].as_str().unwrap_or_else(|| panic!("no error: {self:#?}"))
    }

    fn message(&self) -> &str {
        self.reply["error"]["message"].as_str().unwrap_or_else(|| panic!("no error: {self:#?}"))
    }
}

impl Lab {
    fn new(script: &Script) -> Self {
        let home = tempfile::tempdir().unwrap();
        let fake = FakeGemini::install(&home.path().join("fake"));
        fake.script(script);
        std::fs::create_dir_all(home.path().join("user")).unwrap();
        std::fs::create_dir_all(home.path().join("config")).unwrap();
        Self { home, fake, env: Vec::new() }
    }

    fn with(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.env.push((name.to_owned(), value.as_ref().to_owned()));
        self
    }

    fn path(&self, below: &str) -> PathBuf {
        self.home.path().join(below)
    }

    fn config(&self) -> PathBuf {
        self.path("config")
    }

    /// hadal in an environment of its own.
    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hadal"));
        command
            .env_clear()
            .env("HADAL_BACKGROUND", "no")
            .env("HADAL_WEB", "no")
            // What the scripted answers cite is on no web that a test may ask.
            .env("HADAL_EVIDENCE", "off")
            .env("HADAL_HOME", self.home.path())
            .env("HOME", self.path("user"));
        command.env("GEMINI_CLI_PATH", self.fake.program()).env(PATIENT.0, PATIENT.1).envs(self.env.iter().cloned());
        command.current_dir(self.home.path());
        command
    }

    /// A server; its stderr is in the file `server.log`.
    fn serve(&self) -> Client {
        Client::serve(self.command(), &self.path("server.log"))
    }

    fn server_log(&self) -> String {
        std::fs::read_to_string(self.path("server.log")).unwrap_or_default()
    }

    /// A command that is not waited for; its stderr is in the file `command.log`, its stdout in `command.out`.
    fn start(&self, args: &[&str]) -> Running {
        let file = |name: &str| File::create(self.path(name)).unwrap();
        let mut command = self.command();
        command.args(args).stdin(Stdio::null()).stdout(file("command.out")).stderr(file("command.log"));
        Running(command.spawn().unwrap())
    }

    fn command_log(&self) -> String {
        std::fs::read_to_string(self.path("command.log")).unwrap_or_default()
    }

    /// One call of a tool, through one face, in a process of its own that is over afterwards.
    fn ask(&self, face: Face, tool: &str, arguments: &Value) -> Told {
        match face {
            Face::Terminal => {
                let output = self.command().args(command_line(tool, arguments)).output().unwrap();
                let stdout = String::from_utf8(output.stdout).unwrap();
                let stderr = String::from_utf8(output.stderr).unwrap();
                let reply: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stdout}\n{stderr}"));
                assert_eq!(output.status.success(), reply["success"] == true, "{:?}", output.status);
                Told { reply, stderr }
            }
            Face::Mcp => {
                let before = self.server_log().len();
                let mut client = self.serve();
                let reply = client.call(tool, arguments.clone());
                client.close();
                assert!(client.wait().success());
                Told { reply, stderr: self.server_log().split_off(before) }
            }
        }
    }

    fn deep_search(&self, face: Face, query: &str) -> Told {
        self.ask(face, "deep_search", &json!({"query": query}))
    }

    fn search(&self, face: Face, query: &str) -> Told {
        self.ask(face, "search", &json!({"query": query}))
    }

    /// What the fake was asked since the last time.
    fn calls(&self) -> Vec<Call> {
        self.fake.calls()
    }

    /// Files of hadal's own that exist only while something runs.
    fn leftovers(&self) -> Vec<PathBuf> {
        let entries = |dir: &Path| std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
        let config = self.config();
        let temporary = entries(&config).filter(|path| name(path).starts_with("temp-"));
        let runs = entries(&config.join("gemini-cli")).filter(|path| name(path) != "empty");
        temporary.chain(runs).collect()
    }
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(OsStr::to_str).unwrap()
}

/// The command that is the same as a call of the tool.
fn command_line(tool: &str, arguments: &Value) -> Vec<String> {
    let mut line = vec![tool.replace('_', "-"), "--json".into()];
    for (name, value) in arguments.as_object().unwrap().iter().filter(|(name, _)| *name != "query") {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        line.push(format!("--{}={value}", name.replace('_', "-")));
    }
    line.extend(["--".into(), arguments["query"].as_str().unwrap().to_owned()]);
    line
}

/// A command in the background; killed when dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _already_over = self.0.kill();
        let _reaped = self.0.wait();
    }
}

/// What a model answers when all is well.
fn body(report: &str, verified: bool) -> Value {
    json!({"success": true, "verified": verified, "report": report, "metadata": {}})
}

fn answer(report: &str, verified: bool) -> Scenario {
    Scenario::json(&body(report, verified))
}

/// A round in which the model gives up.
fn gave_up(why: &str) -> Scenario {
    Scenario::json(&json!({"success": false, "verified": false, "error": why, "report": "", "metadata": {}}))
}

const QUERY: &str = "How deep is the Mariana Trench?";
