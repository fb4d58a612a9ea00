//! Where in a passage the answer most likely stands, by the words of the question.
//!
//! A sentence and the one after it are looked at together: the first often holds the words that were asked for and the second what is said of
//! them. Nothing here understands a sentence. Code, tables and lists are taken by whole blocks and items.

mod by_parts;
mod designated;
mod figure;
mod holding;
mod latest;
mod names;
mod saying;

pub(super) use names::Fit;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use self::designated::{AskedDesignation, designations};
use self::holding::Holding;
pub(super) use self::latest::Above;
use self::latest::{Candidate, Entries};
use self::saying::Saying;
use super::entries::{is_single_item, is_term};
use super::titles::{title_part, titles};
use super::units::{Unit, adjoins, is_head_of_rows, is_lower_row, is_of_other_branch, names_above, units};
use crate::core::base::plain::is_unspaced;
use crate::core::base::rows::is_listed;
use crate::core::base::sorting::sort_by_key;
use crate::core::language::compounds::german_parts;
use crate::core::language::days::begins_with_stamp;
use crate::core::language::detect::is_german;
use crate::core::language::identifiers::{with_parts, words_and_parts};
use crate::core::language::phrasal::PhrasalVerbs;
use crate::core::language::separable::Separable;
use crate::core::language::stems::{Stems, stem_of};
use crate::core::language::words::{places, words};
use crate::core::question::attributes::asked_attribute;
use crate::core::question::figures::AskedFigure;
use crate::core::question::labels::Label;
use crate::core::question::measures::measures;
use crate::core::question::numbers::has_number;
use crate::core::question::periods::{AskedPeriods, Period};
use crate::core::question::terms::{AskedTerm, asked_term};

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
    stems: Stems,
    designations: Vec<AskedDesignation>,
    figure: Option<AskedFigure>,
    /// The words that ask for it: `how high`.
    measures: BTreeSet<String>,
    wants: Wants,
    /// The names of more than one word, as they are written, and their words.
    names: Vec<(String, BTreeSet<usize>)>,
    /// It compares: `heavier than 310 g`.
    compares: bool,
    asks_for_sender: bool,
    saying: Saying,
    /// The words of what is asked of a thing: the rent of hall 7.
    attribute: BTreeSet<usize>,
    /// The term whose meaning is asked for.
    term: Option<AskedTerm>,
    /// The words that are numbers by themselves, and stand only where they are that.
    numbers: BTreeSet<usize>,
    /// The German compounds, with the parts that may tell them.
    compounds: Vec<(usize, Vec<(String, String)>)>,
    holding: Holding,
    phrasal: PhrasalVerbs,
    /// Months, days of the week and years, which are told by stretches of them, too.
    periods: AskedPeriods,
    /// In which parts of the question each word stands, of those that are asked for side by side.
    parts: BTreeMap<usize, BTreeSet<usize>>,
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
/// What an identifier adds that names an entry, beside what it adds where it is spoken of.
const NAMED: f32 = 1.0;
/// What a code adds once more that hardly any other part of the text has: `E23` is what was asked, the machine is where it is asked of.
const CODE: f32 = 1.0;
/// What the words of what is asked of a thing add once more where all of them stand: the thing itself is often named elsewhere.
const ATTRIBUTE: f32 = 1.0;
/// What a word adds that the heading right above the text has already.
const ABOVE: f32 = 0.5;
/// What a number adds where one is asked for, and a name; words weigh up to about 7.
const NUMBER: f32 = 1.0;
/// What is added to that where the number counts what was asked for: `64 tables`.
const OF_KIND: f32 = 1.0;
const NAME: f32 = 0.7;

const NUMBER_SIGNS: &str = "age date many much number old often percent percentage year";
const COMPARING_SIGNS: &str = "above als below between compared least less more over que than under";
const NAME_SIGNS: &str = "city country name person where who whom whose";

impl AskedQuestion {
    pub(crate) fn new(question: &str, words_asked: Vec<AskedWord>) -> Self {
        let any = |signs| words(question).any(|word| is_listed(signs, &word));
        let figure = AskedFigure::of_question(question);
        let measures = measures(question);
        let wants_number = figure.is_some() || any(NUMBER_SIGNS) || !measures.is_empty();
        let wants = match (wants_number, any(NAME_SIGNS)) {
            (true, _) => Wants::Number,
            (false, true) => Wants::Name,
            (false, false) => Wants::Anything,
        };
        let mut stems = Stems::default();
        for (at, asked) in words_asked.iter().enumerate() {
            stems.add(&stem_of(&asked.word), at);
            std::iter::once(&asked.stem).chain(&asked.forms).for_each(|stem| stems.add(stem, at));
        }
        let designations = designations(question, &words_asked);
        let names = names::of_question(question, &stems);
        let compares = any(COMPARING_SIGNS);
        let is_number = |(_, asked): &(usize, &AskedWord)| has_number(question, &asked.word);
        let numbers = words_asked.iter().enumerate().filter(is_number).map(|(at, _)| at).collect();
        let asks_for_sender = saying::asks_for_sender(question);
        let is_german = is_german(question);
        let parts = |asked: &AskedWord| if is_german { german_parts(&asked.word) } else { Vec::new() };
        let compounds = words_asked.iter().map(parts).enumerate().filter(|(_, parts)| !parts.is_empty()).collect();
        let words = words_asked;
        let attribute = asked_attribute(question).iter().flat_map(|word| stems.of_word(word)).collect();
        Self {
            names,
            designations,
            words,
            figure,
            measures,
            wants,
            compares,
            asks_for_sender,
            saying: Saying::of(question),
            attribute,
            term: asked_term(question),
            holding: Holding::of(question),
            phrasal: PhrasalVerbs::of_question(question, &stems),
            periods: AskedPeriods::of(question, &stems),
            numbers,
            compounds,
            parts: names::parts_of_words(question, &stems),
            stems,
        }
    }

    pub(super) fn compares(&self) -> bool {
        self.compares
    }

    /// A word that was asked for, as it stands in the question.
    pub(super) fn word(&self, at: usize) -> Option<&str> {
        self.words.get(at).map(|asked| asked.word.as_str())
    }

    pub(super) fn asks_for_sender(&self) -> bool {
        self.asks_for_sender
    }

    pub(super) fn asks_why(&self) -> bool {
        self.saying.asks_why()
    }

    pub(super) fn label(&self) -> Option<Label> {
        self.saying.label()
    }

    /// The months, days of the week and years of the question that a text tells by a stretch alone, with the numbers of their words.
    pub(super) fn stretched(&self, text: &str) -> Vec<(&[usize], &Period)> {
        self.periods.stretched(text, &self.stems)
    }

    /// The German verbs of the question that may be written in two, each with the number of its word.
    pub(super) fn separable(&self) -> impl Iterator<Item = (usize, &Separable)> {
        self.phrasal.separable()
    }

    /// Whether finding it says anything.
    pub(super) fn weighs(&self, at: usize) -> bool {
        self.weight(std::iter::once(at)) > 0.0
    }

    /// The sentence that most likely answers, with what names its entry and with the one after it, as far as they have no more than `most_words`
    /// words.
    pub(crate) fn answer(&self, beyond: Above<'_>, text: &str, most_words: usize) -> Range<usize> {
        let units = units(text);
        let held = self.held_by_units(text, &units);
        let title = titles(text, &units);
        let above = self.held_by_all([beyond.heading, Some(title_part(text))], held.iter().take(title));
        let codes = self.telling_codes(&held, &above);
        let weight = |held: &BTreeSet<usize>, but: &BTreeSet<usize>| {
            let own = |at: &usize| !but.contains(at) && !above.contains(at);
            let said = |at: &usize| !but.contains(at) && above.contains(at);
            self.weight(held.iter().copied().filter(own)) + ABOVE * self.weight(held.iter().copied().filter(said))
        };
        let fits = |place: &Range<usize>| part(text, place).split_whitespace().count() <= most_words;
        let known = |at: usize| units.get(at).zip(held.get(at));
        let mut candidates: Vec<Candidate> = Vec::new();
        for at in 0..units.len() {
            let Some((unit, here)) = known(at).filter(|_| !is_head_of_rows(text, &units, at)) else { continue };
            let (mut place, mut seen) = (unit.place.clone(), here.clone());
            let (mut score, mut fitting) = (weight(here, &BTreeSet::new()), self.fitting(part(text, &place)));
            let named_by = unit.named_by.and_then(known);
            score += NAMED * self.naming(text, &place, named_by.map(|(name, _)| &name.place));
            score += CODE * self.weight(here.intersection(&codes).copied());
            if let Some((after, held)) = known(at + 1)
                .filter(|(after, _)| unit.names || !(after.begins || unit.is_row || (after.is_label && !unit.is_label)))
            {
                score += AFTER * weight(held, &seen);
                seen.extend(held);
                let both = place.start..after.place.end;
                if fits(&both) {
                    fitting = fitting.max(AFTER * self.fitting(part(text, &after.place)));
                    place = both;
                }
            }
            // The head of a table says for each of its rows what is told there.
            let of_head = |word: &usize| unit.is_row && named_by.is_some_and(|(_, head)| head.contains(word));
            if self.attribute.iter().all(|word| seen.contains(word) || of_head(word)) {
                score += ATTRIBUTE * self.weight(self.attribute.iter().copied());
            }
            let is_below = |name: &Unit| unit.is_item && name.is_item;
            let tells = |name: &Unit, held: &BTreeSet<usize>| {
                !held.is_subset(&seen) || is_named_by(text, unit, name) || is_below(name)
            };
            if let Some((name, held)) = named_by.filter(|(name, held)| tells(name, held)) {
                let whole = name.place.start..place.end;
                let is_whole = fits(&whole);
                if is_whole || unit.is_row || unit.is_cells || is_below(name) {
                    score += AFTER * weight(held, &seen);
                    place = if is_lower_row(text, &units, at) || !is_whole { place } else { whole };
                }
            }
            // What is said of an item is said of all that it stands below.
            seen.extend(named_by.into_iter().flat_map(|(_, held)| held));
            for (name, held) in names_above(&units, unit).filter_map(known) {
                let whole = name.place.start.min(place.start)..place.end;
                score += AFTER * weight(held, &seen);
                if name.is_item && !held.is_subset(&seen) && fits(&whole) {
                    place = whole;
                }
                seen.extend(held);
            }
            score += fitting + self.periods.nearness(part(text, &unit.place));
            let worth = || self.holding.worth(text, unit, named_by.map(|(name, _)| name), beyond.heading);
            score *= if at < title { ABOVE } else { worth() };
            candidates.push(Candidate { at, score, place });
        }
        let entries = Entries { text, units: &units, held: &held, above: &above, beyond };
        self.chosen(&entries, &candidates, most_words)
    }

    /// The answer, widened to the nearest sentences of the text that hold what was asked for and does not stand in it yet, as far as all of it has
    /// no more than `most_words` words. What names the next entry says nothing of this one.
    pub(crate) fn widened(&self, text: &str, answer: Range<usize>, most_words: usize) -> Range<usize> {
        let mut wide = answer;
        let all = units(text);
        let last = all.iter().rposition(|unit| unit.place.start < wide.end);
        let is_near = |at: usize| last.is_none_or(|last| !is_of_other_branch(&all, last, at));
        let mut others: Vec<&Unit> = (0..all.len()).filter(|at| is_near(*at)).filter_map(|at| all.get(at)).collect();
        // The head of a table is shown above its rows, however far away it stands.
        let row = all.iter().find(|unit| unit.is_row && unit.place.start == wide.start);
        let head = row.and_then(|row| all.get(row.named_by?)).map(|head| self.held(part(text, &head.place)));
        let mut head = head.unwrap_or_default();
        head.extend(self.held(title_part(text)));
        // What an identifier names ends with its entry.
        let entry = self.entry_of_identifier(text, &all, &wide);
        let is_next = |unit: &Unit| unit.names || (unit.is_item && is_single_item(text, &unit.place));
        others.retain(|unit| !is_next(unit) || unit.place.start <= wide.start);
        // An entry of a log says nothing of another one.
        if begins_with_stamp(part(text, &wide)) {
            others.retain(|unit| !unit.is_item);
        }
        if let Some(entry) = entry {
            others.retain(|unit| unit.named_by == Some(entry) || unit.place.start <= wide.start);
        }
        sort_by_key(&mut others, |unit| unit.place.start.abs_diff(wide.start));
        for Unit { place, .. } in others {
            let mut held = self.held(part(text, &wide));
            held.extend(&head);
            let both = wide.start.min(place.start)..wide.end.max(place.end);
            let adds = self.weight(self.held(part(text, place)).difference(&held).copied()) > 0.0;
            // The default of a setting stands on a line of its own, below what is said of it.
            let is_value = entry.is_some() && place.start > wide.start && self.saying.is_value(part(text, place));
            let adds = adds || (is_value && !self.saying.is_value(part(text, &wide)));
            if adds && part(text, &both).split_whitespace().count() <= most_words {
                wide = both;
            }
        }
        wide
    }

    /// The answer with the sentences behind it, as far as all of it has no more than `most_words` words: what is to be explained stands behind
    /// the sentence that has the words of the question, a figure or a name in it. Another entry begins something else.
    pub(crate) fn continued(&self, text: &str, answer: Range<usize>, most_words: usize) -> Range<usize> {
        let units = units(text);
        let inside = |unit: &&Unit| unit.is_in(&answer);
        // What stands behind a list or a table is no part of it.
        if self.wants == Wants::Number || units.iter().filter(inside).any(|unit| unit.is_item || unit.is_row) {
            return answer;
        }
        let is_entry = units
            .iter()
            .filter(inside)
            .any(|unit| is_head(unit) || unit.named_by.and_then(|at| units.get(at)).is_some_and(is_head));
        let mut wide = answer.clone();
        let mut before = &answer;
        for unit in units.iter().skip_while(|unit| unit.place.start < answer.end) {
            let longer = answer.start..unit.place.end;
            // Who did it stands in the same paragraph, and an entry ends with its own.
            let is_beyond = (is_entry || self.wants == Wants::Name) && !adjoins(text, before, &unit.place);
            if unit.begins || is_beyond || part(text, &longer).split_whitespace().count() > most_words {
                break;
            }
            if self.wants == Wants::Anything || self.fitting(part(text, &unit.place)) > 0.0 {
                wide = longer;
            }
            before = &unit.place;
        }
        wide
    }

    /// The words of a text that were asked for, as places in it.
    pub(crate) fn marks(&self, text: &str) -> Vec<Range<usize>> {
        let mut whole: Vec<Range<usize>> = self.designations.iter().flat_map(|asked| asked.of.places(text)).collect();
        sort_by_key(&mut whole, |place| place.start);
        let mut whole = whole.into_iter().peekable();
        let mut marks: Vec<Range<usize>> = Vec::new();
        for place in places(text) {
            if let Some(designation) = whole.next_if(|next| next.start <= place.start) {
                marks.push(designation);
            }
            let word = part(text, &place);
            if marks.last().is_some_and(|last| last.end > place.start) {
                continue;
            }
            if word.chars().any(is_unspaced) {
                self.mark_pairs(word, place.start, &mut marks);
            } else if self.has_own_word(word) {
                marks.push(place);
            }
        }
        marks
    }

    /// Whether of two texts no one has more of what was asked for.
    pub(super) fn fits_equally(&self, one: &str, other: &str) -> bool {
        let has_same = |asked: &AskedDesignation| asked.of.is_in(one) == asked.of.is_in(other);
        let is_fit = |text: &str| self.fitting(text) > 0.0;
        self.held(one) == self.held(other) && self.designations.iter().all(has_same) && is_fit(one) == is_fit(other)
    }

    /// The things that are to be counted, where none of these texts speaks of them.
    pub(crate) fn missing_things(&self, texts: &[&str]) -> Option<&str> {
        self.figure.as_ref().and_then(|figure| figure.missing_things(texts))
    }

    fn has_own_word(&self, word: &str) -> bool {
        with_parts(word).any(|part| self.stems.of_word(&part).any(|at| !self.is_piece(at)))
    }

    /// Which of the words that were asked for stand in none of these texts.
    pub(crate) fn absent<'a>(&'a self, texts: &[&str]) -> Vec<&'a str> {
        self.absent_below(texts, &[])
    }

    /// The same where all of them stand below these titles and headings.
    pub(crate) fn absent_below<'a>(&'a self, texts: &[&str], above: &[&str]) -> Vec<&'a str> {
        let held: BTreeSet<usize> = texts.iter().flat_map(|text| self.held(text)).collect();
        let is_absent = |at: &usize| !held.contains(at) && !self.is_piece(*at);
        let words = self.words.iter().enumerate().filter(|(at, asked)| is_absent(at) && asked.weight > 0.0);
        words.map(|(_, asked)| asked.word.as_str()).chain(self.lacking_designations(texts, above)).collect()
    }

    /// Whether a text has a word that was asked for.
    pub(crate) fn has_words_in(&self, text: &str) -> bool {
        self.weight(self.held(text).into_iter()) > 0.0
    }

    /// How much of what was asked for stands in these texts, 0..1.
    pub(crate) fn share(&self, texts: &[&str]) -> f32 {
        let held: BTreeSet<usize> = texts.iter().flat_map(|text| self.held(text)).collect();
        let all = self.weight(0..self.words.len());
        // What happened on a day, or in the stretch in which one lies, is not told by what else happened then.
        let in_stretches = self.periods.only_in_stretches(texts, &self.stems);
        let is_of_day =
            |at: &usize| self.designations.iter().any(|asked| asked.of.is_day() && asked.pieces.contains(at));
        let is_day = |at: &usize| is_of_day(at) || in_stretches.contains(at);
        let but_days = self.weight((0..self.words.len()).filter(|at| !is_day(at)));
        match (all > 0.0, but_days > 0.0) {
            (_, true) => self.weight(held.into_iter().filter(|at| !is_day(at))) / but_days,
            (true, false) => self.weight(held.into_iter()) / all,
            (false, false) => 1.0,
        }
    }

    pub(super) fn held(&self, text: &str) -> BTreeSet<usize> {
        self.held_itself(text).union(&self.held_by_parts(text)).copied().collect()
    }

    /// The same without compounds that are only told by their parts.
    fn held_itself(&self, text: &str) -> BTreeSet<usize> {
        let said: BTreeSet<String> = words_and_parts(text).collect();
        let mut held: BTreeSet<usize> = said.iter().flat_map(|word| self.stems.of_word(word)).collect();
        for (at, asked) in self.words.iter().enumerate().filter(|(_, asked)| asked.stem.chars().any(is_unspaced)) {
            match text.contains(&asked.stem) {
                true => held.insert(at),
                false => held.remove(&at),
            };
        }
        self.phrasal.retain_meant([text], &self.stems, &mut held);
        held.extend(self.periods.told_by(text));
        held.retain(|at| !self.numbers.contains(at) || self.word(*at).is_some_and(|number| has_number(text, number)));
        for asked in &self.designations {
            match asked.of.is_in(text) {
                true => held.extend(&asked.pieces),
                false => held.retain(|at| !asked.pieces.contains(at)),
            }
        }
        held
    }

    pub(super) fn weight(&self, held: impl Iterator<Item = usize>) -> f32 {
        held.filter_map(|at| self.words.get(at)).map(|asked| asked.weight.max(0.0)).sum()
    }

    /// Marks pairs of characters in a text that is written without spaces; pairs that overlap are one mark.
    fn mark_pairs(&self, word: &str, offset: usize, marks: &mut Vec<Range<usize>>) {
        let mut found: Vec<Range<usize>> = Vec::new();
        for asked in self.words.iter().filter(|asked| asked.stem.chars().any(is_unspaced)) {
            found.extend(word.match_indices(&asked.stem).map(|(at, _)| at..at + asked.stem.len()));
        }
        sort_by_key(&mut found, |mark| (mark.start, mark.end));
        for mark in found {
            let mark = offset + mark.start..offset + mark.end;
            match marks.last_mut() {
                Some(before) if before.end >= mark.start => before.end = before.end.max(mark.end),
                _ => marks.push(mark),
            }
        }
    }
}

/// Whether all of its paragraph is said of a unit.
fn is_head(unit: &Unit) -> bool {
    unit.is_label && unit.begins && !unit.is_item
}

/// Whether a unit says nothing without what names it: whoever stands at the beginning of the line or of the entry is meant by all of it, and so is the
/// term right above a paragraph.
fn is_named_by(text: &str, unit: &Unit, name: &Unit) -> bool {
    let is_in_line = || !part(text, &(name.place.start..unit.place.start)).contains('\n');
    let between = || part(text, &(name.place.end..unit.place.start));
    let is_above = || between().chars().all(|c| c.is_whitespace() || c == '>');
    is_head(name)
        || ((name.is_item || name.is_label) && is_in_line())
        || (name.names && is_term(part(text, &name.place)) && is_above())
}

fn part<'t>(text: &'t str, place: &Range<usize>) -> &'t str {
    text.get(place.clone()).unwrap_or_default()
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
