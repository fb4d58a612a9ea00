//! The neighbouring sentences of a page that hold the most of a claim.

use std::ops::Range;

use super::page::Page;
use super::statement::Statement;

/// Places of one word that are looked at when neighbours are compared.
pub(super) const PLACES: usize = 64;

/// A share of two counts.
pub(super) fn ratio(part: usize, of: usize) -> f32 {
    let number = |count: usize| u16::try_from(count).map_or(f32::from(u16::MAX), f32::from);
    number(part) / number(of).max(1.0)
}

/// What the page has of a claim's terms, and where the most of them stand together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places<'a> {
    /// Where each term stands on the page.
    pub(crate) of: Vec<&'a [u32]>,
    /// The terms that stand anywhere, a bit for each.
    pub(crate) page: u64,
    /// The best one, two and three neighbouring sentences.
    pub(crate) best: [Window; 3],
    /// The largest share of the weight that one more sentence adds to the best three.
    pub(crate) more: f32,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Window {
    pub(crate) terms: u64,
    /// The share of the claim's weight that stands in it.
    pub(crate) share: f32,
    pub(crate) sentences: Range<usize>,
}

impl Statement {
    /// The share of the claim's weight that a set of its terms has.
    pub(super) fn share(&self, mut terms: u64) -> f32 {
        let mut sum = 0.0;
        while terms != 0 {
            let bit = terms.trailing_zeros() as usize;
            sum += self.terms.get(bit).map_or(0.0, |term| term.weight);
            terms &= terms - 1;
        }
        if self.weight > 0.0 { sum / self.weight } else { 0.0 }
    }
}

/// Looks all terms of a claim up and finds where most of their weight stands together.
pub(crate) fn places<'a>(claim: &Statement, page: &'a Page) -> Places<'a> {
    let mut sentences = vec![0_u64; page.sentences.len() + 2];
    let mut found = Places { of: claim.terms.iter().map(|term| page.places(term.stem)).collect(), ..Places::default() };
    for (bit, places) in found.of.iter().enumerate() {
        found.page |= u64::from(!places.is_empty()) << bit;
        for at in *places {
            let sentence = page.sentence_of.get(*at as usize).copied().unwrap_or_default();
            if let Some(terms) = sentences.get_mut(sentence as usize) {
                *terms |= 1 << bit;
            }
        }
    }
    for (first, window) in sentences.windows(3).enumerate() {
        // A window that begins with a sentence without any term has a shorter one inside that is as good.
        if window.first() == Some(&0) {
            continue;
        }
        let mut terms = 0;
        for ((length, sentence), best) in window.iter().enumerate().zip(&mut found.best) {
            terms |= sentence;
            // A window that holds fewer terms can still weigh more, but not if all of its terms are in the best one.
            if terms & !best.terms != 0 {
                let share = claim.share(terms);
                if share > best.share + 1e-6 {
                    *best = Window { terms, share, sentences: first..page.sentences.len().min(first + length + 1) };
                }
            }
        }
    }
    let missing = found.page & !found.best[2].terms;
    if missing != 0 {
        let adds = sentences.iter().filter(|terms| *terms & missing != 0).map(|terms| claim.share(terms & missing));
        found.more = adds.fold(0.0, f32::max);
    }
    found
}

impl Page {
    /// The tokens of neighbouring sentences.
    pub(super) fn tokens_of(&self, sentences: &Range<usize>) -> Range<usize> {
        let first = self.sentences.get(sentences.start).map_or(0, |sentence| sentence.tokens.start);
        let last = sentences.end.checked_sub(1).and_then(|last| self.sentences.get(last));
        first..last.map_or(first, |sentence| sentence.tokens.end)
    }

    /// The bytes of neighbouring sentences.
    pub(super) fn bytes_of(&self, sentences: &Range<usize>) -> Option<Range<usize>> {
        let first = self.sentences.get(sentences.start)?.bytes.start;
        let last = self.sentences.get(sentences.end.checked_sub(1)?)?.bytes.end;
        Some(first..last)
    }
}
