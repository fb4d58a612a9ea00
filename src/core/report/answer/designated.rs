//! What is asked for as a whole: dates, addresses, numbers, identifiers.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{AskedQuestion, AskedWord, part};
use crate::core::language::days::years;
use crate::core::language::words::words;
use crate::core::question::designation::Designation;
use crate::core::report::units::{Unit, is_code};

/// A code that stands in more units of a text is what the text is about.
const CODE_UNITS: usize = 2;

/// A designation that is asked for, and the words that are pieces of it and of nothing else in the question.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AskedDesignation {
    pub(super) of: Designation,
    pub(super) pieces: BTreeSet<usize>,
}

impl AskedQuestion {
    /// What was asked for as a whole, with the words that are pieces of it.
    pub(in crate::core::report) fn designated(&self) -> impl Iterator<Item = (&Designation, &BTreeSet<usize>)> {
        self.designations.iter().map(|asked| (&asked.of, &asked.pieces))
    }

    /// A word of the question, or what it is a piece of, as it is written.
    pub(in crate::core::report) fn written(&self, at: usize) -> Option<&str> {
        let whole = self.designations.iter().find(|asked| asked.pieces.contains(&at));
        whole.map(|asked| asked.of.written.as_str()).or_else(|| self.word(at))
    }

    /// What names the entry that an answer is of, if an identifier that was asked for does.
    pub(super) fn entry_of_identifier(&self, text: &str, units: &[Unit], answer: &Range<usize>) -> Option<usize> {
        let name = units.iter().rfind(|unit| unit.place.start < answer.end)?.named_by?;
        let place = &units.get(name)?.place;
        let names = |asked: &AskedDesignation| asked.of.names_line_of(part(text, place));
        self.designations.iter().any(names).then_some(name)
    }

    /// The weight of the identifiers that name an entry, in a unit of it, or in the one that names it; all of it for the entry of a term.
    pub(super) fn naming(&self, text: &str, unit: &Range<usize>, named_by: Option<&Range<usize>>) -> f32 {
        // What an example sets is not what explains; what source code defines is.
        let names = |place: &Range<usize>, asked: &AskedDesignation| match is_code(text, place) {
            true => asked.of.is_set_in(part(text, place)),
            false => asked.of.names_line_of(part(text, place)),
        };
        let is_named =
            |asked: &&AskedDesignation| names(unit, asked) || named_by.is_some_and(|name| names(name, asked));
        let named: f32 =
            self.designations.iter().filter(is_named).map(|asked| self.weight(asked.pieces.iter().copied())).sum();
        let explains =
            |place: &Range<usize>| self.term.as_ref().is_some_and(|term| term.has_entry_in(part(text, place)));
        let is_explained = explains(unit) || named_by.is_some_and(explains);
        named + if is_explained { self.weight(0..self.words.len()) } else { 0.0 }
    }

    /// Whether what an answer tells leaves out a date, an address or a number that was asked for, or the whole passage an identifier. `above` are the
    /// titles and headings among it.
    pub(crate) fn is_of_another(&self, told: &[&str], above: &[&str], passage: &str) -> bool {
        let has = |asked: &AskedDesignation| {
            let is_told = told.iter().any(|text| asked.of.stands_in(text, above));
            // A year of another sentence holds where nothing that is told has one.
            let may_be_beside = asked.of.is_identifier()
                || ((asked.of.is_year() || asked.of.is_month())
                    && !told.iter().any(|text| years(text).next().is_some()));
            is_told || (may_be_beside && asked.of.is_written_in(passage))
        };
        !self.designations.iter().all(has)
    }

    /// Whether something that was asked for as a whole stands in a text.
    pub(crate) fn has_designation_in(&self, text: &str) -> bool {
        self.designations.iter().any(|asked| asked.of.is_in(text))
    }

    /// The dates, addresses and numbers that were asked for and stand in none of these texts.
    pub(crate) fn lacking_designations(&self, texts: &[&str], above: &[&str]) -> impl Iterator<Item = &str> {
        let lacks = |asked: &&AskedDesignation| !texts.iter().any(|text| asked.of.stands_in(text, above));
        self.designations.iter().filter(lacks).map(|asked| asked.of.written.as_str())
    }

    /// The words with letters and figures that no more than a few units of a text have. `above` is what all of it is about.
    pub(super) fn telling_codes(&self, held: &[BTreeSet<usize>], above: &BTreeSet<usize>) -> BTreeSet<usize> {
        let is_code = |word: &str| word.contains(char::is_alphabetic) && word.contains(|c: char| c.is_ascii_digit());
        let codes = self.words.iter().enumerate().filter(|(at, asked)| is_code(&asked.word) && !above.contains(at));
        let is_rare =
            |at: &usize| held.iter().filter(|unit| unit.contains(at)).take(CODE_UNITS + 1).count() <= CODE_UNITS;
        codes.map(|(at, _)| at).filter(is_rare).collect()
    }

    /// Whether a word means something only as a piece of a designation.
    pub(super) fn is_piece(&self, at: usize) -> bool {
        self.designations.iter().any(|asked| asked.pieces.contains(&at))
    }
}

pub(super) fn designations(question: &str, words_asked: &[AskedWord]) -> Vec<AskedDesignation> {
    let all = [Designation::telling_apart(question), Designation::all(question)].concat();
    let rest = all.iter().fold(question.to_owned(), |rest, one| rest.replace(&one.written, " "));
    let beside: BTreeSet<String> = words(&rest).collect();
    let asked = all.into_iter().map(|of| {
        let is_piece = |asked: &AskedWord| {
            let word = asked.word.to_lowercase();
            of.has_piece(&word) && !beside.contains(&word)
        };
        let pieces = words_asked.iter().enumerate().filter(|(_, asked)| is_piece(asked)).map(|(at, _)| at).collect();
        AskedDesignation { of, pieces }
    });
    asked.collect()
}
