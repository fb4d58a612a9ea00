//! A page, prepared to look claims up in it.

use std::ops::Range;

use super::dates::{Date, dates};
use super::figures::{Figure, all_readings, figures, same};
use super::quotes;
use super::tokens::{Token, tokens};
use crate::core::language::sentences;

/// A page as claims are compared with it. Made once, asked often.
#[derive(Debug)]
pub(crate) struct Page {
    pub(super) text: String,
    pub(super) tokens: Vec<Token>,
    pub(super) sentences: Vec<Sentence>,
    /// The sentence of each token.
    pub(super) sentence_of: Vec<u32>,
    /// The stems of the page, sorted, and for each where its places begin in `places`.
    stems: Vec<u64>,
    starts: Vec<u32>,
    /// The places of the tokens of each stem, in order.
    places: Vec<u32>,
    /// Whole words, sorted.
    words: Vec<u64>,
    /// First letters of words that stand together with capitals, sorted.
    pub(super) initials: Vec<u64>,
    /// By their value.
    pub(super) figures: Vec<Figure>,
    pub(super) dates: Vec<Date>,
    /// The whole text as quotes are compared.
    pub(super) plain: String,
    pub(super) language: Option<whatlang::Lang>,
}

/// A sentence of a page, in bytes of its text and in tokens.
#[derive(Clone, Debug)]
pub(crate) struct Sentence {
    pub(crate) bytes: Range<usize>,
    pub(crate) tokens: Range<usize>,
}

/// Words of a sentence at most; a table or a list without stops is cut into pieces of this length.
const SENTENCE_WORDS: usize = 80;
/// What is looked at to know a page's language, in characters.
const LANGUAGE_CHARS: usize = 2_000;
/// Words with capitals whose first letters make an acronym.
const ACRONYM: Range<usize> = 2..7;

impl Page {
    pub(crate) fn new(text: &str) -> Self {
        let tokens = tokens(text);
        let sentences = cut_sentences(text, &tokens);
        let mut sentence_of = vec![0; tokens.len()];
        for (number, sentence) in (0_u32..).zip(&sentences) {
            sentence_of.get_mut(sentence.tokens.clone()).unwrap_or_default().fill(number);
        }
        let mut index: Vec<(u64, u32)> = tokens.iter().zip(0..).map(|(token, at)| (token.stem, at)).collect();
        // Stable, so that the places of a stem stay in order; and quick where a few stems stand in many places.
        index.sort_by_key(|(stem, _)| *stem);
        let (mut stems, mut starts) = (Vec::new(), Vec::new());
        for ((stem, _), number) in index.iter().zip(0_u32..) {
            if stems.last() != Some(stem) {
                stems.push(*stem);
                starts.push(number);
            }
        }
        let places = index.into_iter().map(|(_, at)| at).collect();
        let mut words: Vec<u64> = tokens.iter().map(|token| token.word).collect();
        words.sort_unstable();
        words.dedup();
        let dates = dates(text, &tokens);
        let language = language(text);
        // English has one way to write a number.
        let is_english = language.is_none_or(|language| language == whatlang::Lang::Eng);
        let mut figures = if is_english { figures(text, &tokens) } else { all_readings(text, &tokens) };
        // The day of a date counts nothing: `3 March` does not bear out `three men`. Dates come in order, as figures still do here.
        let in_date = |figure: &Figure| {
            let after = dates.partition_point(|date| date.last < figure.first);
            dates.get(after).is_some_and(|date| date.first <= figure.first)
        };
        figures.retain(|figure| figure.is_year() || !in_date(figure));
        figures.extend(dates.iter().filter_map(Date::year_inside));
        figures.sort_by(|a, b| a.value.total_cmp(&b.value).then(a.first.cmp(&b.first)));
        let initials = initials(text, &tokens);
        let plain = quotes::plain(text);
        Self {
            text: text.to_owned(),
            tokens,
            sentences,
            sentence_of,
            stems,
            starts,
            places,
            words,
            initials,
            figures,
            dates,
            plain,
            language,
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn words(&self) -> usize {
        self.tokens.len()
    }

    /// The text from the first to the last of some tokens.
    pub(super) fn written(&self, tokens: Range<usize>) -> &str {
        let tokens = self.tokens.get(tokens).unwrap_or_default();
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return "" };
        self.text.get(first.start as usize..last.end as usize).unwrap_or_default()
    }

    /// The places of a stem, in order.
    pub(super) fn places(&self, stem: u64) -> &[u32] {
        let Ok(at) = self.stems.binary_search(&stem) else { return &[] };
        let start = self.starts.get(at).map_or(0, |start| *start as usize);
        let end = self.starts.get(at + 1).map_or(self.places.len(), |end| *end as usize);
        self.places.get(start..end).unwrap_or_default()
    }

    pub(super) fn has_stem(&self, stem: u64) -> bool {
        self.stems.binary_search(&stem).is_ok()
    }

    pub(super) fn has_word(&self, word: u64) -> bool {
        self.words.binary_search(&word).is_ok()
    }

    /// The figures of a value, in their order on the page.
    pub(super) fn figures_of(&self, value: f64) -> impl Iterator<Item = &Figure> {
        let low = value - value.abs() * 2e-9;
        let from = self.figures.partition_point(|figure| figure.value < low);
        self.figures.iter().skip(from).take_while(move |figure| same(figure.value, value))
    }

    pub(super) fn figures_between(&self, low: f64, high: f64) -> impl Iterator<Item = &Figure> {
        let from = self.figures.partition_point(|figure| figure.value < low);
        self.figures.iter().skip(from).take_while(move |figure| figure.value <= high)
    }
}

/// The sentences of a text with their tokens.
fn cut_sentences(text: &str, tokens: &[Token]) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut next = 0;
    for bytes in sentences(text) {
        let first = next;
        while tokens.get(next).is_some_and(|token| (token.start as usize) < bytes.end) {
            next += 1;
        }
        let mut from = first;
        let mut start = bytes.start;
        while from < next {
            let to = next.min(from + SENTENCE_WORDS);
            let end =
                if to == next { bytes.end } else { tokens.get(to - 1).map_or(bytes.end, |token| token.end as usize) };
            found.push(Sentence { bytes: start..end, tokens: from..to });
            start = tokens.get(to).map_or(end, |token| token.start as usize);
            from = to;
        }
    }
    found
}

/// The acronyms that words with capitals would have: `World Health Organization` is `who`.
fn initials(text: &str, tokens: &[Token]) -> Vec<u64> {
    let mut found = Vec::new();
    let letter = |token: &Token| text.get(token.start as usize..).and_then(|rest| rest.chars().next());
    let mut word = String::with_capacity(2 * ACRONYM.end);
    for first in (0..tokens.len()).filter(|first| tokens.get(*first).is_some_and(|token| token.capital)) {
        word.clear();
        let small = |token: &Token| token.filler && !token.capital;
        for token in tokens.iter().skip(first).take(ACRONYM.end + 2).take_while(|token| token.capital || small(token)) {
            if token.capital {
                letter(token).into_iter().for_each(|c| super::tokens::fold(c, &mut word, ACRONYM.end));
                if ACRONYM.contains(&word.len()) {
                    found.push(super::tokens::hash(&word));
                }
            } else if word.is_empty() {
                break;
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The language of a text, where it is long enough to tell.
pub(super) fn language(text: &str) -> Option<whatlang::Lang> {
    let sample: String = text.chars().take(LANGUAGE_CHARS).collect();
    whatlang::detect(&sample).filter(whatlang::Info::is_reliable).map(|info| info.lang())
}
