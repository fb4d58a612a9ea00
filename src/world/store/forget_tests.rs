//! What earlier versions left, made small once.

use super::*;
use crate::core::evidence::passage::Reach;
use crate::core::journal::Body;
use crate::core::task::effect::Effect;
use crate::world::store::tests::spec;
use crate::world::store::{connect, schema, space, tasks};

fn number(connection: &Connection, sql: &str) -> i64 {
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// A file of version 3: twenty ended tasks and one that runs, with long journals, and a page that no report cites.
fn old_file(dir: &std::path::Path) -> Connection {
    let path = dir.join("hadal.db");
    #[expect(
        clippy::disallowed_methods,
        reason = "the file is made as an earlier version did, which could not shrink it"
    )]
    let old = Connection::open(&path).unwrap();
    old.execute_batch("PRAGMA journal_mode=WAL").unwrap();
    schema::make(&old, 3).unwrap();
    let spec = tasks::json(&spec()).unwrap();
    let query = "Why is the sea deep? ".repeat(1_000);
    let body =
        tasks::json(&Body::Effect(Effect::SearchLibrary { query, roots: vec![], limit: 3, reach: Reach::Words }))
            .unwrap();
    for no in 0..21_u128 {
        let id = TaskId::from_random(no).to_string();
        let (status, ended) = if no == 0 { ("running", None) } else { ("completed", Some(9)) };
        let task = "INSERT INTO research_tasks (task_id, query, status, tool, engine, spec_json, fence, created_at, updated_at,
                    completed_at) VALUES (?1, 'q', ?2, 't', 'e', ?3, 1, 5, 5, ?4)";
        old.execute(task, params![id, status, spec, ended]).unwrap();
        let effect =
            "INSERT INTO effects (task_id, no, body_json, paid, tries, fence, started_at, ended_order, outcome_json)
                      VALUES (?1, 0, ?2, 0, 1, 1, 5, 0, ?3)";
        let outcome = format!(
            "{{\"outcome\":\"archived\",\"pages\":[\"{}\"],\"problems\":[]}}",
            if no == 0 { "aa" } else { "bb" }
        );
        old.execute(effect, params![id, body, outcome]).unwrap();
    }
    for hash in ["aa", "bb"] {
        let page = "INSERT INTO pages (hash, bytes, text_zstd, archived_at) VALUES (?1, 9, ?2, 5)";
        old.execute(page, params![hash, texts::compress("the page.").unwrap()]).unwrap();
    }
    old
}

/// PR-04: an old file is compacted once. What runs keeps its journal and its pages.
#[tokio::test]
async fn an_old_file_is_made_small_once() {
    let dir = tempfile::tempdir().unwrap();
    drop(old_file(dir.path()));
    let store = Store::open(dir.path()).unwrap();
    let running = TaskId::from_random(0);
    let before = (store.bytes(), store.load(running).await.unwrap().journal);
    assert!(store.upkeep_is_due().await.unwrap());
    assert!(!store.upkeep_is_due().await.unwrap(), "once an hour, by one process");
    let mut batches = 0;
    while store.shrink_some().await.unwrap() {
        batches += 1;
    }
    assert!(batches > 0);
    store.remove_unused_texts().await.unwrap();
    store.reclaim().unwrap();
    assert!(store.bytes() * 2 < before.0, "{} of {} bytes", store.bytes(), before.0);
    let raw = connect(&dir.path().join("hadal.db")).unwrap();
    assert_eq!(number(&raw, "SELECT auto_vacuum FROM pragma_auto_vacuum"), 2);
    assert_eq!(number(&raw, "SELECT count(*) FROM effects"), 21, "what a task did is still told");
    assert_eq!(store.load(running).await.unwrap().journal, before.1);
    let pages: String = raw.query_row("SELECT group_concat(hash) FROM pages", [], |row| row.get(0)).unwrap();
    assert_eq!(pages, "aa", "what the running task has archived");
    store.check().unwrap();
}

/// Where there is no room for a copy, the file stays as it is.
#[test]
fn a_copy_needs_twice_the_room_of_what_is_used() {
    let space = space::Space { pages: 1_000, free: 400, page_bytes: 4_096, shrinks: true };
    assert!(space.is_wasted());
    assert_eq!(space.needed(), 600 * 4_096 * 2 + limits::STORE_BALLAST_ROOM_BYTES);
    assert!(!space::Space { free: 100, ..space }.is_wasted());
    assert!(space::Space { free: 0, shrinks: false, ..space }.is_wasted(), "a file of an earlier version");
}
