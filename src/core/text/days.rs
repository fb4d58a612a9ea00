//! Days of a text, however they are written: `2026-10-20`, `20.10.2026`, `am 20.10.`, `20 October 2026`, `October 20th`.

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

    /// The day of any year, as it stands in an index: no word is written so.
    pub(crate) fn term(self) -> String {
        format!("#{:02}-{:02}", self.month, self.day)
    }
}

/// No way to write a day has more before or behind its figures: ` of September, `.
const BESIDE_BYTES: usize = 24;

/// The days of a text with their places, in their order.
pub(crate) fn days(text: &str) -> Vec<(Range<usize>, Day)> {
    let mut days: Vec<(Range<usize>, Day)> = Vec::new();
    for place in near_figures(text) {
        let Some(part) = text.get(place.clone()) else { continue };
        let words: Vec<Word<'_>> = runs(part).filter_map(|place| Some((place.clone(), part.get(place)?))).collect();
        for at in 0..words.len() {
            let rest = words.get(at..).unwrap_or_default();
            let before = at.checked_sub(1).and_then(|before| words.get(before)).map(|(_, word)| *word);
            let found =
                in_figures(part, rest).or_else(|| in_words(part, rest)).or_else(|| cut_short(part, before, rest));
            let Some((own, day)) = found else { continue };
            let own = place.start + own.start..place.start + own.end;
            if days.last().is_none_or(|(last, _)| last.end <= own.start) {
                days.push((own, day));
            }
        }
    }
    days
}

/// The parts of a text in which a day may stand, of whole words. Most of a text has no figures.
fn near_figures(text: &str) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit()) {
        let part = at.saturating_sub(BESIDE_BYTES)..(at + 1 + BESIDE_BYTES).min(text.len());
        match parts.last_mut() {
            Some(last) if part.start <= last.end => last.end = part.end,
            _ => parts.push(part),
        }
    }
    parts.into_iter().filter_map(|part| of_whole_words(text, part)).collect()
}

/// A part without the words that go on beyond it.
fn of_whole_words(text: &str, part: Range<usize>) -> Option<Range<usize>> {
    let start = (part.start..part.end).find(|at| text.is_char_boundary(*at))?;
    let end = (start..=part.end).rev().find(|at| text.is_char_boundary(*at))?;
    let is_sign = |c: char| !c.is_alphanumeric();
    let goes_on = |side: Option<char>| side.is_some_and(char::is_alphanumeric);
    let inner = text.get(start..end)?;
    let first = if goes_on(text.get(..start)?.chars().next_back()) { inner.find(is_sign)? } else { 0 };
    let last = if goes_on(text.get(end..)?.chars().next()) { inner.rfind(is_sign)? } else { inner.len() };
    (first < last).then_some(start + first..start + last)
}

/// A word and where it stands.
type Word<'t> = (Range<usize>, &'t str);

/// `2026-10-20`, `20.10.2026`, `20.10.26`, and with strokes where the figures tell which is the day: `10/20/2026`.
fn in_figures(text: &str, words: &[Word<'_>]) -> Option<(Range<usize>, Day)> {
    let [(first, one), (second, two), (third, three), ..] = words else { return None };
    let gaps = (text.get(first.end..second.start)?, text.get(second.end..third.start)?);
    let is_short = [one, two, three].iter().all(|figures| figures.len() == 2);
    let (day, month, year) = match gaps {
        ("-" | "/" | ".", "-" | "/" | ".") if one.len() == 4 => (day_of(three)?, two, year_of(one)?),
        (".", ".") if is_short => (day_of(one)?, two, 2000 + three.parse::<u16>().ok()?),
        (".", ".") | (". ", "." | ". ") => (day_of(one)?, two, year_of(three)?),
        ("/", "/") => {
            let (day, month) = if month_of(one).is_some() { (two, one) } else { (one, two) };
            // Nobody knows which is which.
            if month_of(day).is_some() {
                return None;
            }
            (day_of(day)?, month, year_of(three)?)
        }
        _ => return None,
    };
    Some((first.start..third.end, Day { day, month: month_of(month)?, year: Some(year) }))
}

/// `am 20.10.`: the number of a section looks the same, but for the word before it.
fn cut_short(text: &str, before: Option<&str>, words: &[Word<'_>]) -> Option<(Range<usize>, Day)> {
    const BEFORE_DAYS: [&str; 9] = ["ab", "am", "bis", "dem", "den", "der", "seit", "vom", "zum"];
    let before = before?.to_lowercase();
    let [(first, one), (second, two), ..] = words else { return None };
    let is_day = BEFORE_DAYS.contains(&before.as_str())
        && matches!(text.get(first.end..second.start)?, "." | ". ")
        && text.get(second.end..)?.starts_with('.');
    let day = Day { day: day_of(one)?, month: month_of(two)?, year: None };
    is_day.then_some((first.start..second.end, day))
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

fn month_of(word: &str) -> Option<u8> {
    word.parse().ok().filter(|month| (1..=12).contains(month) && word.len() <= 2)
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
            "20. Okt. 2026",
            "10/20/2026",
            "20/10/2026",
            "20.10.26",
            "am 20.10. im Saal",
        ] {
            let found = days(text);
            assert!(matches!(found.as_slice(), [(_, day)] if day.is(asked)), "{text}: {found:?}");
        }
        for text in [
            "2026-10-21",
            "20.11.2026",
            "20 October 2025",
            "10/10/2026",
            "dated 20.10.",
            "am 20.10",
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

    /// Days are looked for near figures only, in whole words; what stands before and behind does not matter.
    #[test]
    fn days_are_found_wherever_they_stand() {
        let long = " and so on, äöü. ".repeat(20);
        for text in [
            format!("{long}20 October 2026{long}3 November{long}"),
            format!("{long}20 de octubre de 2026\n{long}\n3rd of November, {long}"),
            format!("2026-10-20{}2026-11-03", "€".repeat(100)),
        ] {
            let found: Vec<String> = days(&text).into_iter().map(|(_, day)| day.term()).collect();
            assert_eq!(found, ["#10-20", "#11-03"], "{text}");
        }
        for text in [format!("{}may 3", "x".repeat(40)), format!("3 may{}", "x".repeat(40)), "ü".repeat(50) + "7"] {
            assert_eq!(days(&text), [], "{text}");
        }
    }
}
