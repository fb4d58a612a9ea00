//! The engine over a real store, with scripted tasks. Each test starts more than one engine where the point is
//! what happens between processes; the crash tests with real processes are in `tests/it`.

use std::path::Path;
use std::time::Duration;

use sim::wait::{SAFETY_NET, until_beside};
use tempfile::TempDir;

use super::waiting::Wakes;
use super::{Adopt, Engine, ListFilter};
use crate::core::base::engine::{EngineChoice, EngineName};
use crate::core::base::error::Code;
use crate::core::base::id::TaskId;
use crate::core::method::scripted::ScriptedPlan as Script;
use crate::core::method::{Plan, TaskSpec};
use crate::core::money::budget::Budget;
use crate::core::money::usage::Usd;
use crate::core::report::StopReason;
use crate::core::setup::settings::Settings;
use crate::core::task::scripted::{Act, Step};
use crate::core::task::{Ending, Status, Tool};

const LONG: u64 = 3_600_000;

fn engine(home: &Path, adopt: Adopt) -> Engine {
    Engine::new(&Settings { max_tasks: 4, ..Settings::defaults(home) }, adopt)
}

fn spec(stages: Vec<Vec<Step>>) -> TaskSpec {
    TaskSpec {
        evidence: crate::core::base::engine::EvidenceMode::Off,
        opinion: None,
        tool: Tool::Scripted,
        query: "a scripted task".into(),
        engine: EngineChoice { name: EngineName::Extractive, reason: "test".into() },
        budget: Budget::default(),
        plan: Plan::Scripted(Script { stages }),
    }
}

fn work(key: &str, ms: u64) -> Step {
    Step::new(key, Act::Work { ms })
}

fn paid(home: &TempDir, key: &str, micros: u64) -> Step {
    let invoice = home.path().join("invoice").display().to_string();
    Step::new(key, Act::Paid { ms: 1, micros, tokens: 10, invoice })
}

async fn completed(engine: &Engine, id: TaskId) -> String {
    let view = engine.wait(id, Some(SAFETY_NET)).await.unwrap();
    let (_, ending) = engine.ending(id).await.unwrap();
    match ending {
        Some(Ending::Completed { report }) => report.markdown,
        other => panic!("{view:?} ended as {other:?}"),
    }
}

/// Two steps shortly after one another: the row says the second, although it came too soon to be written at once.
#[tokio::test(flavor = "multi_thread")]
async fn the_row_says_what_the_task_is_at() {
    let home = tempfile::tempdir().unwrap();
    let engine = engine(home.path(), Adopt::Nothing);
    let id = engine.start(spec(vec![vec![work("a", 1)], vec![work("b", LONG)]])).await.unwrap();
    let view = engine
        .wait_until(id, Some(SAFETY_NET), Wakes::ByNews, |view| view.progress.action == "stage 2 of 2")
        .await
        .unwrap();
    assert_eq!(view.progress.action, "stage 2 of 2");
    engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_runs_to_its_end_and_its_row_says_so() {
    let home = tempfile::tempdir().unwrap();
    let engine = engine(home.path(), Adopt::Nothing);
    let script = vec![vec![work("a", 1), paid(&home, "b", 40)], vec![paid(&home, "c", 2)]];
    let id = engine.start(spec(script)).await.unwrap();
    assert_eq!(completed(&engine, id).await, "a=done\nb=paid\nc=paid");
    let view = engine.task(id).await.unwrap();
    assert_eq!((view.status, view.progress.percent), (Status::Completed, Some(100)));
    assert_eq!((view.usage.cost, view.usage.tokens()), (Usd::from_micros(42), 20));
    assert_eq!(engine.list(ListFilter::default()).await.unwrap().len(), 1);
}

/// RS-01: a task given back in good order is finished by the next process; nothing paid is repeated.
#[tokio::test(flavor = "multi_thread")]
async fn a_shut_down_task_is_finished_by_the_next_process() {
    // On a machine that is too slow to shut down in this time, the stage takes longer.
    let mut found = None;
    for ms in [400, 4_000, 40_000] {
        let home = tempfile::tempdir().unwrap();
        let first = engine(home.path(), Adopt::Nothing);
        let script = vec![vec![paid(&home, "a", 5)], vec![work("b", ms)], vec![paid(&home, "c", 6)]];
        let mut events = first.watch();
        let id = first.start(spec(script)).await.unwrap();
        while !format!("{:?}", events.recv().await.unwrap()).contains("stage 2 of 3") {}
        first.shutdown().await;
        assert_eq!(first.start(spec(vec![])).await.unwrap_err().code, Code::ShuttingDown);
        if !first.task(id).await.unwrap().status.is_final() {
            found = Some((home, id));
            break;
        }
    }
    let (home, id) = found.expect("a task that was stopped in its second stage");
    let second = engine(home.path(), Adopt::All);
    assert_eq!(completed(&second, id).await, "a=paid\nb=done\nc=paid");
    let invoice = std::fs::read_to_string(home.path().join("invoice")).unwrap();
    assert_eq!(invoice.lines().count(), 2);
    assert_eq!(second.task(id).await.unwrap().usage.cost, Usd::from_micros(11));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_task_keeps_what_there_is_if_asked() {
    let home = tempfile::tempdir().unwrap();
    let engine = engine(home.path(), Adopt::Nothing);
    for (save_partial, want) in [(true, Some("a=paid".to_owned())), (false, None)] {
        let mut events = engine.watch();
        let id = engine.start(spec(vec![vec![paid(&home, "a", 7)], vec![work("b", LONG)]])).await.unwrap();
        while !format!("{:?}", events.recv().await.unwrap()).contains("stage 2 of 2") {}
        let view = engine.cancel(id, save_partial).await.unwrap();
        assert_eq!((view.status, view.usage.cost), (Status::Cancelled, Usd::from_micros(7)));
        let (_, ending) = engine.ending(id).await.unwrap();
        assert_eq!(ending.unwrap().report().map(|report| report.markdown.clone()), want);
        assert_eq!(engine.cancel(id, true).await.unwrap_err().code, Code::ResearchAlreadyCancelled);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_of_another_process_is_cancelled_by_its_owner() {
    let home = tempfile::tempdir().unwrap();
    let owner = engine(home.path(), Adopt::Nothing);
    let other = engine(home.path(), Adopt::All);
    let id = owner.start(spec(vec![vec![work("a", LONG)]])).await.unwrap();
    assert_eq!(other.cancel(id, true).await.unwrap().status, Status::Cancelled);
    assert_eq!((owner.live(), other.live()), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_of_nobody_is_cancelled_by_whoever_asks() {
    let home = tempfile::tempdir().unwrap();
    let first = engine(home.path(), Adopt::Nothing);
    let id = first.start(spec(vec![vec![work("a", LONG)]])).await.unwrap();
    first.shutdown().await;
    let second = engine(home.path(), Adopt::Nothing);
    assert!(!second.task(id).await.unwrap().status.is_final());
    assert_eq!(second.cancel(id, true).await.unwrap().status, Status::Cancelled);
}

/// BU-01: a cap ends the task with what there is and says which cap it was.
#[tokio::test(flavor = "multi_thread")]
async fn a_cap_ends_the_task_with_a_partial_report() {
    let home = tempfile::tempdir().unwrap();
    let engine = engine(home.path(), Adopt::Nothing);
    let stages = vec![vec![paid(&home, "a", 60)], vec![paid(&home, "b", 60)]];
    let cost = Budget { cost: Some(Usd::from_micros(100)), ..Budget::default() };
    let tokens = Budget { tokens: Some(15), ..Budget::default() };
    for (budget, reason) in [(cost, StopReason::BudgetCost), (tokens, StopReason::BudgetTokens)] {
        let id = engine.start(TaskSpec { budget, ..spec(stages.clone()) }).await.unwrap();
        assert_eq!(completed(&engine, id).await, "a=paid");
        let (view, ending) = engine.ending(id).await.unwrap();
        let report = ending.unwrap().report().cloned().unwrap();
        assert_eq!((report.stop_reason, report.partial), (reason, true));
        assert_eq!(view.usage.cost, Usd::from_micros(60));
    }
}

/// BU-01: wall time ends what is in flight.
#[tokio::test(flavor = "multi_thread")]
async fn wall_time_ends_what_is_in_flight() {
    let home = tempfile::tempdir().unwrap();
    let engine = engine(home.path(), Adopt::Nothing);
    let stages = vec![vec![work("a", 1)], vec![work("b", LONG)]];
    // A machine that does not get to the second stage in this time gets more of it.
    for seconds in [1, 8, 64] {
        let budget = Budget { wall: Some(Duration::from_secs(seconds)), ..Budget::default() };
        let id = engine.start(TaskSpec { budget, ..spec(stages.clone()) }).await.unwrap();
        engine.wait(id, Some(SAFETY_NET)).await.unwrap();
        let (_, ending) = engine.ending(id).await.unwrap();
        let report = ending.unwrap().report().cloned().unwrap();
        assert_eq!(report.stop_reason, StopReason::BudgetTime);
        if !report.markdown.is_empty() {
            assert_eq!(report.markdown, "a=done");
            return;
        }
    }
    panic!("the first stage never ended");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_in_one_effect_ends_neither_its_task_nor_others() {
    let home = tempfile::tempdir().unwrap();
    let engine = engine(home.path(), Adopt::Nothing);
    let faulty = vec![vec![Step::new("a", Act::Panic), work("b", 1)]];
    let id = engine.start(spec(faulty)).await.unwrap();
    let other = engine.start(spec(vec![vec![work("c", 5)]])).await.unwrap();
    assert_eq!(completed(&engine, id).await, "a=failed: INTERNAL_ERROR\nb=done");
    assert_eq!(completed(&engine, other).await, "c=done");
}

#[tokio::test(flavor = "multi_thread")]
async fn more_tasks_than_slots_wait_their_turn() {
    let home = tempfile::tempdir().unwrap();
    let engine = engine(home.path(), Adopt::Nothing);
    let mut ids = Vec::new();
    for _ in 0..20 {
        ids.push(engine.start(spec(vec![vec![work("a", 5)]])).await.unwrap());
    }
    for id in ids {
        assert_eq!(completed(&engine, id).await, "a=done");
    }
    // A row is final a moment before its task is let go of.
    until_beside("all are let go of", || engine.live() == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_ends_with_its_window_and_the_task_goes_on() {
    let home = tempfile::tempdir().unwrap();
    let engine = engine(home.path(), Adopt::Nothing);
    let id = engine.start(spec(vec![vec![work("a", LONG)]])).await.unwrap();
    let view = engine.wait(id, Some(Duration::from_millis(50))).await.unwrap();
    assert!(!view.status.is_final());
    assert_eq!(engine.live(), 1);
    assert_eq!(engine.cancel(id, false).await.unwrap().status, Status::Cancelled);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_task_is_not_found() {
    let home = tempfile::tempdir().unwrap();
    let engine = engine(home.path(), Adopt::Nothing);
    let id = TaskId::from_random(7);
    assert_eq!(engine.task(id).await.unwrap_err().code, Code::TaskNotFound);
    assert_eq!(engine.cancel(id, true).await.unwrap_err().code, Code::TaskNotFound);
    assert_eq!(engine.wait(id, None).await.unwrap_err().code, Code::TaskNotFound);
}
