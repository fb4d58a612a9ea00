//! Real processes killed at random: nothing is lost, nothing paid is done twice, and the sums are exact.
//!
//! `hadal serve` processes with an open stdin are the workers; `hadal scripted --start-only` leaves tasks for them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use sim::wait::until;
use tempfile::TempDir;

pub(crate) struct House {
    home: TempDir,
}

/// A worker process; killed when dropped.
pub(crate) struct Worker(Child);

impl Drop for Worker {
    fn drop(&mut self) {
        let _already_dead = self.0.kill();
        let _reaped = self.0.wait();
    }
}

impl House {
    pub(crate) fn new() -> Self {
        Self { home: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.home.path()
    }

    pub(crate) fn invoice(&self) -> PathBuf {
        self.home.path().join("invoice")
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hadal"));
        command
            .env_clear()
            .env("HADAL_BACKGROUND", "no")
            .env("HADAL_WEB", "no")
            .env("HADAL_HOME", self.home.path())
            .env("HADAL_MAX_TASKS", "64");
        command
    }

    pub(crate) fn worker(&self) -> Worker {
        let mut command = self.command();
        command.arg("serve").stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        Worker(command.spawn().unwrap())
    }

    /// Writes tasks that nobody runs yet.
    pub(crate) fn leave(&self, scripts: &[Value]) -> Vec<String> {
        self.leave_with(self.command(), scripts)
    }

    /// The same, with settings of its own.
    pub(crate) fn leave_with(&self, mut command: Command, scripts: &[Value]) -> Vec<String> {
        let files: Vec<PathBuf> =
            (0..scripts.len()).map(|n| self.home.path().join(format!("script-{n}.json"))).collect();
        for (file, script) in files.iter().zip(scripts) {
            std::fs::write(file, script.to_string()).unwrap();
        }
        let output = command.args(["scripted", "--start-only"]).args(&files).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(|line| line.split(' ').next().unwrap().to_owned())
            .collect()
    }

    pub(crate) fn database(&self) -> Connection {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
        let connection = Connection::open_with_flags(self.home.path().join("data/hadal.db"), flags).unwrap();
        connection.busy_timeout(sim::wait::SAFETY_NET).unwrap();
        connection
    }

    /// The invoice's lines, each with how often it stands there.
    pub(crate) fn billed(&self) -> BTreeMap<String, usize> {
        let mut lines = BTreeMap::new();
        for line in std::fs::read_to_string(self.invoice()).unwrap_or_default().lines() {
            *lines.entry(line.to_owned()).or_default() += 1;
        }
        lines
    }
}

fn number(database: &Connection, sql: &str) -> i64 {
    database.query_row(sql, [], |row| row.get(0)).unwrap()
}

const UNFINISHED: &str = "SELECT count(*) FROM research_tasks WHERE status IN ('pending', 'running')";
const ENDED: &str = "SELECT count(*) FROM effects WHERE ended_order IS NOT NULL";

/// A small generator: a failed run can be repeated from its seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// A task of `stages` stages: free and paid steps side by side, a few milliseconds each.
fn script(invoice: &Path, stages: usize, dice: &mut Dice) -> Value {
    let stage = |n: usize, dice: &mut Dice| {
        let paid = json!({"key": format!("paid-{n:03}"), "act": "paid", "ms": 2 + dice.roll(12),
            "micros": 1_000 + n, "tokens": 10, "invoice": invoice});
        let work = json!({"key": format!("work-{n:03}"), "act": "work", "ms": 2 + dice.roll(12)});
        if n % 3 == 2 { json!([paid]) } else { json!([work, paid]) }
    };
    json!({"stages": (0..stages).map(|n| stage(n, dice)).collect::<Vec<_>>()})
}

fn expected_report(stages: usize) -> String {
    let paid = (0..stages).map(|n| format!("paid-{n:03}=paid"));
    let work = (0..stages).filter(|n| n % 3 != 2).map(|n| format!("work-{n:03}=done"));
    paid.chain(work).collect::<Vec<_>>().join("\n")
}

fn expected_micros(stages: usize) -> i64 {
    (0..stages).map(|n| 1_000 + i64::try_from(n).unwrap()).sum()
}

/// Every task has the report of an uninterrupted run, each paid step is billed once, and the sums of the tasks and of
/// their journals are what was billed.
fn check_all(house: &House, ids: &[String], stages: usize) {
    let database = house.database();
    for id in ids {
        let (status, cost): (String, i64) = database
            .query_row("SELECT status, cost_micros FROM research_tasks WHERE task_id = ?1", [id], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .unwrap();
        let ending = crate::stored::ending(&database, id);
        let report = ending["report"]["markdown"].as_str().unwrap();
        assert_eq!((status.as_str(), report), ("completed", expected_report(stages).as_str()), "{id}");
        assert_eq!(cost, expected_micros(stages), "{id}");
        let journal: i64 = database
            .query_row("SELECT sum(cost_micros) FROM effects WHERE task_id = ?1", [id], |row| row.get(0))
            .unwrap();
        assert_eq!(journal, cost, "{id}");
    }
    let billed = house.billed();
    assert_eq!(billed.len(), ids.len() * stages);
    let twice: Vec<_> = billed.iter().filter(|(_, times)| **times != 1).collect();
    assert!(twice.is_empty(), "billed more than once: {twice:?}");
}

/// RS-01: kills at random moments of a process that always has several tasks in hand. `checks/kills` asks for more.
#[test]
fn kills_lose_nothing_and_repeat_nothing_paid() {
    let kills = crate::kills::asked_for().unwrap_or(60);
    const TASKS: i64 = 6;
    const STAGES: usize = 60;
    let house = House::new();
    let mut dice = Dice(2_026);
    let mut ids = house.leave(&[script(&house.invoice(), STAGES, &mut dice)]);
    let database = house.database();
    for _ in 0..kills {
        while number(&database, UNFINISHED) < TASKS {
            ids.extend(house.leave(&[script(&house.invoice(), STAGES, &mut dice)]));
        }
        let worker = house.worker();
        // A life long enough to get somewhere, and an end at no particular point of it: what is looked for has happened at any time
        // since the look before.
        let goal = number(&database, ENDED) + 4 + i64::try_from(dice.roll(10)).unwrap();
        until("a worker gets on", || number(&database, ENDED) >= goal);
        drop(worker);
    }
    assert!(number(&database, UNFINISHED) > 0, "the last life has nothing to do");
    let _undisturbed = house.worker();
    until("the rest is done", || number(&database, UNFINISHED) == 0);
    check_all(&house, &ids, STAGES);
}

/// Several processes on one database: every task is run, by one owner at a time.
#[test]
fn two_and_eight_processes_share_the_work() {
    for (workers, seed) in [(2, 7), (8, 8)] {
        const TASKS: usize = 16;
        const STAGES: usize = 12;
        let house = House::new();
        let mut dice = Dice(seed);
        let scripts: Vec<Value> = (0..TASKS).map(|_| script(&house.invoice(), STAGES, &mut dice)).collect();
        let ids = house.leave(&scripts);
        let mut running: Vec<Worker> = (0..workers).map(|_| house.worker()).collect();
        let database = house.database();
        until("some work is done", || number(&database, ENDED) > 20);
        // One dies; the others take what it had.
        drop(running.pop());
        until("all tasks are over", || number(&database, UNFINISHED) == 0);
        check_all(&house, &ids, STAGES);
    }
}

const OWNERS: &str = "SELECT count(DISTINCT owner) FROM research_tasks WHERE status IN ('pending', 'running')";

/// A paused owner keeps its task; a dead one loses it.
#[test]
fn a_paused_owner_is_not_robbed_and_a_dead_one_is() {
    let house = House::new();
    let long = json!({"stages": [[{"key": "long", "act": "work", "ms": 3_600_000}]]});
    house.leave(&[long]);
    let database = house.database();
    let owner = || -> Option<String> {
        database
            .query_row("SELECT owner FROM research_tasks ORDER BY created_at LIMIT 1", [], |row| row.get(0))
            .unwrap()
    };
    let first = house.worker();
    // Its only effect is journalled: nothing more is written, so no transaction is open while it is paused.
    let begun = "SELECT count(*) FROM effects JOIN research_tasks USING (task_id)
                 WHERE owner IS NOT NULL AND effects.fence = research_tasks.fence";
    until("somebody works on the task", || number(&database, begun) == 1);
    let held = owner();
    assert!(held.as_deref().unwrap().starts_with(&format!("{}-", first.0.id())));
    let pid = rustix::process::Pid::from_child(&first.0);
    rustix::process::kill_process(pid, rustix::process::Signal::STOP).unwrap();

    // A second process lives and works beside the paused one for many of its looks around.
    let second = house.worker();
    let quick = json!({"stages": (0..40).map(|n| json!([{"key": format!("{n}"), "act": "work", "ms": 50}])).collect::<Vec<_>>()});
    house.leave(&[quick]);
    until("the second worker finishes its own task", || number(&database, UNFINISHED) == 1);
    assert_eq!(owner(), held, "a paused owner was robbed");

    rustix::process::kill_process(pid, rustix::process::Signal::CONT).unwrap();
    drop(first);
    until("the dead owner's task is adopted", || {
        owner().is_some_and(|now| now.starts_with(&format!("{}-", second.0.id())))
    });
    assert_eq!(number(&database, OWNERS), 1);
}

/// A task that ends its process again and again is given up, and does not take others with it.
#[test]
fn a_task_that_kills_its_process_is_given_up() {
    let house = House::new();
    let poison = json!({"stages": [[{"key": "a", "act": "work", "ms": 1}], [{"key": "bang", "act": "abort"}]]});
    let innocent = json!({"stages": [[{"key": "slow", "act": "work", "ms": 700}]]});
    let ids = house.leave(&[poison, innocent]);
    let database = house.database();
    let mut lives = 0;
    while number(&database, UNFINISHED) > 0 {
        lives += 1;
        assert!(lives < 20, "poison is never given up");
        let mut worker = house.worker();
        until("the worker dies or the work is done", || {
            worker.0.try_wait().unwrap().is_some() || number(&database, UNFINISHED) == 0
        });
    }
    let status = |id: &String| -> (String, Option<String>) {
        let sql = "SELECT status, error_json FROM research_tasks WHERE task_id = ?1";
        database.query_row(sql, [id], |row| Ok((row.get(0)?, row.get(1)?))).unwrap()
    };
    let (poisoned, error) = status(&ids[0]);
    assert_eq!(poisoned, "failed");
    assert!(error.unwrap().contains("TASK_POISONED"));
    assert_eq!(status(&ids[1]).0, "completed");
}
