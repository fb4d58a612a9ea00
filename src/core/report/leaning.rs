//! Sentences that say something only with those before them: `It was closed then.`, `… can be used to address this.`
//!
//! What is cut off in front of them is what they speak of, and a reader would take the next name for it.

use std::collections::BTreeSet;
use std::ops::Range;

use super::answer::AskedQuestion;
use super::units::{Unit, adjoins, cut, is_code};
use crate::core::base::rows::is_listed;
use crate::core::language::words::words;

/// Words at the beginning of a sentence that stand for something named before it.
const BEGINNING: &str = "ces cela celle celui cette dabei dadurch dafür damit dazu dies diese dieser dieses elle elles \
     he her his ils it its she such their these they this those";
/// The same at its end.
const ENDING: &str = "it them these this those";
/// Sentences that are looked back at.
const MOST_BACK: usize = 3;

/// An answer that begins at the sentence that names what it speaks of, as far as all of it has no more than `most_words` words.
pub(super) fn with_named(
    asked: &AskedQuestion,
    text: &str,
    units: &[Unit],
    answer: Range<usize>,
    most_words: usize,
) -> Range<usize> {
    let Some(first) = units.iter().position(|unit| unit.place.start == answer.start) else { return answer };
    let fits = |start: usize| cut(text, &(start..answer.end)).split_whitespace().count() <= most_words;
    let mut start = answer.start;
    let mut leaning = first;
    for (at, before) in sentences_before(text, units, first) {
        let leans = units.get(leaning).is_some_and(|unit| leans(cut(text, &unit.place)));
        if !leans || !fits(before.place.start) {
            break;
        }
        (start, leaning) = (before.place.start, at);
    }
    if is_named_behind(asked, text, units, &answer) {
        let mut before = sentences_before(text, units, first);
        let named = before.find(|(_, unit)| begins_with_name(cut(text, &unit.place)));
        start =
            named.map_or(start, |(_, unit)| if fits(unit.place.start) { unit.place.start.min(start) } else { start });
    }
    start..answer.end
}

/// The name that was asked for, where the sentence that says most of the rest speaks of another one, named before it in its paragraph: of what
/// was blocked at Kelder Moss, nothing is told of Varn Bog, whose sentence comes next. `above` is what stands above all of the text.
pub(super) fn told_before_named<'a>(
    asked: &'a AskedQuestion,
    above: &[&str],
    text: &str,
    units: &[Unit],
) -> Option<&'a str> {
    let above: BTreeSet<usize> = above.iter().flat_map(|text| asked.held(text)).collect();
    let held: Vec<BTreeSet<usize>> = units.iter().map(|unit| asked.held(cut(text, &unit.place))).collect();
    let is_told_of_other = |name: &BTreeSet<usize>| {
        let rest = |at: usize| {
            let held = held.get(at).into_iter().flatten().filter(|word| !name.contains(word));
            asked.weight(held.copied())
        };
        let most = (0..units.len()).map(rest).fold(0.0, f32::max);
        let mut telling = (0..units.len()).filter(|at| most > 0.0 && rest(*at) >= most).peekable();
        let has_name = |at: usize| held.get(at).is_some_and(|held| name.is_subset(held));
        let is_of_other = |at: usize| {
            let own = units.get(at).map(|unit| cut(text, &unit.place)).unwrap_or_default();
            let is_subject = |(at, unit): &(usize, &Unit)| has_name(*at) || begins_with_name(cut(text, &unit.place));
            let subject = sentences_before(text, units, at).find(is_subject);
            let next = units.get(at).zip(units.get(at + 1));
            let is_next = next.is_some_and(|(unit, next)| adjoins(text, &unit.place, &next.place)) && has_name(at + 1);
            let is_unnamed = !has_name(at) && !begins_with_name(own);
            is_next && is_unnamed && subject.is_some_and(|(at, _)| !has_name(at))
        };
        telling.peek().is_some() && telling.all(is_of_other)
    };
    asked.full_names().find(|(_, name)| !name.is_subset(&above) && is_told_of_other(name)).map(|(name, _)| name)
}

/// The sentences of the same paragraph before a unit, the nearest first.
pub(super) fn sentences_before<'u>(
    text: &'u str,
    units: &'u [Unit],
    at: usize,
) -> impl Iterator<Item = (usize, &'u Unit)> {
    (1..=MOST_BACK).map_while(move |back| {
        let own = at.checked_sub(back - 1).and_then(|at| units.get(at))?;
        let before = at.checked_sub(back)?;
        let unit = units.get(before)?;
        let is_sentence = !(unit.is_row || unit.is_item || unit.is_cells || own.begins || is_code(text, &unit.place));
        (is_sentence && adjoins(text, &unit.place, &own.place)).then_some((before, unit))
    })
}

/// Whether an answer has a name that was asked for, but not in its first sentence.
fn is_named_behind(asked: &AskedQuestion, text: &str, units: &[Unit], answer: &Range<usize>) -> bool {
    let mut inside = units.iter().filter(|unit| unit.is_in(answer));
    let first = inside.next().map(|unit| asked.held(cut(text, &unit.place))).unwrap_or_default();
    let others: Vec<BTreeSet<usize>> = inside.map(|unit| asked.held(cut(text, &unit.place))).collect();
    let is_behind = |name: &BTreeSet<usize>| !name.is_subset(&first) && others.iter().any(|held| name.is_subset(held));
    asked.full_names().any(|(_, name)| is_behind(name))
}

/// Whether a sentence speaks of something that it does not name.
pub(super) fn leans(sentence: &str) -> bool {
    let mut said = words(sentence);
    let Some(first) = said.next() else { return false };
    let last = said.last().unwrap_or_default();
    is_listed(BEGINNING, &first) || is_listed(ENDING, &last)
}

/// Whether a sentence begins with a name of two words: `Kelder Moss covers 212 hectares.`
fn begins_with_name(sentence: &str) -> bool {
    let mut said = sentence.split_whitespace();
    let is_name =
        |word: &str| word.starts_with(char::is_uppercase) && word.chars().nth(1).is_some_and(char::is_lowercase);
    said.next().is_some_and(is_name) && said.next().is_some_and(is_name)
}

#[cfg(test)]
#[path = "leaning_tests.rs"]
mod tests;
