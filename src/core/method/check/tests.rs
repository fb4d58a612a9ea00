use std::fmt::Write as _;

use super::*;
use crate::core::evidence::checked::{NotVisited, SourceState, Unreachable};
use crate::core::evidence::claim::Verdict;
use crate::core::evidence::passage::PageHash;
use crate::core::money::budget::Cap;

fn plan(report: &str, pages: u32) -> CheckPlan {
    let input = CheckInput::Text { report: report.into(), known: Vec::new() };
    CheckPlan {
        subject: "report.md".into(),
        input,
        pages,
        offline: false,
        within_ms: 90_000,
        files: FileReach::default(),
        opinion: None,
    }
}

/// What the method asks of the world, without what it tells.
fn asked(effects: Vec<Effect>) -> Vec<Effect> {
    effects.into_iter().filter(|effect| !matches!(effect, Effect::Progress(_))).collect()
}

fn sources(effect: &Effect) -> Vec<CheckedSource> {
    match effect {
        Effect::GatherPages { sources, .. } | Effect::JudgeReport { sources, .. } => sources.clone(),
        other => panic!("{other:?}"),
    }
}

fn read(mut source: CheckedSource) -> CheckedSource {
    source.state = SourceState::Read;
    source.page = Some(PageHash(format!("hash-{}", source.number)));
    source
}

fn ending(effects: &[Effect]) -> Ending {
    match effects {
        [Effect::Finish(ending)] => (**ending).clone(),
        other => panic!("{other:?}"),
    }
}

fn report_citing(count: usize) -> String {
    let mut report = String::new();
    for number in 1..=count {
        let _ = writeln!(report, "The sea here is {number} metres deep [{number}](https://{number}.example/).\n");
    }
    report
}

/// EV-03: pages are read side by side, each address once, and judged when all are settled.
#[test]
fn pages_are_gathered_in_batches_and_then_judged() {
    let mut report = report_citing(25);
    report.push_str("It is deep in other words too [30].\n\n## Sources\n\n30. https://3.example\n");
    let mut method = Check::new(plan(&report, 200));
    let batches = asked(method.step(Event::Begin));
    assert_eq!(batches.iter().map(|batch| sources(batch).len()).collect::<Vec<_>>(), [10, 10, 5]);
    let mut last = Vec::new();
    for batch in batches.into_iter().rev() {
        let outcome = Outcome::Gathered { sources: sources(&batch).into_iter().map(read).collect() };
        assert!(last.is_empty(), "judged before all pages were settled");
        last = asked(method.step(Event::Done(batch, outcome)));
    }
    let judged = sources(&last[0]);
    assert_eq!(judged.len(), 25);
    assert!(judged.iter().all(CheckedSource::is_read));
    assert_eq!(judged.last().map(|source| source.number), Some(30), "one page has one number");
    let evidence = Box::new(Evidence { sources: judged, ..Evidence::default() });
    let ended = asked(method.step(Event::Done(last.remove(0), Outcome::Judged { evidence, open: Vec::new() })));
    let Ending::Completed { report: ended } = ending(&ended) else { panic!("{ended:?}") };
    assert_eq!(ended.stop_reason, StopReason::Checked);
    assert_eq!(ended.sources.len(), 25);
    assert_eq!(ended.evidence.unwrap().text.as_deref(), Some(report.as_str()));
}

#[test]
fn beyond_the_limit_nothing_is_visited() {
    let mut method = Check::new(plan(&report_citing(5), 2));
    let mut batches = asked(method.step(Event::Begin));
    assert_eq!(sources(&batches[0]).len(), 2);
    let batch = batches.remove(0);
    let outcome = Outcome::Gathered { sources: sources(&batch).into_iter().map(read).collect() };
    let judge = asked(method.step(Event::Done(batch, outcome)));
    let limit = SourceState::NotVisited { why: NotVisited::Limit };
    assert_eq!(sources(&judge[0]).iter().filter(|source| source.state == limit).count(), 3);
    // Nothing at all to read is no reason not to judge.
    let mut method = Check::new(plan(&report_citing(5), 0));
    assert!(matches!(asked(method.step(Event::Begin)).as_slice(), [Effect::JudgeReport { .. }]));
}

/// A batch that fails leaves its pages unvisited; a cap ends the task with what is known of its citations.
#[test]
fn it_ends_with_what_there_is() {
    let mut method = Check::new(plan(&report_citing(15), 200));
    let mut batches = asked(method.step(Event::Begin));
    let error = Error::new(Code::StoreFull, "no room");
    assert!(asked(method.step(Event::Done(batches.remove(0), Outcome::Failed { error: error.clone() }))).is_empty());
    let partial = method.partial(StopReason::Cancelled).unwrap();
    assert!(partial.partial);
    let ended = asked(method.clone().step(Event::Cap(Cap::WallTime)));
    let Ending::Completed { report } = ending(&ended) else { panic!("{ended:?}") };
    assert_eq!(report.stop_reason, StopReason::BudgetTime);
    let evidence = report.evidence().unwrap().into_owned();
    assert!(evidence.claims.iter().all(|claim| claim.verdict == Verdict::NotVisited), "{evidence:#?}");

    let batch = batches.remove(0);
    let dead = |source: CheckedSource| CheckedSource {
        state: SourceState::Unreachable { why: Unreachable::Dead, detail: String::new() },
        ..source
    };
    let outcome = Outcome::Gathered { sources: sources(&batch).into_iter().map(dead).collect() };
    let mut judge = asked(method.step(Event::Done(batch, outcome)));
    let ended = asked(method.step(Event::Done(judge.remove(0), Outcome::Failed { error: error.clone() })));
    let Ending::Failed { error: told, partial: Some(partial) } = ending(&ended) else { panic!("{ended:?}") };
    assert_eq!(told, error);
    assert_eq!(partial.evidence().unwrap().counts().unreachable, 5);
    assert!(partial.markdown.contains("https://web.archive.org/web/https://11.example/"), "{}", partial.markdown);
}

/// A report of the web is read first; what is not there or says nothing ends the task.
#[test]
fn a_report_of_the_web() {
    let url = "https://a.example/report".to_owned();
    let input = CheckInput::Url { url: url.clone() };
    let plan = CheckPlan {
        subject: url.clone(),
        input,
        pages: 9,
        offline: true,
        within_ms: 1,
        files: FileReach::default(),
        opinion: None,
    };
    let mut method = Check::new(plan);
    let first = asked(method.step(Event::Begin)).remove(0);
    assert_eq!(first, Effect::ReadReport { url, offline: true });
    assert_eq!(method.partial(StopReason::Cancelled), None);
    let empty = Outcome::ReportRead { text: " \n".into() };
    assert!(matches!(ending(&asked(method.clone().step(Event::Done(first.clone(), empty)))), Ending::Failed { .. }));
    let text = Outcome::ReportRead { text: report_citing(1) };
    let gather = asked(method.step(Event::Done(first, text)));
    assert!(matches!(gather.as_slice(), [Effect::GatherPages { offline: true, within_ms: 1, .. }]));
}

/// Whatever a report says, it stays inside its cell.
#[test]
fn the_table_is_not_broken_by_what_it_shows() {
    let report = "A | pipe and <b>bold</b> text with `code` stands here for all to see.\n";
    let mut method = Check::new(plan(report, 200));
    let judge = asked(method.step(Event::Begin)).remove(0);
    let evidence = Box::new(method.gathering.as_ref().unwrap().unjudged());
    let ended = asked(method.step(Event::Done(judge, Outcome::Judged { evidence, open: Vec::new() })));
    let Ending::Completed { report } = ending(&ended) else { panic!("{ended:?}") };
    let row = report.markdown.lines().find(|line| line.contains("uncited**")).unwrap();
    assert_eq!(row.replace("\\|", "").matches('|').count(), 6, "{row}");
    assert!(!report.markdown.contains("<b>"), "{}", report.markdown);
}
