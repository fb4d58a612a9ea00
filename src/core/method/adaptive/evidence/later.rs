//! Of passages that tell as much of a goal, the one of the last edition, the latest document or the last entry.

use std::ops::Range;

use super::Finding;
use crate::core::method::adaptive::room::Room;
use crate::core::method::quality::{Goal, HeldTerms};
use crate::core::question::ended::ends;

/// Of so many of the best passages later editions are looked for.
const EDITIONS: usize = 8;

/// The terms of the goal in one sentence, and whether the passage has the figure that is asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    pub(super) terms: HeldTerms,
    pub(super) has_figure: bool,
    /// Where that sentence stands.
    pub(super) place: Range<usize>,
}

impl Told {
    /// Whether it tells no less of the goal than another.
    fn is_as_much_as(&self, other: &Self) -> bool {
        !other.terms.is_empty() && self.terms.is_superset(&other.terms) && (self.has_figure || !other.has_figure)
    }
}

/// Of editions of one document, and of what was written at several times, that tell as much of the goal, the latest takes the place of the first.
pub(super) fn later_first(goal: &Goal, ranked: &mut [Finding], room: &Room) {
    for at in 0..ranked.len().min(EDITIONS) {
        let mut latest = at;
        for next in at + 1..ranked.len() {
            let pair = ranked.get(next).zip(ranked.get(latest));
            let is_later = |(next, known): (&Finding, &Finding)| {
                (next.held == known.held && goal.is_later(&next.passage, &known.passage))
                    || (!room.is_broad
                        && next.held.is_superset(&known.held)
                        && next.told.is_as_much_as(&known.told)
                        && goal.is_of_later_time(&next.passage, &known.passage))
                    || (!room.is_broad && holds_after(goal, next, known))
            };
            latest = if pair.is_some_and(is_later) { next } else { latest };
        }
        let merits = ranked.get(at).zip(ranked.get(latest)).map(|(one, other)| (one.merit, other.merit));
        if let Some((first, later)) = merits.filter(|_| latest != at) {
            ranked.swap(at, latest);
            ranked.get_mut(at).into_iter().for_each(|finding| finding.merit = first);
            ranked.get_mut(latest).into_iter().for_each(|finding| finding.merit = later);
        }
    }
}

/// Whether a later entry of one document tells what an earlier one told, or that it is no more.
fn holds_after(goal: &Goal, one: &Finding, before: &Finding) -> bool {
    one.passage.page == before.passage.page
        && (one.told.is_as_much_as(&before.told) || ends(sentence(one), sentence(before)))
        && goal.is_of_later_entry((&one.passage, &one.told.place), (&before.passage, &before.told.place))
}

/// The sentence that tells most of the goal.
fn sentence(finding: &Finding) -> &str {
    finding.passage.text.get(finding.told.place.clone()).unwrap_or_default()
}
