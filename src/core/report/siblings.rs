//! Answers that are told of another one of its kind: what is said of S-06 is not said of S-04, though both stand in the quote.

use std::collections::BTreeSet;
use std::ops::Range;

use super::answer::AskedQuestion;
use super::leaning::{leans, sentences_before};
use super::units::{Unit, cut, units, with_names};
use crate::core::language::fold::folded;
use crate::core::language::spelling::is_common;
use crate::core::language::weekdays::Weekday;
use crate::core::language::words::informative;
use crate::core::question::periods::Period;

/// The designation that was asked for, where the sentence of a quote that says most of the rest speaks of another one of its kind.
pub(super) fn told_of_another<'a>(
    asked: &'a AskedQuestion,
    above: &[&str],
    text: &str,
    quote: &Range<usize>,
) -> Option<&'a str> {
    let inside = units(text).into_iter().filter(|unit| unit.is_in(quote));
    let units: Vec<Range<usize>> = inside.map(|unit| unit.place).collect();
    asked.designated().find_map(|(designation, pieces)| {
        let rest = |unit: &Range<usize>| {
            asked.weight(asked.held(cut(text, unit)).into_iter().filter(|word| !pieces.contains(word)))
        };
        let most = units.iter().map(rest).fold(0.0, f32::max);
        let mut telling = units.iter().filter(|unit| most > 0.0 && rest(unit) >= most).peekable();
        let is_of_another = |unit: &Range<usize>| {
            let said = cut(text, unit);
            !designation.is_in(said) && designation.is_of_another(said, line_of(text, unit.start), above)
        };
        let is_told = telling.peek().is_none() || !telling.all(is_of_another);
        (!is_told).then_some(designation.written.as_str())
    })
}

/// The month, day of the week or year that was asked for, where a stretch in which it lies is told in a quote, and in no sentence that has the rest of
/// what the quote has of the question: the bath that is open from May to September is another one.
pub(super) fn in_stretch_of_another<'a>(
    asked: &'a AskedQuestion,
    above: &[&str],
    text: &str,
    quote: &Range<usize>,
) -> Option<&'a str> {
    let quoted = QuotedUnits::of(text, quote);
    // A name may be said once for several sentences.
    let names: BTreeSet<usize> = asked.full_names().flat_map(|(_, words)| words.iter().copied()).collect();
    let above_held: BTreeSet<usize> = above.iter().flat_map(|title| asked.held(title)).collect();
    let told = quoted.held(asked);
    let is_told = |numbers: &[usize], period: &Period| {
        let is_rest = |word: &&usize| !numbers.contains(*word) && !names.contains(*word) && asked.weighs(**word);
        let rest: Vec<&usize> = told.difference(&above_held).filter(is_rest).collect();
        let has_all = |said: &str| {
            let held = asked.held(said);
            let is_told = period.is_told_by(said) && rest.iter().all(|word| held.contains(*word));
            is_told && !in_clause_of_another(asked, &rest, period, said)
        };
        above.iter().any(|title| period.is_told_by(title))
            || quoted.inside.iter().any(|at| has_all(&quoted.with_what_it_speaks_of(*at)))
    };
    let stretched = asked.stretched(cut(text, quote));
    let (numbers, _) = stretched.into_iter().find(|(numbers, period)| !is_told(numbers, period))?;
    numbers.iter().find_map(|at| asked.word(*at))
}

/// What was asked for beside a German verb, where the sentence that has it in two says it of something else: who handed in a key (`gab den Schlüssel ab`)
/// has handed in no beds, of which another sentence speaks.
pub(super) fn done_to_another<'a>(
    asked: &'a AskedQuestion,
    above: &[&str],
    text: &str,
    quote: &Range<usize>,
) -> Option<&'a str> {
    let quoted = QuotedUnits::of(text, quote);
    let above: BTreeSet<usize> = above.iter().flat_map(|title| asked.held(title)).collect();
    let told = quoted.held(asked);
    asked.separable().find_map(|(number, verb)| {
        let is_verb = |at: &usize| *at == number || asked.word(*at).is_some_and(|word| folded(word) == verb.part());
        let rest: Vec<usize> =
            told.difference(&above).copied().filter(|at| !is_verb(at) && asked.weighs(*at)).collect();
        let mut tells = quoted.inside.iter().filter(|at| verb.is_in(quoted.said(**at))).peekable();
        let is_of_another = |at: &usize| {
            let held = asked.held(&quoted.with_what_it_speaks_of(*at));
            verb.is_done_to_something(quoted.said(*at)) && !rest.iter().any(|word| held.contains(word))
        };
        let is_told = tells.peek().is_none() || !tells.all(is_of_another);
        rest.first().filter(|_| !is_told).and_then(|at| asked.word(*at))
    })
}

/// A thing has more letters.
const SHORTEST: usize = 2;

/// Whether one clause of a sentence tells the period and another one, which has its own days, has the thing that was asked for: `The pool is open daily,
/// the sauna from Mon to Fri`.
fn in_clause_of_another(asked: &AskedQuestion, rest: &[&usize], period: &Period, said: &str) -> bool {
    let clauses: Vec<&str> = said.split([',', ';']).collect();
    let (telling, others): (Vec<&str>, Vec<&str>) = clauses.into_iter().partition(|clause| period.is_told_by(clause));
    let held: BTreeSet<usize> = telling.iter().flat_map(|clause| asked.held(clause)).collect();
    let is_of_own = |clause: &&str| {
        let own = asked.held(clause);
        rest.iter().any(|word| own.contains(*word) && !held.contains(*word))
    };
    // `Open Mon–Fri from 9 to 5, Sat from 10` is told of one thing.
    let is_thing = |word: &String| {
        let is_word = word.chars().count() > SHORTEST && word.chars().all(char::is_alphabetic) && word != "uhr";
        is_word && Weekday::named(word).is_none() && Weekday::all_of(word).is_empty()
    };
    let names_another =
        |clause: &&str| informative(clause).iter().any(|word| is_thing(word) && asked.held(word).is_empty());
    matches!(period, Period::Days(_))
        && telling.iter().any(names_another)
        && others.iter().any(|clause| is_of_own(clause) && Weekday::is_any_in(clause))
}

/// The units of a text, and which of them a quote has.
struct QuotedUnits<'t> {
    text: &'t str,
    all: Vec<Unit>,
    inside: Vec<usize>,
}

impl<'t> QuotedUnits<'t> {
    fn of(text: &'t str, quote: &Range<usize>) -> Self {
        let all = units(text);
        let inside = (0..all.len()).filter(|at| all.get(*at).is_some_and(|unit| unit.is_in(quote))).collect();
        Self { text, all, inside }
    }

    fn said(&self, at: usize) -> &'t str {
        self.all.get(at).map(|unit| cut(self.text, &unit.place)).unwrap_or_default()
    }

    /// The words of the question that the quote has.
    fn held(&self, asked: &AskedQuestion) -> BTreeSet<usize> {
        self.inside.iter().flat_map(|at| asked.held(self.said(*at))).collect()
    }

    /// A unit with what names it, and with the sentence before where it goes on with that: `It is open from May to September.`
    fn with_what_it_speaks_of(&self, at: usize) -> String {
        let names = self.all.get(at).into_iter().flat_map(|unit| with_names(&self.all, unit));
        let before = sentences_before(self.text, &self.all, at).take(usize::from(leans(self.said(at))));
        let names = names.chain(before.map(|(_, unit)| unit)).map(|unit| cut(self.text, &unit.place));
        names.collect::<Vec<_>>().join("\n")
    }
}

/// The line that a place stands in.
fn line_of(text: &str, at: usize) -> &str {
    let start = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default()
}

/// The name that was asked for, where a passage is the entry of another one that only mentions it: what is told of Edwin Harlan, who married Agnes
/// Thorne, is not told of her. `heading` is the one right above the text.
pub(super) fn entry_of_another<'a>(asked: &'a AskedQuestion, heading: Option<&str>, text: &str) -> Option<&'a str> {
    let heading = heading.filter(|heading| is_somebody(heading))?;
    let above = asked.held(heading);
    let units: Vec<BTreeSet<usize>> = units(text).iter().map(|unit| asked.held(cut(text, &unit.place))).collect();
    let is_entry_of_another = |words: &BTreeSet<usize>| {
        let is_rest = |at: &&usize| !words.contains(at) && asked.weighs(**at);
        let rest: Vec<&BTreeSet<usize>> = units.iter().filter(|unit| unit.iter().any(|at| is_rest(&at))).collect();
        let is_told = |unit: &&BTreeSet<usize>| words.first().is_some_and(|first| unit.contains(first));
        !rest.is_empty() && !rest.iter().any(is_told)
    };
    if asked.full_names().any(|(_, words)| words.is_subset(&above)) {
        return None;
    }
    asked.full_names().find(|(_, words)| is_entry_of_another(words)).map(|(name, _)| name)
}

/// Whether a heading is the name of a person, a place or a work: `Edwin Harlan`, not `Getting Started`.
fn is_somebody(heading: &str) -> bool {
    let name = heading.split(['(', ',']).next().unwrap_or_default();
    let mut said = name.split_whitespace();
    let is_name = |word: &str| {
        word.starts_with(char::is_uppercase) && word.chars().all(|c| c.is_alphabetic() || "'’-.".contains(c))
    };
    let is_long = name.split_whitespace().nth(1).is_some();
    is_long && said.clone().all(is_name) && said.any(|word| !is_common(&word.to_lowercase()))
}

#[cfg(test)]
#[path = "siblings_tests.rs"]
mod tests;
