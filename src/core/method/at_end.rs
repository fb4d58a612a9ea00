//! The end of every method: before a report is handed out, what it cites is read and its claims are judged.
//!
//! It begins when a method finishes with a report that nobody has checked, and ends with that report whatever happens: evidence is
//! gathered within its time and pages, and a report is never held back for the lack of it.

use super::add_failure;
use super::check::gathering::{GatherBounds, Gathered, Gathering};
use super::check::opinion::OpinionPlan;
use crate::core::base::engine::EvidenceMode;
use crate::core::base::limits;
use crate::core::base::problems::Problems;
use crate::core::evidence::checked::FileReach;
use crate::core::model::chat::{Chat, Purpose};
use crate::core::report::{Report, Source, StopReason};
use crate::core::task::effect::Effect;
use crate::core::task::outcome::{Event, Outcome};
use crate::core::task::{Ending, Progress};

/// How much is read for the evidence of a report of ours.
pub(super) fn bounds(opinion: Option<OpinionPlan>) -> GatherBounds {
    // A model's report has no say in which files of this machine are read.
    let files = FileReach::default();
    GatherBounds { pages: limits::EVIDENCE_PAGES, offline: false, within_ms: limits::EVIDENCE_MS, files, opinion }
}

#[derive(Clone, Debug)]
pub(super) struct AtEnd {
    mode: EvidenceMode,
    opinion: Option<OpinionPlan>,
    held: Option<(Report, Gathering)>,
}

impl AtEnd {
    pub(super) fn new(mode: EvidenceMode, opinion: Option<OpinionPlan>) -> Self {
        Self { mode, opinion, held: None }
    }

    pub(super) fn has_begun(&self) -> bool {
        self.held.is_some()
    }

    /// The report that waits for its evidence.
    pub(super) fn report(&self) -> Option<Report> {
        self.held.as_ref().map(|(report, _)| report.clone())
    }

    /// Lets effects through; a report that is to be checked is held back.
    pub(super) fn hold_back(&mut self, effects: Vec<Effect>) -> Vec<Effect> {
        let mut let_through = Vec::with_capacity(effects.len());
        for effect in effects {
            match effect {
                Effect::Finish(ending) => match *ending {
                    Ending::Completed { report } if self.mode == EvidenceMode::Auto && wants_evidence(&report) => {
                        let_through.extend(self.begin(report));
                    }
                    other => let_through.push(Effect::Finish(Box::new(other))),
                },
                other => let_through.push(other),
            }
        }
        let_through
    }

    fn begin(&mut self, report: Report) -> Vec<Effect> {
        // As it will be shown, so that places fit.
        let report = report.neutral();
        let known: Vec<_> = report.sources.iter().map(Source::to_check).collect();
        let (gathering, mut effects) = Gathering::begin(report.markdown.clone(), &known, &bounds(self.opinion.clone()));
        let action = match gathering.progress().1 {
            0 => "checking the claims".to_owned(),
            1 => "reading the cited page, to check the claims".to_owned(),
            pages => format!("reading {pages} cited pages, to check the claims"),
        };
        effects.insert(0, Effect::Progress(Progress::new(None, action)));
        self.held = Some((report, gathering));
        effects
    }

    pub(super) fn step(&mut self, event: Event) -> Vec<Effect> {
        let Some((report, gathering)) = &mut self.held else { return Vec::new() };
        match event {
            Event::Done(
                Effect::GatherPages { .. }
                | Effect::JudgeReport { .. }
                | Effect::Chat(Chat { purpose: Purpose::Opinion, .. }),
                outcome,
            ) => match gathering.take(outcome) {
                Gathered::More(effects) => effects,
                Gathered::Done(evidence) => vec![finish(report.clone().with_evidence(*evidence))],
                Gathered::Failed(error) => {
                    let mut problems =
                        Problems { listed: std::mem::take(&mut report.problems), beyond: report.problems_beyond };
                    add_failure(&mut problems, "the evidence", Outcome::Failed { error });
                    (report.problems, report.problems_beyond) = (problems.listed, problems.beyond);
                    vec![finish(report.clone())]
                }
            },
            // What was in flight when the method finished comes too late to matter.
            Event::Begin | Event::Done(..) | Event::Steer(_) => Vec::new(),
            Event::Cap(_) => vec![finish(match gathering.before_opinions() {
                Some(evidence) => report.clone().with_evidence(evidence.clone()),
                None => report.clone(),
            })],
        }
    }
}

fn finish(report: Report) -> Effect {
    Effect::Finish(Box::new(Ending::Completed { report }))
}

/// Whether a report is one that can be checked and was not yet. Quotes are cut from their pages, and plans claim nothing.
fn wants_evidence(report: &Report) -> bool {
    let is_quotes = report.model.is_none();
    let is_plan = report.strategy.as_deref() == Some("plan") || report.note.as_deref().is_some_and(is_plan_note);
    let says_nothing = matches!(
        report.stop_reason,
        StopReason::NothingFound | StopReason::SearchFailed | StopReason::AnsweredByContext
    );
    report.evidence.is_none() && !report.stop_reason.is_stop() && !is_quotes && !is_plan && !says_nothing
}

fn is_plan_note(note: &str) -> bool {
    [super::study::plan_text::PLAN_NOTE, super::hosted::PLAN_NOTE].contains(&note)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::base::error::{Code, Error};
    use crate::core::evidence::checked::Evidence;
    use crate::core::money::budget::Cap;

    fn report() -> Report {
        let mut report = Report::new("The sea is 11 km deep [1].".into(), StopReason::Answered);
        report.model = Some("a-model".into());
        report.sources = vec![Source::link(1, "Sea".into(), "https://sea.example/".into())];
        report
    }

    fn ended(effects: &[Effect]) -> Option<Report> {
        effects.iter().find_map(|effect| match effect {
            Effect::Finish(ending) => ending.report().cloned(),
            _ => None,
        })
    }

    /// EV-02: a report is held back for its evidence, and handed out whatever becomes of that.
    #[test]
    fn a_report_ends_with_its_evidence_or_without() {
        let mut at_end = AtEnd::new(EvidenceMode::Auto, None);
        let effects = at_end.hold_back(vec![finish(report())]);
        assert_eq!(ended(&effects), None);
        let [Effect::Progress(_), gather @ Effect::GatherPages { sources, .. }] = effects.as_slice() else {
            panic!("{effects:?}")
        };
        assert_eq!(at_end.report(), Some(report()), "a cancel keeps it");
        assert_eq!(ended(&at_end.clone().step(Event::Cap(Cap::WallTime))), Some(report()));

        let gathered = Outcome::Gathered { sources: sources.clone() };
        let judge = at_end.step(Event::Done(gather.clone(), gathered)).remove(0);
        let failed = Outcome::Failed { error: Error::new(Code::StoreFull, "no room") };
        let without = ended(&at_end.clone().step(Event::Done(judge.clone(), failed))).unwrap();
        assert_eq!((without.evidence, without.problems.len()), (None, 1));
        let judged = Outcome::Judged { evidence: Box::default(), open: Vec::new() };
        let with = ended(&at_end.step(Event::Done(judge, judged))).unwrap();
        assert_eq!(with.evidence, Some(Box::<Evidence>::default()));
    }

    #[test]
    fn what_is_not_checked_passes() {
        let quotes = Report { model: None, ..report() };
        let stopped = Report { stop_reason: StopReason::BudgetCost, ..report() };
        let plan = Report { strategy: Some("plan".into()), ..report() };
        let checked = report().with_evidence(Evidence::default());
        for (mode, report) in [
            (EvidenceMode::Off, report()),
            (EvidenceMode::Auto, quotes),
            (EvidenceMode::Auto, stopped),
            (EvidenceMode::Auto, plan),
            (EvidenceMode::Auto, checked),
        ] {
            let mut at_end = AtEnd::new(mode, None);
            assert_eq!(ended(&at_end.hold_back(vec![finish(report.clone())])), Some(report));
            assert!(!at_end.has_begun());
        }
    }
}
