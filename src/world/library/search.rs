//! Finding passages: BM25 over text, headings and titles, with one set of statistics for all roots searched, so that
//! their scores can be compared.

use std::collections::{BTreeMap, HashSet};

use tantivy::collector::TopDocs;
use tantivy::query::{Bm25StatisticsProvider, BooleanQuery, BoostQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, Value};
use tantivy::tokenizer::{TextAnalyzer, TokenStream};
use tantivy::{DocAddress, Searcher, TantivyDocument};

use super::fault::{Fault, guard};
use super::index::{About, Fields, PASSAGE, schema};
use super::words::{document_analyzer, question_terms};
use crate::core::base::limits;
use crate::core::evidence::passage::{Passage, Term};

// Measured on Cranfield, HotpotQA and XQuAD: more than this makes titles outweigh what passages say.
/// How much a term counts in the headings above a passage, beside its text.
const HEADINGS_BOOST: f32 = 0.5;
/// How much a term counts in the document's title or path.
const TITLE_BOOST: f32 = 0.25;

/// A root that is searched.
pub(super) struct Searched {
    pub(super) root: String,
    pub(super) searcher: Searcher,
    /// The commit it was opened at, or an earlier one.
    pub(super) commit: Option<Vec<u8>>,
}

/// A question, and what is known of its terms in all roots together.
pub(super) struct Question {
    terms: Vec<Term>,
    statistics: Statistics,
    fields: Fields,
}

impl Question {
    /// Counts a question's terms in these roots; those whose index cannot be read are handed back and not counted.
    pub(super) fn new(query: &str, roots: &mut Vec<Searched>) -> (Self, Vec<(Searched, Fault)>) {
        let (_, fields) = schema();
        let words = question_terms(query);
        let mut statistics = Statistics::default();
        let mut failed = Vec::new();
        for searched in std::mem::take(roots) {
            match guard(|| Statistics::of(&searched.searcher, &words, fields)) {
                Ok(counted) => {
                    statistics.add(counted);
                    roots.push(searched);
                }
                Err(fault) => failed.push((searched, fault)),
            }
        }
        let terms = words.into_iter().map(|text| Term { weight: statistics.weight(&text, fields), text }).collect();
        (Self { terms: most_telling(terms), statistics, fields }, failed)
    }

    pub(super) fn into_terms(self) -> Vec<Term> {
        self.terms
    }

    /// The best passages of one root.
    pub(super) fn passages(&self, searched: &Searched, limit: usize) -> Result<Vec<Passage>, Fault> {
        if self.terms.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        guard(|| {
            let top = TopDocs::with_limit(limit).order_by_score();
            let hits = searched.searcher.search_with_statistics_provider(&self.query(), &top, &self.statistics)?;
            let mut analyzer = document_analyzer();
            hits.into_iter().map(|(score, address)| self.passage(searched, score, address, &mut analyzer)).collect()
        })
    }

    fn query(&self) -> BooleanQuery {
        let boosts =
            [(self.fields.text, 1.0), (self.fields.headings, HEADINGS_BOOST), (self.fields.title, TITLE_BOOST)];
        let clauses = self.terms.iter().flat_map(|term| {
            boosts.map(|(field, boost)| {
                let term =
                    TermQuery::new(tantivy::Term::from_field_text(field, &term.text), IndexRecordOption::WithFreqs);
                let clause: Box<dyn Query> = Box::new(BoostQuery::new(Box::new(term), boost));
                (Occur::Should, clause)
            })
        });
        BooleanQuery::new(clauses.collect())
    }

    fn passage(
        &self,
        searched: &Searched,
        score: f32,
        address: DocAddress,
        analyzer: &mut TextAnalyzer,
    ) -> Result<Passage, Fault> {
        let document: TantivyDocument = searched.searcher.doc(address)?;
        let stored = |field| document.get_first(field).and_then(|value| value.as_str());
        let (Some(text), Some(about)) = (stored(self.fields.text), stored(self.fields.about)) else {
            return Err(Fault::Damaged("a passage has no text".to_owned()));
        };
        let about: About = serde_json::from_str(about).map_err(|error| Fault::Damaged(error.to_string()))?;
        let matched = self.matched(text, &about.headings, analyzer);
        Ok(Passage {
            root: searched.root.clone(),
            path: about.path,
            title: about.title,
            headings: about.headings,
            text: text.to_owned(),
            lines: about.lines,
            span: about.span,
            page: about.page,
            score,
            matched,
        })
    }

    /// Which terms really stand in the passage or its headings.
    fn matched(&self, text: &str, headings: &[String], analyzer: &mut TextAnalyzer) -> Vec<u16> {
        let mut present = HashSet::new();
        for part in headings.iter().map(String::as_str).chain([text]) {
            analyzer.token_stream(part).process(&mut |token| {
                if !present.contains(&token.text) {
                    present.insert(token.text.clone());
                }
            });
        }
        let matching = (0..).zip(&self.terms).filter(|(_, term)| present.contains(&term.text));
        matching.map(|(index, _)| index).collect()
    }
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

/// How often terms stand in how many passages.
#[derive(Debug, Default)]
struct Statistics {
    passages: u64,
    tokens: BTreeMap<Field, u64>,
    containing: BTreeMap<tantivy::Term, u64>,
}

impl Statistics {
    fn of(searcher: &Searcher, words: &[String], fields: Fields) -> Result<Self, Fault> {
        let mut statistics = Self {
            passages: searcher.doc_freq(&tantivy::Term::from_field_text(fields.kind, PASSAGE))?,
            ..Self::default()
        };
        for field in [fields.text, fields.headings, fields.title] {
            statistics.tokens.insert(field, searcher.total_num_tokens(field)?);
            for word in words {
                let term = tantivy::Term::from_field_text(field, word);
                let containing = searcher.doc_freq(&term)?;
                statistics.containing.insert(term, containing);
            }
        }
        Ok(statistics)
    }

    fn add(&mut self, other: Self) {
        self.passages += other.passages;
        for (field, tokens) in other.tokens {
            *self.tokens.entry(field).or_default() += tokens;
        }
        for (term, containing) in other.containing {
            *self.containing.entry(term).or_default() += containing;
        }
    }

    /// The inverse document frequency, as BM25 has it.
    fn weight(&self, word: &str, fields: Fields) -> f32 {
        let containing = |field| self.containing.get(&tantivy::Term::from_field_text(field, word)).copied();
        let with = [fields.text, fields.headings].into_iter().filter_map(containing).max().unwrap_or_default();
        let without = self.passages.saturating_sub(with);
        #[expect(clippy::cast_precision_loss, reason = "a weight, not a count")]
        let odds = (without as f32 + 0.5) / (with as f32 + 0.5);
        odds.ln_1p()
    }
}

impl Bm25StatisticsProvider for Statistics {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        Ok(self.tokens.get(&field).copied().unwrap_or_default())
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        Ok(self.passages)
    }

    fn doc_freq(&self, term: &tantivy::Term) -> tantivy::Result<u64> {
        Ok(self.containing.get(term).copied().unwrap_or_default())
    }
}
