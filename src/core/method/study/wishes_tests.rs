//! Tests of what a user wants of a study beside the question: sources, a word when it is asked back.

use super::tests::{outcome, plan, rule, run};
use super::*;
use crate::core::method::strategy::Scope;

/// A brief with a question to the asker; everything else by the usual rule.
fn asking(step: StudyStep, prompt: &str) -> String {
    match step {
        StudyStep::Brief if prompt.contains("ASK: one short question") => {
            format!("{}\nASK: The ship or the bird?\nASSUME: the ship", rule(step, prompt))
        }
        step => rule(step, prompt),
    }
}

/// The first effects of a study whose brief was answered.
fn briefed(wishes: Wishes) -> (Study, Vec<Effect>) {
    let mut study = Study::new(StudyPlan { wishes, ..plan(Scope::Large) });
    let brief = study.step(Event::Begin).into_iter().find(|effect| matches!(effect, Effect::Chat(_))).unwrap();
    let reply = outcome(&brief, &asking);
    let effects = study.step(Event::Done(brief, reply));
    (study, effects)
}

fn is_search(effect: &Effect) -> bool {
    matches!(effect, Effect::WebSearch { .. })
}

/// ST-01: whoever waits is asked back once; a word or a minute without one lets it go on. Where nobody waits, the assumption is stated.
#[test]
fn a_vague_question_is_asked_back_once() {
    let (mut study, asked) = briefed(Wishes { asks_back: true, ..Wishes::default() });
    let [Effect::Progress(progress), wait] = &asked[..] else { panic!("{asked:#?}") };
    assert_eq!(progress.question.as_deref(), Some("The ship or the bird?"));
    assert_eq!(*wait, Effect::Wait { ms: limits::ASK_BACK_MS });
    let mut told = study.clone();
    let went_on = told.step(Event::Steer("the bird".into()));
    assert!(went_on.iter().any(is_search), "{went_on:#?}");
    assert!(told.asked().contains("the bird"));
    assert_eq!(told.step(Event::Done(wait.clone(), Outcome::Waited)), [], "too late to matter");
    let went_on = study.step(Event::Done(wait.clone(), Outcome::Waited));
    assert!(went_on.iter().any(is_search), "{went_on:#?}");
    let (study, went_on) = briefed(Wishes::default());
    assert!(study.brief.ask.is_none() && went_on.iter().any(is_search), "{went_on:#?}");
    let (report, _) = run(
        plan(Scope::Large),
        &|step, prompt| match step {
            StudyStep::Brief => format!("{}\nASK: The ship or the bird?\nASSUME: the ship", rule(step, prompt)),
            step => rule(step, prompt),
        },
        |_| 0,
    );
    assert!(report.markdown.starts_with("_Assumed: the ship_"), "{}", report.markdown);
}

/// A model that uses the first note of each section only.
fn lazy(step: StudyStep, prompt: &str) -> String {
    match step {
        StudyStep::Section(_) => {
            let first = prompt.lines().find_map(|line| line.strip_prefix('n')?.split_once(": "));
            first.map(|(number, claim)| format!("{claim} [n{number}]")).unwrap_or_default()
        }
        step => rule(step, prompt),
    }
}

/// ST-01: as many sources are cited as are wanted, if so many say something; else it is said how many do.
#[test]
fn at_least_so_many_sources_are_cited() {
    let with = |sources: Option<u32>| {
        let wishes = Wishes { sources, ..Wishes::default() };
        run(StudyPlan { wishes, ..plan(Scope::Large) }, &lazy, |_| 0).0
    };
    let few = with(None).sources.len();
    let wanted = with(Some(5));
    assert!(few < 5, "{few}");
    assert_eq!((wanted.sources.len(), wanted.note), (5, None), "{}", wanted.markdown);
    let note = with(Some(30)).note.unwrap_or_default();
    assert!(note.contains("30 sources were wanted; 5 were found"), "{note}");
}

/// RS-01: pages that bring nothing are replaced; a study that was begun before that was done asks for nothing that its journal does not have.
#[test]
fn pages_that_bring_nothing_are_replaced() {
    for (goes_further, replaced) in [(true, true), (false, false)] {
        let mut study = Study::new(StudyPlan { goes_further, ..plan(Scope::Normal) });
        let mut open = study.step(Event::Begin);
        let read = loop {
            let effect = open.remove(0);
            match effect {
                Effect::Progress(_) => {}
                Effect::ReadPages { .. } => break effect,
                effect => {
                    let done = outcome(&effect, &rule);
                    open.extend(study.step(Event::Done(effect, done)));
                }
            }
        };
        let again = study.step(Event::Done(read, Outcome::Read(Box::default())));
        assert_eq!(again.iter().any(|effect| matches!(effect, Effect::ReadPages { .. })), replaced, "{again:#?}");
    }
}
