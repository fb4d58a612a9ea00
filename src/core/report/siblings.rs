//! Answers that are told of another one of its kind: what is said of S-06 is not said of S-04, though both stand in the quote.

use std::collections::BTreeSet;
use std::ops::Range;

use super::answer::AskedQuestion;
use super::leaning::{leans, sentences_before};
use super::units::{Unit, cut, units, with_names};
use crate::core::language::spelling::is_common;
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
    let all = units(text);
    let inside: Vec<usize> = (0..all.len()).filter(|at| all.get(*at).is_some_and(|unit| unit.is_in(quote))).collect();
    let said = |at: usize| all.get(at).map(|unit| cut(text, &unit.place)).unwrap_or_default();
    // A name may be said once for several sentences.
    let names: BTreeSet<usize> = asked.full_names().flat_map(|(_, words)| words.iter().copied()).collect();
    let above_held: BTreeSet<usize> = above.iter().flat_map(|title| asked.held(title)).collect();
    let told: BTreeSet<usize> = inside.iter().flat_map(|at| asked.held(said(*at))).collect();
    let is_told = |numbers: &[usize], period: &Period| {
        let is_rest = |word: &&usize| !numbers.contains(*word) && !names.contains(*word) && asked.weighs(**word);
        let rest: Vec<&usize> = told.difference(&above_held).filter(is_rest).collect();
        let has_all = |said: &str| {
            let held = asked.held(said);
            period.is_told_by(said) && rest.iter().all(|word| held.contains(*word))
        };
        above.iter().any(|title| period.is_told_by(title))
            || inside.iter().any(|at| has_all(&with_what_it_speaks_of(text, &all, *at)))
    };
    let stretched = asked.stretched(cut(text, quote));
    let (numbers, _) = stretched.into_iter().find(|(numbers, period)| !is_told(numbers, period))?;
    numbers.iter().find_map(|at| asked.word(*at))
}

/// A unit of a text with what names it, and with the sentence before where it goes on with that: `It is open from May to September.`
fn with_what_it_speaks_of(text: &str, units: &[Unit], at: usize) -> String {
    let names = units.get(at).into_iter().flat_map(|unit| with_names(units, unit));
    let leans = units.get(at).is_some_and(|unit| leans(cut(text, &unit.place)));
    let before = sentences_before(text, units, at).take(usize::from(leans)).map(|(_, unit)| unit);
    names.chain(before).map(|unit| cut(text, &unit.place)).collect::<Vec<_>>().join("\n")
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
