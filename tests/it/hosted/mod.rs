//! Hosted research: the real `hadal`, over MCP and on the command line, against the simulated Interactions API.

mod again;
mod answers;
mod cancelling;
mod citations;
mod confirming;
mod evidence;
mod faults;
mod following;
mod forget;
mod kills;
mod money;
mod neutral;
mod notices;
mod rounds;
mod scale;
mod secrets;
mod store_trouble;
mod tasks;
mod tools;

use std::path::PathBuf;
use std::process::{Command, Output};

use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use sim::interactions::{On, Plan, Run, Service};
use sim::wait::{until, until_some};
use tempfile::TempDir;

use crate::client::{Client, PATIENT};

/// The key of every test. It must never be seen again.
const KEY: &str = "test-key-0123456789";

/// An installation of hadal with its own provider.
struct Lab {
    home: TempDir,
    api: Service,
    env: Vec<(String, String)>,
}

impl Lab {
    fn new(plan: Plan) -> Self {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(home.path().join("work")).unwrap();
        Self { home, api: Service::start(plan).unwrap(), env: Vec::new() }
    }

    fn with(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    fn path(&self, below: &str) -> PathBuf {
        self.home.path().join(below)
    }

    /// hadal in an environment of its own.
    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hadal"));
        command
            .env_clear()
            .env("HADAL_BACKGROUND", "no")
            // What the scripted reports cite is on no web that a test may ask.
            .env("HADAL_EVIDENCE", "off")
            .env("HADAL_HOME", self.home.path())
            .env("HOME", self.home.path());
        command.env("GEMINI_API_KEY", KEY).env("GOOGLE_GEMINI_BASE_URL", self.api.url());
        command.env("HADAL_POLL_MS", "50").env("HADAL_GEMINI_API_RPS", "500").env("HADAL_RESOLVE_REDIRECTS", "no");
        command.env(PATIENT.0, PATIENT.1).envs(self.env.iter().cloned()).current_dir(self.path("work"));
        command
    }

    /// A server; its stderr is in the file `server.log`.
    fn serve(&self) -> Client {
        Client::serve(self.command(), &self.path("server.log"))
    }

    fn server_log(&self) -> String {
        std::fs::read_to_string(self.path("server.log")).unwrap_or_default()
    }

    /// A command to its end, and its reply.
    fn run(&self, args: &[&str]) -> (Value, Output) {
        let output = self.command().arg("--json").args(args).output().unwrap();
        let reply = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("no JSON: {output:?}"));
        (reply, output)
    }

    fn database(&self) -> Connection {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
        let connection = Connection::open_with_flags(self.path("data/hadal.db"), flags).unwrap();
        connection.busy_timeout(sim::wait::SAFETY_NET).unwrap();
        connection
    }

    /// Requests of one kind that the provider got.
    fn asked(&self, on: On) -> usize {
        self.api.count(on)
    }
}

/// A clock that stands still, and a run of 20 minutes.
fn still() -> Plan {
    Plan { speed: 0.0, ..Plan::default() }
}

/// Twenty minutes in a second.
fn fast() -> Plan {
    Plan { speed: 1_200.0, ..Plan::default() }
}

fn start(client: &mut Client, query: &str) -> String {
    let reply = client.call("start_deep_research", json!({"query": query}));
    assert_eq!(reply["status"], "running_async", "{reply}");
    reply["task_id"].as_str().unwrap().to_owned()
}

fn status(client: &mut Client, id: &str) -> Value {
    client.call("check_research_status", json!({"task_id": id}))
}

/// Asks until the task is over.
fn ended(client: &mut Client, id: &str) -> Value {
    until_some(&format!("the end of {id}"), || {
        let status = client.call("check_research_status", json!({"task_id": id, "wait_seconds": 5}));
        (status["status"] != "running_async").then_some(status)
    })
}

fn results(client: &mut Client, id: &str) -> Value {
    client.call("get_research_results", json!({"task_id": id}))
}

fn code(reply: &Value) -> &str {
    reply["error"]["code"].as_str().unwrap_or_else(|| panic!("no error: {reply:#}"))
}

fn message(reply: &Value) -> &str {
    reply["error"]["message"].as_str().unwrap_or_else(|| panic!("no error: {reply:#}"))
}
