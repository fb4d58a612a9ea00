//! What must hold whatever the world answers.

use std::collections::BTreeSet;

use proptest::prelude::{Strategy, *};
use pulldown_cmark::{Event as Mark, Parser, Tag, TagEnd};

use super::*;
use crate::core::base::limits;
use crate::core::evidence::passage::{Passage, Reach, Term};
use crate::core::task::outcome::Refreshed;
use crate::core::text::spans::{PlaceInFile, Span};

pub(super) fn word() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "lock", "locks", "row", "wal", "vacuum", "Zebulon", "max_rows", "penguin", "[1]", "[x](y)", "```", "<b>", "\n",
        "\n\n", "timeout", "7", "a",
    ])
    .prop_map(str::to_owned)
}

pub(super) fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(word(), 0..12).prop_map(|words| words.join(" "))
}

pub(super) fn passage() -> impl Strategy<Value = Passage> {
    let score = prop_oneof![Just(f32::NAN), -1.0f32..20.0];
    let meaning = prop_oneof![Just(None), Just(Some(f32::NAN)), (-1.0f32..1.0).prop_map(Some)];
    (0u32..6, 0u64..4, text(), score, prop::collection::vec(0u16..9, 0..6), meaning).prop_map(
        |(page, start, text, score, matched, meaning)| Passage {
            root: format!("/r{}", page % 2),
            path: format!("{page}.md"),
            title: text.clone(),
            headings: vec![text.clone()],
            lines: PlaceInFile::lines(1, 2),
            parts: Vec::new(),
            span: Span { start, end: start + text.len() as u64 },
            text,
            page: PageHash(page.to_string()),
            score,
            matched,
            meaning,
            fenced: false,
            table_head: String::new(),
            of_superseded: false,
        },
    )
}

fn problems() -> impl Strategy<Value = Vec<Problem>> {
    let problem = text().prop_map(|subject| Problem { subject, error: Error::new(Code::LibraryUnreadable, "[9] <b>") });
    prop::collection::vec(problem, 0..3)
}

pub(super) fn found() -> impl Strategy<Value = Outcome> {
    let term = ("(lock|row|wal|vacuum|penguin|the)", prop_oneof![Just(f32::INFINITY), -1.0f32..8.0])
        .prop_map(|(text, weight)| Term { text, weight, forms: Vec::new() });
    (prop::collection::vec(term, 0..6), prop::collection::vec(passage(), 0..12), problems()).prop_map(
        |(terms, passages, problems)| {
            Outcome::Found(FoundPassages { terms, passages, problems, ..FoundPassages::default() })
        },
    )
}

/// Any outcome, fitting or not.
fn outcome() -> impl Strategy<Value = Outcome> {
    let pages = prop::collection::vec((0u32..6).prop_map(|page| PageHash(page.to_string())), 0..6);
    prop_oneof![
        1 => (0u32..9, problems()).prop_map(|(added, problems)| Outcome::Refreshed(Refreshed { added, problems, ..Refreshed::default() })),
        6 => found(),
        3 => (pages, problems()).prop_map(|(pages, problems)| Outcome::Archived { pages, problems }),
        1 => prop::sample::select(vec![Code::LibraryBusy, Code::Internal]).prop_map(failed),
        1 => Just(Outcome::Uncertain),
    ]
}

pub(super) fn any_plan() -> impl Strategy<Value = AdaptivePlan> {
    let scope = prop::option::of(prop::sample::select(vec![Scope::Tiny, Scope::Normal, Scope::Large]));
    let hint = prop::option::of(prop::sample::select(vec![Hint::Reference, Hint::Research]));
    let length = prop::option::of(prop::sample::select(vec![Length::Brief, Length::Normal, Length::Long]));
    (text(), scope, hint, prop::option::of(text()), prop::option::of(0u32..20), length).prop_map(
        |(goal, scope, hint, context, max_attempts, length)| AdaptivePlan {
            goal,
            scope,
            hint,
            context,
            max_attempts,
            length,
            answer_first: true,
            ..AdaptivePlan::default()
        },
    )
}

/// The citations of a report: `[n]` outside quotes and code that is not escaped. Nothing in it may be active.
fn cited(markdown: &str) -> BTreeSet<u32> {
    let (mut quoted, mut text) = (0, String::new());
    for (mark, place) in Parser::new(markdown).into_offset_iter() {
        match mark {
            Mark::Start(Tag::BlockQuote(_)) => quoted += 1,
            Mark::End(TagEnd::BlockQuote(_)) => quoted -= 1,
            Mark::Text(part) if quoted == 0 => {
                let escaped = markdown.get(..place.start).is_some_and(|before| before.ends_with('\\'));
                text.push_str(if escaped { "\\" } else { "" });
                text.push_str(&part);
            }
            Mark::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::HtmlBlock)
            | Mark::Html(_)
            | Mark::InlineHtml(_) => {
                panic!("active: {mark:?} in {markdown}")
            }
            _ => text.push(' '),
        }
    }
    let pieces = text.replace("\\[", "(");
    pieces.split('[').skip(1).filter_map(|rest| rest.split_once(']')?.0.parse().ok()).collect()
}

/// Checks a report against the pages that were archived.
fn check(report: &Report, archived: &BTreeSet<PageHash>) -> Result<(), TestCaseError> {
    prop_assert!(!report.markdown.trim().is_empty());
    let numbers: Vec<u32> = report.sources.iter().map(|source| source.number).collect();
    prop_assert_eq!(&numbers, &(1..=numbers.len() as u32).collect::<Vec<_>>());
    prop_assert_eq!(cited(&report.markdown), numbers.iter().copied().collect::<BTreeSet<_>>(), "{}", report.markdown);
    for number in &numbers {
        let (quote, list) = (format!("**[{number}]** "), format!("\n- [{number}] "));
        let is_quoted = report.claims.iter().any(|claim| claim.source == *number);
        prop_assert_eq!(report.markdown.contains(&quote), is_quoted, "{}", report.markdown);
        prop_assert!(report.markdown.contains(&list), "{}", report.markdown);
    }
    for source in &report.sources {
        prop_assert!(archived.contains(source.page.as_ref().unwrap()), "unarchived: {:?}", source);
    }
    prop_assert_eq!(report.claims.is_empty(), report.sources.is_empty());
    prop_assert!(report.claims.iter().all(|claim| claim.verdict == Verdict::Quoted));
    prop_assert!(report.claims.iter().all(|claim| numbers.contains(&claim.source)));
    prop_assert!(report.problems.len() <= limits::PROBLEMS_KEPT);
    prop_assert_eq!(report.stop_reason == StopReason::NothingFound && !report.sources.is_empty(), false);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// AS-04, AS-09: whatever the world answers, a call ends within its attempts, cites only what is archived, and the same
    /// answers lead to the same effects.
    #[test]
    fn every_call_ends_well(plan in any_plan(), outcomes in prop::collection::vec(outcome(), 1..12), cap_at in prop::option::of(0usize..12)) {
        let mut script = outcomes.iter().cycle();
        let (mut done, mut archived, mut searches) = (0, BTreeSet::new(), 0);
        let mut events = vec![Event::Begin];
        let (effects, ending) = drive(&plan, |effect| {
            done += 1;
            let mut event = Event::Done(effect.clone(), script.next().unwrap().clone());
            if cap_at.is_some_and(|at| done > at) {
                event = Event::Cap(Cap::WallTime);
            }
            searches += u32::from(matches!(effect, Effect::SearchLibrary { .. }));
            if let (Effect::ArchivePages { pages }, Event::Done(_, Outcome::Archived { pages: kept, .. })) = (effect, &event) {
                archived.extend(kept.iter().filter(|hash| pages.iter().any(|page| page.page == **hash)).cloned());
            }
            events.push(event.clone());
            event
        });
        prop_assert!(searches <= plan.strategy().max_attempts);
        if let Some(report) = ending.report() {
            check(report, &archived)?;
        }
        let mut twin = Adaptive::new(plan);
        let again: Vec<Effect> = events.into_iter().flat_map(|event| twin.step(event)).collect();
        prop_assert_eq!(&again[..effects.len()], &effects[..]);
        prop_assert_eq!(again.last(), Some(&Effect::Finish(Box::new(ending))));
    }

    /// The queries of a call are all different, unless a search was lost.
    #[test]
    fn no_query_is_asked_twice(goal in text(), founds in prop::collection::vec(found(), 1..6)) {
        let plan = AdaptivePlan { max_attempts: Some(10), ..plan(&goal) };
        let mut script = founds.iter().cycle();
        let mut queries = Vec::new();
        drive(&plan, |effect| {
            let outcome = match effect {
                Effect::SearchLibrary { query, reach, .. } => {
                    queries.push((query.clone(), *reach == Reach::Wide));
                    script.next().unwrap().clone()
                }
                other => Shelf::new(&[]).answer(other),
            };
            Event::Done(effect.clone(), outcome)
        });
        let unique: BTreeSet<&(String, bool)> = queries.iter().collect();
        prop_assert_eq!(unique.len(), queries.len(), "{:?}", queries);
    }
}
