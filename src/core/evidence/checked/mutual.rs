//! Two sources that have two figures for one thing: whoever repeats the one is told of the other.

use super::{CheckedClaim, DiffersFrom};
use crate::core::evidence::claim::Verdict;

/// Claims that are compared with each other at most; a report in which more differ is not about one thing.
const COMPARED: usize = 200;

/// Where a source differs from a claim, the claims that repeat that source's figure differ from the claim's source.
pub(super) fn tell_both(claims: &mut [CheckedClaim]) {
    let told: Vec<(DiffersFrom, u32)> = claims
        .iter()
        .filter_map(|claim| {
            let differs = claim.differs.clone()?;
            let mut own = claim.cited.iter().filter(|cited| cited.source != differs.source);
            let own = own.find(|cited| matches!(cited.verdict, Verdict::Supported | Verdict::Partial))?;
            Some((differs, own.source))
        })
        .take(COMPARED)
        .collect();
    for (differs, own) in told {
        let says_it = |claim: &&mut CheckedClaim| {
            claim.differs.is_none()
                && matches!(claim.verdict, Verdict::Supported | Verdict::Partial)
                && claim.cited.iter().any(|cited| cited.source == differs.source)
                && claim.cited.iter().all(|cited| cited.source != own)
                && holds(&claim.text, &differs.figure)
        };
        for claim in claims.iter_mut().filter(says_it) {
            claim.differs =
                Some(DiffersFrom { source: own, said: differs.figure.clone(), figure: differs.said.clone() });
        }
    }
}

/// Whether a text has a figure as it is written, and not inside another one.
fn holds(text: &str, figure: &str) -> bool {
    let apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '.' | ','));
    text.match_indices(figure).any(|(at, _)| {
        let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + figure.len()..).unwrap_or_default());
        let follows = after.chars().next().filter(|c| !matches!(c, '.' | ','));
        !figure.is_empty() && apart(before.chars().next_back()) && apart(follows)
    })
}
