//! How well a place of a page fits a place of a claim: which of the claim's words stand around it, and how close.

use std::ops::Range;

use super::super::page::Page;
use super::super::statement::Statement;

/// The words around a name or a figure in a claim.
#[derive(Debug)]
pub(super) struct Place {
    /// Stems with what finding each of them says.
    around: Vec<(u64, f32)>,
    /// The word right before and right behind, fillers too: `by`, `in`, `million`.
    touching: [Option<u64>; 2],
    all: f32,
}

/// How far words are looked for, in the claim and on the page.
const IN_CLAIM: usize = 6;
const ON_PAGE: usize = 20;
/// What the words right before and behind are worth.
const TOUCH: f32 = 1.5;

impl Place {
    pub(super) fn new(claim: &Statement, first: usize, last: usize) -> Self {
        let terms = claim.neighbours(first, last, IN_CLAIM);
        let around: Vec<(u64, f32)> = terms
            .iter()
            .enumerate()
            .filter_map(|(order, term)| {
                claim.terms.get(*term).map(|term| (term.stem, term.weight / (1.0 + 0.15 * small(order))))
            })
            .collect();
        let stem = |at: Option<usize>| at.and_then(|at| claim.tokens.get(at)).map(|token| token.stem);
        let touching = [stem(first.checked_sub(1)), stem(Some(last + 1))];
        let all =
            around.iter().map(|(_, weight)| weight).sum::<f32>() + TOUCH * small(touching.iter().flatten().count());
        Self { around, touching, all: all.max(0.1) }
    }

    /// How much of the claim's words stands around some tokens of a page, the closer the more: 0 to 1.
    pub(super) fn fits(&self, page: &Page, at: Range<usize>) -> f32 {
        let from = at.start.saturating_sub(ON_PAGE);
        let tokens = page.tokens.get(from..page.tokens.len().min(at.end + ON_PAGE)).unwrap_or_default();
        let mut sum = 0.0;
        for (stem, weight) in &self.around {
            let places =
                tokens.iter().enumerate().filter(|(_, token)| token.stem == *stem).map(|(place, _)| place + from);
            let steps = places
                .map(|place| if place < at.start { at.start - place } else { (place + 1).saturating_sub(at.end) });
            sum += steps.min().map_or(0.0, |steps| weight / (1.0 + small(steps.saturating_sub(1)) / 4.0));
        }
        let stem = |place: Option<usize>| place.and_then(|place| page.tokens.get(place)).map(|token| token.stem);
        let here = [stem(at.start.checked_sub(1)), stem(Some(at.end))];
        let touches =
            self.touching.iter().zip(here).filter(|(known, here)| known.is_some() && **known == *here).count();
        (sum + TOUCH * small(touches)) / self.all
    }
}

fn small(count: usize) -> f32 {
    u16::try_from(count).map_or(f32::from(u16::MAX), f32::from)
}
