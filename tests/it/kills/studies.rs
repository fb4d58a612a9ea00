//! Studies that are killed again and again: they end with the report of a study that nobody killed, no answer that was written down is asked for
//! again, and what hadal counts is never below the invoice.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rusqlite::Connection;
use serde_json::{Value, json};
use sim::chat::{Chat, MODEL, Received, Say};
use sim::field::Field;
use sim::field::model::{Temper, answer};
use sim::search::SearchApi;
use sim::wait::until;
use sim::web::Web;
use tempfile::TempDir;

use super::lab::Dice;
use super::{asked_for, number};

/// Studies of a whole series; the kills are spread over them.
const STUDIES: u64 = 10;
/// Kills of the sample that `cargo test` runs, all in one study.
const SAMPLE: u64 = 8;

/// An installation with a field of its own.
struct Lab {
    home: TempDir,
    field: Field,
    web: Web,
    search: SearchApi,
    chat: Chat,
}

impl Lab {
    fn new(seed: u64) -> Self {
        let field = Field::new(seed);
        let said = |asked: &Received| Say::Slow(Duration::from_millis(10), answer(&asked.prompt, Temper::Inventive));
        let (web, search) = (Web::of(&field, Duration::ZERO).unwrap(), SearchApi::of(&field).unwrap());
        Self { home: tempfile::tempdir().unwrap(), web, search, chat: Chat::start(said).unwrap(), field }
    }

    fn command(&self, args: &[&str]) -> Command {
        let program = std::env::var_os("HADAL_TEST_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_hadal").into());
        let mut command = Command::new(program);
        command.env_clear().env("HADAL_HOME", self.home.path()).env("HOME", self.home.path()).arg("--json").args(args);
        command.env("HADAL_BACKGROUND", "no").env("HADAL_FIND_LOCAL_MODELS", "no");
        command.env("HADAL_MODEL", MODEL).env("HADAL_MODEL_BASE_URL", self.chat.url());
        command.env("HADAL_SEARCH_URLS", self.search.urls()).env("TAVILY_API_KEY", "tvly-0123456789");
        command.env("HADAL_SEARCH_PROVIDERS", "tavily").env("HADAL_SEARCH_PER_SECOND", "1000");
        command.env("HADAL_FETCH_HOSTS", self.web.hosts()).env("HADAL_FETCH_ALLOW_PRIVATE", "yes");
        command
    }

    fn run(&self, args: &[&str]) -> Value {
        let output = self.command(args).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("no JSON: {output:?}"))
    }

    fn start(&self, args: &[&str]) -> Child {
        self.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    fn study(&self) -> Vec<String> {
        ["deep-research", &self.field.question(), "--task-scope", "large"].map(str::to_owned).to_vec()
    }

    fn database(&self) -> Connection {
        let connection = Connection::open(self.home.path().join("data/hadal.db")).unwrap();
        connection.busy_timeout(sim::wait::SAFETY_NET).unwrap();
        connection
    }

    /// Has the database keep what goes with the end of a task: what lost starts were charged with, and answers that were asked for again.
    fn log(&self) {
        self.run(&["list"]);
        let log = "CREATE TABLE charges (micros INTEGER NOT NULL);
             CREATE TRIGGER charges AFTER UPDATE OF charged ON effects WHEN NEW.charged > OLD.charged BEGIN
                 INSERT INTO charges VALUES ((NEW.charged - OLD.charged) * NEW.expected_micros); END;
             CREATE TABLE again (body TEXT NOT NULL);
             CREATE TRIGGER again AFTER UPDATE OF tries ON effects WHEN OLD.ended_at IS NOT NULL AND NEW.tries > OLD.tries BEGIN
                 INSERT INTO again VALUES (NEW.body_json); END;";
        self.database().execute_batch(log).unwrap();
    }

    /// How often the model was asked so far.
    fn asked(&self) -> u64 {
        self.chat.invoice().requests
    }

    /// Whether something that reads pages was killed twice and has not ended since. A third death would make its task poison, because
    /// nobody can tell a killed process from one that a page has killed.
    fn has_suspects(&self) -> bool {
        let sql =
            "SELECT count(*) FROM effects WHERE ended_at IS NULL AND tries >= 2 AND body_json LIKE '%read_pages%'";
        self.database().query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap() > 0
    }

    fn billed(&self) -> u64 {
        self.chat.invoice().micros + self.search.invoice().values().sum::<u64>()
    }
}

/// What must be equal whatever happened on the way: everything but ids, times and money.
fn told(reply: &Value) -> Value {
    json!([reply["status"], reply["report"], reply["paging"], reply["sources"], reply["ledger"], reply["stop_reason"]])
}

/// PR-01, RS-01, ST-01: killed at any moment, a study ends with the same report, and pays for nothing twice that it had.
#[test]
fn st_01_kills_over_studies() {
    let (studies, kills) = match asked_for() {
        Some(kills) => (STUDIES, (kills / 5).max(STUDIES)),
        None => (1, SAMPLE),
    };
    let seed = number("HADAL_TEST_SEED").unwrap_or(2_026);
    let mut dice = Dice(seed);
    let mut killed = 0;
    for study in 0..studies {
        let of_study = killed_study(seed + study, kills / studies, &mut dice);
        tell(&format!("study {study}: {of_study} kills, the same report"));
        killed += of_study;
    }
    assert!(killed * 10 >= kills * 8, "only {killed} of {kills} kills met a study that ran");
    tell(&format!(
        "studies: {killed} kills, seed {seed}: {studies} studies, each with the report of one that nobody killed"
    ));
}

#[expect(clippy::disallowed_macros, reason = "the check of a long series shows its figures")]
fn tell(line: &str) {
    println!("{line}");
}

/// One study, killed so often, beside one that was not.
fn killed_study(seed: u64, kills: u64, dice: &mut Dice) -> u64 {
    let quiet = Lab::new(seed);
    let args = quiet.study();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let whole = quiet.run(&args);
    let whole = quiet.run(&["results", whole["task_id"].as_str().unwrap()]);
    assert_eq!(whole["status"], "completed", "{whole:#}");
    assert!(whole["report"].as_str().is_some_and(|report| report.contains("## The rotor")), "{whole:#}");
    let all = quiet.asked();
    let lab = Lab::new(seed);
    lab.log();
    let mut child = lab.start(&args);
    until("the task is there", || lab.run(&["list"])["tasks"][0]["task_id"].is_string());
    let id = lab.run(&["list"])["tasks"][0]["task_id"].as_str().unwrap().to_owned();
    let mut killed = 0;
    while killed < kills {
        // Spread over the whole of it.
        let goal = lab.asked() + 1 + dice.roll((2 * all / kills).max(2));
        until("the study goes on, or ends", || {
            (lab.asked() >= goal && !lab.has_suspects()) || child.try_wait().unwrap().is_some()
        });
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        killed += 1;
        child = lab.start(&["results", &id, "--wait"]);
    }
    child.wait().unwrap();
    let reply = lab.run(&["results", &id, "--wait"]);
    assert_eq!(told(&reply), told(&whole), "seed {seed}, {killed} kills");
    let database = lab.database();
    let again: Vec<String> = {
        let mut rows = database.prepare("SELECT body FROM again").unwrap();
        rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    assert!(again.is_empty(), "seed {seed}: asked for again: {again:?}");
    let one = |sql: &str| u64::try_from(database.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap()).unwrap();
    let counted = one("SELECT cost_micros FROM research_tasks");
    let in_flight = one("SELECT coalesce(sum(micros), 0) FROM charges");
    let billed = lab.billed();
    assert!(counted >= billed, "seed {seed}: counted {counted}, billed {billed}");
    assert!(counted <= billed + in_flight, "seed {seed}: counted {counted}, billed {billed}, in flight {in_flight}");
    killed
}
