//! The `check` method: a report from anywhere, its cited pages, and a verdict for every claim. A model is asked only about what the words leave open, and only if its user wants that.

pub(crate) mod gathering;
pub(crate) mod opinion;
mod table;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use self::gathering::{GatherBounds, Gathered, Gathering};
use self::opinion::OpinionPlan;
use crate::core::base::error::{Code, Error};
use crate::core::evidence::checked::{CheckedSource, Evidence, FileReach};
use crate::core::report::{Report, Source, StopReason};
use crate::core::task::effect::Effect;
use crate::core::task::outcome::{Event, Outcome};
use crate::core::task::{Ending, Progress};

/// What is checked, and how far that goes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CheckPlan {
    /// What the report is called: a file's name, an address, a task.
    pub(crate) subject: String,
    pub(crate) input: CheckInput,
    /// Pages that are read at most.
    pub(crate) pages: u32,
    /// Only pages that were read before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) offline: bool,
    /// How long pages are waited for.
    pub(crate) within_ms: u64,
    /// Where documents of this machine may be read that the report cites.
    #[serde(default, skip_serializing_if = "FileReach::is_none")]
    pub(crate) files: FileReach,
    /// Who is asked about what stays open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) opinion: Option<OpinionPlan>,
}

/// Where the report is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "input", rename_all = "snake_case")]
pub(crate) enum CheckInput {
    /// Its text, and the sources whose numbers and pages are known.
    Text {
        report: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        known: Vec<CheckedSource>,
    },
    /// A page of the web.
    Url { url: String },
}

#[derive(Clone, Debug)]
pub(crate) struct Check {
    plan: CheckPlan,
    gathering: Option<Gathering>,
}

impl Check {
    pub(crate) fn new(plan: CheckPlan) -> Self {
        Self { plan, gathering: None }
    }

    pub(crate) fn step(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Begin => match self.plan.input.clone() {
                CheckInput::Url { url } => vec![
                    progress(Some(0), "reading the report".to_owned()),
                    Effect::ReadReport { url, offline: self.plan.offline },
                ],
                CheckInput::Text { report, known } => self.gather(report, &known),
            },
            Event::Done(Effect::ReadReport { .. }, Outcome::ReportRead { text }) => self.gather(text, &[]),
            Event::Done(Effect::ReadReport { .. }, outcome) => vec![failed(outcome.failure())],
            Event::Done(Effect::GatherPages { .. } | Effect::JudgeReport { .. } | Effect::Chat(_), outcome) => {
                self.gathered(outcome)
            }
            // The method asks for nothing else.
            Event::Done(..) | Event::Steer(_) => Vec::new(),
            Event::Cap(cap) => self.capped(cap.into()),
        }
    }

    /// What there is to hand back when the task is stopped: who cites what, without a judgement.
    pub(crate) fn partial(&self, reason: StopReason) -> Option<Report> {
        let gathering = self.gathering.as_ref()?;
        Some(self.report(gathering.unjudged(), reason))
    }

    fn gather(&mut self, report: String, known: &[CheckedSource]) -> Vec<Effect> {
        if report.trim().is_empty() {
            let error = Error::new(Code::InvalidArgument, format!("`{}` holds no text to check", self.plan.subject));
            return vec![failed(error)];
        }
        let pages = usize::try_from(self.plan.pages).unwrap_or(usize::MAX);
        let CheckPlan { offline, within_ms, .. } = self.plan;
        let bounds = GatherBounds {
            pages,
            offline,
            within_ms,
            files: self.plan.files.clone(),
            opinion: self.plan.opinion.clone(),
        };
        let (gathering, mut effects) = Gathering::begin(report, known, &bounds);
        effects.insert(0, told(&gathering));
        self.gathering = Some(gathering);
        effects
    }

    fn gathered(&mut self, outcome: Outcome) -> Vec<Effect> {
        let Some(gathering) = &mut self.gathering else { return Vec::new() };
        match gathering.take(outcome) {
            Gathered::More(mut effects) => {
                effects.insert(0, told(gathering));
                effects
            }
            Gathered::Done(evidence) => {
                let report = self.report(*evidence, StopReason::Checked);
                vec![Effect::Finish(Box::new(Ending::Completed { report }))]
            }
            Gathered::Failed(error) => {
                let partial = self.partial(StopReason::EngineFailed);
                vec![Effect::Finish(Box::new(Ending::Failed { error, partial }))]
            }
        }
    }

    fn capped(&self, reason: StopReason) -> Vec<Effect> {
        // All is judged; only a model's word is missing.
        let is_judged = self.gathering.as_ref().is_some_and(|gathering| gathering.before_opinions().is_some());
        let reason = if is_judged { StopReason::Checked } else { reason };
        match self.partial(reason) {
            Some(report) => vec![Effect::Finish(Box::new(Ending::Completed { report }))],
            None => vec![failed(
                Error::new(Code::ExecutionError, "the budget ended before the report was read")
                    .hint("raise `--budget-seconds`"),
            )],
        }
    }

    fn report(&self, evidence: Evidence, reason: StopReason) -> Report {
        let text = self.gathering.clone().map(Gathering::into_report);
        let sources: Vec<Source> = evidence.sources.iter().map(source).collect();
        let markdown = table::write(&self.plan.subject, &evidence);
        let mut report = Report::new(markdown, reason);
        report.sources = sources;
        report.with_evidence(Evidence { text, ..evidence })
    }
}

/// A source as reports list it.
fn source(checked: &CheckedSource) -> Source {
    let unnamed = || checked.label.clone().unwrap_or_else(|| "not named".to_owned());
    let address = checked.final_address.as_ref().or(checked.address.as_ref()).or(checked.title.as_ref());
    let location = address.cloned().unwrap_or_else(unnamed);
    let title = checked.title.clone().unwrap_or_else(|| location.clone());
    Source { page: checked.page.clone(), claimed: checked.claimed, ..Source::link(checked.number, title, location) }
}

fn told(gathering: &Gathering) -> Effect {
    let (read, all) = gathering.progress();
    let percent = u8::try_from(read * 90 / all.max(1)).ok();
    progress(percent, if read < all { format!("{read} of {all} cited pages read") } else { "judging".to_owned() })
}

fn progress(percent: Option<u8>, action: String) -> Effect {
    Effect::Progress(Progress::new(percent, action))
}

fn failed(error: Error) -> Effect {
    Effect::Finish(Box::new(Ending::Failed { error, partial: None }))
}
