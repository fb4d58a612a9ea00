mod breadth;
mod properties;
mod shelf;
mod web;

use self::shelf::{Shelf, manual};
use super::*;
use crate::core::base::limits;
use crate::core::evidence::claim::Verdict;
use crate::core::money::budget::Cap;
use crate::core::task::Ending;
use crate::core::task::outcome::Refreshed;
use crate::core::task::skipped::SkippedFiles;

fn plan(goal: &str) -> AdaptivePlan {
    AdaptivePlan { goal: goal.into(), answer_first: true, ..AdaptivePlan::default() }
}

/// Runs a plan to its end; the world answers with `answer`. Returns every effect but the last, and the ending.
fn drive(plan: &AdaptivePlan, mut answer: impl FnMut(&Effect) -> Event) -> (Vec<Effect>, Ending) {
    let mut state = Adaptive::new(plan.clone());
    let mut seen = Vec::new();
    let mut event = Event::Begin;
    loop {
        let effects = state.step(event);
        assert!(
            effects.iter().filter(|effect| !matches!(effect, Effect::Log { .. })).count() <= 2,
            "one step at a time: {effects:?}"
        );
        let last = effects.last().expect("a method that goes on or ends").clone();
        seen.extend(effects);
        if let Effect::Finish(ending) = last {
            assert!(
                state.step(Event::Begin).is_empty() && state.step(Event::Cap(Cap::Cost)).is_empty(),
                "it stays ended"
            );
            seen.pop();
            return (seen, *ending);
        }
        event = answer(&last);
    }
}

fn healthy(shelf: &Shelf) -> impl FnMut(&Effect) -> Event {
    |effect| Event::Done(effect.clone(), shelf.answer(effect))
}

fn completed(plan: &AdaptivePlan, answer: impl FnMut(&Effect) -> Event) -> Report {
    match drive(plan, answer).1 {
        Ending::Completed { report } => report,
        other => panic!("not completed: {other:?}"),
    }
}

fn names(effects: &[Effect]) -> Vec<&'static str> {
    effects.iter().filter(|effect| !matches!(effect, Effect::Progress(_))).map(Effect::name).collect()
}

fn failed(code: Code) -> Outcome {
    Outcome::Failed { error: Error::new(code, "it broke") }
}

/// EM-01: a question that one passage answers ends after one attempt, with that passage first and its copy named.
#[test]
fn a_good_answer_ends_the_call() {
    let shelf = manual();
    let (effects, ending) = drive(&plan("What happens to a transaction after the deadlock timeout?"), healthy(&shelf));
    assert_eq!(names(&effects), ["refresh_library", "search_library", "archive_pages"]);
    let Ending::Completed { report } = ending else { panic!("{ending:?}") };
    assert_eq!((report.stop_reason, report.partial, report.verified), (StopReason::GoodEnough, false, false));
    assert_eq!(report.strategy.as_deref(), Some("medium"));
    assert!(report.markdown.contains("> A **deadlock** is found by the server after the"), "{}", report.markdown);
    assert!(
        report.markdown.contains("Nearly the same text: `locks.md:3`") || report.markdown.contains("`copy/locks.md:3`")
    );
    assert!(report.claims.iter().all(|claim| claim.verdict == Verdict::Quoted), "nobody judged them");
    assert_eq!(report.rounds.len(), 1);
    assert!(report.rounds[0].intermediate_result_summary.contains("coverage 1.00"), "{:?}", report.rounds);
}

/// AS-09: nothing relevant is said to be so, although a word matches.
#[test]
fn nothing_relevant_is_said_so() {
    let shelf = manual();
    for goal in ["how do penguins mate with locks", "penguins", "recipe for chocolate cake with a deadlock of vanilla"]
    {
        let report = completed(&plan(goal), healthy(&shelf));
        assert_eq!(report.stop_reason, StopReason::NothingFound, "{goal}: {}", report.markdown);
        assert!(report.sources.is_empty() && report.claims.is_empty() && !report.partial);
        assert!(report.markdown.contains("Nothing relevant was found in 45 documents."), "{}", report.markdown);
        assert_eq!(report.rounds.len(), 1, "{goal}");
    }
    let report = completed(&plan("how do penguins mate with locks"), healthy(&shelf));
    assert!(report.markdown.contains("in none of the passages found: `penguins`, `mate`."), "{}", report.markdown);
    let report = completed(&plan("penguins"), healthy(&Shelf::new(&[])));
    assert!(report.markdown.contains("the library, which holds no documents"), "{}", report.markdown);
}

/// AS-09: that nothing was found is said with all files that nobody looked into.
#[test]
fn nothing_relevant_is_said_with_what_was_not_read() {
    let mut hidden = SkippedFiles::default();
    hidden.count("hidden");
    for (skipped, unread, says) in [
        (SkippedFiles::default(), 0, "in 4 documents."),
        (SkippedFiles::default(), 1, "in 4 documents; 1 could not be read."),
        (hidden.clone(), 0, "in 4 documents; 1 file not read (1 hidden)."),
        (hidden, 3, "in 4 documents; 1 file not read (1 hidden); 3 could not be read."),
    ] {
        let report = completed(&plan("penguins"), |effect| {
            let refreshed = Refreshed { unchanged: 4, unread, skipped: skipped.clone(), ..Refreshed::default() };
            let outcome = match effect {
                Effect::RefreshLibrary { .. } => Outcome::Refreshed(refreshed),
                other => manual().answer(other),
            };
            Event::Done(effect.clone(), outcome)
        });
        assert!(report.markdown.contains(&format!("Nothing relevant was found {says}")), "{}", report.markdown);
    }
}

/// AS-07: a second attempt asks for what the first one brought up, and says which query found what.
#[test]
fn a_follow_up_finds_the_missing_link() {
    let shelf = manual();
    let goal = "Where did the inventor of the vacuum of dead rows study cartography?";
    let (effects, ending) = drive(&plan(goal), healthy(&shelf));
    let report = ending.report().unwrap();
    let queries: Vec<&String> = report.rounds.iter().flat_map(|round| &round.search_queries).collect();
    assert_eq!(queries[0], goal);
    assert_eq!(queries[1], goal, "the wider search");
    assert!(queries[2].contains("zebulon") && queries[2].contains("pike"), "{queries:?}");
    assert!(report.markdown.contains("> Zebulon Pike **studied** **cartography** in Ghent."), "{}", report.markdown);
    assert_eq!(report.sources[0].location, "/d/people.md", "the goal's own best passage comes first");
    let percents: Vec<u8> = effects
        .iter()
        .filter_map(|effect| if let Effect::Progress(progress) = effect { progress.percent } else { None })
        .collect();
    assert!(percents.is_sorted() && percents.iter().all(|percent| *percent < 100), "{percents:?}");
}

/// LB-02: what holds no word of the question is not quoted, although it speaks of what the best passage speaks of.
#[test]
fn lb_02_what_holds_no_word_of_the_question_is_not_quoted() {
    let (_, ending) = drive(&plan("checkpoint"), healthy(&manual()));
    let report = ending.report().unwrap();
    let locations: Vec<&str> = report.sources.iter().map(|source| source.location.as_str()).collect();
    assert_eq!(locations, ["/d/wal.md"], "{}", report.markdown);
}

/// LB-02: what stands below a question that has words of the goal comes before the same below another heading.
#[test]
fn lb_02_what_stands_below_a_question_comes_first() {
    let below = |heading: &str, valve: &str| {
        format!("{heading}\n\nThe pipes burst in winter when water turns to ice. Valve {valve}.")
    };
    let others: Vec<String> = (0..20).map(|at| format!("Chapter {at}\n\nThe garden has bed number {at}.")).collect();
    for (plain, question) in [("Burst pipes", "Why did my pipes burst?"), ("Burst pipes!", "**Burst pipes?** ¶")] {
        let [a, b] = [below(plain, "north by the hedge"), below(question, "south of all sheds")];
        let mut documents = vec![("a.md", a.as_str()), ("b.md", b.as_str())];
        documents.extend(others.iter().map(|text| (text.as_str(), text.as_str())));
        let report = completed(&plan("Do pipes burst in winter?"), healthy(&Shelf::new(&documents)));
        assert_eq!(report.sources[0].location, "/d/b.md", "{}", report.markdown);
    }
}

/// LB-02: the answer to a question that stands as a heading begins where its section does, unless a later part says more of the goal.
#[test]
fn lb_02_an_answer_begins_below_its_question() {
    let page = "How do I clean the boiler?\n\nLet it cool for a day.\n\nThe boiler is clean when you clean it twice with vinegar.";
    let others: Vec<String> = (0..20).map(|at| format!("Chapter {at}\n\nThe garden has bed number {at}.")).collect();
    let mut documents = vec![("a.md", page)];
    documents.extend(others.iter().map(|text| (text.as_str(), text.as_str())));
    for (goal, first) in [("How do I clean the boiler?", 3), ("How do I clean the boiler with vinegar?", 5)] {
        let mut shelf = Shelf::new(&documents);
        shelf.drop_titles();
        let report = completed(&plan(goal), healthy(&shelf));
        let lines = report.sources[0].lines.as_ref().map(|lines| lines.first);
        assert_eq!(lines, Some(first), "{goal}: {}", report.markdown);
    }
}

/// LB-02: what only says where something is told, or what was changed, comes behind what tells it.
#[test]
fn lb_02_what_leads_elsewhere_comes_last() {
    let others: Vec<String> = (0..20).map(|at| format!("Chapter {at}\n\nThe garden has bed number {at}.")).collect();
    let told = "Boats\n\nTo paint the hull of a boat, wait for a dry week. The paint of the hull is thinned.";
    for leading in [
        "Yard\n\nThis section describes how to paint the hull of a boat.",
        "Yard 3 release notes\n\nYou can now paint the hull of a boat.",
    ] {
        let mut documents = vec![("a.md", leading), ("b.md", told)];
        documents.extend(others.iter().map(|text| (text.as_str(), text.as_str())));
        let report = completed(&plan("How do I paint the hull of a boat?"), healthy(&Shelf::new(&documents)));
        assert_eq!(report.sources[0].location, "/d/b.md", "{}", report.markdown);
    }
}

/// LB-02: what has all words of the goal comes before what has most of them in one sentence.
#[test]
fn lb_02_what_has_all_words_comes_first() {
    let apart = "Nothing else is said of it here by anybody at all.";
    let all = format!("Notes\n\nA dam lock is old. {apart} The gate is red. {apart} The mill is blue.");
    let mut texts = vec!["News\n\nThe dam lock gate opens.".to_owned(), all, "Other\n\nA mill.".to_owned()];
    texts.extend((0..40).map(|at| format!("Chapter {at}\n\nThe garden has bed number {at}.")));
    let names: Vec<String> = (0..texts.len()).map(|at| format!("{at}.md")).collect();
    let documents: Vec<(&str, &str)> = names.iter().zip(&texts).map(|(name, text)| (&**name, &**text)).collect();
    let report = completed(&plan("dam lock gate mill"), healthy(&Shelf::new(&documents)));
    assert_eq!(report.sources[0].location, "/d/1.md", "{}", report.markdown);
}

/// AS-02, AS-04, AS-06: a call stays within its strategy's figures.
#[test]
fn a_call_stays_within_its_figures() {
    let shelf = manual();
    for scope in [Scope::Tiny, Scope::Normal, Scope::Large] {
        for attempts in [None, Some(1), Some(2), Some(99)] {
            let plan = AdaptivePlan {
                scope: Some(scope),
                max_attempts: attempts,
                ..plan("which statement writes table rows to disk now")
            };
            let strategy = plan.strategy();
            let room = Room::in_library(strategy.level);
            let (effects, ending) = drive(&plan, healthy(&shelf));
            let mut searches = 0;
            for effect in &effects {
                match effect {
                    Effect::SearchLibrary { limit, .. } => {
                        searches += 1;
                        assert_eq!(*limit, room.candidates);
                    }
                    Effect::ArchivePages { pages } => assert!(pages.len() <= room.documents),
                    _ => {}
                }
            }
            assert!((1..=strategy.max_attempts).contains(&searches), "{scope:?} {attempts:?}");
            let report = ending.report().unwrap();
            assert_eq!(report.strategy.as_deref(), Some(strategy.level.name()));
            let documents: BTreeSet<&String> = report.sources.iter().map(|source| &source.location).collect();
            assert!((1..=room.documents).contains(&documents.len()) && report.sources.len() <= room.passages);
        }
    }
}

/// AS-03: no effect at all, and the answer says so.
#[test]
fn a_context_that_answers_needs_no_search() {
    let context = Some("We moved last year. The default port is 7421.".to_owned());
    let (effects, ending) =
        drive(&AdaptivePlan { context, ..plan("what is the default port") }, |effect| panic!("{effect:?}"));
    assert!(effects.is_empty());
    let report = ending.report().unwrap();
    assert_eq!((report.stop_reason, report.strategy.as_deref()), (StopReason::AnsweredByContext, Some("none")));
    assert!(report.markdown.contains("> The default port is 7421.\n"), "{}", report.markdown);
    assert!(!report.markdown.contains("last year") && report.note.as_deref().unwrap().contains("nothing was searched"));
}

/// AS-08: the same fields, whatever the strategy.
#[test]
fn the_shape_does_not_depend_on_the_strategy() {
    let shelf = manual();
    let context = Some("The default port is 7421.".to_owned());
    let keys = |plan: &AdaptivePlan| -> Vec<String> {
        let report = serde_json::to_value(completed(plan, healthy(&shelf))).unwrap();
        report.as_object().unwrap().keys().filter(|key| *key != "note").cloned().collect()
    };
    let none = keys(&AdaptivePlan { context, ..plan("what is the default port") });
    for scope in [Scope::Tiny, Scope::Normal, Scope::Large] {
        assert_eq!(keys(&AdaptivePlan { scope: Some(scope), ..plan("deadlock timeout") }), none);
    }
}

/// AS-09: a page that cannot be archived is not quoted and is named; the rest is.
#[test]
fn a_lost_page_is_not_quoted() {
    let shelf = manual();
    let report = completed(&plan("deadlock timeout of a transaction, row locks at commit"), |effect| {
        let outcome = match effect {
            Effect::ArchivePages { pages } => Outcome::Archived {
                pages: pages.iter().filter(|page| page.path != "locks.md").map(|page| page.page.clone()).collect(),
                problems: vec![],
            },
            other => shelf.answer(other),
        };
        Event::Done(effect.clone(), outcome)
    });
    assert!(report.sources.iter().all(|source| source.location != "/d/locks.md") && !report.sources.is_empty());
    assert!(report.problems.iter().any(|problem| problem.subject == "locks.md"), "{:?}", report.problems);
    assert!(report.markdown.contains("## Problems\n\n- `locks.md`: LIBRARY_UNREADABLE"), "{}", report.markdown);
}

/// AS-09: what fails is recorded; the call fails only when nothing can be done.
#[test]
fn failures_are_recorded_and_skipped() {
    let shelf = manual();
    let goal = "What happens to a transaction after the deadlock timeout?";
    // (the effect that fails, how, how often, the attempts made, the code the call ends with)
    for (name, outcome, times, rounds, want) in [
        ("refresh_library", failed(Code::LibraryBusy), 1, 1, None),
        ("refresh_library", Outcome::Uncertain, 1, 1, None),
        ("refresh_library", Outcome::Found(FoundPassages::default()), 1, 1, None),
        ("search_library", failed(Code::LibraryBusy), 1, 2, None),
        ("search_library", failed(Code::LibraryBusy), 9, 3, Some(Code::LibraryBusy)),
        ("search_library", failed(Code::IndexDamaged), 1, 1, Some(Code::IndexDamaged)),
        ("search_library", Outcome::Uncertain, 1, 2, None),
        ("archive_pages", failed(Code::StoreFull), 9, 1, Some(Code::StoreFull)),
    ] {
        let mut left = times;
        let (effects, ending) = drive(&plan(goal), |effect| {
            if effect.name() == name && left > 0 {
                left -= 1;
                return Event::Done(effect.clone(), outcome.clone());
            }
            Event::Done(effect.clone(), shelf.answer(effect))
        });
        let searches = names(&effects).iter().filter(|name| **name == "search_library").count();
        assert_eq!(searches, rounds, "{name} {outcome:?}");
        match (ending, want) {
            (Ending::Completed { report }, None) => {
                assert_eq!(report.problems.len(), 1, "{name}");
                assert!(!report.sources.is_empty() && report.rounds.len() == rounds);
                assert_eq!(report.rounds[0].error.is_some(), name == "search_library");
            }
            (Ending::Failed { error, .. }, Some(code)) => assert_eq!(error.code, code),
            (ending, want) => panic!("{name} {outcome:?}: {ending:?}, not {want:?}"),
        }
    }
}

/// A library that cannot be read and holds nothing is an error, not an empty answer.
#[test]
fn a_missing_library_is_an_error() {
    let (_, ending) = drive(&plan("deadlock timeout"), |effect| {
        let outcome = match effect {
            Effect::RefreshLibrary { .. } => failed(Code::LibraryNotFound),
            _ => Outcome::Found(FoundPassages::default()),
        };
        Event::Done(effect.clone(), outcome)
    });
    assert!(matches!(&ending, Ending::Failed { error, .. } if error.code == Code::LibraryNotFound), "{ending:?}");
}

/// AS-09: what could not be read is an error and not the answer that there is nothing.
#[test]
fn unread_is_not_nothing() {
    let shelf = manual();
    let unreadable = |subject: &str| Problem {
        subject: subject.into(),
        error: Error::new(Code::LibraryUnreadable, "has 2 GB, more than a library file"),
    };
    // A library of one document that is too large.
    let (_, ending) = drive(&plan("deadlock timeout"), |effect| {
        let outcome = match effect {
            Effect::RefreshLibrary { .. } => {
                Outcome::Refreshed(Refreshed { problems: vec![unreadable("/d/big.txt")], ..Refreshed::default() })
            }
            _ => Outcome::Found(FoundPassages::default()),
        };
        Event::Done(effect.clone(), outcome)
    });
    assert!(matches!(&ending, Ending::Failed { error, .. } if error.message.contains("2 GB")), "{ending:?}");
    // Documents that were indexed before and cannot be read any more: with a reason, and without.
    for problems in [vec![unreadable("locks.md"), unreadable("copy/locks.md")], vec![]] {
        let (_, ending) = drive(&plan("deadlock timeout of a transaction"), |effect| {
            let outcome = match effect {
                Effect::ArchivePages { .. } => Outcome::Archived { pages: vec![], problems: problems.clone() },
                other => shelf.answer(other),
            };
            Event::Done(effect.clone(), outcome)
        });
        let Ending::Failed { error, .. } = ending else { panic!("{ending:?}") };
        let says = if problems.is_empty() { "changed or vanished" } else { "2 GB" };
        assert!(error.code == Code::LibraryUnreadable && error.message.contains(says), "{error:?}");
    }
}

/// BU-01: a cap ends the call at once with what is archived by then.
#[test]
fn a_cap_ends_the_call_with_what_there_is() {
    let shelf = manual();
    let goal = "Where did the inventor of the vacuum of dead rows study cartography?";
    for (cap, reason) in [
        (Cap::Cost, StopReason::BudgetCost),
        (Cap::Tokens, StopReason::BudgetTokens),
        (Cap::WallTime, StopReason::BudgetTime),
    ] {
        for after in 0..5 {
            let mut done = 0;
            let report = completed(&plan(goal), |effect| {
                done += 1;
                if done > after { Event::Cap(cap) } else { Event::Done(effect.clone(), shelf.answer(effect)) }
            });
            assert!(report.partial && report.stop_reason == reason, "{:?}", report.stop_reason);
            assert_eq!(report.sources.is_empty(), after < 3, "after {after}: {}", report.markdown);
            assert!(report.markdown.contains("Stopped early: the"), "{}", report.markdown);
        }
    }
}

/// A cancelled task keeps what was found.
#[test]
fn a_cancelled_call_has_a_partial_report() {
    let shelf = manual();
    let mut state = Adaptive::new(plan("deadlock timeout"));
    let mut effects = state.step(Event::Begin);
    for archived in [false, false, false, true] {
        let report = state.partial(StopReason::Cancelled).unwrap();
        assert!(report.partial && report.stop_reason == StopReason::Cancelled);
        assert_eq!(report.sources.is_empty(), !archived);
        assert!(report.markdown.contains("the task was cancelled"));
        let Some(effect) = effects.pop().filter(|_| !archived) else { break };
        effects = state.step(Event::Done(effect.clone(), shelf.answer(&effect)));
    }
}

/// The stored form of a plan from before the optional inputs still reads.
#[test]
fn a_plan_reads_with_and_without_its_options() {
    let old: AdaptivePlan = serde_json::from_str(r#"{"goal":"why","library":["/d"]}"#).unwrap();
    assert_eq!(old, AdaptivePlan { library: vec!["/d".into()], answer_first: false, ..plan("why") });
    let text = r#"{"goal":"why","library":[],"scope":"large","hint":"debug","context":"c","max_attempts":2}"#;
    let full: AdaptivePlan = serde_json::from_str(text).unwrap();
    assert_eq!((full.scope, full.hint, full.max_attempts), (Some(Scope::Large), Some(Hint::Debug), Some(2)));
    assert_eq!(serde_json::to_string(&full).unwrap(), text);
}

/// The largest goal and context that are let in, made of words that are all different, and passages to match.
#[test]
fn the_largest_inputs_are_no_trouble() {
    let words = |count: usize| (0..count).map(|at| format!("w{at:x}")).collect::<Vec<_>>().join(" ");
    let (goal, context, text) = (words(1_900), words(3_800), words(2_000).repeat(2));
    assert!(goal.len() < limits::QUERY_MAX_CHARS && context.len() < limits::CONTEXT_MAX_CHARS);
    let shelf = Shelf::new(&[("a.md", &text), ("b.md", &words(1_000))]);
    let plan = AdaptivePlan { context: Some(context), scope: Some(Scope::Large), ..plan(&goal) };
    assert_eq!(plan.strategy().level, Level::Medium, "the context covers the goal");
    let report = completed(&plan, healthy(&shelf));
    assert!(!report.sources.is_empty() && report.markdown.len() < 20_000);
}
