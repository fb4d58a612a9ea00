//! The neighbouring sentences of a page that hold the most of a claim.

use std::ops::Range;

use super::page::Page;
use super::statement::Statement;

/// What the page has of a claim's terms, and where the most of them stand together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
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

/// Looks all terms of a claim up. Only sentences that hold one are visited.
pub(crate) fn places(claim: &Statement, page: &Page) -> Places {
    let mut hits: Vec<(u32, u64)> = Vec::with_capacity(256);
    let mut found = Places::default();
    for (bit, term) in claim.terms.iter().enumerate() {
        let mut last = u32::MAX;
        for (_, at) in page.places(term.stem) {
            let sentence = page.sentence_of.get(*at as usize).copied().unwrap_or_default();
            if sentence != last {
                hits.push((sentence, 1 << bit));
                last = sentence;
            }
            found.page |= 1 << bit;
        }
    }
    hits.sort_unstable();
    let mut sentences: Vec<(u32, u64)> = Vec::with_capacity(hits.len());
    for (sentence, bit) in hits {
        match sentences.last_mut() {
            Some((last, terms)) if *last == sentence => *terms |= bit,
            _ => sentences.push((sentence, bit)),
        }
    }
    for (at, (first, _)) in sentences.iter().enumerate() {
        let mut terms = 0;
        let mut next = at;
        for (length, best) in found.best.iter_mut().enumerate() {
            let end = *first as usize + length + 1;
            while let Some((_, more)) = sentences.get(next).filter(|(sentence, _)| (*sentence as usize) < end) {
                terms |= more;
                next += 1;
            }
            // A window that holds fewer terms can still weigh more, but not if all of its terms are in the best one.
            if terms & !best.terms != 0 {
                let share = claim.share(terms);
                if share > best.share + 1e-6 {
                    *best = Window { terms, share, sentences: *first as usize..end.min(page.sentences.len()) };
                }
            }
        }
    }
    let held = found.best[2].terms;
    let missing = found.page & !held;
    if missing != 0 {
        let adds = sentences.iter().filter(|(_, terms)| terms & missing != 0).map(|(_, terms)| claim.share(terms & missing));
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
