use serde_json::{Value, json};

use super::*;
use crate::core::agent::google::{self, AGENTS, agent_today};
use crate::core::agent::{FollowReply, Worker};
use crate::core::base::engine::{EngineChoice, EngineName};
use crate::core::journal::{Body, End, Next, Row, Run};
use crate::core::method::{Plan as TaskPlan, TaskSpec};
use crate::core::money::budget::Budget;
use crate::core::money::price::Tokens;
use crate::core::money::usage::Usage;
use crate::core::task::Tool;

fn plan() -> HostedPlan {
    HostedPlan {
        create: Create {
            worker: Worker::named(AGENTS[0]),
            input: "What is down there?".into(),
            previous: None,
            plan_only: false,
        },
        deadline_ms: 1_000_000,
        cost_cap: None,
        token_cap: None,
        retry_uncertain: false,
        delete: false,
    }
}

fn spec(plan: HostedPlan) -> TaskSpec {
    TaskSpec {
        evidence: crate::core::base::engine::EvidenceMode::Off,
        opinion: None,
        tool: Tool::StartDeepResearch,
        query: plan.create.input.clone(),
        engine: EngineChoice { name: EngineName::GeminiApi, reason: String::new() },
        budget: Budget::default(),
        plan: TaskPlan::Hosted(plan),
    }
}

fn snapshot(body: Value) -> Snapshot {
    google::interaction(&body).unwrap()
}

fn running() -> Outcome {
    Outcome::Run(Box::new(snapshot(json!({"id": "v1_a", "status": "in_progress"}))))
}

fn refused(code: Code) -> Outcome {
    Outcome::Failed { error: Error::new(code, "no") }
}

fn followed(verdict: FollowEnd, body: Value) -> Outcome {
    Outcome::Followed(Box::new(FollowReply { verdict, last: snapshot(body) }))
}

const USAGE: &str = r#"{"total_input_tokens": 10, "total_output_tokens": 5}"#;

fn report(text: &str) -> Value {
    let usage: Value = serde_json::from_str(USAGE).unwrap();
    json!({"id": "v1_a", "status": "completed", "usage": usage,
           "steps": [{"type": "model_output", "content": [{"type": "text", "text": text}]}]})
}

/// The name of what is asked for, without progress and lines.
fn names(effects: &[Effect]) -> Vec<&'static str> {
    let shown = |effect: &&Effect| !matches!(effect, Effect::Progress(_) | Effect::Log { .. });
    effects.iter().filter(shown).map(Effect::name).collect()
}

fn ending(effects: &[Effect]) -> &Ending {
    let found = effects.iter().find_map(|effect| match effect {
        Effect::Finish(ending) => Some(ending.as_ref()),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("not over: {effects:?}"))
}

fn code(effects: &[Effect]) -> Code {
    match ending(effects) {
        Ending::Failed { error, .. } => error.code,
        other => panic!("not failed: {other:?}"),
    }
}

fn create() -> Effect {
    Effect::CreateRun(plan().create)
}

fn follow() -> Effect {
    Effect::FollowRun(Follow {
        interaction: "v1_a".into(),
        worker: AGENTS[0].into(),
        deadline_ms: 1_000_000,
        cost_cap: None,
        token_cap: None,
    })
}

/// A state whose run exists.
fn started(plan: HostedPlan) -> Hosted {
    let mut state = Hosted::new(plan);
    assert_eq!(names(&state.step(Event::Begin)), ["create_run"]);
    assert_eq!(names(&state.step(Event::Done(create(), running()))), ["follow_run"]);
    state
}

/// HR-02: create, follow, collect.
#[test]
fn hr_02_the_straight_way() {
    let mut state = started(plan());
    let effects = state.step(Event::Done(follow(), followed(FollowEnd::Over, report("# Deep\n\nText."))));
    let Ending::Completed { report } = ending(&effects) else { panic!("{effects:?}") };
    assert_eq!((report.markdown.as_str(), report.partial), ("# Deep\n\nText.", false));
    assert_eq!(report.model.as_deref(), Some(AGENTS[0]));
}

/// HR-02: a reply that is done at once needs no following.
#[test]
fn hr_02_done_at_once() {
    let mut state = Hosted::new(plan());
    state.step(Event::Begin);
    let done = Outcome::Run(Box::new(snapshot(report("Quick."))));
    assert!(matches!(ending(&state.step(Event::Done(create(), done))), Ending::Completed { .. }));
}

/// HR-12: what is not known to have been refused is never sent again by itself.
#[test]
fn hr_12_a_lost_reply_ends_the_task_and_says_so() {
    for outcome in [Outcome::Uncertain, refused(Code::PaidRunUncertain)] {
        let mut state = Hosted::new(plan());
        state.step(Event::Begin);
        let effects = state.step(Event::Done(create(), outcome.clone()));
        assert_eq!(code(&effects), Code::PaidRunUncertain, "{outcome:?}");
        assert_eq!(names(&effects), ["finish"]);
        // One more run, if and only if the user wanted that beforehand.
        let mut state = Hosted::new(HostedPlan { retry_uncertain: true, ..plan() });
        state.step(Event::Begin);
        assert_eq!(names(&state.step(Event::Done(create(), outcome.clone()))), ["create_run"]);
        assert_eq!(code(&state.step(Event::Done(create(), outcome))), Code::PaidRunUncertain);
    }
    let mut state = Hosted::new(plan());
    state.step(Event::Begin);
    let nameless = Outcome::Run(Box::new(snapshot(json!({"status": "in_progress"}))));
    assert_eq!(code(&state.step(Event::Done(create(), nameless))), Code::PaidRunUncertain);
}

/// HR-05: what passes is waited for as told, within bounds; what does not is told at once.
#[test]
fn hr_05_refusals_before_anything_was_started() {
    for final_code in [Code::NotAuthenticated, Code::DailyQuotaExceeded, Code::ModelNotFound, Code::ProviderRefused] {
        let mut state = Hosted::new(plan());
        state.step(Event::Begin);
        assert_eq!(code(&state.step(Event::Done(create(), refused(final_code)))), final_code);
    }
    for (patient, most) in [(Code::QuotaExceeded, 60), (Code::ProviderUnreachable, 10)] {
        let mut state = Hosted::new(plan());
        state.step(Event::Begin);
        let mut tries = 0;
        loop {
            let effects = state.step(Event::Done(create(), refused(patient)));
            if names(&effects) == ["finish"] {
                assert_eq!(code(&effects), patient);
                break;
            }
            assert_eq!(names(&effects), ["wait"]);
            assert_eq!(names(&state.step(Event::Done(Effect::Wait { ms: 1 }, Outcome::Waited))), ["create_run"]);
            tries += 1;
        }
        assert!((3..most).contains(&tries), "{patient}: {tries} tries");
    }
    let mut state = Hosted::new(plan());
    state.step(Event::Begin);
    let told = Error { retry_after: Some(Duration::from_secs(90)), ..Error::new(Code::QuotaExceeded, "later") };
    let effects = state.step(Event::Done(create(), Outcome::Failed { error: told }));
    assert!(effects.contains(&Effect::Wait { ms: 90_000 }), "{effects:?}");
}

/// HR-13: the exact sentence, and what was saved before stays.
#[test]
fn hr_13_an_expired_run() {
    let mut state = started(plan());
    let last = json!({"status": "in_progress", "steps": [
        {"type": "thought", "summary": "**FoundPassages** a trench"},
        {"type": "google_search_call", "arguments": {"queries": ["deepest trench"]}}]});
    let effects = state.step(Event::Done(follow(), followed(FollowEnd::Expired, last)));
    let Ending::Failed { error, partial: Some(partial) } = ending(&effects) else { panic!("{effects:?}") };
    assert_eq!(error.code, Code::SessionExpired);
    assert_eq!(
        error.message,
        "Research session expired on Gemini servers. Task was interrupted and cannot be recovered."
    );
    assert!(partial.partial && partial.markdown.contains("a trench") && partial.markdown.contains("deepest trench"));
}

/// Every way a run can end, by the provider's word for it.
#[test]
fn every_status_has_an_end() {
    let words = [
        ("completed", None),
        ("incomplete", None),
        ("budget_exceeded", None),
        ("failed", Some(Code::ExecutionError)),
        ("cancelled", Some(Code::Cancelled)),
        ("requires_action", Some(Code::ExecutionError)),
        ("requires_continuation", Some(Code::ExecutionError)),
        ("pondering", Some(Code::ExecutionError)),
    ];
    for (word, failure) in words {
        let mut body = report("Half a report.");
        body["status"] = json!(word);
        let effects = started(plan()).step(Event::Done(follow(), followed(FollowEnd::Over, body)));
        match (ending(&effects), failure) {
            (Ending::Completed { report }, None) => assert_eq!(report.partial, word != "completed", "{word}"),
            (Ending::Failed { error, partial }, Some(code)) => {
                assert_eq!(error.code, code, "{word}");
                assert!(partial.as_ref().is_some_and(|partial| partial.partial), "{word}: what there is stays");
            }
            (other, _) => panic!("{word}: {other:?}"),
        }
    }
    let empty = started(plan()).step(Event::Done(follow(), followed(FollowEnd::Over, report("  "))));
    assert_eq!(code(&empty), Code::ExecutionError, "no report is no success");
    let late =
        started(plan()).step(Event::Done(follow(), followed(FollowEnd::Deadline, json!({"status": "in_progress"}))));
    assert_eq!(code(&late), Code::Timeout);
    assert!(format!("{late:?}").contains("v1_a"), "the id is told: the run may still be there");
}

/// BU-01: a run that is known to cost too much is stopped at the provider, and what there is is handed back.
#[test]
fn bu_01_too_dear_is_cancelled() {
    let cap = Some(Usd::from_micros(5));
    let mut state = started(HostedPlan { cost_cap: cap, ..plan() });
    let asked = state.step(Event::Done(create(), running()));
    let told = asked.iter().find_map(|effect| match effect {
        Effect::FollowRun(follow) => Some(follow.cost_cap),
        _ => None,
    });
    assert_eq!(told, Some(cap), "whoever follows it knows the cap");
    let dear = json!({"status": "in_progress", "steps": [{"type": "thought", "summary": "note"}]});
    let effects = state.step(Event::Done(follow(), followed(FollowEnd::OverBudget, dear)));
    assert_eq!(names(&effects), ["cancel_run"]);
    let gone = Outcome::Run(Box::new(snapshot(json!({"status": "cancelled"}))));
    let cancel = Effect::CancelRun { interaction: "v1_a".into(), worker: AGENTS[0].into() };
    let effects = state.step(Event::Done(cancel, gone));
    let Ending::Completed { report } = ending(&effects) else { panic!("{effects:?}") };
    assert_eq!((report.stop_reason, report.partial), (StopReason::BudgetCost, true));
}

/// A run is deleted only after it was collected, and a provider that does not do it changes nothing.
#[test]
fn deleting_comes_after_collecting() {
    for outcome in [Outcome::Waited, refused(Code::ExecutionError)] {
        let mut state = started(HostedPlan { delete: true, ..plan() });
        let effects = state.step(Event::Done(follow(), followed(FollowEnd::Over, report("Text."))));
        assert_eq!(names(&effects), ["delete_run"]);
        assert_eq!(state.on_cancel(), None, "it is over and paid: a cancel now stops and books nothing");
        let effects = state.step(Event::Done(Effect::DeleteRun { interaction: "v1_a".into() }, outcome));
        assert!(matches!(ending(&effects), Ending::Completed { .. }));
    }
}

/// HR-03: names that were shut down, and others.
#[test]
fn hr_03_old_names_are_mapped_with_a_warning() {
    let (name, warning) = agent_today(" deep-research-pro-preview-12-2025 ").unwrap();
    assert_eq!(name, AGENTS[0]);
    assert!(warning.is_some_and(|warning| warning.contains("shut down")));
    assert_eq!(agent_today("my-agent"), Some(("my-agent".to_owned(), None)));
    for bad in ["", " ", "../x", "a b", "ä", &"x".repeat(1_000)] {
        assert_eq!(agent_today(bad), None, "{bad:.20}");
    }
}

/// A minimal engine: the journal of a run that was stopped at every point replays to the same state.
#[test]
fn hr_12_a_journal_with_a_farewell_replays() {
    let spec = spec(plan());
    let mut run = Run::new(&spec);
    let Next::Start(no, effect) = run.next() else { panic!("a create first") };
    let mut rows = vec![row(no, effect, Some((0, running(), Usage::ZERO)))];
    run.done(no, running(), Usage::ZERO);
    let Next::Start(no, effect) = run.next() else { panic!("then following") };
    rows.push(row(no, effect, None));
    let (no, on_cancel) = run.on_cancel().expect("there is a run to stop");
    assert!(matches!(&on_cancel, Effect::CancelRun { interaction, .. } if interaction == "v1_a"));
    // Stopped while the cancel was under way, and after it.
    rows.push(row(no, on_cancel.clone(), None));
    let (mut again, lost) = Run::replay(&spec, &rows);
    assert_eq!(lost.len(), 2);
    assert!(again.on_cancel().is_some(), "it is tried again");
    // A second owner tries again, ends it, and is stopped before the task is written as over.
    let (next, _) = again.on_cancel().expect("still");
    let mut twice = rows.clone();
    let told = Outcome::Run(Box::new(snapshot(json!({"status": "cancelled"}))));
    twice.push(row(next, on_cancel.clone(), Some((1, told, Usage::ZERO))));
    let ending = Run::replay(&spec, &twice).0.ending();
    assert!(!matches!(&ending, Some(Ending::Failed { error, .. }) if error.code == Code::Internal), "{ending:?}");
    let gone = Outcome::Run(Box::new(snapshot(
        json!({"status": "cancelled", "steps": [{"type": "thought", "summary": "n"}]}),
    )));
    let spent = Usage { tokens_in: 7, ..Usage::ZERO };
    rows[2] = row(no, on_cancel, Some((1, gone, spent)));
    let (mut over, _) = Run::replay(&spec, &rows);
    assert!(over.on_cancel().is_none(), "once is enough");
    let Ending::Cancelled { partial: Some(partial) } = over.stopped(StopReason::Cancelled) else { panic!("{over:?}") };
    assert!(partial.partial);
}

fn row(no: u32, effect: Effect, end: Option<(u32, Outcome, Usage)>) -> Row {
    let end = end.map(|(order, outcome, usage)| End { order, outcome: Some(outcome), usage });
    Row { no, body: Body::Effect(effect), tries: 1, lost: Usage::ZERO, end }
}

/// Both generations of the resource, all places of a failure, and shapes that documentation and reality disagree about.
#[test]
fn interactions_are_read_loosely() {
    let modern = snapshot(json!({
        "id": "v1_x", "status": "completed", "steps": [
            {"type": "user_input", "content": [{"type": "text", "text": "the question"}]},
            {"type": "thought", "summary": [{"type": "text", "text": "first"}, {"type": "text", "text": "second"}]},
            {"type": "thought", "summary": "bare"},
            {"type": "google_search_call", "arguments": {"queries": ["a", "b"]}},
            {"type": "google_search_call", "arguments": {"query": "c"}},
            {"type": "url_context_result", "result": [{"url": "https://a.example/", "status": "success"}, {"url": "https://b.example/", "status": "paywall"}]},
            {"type": "url_context_result", "result": {"url": "https://c.example/"}},
            {"type": "hologram", "content": 7},
            {"type": "model_output", "content": [{"type": "text", "text": "One. "}, {"type": "image", "data": "AA=="}]},
            {"type": "model_output", "content": [{"type": "text", "text": "Two."}]}],
        "usage": {"total_input_tokens": 251, "total_cached_tokens": 150, "total_output_tokens": 9, "total_thought_tokens": 51,
                  "total_tool_use_tokens": 10, "grounding_tool_count": [{"type": "google_search", "count": 83}, {"type": "maps", "count": 9}]}}));
    assert_eq!(modern.text, "One. Two.");
    assert_eq!(modern.thoughts, ["first\nsecond", "bare"]);
    assert_eq!(
        (modern.searches, modern.queries.len(), modern.read, modern.unread.len(), modern.images),
        (2, 3, 2, 1, 1)
    );
    let tokens = Tokens { input: 251, cached: 150, output: 9, thought: 51, tool_use: 10, searches: 83 };
    assert_eq!(modern.tokens, Some(tokens));

    let legacy = snapshot(json!({"id": "v1_y", "status": "completed", "role": "model", "outputs": [
        {"type": "thought", "summary": [{"type": "text", "text": "t"}]},
        {"type": "text", "text": "# Report", "annotations": [{"start_index": 0, "end_index": 8, "source": "https://x.example/"}]}],
        "usage": {"total_input_tokens": 1, "total_reasoning_tokens": 3}}));
    assert_eq!((legacy.text.as_str(), legacy.sources.len(), legacy.thoughts.len()), ("# Report[1]", 1, 1));
    assert_eq!(legacy.tokens.map(|tokens| tokens.thought), Some(3));

    for (body, says) in [
        (
            json!({"status": "failed", "errors": [{"code": "internal_error", "message": "crashed"}]}),
            "crashed (internal_error)",
        ),
        (
            json!({"status": "failed", "steps": [{"type": "model_output", "error": {"code": 13, "message": "inner"}}]}),
            "inner (13)",
        ),
        (json!({"status": "failed", "error": {"message": "outer"}}), "outer"),
    ] {
        assert_eq!(snapshot(body).failure.as_deref(), Some(says));
    }
    for body in [json!({}), json!(null), json!([]), json!({"status": 7}), json!("completed")] {
        assert!(google::interaction(&body).is_err(), "{body}");
    }
    let odd = snapshot(json!({"id": "../../etc", "status": "in_progress", "steps": null, "usage": {}}));
    assert_eq!((odd.id, odd.tokens), (None, None), "an id goes into an address: only a plain one is one");
}
