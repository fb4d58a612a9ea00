//! Every reply as JSON and as text, and a small checker of JSON against the schemas we generate.

use serde_json::{Value, json};

use super::*;
use crate::core::base::error::{Code, Error, Problem};
use crate::core::base::id::TaskId;
use crate::core::evidence::claim::{Claim, Verdict};
use crate::core::evidence::passage::PageHash;
use crate::core::money::usage::Usd;
use crate::core::report::{Report, Round, StopReason};
use crate::core::task::{Ending, Hands, HostedView, Progress};
use crate::core::text::spans::PlaceInFile;

pub(super) fn task(status: Status) -> TaskView {
    TaskView {
        id: TaskId::from_random(7),
        tool: "deep_research".into(),
        query: "why is the sea deep?".into(),
        engine_reason: "the only one".into(),
        engine: "extractive".into(),
        status,
        progress: Progress::new(Some(40), "reading 3 documents".into()),
        usage: Usage { tokens_in: 5, tokens_out: 6, cost: Usd::from_micros(250_000), ..Usage::ZERO },
        error: None,
        created_ms: 1_794_700_800_000,
        updated_ms: 1_794_700_830_000,
        completed_ms: status.is_final().then_some(1_794_700_830_000),
        cancel_requested: false,
        hands: Hands::Owner("1-ab".into()),
        hosted: None,
    }
}

pub(super) fn report() -> Report {
    let round = |number, sources: &[&str], queries: &[&str]| Round {
        round_number: number,
        sources_visited: sources.iter().map(|text| (*text).to_owned()).collect(),
        search_queries: queries.iter().map(|text| (*text).to_owned()).collect(),
        intermediate_result_summary: "found".into(),
        error: (number == 2).then(|| Error::new(Code::Timeout, "slow")),
    };
    let claim = |verdict| Claim { text: "deep".into(), source: 1, verdict, span: None };
    Report {
        ignored_arguments: vec![],
        markdown: "# Sea\n\nIt is deep [1].\u{1b}[31m".into(),
        sources: vec![report::Source {
            number: 1,
            title: "Sea".into(),
            location: "/docs/sea.md".into(),
            lines: Some(PlaceInFile::lines(3, 9)),
            page: Some(PageHash("ab".into())),
            claimed: false,
        }],
        claims: vec![claim(Verdict::Supported), claim(Verdict::Supported), claim(Verdict::NotVisited)],
        rounds: vec![round(1, &["b", "a"], &["sea deep"]), round(2, &["a", "c"], &["sea deep", "trench"])],
        problems: vec![Problem { subject: "x.md".into(), error: Error::new(Code::LibraryUnreadable, "no right") }; 25],
        problems_beyond: 250,
        stop_reason: StopReason::GoodEnough,
        verified: false,
        partial: false,
        model: None,
        engine: None,
        strategy: Some("medium".into()),
        note: None,
        explain: None,
        evidence: None,
    }
}

pub(super) fn json(reply: impl Serialize) -> Value {
    serde_json::to_value(reply).unwrap()
}

/// DS-04, DS-05, EV-01: the shape of a finished research; sources and queries once each, in the order first seen.
#[test]
fn a_completed_research() {
    let reply = ResearchReply::new(&task(Status::Completed), Some(&Ending::Completed { report: report() }));
    let json = json(&reply);
    assert_eq!((&json["success"], &json["status"], &json["mode"]), (&json!(true), &json!("completed"), &json!("sync")));
    assert_eq!(json["result"], "# Sea\n\nIt is deep [1].\u{1b}[31m");
    assert_eq!(json["verified"], false);
    assert_eq!(json["stop_reason"], "good_enough");
    assert_eq!(
        json["sources"][0],
        json!({"number": 1, "title": "Sea", "location": "/docs/sea.md", "lines": "3-9", "page": "ab"})
    );
    assert_eq!(
        json["ledger"],
        json!({"supported": 2, "partial": 0, "unsupported": 0, "unreachable": 0, "not_visited": 1, "quoted": 0})
    );
    assert_eq!(json["problems"].as_array().unwrap().len(), 20);
    assert_eq!(json["problems_omitted"], 255);
    let metadata = &json["metadata"];
    assert_eq!(metadata["duration_ms"], 30_000);
    assert_eq!(metadata["query"], "why is the sea deep?");
    assert_eq!(metadata["model"], "none");
    assert_eq!(metadata["timestamp"], "2026-11-15T00:00:30Z");
    assert_eq!(metadata["iterations"], 2);
    assert_eq!(metadata["sources_visited"], json!(["b", "a", "c"]));
    assert_eq!(metadata["search_queries_used"], json!(["sea deep", "trench"]));
    assert_eq!(metadata["rounds"][1]["error"], "TIMEOUT: slow");
    assert_eq!(metadata["engine"]["name"], "extractive");
    assert_eq!(metadata["strategy"], "medium");
    assert_eq!(metadata["tokens_used"], json!({"input": 5, "output": 6}));
    assert_eq!(metadata["cost_usd"], 0.25);
    assert_eq!(json.get("check_status_command"), None);
    let text = reply.markdown();
    assert!(text.contains("## Sources\n\n[1] Sea (/docs/sea.md, lines 3-9)"), "{text}");
    assert!(!text.contains('\u{1b}'), "foreign control characters stay out of the terminal");
}

/// HR-02, JB-01: the window has passed: the id, and how to ask again.
#[test]
fn a_research_that_goes_on() {
    for status in [Status::Pending, Status::Running] {
        let task = task(status);
        let json = json(ResearchReply::new(&task, None));
        assert_eq!(json["success"], true);
        assert_eq!(json["status"], "running_async");
        assert_eq!(json["mode"], "async");
        assert_eq!(json["task_id"], task.id.to_string());
        assert_eq!(json["check_status_command"], format!("check_research_status(task_id='{}')", task.id));
        assert!(json["message"].as_str().unwrap().contains("reading 3 documents"));
        assert_eq!(json.get("metadata"), None);
    }
}

#[test]
fn a_research_that_ended_otherwise() {
    let error = Error::new(Code::ExecutionError, "it broke").hint("mend it");
    let failed = Ending::Failed { error, partial: Some(report()) };
    let json_failed = json(ResearchReply::new(&task(Status::Failed), Some(&failed)));
    assert_eq!(json_failed["success"], false);
    assert_eq!(json_failed["error"]["code"], "EXECUTION_ERROR");
    assert_eq!(json_failed["error"]["hints"], json!(["mend it"]));
    assert_eq!(json_failed["stop_reason"], "good_enough", "what was found is not lost");
    let cancelled = Ending::Cancelled { partial: None };
    let json_cancelled = json(ResearchReply::new(&task(Status::Cancelled), Some(&cancelled)));
    assert_eq!(json_cancelled["status"], "cancelled");
    assert_eq!(json_cancelled["error"]["code"], "CANCELLED");
    assert_eq!(json_cancelled.get("result"), None);
}

/// HR-06: the seed's fields; what is not known is null and present.
#[test]
fn a_status() {
    let mut running = task(Status::Running);
    let now = running.created_ms + 750_000;
    let reply = json(StatusReply::new(&running, now, None));
    assert_eq!(reply["status"], "running_async");
    assert_eq!(reply["progress"], 40);
    assert_eq!(reply["elapsed_minutes"], 12.5);
    assert_eq!(reply["cost_so_far"], 0.25);
    assert_eq!(reply.get("estimated_completion_minutes"), Some(&Value::Null));
    assert_eq!(reply["created_at"], "2026-11-15T00:00:00Z");
    running.progress.percent = None;
    assert_eq!(json(StatusReply::new(&running, now, None)).get("progress"), Some(&Value::Null));
    let over = json(StatusReply::new(&task(Status::Completed), now, None));
    assert_eq!(over["elapsed_minutes"], 0.5, "the clock of a finished task stands still");
}

/// PR-03: a task on which nobody works says so, and its word for machines stays what it was.
#[test]
fn pr_03_nobody_works_on_it() {
    let hosted = HostedView { agent: "a".into(), interaction: Some("v1_a".into()), ..HostedView::default() };
    for (hands, hosted, worked_on, action) in [
        (Hands::Owner("1-ab".into()), None, true, "reading 3 documents"),
        (Hands::Owner("1-ab".into()), Some(hosted.clone()), true, "the agent is at work"),
        (Hands::Nobody, None, false, "paused until hadal runs; before that: reading 3 documents"),
        (
            Hands::Nobody,
            Some(hosted),
            false,
            "paused here until hadal runs, the agent goes on; before that: the agent is at work",
        ),
        (Hands::Paused, None, false, "paused by its user; before that: reading 3 documents"),
    ] {
        let view = TaskView { hands, hosted, ..task(Status::Running) };
        let reply = json(StatusReply::new(&view, view.created_ms, None));
        assert_eq!((&reply["worked_on"], &reply["current_action"]), (&json!(worked_on), &json!(action)));
        assert_eq!(reply["status"], "running_async");
        let list = ListReply::new(&[view], false);
        assert_eq!(json(&list)["tasks"][0]["worked_on"], worked_on);
        assert_eq!(list.markdown().contains("running_async, paused"), !worked_on, "{}", list.markdown());
    }
    let over = TaskView { hands: Hands::Nobody, ..task(Status::Completed) };
    assert_eq!(json(StatusReply::new(&over, over.created_ms, None))["current_action"], "");
    assert!(!ListReply::new(&[over], false).markdown().contains("paused"));
}

/// HR-08: what there is to get, by how the task ended.
#[test]
fn results_by_ending() {
    let new = |status, ending| ResultsReply::new(&task(status), ending, Sources::Included);
    let done = json(new(Status::Completed, Some(Ending::Completed { report: report() })).unwrap());
    assert_eq!((&done["success"], &done["partial"]), (&json!(true), &json!(false)));
    assert_eq!(done["metadata"]["duration_minutes"], 0.5);
    assert_eq!(done["metadata"]["mode"], "async");
    assert_eq!(done["sources"].as_array().unwrap().len(), 1);
    let error = Error::new(Code::ExecutionError, "it broke");
    let failed = Ending::Failed { error: error.clone(), partial: Some(report()) };
    let partial = new(Status::Failed, Some(failed)).unwrap();
    assert!(partial.markdown().starts_with("> Partial report"));
    assert_eq!((&json(&partial)["partial"], &json(&partial)["error"]["message"]), (&json!(true), &json!("it broke")));
    let cancelled = new(Status::Cancelled, Some(Ending::Cancelled { partial: Some(report()) })).unwrap();
    assert!(cancelled.partial && cancelled.status == "cancelled");

    let running = new(Status::Running, None).unwrap_err();
    assert_eq!(running.code, Code::ResearchNotCompleted);
    assert!(running.message.contains("running_async"), "{running}");
    let lost = new(Status::Failed, Some(Ending::Failed { error: error.clone(), partial: None })).unwrap_err();
    assert_eq!(lost, error);
    let nothing = new(Status::Cancelled, Some(Ending::Cancelled { partial: None })).unwrap_err();
    assert_eq!(nothing.code, Code::ResultNotFound);

    let ending = Some(Ending::Completed { report: report() });
    let bare = json(ResultsReply::new(&task(Status::Completed), ending, Sources::LeftOut).unwrap());
    assert_eq!(bare.get("sources"), None);
}

#[test]
fn a_list_is_cut_and_readable() {
    let mut long = task(Status::Running);
    long.query = "a|b\n".repeat(1_000);
    let reply = ListReply::new(&[long, task(Status::Failed)], false);
    assert_eq!(reply.tasks[0].query.chars().count(), 201);
    assert_eq!(reply.markdown().lines().count(), 4, "{}", reply.markdown());
    assert_eq!(ListReply::new(&[], false).markdown(), "No tasks.\n");
}

/// HR-09: what became of the task, what is kept, what it cost.
#[test]
fn a_cancelled_task() {
    let reply = json(CancelReply::new(&task(Status::Cancelled), true));
    assert_eq!((&reply["status"], &reply["partial_saved"]), (&json!("cancelled"), &json!(true)));
    assert_eq!(reply["final_cost_usd"], 0.25);
    let slow = CancelReply::new(&task(Status::Running), false);
    assert!(slow.markdown().contains("has not stopped yet"));
}

#[test]
fn an_error_says_what_to_do() {
    let mut error = Error::new(Code::StoreLocked, "busy").hint("close the other one");
    error.retry_after = Some(std::time::Duration::from_millis(1_200));
    let reply = ErrorReply::from(&error);
    assert_eq!(
        json(&reply),
        json!({"success": false, "error": {"code": "STORE_LOCKED", "message": "busy", "hints": ["close the other one"],
            "retryable": true, "retry_after_seconds": 2}})
    );
    assert_eq!(reply.error.markdown(), "**STORE_LOCKED**: busy\n\nhint: close the other one\nhint: try again in 2 s");
}

/// A question can hold what turns the direction of the line around it; a terminal does not see that.
#[test]
fn no_reply_turns_a_terminals_line() {
    let mut turned = task(Status::Running);
    turned.query = "what \u{202e}si\u{2066} this\u{1b}[31m".into();
    for text in [StatusReply::new(&turned, 0, None).markdown(), ListReply::new(&[turned], false).markdown()] {
        assert!(text.contains("what") && !text.contains(['\u{202e}', '\u{2066}', '\u{1b}']), "{text:?}");
    }
}
