//! The engine `native` and searching without a model: the real `hadal`, over MCP and on the command line, against the simulated web, the
//! simulated search providers and a scripted chat model.

mod answers;
mod arguments;
mod ask;
mod ask_back;
mod citations;
mod field;
mod files;
mod follow_up;
mod kills;
mod limits;
mod models;
mod neutral;
mod plans;
mod rounds;
mod script;
mod secrets;
mod steer;
mod study;
mod troubles;
mod unanswered;
mod watch;
mod windows;

use std::process::{Command, Output};
use std::time::Duration;

use serde_json::Value;
use sim::chat::{Chat, MODEL, Received, Say};
use sim::search::SearchApi;
use sim::web::Web;
use tempfile::TempDir;

use self::script::reader;
use crate::client::{Client, PATIENT};

/// An installation of hadal with its own web, providers and model.
struct Lab {
    home: TempDir,
    web: Web,
    search: SearchApi,
    chat: Chat,
    env: Vec<(String, String)>,
}

impl Lab {
    fn new(model: impl Fn(&Received) -> Say + Send + Sync + 'static) -> Self {
        Self {
            home: tempfile::tempdir().unwrap(),
            web: Web::start(Duration::ZERO).unwrap(),
            search: SearchApi::start().unwrap(),
            chat: Chat::start(model).unwrap(),
            env: Vec::new(),
        }
    }

    fn with(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same model at an address that is none of this machine by its name.
    fn beyond_this_machine(self) -> Self {
        let url = self.chat.url().replace("127.0.0.1", "0.0.0.0");
        self.with("HADAL_MODEL_BASE_URL", &url)
    }

    /// hadal in an environment of its own.
    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hadal"));
        command
            .env_clear()
            .env("HADAL_BACKGROUND", "no")
            .env("HADAL_HOME", self.home.path())
            .env("HOME", self.home.path());
        command.env("HADAL_MODEL", MODEL).env("HADAL_MODEL_BASE_URL", self.chat.url());
        command.env("HADAL_SEARCH_URLS", self.search.urls()).env("TAVILY_API_KEY", "tvly-test");
        command.env("HADAL_SEARCH_PROVIDERS", "tavily");
        command.env("HADAL_FETCH_HOSTS", self.web.hosts()).env("HADAL_FETCH_ALLOW_PRIVATE", "yes");
        command.env("HADAL_FIND_LOCAL_MODELS", "no");
        command.env(PATIENT.0, PATIENT.1).envs(self.env.iter().cloned()).current_dir(self.home.path());
        command
    }

    fn serve(&self) -> Client {
        Client::serve(self.command(), &self.home.path().join("server.log"))
    }

    /// A command to its end, and its reply.
    fn run(&self, args: &[&str]) -> (Value, Output) {
        let output = self.command().arg("--json").args(args).output().unwrap();
        let reply = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("no JSON: {output:?}"));
        (reply, output)
    }

    /// A research call on the command line that must complete.
    fn research(&self, args: &[&str]) -> Value {
        let (reply, _) = self.run(&[&["deep-research"], args].concat());
        assert_eq!(reply["status"], "completed", "{reply:#}");
        reply
    }

    /// What everybody outside would have billed, in dollars.
    fn invoice(&self) -> f64 {
        let micros = self.chat.invoice().micros + self.search.invoice().values().sum::<u64>();
        micros as f64 / 1e6
    }
}

/// The number of the first source whose text holds some words.
fn source_with(asked: &Received, words: &str) -> Option<u32> {
    let sources = asked.prompt.split("Source [").skip(1);
    sources.filter(|source| source.contains(words)).find_map(|source| source.split_once(']')?.0.parse().ok())
}

fn problems(reply: &Value) -> String {
    reply["problems"].to_string()
}
