//! A report beside the pages that it cites: what every claim says, what it cites for it, and what those pages say to it.
//!
//! Lexical, as everything here: *supported* means that the words of the claim stand on the page, not that the claim is true.

mod check;
mod cited_lines;
mod mutual;
mod numbering;
mod open;
mod sources;
mod unread;

pub(crate) use check::{SourcePage, check};
pub(crate) use numbering::cited_sources;
pub(crate) use open::{OpenClaim, open_claims};
pub(crate) use sources::{CheckedSource, FileReach, NotVisited, SourceState, Unreachable};

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::claim::Verdict;
use crate::core::text::spans::Span;

/// Why a claim is only partly borne out by sources of which each has a part.
const SHARED: &str = "each of these pages has a part of it, and none has all";

/// All claims of a report and all that they cite.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Evidence {
    /// In the order of the report.
    pub(crate) claims: Vec<CheckedClaim>,
    /// By number.
    pub(crate) sources: Vec<CheckedSource>,
    /// The marks in the report that cite, and those of them whose sources are all known.
    pub(crate) citations: u32,
    pub(crate) parsed: u32,
    /// Claims beyond the limit, which nobody judged.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) left_out: u32,
    /// The text that was checked and that the spans belong to, where it is not the report itself. It is foreign text as it came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
}

/// A sentence, list item or table cell that says something.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct CheckedClaim {
    /// Without citations and markup.
    pub(crate) text: String,
    /// Its place in the report as it is shown, in bytes; none in ledgers of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) span: Option<Span>,
    /// What its citations say to it when they are taken together.
    pub(crate) verdict: Verdict,
    /// What it cites, by number; nothing for an uncited claim.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) cited: Vec<CitedSource>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) differs: Option<DiffersFrom>,
    /// The model whose word the verdict is: the words of the pages left it open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) by_model: Option<String>,
}

/// One source that a claim cites, and what it says to the claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CitedSource {
    pub(crate) source: u32,
    pub(crate) verdict: Verdict,
    /// Why it is not called supported, for a person. It holds words of the claim and of the page, which are foreign text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// The passage that speaks of the claim, in bytes of the archived page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) passage: Option<Span>,
    /// How likely the page bears the claim out by its words alone, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) score: Option<f32>,
}

/// Another source of the report that has another figure for the same thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DiffersFrom {
    pub(crate) source: u32,
    /// The figure of the claim, and that of the source, as they are written.
    pub(crate) said: String,
    pub(crate) figure: String,
}

/// How many claims have which verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct VerdictCounts {
    pub(crate) supported: usize,
    pub(crate) partial: usize,
    pub(crate) unsupported: usize,
    pub(crate) unreachable: usize,
    pub(crate) not_visited: usize,
    pub(crate) uncited: usize,
    /// Pieces of sources, which are no claims of the report.
    pub(crate) quoted: usize,
    /// Claims of which another source has another figure, whatever their verdict.
    pub(crate) differs: usize,
}

impl VerdictCounts {
    pub(crate) fn claims(&self) -> usize {
        self.cited() + self.uncited
    }

    /// The claims that cite something.
    pub(crate) fn cited(&self) -> usize {
        self.supported + self.partial + self.unsupported + self.unreachable + self.not_visited
    }
}

impl Evidence {
    pub(crate) fn counts(&self) -> VerdictCounts {
        let mut counts = VerdictCounts::default();
        for claim in &self.claims {
            *match claim.verdict {
                Verdict::Supported => &mut counts.supported,
                Verdict::Partial => &mut counts.partial,
                Verdict::Unsupported => &mut counts.unsupported,
                Verdict::Unreachable => &mut counts.unreachable,
                Verdict::NotVisited => &mut counts.not_visited,
                Verdict::Uncited => &mut counts.uncited,
                Verdict::Quoted => &mut counts.quoted,
            } += 1;
            counts.differs += usize::from(claim.differs.is_some());
        }
        counts
    }

    /// The share of the claims that cite something which is supported; none where nothing is cited.
    pub(crate) fn share_supported(&self) -> Option<f64> {
        let counts = self.counts();
        share(counts.supported, counts.cited())
    }

    /// The share of the claims that cite something; none where nothing is claimed.
    pub(crate) fn share_cited(&self) -> Option<f64> {
        let counts = self.counts();
        share(counts.cited(), counts.claims())
    }

    /// The share of the citations whose sources are known; none where there is none.
    pub(crate) fn share_parsed(&self) -> Option<f64> {
        share(self.parsed as usize, self.citations as usize)
    }

    pub(crate) fn source(&self, number: u32) -> Option<&CheckedSource> {
        let at = self.sources.binary_search_by_key(&number, |source| source.number).ok()?;
        self.sources.get(at)
    }

    /// The sources that bear a claim out, each article once: a copy of another source is no second voice.
    pub(crate) fn independent(&self, claim: &CheckedClaim) -> Vec<u32> {
        let supporting = claim.cited.iter().filter(|cited| cited.verdict == Verdict::Supported);
        let original = |number: u32| self.source(number).and_then(|source| source.copy_of).unwrap_or(number);
        let mut numbers: Vec<u32> = supporting.map(|cited| original(cited.source)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

impl CheckedClaim {
    /// Why it is not called supported: the reason of the source that comes closest, with its number where there are several.
    pub(crate) fn reason(&self) -> Option<Cow<'_, str>> {
        if matches!(self.verdict, Verdict::Supported | Verdict::Uncited | Verdict::Quoted) {
            return None;
        }
        let score = |cited: &CitedSource| cited.score.unwrap_or(-1.0);
        let same = self.cited.iter().filter(|cited| cited.verdict == self.verdict && cited.reason.is_some());
        let closest = same.max_by(|a, b| score(a).total_cmp(&score(b)));
        match closest.and_then(|cited| Some((cited, cited.reason.as_deref()?))) {
            Some((_, reason)) if self.cited.len() == 1 => Some(Cow::Borrowed(reason)),
            Some((cited, reason)) => Some(Cow::Owned(format!("[{}]: {reason}", cited.source))),
            None if self.verdict == Verdict::Partial => Some(Cow::Borrowed(SHARED)),
            None => None,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

fn share(part: usize, whole: usize) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "counts of claims are far below 2^52")]
    let share = part as f64 / whole as f64;
    (whole > 0).then_some(share)
}

#[cfg(test)]
mod tests;
