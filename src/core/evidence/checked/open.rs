//! What the judge of words leaves open: claims that are partly borne out, and of which no hard check has found anything.

use serde::{Deserialize, Serialize};

use super::check::PARTLY;
use super::{CheckedClaim, CitedSource, Evidence, SourcePage};
use crate::core::base::limits;
use crate::core::evidence::claim::Verdict;

/// A claim that is open, and the passage that comes closest to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OpenClaim {
    /// Its place among the claims, from 0.
    pub(crate) claim: u32,
    pub(crate) source: u32,
    pub(crate) passage: String,
}

/// Bytes of a page that are shown before and behind the sentences that were found.
const AROUND: usize = 300;

/// The open claims of a report with their passages: of pages of the web and of documents of this machine as many each as may be asked
/// about, because documents may have to stay here.
pub(crate) fn open_claims(evidence: &Evidence, pages: &[SourcePage]) -> Vec<OpenClaim> {
    let claims = (0..).zip(&evidence.claims).filter(|(_, claim)| claim.verdict == Verdict::Partial);
    let open = claims.filter_map(|(at, claim)| {
        let cited = closest(claim)?;
        let page = pages.iter().find(|page| page.source.number == cited.source)?;
        let text = page.text.as_deref()?;
        let span = cited.passage?;
        let (start, end) = (usize::try_from(span.start).ok()?, usize::try_from(span.end).ok()?);
        // A prompt has room for so much, and the sentences themselves come first.
        let around = limits::OPINION_CHARS.saturating_sub(end.saturating_sub(start)).div_euclid(2).min(AROUND);
        let (start, end) = (start.saturating_sub(around), end.saturating_add(around).min(text.len()));
        let passage = text.get(text.floor_char_boundary(start)..text.floor_char_boundary(end))?.to_owned();
        Some((page.source.fetch_address().is_some(), OpenClaim { claim: at, source: cited.source, passage }))
    });
    let (mut of_web, mut of_files) = (0, 0);
    let mut has_room = |is_web: bool| {
        let taken = if is_web { &mut of_web } else { &mut of_files };
        *taken += 1;
        *taken <= limits::OPINION_CLAIMS
    };
    open.filter(|(is_web, _)| has_room(*is_web)).map(|(_, claim)| claim).collect()
}

/// The source that comes closest, if all that is said against it is that its words are not enough.
fn closest(claim: &CheckedClaim) -> Option<&CitedSource> {
    let is_found = |cited: &&CitedSource| cited.verdict == Verdict::Partial && cited.reason.as_deref() != Some(PARTLY);
    if claim.cited.iter().any(|cited| is_found(&cited)) {
        return None;
    }
    let partial = claim.cited.iter().filter(|cited| cited.verdict == Verdict::Partial);
    partial.max_by(|a, b| a.score.unwrap_or_default().total_cmp(&b.score.unwrap_or_default()))
}
