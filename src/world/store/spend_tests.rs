//! Caps and estimates over the rows of what was spent, whatever became of the tasks.

use super::*;
use crate::core::base::error::Code;
use crate::core::base::id::TaskId;
use crate::core::journal::End;
use crate::core::money::budget::SpendCap;
use crate::core::money::usage::Usage;
use crate::core::task::Ending;
use crate::core::task::effect::Effect;
use crate::core::task::outcome::Outcome;
use crate::world::store::tests::{report, spec};
use crate::world::store::{Claim, Fenced, connect, schema, tasks};

const AGENT: &str = "deep-research";

fn usd(dollars: u64) -> Usd {
    Usd::from_micros(dollars * 1_000_000)
}

/// A research thought to cost so much, under a cap of $10 a day that began in 1970.
fn start(dollars: u64) -> HostedStart {
    HostedStart {
        agent: AGENT.into(),
        notify: false,
        complexity: "medium",
        estimated: usd(dollars),
        estimated_ms: 60_000,
        caps: vec![SpendCap { per: "day", since_ms: 0, most: usd(10) }],
        unless: None,
    }
}

async fn create(store: &Store, bits: u128, dollars: u64) -> Result<Claim> {
    store.create(TaskId::from_random(bits), &spec(), Some(start(dollars)), "1-aa").await
}

/// Pays so much and ends.
async fn complete(store: &Store, claim: Claim, used: Usage) {
    let end = End { order: 0, outcome: Some(Outcome::Uncertain), usage: used };
    let effect = Effect::RefreshLibrary { roots: vec![] };
    assert_eq!(store.end(claim, 0, Some(&effect), end, 9).await.unwrap(), Fenced::Applied(()));
    assert!(matches!(
        store.finish(claim, Ending::Completed { report: report() }, 9).await.unwrap(),
        Fenced::Applied(_)
    ));
}

/// What is left of $10 for a new research.
async fn left(store: &Store) -> u64 {
    let fits = async |dollars| {
        let start = start(dollars);
        store.read(move |connection| Ok(admit(connection, &start, false).is_ok())).await.unwrap()
    };
    let mut left = 10;
    while !fits(left).await {
        left -= 1;
    }
    left
}

/// PR-04: deleting gives no money back. What runs counts with its estimate, what ended with its cost, and what ended with an
/// unknown cost with its estimate, also when nothing else is left of it.
#[tokio::test]
async fn what_was_spent_stays_when_its_task_goes() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let known = create(&store, 1, 5).await.unwrap();
    assert_eq!(left(&store).await, 5);
    complete(&store, known, Usage { cost: usd(2), ..Usage::ZERO }).await;
    assert_eq!(left(&store).await, 8);
    let unknown = create(&store, 2, 4).await.unwrap();
    complete(&store, unknown, Usage { cost: usd(1), cost_unknown: true, ..Usage::ZERO }).await;
    assert_eq!(left(&store).await, 4);
    let past = store.past(AGENT).await.unwrap();
    assert_eq!(past.iter().map(|run| run.actual).collect::<Vec<_>>(), [usd(2)], "an unknown cost teaches nothing");

    let raw = connect(&dir.path().join("hadal.db")).unwrap();
    raw.execute_batch(
        "PRAGMA foreign_keys=OFF; DELETE FROM effects; DELETE FROM research_results; DELETE FROM research_tasks;",
    )
    .unwrap();
    assert_eq!(left(&store).await, 4);
    assert_eq!(store.past(AGENT).await.unwrap(), past);
    let refused = create(&store, 3, 5).await.unwrap_err();
    assert!(refused.code == Code::BudgetExceeded && refused.message.contains('$'), "{refused:?}");
    // A guest does not learn what the user spends.
    let refused = create(&store.seen_by(Some("ann".into())), 3, 5).await.unwrap_err();
    assert_eq!(refused.code, Code::BudgetExceeded);
    assert!(!format!("{refused:?}").contains(['$', '6']), "{refused:?}");
}

/// Files of earlier versions: what their tasks cost is taken over, so that no cap is wider after an update.
#[tokio::test]
async fn what_earlier_versions_spent_counts() {
    let dir = tempfile::tempdir().unwrap();
    let old = connect(&dir.path().join("hadal.db")).unwrap();
    schema::make(&old, 3).unwrap();
    let row = |id: &str, status: &str, agent: &str, cost: u64, unknown: u32, plan: &str| {
        old.execute(
            "INSERT INTO research_tasks (task_id, query, status, tool, engine, spec_json, fence, created_at, updated_at,
                 completed_at, agent, complexity, estimated_micros, estimated_ms, cost_micros, cost_unknown)
             VALUES (?1, 'q', ?2, 't', 'gemini-api', ?6, 1, 5, 5, CASE ?2 WHEN 'running' THEN NULL ELSE 9 END,
                 nullif(?3, ''), 'medium', 3000000, 60000, ?4, ?5)",
            params![id, status, agent, tasks::signed(cost), unknown, plan],
        )
        .unwrap();
    };
    let plan = r#"{"plan":{"create":{"plan_only":true}}}"#;
    row("known", "completed", AGENT, 2_000_000, 0, "{}");
    row("plan", "completed", AGENT, 1_000_000, 0, plan);
    row("lost", "failed", AGENT, 0, 1, "no JSON");
    row("chat", "completed", "", 7_000_000, 0, "{}");
    drop(old);
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(left(&store).await, 4, "two, one, and three that are thought");
    let past = store.past(AGENT).await.unwrap();
    assert_eq!(past.iter().map(|run| (run.actual, run.duration_ms)).collect::<Vec<_>>(), [(usd(2), 4)]);
}
