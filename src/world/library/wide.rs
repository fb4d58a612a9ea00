//! A wider search: the best documents of a question lead to others that speak of the same.
//!
//! What is asked for often stands in documents that do not repeat the words of the question: the second half of a chain, another work on
//! the same subject. The telling terms of each of the best documents are therefore searched as well. A passage counts by its own score for the question
//! and by how near it is to one of these documents, and to all of them together. Measured on HotpotQA, Cranfield and works with their
//! citations: one search for each document finds chains, one for all together finds a field, and fusing scores is better than fusing ranks.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use rusqlite::Connection;

use super::fault::Fault;
use super::index::Segment;
use super::postings::{HEADINGS, PerField, TEXT};
use super::search::{Failed, Question, Score, Searched, Weighted, bm25, each_passage, fetch, keep_best};
use super::statistics::{Statistics, inverse_frequency};
use super::words::{cut_with_parts, term_of};
use crate::core::base::sorting::sort_by;
use crate::core::evidence::passage::Passage;

/// Documents that are followed, the best of each by one passage.
const FOLLOWED: usize = 8;
/// Terms that stand for a document, and for all of them together.
const PROFILE_TERMS: usize = 20;
/// How much of a passage's score is its own for the question; the rest is nearness to the documents that are followed.
const OWN_SHARE: f32 = 0.4;
/// How much of the nearness is to all of them together; the rest is to the nearest one.
const POOLED_SHARE: f32 = 0.5;
/// A term that stands in more than one of this many passages leads everywhere.
const COMMON_ONE_IN: u64 = 10;
/// In a small library a term is common only beyond this many passages.
const COMMON_LEAST: u64 = 10;

/// Documents that are followed, as terms.
pub(super) struct Wide {
    /// The score of the best passage for the question itself.
    best: f32,
    followed: Vec<Profile>,
    pooled: Profile,
    averages: PerField<f32>,
}

/// The telling terms of a document.
#[derive(Default)]
struct Profile {
    terms: Vec<Weighted>,
    /// Its score for the question, relative to the best.
    share: f32,
    /// The score of the document itself for its terms: what the scores of others are compared with.
    whole: f32,
}

/// How often each term stands in a passage, by field, and how many there are in all.
struct Counted {
    counts: BTreeMap<String, PerField<u32>>,
    lengths: PerField<u16>,
    share: f32,
}

impl Wide {
    /// What the best passages of a question lead to, as far as these roots know its terms; those whose index cannot be read are
    /// handed back.
    pub(super) fn new(best: &[Passage], roots: &mut Vec<Searched>) -> (Self, Failed) {
        let top = best.first().map(|passage| passage.score).unwrap_or_default().max(f32::MIN_POSITIVE);
        let mut documents = BTreeSet::new();
        let firsts = best.iter().filter(|passage| documents.insert((&passage.root, &passage.path)));
        let followed: Vec<Counted> = firsts.take(FOLLOWED).map(|passage| Counted::of(passage, top)).collect();
        let terms: BTreeSet<&String> = followed.iter().flat_map(|document| document.counts.keys()).collect();
        let terms: Vec<String> = terms.into_iter().cloned().collect();
        let (statistics, failed) = Statistics::of_all(roots, &terms);
        let averages = statistics.average_lengths();
        let mut pool: BTreeMap<String, f32> = BTreeMap::new();
        let mut profiles = Vec::new();
        for document in &followed {
            let telling = document.telling(&statistics);
            for (term, weight) in &telling {
                *pool.entry(term.clone()).or_default() += weight * document.share;
            }
            let terms = weighted(&statistics, &telling);
            profiles.push(Profile { whole: document.score(&terms, averages), terms, share: document.share });
        }
        let pooled = weighted(&statistics, &heaviest(pool));
        let whole = followed.iter().map(|document| document.score(&pooled, averages)).fold(0.0, f32::max);
        let pooled = Profile { terms: pooled, share: 1.0, whole };
        (Self { best: top, followed: profiles, pooled, averages }, failed)
    }

    /// The best passages of one root.
    pub(super) fn passages(
        &self,
        question: &Question,
        searched: &Searched,
        limit: usize,
    ) -> Result<Vec<Passage>, Fault> {
        if question.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        searched.index.at_last_commit(|index| {
            let mut best = BinaryHeap::with_capacity(limit + 1);
            let (mut scores, mut near) = (Vec::new(), Vec::new());
            for (place, segment) in index.segments.iter().enumerate() {
                question.score(&index.transaction, segment, &mut scores)?;
                self.add_nearness(&index.transaction, segment, &mut scores, &mut near)?;
                keep_best(&mut best, limit, (place, segment), &scores, index);
            }
            fetch(&index.transaction, &searched.root, &best.into_sorted_vec())
        })
    }

    /// Makes scores for the question those of the wider search.
    fn add_nearness(
        &self,
        connection: &Connection,
        segment: &Segment,
        scores: &mut [Score],
        near: &mut Vec<f32>,
    ) -> Result<(), Fault> {
        let mut nearest = vec![0.0_f32; segment.lengths.len()];
        for profile in &self.followed {
            profile.score(connection, segment, self.averages, near)?;
            nearest.iter_mut().zip(near.iter()).for_each(|(nearest, near)| *nearest = nearest.max(*near));
        }
        self.pooled.score(connection, segment, self.averages, near)?;
        for ((score, nearest), pooled) in scores.iter_mut().zip(nearest).zip(near) {
            let nearness = (1.0 - POOLED_SHARE) * nearest + POOLED_SHARE * *pooled;
            score.value = OWN_SHARE * score.value / self.best + (1.0 - OWN_SHARE) * nearness;
        }
        Ok(())
    }
}

impl Profile {
    /// How near each passage of a segment is to the document, 0 for not at all.
    fn score(
        &self,
        connection: &Connection,
        segment: &Segment,
        averages: PerField<f32>,
        near: &mut Vec<f32>,
    ) -> Result<(), Fault> {
        near.clear();
        near.resize(segment.lengths.len(), 0.0);
        if self.whole <= 0.0 {
            return Ok(());
        }
        let factor = self.share / self.whole;
        for term in &self.terms {
            each_passage(connection, segment, term, averages, |passage, value, _| {
                near.get_mut(passage).into_iter().for_each(|near| *near += value * factor);
            })?;
        }
        Ok(())
    }
}

impl Counted {
    fn of(passage: &Passage, top: f32) -> Self {
        let mut document = Self {
            counts: BTreeMap::new(),
            lengths: PerField::default(),
            share: (passage.score / top).clamp(0.0, 1.0),
        };
        document.count(TEXT, &passage.text);
        passage.headings.iter().for_each(|heading| document.count(HEADINGS, heading));
        document
    }

    fn count(&mut self, field: usize, text: &str) {
        for term in cut_with_parts(text).filter_map(term_of) {
            let (Some(count), Some(length)) =
                (self.counts.entry(term).or_default().get_mut(field), self.lengths.get_mut(field))
            else {
                return;
            };
            *count = count.saturating_add(1);
            *length = length.saturating_add(1);
        }
    }

    /// The terms that tell most of it, with weights that sum up to one. A term that stands nowhere else leads nowhere.
    #[expect(clippy::cast_precision_loss, reason = "counts of one passage are small")]
    fn telling(&self, statistics: &Statistics) -> Vec<(String, f32)> {
        let most = (statistics.passages / COMMON_ONE_IN).max(COMMON_LEAST);
        let length = self.lengths.iter().copied().map(f32::from).sum::<f32>().max(1.0);
        let weight = |(term, counts): (&String, &PerField<u32>)| {
            let with = statistics.containing(term)[TEXT];
            let share = counts.iter().sum::<u32>() as f32 / length;
            let leads = with > 1 && with <= most;
            leads.then(|| (term.clone(), share * inverse_frequency(statistics.passages, with)))
        };
        let mut telling = heaviest(self.counts.iter().filter_map(weight).collect());
        let sum = telling.iter().map(|(_, weight)| weight).sum::<f32>().max(f32::MIN_POSITIVE);
        telling.iter_mut().for_each(|(_, weight)| *weight /= sum);
        telling
    }

    /// The score of the document for these terms.
    fn score(&self, terms: &[Weighted], averages: PerField<f32>) -> f32 {
        let score = |term: &Weighted| {
            let counts = self.counts.get(&term.text)?;
            Some(bm25(term.weights, *counts, self.lengths, averages))
        };
        terms.iter().filter_map(score).sum()
    }
}

fn heaviest(weights: BTreeMap<String, f32>) -> Vec<(String, f32)> {
    let mut weights: Vec<(String, f32)> = weights.into_iter().collect();
    sort_by(&mut weights, |(a, a_weight), (b, b_weight)| b_weight.total_cmp(a_weight).then_with(|| a.cmp(b)));
    weights.truncate(PROFILE_TERMS);
    weights
}

fn weighted(statistics: &Statistics, terms: &[(String, f32)]) -> Vec<Weighted> {
    let weighted = |(text, factor): &(String, f32)| Weighted {
        text: text.clone(),
        forms: Vec::new(),
        weights: statistics.weights(text).map(|weight| weight * factor),
    };
    terms.iter().map(weighted).collect()
}
