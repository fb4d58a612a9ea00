//! The store on real files, and what it says when the file is not as it should be.

use std::fs;
use std::path::Path;
use std::sync::mpsc;

use super::*;
use crate::core::base::engine::{EngineChoice, EngineName};
use crate::core::base::id::TaskId;
use crate::core::evidence::claim::{Claim as Statement, Verdict};
use crate::core::evidence::passage::PageHash;
use crate::core::journal::{Body, End};
use crate::core::method::{Plan, TaskSpec};
use crate::core::money::budget::Budget;
use crate::core::money::usage::{Usage, Usd};
use crate::core::report::{Report, Source, StopReason};
use crate::core::task::effect::Effect;
use crate::core::task::outcome::Outcome;
use crate::core::task::{Ending, Progress, Status, Tool};
use crate::core::text::spans::Span;

pub(super) fn spec() -> TaskSpec {
    let plan = crate::core::method::scripted::ScriptedPlan { stages: vec![] };
    TaskSpec {
        evidence: crate::core::base::engine::EvidenceMode::Off,
        opinion: None,
        tool: Tool::Scripted,
        query: "why?".into(),
        engine: EngineChoice { name: EngineName::Extractive, reason: "test".into() },
        budget: Budget::default(),
        plan: Plan::Scripted(plan),
    }
}

pub(super) fn report() -> Report {
    let source = |number, page: &str| Source {
        number,
        title: "A page".into(),
        location: "docs/a.md".into(),
        lines: None,
        page: Some(PageHash(page.into())),
        claimed: false,
    };
    Report {
        ignored_arguments: vec![],
        markdown: "# Why\n\nBecause [1].".into(),
        sources: vec![source(1, "aa"), source(2, "not archived")],
        claims: vec![Statement {
            text: "Because".into(),
            source: 1,
            verdict: Verdict::Supported,
            span: Some(Span { start: 0, end: 7 }),
        }],
        rounds: vec![],
        problems_beyond: 0,
        problems: vec![],
        stop_reason: StopReason::GoodEnough,
        verified: false,
        partial: false,
        model: None,
        engine: None,
        strategy: None,
        note: None,
        explain: None,
        evidence: None,
    }
}

fn effect() -> Effect {
    Effect::RefreshLibrary { roots: vec![] }
}

fn end(order: u32, cost: u64) -> End {
    let usage = Usage { tokens_in: 3, tokens_out: 4, cost: Usd::from_micros(cost), ..Usage::ZERO };
    End { order, outcome: Some(Outcome::Uncertain), usage }
}

async fn created(store: &Store, bits: u128) -> Claim {
    store.create(TaskId::from_random(bits), &spec(), None, "1-aa").await.unwrap()
}

#[tokio::test]
async fn what_is_written_is_read_back() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let claim = created(&store, 1).await;
    assert_eq!(store.begin(claim, 0, &effect()).await.unwrap(), Fenced::Applied(1));
    assert_eq!(store.begin(claim, 0, &effect()).await.unwrap(), Fenced::Applied(2));
    assert_eq!(store.end(claim, 0, None, end(0, 5), 90).await.unwrap(), Fenced::Applied(()));
    let shown = Progress::new(None, "reading".into());
    assert_eq!(store.progress(claim, shown.clone()).await.unwrap(), Fenced::Applied(()));

    // Another process sees all of it.
    let other = Store::open(dir.path()).unwrap();
    let view = other.task(claim.id).await.unwrap().unwrap();
    assert_eq!((view.status, view.progress, view.usage.cost), (Status::Running, shown, Usd::from_micros(5)));
    let stored = other.load(claim.id).await.unwrap();
    assert_eq!((stored.spec, stored.active_ms), (spec(), 90));
    let [row] = &stored.journal[..] else { panic!("{:?}", stored.journal) };
    assert_eq!((&row.body, row.tries, &row.end), (&Body::Effect(effect()), 2, &Some(end(0, 5))));

    store.archive(claim.id).keep(PageHash("aa".into()), "Because".repeat(1_000)).await.unwrap();
    store.archive(claim.id).keep(PageHash("aa".into()), "Because".repeat(1_000)).await.unwrap();
    let ending = Ending::Completed { report: report() };
    assert_eq!(store.finish(claim, ending.clone(), 120).await.unwrap(), Fenced::Applied(NotifyUser::No));
    assert_eq!(other.ending(claim.id).await.unwrap(), Some(ending));
    assert_eq!(other.page(PageHash("aa".into())).await.unwrap(), Some("Because".repeat(1_000)));
    assert_eq!(other.page(PageHash("bb".into())).await.unwrap(), None);
}

#[tokio::test]
async fn a_final_state_never_changes() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let claim = created(&store, 1).await;
    assert_eq!(
        store.finish(claim, Ending::Cancelled { partial: None }, 1).await.unwrap(),
        Fenced::Applied(NotifyUser::No)
    );
    assert_eq!(store.finish(claim, Ending::Completed { report: report() }, 1).await.unwrap(), Fenced::Lost);
    assert_eq!(store.begin(claim, 0, &effect()).await.unwrap(), Fenced::Lost);
    assert_eq!(store.end(claim, 0, None, end(0, 5), 90).await.unwrap(), Fenced::Lost);
    assert_eq!(store.progress(claim, Progress::default()).await.unwrap(), Fenced::Lost);
    assert!(!store.request_cancel(claim.id, true).await.unwrap());
    assert_eq!(store.task(claim.id).await.unwrap().unwrap().status, Status::Cancelled);
}

/// Two claim the same orphan: one gets it, and the old owner's writes reach nothing.
#[tokio::test]
async fn one_claim_wins_and_the_old_owner_is_fenced_out() {
    let dir = tempfile::tempdir().unwrap();
    let (one, two) = (Store::open(dir.path()).unwrap(), Store::open(dir.path()).unwrap());
    let old = created(&one, 1).await;
    let orphan = one.orphans("2-bb").await.unwrap().pop().unwrap();
    let (first, second) = tokio::join!(one.claim(&orphan, "2-bb"), two.claim(&orphan, "3-cc"));
    let won = [first.unwrap(), second.unwrap()].into_iter().filter(|claim| *claim != Fenced::Lost).count();
    assert_eq!(won, 1);
    assert_eq!(one.begin(old, 0, &effect()).await.unwrap(), Fenced::Lost);
    assert_eq!(one.finish(old, Ending::Cancelled { partial: None }, 1).await.unwrap(), Fenced::Lost);
}

#[tokio::test]
async fn a_released_task_is_nobodys_and_its_stopped_effects_are_no_tries() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let claim = created(&store, 1).await;
    assert_eq!(store.begin(claim, 0, &effect()).await.unwrap(), Fenced::Applied(1));
    assert_eq!(store.release(claim, Release::ToAnybody, 50).await.unwrap(), Fenced::Applied(()));
    assert_eq!(store.release(claim, Release::ToAnybody, 50).await.unwrap(), Fenced::Lost);
    assert_eq!(store.orphans("1-aa").await.unwrap()[0].owner, None);
    assert_eq!(store.load(claim.id).await.unwrap().journal[0].tries, 0);

    // An owner that did not start it takes no try off it.
    let orphan = store.orphans("1-aa").await.unwrap().pop().unwrap();
    let Fenced::Applied(next) = store.claim(&orphan, "2-bb").await.unwrap() else { panic!("not claimed") };
    assert_eq!(store.release(next, Release::ToAnybody, 60).await.unwrap(), Fenced::Applied(()));
    assert_eq!(store.load(claim.id).await.unwrap().journal[0].tries, 0);
}

#[tokio::test]
async fn many_writes_at_once_all_stand() {
    let dir = tempfile::tempdir().unwrap();
    let (one, two) = (Store::open(dir.path()).unwrap(), Store::open(dir.path()).unwrap());
    let writes = (0..300).map(|n| {
        let store = if n % 2 == 0 { one.clone() } else { two.clone() };
        tokio::spawn(async move { store.create(TaskId::from_random(n), &spec(), None, "1-aa").await })
    });
    for write in writes.collect::<Vec<_>>() {
        write.await.unwrap().unwrap();
    }
    assert_eq!(one.list(None, None, 1_000).await.unwrap().len(), 300);
}

/// HR-17: a thousand who read at once are not a thousand connections.
#[tokio::test]
async fn reads_take_turns() {
    const CALLERS: usize = limits::STORE_READERS * 5;
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let (tell, began) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let released = Arc::new(Mutex::new(released));
    let reads: Vec<_> = (0..CALLERS)
        .map(|_| {
            let (store, tell, released) = (store.clone(), tell.clone(), Arc::clone(&released));
            let job = move |_: &Connection| {
                tell.send(()).unwrap();
                released.lock().unwrap().recv().unwrap();
                Ok(())
            };
            tokio::spawn(async move { store.read(job).await })
        })
        .collect();
    // Each has asked for its turn by now, and those who have one are at work before this is.
    tokio::task::yield_now().await;
    crate::world::blocking("a read of nothing", || Ok(())).await.unwrap();
    for _ in 0..limits::STORE_READERS {
        began.recv().unwrap();
    }
    assert!(began.try_recv().is_err(), "more read than may");
    for _ in 0..CALLERS {
        release.send(()).unwrap();
    }
    for read in reads {
        read.await.unwrap().unwrap();
    }
    assert_eq!(began.try_iter().count(), CALLERS - limits::STORE_READERS);
}

/// One job that fails is undone alone; what was committed with it stands.
#[tokio::test]
async fn a_failed_write_undoes_only_itself() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let claim = created(&store, 1).await;
    let same = spec();
    let (again, other) = tokio::join!(store.create(claim.id, &same, None, "1-aa"), created(&store, 2));
    assert_eq!(again.unwrap_err().code, Code::StoreUnavailable);
    assert!(store.task(other.id).await.unwrap().is_some());
}

#[tokio::test]
async fn a_full_disk_is_an_error_and_keeps_what_was_written() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let claim = created(&store, 1).await;
    assert!(dir.path().join("ballast").exists());
    store.write(|connection| Ok(connection.execute_batch("PRAGMA max_page_count=1")?)).await.unwrap();
    let noise: String = (0..200_000_u64).map(|n| format!("{:x}", n.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    let error = store.archive(claim.id).keep(PageHash("cc".into()), noise).await.unwrap_err();
    assert_eq!(error.code, Code::StoreFull);
    assert!(!dir.path().join("ballast").exists(), "the reserve was not given back");
    assert!(store.task(claim.id).await.unwrap().is_some());
    store.write(|connection| Ok(connection.execute_batch("PRAGMA max_page_count=100000")?)).await.unwrap();
    assert_eq!(store.begin(claim, 0, &effect()).await.unwrap(), Fenced::Applied(1));
}

#[tokio::test]
async fn a_write_waits_for_another_process() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let held = connect(&dir.path().join("hadal.db")).unwrap();
    held.execute_batch("BEGIN IMMEDIATE").unwrap();
    let write = tokio::spawn({
        let store = store.clone();
        async move { created(&store, 1).await }
    });
    // Reads do not wait, and while the lock is held the write is not done.
    assert!(store.list(None, None, 10).await.unwrap().is_empty());
    assert!(!write.is_finished());
    held.execute_batch("COMMIT").unwrap();
    assert!(store.task(write.await.unwrap().id).await.unwrap().is_some());
}

fn code_of(dir: &Path) -> Code {
    Store::open(dir).unwrap_err().code
}

#[test]
fn files_that_are_no_database_of_ours_are_refused_untouched() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("hadal.db");
    let garbage = vec![0x5a; 8_192];
    fs::write(&file, &garbage).unwrap();
    assert_eq!(code_of(dir.path()), Code::StoreCorrupt);
    assert_eq!(fs::read(&file).unwrap(), garbage);

    fs::remove_file(&file).unwrap();
    connect(&file).unwrap().execute_batch("CREATE TABLE recipes (soup TEXT)").unwrap();
    assert_eq!(code_of(dir.path()), Code::StoreCorrupt);
}

#[test]
fn a_database_of_a_newer_hadal_is_refused_untouched() {
    let dir = tempfile::tempdir().unwrap();
    drop(Store::open(dir.path()).unwrap());
    connect(&dir.path().join("hadal.db")).unwrap().pragma_update(None, "user_version", 999).unwrap();
    let error = Store::open(dir.path()).unwrap_err();
    assert_eq!(error.code, Code::StoreNewer);
    assert!(error.message.contains("999"), "{error}");
}

#[test]
fn a_directory_that_cannot_be_made_is_said() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("file"), "x").unwrap();
    let error = Store::open(&dir.path().join("file/data")).unwrap_err();
    assert_eq!(error.code, Code::StoreReadOnly);
    assert!(error.hints[0].contains("HADAL_HOME"), "{error:?}");
}

#[test]
fn damage_inside_the_file_is_found_by_the_check() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    store.check().unwrap();
    drop(store);
    let file = dir.path().join("hadal.db");
    connect(&file).unwrap().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let mut bytes = fs::read(&file).unwrap();
    let page = bytes.len() / 2;
    bytes[page..page + 4_096].fill(0xff);
    fs::write(&file, bytes).unwrap();
    assert_eq!(Store::open(dir.path()).and_then(|store| store.check()).unwrap_err().code, Code::StoreCorrupt);
}

/// HR-18: the directory, the file and the tables make themselves, also when two processes start at once.
#[test]
fn the_store_makes_itself_once() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("deep/down");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| Store::open(&data).unwrap());
        }
    });
    assert!(Store::exists(&data));
}

/// What is acknowledged is on disk: no write is made with less than `synchronous=FULL`, which SQLite calls 2.
#[tokio::test]
async fn every_write_is_flushed() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let ask = |connection: &rusqlite::Connection| {
        let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        let flushed: i64 = connection.pragma_query_value(None, "synchronous", |row| row.get(0))?;
        Ok((mode, flushed))
    };
    assert_eq!(store.write(ask).await.unwrap(), ("wal".to_owned(), 2));
}

/// SQLite only says "disk I/O error"; whether the disk is full is asked of the disk. That of `/proc` has never any room.
#[cfg(target_os = "linux")]
#[test]
fn an_io_error_on_a_full_disk_says_so() {
    let dir = tempfile::tempdir().unwrap();
    for (dir, code) in [(Path::new("/proc"), Code::StoreFull), (dir.path(), Code::StoreUnavailable)] {
        let error = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_IOERR), None);
        let error = fault::at(&dir.join("hadal.db"), error);
        assert_eq!(error.code, code, "{error}");
    }
}

/// MC-01: a guest has only so many tasks that are not over; others are not kept waiting by it. Its list is read by its index.
#[tokio::test]
async fn mc_01_a_guest_has_only_so_many_tasks() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let (ann, bob) = (store.seen_by(Some("ann".into())), store.seen_by(Some("bob".into())));
    let most = u128::from(limits::GUEST_TASKS);
    for bits in 0..most {
        ann.create(TaskId::from_random(bits), &spec(), None, "me").await.unwrap();
    }
    let refused = ann.create(TaskId::from_random(most), &spec(), None, "me").await.unwrap_err();
    assert_eq!(refused.code, Code::TooManyTasks);
    bob.create(TaskId::from_random(most + 1), &spec(), None, "me").await.unwrap();
    store.create(TaskId::from_random(most + 2), &spec(), None, "me").await.unwrap();
    assert_eq!(
        (ann.list(None, None, 100).await.unwrap().len(), bob.list(None, None, 100).await.unwrap().len()),
        (20, 1)
    );
    assert_eq!(store.list(None, None, 100).await.unwrap().len(), 22);
    let plan: Vec<String> = store
        .read(|connection| {
            let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {}", tasks::listing(true)))?;
            let rows = statement.query_map(rusqlite::params!["completed", 10, "ann", 5, "x"], |row| row.get(3))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
        .unwrap();
    assert!(plan.concat().contains("tasks_principal"), "{plan:?}");
}
