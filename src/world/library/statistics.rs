//! How often the terms of a question stand in the passages that are searched: what a term weighs in all roots together.
//!
//! Passages that have left the library count no more, though they stay in their segments until these are written anew: what an answer says
//! depends on the files that are there, and not on those that were.

use std::collections::BTreeMap;

use super::fault::Fault;
use super::index::Snapshot;
use super::postings::{FIELDS, HEADINGS, PerField, TEXT};
use super::search::{Failed, Searched};
use crate::core::method::quality::SMALL_LIBRARY_PASSAGES;

/// How much a term counts in the text, in the headings above it, and in the document's title or path. Measured on Cranfield,
/// HotpotQA and XQuAD: more than this makes titles outweigh what passages say.
const BOOSTS: PerField<f32> = [1.0, 0.5, 0.25];
/// How soon more of the same term says nothing new.
pub(super) const K1: f32 = 1.2;

/// How often terms stand in how many passages.
#[derive(Debug, Default)]
pub(super) struct Statistics {
    pub(super) passages: u64,
    tokens: PerField<u64>,
    containing: BTreeMap<String, PerField<u64>>,
}

impl Statistics {
    /// Counts terms in all of these roots; those whose index cannot be read are handed back and not counted.
    pub(super) fn of_all(roots: &mut Vec<Searched>, words: &[String]) -> (Self, Failed) {
        let (mut statistics, mut failed) = (Self::default(), Vec::new());
        for searched in std::mem::take(roots) {
            match searched.index.at_last_commit(|index| Self::of(index, words)) {
                Ok(counted) => {
                    statistics.add(counted);
                    roots.push(searched);
                }
                Err(fault) => failed.push((searched, fault)),
            }
        }
        (statistics, failed)
    }

    fn of(index: &Snapshot<'_>, words: &[String]) -> Result<Self, Fault> {
        let mut statistics = Self::default();
        for segment in &index.segments {
            let mut containing = BTreeMap::new();
            for word in words {
                containing.extend(index.containing(segment, word)?.map(|counts| (word.clone(), counts)));
            }
            let (passages, tokens) = segment.living(index.dead.in_segment(segment.id));
            statistics.add(Self { passages, tokens, containing });
        }
        Ok(statistics)
    }

    fn add(&mut self, other: Self) {
        let sum = |sum: &mut PerField<u64>, more: PerField<u64>| sum.iter_mut().zip(more).for_each(|(s, m)| *s += m);
        self.passages += other.passages;
        sum(&mut self.tokens, other.tokens);
        for (term, containing) in other.containing {
            sum(self.containing.entry(term).or_default(), containing);
        }
    }

    /// Counts other terms as one of them. A passage that has several is counted several times, but not oftener than there are passages.
    pub(super) fn join(&mut self, term: &str, forms: &[String]) {
        let all = std::iter::once(term).chain(forms.iter().map(String::as_str)).map(|form| self.containing(form));
        let sum = all
            .fold(PerField::default(), |sum: PerField<u64>, one| [0, 1, 2].map(|field: usize| sum[field] + one[field]));
        self.containing.insert(term.to_owned(), sum.map(|count| count.min(self.passages)));
    }

    /// Whether a term stands in any of the roots.
    pub(super) fn has(&self, term: &str) -> bool {
        self.containing(term) != [0; FIELDS]
    }

    pub(super) fn containing(&self, term: &str) -> PerField<u64> {
        self.containing.get(term).copied().unwrap_or_default()
    }

    /// How much finding a term says. A few passages cannot tell rare words from common ones: what stands in the only file would weigh
    /// nothing and what stands nowhere everything. A small library counts as part of a larger one.
    pub(super) fn weight(&self, term: &str) -> f32 {
        let in_fields = self.containing(term);
        inverse_frequency(self.passages.max(SMALL_LIBRARY_PASSAGES), in_fields[TEXT].max(in_fields[HEADINGS]))
    }

    /// The factor of a term's score in each field.
    pub(super) fn weights(&self, term: &str) -> PerField<f32> {
        let mut weights = self.containing(term).map(|with| inverse_frequency(self.passages, with) * (1.0 + K1));
        weights.iter_mut().zip(BOOSTS).for_each(|(weight, boost)| *weight *= boost);
        weights
    }

    /// How many terms a passage has on average; never 0, because it divides.
    #[expect(clippy::cast_precision_loss, reason = "an average, not a count")]
    pub(super) fn average_lengths(&self) -> PerField<f32> {
        self.tokens.map(|tokens| (tokens as f32 / self.passages.max(1) as f32).max(f32::MIN_POSITIVE))
    }
}

/// The inverse document frequency, as BM25 has it.
#[expect(clippy::cast_precision_loss, reason = "a weight, not a count")]
pub(super) fn inverse_frequency(passages: u64, with: u64) -> f32 {
    let without = passages.saturating_sub(with);
    ((without as f32 + 0.5) / (with as f32 + 0.5)).ln_1p()
}
