//! Answers that are told of another one of its kind: what is said of S-06 is not said of S-04, though both stand in the quote.

use std::ops::Range;

use super::answer::AskedQuestion;
use super::units::{cut, units};

/// The designation that was asked for, where the sentence of a quote that says most of the rest speaks of another one of its kind.
pub(super) fn told_of_another<'a>(asked: &'a AskedQuestion, text: &str, quote: &Range<usize>) -> Option<&'a str> {
    let is_inside = |place: &Range<usize>| quote.start <= place.start && place.start < quote.end;
    let units: Vec<&str> =
        units(text).iter().filter(|unit| is_inside(&unit.place)).map(|unit| cut(text, &unit.place)).collect();
    asked.designated().find_map(|(designation, pieces)| {
        let rest = |unit: &str| asked.weight(asked.held(unit).into_iter().filter(|word| !pieces.contains(word)));
        let most = units.iter().map(|unit| rest(unit)).fold(0.0, f32::max);
        let mut telling = units.iter().filter(|unit| most > 0.0 && rest(unit) >= most).peekable();
        let is_told =
            telling.peek().is_none() || telling.any(|unit| designation.is_in(unit) || !designation.has_like_in(unit));
        (!is_told).then_some(designation.written.as_str())
    })
}

#[cfg(test)]
#[path = "siblings_tests.rs"]
mod tests;
