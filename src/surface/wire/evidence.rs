//! Evidence over the wire: its figures, a row for every claim, a row for every source.

use std::borrow::Cow;

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use crate::core::base::dates::rfc3339;
use crate::core::base::limits;
use crate::core::evidence::checked::{CheckedClaim, CheckedSource, CitedSource, Evidence, SourceState};

/// Claims by verdict; blind to contradiction. Shares are null where there is nothing to count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct EvidenceFigures {
    pub(crate) claims: usize,
    pub(crate) supported: usize,
    pub(crate) partial: usize,
    pub(crate) unsupported: usize,
    pub(crate) unreachable: usize,
    pub(crate) not_visited: usize,
    pub(crate) uncited: usize,
    /// Another cited source has another figure.
    pub(crate) differs: usize,
    /// Claims beyond the limit, which nobody judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) not_judged: Option<u32>,
    /// Of the claims that cite something.
    pub(crate) share_supported: Option<f64>,
    pub(crate) share_cited: Option<f64>,
    /// Of the citations.
    pub(crate) share_parsed: Option<f64>,
}

impl From<&Evidence> for EvidenceFigures {
    fn from(evidence: &Evidence) -> Self {
        let counts = evidence.counts();
        let rounded = |share: Option<f64>| share.map(|share| (share * 10_000.0).round() / 10_000.0);
        Self {
            claims: counts.claims(),
            supported: counts.supported,
            partial: counts.partial,
            unsupported: counts.unsupported,
            unreachable: counts.unreachable,
            not_visited: counts.not_visited,
            uncited: counts.uncited,
            differs: counts.differs,
            not_judged: Some(evidence.left_out).filter(|count| *count > 0),
            share_supported: rounded(evidence.share_supported()),
            share_cited: rounded(evidence.share_cited()),
            share_parsed: rounded(evidence.share_parsed()),
        }
    }
}

/// A claim of the report.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct ClaimRow {
    /// From 1, in the order of the report.
    pub(crate) number: usize,
    pub(crate) claim: String,
    pub(crate) verdict: &'static str,
    /// Why it is not supported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// Its place in the report, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) end: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) cited: Vec<CitedRow>,
    /// Sources that bear it out, copies of one article counted once.
    pub(crate) independent_sources: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) differs: Option<DiffersRow>,
    /// The model whose word the verdict is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) by_model: Option<String>,
}

/// What one source says to a claim.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct CitedRow {
    pub(crate) source: u32,
    pub(crate) verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// What the page says of it, and where in the archived text, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) passage: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) end: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) score: Option<f64>,
}

/// Another source that has another figure.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct DiffersRow {
    pub(crate) source: u32,
    pub(crate) said: String,
    pub(crate) figure: String,
}

/// A source and what became of its page.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct SourceRow {
    pub(crate) number: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) final_address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    /// read, unreachable or not_visited.
    pub(crate) state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// Where an archive may have a dead page. Nobody has asked it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) archive: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) read_at: Option<String>,
    /// SHA-256 of the archived text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) page: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) claimed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) copy_of: Option<u32>,
}

/// The text of an archived page, where it is at hand.
pub(crate) type PageText<'a> = &'a dyn Fn(u32) -> Option<&'a str>;

impl ClaimRow {
    pub(crate) fn new(evidence: &Evidence, number: usize, claim: &CheckedClaim, page: PageText<'_>) -> Self {
        Self {
            number,
            claim: claim.text.clone(),
            verdict: claim.verdict.name(),
            reason: claim.reason().map(Cow::into_owned),
            start: claim.span.map(|span| span.start),
            end: claim.span.map(|span| span.end),
            cited: claim.cited.iter().map(|cited| CitedRow::new(cited, page)).collect(),
            independent_sources: evidence.independent(claim).len(),
            differs: claim.differs.as_ref().map(|differs| DiffersRow {
                source: differs.source,
                said: differs.said.clone(),
                figure: differs.figure.clone(),
            }),
            by_model: claim.by_model.clone(),
        }
    }
}

impl CitedRow {
    fn new(cited: &CitedSource, page: PageText<'_>) -> Self {
        let place =
            cited.passage.and_then(|span| Some(usize::try_from(span.start).ok()?..usize::try_from(span.end).ok()?));
        let passage = place.and_then(|place| page(cited.source)?.get(place));
        Self {
            source: cited.source,
            verdict: cited.verdict.name(),
            reason: cited.reason.clone(),
            passage: passage.map(|text| super::excerpt(text, limits::PASSAGE_CHARS)),
            start: cited.passage.map(|span| span.start),
            end: cited.passage.map(|span| span.end),
            score: cited.score.map(|score| (f64::from(score) * 1_000.0).round() / 1_000.0),
        }
    }
}

impl From<&CheckedSource> for SourceRow {
    fn from(source: &CheckedSource) -> Self {
        let (state, why) = match &source.state {
            SourceState::Read => ("read", None),
            SourceState::Unreachable { why, .. } => ("unreachable", Some(why.name())),
            SourceState::NotVisited { why } => ("not_visited", Some(why.name())),
        };
        Self {
            number: source.number,
            label: source.label.clone(),
            address: source.address.clone(),
            final_address: source.final_address.clone(),
            title: source.title.clone(),
            state,
            why,
            reason: source.unread_reason(),
            archive: source.archive_address(),
            read_at: source.read_ms.map(rfc3339),
            page: source.page.as_ref().map(|page| page.0.clone()),
            claimed: source.claimed.then_some(true),
            copy_of: source.copy_of,
        }
    }
}
