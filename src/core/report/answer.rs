//! Where in a passage the answer most likely stands, by the words of the question.
//!
//! A sentence and the one after it are looked at together: the first often holds the words that were asked for and the second what is said of
//! them. Nothing here understands a sentence. Code, tables and lists are taken by whole blocks and items.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::core::base::limits;
use crate::core::base::plain::is_unspaced;
use crate::core::text::fold::plain;
use crate::core::text::quoting::OpenCode;
use crate::core::text::sentences;
use crate::core::text::words::{alike, has_stem, measures, places, with_parts, words};

/// A word that was asked for, and how much finding it says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AskedWord {
    /// As an index has it.
    pub(crate) stem: String,
    /// As it stands in the question.
    pub(crate) word: String,
    /// Nothing for a word of measure, which asks for a figure and is not missed.
    pub(crate) weight: f32,
    /// Other forms of it, as an index has them.
    pub(crate) forms: Vec<String>,
}

/// A question, as far as its answer is looked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AskedQuestion {
    words: Vec<AskedWord>,
    wants: Wants,
}

/// What kind of thing a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wants {
    Number,
    Name,
    Anything,
}

/// What a word adds that stands in the sentence after, of what it adds in the sentence itself.
const AFTER: f32 = 0.8;
/// What a number adds where one is asked for, and a name; words weigh up to about 7.
const NUMBER: f32 = 1.0;
const NAME: f32 = 0.7;

const NUMBER_SIGNS: &[&str] =
    &["age", "date", "many", "much", "number", "old", "often", "percent", "percentage", "when", "year"];
const NAME_SIGNS: &[&str] = &["city", "country", "name", "person", "where", "who", "whom", "whose"];
const NUMERALS: &[&str] = &[
    "billion", "century", "dozen", "eight", "five", "four", "half", "hundred", "million", "nine", "one", "seven",
    "six", "ten", "thirty", "thousand", "three", "twenty", "two",
];

impl AskedQuestion {
    pub(crate) fn new(question: &str, words_asked: Vec<AskedWord>) -> Self {
        let any = |signs: &[&str]| words(question).any(|word| signs.contains(&word.as_str()));
        let wants_number = any(NUMBER_SIGNS) || !measures(question).is_empty();
        let wants = match (wants_number, any(NAME_SIGNS)) {
            (true, _) => Wants::Number,
            (false, true) => Wants::Name,
            (false, false) => Wants::Anything,
        };
        Self { words: words_asked, wants }
    }

    /// The sentence that most likely answers, with the one after it, as far as both have no more than `words` words.
    pub(crate) fn answer(&self, text: &str, most_words: usize) -> Range<usize> {
        let units = units(text);
        let held: Vec<BTreeSet<usize>> = units.iter().map(|unit| self.held(part(text, unit))).collect();
        let mut best: Option<(f32, usize)> = None;
        for (at, unit) in units.iter().enumerate() {
            let (Some(here), after) = (held.get(at), held.get(at + 1)) else { continue };
            let new = after.map(|after| self.weight(after.difference(here).copied())).unwrap_or_default();
            let score = self.weight(here.iter().copied()) + AFTER * new + self.fitting(part(text, unit));
            if best.is_none_or(|(before, _)| score > before) {
                best = Some((score, at));
            }
        }
        let Some((_, at)) = best else { return 0..0 };
        let (Some(first), after) = (units.get(at), units.get(at + 1)) else { return 0..0 };
        let both = after.map_or(first.clone(), |after| first.start..after.end);
        let fits = part(text, &both).split_whitespace().count() <= most_words;
        if fits { both } else { first.clone() }
    }

    /// The answer, widened to the nearest sentences of the text that hold what was asked for and does not stand in it yet, as far as all of it has
    /// no more than `most_words` words.
    pub(crate) fn widened(&self, text: &str, answer: Range<usize>, most_words: usize) -> Range<usize> {
        let mut wide = answer;
        let mut others: Vec<Range<usize>> = units(text);
        others.sort_by_key(|unit| unit.start.abs_diff(wide.start));
        for unit in others {
            let held = self.held(part(text, &wide));
            let both = wide.start.min(unit.start)..wide.end.max(unit.end);
            let adds = !self.held(part(text, &unit)).is_subset(&held);
            if adds && part(text, &both).split_whitespace().count() <= most_words {
                wide = both;
            }
        }
        wide
    }

    /// The words of a text that were asked for, as places in it.
    pub(crate) fn marks(&self, text: &str) -> Vec<Range<usize>> {
        let mut marks: Vec<Range<usize>> = Vec::new();
        for place in places(text) {
            let word = part(text, &place);
            if word.chars().any(is_unspaced) {
                self.mark_pairs(word, place.start, &mut marks);
            } else if self.words.iter().any(|asked| asked.is(&word.to_lowercase())) {
                marks.push(place);
            }
        }
        marks
    }

    /// Which of the words that were asked for stand in none of these texts.
    pub(crate) fn absent<'a>(&'a self, texts: &[&str]) -> Vec<&'a str> {
        let held: BTreeSet<usize> = texts.iter().flat_map(|text| self.held(text)).collect();
        let words = self.words.iter().enumerate().filter(|(at, asked)| !held.contains(at) && asked.weight > 0.0);
        words.map(|(_, asked)| asked.word.as_str()).collect()
    }

    fn held(&self, text: &str) -> BTreeSet<usize> {
        let said: BTreeSet<String> = words(text).collect();
        let stands = |asked: &AskedWord| match asked.stem.chars().any(is_unspaced) {
            true => text.contains(&asked.stem),
            false => said.iter().any(|word| asked.is(word)),
        };
        self.words.iter().enumerate().filter(|(_, asked)| stands(asked)).map(|(at, _)| at).collect()
    }

    fn weight(&self, held: impl Iterator<Item = usize>) -> f32 {
        held.filter_map(|at| self.words.get(at)).map(|asked| asked.weight.max(0.0)).sum()
    }

    /// What a sentence has of the kind of thing that is asked for, beside the words of the question.
    fn fitting(&self, sentence: &str) -> f32 {
        let new = |place: &Range<usize>| {
            let word = part(sentence, place).to_lowercase();
            !self.words.iter().any(|asked| asked.is(&word))
        };
        let new = || places(sentence).filter(new).map(|place| part(sentence, &place));
        let is_number = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_digit()) || NUMERALS.contains(&word.to_lowercase().as_str())
        };
        match self.wants {
            Wants::Number if new().any(is_number) => NUMBER,
            Wants::Name if new().filter(|word| word.starts_with(char::is_uppercase)).count() > 1 => NAME,
            Wants::Number | Wants::Name | Wants::Anything => 0.0,
        }
    }

    /// Marks pairs of characters in a text that is written without spaces; pairs that overlap are one mark.
    fn mark_pairs(&self, word: &str, offset: usize, marks: &mut Vec<Range<usize>>) {
        let mut found: Vec<Range<usize>> = Vec::new();
        for asked in self.words.iter().filter(|asked| asked.stem.chars().any(is_unspaced)) {
            found.extend(word.match_indices(&asked.stem).map(|(at, _)| at..at + asked.stem.len()));
        }
        found.sort_by_key(|mark| (mark.start, mark.end));
        for mark in found {
            let mark = offset + mark.start..offset + mark.end;
            match marks.last_mut() {
                Some(before) if before.end >= mark.start => before.end = before.end.max(mark.end),
                _ => marks.push(mark),
            }
        }
    }
}

impl AskedWord {
    /// Whether a word in lower case is a form of this one, or an identifier that has one as its part.
    fn is(&self, word: &str) -> bool {
        with_parts(word).any(|part| self.is_form(part))
    }

    fn is_form(&self, word: &str) -> bool {
        let word = plain(word);
        let begins = word.chars().next();
        let may_be = [&self.stem, &self.word].iter().any(|own| own.chars().next() == begins);
        (may_be && (has_stem(&word, &self.stem) || alike(&word, &self.word)))
            || self.forms.iter().any(|form| has_stem(&word, form))
    }
}

fn part<'t>(text: &'t str, place: &Range<usize>) -> &'t str {
    text.get(place.clone()).unwrap_or_default()
}

/// A text as sentences, items of lists, rows of tables and whole blocks of code.
fn units(text: &str) -> Vec<Range<usize>> {
    let mut units = Vec::new();
    let mut prose: Option<Range<usize>> = None;
    let mut code: Option<usize> = None;
    let mut open = OpenCode::default();
    let mut at = 0;
    let flush = |prose: &mut Option<Range<usize>>, units: &mut Vec<Range<usize>>| {
        if let Some(place) = prose.take() {
            let found = sentences(part(text, &place)).into_iter();
            units.extend(found.map(|sentence| place.start + sentence.start..place.start + sentence.end));
        }
    };
    for line in text.split_inclusive('\n') {
        let place = at..at + line.trim_end().len();
        at += line.len();
        let begins = line.trim_start();
        open.read(line);
        match code {
            Some(from) if !open.is_open() => {
                units.extend(code_units(text, from..place.end));
                code = None;
            }
            Some(_) => {}
            None if open.is_open() => {
                flush(&mut prose, &mut units);
                code = Some(place.start);
            }
            None => {
                if is_item(begins) {
                    flush(&mut prose, &mut units);
                }
                let from = prose.as_ref().map_or(place.start, |prose| prose.start);
                prose = Some(from..at);
            }
        }
    }
    flush(&mut prose, &mut units);
    let open = code.map(|from| from..text.trim_end().len()).filter(|unit| !unit.is_empty());
    units.extend(open.into_iter().flat_map(|unit| code_units(text, unit)));
    units
}

/// A block of code as a whole, or its lines in groups where it is longer than an answer.
fn code_units(text: &str, block: Range<usize>) -> Vec<Range<usize>> {
    let count = |place: &Range<usize>| part(text, place).split_whitespace().count();
    let mut groups: Vec<Range<usize>> = Vec::new();
    let is_long = count(&block) > limits::ANSWER_WORDS;
    let mut words = 0;
    for line in part(text, &block).split_inclusive('\n') {
        let start = groups.last().map_or(block.start, |last| last.end);
        let line = start..start + line.len();
        let more = count(&line);
        // A line without a word, such as the fence at the end, stays with what is before it.
        let has_words = part(text, &line).contains(char::is_alphanumeric);
        match groups.last_mut() {
            Some(last) if !is_long || !has_words || words + more <= limits::EXTRACT_WORDS => last.end = line.end,
            Some(_) | None => {
                words = 0;
                groups.push(line);
            }
        }
        words += more;
    }
    groups.retain(|group| !part(text, group).trim().is_empty());
    groups.into_iter().map(|group| group.start..group.start + part(text, &group).trim_end().len()).collect()
}

/// Whether a line begins an item of a list or is a row of a table.
fn is_item(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = number.len() < line.len() && number.starts_with(['.', ')']);
    numbered || ["- ", "* ", "+ ", "|", "#"].iter().any(|mark| line.starts_with(mark))
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
