//! Nothing for ever: what is deleted is gone from the disk, what is kept is whole, and the directory shrinks.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use sim::wait::until;

use crate::cli::Home;
use crate::client::Client;

/// An installation with documents: a sea for each number, and its depth.
struct House {
    home: Home,
}

impl House {
    fn new(seas: usize) -> Self {
        let home = Home::new();
        let documents = home.0.path().join("documents");
        fs::create_dir_all(&documents).unwrap();
        for sea in 0..seas {
            let mut text = format!("# Sea {sea}\n\nThe sea named Mare{sea} is {} metres deep.\n", 1_000 + sea);
            for line in 0..20 {
                text.push_str(&format!("\nSounding {line} of Mare{sea} found sand, clay and {} shells.\n", line * sea));
            }
            fs::write(documents.join(format!("sea{sea}.md")), text).unwrap();
        }
        Self { home }
    }

    fn path(&self, below: &str) -> PathBuf {
        self.home.0.path().join(below)
    }

    fn serve(&self) -> Client {
        Client::connect(self.home.0.path())
    }

    fn run(&self, args: &[&str]) -> Value {
        self.home.run(&[&["--json"], args].concat()).json()
    }

    fn database(&self) -> Connection {
        let connection =
            Connection::open_with_flags(self.path("data/hadal.db"), OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
        connection.busy_timeout(sim::wait::SAFETY_NET).unwrap();
        connection
    }

    fn number(&self, sql: &str) -> i64 {
        self.database().query_row(sql, [], |row| row.get(0)).unwrap()
    }

    /// Asks how deep some seas are, and returns the tasks.
    fn ask(&self, client: &mut Client, seas: impl Iterator<Item = usize>) -> Vec<String> {
        let ask = |sea: usize| {
            let query = format!("How deep is the sea named Mare{sea}?");
            let reply = client.call("deep_research", json!({"query": query, "library": [self.path("documents")]}));
            assert_eq!(reply["status"], "completed", "{reply:#}");
            reply["task_id"].as_str().unwrap().to_owned()
        };
        seas.map(ask).collect()
    }

    /// Makes tasks look as if they had ended so many days ago.
    fn age(&self, ids: &[String], days: i64) {
        let database = self.database();
        for id in ids {
            let aged = "UPDATE research_tasks SET completed_at = completed_at - ?2 WHERE task_id = ?1";
            assert_eq!(database.execute(aged, (id, days * 86_400_000)).unwrap(), 1);
        }
    }

    /// Every page that a kept report cites can be read, and nothing is left that belongs to no task.
    fn is_whole(&self) {
        for table in ["effects", "research_results", "sources", "text_uses"] {
            let strangers =
                format!("SELECT count(*) FROM {table} WHERE task_id NOT IN (SELECT task_id FROM research_tasks)");
            assert_eq!(self.number(&strangers), 0, "{table}");
        }
        let cited = "SELECT count(*) FROM sources WHERE page IS NULL OR page NOT IN (SELECT hash FROM pages)";
        assert_eq!(self.number(cited), 0, "a page of a kept report is lost");
        let unused = "SELECT count(*) FROM pages WHERE hash NOT IN (SELECT page FROM sources WHERE page IS NOT NULL)
                      AND hash NOT IN (SELECT hash FROM text_uses)";
        assert_eq!(self.number(unused), 0, "pages that nobody needs");
        let sound: String = self.database().query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(sound, "ok");
    }

    /// What a directory below the home takes on the disk.
    fn bytes(&self, below: &str) -> u64 {
        files(&self.path(below)).map(|path| fs::metadata(path).map_or(0, |file| file.len())).sum()
    }
}

fn files(dir: &Path) -> impl Iterator<Item = PathBuf> {
    walkdir::WalkDir::new(dir)
        .into_iter()
        .flatten()
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| entry.into_path())
}

/// PR-04: a deleted question stands nowhere below the data directory any more, and a kept one does.
#[test]
fn what_is_deleted_is_gone_from_the_disk() {
    let house = House::new(2);
    let ask = |word: &str| {
        let query = format!("How deep is the sea named Mare1, {word}?");
        let reply = house.run(&["deep-research", "--library", "documents", &query]);
        reply["task_id"].as_str().unwrap_or_else(|| panic!("{reply:#}")).to_owned()
    };
    let (gone, kept) = (ask("Quibberwock"), ask("Zanthoriel"));
    let has = |word: &str| {
        let data = house.path("data");
        let mut all = files(&data).map(|path| fs::read(path).unwrap());
        all.any(|bytes| bytes.windows(word.len()).any(|window| window == word.as_bytes()))
    };
    assert!(has("Quibberwock") && has("Zanthoriel"), "the test looks in the wrong place");
    let reply = house.run(&["delete", &gone]);
    assert_eq!(reply["success"], true, "{reply:#}");
    assert!(!has("Quibberwock") && has("Zanthoriel"));
    assert_eq!(house.run(&["results", &kept])["status"], "completed");
    house.is_whole();
}

/// PR-04: the log of the database is folded into it when the last process goes, and a lock file does not stay.
#[test]
fn nothing_is_left_beside_the_database() {
    let house = House::new(1);
    let mut client = house.serve();
    house.ask(&mut client, 0..1);
    assert!(house.bytes("data/hadal.db-wal") > 0, "the server has nothing to fold");
    client.end();
    assert_eq!(house.bytes("data/hadal.db-wal"), 0, "the log was left");
    assert_eq!(files(&house.path("data/owners")).count(), 0, "a lock file was left");
}

/// PR-04: a small question over local documents stores at most 15 KB, its pages included.
#[test]
fn a_small_question_stores_little() {
    let house = House::new(12);
    let mut client = house.serve();
    house.ask(&mut client, 0..2);
    let bytes = |house: &House| {
        house.number("SELECT (SELECT page_count FROM pragma_page_count) * page_size FROM pragma_page_size")
    };
    let before = bytes(&house);
    house.ask(&mut client, 2..12);
    let each = (bytes(&house) - before) / 10;
    assert!(each <= 15_000, "{each} bytes");
}

/// PR-04, the sample: some kept tasks, many more, a prune of these. What is kept is whole, and the directory is about as large as it was.
/// Many of the others cite the same pages. `checks/prune` does the same with 200 and 2,000.
#[test]
fn a_prune_leaves_what_is_kept_and_its_size() {
    let number = |name: &str, sample: usize| std::env::var(name).map_or(sample, |text| text.parse().unwrap());
    let (kept, more) = (number("PRUNE_KEPT", 15), number("PRUNE_MORE", 60));
    let seas = kept + 30;
    let house = House::new(seas);
    let mut client = house.serve();
    let ids = house.ask(&mut client, 0..kept);
    let reports: Vec<Value> = ids.iter().map(|id| house.run(&["results", id])).collect();
    client.end();
    let (before, before_database) = (house.bytes("data"), house.bytes("data/hadal.db"));
    let mut client = house.serve();
    let old = house.ask(&mut client, (0..more).map(|no| (no + kept) % seas));
    house.age(&old, 100);

    let reply = house.run(&["prune", "--older-than", "90d", "--dry-run"]);
    assert_eq!((&reply["tasks"], &reply["dry_run"]), (&json!(more), &json!(true)), "{reply:#}");
    assert_eq!(house.number("SELECT count(*) FROM research_tasks"), i64::try_from(kept + more).unwrap());
    let reply = house.run(&["prune", "--older-than", "90d"]);
    assert_eq!((&reply["tasks"], &reply["success"]), (&json!(more), &json!(true)), "{reply:#}");
    client.end();
    let after = house.bytes("data");
    assert!(after * 10 <= before * 11, "{before} bytes with what is kept, {after} after the prune");
    let database = house.bytes("data/hadal.db");
    tell(&format!("{kept} kept tasks: {before} bytes, of the database {before_database}"));
    tell(&format!("after {more} more and their prune: {after} bytes, of the database {database}"));
    assert!(database * 10 <= before_database * 11, "{before_database} bytes, {database} after the prune");
    for (id, was) in ids.iter().zip(reports) {
        assert_eq!(house.run(&["results", id]), was);
    }
    house.is_whole();
    assert_eq!(house.run(&["prune"])["error"]["code"], "INVALID_ARGUMENT");
    assert_eq!(house.run(&["prune", "--older-than", "soon"])["error"]["code"], "INVALID_ARGUMENT");
}

/// PR-04: with a `retention`, whoever runs deletes what ended longer ago, and nothing else.
#[test]
fn retention_is_kept_by_whoever_runs() {
    let house = House::new(3);
    let mut client = house.serve();
    let ids = house.ask(&mut client, 0..3);
    client.end();
    house.age(&ids[..2], 8);
    // The last upkeep was more than an hour ago.
    house.database().execute("UPDATE upkeep SET at = at - 7200000", []).unwrap();
    let mut command = house.home.command();
    command.env("HADAL_RETENTION", "7d");
    let client = Client::serve(command, &house.path("log"));
    until("the prune", || house.number("SELECT count(*) FROM research_tasks") == 1);
    client.end();
    assert_eq!(house.run(&["results", &ids[2]])["status"], "completed");
    house.is_whole();
}

/// A prune that is killed has deleted each task wholly or not at all; the next one does the rest.
#[test]
fn a_killed_prune_leaves_whole_tasks() {
    let house = House::new(8);
    let mut client = house.serve();
    let ids = house.ask(&mut client, 0..8);
    client.end();
    house.age(&ids[1..], 100);
    for _ in 0..4 {
        let mut prune = house.home.command();
        prune.args(["prune", "--older-than", "90d"]).stdout(Stdio::null()).stderr(Stdio::null());
        killed_while_it_writes(prune, &house.path("data/hadal.db-wal"));
        let left = house.number("SELECT count(*) FROM research_tasks");
        assert!(left == 1 || left == 8, "{left} tasks");
        house.is_whole();
    }
    assert_eq!(house.run(&["prune", "--older-than", "90d"])["success"], true);
    assert_eq!(house.number("SELECT count(*) FROM research_tasks"), 1);
    assert_eq!(house.run(&["results", &ids[0]])["status"], "completed");
    house.is_whole();
}

#[expect(clippy::disallowed_macros, reason = "`checks/prune` reads it")]
fn tell(line: &str) {
    println!("{line}");
}

/// Runs a command and kills it once a file has something in it, or lets it end.
fn killed_while_it_writes(mut command: Command, file: &Path) {
    let mut child = command.spawn().unwrap();
    until("a write or the end", || {
        fs::metadata(file).is_ok_and(|file| file.len() > 0) || child.try_wait().unwrap().is_some()
    });
    // It may have ended in this moment.
    let _ended = child.kill();
    child.wait().unwrap();
}
