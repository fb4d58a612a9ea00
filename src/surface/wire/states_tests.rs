//! Every reply of every tool fits the schema that its tool promises, in every state that a task can be in.

use serde_json::Value;
use sim::schema::{allows, conforms};

use super::tests::{json, report, task};
use super::*;
use crate::core::agent::{RunProgress, estimate};
use crate::core::base::error::{Code, Error};
use crate::core::base::id::TaskId;
use crate::core::money::usage::{Usage, Usd};
use crate::core::report::{Report, StopReason};
use crate::core::task::{Ending, Hands, HostedView, Progress};
use crate::engine::Deletion;
use crate::surface::mcp::reply_schemas;

fn fits(tool: &str, state: &str, reply: &Value) {
    let [listed, whole] = reply_schemas(tool);
    let fault = conforms(reply, &whole).and_then(|()| allows(reply, &listed)).err();
    assert_eq!(fault, None, "{tool}, {state}: {reply:#}");
}

/// A report that ended early, or one that nobody answered.
fn stopped(stop_reason: StopReason) -> Report {
    Report { stop_reason, partial: true, note: Some("It was stopped.".into()), ..report() }
}

/// A report with as little as there can be.
fn bare(stop_reason: StopReason) -> Report {
    Report { sources: vec![], claims: vec![], rounds: vec![], problems: vec![], strategy: None, ..stopped(stop_reason) }
}

fn failed(code: Code, partial: Option<Report>) -> Option<Ending> {
    Some(Ending::Failed { error: Error::new(code, "it broke").hint("mend it"), partial })
}

/// How a task can have ended, or not.
fn endings() -> Vec<(&'static str, Option<Ending>)> {
    let completed = |report| Some(Ending::Completed { report });
    vec![
        ("alive", None),
        ("completed", completed(report())),
        ("nothing found", completed(bare(StopReason::NothingFound))),
        ("partial for its budget", completed(stopped(StopReason::BudgetCost))),
        ("failed with a report", failed(Code::ExecutionError, Some(stopped(StopReason::EngineFailed)))),
        ("failed without a report", failed(Code::ExecutionError, None)),
        ("nobody could search", failed(Code::SearchFailed, Some(bare(StopReason::SearchFailed)))),
        ("uncertain", failed(Code::PaidRunUncertain, None)),
        ("cancelled with a report", Some(Ending::Cancelled { partial: Some(stopped(StopReason::Cancelled)) })),
        ("cancelled without a report", Some(Ending::Cancelled { partial: None })),
    ]
}

/// What a row can say of a task besides how it ended.
fn rows(status: Status) -> Vec<(&'static str, TaskView)> {
    let own = task(status);
    let unknown = Usage { cost_unknown: true, ..Usage::ZERO };
    let hosted = |interaction: Option<&str>, live| HostedView {
        agent: "deep-research-preview-04-2026".into(),
        interaction: interaction.map(str::to_owned),
        complexity: Some("medium".into()),
        estimated: Some(Usd::from_micros(2_000_000)),
        estimated_ms: Some(600_000),
        live,
    };
    let with = |hosted| TaskView { hosted: Some(hosted), usage: unknown, ..own.clone() };
    let mut live = RunProgress { moved_ms: own.created_ms, trouble: Some("no network".into()), ..Default::default() };
    live.cost = Some(Usd::from_micros(700_000));
    let silent = Progress::new(None, String::new());
    vec![
        ("local", own.clone()),
        ("local, cost unknown", TaskView { usage: unknown, ..own.clone() }),
        ("local, nothing told", TaskView { progress: silent, usage: Usage::ZERO, ..own.clone() }),
        ("not worked on", TaskView { hands: Hands::Nobody, ..own.clone() }),
        ("paused", TaskView { hands: Hands::Paused, ..own.clone() }),
        ("asked to stop", TaskView { cancel_requested: true, ..own.clone() }),
        ("hosted, no run yet", with(hosted(None, None))),
        ("hosted, a run without news", with(hosted(Some("v1_abc"), None))),
        ("hosted, with progress", with(hosted(Some("v1_abc"), Some(live)))),
        ("hosted, of a row that tells nothing", with(HostedView { agent: "a".into(), ..HostedView::default() })),
    ]
}

/// AS-08, PR-03: clients check replies against the schemas, and show their model nothing of a reply that does not fit.
#[test]
fn as_08_every_reply_fits_its_schema_in_every_state() {
    for (how, ending) in endings() {
        let statuses = match &ending {
            None => vec![Status::Pending, Status::Running],
            Some(ending) => vec![ending.status()],
        };
        for (what, mut view) in statuses.into_iter().flat_map(rows) {
            let state = format!("{how}, {what}, {}", view.status.name());
            if let Some(Ending::Failed { error, .. }) = &ending {
                view.error = Some(error.clone());
            }
            for tool in ["search", "deep_search", "deep_research"] {
                fits(tool, &state, &json(ResearchReply::new(&view, ending.as_ref())));
            }
            for warning in [None, Some("the agent has another name".to_owned())] {
                fits("start_deep_research", &state, &json(StartReply::new(&view, ending.clone(), warning)));
            }
            for (now_ms, eta) in [(0, None), (view.created_ms + 90 * 60_000, Some(60_000))] {
                fits("check_research_status", &state, &json(StatusReply::new(&view, now_ms, eta)));
            }
            for sources in [Sources::Included, Sources::LeftOut] {
                let results = match ResultsReply::new(&view, ending.clone(), sources) {
                    Ok(results) => json(results),
                    Err(error) => json(ErrorReply::from(&error)),
                };
                fits("get_research_results", &state, &results);
            }
            for kept in [true, false] {
                fits("cancel_research", &state, &json(CancelReply::new(&view, kept)));
            }
            fits("list_research", &state, &json(ListReply::new(&[view], false)));
        }
    }
}

/// AS-08: so do replies that are about no task in particular, and every error of every tool.
#[test]
fn as_08_other_replies_and_errors_fit_their_schemas() {
    fits("list_research", "empty", &json(ListReply::new(&[], false)));
    for past in [0, 3] {
        let run = estimate::Past {
            complexity: estimate::Complexity::Medium,
            actual: Usd::from_micros(1_500_000),
            duration_ms: 400_000,
            estimated: None,
            estimated_ms: None,
        };
        let estimated = estimate::estimate("why is the sea deep?", "deep-research-preview-04-2026", &vec![run; past]);
        let reply = EstimateReply::new("deep-research-preview-04-2026".into(), &estimated);
        fits("estimate_research_cost", "estimated", &json(reply));
    }
    for deleted in [vec![], vec![TaskId::from_random(1), TaskId::from_random(2)]] {
        let deletion = Deletion { deleted, kept_at_provider: vec![], problems: vec![] };
        fits("delete_research", "deleted", &json(DeleteReply::new(&deletion)));
    }
    for code in Code::ALL {
        let mut error = Error::new(*code, "it broke");
        for tool in crate::surface::mcp::tool_names() {
            fits(tool, code.name(), &json(ErrorReply::from(&error)));
        }
        error.retry_after = Some(std::time::Duration::from_millis(1_200));
        for tool in crate::surface::mcp::tool_names() {
            fits(tool, code.name(), &json(ErrorReply::from(&error.clone().hint("wait"))));
        }
    }
}
