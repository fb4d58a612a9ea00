//! Finding passages: BM25 over text, headings and titles, with one set of statistics for all roots searched, so that
//! their scores can be compared.
//!
//! Every passage in which a term stands gets its score; none is left out by a guess. That is a few bytes and a few
//! operations for each passage and term, so the work is bounded by the number of terms times the passages of an index.

use std::cmp::Ordering;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BinaryHeap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension};

use super::chunk::Unpacked;
use super::fault::Fault;
use super::index::{Opened, Segment, Snapshot, malformed};
use super::inflection::forms;
use super::postings::{FIELDS, HEADINGS, PerField, TEXT, read};
use super::statistics::{K1, Statistics};
use super::words::{
    apart_terms, day_terms, doer_terms, form_terms, language_of, month_terms, question_terms, verbs_of_terms,
};
use crate::core::base::limits;
use crate::core::evidence::passage::{PageHash, Passage, Term};

/// How much longer passages need more of a term.
const B: f32 = 0.75;

/// A root that is searched.
pub(super) struct Searched {
    pub(super) root: String,
    pub(super) index: Arc<Opened>,
    /// The file it was opened from, or an earlier one.
    pub(super) file: Option<PathBuf>,
}

/// Roots whose index cannot be read.
pub(super) type Failed = Vec<(Searched, Fault)>;

/// A question, and what is known of its terms in all roots together.
pub(super) struct Question {
    terms: Vec<Term>,
    weighted: Vec<Weighted>,
    statistics: Statistics,
}

/// A term that is looked up, and the factor of its score in each field.
pub(super) struct Weighted {
    pub(super) text: String,
    /// Other terms that count as it.
    pub(super) forms: Vec<String>,
    pub(super) weights: PerField<f32>,
}

impl Question {
    /// Counts a question's terms in these roots; those whose index cannot be read are handed back and not counted.
    pub(super) fn new(query: &str, roots: &mut Vec<Searched>) -> (Self, Failed) {
        let terms = question_terms(query);
        let (mut forms, mut failed) =
            language_of(query).map_or_else(Default::default, |language| forms(language, query, &terms, roots));
        let more = [day_terms, month_terms, doer_terms, form_terms, apart_terms];
        for (term, form) in more.into_iter().flat_map(|more| more(query)) {
            forms.entry(term).or_default().push(form);
        }
        let verbs = verbs_of_terms(query);
        if !verbs.is_empty() {
            let words: Vec<String> = verbs.iter().map(|(term, _)| term.clone()).collect();
            let (known, unread) = Statistics::of_all(roots, &words);
            failed.extend(unread);
            for (term, verb) in verbs.into_iter().filter(|(term, _)| !known.has(term)) {
                forms.entry(term).or_default().push(verb);
            }
        }
        let (question, unread) = Self::of_forms(terms, &forms, roots);
        failed.extend(unread);
        (question, failed)
    }

    /// The same for terms.
    pub(super) fn of_terms(terms: Vec<String>, roots: &mut Vec<Searched>) -> (Self, Failed) {
        Self::of_forms(terms, &BTreeMap::new(), roots)
    }

    /// The same for terms, and others that count as one of them.
    fn of_forms(
        words: Vec<String>,
        forms: &BTreeMap<String, Vec<String>>,
        roots: &mut Vec<Searched>,
    ) -> (Self, Failed) {
        let all: Vec<String> = words.iter().chain(forms.values().flatten()).cloned().collect();
        let (mut statistics, failed) = Statistics::of_all(roots, &all);
        forms.iter().for_each(|(term, forms)| statistics.join(term, forms));
        let term = |text: String| {
            let forms = forms.get(&text).cloned().unwrap_or_default();
            Term { weight: statistics.weight(&text), text, forms }
        };
        let terms = most_telling(words.into_iter().map(term).collect());
        let weighted = |term: &Term| Weighted {
            text: term.text.clone(),
            forms: term.forms.clone(),
            weights: statistics.weights(&term.text),
        };
        (Self { weighted: terms.iter().map(weighted).collect(), terms, statistics }, failed)
    }

    /// How many passages the roots have together.
    pub(super) fn passages_counted(&self) -> u64 {
        self.statistics.passages
    }

    /// Whether a term stands in any of the roots.
    pub(super) fn has(&self, term: &str) -> bool {
        self.statistics.has(term)
    }

    pub(super) fn into_terms(self) -> Vec<Term> {
        self.terms
    }

    pub(super) fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The best passages of one root.
    pub(super) fn passages(&self, searched: &Searched, limit: usize) -> Result<Vec<Passage>, Fault> {
        if self.terms.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        searched.index.at_last_commit(|index| {
            let mut best = BinaryHeap::with_capacity(limit + 1);
            let mut scores = Vec::new();
            for (place, segment) in index.segments.iter().enumerate() {
                self.score(&index.transaction, segment, &mut scores)?;
                keep_best(&mut best, limit, (place, segment), &scores, index);
            }
            fetch(&index.transaction, &searched.root, &best.into_sorted_vec())
        })
    }

    /// The score of every passage of a segment.
    pub(super) fn score(
        &self,
        connection: &Connection,
        segment: &Segment,
        scores: &mut Vec<Score>,
    ) -> Result<(), Fault> {
        scores.clear();
        scores.resize(segment.lengths.len(), Score::default());
        let averages = self.statistics.average_lengths();
        for (number, term) in self.weighted.iter().enumerate() {
            each_passage(connection, segment, term, averages, |passage, value, counts| {
                let Some(score) = scores.get_mut(passage) else { return };
                score.value += value;
                if counts[TEXT] > 0 || counts[HEADINGS] > 0 {
                    score.matched |= 1 << number;
                }
            })?;
        }
        Ok(())
    }
}

/// Hands out each passage of a segment in which a term stands, with what the term adds to its score.
pub(super) fn each_passage(
    connection: &Connection,
    segment: &Segment,
    term: &Weighted,
    averages: PerField<f32>,
    mut take: impl FnMut(usize, f32, PerField<u32>),
) -> Result<(), Fault> {
    let mut list = connection.prepare_cached("SELECT data FROM postings WHERE segment = ?1 AND term = ?2")?;
    for text in std::iter::once(&term.text).chain(&term.forms) {
        let mut rows = list.query((segment.id, text))?;
        let Some(row) = rows.next()? else { continue };
        for entry in read(row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?) {
            let (passage, counts) = entry.map_err(|_| malformed())?;
            let passage = usize::try_from(passage).unwrap_or(usize::MAX);
            let Some(lengths) = segment.lengths.get(passage) else { return Err(malformed()) };
            take(passage, bm25(term.weights, counts, *lengths, averages), counts);
        }
    }
    Ok(())
}

/// What a term adds to a passage's score.
#[inline]
pub(super) fn bm25(
    weights: PerField<f32>,
    counts: PerField<u32>,
    lengths: PerField<u16>,
    averages: PerField<f32>,
) -> f32 {
    let mut sum = 0.0;
    for field in 0..FIELDS {
        if counts[field] > 0 {
            let count = counts[field] as f32;
            let norm = K1 * (1.0 - B + B * f32::from(lengths[field]) / averages[field]);
            sum += weights[field] * count / (count + norm);
        }
    }
    sum
}

/// What a passage has gathered.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Score {
    pub(super) value: f32,
    /// A bit for each of the question's terms that stands in the text or the headings.
    matched: u64,
}

const _: () = assert!(limits::LIBRARY_TERMS <= 64, "a term is a bit of `matched`");

/// A passage that is among the best so far. The greatest is the worst.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    score: Score,
    segment: usize,
    passage: u32,
    chunk: i64,
    place: u32,
}

impl Ord for Hit {
    fn cmp(&self, other: &Self) -> Ordering {
        let first = (self.segment, self.passage).cmp(&(other.segment, other.passage));
        other.score.value.total_cmp(&self.score.value).then(first)
    }
}

impl PartialOrd for Hit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Hit {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Hit {}

/// Puts the best living passages of a segment among the best of all.
pub(super) fn keep_best(
    best: &mut BinaryHeap<Hit>,
    limit: usize,
    (place, segment): (usize, &Segment),
    scores: &[Score],
    index: &Snapshot<'_>,
) {
    for (passage, score) in (0..).zip(scores) {
        let worst = best.peek().map(|hit| hit.score.value);
        if score.value <= 0.0 || (best.len() >= limit && worst.is_some_and(|worst| score.value <= worst)) {
            continue;
        }
        let Some((chunk, at)) = segment.locate(passage) else { continue };
        if index.dead.has(chunk) {
            continue;
        }
        best.push(Hit { score: *score, segment: place, passage, chunk, place: at });
        if best.len() > limit {
            best.pop();
        }
    }
}

/// Passages that are stored together, and their document.
struct Page {
    chunk: Unpacked,
    path: String,
    title: String,
    page: PageHash,
}

/// Reads passages, in their order.
pub(super) fn fetch(connection: &Connection, root: &str, hits: &[Hit]) -> Result<Vec<Passage>, Fault> {
    let query = "SELECT chunks.data, files.path, files.title, files.page FROM chunks JOIN files ON files.id = chunks.file \
         WHERE chunks.id = ?1";
    let mut query = connection.prepare_cached(query)?;
    let mut read = |chunk: i64| {
        let page = query.query_row([chunk], |row| {
            let chunk = Unpacked::of(row.get_ref(0)?.as_blob()?);
            let (path, title, page) = (row.get(1)?, row.get(2)?, PageHash(row.get(3)?));
            Ok(chunk.map(|chunk| Page { chunk, path, title, page }))
        });
        page.optional()?.unwrap_or_else(|| Err(Fault::Damaged("a passage is missing".to_owned())))
    };
    let mut pages: BTreeMap<i64, Page> = BTreeMap::new();
    let mut passages = Vec::with_capacity(hits.len());
    for hit in hits {
        let page = match pages.entry(hit.chunk) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unread) => unread.insert(read(hit.chunk)?),
        };
        let place = usize::try_from(hit.place).unwrap_or(usize::MAX);
        let (stored, text) = page.chunk.passage(place).ok_or_else(malformed)?;
        passages.push(Passage {
            root: root.to_owned(),
            path: page.path.clone(),
            title: page.title.clone(),
            headings: stored.headings.to_vec(),
            text: text.to_owned(),
            lines: stored.lines.clone(),
            parts: stored.parts.to_vec(),
            span: stored.span,
            page: page.page.clone(),
            score: hit.score.value,
            matched: (0..64).filter(|number| hit.score.matched >> number & 1 == 1).collect(),
            meaning: None,
            fenced: stored.fenced,
            table_head: stored.table_head.to_string(),
            of_superseded: stored.of_superseded,
        });
    }
    Ok(passages)
}

/// Best first, the same passage of overlapping roots once.
pub(super) fn merge(mut passages: Vec<Passage>, limit: usize) -> Vec<Passage> {
    passages.sort_by(|a, b| {
        let place = |p: &Passage| (p.root.clone(), p.path.clone(), p.span.start);
        b.score.total_cmp(&a.score).then_with(|| place(a).cmp(&place(b)))
    });
    let mut seen = HashSet::new();
    passages.retain(|passage| {
        let file = std::path::Path::new(&passage.root);
        // The root is the file itself, or a folder above it.
        let file = if file.ends_with(&passage.path) { file.to_owned() } else { file.join(&passage.path) };
        seen.insert((file, passage.span.start))
    });
    passages.truncate(limit);
    passages
}

/// Keeps the terms of the highest weight, in the order of the question.
fn most_telling(mut terms: Vec<Term>) -> Vec<Term> {
    if terms.len() > limits::LIBRARY_TERMS {
        let mut weights: Vec<f32> = terms.iter().map(|term| term.weight).collect();
        weights.sort_by(|a, b| b.total_cmp(a));
        let least = weights.get(limits::LIBRARY_TERMS - 1).copied().unwrap_or_default();
        terms.retain(|term| term.weight >= least);
        terms.truncate(limits::LIBRARY_TERMS);
    }
    terms
}
