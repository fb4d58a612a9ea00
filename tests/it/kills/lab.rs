//! An installation with every kind of task, and what kills it.

use std::process::Command;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use sim::chat::{Chat, MODEL, Received, Say};
use sim::interactions::{ModelAnswer, On, Plan, Service, Usage};
use sim::search::SearchApi;
use sim::wait::until;
use sim::web::{ANSWER, Web};
use tempfile::TempDir;

use crate::client::Client;
use crate::keeper::Kept;

/// The cap of those tasks that have one, in dollars.
pub(super) const CAP: f64 = 0.25;
/// Tasks that are worked on at once.
const AT_ONCE: u32 = 6;

pub(super) struct Lab {
    home: TempDir,
    pub(super) api: Service,
    pub(super) chat: Chat,
    pub(super) search: SearchApi,
    web: Web,
    kept: Option<Kept>,
    /// What hosted runs of a day may cost, in dollars.
    pub(super) day: u64,
    started: u64,
    pub(super) kills: u64,
}

/// A small generator: a failed series can be repeated from its seed.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

pub(super) fn signal(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).unwrap();
    // It may have come to its end by itself.
    let _ = kill_process(pid, signal);
}

impl Lab {
    pub(super) fn new(keeper: bool, kills: u64) -> Self {
        let home = tempfile::tempdir().unwrap();
        let kept = keeper.then(|| Kept::below(home.path()));
        let text = json!({"success": true, "verified": true, "report": "It is deep.", "metadata": {}}).to_string();
        // Below what such a question is expected to use.
        let usage = Usage { input: 9_000, cached: 1_000, output: 2_000, thought: 1_000, tool_use: 500, searches: 2 };
        let models = vec![ModelAnswer { text, sources: Vec::new(), usage, ..ModelAnswer::default() }];
        let lab = Self {
            home,
            api: Service::start(Plan { speed: 0.0, models, reply_delay_ms: 20, ..Plan::default() }).unwrap(),
            chat: Chat::start(model).unwrap(),
            search: SearchApi::start().unwrap(),
            web: Web::start(Duration::ZERO).unwrap(),
            kept,
            day: 6 + kills / 8,
            started: 0,
            kills: 0,
        };
        lab.log_charges();
        lab
    }

    fn command(&self) -> Command {
        let program = std::env::var_os("HADAL_TEST_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_hadal").into());
        let mut command = Command::new(program);
        command.env_clear().env("HADAL_HOME", self.home.path()).env("HOME", self.home.path());
        command
            .env("HADAL_EVIDENCE", "off")
            .env("HADAL_BACKGROUND", if self.kept.is_some() { "yes" } else { "no" })
            .env("HADAL_LINGER_SECONDS", "0");
        command.env("HADAL_CALL_WINDOW_SECONDS", "3600").env("HADAL_FIND_LOCAL_MODELS", "no");
        command.env("GEMINI_API_KEY", "test-key-0123456789").env("GOOGLE_GEMINI_BASE_URL", self.api.url());
        command.env("HADAL_POLL_MS", "50").env("HADAL_GEMINI_API_RPS", "500").env("HADAL_RESOLVE_REDIRECTS", "no");
        command.env("HADAL_MODEL", MODEL).env("HADAL_MODEL_BASE_URL", self.chat.url());
        command.env("HADAL_SEARCH_URLS", self.search.urls()).env("TAVILY_API_KEY", "tvly-0123456789");
        command.env("HADAL_SEARCH_PROVIDERS", "tavily");
        command.env("HADAL_FETCH_HOSTS", self.web.hosts()).env("HADAL_FETCH_ALLOW_PRIVATE", "yes");
        command.env("HADAL_BUDGET_DAY_USD", self.day.to_string()).current_dir(self.home.path());
        command
    }

    pub(super) fn serve(&self) -> Client {
        Client::serve(self.command(), &self.home.path().join("server.log"))
    }

    pub(super) fn database(&self) -> Connection {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
        let connection = Connection::open_with_flags(self.home.path().join("data/hadal.db"), flags).unwrap();
        connection.busy_timeout(sim::wait::SAFETY_NET).unwrap();
        connection
    }

    /// Has the database keep what each lost start was charged with: the rows of a task go with its end.
    fn log_charges(&self) {
        let listed = self.command().arg("list").output().unwrap();
        assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
        let log = "CREATE TABLE charges (task_id TEXT NOT NULL, micros INTEGER NOT NULL);
             CREATE TRIGGER charges AFTER UPDATE OF charged ON effects WHEN NEW.charged > OLD.charged BEGIN
                 INSERT INTO charges VALUES (NEW.task_id, (NEW.charged - OLD.charged) * NEW.expected_micros); END;";
        self.database().execute_batch(log).unwrap();
    }

    pub(super) fn unfinished(&self) -> u32 {
        let sql = "SELECT count(*) FROM research_tasks WHERE status IN ('pending', 'running')";
        self.database().query_row(sql, [], |row| row.get(0)).unwrap()
    }

    /// Asks for some research, of every kind in turn, and waits for no answer.
    pub(super) fn start_some(&mut self, client: &mut Client, dice: &mut Dice) {
        for _ in self.unfinished()..AT_ONCE {
            let mark = mark(self.started);
            let query = format!("Expedition {mark}: who was captain of the ship that carried it to Brannock Island?");
            let (tool, arguments) = match self.started % 5 {
                0 => ("start_deep_research", json!({"query": query})),
                1 => ("deep_search", json!({"query": query, "engine": "gemini-api"})),
                2 => ("deep_search", json!({"query": query, "engine": "native"})),
                3 => ("deep_research", json!({"query": query, "engine": "native"})),
                _ => ("deep_research", json!({"query": query, "engine": "native", "budget_usd": CAP})),
            };
            client.send("tools/call", json!({"name": tool, "arguments": arguments}));
            self.started += 1;
            if dice.roll(2) == 0 {
                break;
            }
        }
    }

    /// Waits until others were asked for something so often, or nothing is left to be done.
    pub(super) fn let_work(&self, requests: u64) {
        let asked = || {
            let polls = self.api.count(On::Get) + self.api.count(On::Create);
            self.chat.invoice().requests + u64::try_from(polls).unwrap()
        };
        let goal = asked() + requests;
        let mut looks = 0_u32;
        until("somebody is asked for something", || {
            looks += 1;
            asked() >= goal || (looks.is_multiple_of(40) && self.unfinished() == 0)
        });
    }

    pub(super) fn kill(&mut self, pid: u32) {
        self.kills += 1;
        signal(pid, Signal::KILL);
    }

    pub(super) fn keeper(&self) -> Option<u32> {
        self.kept.as_ref()?.pid()
    }
}

/// A word that stands in every question that is asked for one task, and in none for another.
pub(super) fn mark(task: u64) -> String {
    format!("qz{task}zq")
}

/// The first such word in a text.
pub(super) fn mark_in(text: &str) -> Option<String> {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("qz") {
        let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
        if !digits.is_empty() && after.strip_prefix(&digits).is_some_and(|end| end.starts_with("zq")) {
            return Some(format!("qz{digits}zq"));
        }
        rest = after;
    }
    None
}

/// A model that follows the name of the ship, answers once it has seen its captain, and verifies its own drafts.
fn model(asked: &Received) -> Say {
    let mark = mark_in(&asked.prompt).unwrap_or_default();
    let source = |words: &str| -> Option<u32> {
        let sources = asked.prompt.split("Source [").skip(1);
        sources.filter(|source| source.contains(words)).find_map(|source| source.split_once(']')?.0.parse().ok())
    };
    let captain = source(ANSWER);
    let text = match captain {
        _ if asked.prompt.contains("`verified`") => {
            let verified = asked.prompt.contains("BEGIN DRAFT");
            let metadata = json!({"sources_visited": [], "search_queries_used": [], "iterations": 1});
            let report: Value =
                json!({"success": true, "verified": verified, "metadata": metadata, "report": "It was her."});
            report.to_string()
        }
        Some(_) if asks_for_queries(asked) => "DONE".to_owned(),
        None if asks_for_queries(asked) => format!("Meridian Lark captain {mark}"),
        Some(number) => format!("The captain was {ANSWER} [{number}]."),
        None => "It was carried there by the Meridian Lark [1].".to_owned(),
    };
    Say::Slow(Duration::from_millis(20), text)
}

fn asks_for_queries(asked: &Received) -> bool {
    asked.prompt.starts_with("You decide what a research program searches for next.")
}
