//! Days of a text, however they are written: `2026-10-20`, `20.10.2026`, `20 October 2026`, `October 20th`.

use std::ops::Range;

use super::months;
use super::words::runs;

/// A day of a month, and of a year where one is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Day {
    day: u8,
    month: u8,
    year: Option<u16>,
}

impl Day {
    /// Whether both may be the same day.
    pub(crate) fn is(self, other: Self) -> bool {
        let same_year = self.year.is_none() || other.year.is_none() || self.year == other.year;
        (self.day, self.month) == (other.day, other.month) && same_year
    }
}

/// The days of a text with their places, in their order.
pub(crate) fn days(text: &str) -> Vec<(Range<usize>, Day)> {
    let words: Vec<Word<'_>> = runs(text).filter_map(|place| Some((place.clone(), text.get(place)?))).collect();
    let mut days: Vec<(Range<usize>, Day)> = Vec::new();
    for at in 0..words.len() {
        let rest = words.get(at..).unwrap_or_default();
        let is_free = |place: &Range<usize>| days.last().is_none_or(|(last, _)| last.end <= place.start);
        days.extend(in_figures(text, rest).or_else(|| in_words(text, rest)).filter(|(place, _)| is_free(place)));
    }
    days
}

/// A word and where it stands.
type Word<'t> = (Range<usize>, &'t str);

/// `2026-10-20` and `20.10.2026`. Of days and months with strokes nobody knows which is which.
fn in_figures(text: &str, words: &[Word<'_>]) -> Option<(Range<usize>, Day)> {
    let [(first, one), (second, two), (third, three), ..] = words else { return None };
    let gaps = (text.get(first.end..second.start)?, text.get(second.end..third.start)?);
    let (day, month, year) = match gaps {
        ("-" | "/" | ".", "-" | "/" | ".") if one.len() == 4 => (three, two, one),
        (".", ".") | (". ", "." | ". ") => (one, two, three),
        _ => return None,
    };
    let day = Day {
        day: day_of(day)?,
        month: month.parse().ok().filter(|month| (1..=12).contains(month))?,
        year: Some(year_of(year)?),
    };
    Some((first.start..third.end, day))
}

/// `20 October 2026`, `20. Oktober`, `20th of October, 2026`, `October 20, 2026`, `20 de octubre de 2026`.
fn in_words(text: &str, words: &[Word<'_>]) -> Option<(Range<usize>, Day)> {
    let (first, one) = words.first()?;
    let near = |at: usize| {
        let (before, place) = (words.get(at.checked_sub(1)?)?, words.get(at)?);
        let gap = text.get(before.0.end..place.0.start)?;
        matches!(gap, " " | ". " | ", " | "." | "\n").then_some(place.1)
    };
    let is_of = |at: usize| near(at).is_some_and(|word| matches!(word, "of" | "de"));
    let (day, month, last) = match months::english(one) {
        Some(month) => (day_of(near(1)?)?, month, 1),
        None => {
            let at = if is_of(1) { 2 } else { 1 };
            let name = near(at)?;
            (day_of(one)?, months::english(name).or_else(|| months::foreign(name))?, at)
        }
    };
    let next = last + if is_of(last + 1) { 2 } else { 1 };
    let year = near(next).and_then(year_of);
    let end = words.get(if year.is_some() { next } else { last })?.0.end;
    Some((first.start..end, Day { day, month, year }))
}

/// `3`, `03`, `3rd`.
fn day_of(word: &str) -> Option<u8> {
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word);
    digits.parse().ok().filter(|day| (1..=31).contains(day) && digits.len() <= 2)
}

fn year_of(word: &str) -> Option<u16> {
    word.parse().ok().filter(|year| (1000..=2999).contains(year))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-02: a day is the same in all of its ways of writing.
    #[test]
    fn lb_02_days_are_known() {
        let asked = Day { day: 20, month: 10, year: Some(2026) };
        for text in [
            "2026-10-20",
            "2026/10/20.md",
            "20.10.2026",
            "20. 10. 2026",
            "20 October 2026",
            "October 20, 2026",
            "Oct 20th, 2026",
            "the 20th of October, 2026",
            "20. Oktober 2026",
            "20 de octubre de 2026",
            "on 20 October",
            "20 octobre 2026",
        ] {
            let found = days(text);
            assert!(matches!(found.as_slice(), [(_, day)] if day.is(asked)), "{text}: {found:?}");
        }
        for text in [
            "2026-10-21",
            "20.11.2026",
            "20 October 2025",
            "10/20/2026",
            "October 2026",
            "20 may",
            "version 20.10.20",
            "2026-13-20",
            "20",
            "",
            "32 October 2026",
        ] {
            assert!(!days(text).iter().any(|(_, day)| day.is(asked)), "{text}");
        }
        let text = "moved from 20 October to 3 November 2026.";
        let places: Vec<&str> = days(text).into_iter().filter_map(|(place, _)| text.get(place)).collect();
        assert_eq!(places, ["20 October", "3 November 2026"]);
    }
}
