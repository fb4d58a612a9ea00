//! The evidence of a finished report: its cited pages are read side by side, then every claim is judged.
//!
//! Methods that end with a report of somebody else's put this at their end. It ends with what there is: a page that did not come is a
//! page that was not visited, never a reason to wait longer.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::opinion::{OpinionPlan, Opinions};
use crate::core::base::error::Error;
use crate::core::base::limits;
use crate::core::evidence::checked::{
    CheckedSource, Evidence, FileReach, NotVisited, OpenClaim, SourcePage, SourceState, check, cited_sources,
};
use crate::core::task::effect::Effect;
use crate::core::task::outcome::Outcome;
use crate::core::web::address::canonical;

/// How much is read for one report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GatherBounds {
    pub(crate) pages: usize,
    /// Only what was read before.
    pub(crate) offline: bool,
    pub(crate) within_ms: u64,
    /// Where documents of this machine may be read.
    pub(crate) files: FileReach,
    /// Who is asked about what stays open.
    pub(crate) opinion: Option<OpinionPlan>,
}

/// A report whose pages are being read.
#[derive(Clone, Debug)]
pub(crate) struct Gathering {
    report: String,
    sources: BTreeMap<u32, CheckedSource>,
    batches_open: usize,
    /// Pages that are wanted, and those of them of which is known what became of them.
    wanted: usize,
    settled: usize,
    opinion: Option<OpinionPlan>,
    /// The judged claims, while a model is asked about some of them.
    opinions: Option<Opinions>,
}

/// How far it is.
#[derive(Debug)]
pub(crate) enum Gathered {
    /// To be done next; nothing while others are still under way.
    More(Vec<Effect>),
    Done(Box<Evidence>),
    /// The judging itself failed.
    Failed(Error),
}

impl Gathering {
    /// Finds what a report cites. `known` are sources whose numbers are settled; those with a page are not read again.
    pub(crate) fn begin(report: String, known: &[CheckedSource], bounds: &GatherBounds) -> (Self, Vec<Effect>) {
        let cited = cited_sources(&report, &[], known);
        let mut sources: BTreeMap<u32, CheckedSource> =
            known.iter().map(|source| (source.number, source.clone())).collect();
        let mut wanted: Vec<CheckedSource> = Vec::new();
        let mut asked: BTreeSet<String> = BTreeSet::new();
        for mut source in cited {
            let place = address(&source).filter(|_| !source.is_read());
            let closed = source.local().is_some() && bounds.files.is_none() && !source.is_read();
            if closed {
                source.state = SourceState::NotVisited { why: NotVisited::NotAllowed };
            }
            let place = place.filter(|_| !closed);
            if let Some(place) = place
                && !asked.contains(&place)
            {
                if wanted.len() < bounds.pages {
                    asked.insert(place);
                    wanted.push(source.clone());
                } else {
                    source.state = SourceState::NotVisited { why: NotVisited::Limit };
                }
            }
            sources.insert(source.number, source);
        }
        let batches: Vec<Effect> = wanted
            .chunks(limits::GATHER_BATCH)
            .map(|batch| Effect::GatherPages {
                sources: batch.to_vec(),
                offline: bounds.offline,
                within_ms: bounds.within_ms,
                files: bounds.files.clone(),
            })
            .collect();
        let (batches_open, wanted, opinion) = (batches.len(), wanted.len(), bounds.opinion.clone());
        let gathering = Self { report, sources, batches_open, wanted, settled: 0, opinion, opinions: None };
        let effects = if batches.is_empty() { vec![gathering.judge()] } else { batches };
        (gathering, effects)
    }

    /// Takes the end of one of its effects.
    pub(crate) fn take(&mut self, outcome: Outcome) -> Gathered {
        if let Some(opinions) = &mut self.opinions {
            // A model that fails leaves the verdicts as they are.
            let reply = match &outcome {
                Outcome::Chatted(reply) => Some(reply),
                _ => None,
            };
            return opinions.take(reply).map_or_else(|| Gathered::More(Vec::new()), Gathered::Done);
        }
        match outcome {
            Outcome::Gathered { sources } => self.settle(sources),
            Outcome::Judged { evidence, open } => return self.judged(evidence, &open),
            other if self.batches_open == 0 => return Gathered::Failed(other.failure()),
            // Its pages stay unvisited.
            _ => {}
        }
        self.batches_open = self.batches_open.saturating_sub(1);
        if self.batches_open > 0 { Gathered::More(Vec::new()) } else { Gathered::More(vec![self.judge()]) }
    }

    fn judged(&mut self, evidence: Box<Evidence>, open: &[OpenClaim]) -> Gathered {
        let Some(plan) = &self.opinion else { return Gathered::Done(evidence) };
        match Opinions::begin(plan, evidence, open) {
            Ok((opinions, questions)) => {
                self.opinions = Some(opinions);
                Gathered::More(questions)
            }
            Err(evidence) => Gathered::Done(evidence),
        }
    }

    /// The judged claims, if a model is being asked about some of them.
    pub(crate) fn before_opinions(&self) -> Option<&Evidence> {
        self.opinions.as_ref().map(Opinions::evidence)
    }

    /// Of how many pages is known what became of them, and how many are wanted.
    pub(crate) fn progress(&self) -> (usize, usize) {
        (self.settled, self.wanted)
    }

    /// What can be said before anything was judged: who cites what, and what became of the pages so far.
    pub(crate) fn unjudged(&self) -> Evidence {
        if let Some(evidence) = self.before_opinions() {
            return evidence.clone();
        }
        let unread = |source: &CheckedSource| {
            let mut source = source.clone();
            if source.state == (SourceState::NotVisited { why: NotVisited::NotAsked }) {
                source.state = SourceState::NotVisited { why: NotVisited::Time };
            }
            SourcePage { source, text: None }
        };
        check(&self.report, &[], &self.sources.values().map(unread).collect::<Vec<_>>())
    }

    pub(crate) fn into_report(self) -> String {
        self.report
    }

    fn judge(&self) -> Effect {
        Effect::JudgeReport {
            report: self.report.clone(),
            sources: self.sources.values().cloned().collect(),
            tell_open: self.opinion.is_some(),
        }
    }

    /// Notes what became of pages, for every source that leads to one of them.
    fn settle(&mut self, settled: Vec<CheckedSource>) {
        self.settled += settled.len();
        let by_address: HashMap<String, CheckedSource> =
            settled.into_iter().filter_map(|source| Some((address(&source)?, source))).collect();
        for source in self.sources.values_mut().filter(|source| !source.is_read()) {
            let Some(found) = address(source).and_then(|place| by_address.get(&place)) else { continue };
            source.state = found.state.clone();
            source.page.clone_from(&found.page);
            source.read_ms = found.read_ms;
            source.final_address.clone_from(&found.final_address);
            if source.title.is_none() || found.is_read() {
                source.title = found.title.clone().or(source.title.take());
            }
        }
    }
}

/// Where a source's page is, the same for all ways to write it and for all lines of one file.
fn address(source: &CheckedSource) -> Option<String> {
    if let Some(file) = source.local() {
        return Some(file.path);
    }
    let place = source.fetch_address()?;
    Some(canonical(&place).unwrap_or(place))
}
