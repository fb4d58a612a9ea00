//! Checks and the evidence of hosted reports, killed while pages are read and claims are judged: they end with the ledger of one that nobody
//! killed, and no page is asked for again that was written down.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rusqlite::Connection;
use serde_json::{Value, json};
use sim::interactions::{Plan, Run, Service};
use sim::wait::until;
use sim::web::{SECOND_HOP, Web};
use tempfile::TempDir;

use super::lab::Dice;
use super::{asked_for, number};
use crate::check::TRUE_CLAIM;

/// Kills of the sample that `cargo test` runs, over each kind of task.
const SAMPLE: u64 = 3;
/// Pages that the report cites: three batches and a bit.
const PAGES: usize = 34;
const SITES: [&str; 6] = ["tides", "glaciers", "lighthouses", "beekeeping", "compilers", "volcanoes"];

struct Lab {
    home: TempDir,
    api: Service,
    web: Web,
}

impl Lab {
    fn new() -> Self {
        let run = Run { report: report(), sources: Vec::new(), ..Run::default() };
        let plan = Plan { run, speed: 12_000.0, ..Plan::default() };
        let web = Web::start(Duration::from_millis(25)).unwrap();
        let lab = Self { home: tempfile::tempdir().unwrap(), api: Service::start(plan).unwrap(), web };
        std::fs::write(lab.home.path().join("report.md"), report()).unwrap();
        lab
    }

    fn command(&self, args: &[&str]) -> Command {
        let program = std::env::var_os("HADAL_TEST_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_hadal").into());
        let mut command = Command::new(program);
        command.env_clear().env("HADAL_HOME", self.home.path()).env("HOME", self.home.path()).arg("--json").args(args);
        command.env("HADAL_BACKGROUND", "no").env("HADAL_FIND_LOCAL_MODELS", "no").env("HADAL_EVIDENCE", "auto");
        command.env("GEMINI_API_KEY", "test-key-0123456789").env("GOOGLE_GEMINI_BASE_URL", self.api.url());
        command.env("HADAL_POLL_MS", "50").env("HADAL_GEMINI_API_RPS", "500").env("HADAL_RESOLVE_REDIRECTS", "no");
        command.env("HADAL_FETCH_HOSTS", self.web.hosts()).env("HADAL_FETCH_ALLOW_PRIVATE", "yes");
        command.current_dir(self.home.path());
        command
    }

    fn run(&self, args: &[&str]) -> Value {
        let output = self.command(args).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("no JSON: {output:?}"))
    }

    fn start(&self, args: &[&str]) -> Child {
        self.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    fn database(&self) -> Connection {
        let connection = Connection::open(self.home.path().join("data/hadal.db")).unwrap();
        connection.busy_timeout(sim::wait::SAFETY_NET).unwrap();
        connection
    }

    /// Has the database keep which effects were started again although their end was written.
    fn log(&self) {
        self.run(&["list"]);
        let log = "CREATE TABLE again (body TEXT NOT NULL);
             CREATE TRIGGER again AFTER UPDATE OF tries ON effects WHEN OLD.ended_at IS NOT NULL AND NEW.tries > OLD.tries BEGIN
                 INSERT INTO again VALUES (NEW.body_json); END;";
        self.database().execute_batch(log).unwrap();
    }

    fn one(&self, sql: &str) -> u64 {
        u64::try_from(self.database().query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap()).unwrap()
    }

    /// Whether something that reads pages was killed twice and has not ended since: a third death would make its task poison.
    fn has_suspects(&self) -> bool {
        self.one("SELECT count(*) FROM effects WHERE ended_at IS NULL AND tries >= 2") > 0
    }

    fn asked(&self) -> u64 {
        self.web.requests().iter().filter(|request| request.path != "/robots.txt").count() as u64
    }
}

fn report() -> String {
    let mut report = format!("# The ship and the rest\n\n{TRUE_CLAIM} ({SECOND_HOP}).\n\n");
    for number in 1..PAGES {
        let site = SITES[number % SITES.len()];
        let _ = writeln!(
            report,
            "The {number}th survey of {site} counted 1000 entries (http://{site}.sim.test/history?{number}).\n"
        );
    }
    report
}

/// What must be equal whatever happened on the way.
fn told(reply: &Value) -> Value {
    let mut sources = reply["sources"].clone();
    for source in sources.as_array_mut().into_iter().flatten() {
        source["read_at"] = Value::Null;
    }
    json!([reply["status"], reply["evidence"], reply["claims"], sources, reply["stop_reason"]])
}

/// EV-02, EV-03, RS-01: a check that is killed again and again.
#[test]
fn ev_03_kills_over_checks() {
    series("check", |lab| lab.start(&["check", "report.md"]));
}

/// EV-02, PR-01: a hosted run that is killed while the evidence of its report is gathered.
#[test]
fn ev_02_kills_over_the_evidence_of_a_hosted_report() {
    series("hosted", |lab| {
        lab.run(&["start", "Who was the captain of the Meridian Lark?"]);
        let id = lab.run(&["list"])["tasks"][0]["task_id"].as_str().unwrap().to_owned();
        lab.start(&["results", &id, "--wait"])
    });
}

#[expect(clippy::disallowed_macros, reason = "the check of a long series shows its figures")]
fn series(kind: &str, begin: impl Fn(&Lab) -> Child) {
    let quiet = Lab::new();
    quiet.log();
    begin(&quiet).wait().unwrap();
    let whole = verdicts(&quiet);
    assert_eq!(whole["status"], "completed", "{whole:#}");
    assert_eq!(whole["evidence"]["claims"], PAGES, "{whole:#}");
    assert_eq!(whole["evidence"]["supported"].as_u64().map(|count| count > 0), Some(true), "{whole:#}");
    let all = quiet.asked();

    let kills = asked_for().map_or(SAMPLE, |kills| (kills / 10).max(SAMPLE));
    let seed = number("HADAL_TEST_SEED").unwrap_or(2_026);
    let mut dice = Dice(seed);
    let mut killed = 0;
    while killed < kills {
        killed += killed_task(kind, &begin, &told(&whole), (all, &mut dice));
    }
    println!("{kind}: {killed} kills, seed {seed}: each with the ledger of one that nobody killed");
}

/// One task, killed up to twice beside one that was not.
fn killed_task(kind: &str, begin: &impl Fn(&Lab) -> Child, whole: &Value, (all, dice): (u64, &mut Dice)) -> u64 {
    let lab = Lab::new();
    lab.log();
    let mut child = begin(&lab);
    until("the task is there", || lab.one("SELECT count(*) FROM research_tasks") == 1);
    let id = lab.run(&["list"])["tasks"][0]["task_id"].as_str().unwrap().to_owned();
    let mut killed = 0;
    for _first_and_second in 0..2 {
        let goal = lab.asked() + 1 + dice.roll(all / 2);
        until("pages are read, or it ends", || {
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
    let again = lab.one("SELECT count(*) FROM again");
    assert_eq!(again, 0, "{kind}: effects were started again although they had ended");
    assert_eq!(&told(&verdicts(&lab)), whole, "{kind}: {killed} kills");
    // A page is asked for again only while nobody has written down what it said.
    let mut times: BTreeMap<String, u64> = BTreeMap::new();
    for request in lab.web.requests() {
        *times.entry(format!("{}{}", request.host, request.path)).or_default() += 1;
    }
    let most = times.values().max().copied().unwrap_or_default();
    assert!(most <= 1 + killed, "{kind}: {killed} kills, {times:#?}");
    killed
}

fn verdicts(lab: &Lab) -> Value {
    let id = lab.run(&["list"])["tasks"][0]["task_id"].as_str().unwrap().to_owned();
    lab.run(&["results", "--evidence", &id])
}
