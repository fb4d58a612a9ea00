//! Journals that another version wrote, that are damaged, or that make the method panic.

use super::*;

fn script(key: &str) -> Effect {
    Effect::Script(work(key))
}

fn done(no: u32, key: &str, order: u32) -> Row {
    ended(no, Body::Effect(script(key)), order, Some(Outcome::Scripted { value: key.into() }), Usage::ZERO)
}

fn two_stages() -> TaskSpec {
    spec(vec![vec![work("a"), work("b")], vec![work("c")]], Budget::default())
}

fn failure(run: &Run) -> (&Error, Option<&Report>) {
    let Some(Ending::Failed { error, partial }) = &run.ending else { panic!("{:?}", run.ending) };
    (error, partial.as_ref())
}

/// PR-03: what does not fit ends the task, and what was found up to there is kept.
#[test]
fn pr_03_a_journal_that_does_not_fit_ends_with_what_was_found() {
    let unreadable = |no, order: Option<u32>| {
        let end = order.map(|order| End { order, outcome: None, usage: Usage::ZERO });
        Row { no, body: Body::Unreadable("no such effect".into()), tries: 1, lost: Usage::ZERO, end }
    };
    for (why, found, rows) in [
        ("was not asked for", "", vec![started(7, script("z"))]),
        ("was not asked for", "", vec![done(2, "c", 0)]),
        ("was not asked for", "a=a", vec![done(0, "a", 0), started(2, script("c"))]),
        ("effect 0 is `paid`, not `work`", "", vec![started(0, Effect::Script(paid("a", 1)))]),
        ("event 0 is missing", "", vec![done(0, "a", 1)]),
        ("event 1 is missing", "a=a", vec![done(0, "a", 0), done(1, "b", 2)]),
        ("event 0 stands twice", "", vec![done(0, "a", 0), done(1, "b", 0)]),
        ("effect 0 stands twice", "", vec![done(0, "a", 0), done(0, "a", 1)]),
        ("effect 0 stands twice", "", vec![done(0, "a", 0), started(0, script("a"))]),
        ("ended without an outcome", "", vec![ended(0, Body::Effect(script("a")), 0, None, Usage::ZERO)]),
        (
            "a cap that did not end",
            "",
            vec![Row { no: 9, body: Body::Cap { cap: Cap::Cost }, tries: 1, lost: Usage::ZERO, end: None }],
        ),
        ("event 1 cannot be read: no such effect", "a=a", vec![done(0, "a", 0), unreadable(1, Some(1))]),
        ("effect 1 cannot be read: no such effect", "a=a", vec![done(0, "a", 0), unreadable(1, None)]),
    ] {
        let (mut run, lost) = Run::replay(&two_stages(), &rows);
        assert!(lost.is_empty() && matches!(run.next(), Next::End(_)), "{why}: it goes on");
        let (error, partial) = failure(&run);
        assert_eq!(error.code, Code::Internal);
        assert!(error.message.contains(why), "{}: not `{why}`", error.message);
        let partial = partial.unwrap_or_else(|| panic!("{why}: nothing is kept"));
        assert_eq!((partial.markdown.as_str(), partial.stop_reason), (found, StopReason::EngineFailed), "{why}");
    }
}

/// PR-03: number and kind decide; what the journal says was done is what the method hears of and what is done again.
#[test]
fn pr_03_another_wording_fits_and_the_journal_is_believed() {
    let rows = [done(1, "another b", 1), done(0, "a", 0), started(2, script("another c"))];
    let (mut run, lost) = Run::replay(&two_stages(), &rows);
    assert_eq!(lost, [(2, script("another c"), 1)]);
    assert_eq!(run.in_flight(2), Some(script("another c")));
    run.done(2, Outcome::Scripted { value: "x".into() }, Usage::ZERO);
    let Next::End(ending) = run.next() else { panic!("it goes on") };
    assert_eq!(report(&ending).markdown, "a=a\nanother b=another b\nanother c=x");
}

/// PR-03: something paid must be the same to the letter, ended or not.
#[test]
fn pr_03_another_paid_step_does_not_fit() {
    let spec = spec(vec![vec![work("a")], vec![paid("b", 40)]], Budget::default());
    let row = |effect: Effect, end: bool| {
        if !end {
            return started(1, effect);
        }
        let usage = effect.expected();
        ended(1, Body::Effect(effect), 1, Some(Outcome::Scripted { value: "b".into() }), usage)
    };
    for (effect, fits) in [(paid("b", 40), true), (paid("b", 41), false), (paid("c", 40), false)] {
        for end in [true, false] {
            let (run, _) = Run::replay(&spec, &[done(0, "a", 0), row(Effect::Script(effect.clone()), end)]);
            match (&run.ending, fits) {
                (Some(Ending::Failed { error, partial: Some(partial) }), false) => {
                    assert!(error.message.contains("a paid `paid`"), "{error}");
                    assert_eq!(partial.markdown, "a=a");
                }
                (None | Some(Ending::Completed { .. }), true) => {}
                (ending, _) => panic!("{effect:?}, ended {end}: {ending:?}"),
            }
        }
    }
}

/// PR-03: a method that panics ends its task; a replay of its journal gives back what it had found before.
#[test]
fn pr_03_a_panic_keeps_what_was_found_before() {
    let fault = Step::new("bang", Act::Fault);
    let spec = spec(vec![vec![work("a")], vec![work("b"), fault.clone()], vec![work("c")]], Budget::default());
    let mut run = Run::new(&spec);
    let mut rows = Vec::new();
    while let Next::Start(no, effect) = run.next() {
        let Effect::Script(step) = &effect else { panic!("{effect:?}") };
        let outcome = Outcome::Scripted { value: step.key.clone() };
        rows.push(ended(no, Body::Effect(effect), run.order(), Some(outcome.clone()), Usage::ZERO));
        run.done(no, outcome, Usage::ZERO);
    }
    assert!(run.has_faulted());
    assert_eq!(failure(&run).1, None, "its state is not to be trusted");
    // Whatever else was begun or ended by then.
    rows.push(started(3, script("c")));
    let (mut again, lost) = Run::replay(&spec, &rows);
    assert!(lost.is_empty() && matches!(again.next(), Next::End(_)));
    let (error, partial) = failure(&again);
    assert_eq!((error.code, error.message.as_str()), (Code::Internal, "the method has a fault"));
    assert_eq!(partial.map(|report| report.markdown.as_str()), Some("a=a\nb=b"));
}

/// PR-01: each try is paid anew, so an effect whose end was lost is asked of the budget anew; what is refused ends the task with what
/// there is, and so does the next replay.
#[test]
fn pr_01_a_lost_effect_is_admitted_anew() {
    for (lost, again) in [(0, true), (59, true), (61, false), (500, false)] {
        let spec = spec(vec![vec![work("a")], vec![paid("b", 40)]], dollars(100));
        let spent = Usage { cost: Usd::from_micros(lost), ..Usage::ZERO };
        let open = Row { lost: spent, tries: 2, ..started(1, Effect::Script(paid("b", 40))) };
        let rows = [done(0, "a", 0), open.clone()];
        let (mut run, found) = Run::replay(&spec, &rows);
        assert_eq!(found.len(), 1);
        let (admitted, cap) = run.readmit(found);
        assert_eq!((admitted.len(), cap), if again { (1, None) } else { (0, Some(Cap::Cost)) }, "{lost}");
        if again {
            assert!(run.in_flight(1).is_some());
            continue;
        }
        run.capped(Cap::Cost);
        let Next::End(ending) = run.next() else { panic!("it goes on") };
        assert_eq!((report(&ending).markdown.as_str(), report(&ending).stop_reason), ("a=a", StopReason::BudgetCost));
        // Killed before the end was written: the cap is in the journal now.
        let capped = ended(u32::MAX - 1, Body::Cap { cap: Cap::Cost }, 1, None, Usage::ZERO);
        let (twin, found) = Run::replay(&spec, &[done(0, "a", 0), open, capped]);
        assert_eq!((twin.ending, found), (Some(*ending), Vec::new()));
    }
}
