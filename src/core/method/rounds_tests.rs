//! Every scenario of the rounds method, as a table of answers and what the method makes of them.

use super::*;
use crate::core::model::prompt::{CORRECTION, DEEP_SEARCH, SEARCH, SHIPPED, VERIFY};

/// What the method did with a series of answers.
#[derive(Debug)]
struct Played {
    asks: Vec<Ask>,
    waits: Vec<u64>,
    lines: Vec<String>,
    ending: Option<Ending>,
}

impl Played {
    fn report(&self) -> &Report {
        match &self.ending {
            Some(Ending::Completed { report }) => report,
            other => panic!("not completed: {other:?}"),
        }
    }

    fn error(&self) -> &Error {
        match &self.ending {
            Some(Ending::Failed { error, .. }) => error,
            other => panic!("not failed: {other:?}"),
        }
    }
}

fn plan(kind: Kind, max_rounds: u32) -> RoundsPlan {
    let shipped = |name: &str| SHIPPED.iter().find(|(known, _)| *known == name).unwrap().1.to_owned();
    let first = if kind == Kind::Search { SEARCH } else { DEEP_SEARCH };
    let prompts = Prompts { first: shipped(first), verify: shipped(VERIFY), correction: shipped(CORRECTION) };
    let query = "how deep is the hadal zone?".to_owned();
    RoundsPlan {
        evidence: crate::core::base::engine::EvidenceMode::Off,
        given: vec![],
        kind,
        query,
        max_rounds,
        model: None,
        correction_model: None,
        prompts,
        engine: EngineName::GeminiCli,
        api_model: None,
        native: None,
        marks: crate::core::model::prompt::Marks::default(),
        fallback: None,
    }
}

/// Answers every question with the next outcome.
fn play(plan: RoundsPlan, outcomes: Vec<Outcome>) -> Played {
    let mut state = Rounds::new(plan);
    let mut played = Played { asks: vec![], waits: vec![], lines: vec![], ending: None };
    let mut outcomes = outcomes.into_iter();
    let mut waiting = std::collections::VecDeque::from(state.step(Event::Begin));
    while let Some(effect) = waiting.pop_front() {
        let outcome = match &effect {
            Effect::Ask(ask) => {
                played.asks.push(ask.clone());
                outcomes.next().unwrap_or_else(|| panic!("one question too many: {ask:?}"))
            }
            Effect::Wait { ms } => {
                played.waits.push(*ms);
                Outcome::Waited
            }
            Effect::Log { line, .. } => {
                played.lines.push(line.clone());
                continue;
            }
            Effect::Finish(ending) => {
                played.ending = Some((**ending).clone());
                continue;
            }
            _ => continue,
        };
        waiting.extend(state.step(Event::Done(effect, outcome)));
    }
    assert_eq!(outcomes.next(), None, "answers left over");
    played
}

fn text(text: &str) -> Outcome {
    Outcome::Asked(AskReply { text: text.into(), ..AskReply::default() })
}

fn answer(report: &str, verified: bool) -> Outcome {
    seen(report, verified, &[], &[])
}

fn seen(report: &str, verified: bool, sources: &[&str], queries: &[&str]) -> Outcome {
    let own = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
    let object = serde_json::json!({"success": true, "verified": verified, "report": report,
        "metadata": {"sources_visited": own(sources), "search_queries_used": own(queries)}});
    Outcome::Asked(AskReply {
        text: format!("```json\n{object}\n```"),
        model: Some("gemini-3.8-flash".into()),
        sources: own(sources),
        queries: own(queries),
        problems: vec![],
        shown: vec![],
    })
}

fn failed(code: Code) -> Outcome {
    Outcome::Failed { error: Error::new(code, "it broke") }
}

/// DS-01: a draft with five perspectives, then verification of the current result.
#[test]
fn ds_01_draft_then_verification() {
    let played = play(plan(Kind::DeepSearch, 5), vec![answer("draft one", false), answer("final", true)]);
    let [draft, verify] = &played.asks[..] else { panic!("{:?}", played.asks) };
    for word in ["technical", "historical", "current", "expert", "data", "how deep is the hadal zone?"] {
        assert!(draft.prompt.contains(word), "{word}");
    }
    for word in ["how deep is the hadal zone?", "draft one", "round 2 of at most 5", "BEGIN DRAFT"] {
        assert!(verify.prompt.contains(word), "{word}");
    }
    assert!(!played.asks.iter().any(|ask| ask.prompt.contains("{{")));
    assert_eq!(played.report().markdown, "final");
}

/// DS-02: the first verified round ends it, with the true count.
#[test]
fn ds_02_stops_at_the_first_verified_round() {
    for at in 1..=5_usize {
        let mut answers: Vec<Outcome> = (1..at).map(|n| answer(&format!("r{n}"), false)).collect();
        answers.push(answer("good", true));
        let played = play(plan(Kind::DeepSearch, 5), answers);
        let report = played.report();
        assert_eq!((report.rounds.len(), report.verified, report.stop_reason), (at, true, StopReason::Verified));
        assert_eq!(report.note, None);
    }
}

/// DS-03: at the maximum the best result comes back with a note.
#[test]
fn ds_03_the_maximum_returns_the_latest_result_with_a_note() {
    let played = play(plan(Kind::DeepSearch, 3), vec![answer("a", false), answer("b", false), answer("c", false)]);
    let report = played.report();
    assert_eq!((report.markdown.as_str(), report.verified, report.stop_reason), ("c", false, StopReason::MaxRounds));
    assert!(report.note.as_ref().unwrap().contains("Verification was not completed"));
}

/// DS-04 and DS-05: sources and queries per round, in first-seen order, each once.
#[test]
fn ds_04_ds_05_sources_and_queries_are_a_union() {
    let played = play(
        plan(Kind::DeepSearch, 2),
        vec![
            seen("a", false, &["https://a", "https://b"], &["q1"]),
            seen("b", false, &["https://b", "https://c"], &["q1", "q2"]),
        ],
    );
    let report = played.report();
    let locations: Vec<&str> = report.sources.iter().map(|source| source.location.as_str()).collect();
    assert_eq!(locations, ["https://a", "https://b", "https://c"]);
    assert_eq!(report.rounds[1].search_queries, ["q1", "q2"]);
    assert_eq!(report.rounds[0].intermediate_result_summary, "a");
    assert_eq!(report.rounds[1].round_number, 2);
}

/// DS-07: the exact lines.
#[test]
fn ds_07_lines_for_people() {
    let played = play(plan(Kind::DeepSearch, 5), vec![answer("a", false), answer("b", true)]);
    assert_eq!(
        played.lines,
        [
            "Deep search round 1/5...",
            "Round 1 completed, verified: false",
            "Deep search round 2/5...",
            "Round 2 completed, verified: true",
            "Deep search completed: 2 rounds, verified: true",
        ]
    );
}

/// DS-07: a search that its budget ends is completed, too.
#[test]
fn ds_07_a_search_that_is_capped_says_its_end() {
    let mut state = Rounds::new(plan(Kind::DeepSearch, 5));
    let ask = state.step(Event::Begin).into_iter().find(|effect| matches!(effect, Effect::Ask(_))).unwrap();
    let failed = state.clone().step(Event::Cap(crate::core::money::budget::Cap::WallTime));
    assert!(matches!(&failed[..], [Effect::Finish(ending)] if matches!(**ending, Ending::Failed { .. })), "{failed:?}");
    state.step(Event::Done(ask, answer("draft", false)));
    let capped = state.step(Event::Cap(crate::core::money::budget::Cap::WallTime));
    assert_eq!(capped[0], info("Deep search completed: 1 rounds, verified: false".into()));
    assert!(matches!(&capped[1], Effect::Finish(ending) if matches!(**ending, Ending::Completed { .. })), "{capped:?}");
}

/// DS-09: a failed verification round costs only itself.
#[test]
fn ds_09_a_failed_round_is_listed_and_nothing_is_lost() {
    let broken = || vec![failed(Code::Timeout), failed(Code::Timeout), failed(Code::Timeout)];
    let mut answers = vec![answer("draft", false)];
    answers.extend(broken());
    answers.push(answer("checked", true));
    let played = play(plan(Kind::DeepSearch, 5), answers);
    let report = played.report();
    assert_eq!((report.markdown.as_str(), report.rounds.len()), ("checked", 3));
    assert!(report.rounds[1].error.as_ref().unwrap().message.contains("exhausted"));

    // At the maximum the earlier result comes back.
    let mut answers = vec![answer("draft", false)];
    answers.extend(broken());
    assert_eq!(play(plan(Kind::DeepSearch, 2), answers).report().markdown, "draft");

    // A failed first round is tried as a first round again.
    let mut answers = broken();
    answers.extend([answer("draft", false), answer("checked", true)]);
    let played = play(plan(Kind::DeepSearch, 5), answers);
    assert!(!played.asks[3].prompt.contains("The draft"), "{}", played.asks[3].prompt);
    assert!(played.asks[4].prompt.contains("The draft"));
    assert_eq!(played.report().rounds.len(), 3);
}

/// DS-09: a round in which the model gives up is a failed round.
#[test]
fn ds_09_success_false_is_a_failed_round() {
    let gave_up = text(r#"{"success": false, "verified": false, "error": "no network"}"#);
    let played = play(plan(Kind::DeepSearch, 2), vec![answer("draft", false), gave_up]);
    assert_eq!(played.report().markdown, "draft");
    assert!(played.report().rounds[1].error.as_ref().unwrap().message.contains("no network"));
}

/// JR-01 and JR-02: output that is no answer is corrected once, in a run of its own.
#[test]
fn jr_02_an_invalid_answer_is_corrected() {
    let played = play(plan(Kind::Search, 1), vec![text("I found: 11 km."), answer("11 km", false)]);
    let [_, correct] = &played.asks[..] else { panic!("{:?}", played.asks) };
    assert_eq!((correct.role, correct.invalid_output.as_deref()), (Role::Correct, Some("I found: 11 km.")));
    for word in ["JSON formatter", "{{invalid_output_path}}", "\"report\"", "```json"] {
        assert!(correct.prompt.contains(word), "{word}");
    }
    assert_eq!(played.report().markdown, "11 km");
    assert_eq!(played.waits, [0; 0]);
}

/// JR-03: a correction that fails is said in its own words, and the cycle starts again.
#[test]
fn jr_03_a_failed_correction_is_logged_and_the_cycle_repeated() {
    let answers =
        vec![text("nonsense"), text("more nonsense"), text("nonsense"), failed(Code::Timeout), answer("ok", false)];
    let played = play(plan(Kind::Search, 1), answers);
    assert_eq!(played.lines.iter().filter(|line| line.starts_with("JSON correction failed")).count(), 2);
    assert_eq!(played.waits, [1_000, 2_000]);
    assert_eq!(played.report().markdown, "ok");
}

/// JR-04: three cycles, then an error that says so.
#[test]
fn jr_04_three_cycles_then_an_error() {
    let played = play(plan(Kind::Search, 1), vec![text("no"); 6]);
    assert_eq!((played.asks.len(), played.waits.as_slice()), (6, &[1_000, 2_000][..]));
    assert_eq!(played.error().code, Code::ExecutionError);
    assert!(played.error().message.contains("all retry and correction attempts of round 1 were exhausted"));
}

/// JR-04: what a retry cannot mend fails at once. DS-10: a missing CLI is said as such.
#[test]
fn jr_04_ds_10_errors_no_retry_can_mend_fail_at_once() {
    for code in [
        Code::CliNotFound,
        Code::NotAuthenticated,
        Code::DailyQuotaExceeded,
        Code::ModelNotFound,
        Code::PermissionDenied,
    ] {
        let played = play(plan(Kind::DeepSearch, 5), vec![failed(code)]);
        assert_eq!((played.error().code, played.asks.len()), (code, 1));
        // After a result it ends the search, not the result.
        let played = play(plan(Kind::DeepSearch, 5), vec![answer("draft", false), failed(code)]);
        assert_eq!(
            (played.report().markdown.as_str(), played.report().stop_reason),
            ("draft", StopReason::EngineFailed)
        );
    }
}

/// MS-01, MS-02: each kind of run has its own model, or none.
#[test]
fn ms_01_ms_02_models_are_independent() {
    for (model, correction) in [(None, None), (Some("a"), None), (None, Some("b")), (Some("a"), Some("b"))] {
        let own = |name: Option<&str>| name.map(str::to_owned);
        let plan = RoundsPlan { model: own(model), correction_model: own(correction), ..plan(Kind::Search, 1) };
        let played = play(plan, vec![text("no"), answer("yes", false)]);
        assert_eq!((played.asks[0].model.as_deref(), played.asks[1].model.as_deref()), (model, correction));
    }
}

/// MM-01: configured, else detected, else a placeholder.
#[test]
fn mm_01_the_model_of_the_result() {
    let configured = RoundsPlan { model: Some("mine".into()), ..plan(Kind::Search, 1) };
    let silent = || text(r#"{"success": true, "report": "x"}"#);
    assert_eq!(play(configured, vec![answer("x", false)]).report().model.as_deref(), Some("mine"));
    let detected = play(plan(Kind::Search, 1), vec![answer("x", false)]);
    assert_eq!(detected.report().model.as_deref(), Some("gemini-3.8-flash"));
    assert_eq!(play(plan(Kind::Search, 1), vec![silent()]).report().model.as_deref(), Some("auto-detected"));
}

/// SE-01: one round, one answer, no lines of a deep search.
#[test]
fn se_01_a_search_is_one_round() {
    let played = play(plan(Kind::Search, 1), vec![answer("x", false)]);
    assert_eq!((played.report().rounds.len(), played.lines.len()), (1, 0));
    assert_eq!(played.report().stop_reason, StopReason::Answered);
    assert!(played.asks[0].prompt.contains("exactly once"));
}

/// Half an answer does not take the place of a whole one, and its own word for it does not count.
#[test]
fn a_broken_off_answer_is_marked_and_never_verified() {
    let half = r#"{"success": true, "verified": true, "report": "half of a rep"#;
    let played = play(plan(Kind::DeepSearch, 2), vec![answer("whole", false), text(half)]);
    assert_eq!((played.report().markdown.as_str(), played.report().verified), ("whole", false));
    let only = play(plan(Kind::Search, 1), vec![text(half)]);
    assert!(only.report().partial);
    assert!(only.report().note.as_ref().unwrap().contains("broke off"));
}

/// With `auto` and documents at hand, an engine that does not work at all gives way.
#[test]
fn an_engine_that_does_not_work_gives_way_to_the_fallback() {
    let library = adaptive::AdaptivePlan {
        goal: "how deep?".into(),
        library: vec![],
        scope: None,
        hint: None,
        context: None,
        max_attempts: None,
        ..adaptive::AdaptivePlan::default()
    };
    let mut state = Rounds::new(RoundsPlan { fallback: Some(library), ..plan(Kind::Search, 1) });
    let first = state.step(Event::Begin);
    let ask = first.into_iter().find(|effect| matches!(effect, Effect::Ask(_))).unwrap();
    let next = state.step(Event::Done(ask, failed(Code::NotAuthenticated)));
    assert!(next.iter().any(|effect| matches!(effect, Effect::RefreshLibrary { .. })), "{next:?}");
    let report = state.partial(StopReason::Cancelled).unwrap();
    assert_eq!(report.engine.as_ref().unwrap().reason, "gemini-cli failed (NOT_AUTHENTICATED)");
    assert_eq!(report.problems[0].error.code, Code::NotAuthenticated);
}

/// A plan with `auto`, Gemini CLI and a key.
fn with_key(kind: Kind, max_rounds: u32) -> RoundsPlan {
    RoundsPlan { model: Some("cli-model".into()), api_model: Some("api-model".into()), ..plan(kind, max_rounds) }
}

/// Gemini CLI gives way to the API where it refuses for good, and only there; the round that failed is done again.
#[test]
fn switch_to_the_api() {
    let cli = (EngineName::GeminiCli, Some("cli-model"));
    let api = (EngineName::GeminiApi, Some("api-model"));
    let quota = || failed(Code::QuotaExceeded);
    let table = [
        ("login", Kind::Search, 1, vec![failed(Code::NotAuthenticated), answer("a", true)], vec![cli, api]),
        ("missing", Kind::Search, 1, vec![failed(Code::CliNotFound), answer("a", true)], vec![cli, api]),
        ("the day", Kind::Research, 1, vec![failed(Code::DailyQuotaExceeded), answer("a", true)], vec![cli, api]),
        ("the minute", Kind::Search, 1, vec![quota(), quota(), quota(), answer("a", true)], vec![cli, cli, cli, api]),
        ("passing", Kind::Search, 1, vec![quota(), quota(), answer("a", true)], vec![cli; 3]),
        (
            "later",
            Kind::DeepSearch,
            2,
            vec![answer("draft", false), failed(Code::DailyQuotaExceeded), answer("a", true)],
            vec![cli, cli, api],
        ),
        (
            "correction",
            Kind::Search,
            1,
            vec![failed(Code::NotAuthenticated), text("?"), answer("a", true)],
            vec![cli, api, api],
        ),
    ];
    for (name, kind, max_rounds, outcomes, asked) in table {
        let played = play(with_key(kind, max_rounds), outcomes);
        let asks: Vec<_> = played.asks.iter().map(|ask| (ask.engine, ask.model.as_deref())).collect();
        assert_eq!(asks, asked, "{name}");
        let report = played.report();
        assert_eq!(report.markdown, "a", "{name}");
        let rounds: Vec<u32> = report.rounds.iter().map(|round| round.round_number).collect();
        assert_eq!(rounds, (1..=max_rounds).collect::<Vec<_>>(), "{name}");
        let switched = asked.contains(&api);
        assert_eq!(
            report.engine.as_ref().map(|engine| engine.name),
            switched.then_some(EngineName::GeminiApi),
            "{name}"
        );
        assert_eq!(report.problems.len(), usize::from(switched), "{name}");
        let lines = played.lines.iter().filter(|line| line.contains("going on with gemini-api")).count();
        assert_eq!(lines, usize::from(switched), "{name}: {:?}", played.lines);
    }
}

/// It gives way once; without a key, by name, or by what another engine cannot mend, not at all.
#[test]
fn switch_happens_once_or_not_at_all() {
    let both = vec![failed(Code::NotAuthenticated), failed(Code::DailyQuotaExceeded)];
    let played = play(with_key(Kind::DeepSearch, 5), both);
    assert_eq!((played.error().code, played.asks.len()), (Code::DailyQuotaExceeded, 2));
    let pinned = play(plan(Kind::Search, 1), vec![failed(Code::NotAuthenticated)]);
    assert_eq!((pinned.error().code, pinned.asks.len()), (Code::NotAuthenticated, 1));
    let broken = vec![failed(Code::Timeout), failed(Code::Timeout), failed(Code::Timeout)];
    let played = play(with_key(Kind::Search, 1), broken);
    assert_eq!((played.error().code, played.asks.len()), (Code::ExecutionError, 3));
    // Out of reach keeps its name, and costs only the round when there is a draft.
    let away = || failed(Code::ProviderUnreachable);
    let played = play(plan(Kind::Search, 1), vec![away(), away(), away()]);
    assert_eq!(played.error().code, Code::ProviderUnreachable);
    let played = play(plan(Kind::DeepSearch, 2), vec![answer("draft", false), away(), away(), away()]);
    assert_eq!((played.report().markdown.as_str(), played.report().stop_reason), ("draft", StopReason::MaxRounds));
}
