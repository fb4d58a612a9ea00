//! An installation of hadal with every simulator there is, and the marks that stand in stored data for what differs from one
//! installation to the next.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use sim::chat::{Chat, MODEL, Received, Say};
use sim::gemini::FakeGemini;
use sim::interactions::{Plan, Service};
use sim::search::SearchApi;
use sim::web::{ANSWER, Web};
use tempfile::TempDir;

/// The key of every provider. It must never be seen again.
pub(super) const KEY: &str = "test-key-0123456789";
/// Longer than any test: an answer that takes so long never comes.
const NEVER: Duration = Duration::from_secs(3_600);

pub(super) struct Lab {
    pub(super) home: TempDir,
    pub(super) fake: FakeGemini,
    pub(super) chat: Chat,
    pub(super) search: SearchApi,
    pub(super) web: Web,
    pub(super) api: Service,
    hold: Arc<Hold>,
}

/// Which question to the chat model is never answered.
pub(super) type Holds = fn(&Received) -> bool;
/// The question to be held next, and who is told that it was asked.
type Hold = Mutex<Option<(Holds, Sender<()>)>>;

impl Lab {
    pub(super) fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        for below in ["data", "config", "documents"] {
            std::fs::create_dir_all(home.path().join(below)).unwrap();
        }
        let hold = Arc::<Hold>::default();
        let held = Arc::clone(&hold);
        let lab = Self {
            fake: FakeGemini::install(&home.path().join("fake")),
            chat: Chat::start(move |asked| match held.lock().unwrap().take_if(|(holds, _)| holds(asked)) {
                Some((_, tell)) => tell.send(()).map(|()| Say::Slow(NEVER, String::new())).unwrap(),
                None => model(asked),
            })
            .unwrap(),
            search: SearchApi::start().unwrap(),
            web: Web::start(Duration::ZERO).unwrap(),
            api: Service::start(Plan { speed: 0.0, ..Plan::default() }).unwrap(),
            hold,
            home,
        };
        lab.write_documents();
        lab
    }

    fn write_documents(&self) {
        let documents = [
            (
                "lark.md",
                "# Meridian Lark\n\nThe captain of the Meridian Lark was Ottoline Varga.\n\nShe sailed from 1909 to 1914.\n",
            ),
            ("tides.txt", "High water of the harbour comes twice a day.\nThe captain waits for it.\n"),
        ];
        for (name, text) in documents {
            std::fs::write(self.path("documents").join(name), text).unwrap();
        }
    }

    pub(super) fn path(&self, below: &str) -> PathBuf {
        self.home.path().join(below)
    }

    /// hadal in an environment of its own, in which every engine can be used.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hadal"));
        command
            .env_clear()
            .env("HADAL_EVIDENCE", "off")
            .env("HADAL_BACKGROUND", "no")
            .env("HADAL_HOME", self.home.path())
            .env("HOME", self.home.path());
        command.env("GEMINI_CLI_PATH", self.fake.program());
        command.env("GEMINI_API_KEY", KEY).env("GOOGLE_GEMINI_BASE_URL", self.api.url());
        command.env("HADAL_POLL_MS", "50").env("HADAL_GEMINI_API_RPS", "500").env("HADAL_RESOLVE_REDIRECTS", "no");
        command.env("HADAL_MODEL", MODEL).env("HADAL_MODEL_BASE_URL", self.chat.url());
        command.env("HADAL_SEARCH_URLS", self.search.urls()).env("TAVILY_API_KEY", KEY);
        command.env("HADAL_SEARCH_PROVIDERS", "tavily");
        command.env("HADAL_FETCH_HOSTS", self.web.hosts()).env("HADAL_FETCH_ALLOW_PRIVATE", "yes");
        command.env("HADAL_FIND_LOCAL_MODELS", "no");
        command.current_dir(self.home.path());
        command
    }

    /// A command to its end, and its reply.
    pub(super) fn run(&self, args: &[&str]) -> Value {
        let mut command = self.command();
        let output = command.arg("--json").args(args).stdin(Stdio::null()).stderr(Stdio::null()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("{args:?}: no JSON: {text}"))
    }

    /// A command that is not waited for.
    pub(super) fn spawn(&self, args: &[&str]) -> Child {
        self.command().args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Leaves the next such question to the chat model without an answer, and tells when it was asked.
    pub(super) fn hold_chat(&self, holds: Holds) -> Receiver<()> {
        let (tell, told) = channel();
        *self.hold.lock().unwrap() = Some((holds, tell));
        told
    }

    pub(super) fn database(&self) -> Connection {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
        let connection = Connection::open_with_flags(self.path("data/hadal.db"), flags).unwrap();
        connection.busy_timeout(sim::wait::SAFETY_NET).unwrap();
        connection
    }

    /// How often anybody outside was asked for anything.
    pub(super) fn asked(&self) -> Asked {
        Asked {
            fake: self.fake.calls().len(),
            chat: self.chat.requests().len(),
            search: self.search.requests().len(),
            web: self.web.requests().len(),
            api: self.api.requests().len(),
        }
    }

    /// What stands in the stored text for the paths and addresses of this installation.
    pub(super) fn marks(&self) -> Vec<(&'static str, String)> {
        let address = |url: &str| url.split('/').nth(2).unwrap_or_default().to_owned();
        vec![
            ("{{HOME}}", std::fs::canonicalize(self.home.path()).unwrap().to_str().unwrap().to_owned()),
            ("{{CHAT}}", address(&self.chat.url())),
            ("{{SEARCH}}", address(&self.search.url("tavily"))),
            ("{{WEB}}", self.web.address().to_string()),
            ("{{API}}", self.api.address().to_string()),
        ]
    }
}

/// Requests to each of the simulators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) fake: usize,
    pub(super) chat: usize,
    pub(super) search: usize,
    pub(super) web: usize,
    pub(super) api: usize,
}

pub(super) fn asks_for_queries(asked: &Received) -> bool {
    asked.prompt.starts_with("You decide what a research program searches for next.")
}

pub(super) fn asks_to_verify(asked: &Received) -> bool {
    asked.prompt.contains("BEGIN DRAFT")
}

/// The number of the first source whose text holds some words.
fn source_with(asked: &Received, words: &str) -> Option<u32> {
    let sources = asked.prompt.split("Source [").skip(1);
    sources.filter(|source| source.contains(words)).find_map(|source| source.split_once(']')?.0.parse().ok())
}

/// A model that follows the name of the ship, names its captain once it has seen her, and verifies its own drafts.
fn model(asked: &Received) -> Say {
    let (captain, ship) = (source_with(asked, ANSWER), source_with(asked, "Meridian Lark").unwrap_or(1));
    Say::Text(match captain {
        _ if asked.prompt.contains("`verified`") => {
            let report = format!("The ship was the Meridian Lark [{ship}].");
            let metadata = json!({"sources_visited": [], "search_queries_used": [], "iterations": 1});
            json!({"success": true, "verified": asks_to_verify(asked), "metadata": metadata, "report": report})
                .to_string()
        }
        Some(_) if asks_for_queries(asked) => "DONE".to_owned(),
        None if asks_for_queries(asked) => "Meridian Lark captain\nMeridian Lark crew".to_owned(),
        Some(number) => {
            format!("The captain was {ANSWER} [{number}]. She had learned the trade on coal ships [{number}].")
        }
        None => format!("It was carried there by the Meridian Lark [{ship}]. Its captain is not named."),
    })
}
