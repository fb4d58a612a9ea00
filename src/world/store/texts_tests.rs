//! Long texts out of rows and back into them.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::core::agent::{RunProgress, Snapshot};
use crate::core::base::id::TaskId;
use crate::core::evidence::passage::PageHash;
use crate::core::evidence::passage::Reach;
use crate::core::journal::{Body, End};
use crate::core::model::ask::AskReply;
use crate::core::money::usage::{Usage, Usd};
use crate::core::report::Report;
use crate::core::task::effect::Effect;
use crate::core::task::outcome::Outcome;
use crate::core::task::{Ending, HostedStart};
use crate::world::store::tests::{report, spec};
use crate::world::store::{Claim, Fenced, Store, connect};

/// A database with one task, `t`.
fn database() -> (tempfile::TempDir, Connection) {
    let dir = tempfile::tempdir().unwrap();
    drop(Store::open(dir.path()).unwrap());
    let connection = connect(&dir.path().join("hadal.db")).unwrap();
    let task = "INSERT INTO research_tasks (task_id, query, tool, engine, spec_json, fence, created_at, updated_at)
                VALUES ('t', 'q', 't', 'e', '{}', 1, 0, 0)";
    connection.execute(task, []).unwrap();
    (dir, connection)
}

fn there_and_back(connection: &Connection, value: &Value) {
    let json = value.to_string();
    let packed = pack(json.clone()).unwrap();
    keep(connection, "t", &packed.texts).unwrap();
    assert_eq!(unpack(connection, packed.json).unwrap(), json);
}

#[test]
fn every_long_string_leaves_and_comes_back() {
    let (_dir, connection) = database();
    let long = "a \"quoted\" \\ line\n深\u{1f30a}\u{7}".repeat(60);
    let marks = format!("{{\"$text\":\"{}\"}}", "0".repeat(64));
    for value in [
        json!({"prompt": long, "again": [long, {"deep": long}], "n": 1.5}),
        json!({long.clone(): long}),
        json!([marks, marks.repeat(20), "\\", "\\\"", ""]),
        json!(long),
        json!({"$texts": "x", "text": "$text"}),
    ] {
        there_and_back(&connection, &value);
    }
    let packed = pack(json!({"a": long, "b": long}).to_string()).unwrap();
    assert!(packed.json.len() < 200, "{}", packed.json);
    let stored: i64 = connection
        .query_row("SELECT count(*) FROM pages WHERE bytes = ?1", [long.len() as i64], |row| row.get(0))
        .unwrap();
    assert_eq!(stored, 1, "the same text is stored once");
}

/// What earlier versions wrote has all its strings in it; it is read as it is.
#[test]
fn json_without_places_is_left_alone() {
    let (_dir, connection) = database();
    for json in ["{\"prompt\":\"x\"}", "no JSON \"", "", "{\"a\":\"\\"] {
        assert_eq!(unpack(&connection, json.to_owned()).unwrap(), json);
    }
    let gone = format!("{{\"a\":{{\"$text\":\"{}\"}}}}", "0".repeat(64));
    assert_eq!(unpack(&connection, gone).unwrap_err().code, Code::StoreCorrupt);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_json_comes_back(parts in prop::collection::vec(("[ -~\\n\"\\\\é深]{0,40}", 0_usize..40), 1..6)) {
        let (_dir, connection) = database();
        let strings: Vec<String> = parts.iter().map(|(part, times)| part.repeat(*times)).collect();
        there_and_back(&connection, &json!({"list": strings, "inner": {"one": strings[0]}}));
    }
}

fn hashes(dir: &std::path::Path) -> Vec<i64> {
    let connection = connect(&dir.join("hadal.db")).unwrap();
    let mut statement = connection.prepare("SELECT bytes FROM pages ORDER BY bytes").unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

async fn task(store: &Store, bits: u128) -> Claim {
    store.create(TaskId::from_random(bits), &spec(), None, "1-aa").await.unwrap()
}

/// PR-04: while a task runs its journal has all it needs, with each long text once; when it is over, only what its report rests on
/// is left.
#[tokio::test]
async fn a_task_that_is_over_leaves_what_its_report_rests_on() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let (one, two) = (task(&store, 1).await, task(&store, 2).await);
    let prompt = "Why is the sea deep? ".repeat(100);
    let asked =
        Effect::SearchLibrary { query: prompt.clone(), roots: vec![prompt.clone()], limit: 3, reach: Reach::Words };
    let reply = Outcome::Asked(AskReply { text: "Because. ".repeat(200), ..AskReply::default() });
    let end = End { order: 0, outcome: Some(reply), usage: Usage::ZERO };
    for claim in [one, two] {
        store.archive(claim.id).keep(PageHash("aa".into()), "b".repeat(3_000)).await.unwrap();
        store.archive(claim.id).keep(PageHash("cc".into()), "c".repeat(4_000)).await.unwrap();
        assert_eq!(store.begin(claim, 0, &asked).await.unwrap(), Fenced::Applied(1));
        assert_eq!(store.end(claim, 0, None, end.clone(), 9).await.unwrap(), Fenced::Applied(()));
    }
    let once = [1_800, 2_100, 3_000, 4_000];
    assert_eq!(hashes(dir.path()), once);
    let [row] = &store.load(two.id).await.unwrap().journal[..] else { panic!("not one row") };
    assert_eq!((&row.body, &row.end), (&Body::Effect(asked), &Some(end)));

    let ending = Ending::Completed { report: Report { markdown: "deep ".repeat(500), ..report() } };
    assert!(matches!(store.finish(one, ending.clone(), 9).await.unwrap(), Fenced::Applied(_)));
    assert_eq!(hashes(dir.path()), once, "the other task has use for all of it");
    assert!(matches!(store.finish(two, ending.clone(), 9).await.unwrap(), Fenced::Applied(_)));
    assert_eq!(hashes(dir.path()), [3_000], "the page that the reports cite");
    assert_eq!(store.ending(one.id).await.unwrap(), Some(ending));
}

/// A run at a provider keeps its counts when it is over; its report is in the ending alone.
#[tokio::test]
async fn what_was_live_of_a_run_shrinks_to_its_counts() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let start = HostedStart {
        agent: "deep-research".into(),
        notify: false,
        complexity: "medium",
        estimated: Usd::from_micros(1),
        estimated_ms: 1,
        caps: vec![],
        unless: None,
    };
    let claim = store.create(TaskId::from_random(1), &spec(), Some(start), "1-aa").await.unwrap();
    let last = Snapshot { text: "deep ".repeat(900), thoughts: vec!["hm".into()], searches: 3, ..Snapshot::default() };
    let live = RunProgress { last, ..RunProgress::default() };
    assert_eq!(store.live(claim, live.clone(), "searching".into()).await.unwrap(), Fenced::Applied(()));
    assert!(matches!(store.finish(claim, Ending::Cancelled { partial: None }, 9).await.unwrap(), Fenced::Applied(_)));
    let shown = store.task(claim.id).await.unwrap().unwrap().hosted.unwrap().live.unwrap();
    let counts = Snapshot { text: String::new(), thoughts: vec![], ..live.last };
    assert_eq!(shown.last, counts);
}
