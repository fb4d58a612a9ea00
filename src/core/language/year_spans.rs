//! Stretches of years in a text: `2019–2022`, `from 2019 to March 2022`, `seit 2019`, `jusqu'en 2022`. A year lies in one though nobody has written it there.

use std::ops::Range;

use crate::core::base::rows::is_listed;
use crate::core::language::days::{year_said, years};
use crate::core::language::fold::folded;
use crate::core::language::months;
use crate::core::language::ranges::{AND, BETWEEN, TO, is_dash};
use crate::core::language::words::runs;

/// Years from the first to the last, of which one may be open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct YearSpan {
    first: Option<u16>,
    last: Option<u16>,
}

/// Words before a year from which on, up to which, before which and after which something is so.
const SINCE: &str = "ab depuis desde seit since";
const UNTIL: &str = "bis jusqu jusque till until";
const BEFORE: &str = "avant before vor";
const AFTER: &str = "after apres nach";
/// Words behind an open year: `from 2019 on`; and such that stand for today behind a dash.
const ONWARDS: &str = "an on onward onwards";
const FROM: &str = "from partir von";
const TODAY: &str = "aujourd heute now present today";
/// What stands between such a word and its year, beside months and days: `until the end of 2022`.
const PARTS: &str = "anfang da de debut dem der des du early en end ende fin in jahr jahre jahres l la late le mid mitte of the year zum";
/// So many words may stand between two that belong together.
const APART: usize = 6;

impl YearSpan {
    pub(crate) fn holds(self, year: u16) -> bool {
        self.first.is_none_or(|first| first <= year) && self.last.is_none_or(|last| year <= last)
    }

    /// How well it fits a year that it holds, 0..1: what is open says less than what ends, and says least of years far from where it begins.
    fn nearness(self, year: u16) -> f32 {
        const FAR: u16 = 40;
        let far = |from: u16| f32::from(from.abs_diff(year).min(FAR)) / 100.0;
        match (self.first, self.last) {
            (Some(_), Some(_)) => 0.9,
            (Some(end), None) | (None, Some(end)) => 0.8 - far(end),
            (None, None) => 0.0,
        }
    }
}

/// A word in small letters without accents, where it stands, and the year that it is.
struct Word {
    place: Range<usize>,
    said: String,
    year: Option<u16>,
}

/// The stretches of a text with their places, in their order.
pub(crate) fn year_spans(text: &str) -> Vec<(Range<usize>, YearSpan)> {
    if !runs(text).any(|place| text.get(place).and_then(year_said).is_some()) {
        return Vec::new();
    }
    let words = runs(text).filter_map(|place| {
        let said = text.get(place.clone())?;
        Some(Word { year: year_said(said).filter(|_| is_apart(text, &place)), said: folded(said), place })
    });
    let words: Vec<Word> = words.collect();
    let mut spans = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let found = word.year.and_then(|year| closed(text, &words, at, year).or_else(|| open(text, &words, at, year)));
        at = found.as_ref().map_or(at, |(last, ..)| *last) + 1;
        spans.extend(found.map(|(_, place, span)| (place, span)));
    }
    spans
}

/// Where the stretches stand in which a year lies.
pub(crate) fn places_of_year(text: &str, year: &str) -> Vec<Range<usize>> {
    let Ok(year) = year.parse() else { return Vec::new() };
    year_spans(text).into_iter().filter(|(_, span)| span.holds(year)).map(|(place, _)| place).collect()
}

/// How well a text fits a year, 0..1: most where it is written, then in stretches by how near they are.
pub(crate) fn nearness(text: &str, year: u16) -> f32 {
    if years(text).any(|said| said == year) {
        return 1.0;
    }
    let held = year_spans(text).into_iter().filter(|(_, span)| span.holds(year));
    held.map(|(_, span)| span.nearness(year)).fold(0.0, f32::max)
}

/// Whether a year is no part of a name or a larger number: `INV-2019`, `2.019`.
fn is_apart(text: &str, place: &Range<usize>) -> bool {
    let before = text.get(..place.start).unwrap_or_default();
    let joined = before.strip_suffix('-').is_some_and(|before| before.ends_with(char::is_alphabetic));
    !joined && !before.ends_with(['_', ',', '$', '€', '£', '#'])
}

/// What stands between the word at a place and the next one.
fn gap<'t>(text: &'t str, words: &[Word], at: usize) -> &'t str {
    let between =
        words.get(at).zip(words.get(at + 1)).and_then(|(one, next)| text.get(one.place.end..next.place.start));
    between.unwrap_or_default()
}

/// Whether a word is a month, the day of one, or what says which part of a year is meant.
fn is_of_date(word: &Word) -> bool {
    let digits = word.said.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let is_number = !digits.is_empty() && digits.len() <= 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && word.year.is_none()) || months::named(&word.said).is_some() || is_listed(PARTS, &word.said)
}

/// The stretch from this year to one that follows, with the word that it ends with.
fn closed(text: &str, words: &[Word], at: usize, first: u16) -> Option<(usize, Range<usize>, YearSpan)> {
    let start = words.get(at)?.place.start;
    let is_between = || before(words, at).any(|word| is_listed(BETWEEN, &word.said));
    let joins = |word: &Word| is_listed(TO, &word.said) || (is_listed(AND, &word.said) && is_between());
    let mut is_joined = false;
    for next in at + 1..=at + 1 + APART {
        let word = words.get(next)?;
        let gap = gap(text, words, next - 1);
        // Between two plain years a hyphen is enough; in a date it joins the figures.
        let is_plain = next == at + 1 && word.year.is_some();
        is_joined |= is_dash(gap) && (gap != "-" || is_plain);
        if let Some(last) = word.year {
            let span = YearSpan { first: Some(first), last: Some(last) };
            return (is_joined && first <= last).then_some((next, start..word.place.end, span));
        }
        if let Some(last) = short_year(first, &word.said, gap).filter(|_| next == at + 1) {
            let span = YearSpan { first: Some(first), last: Some(last) };
            return Some((next, start..word.place.end, span));
        }
        if is_joined && is_listed(TODAY, &word.said) {
            return Some((next, start..word.place.end, YearSpan { first: Some(first), last: None }));
        }
        match joins(word) {
            true => is_joined = true,
            false if is_of_date(word) && !gap.contains('\n') => {}
            false => return None,
        }
    }
    None
}

/// The last year of `2019–22` and of the season `2019/20`. `2019-12` is a month.
fn short_year(first: u16, digits: &str, gap: &str) -> Option<u16> {
    let short = digits.parse::<u16>().ok().filter(|_| digits.len() == 2)?;
    let last = first - first % 100 + short;
    let is_season = gap == "/" && last == first + 1;
    (is_season || (matches!(gap, "–" | "—") && first < last)).then_some(last)
}

/// The words before one, nearest first, over those of a date.
fn before(words: &[Word], at: usize) -> impl Iterator<Item = &Word> {
    let behind = words.iter().take(at).rev();
    let dates = behind.clone().take(APART).take_while(|word| is_of_date(word)).count();
    // A word of a date may be the one that counts: in `à partir de 2019` only the second is.
    behind.take(dates + 1)
}

/// The stretch that only begins or ends with this year.
fn open(text: &str, words: &[Word], at: usize, year: u16) -> Option<(usize, Range<usize>, YearSpan)> {
    let word = words.get(at)?;
    let (from, to) =
        (|first| YearSpan { first: Some(first), last: None }, |last| YearSpan { first: None, last: Some(last) });
    let spoken = before(words, at).find_map(|sign| {
        let is = |row: &str| is_listed(row, &sign.said);
        let span = match () {
            () if is(SINCE) || sign.said == "partir" => from(year),
            () if is(UNTIL) => to(year),
            () if is(BEFORE) => to(year - 1),
            () if is(AFTER) => from(year + 1),
            () => return None,
        };
        Some((at, sign.place.start..word.place.end, span))
    });
    let rest = text.get(word.place.end..).unwrap_or_default();
    let next = || words.get(at + 1).filter(|_| gap(text, words, at) == " ");
    let is_onwards = || {
        next().is_some_and(|next| is_listed(ONWARDS, &next.said))
            && before(words, at).any(|sign| is_listed(FROM, &sign.said))
    };
    let is_cut = || {
        let behind =
            rest.trim_start_matches(' ').strip_prefix(['–', '—', '-']).map(|rest| rest.trim_start_matches(' '));
        behind.is_some_and(|rest| rest.is_empty() || rest.starts_with(['|', ':', '\n', ')']))
    };
    spoken.or_else(|| (is_onwards() || is_cut()).then(|| (at, word.place.clone(), from(year))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-02: a year lies in the stretches of years that a text names.
    #[test]
    fn lb_02_stretches_of_years_are_read() {
        for (text, first, last) in [
            ("2019–2022: 8 €", Some(2019), Some(2022)),
            ("| 2019-2022 | 8 € |", Some(2019), Some(2022)),
            ("from 2019 to 2022", Some(2019), Some(2022)),
            ("from May 2019 until the end of March 2022", Some(2019), Some(2022)),
            ("von Februar 2019 bis März 2022", Some(2019), Some(2022)),
            ("de février 2019 à août 2022", Some(2019), Some(2022)),
            ("between 2019 and 2022", Some(2019), Some(2022)),
            ("vom 1. Januar 2019 bis 31. Dezember 2022", Some(2019), Some(2022)),
            ("01.01.2019 – 31.12.2022", Some(2019), Some(2022)),
            ("2019-05-01 – 2022-03-31", Some(2019), Some(2022)),
            ("zwischen 2019 und 2022", Some(2019), Some(2022)),
            ("de 2019 à 2022", Some(2019), Some(2022)),
            ("de mars 2019 jusqu'en mai 2022", Some(2019), Some(2022)),
            ("2019–22", Some(2019), Some(2022)),
            ("season 2019/20", Some(2019), Some(2020)),
            ("since 2019", Some(2019), None),
            ("seit dem 1. Mai 2019", Some(2019), None),
            ("depuis mai 2019", Some(2019), None),
            ("à partir de 2019", Some(2019), None),
            ("from 2019 on", Some(2019), None),
            ("2019–today", Some(2019), None),
            ("| 2019– | 8 € |", Some(2019), None),
            ("until 2022", None, Some(2022)),
            ("bis Ende 2022", None, Some(2022)),
            ("jusqu'en 2022", None, Some(2022)),
            ("before 2022", None, Some(2021)),
            ("nach 2022", Some(2023), None),
        ] {
            let spans: Vec<YearSpan> = year_spans(text).into_iter().map(|(_, span)| span).collect();
            assert_eq!(spans, [YearSpan { first, last }], "{text}");
        }
        for text in [
            "in 2019 and in 2022",
            "2019, 2022",
            "2019-05-01",
            "2019-12",
            "a photo from 2019",
            "INV-2019-2022",
            "2022–2019",
            "In 2019 it went to 2,022 people",
            "2019 came to be a good year. 2022 too.",
            "| 2019 | 2022 |",
            "",
        ] {
            assert_eq!(year_spans(text), [], "{text}");
        }
        let (since, until) = (year_spans("since 2019")[0].1, year_spans("2019–2022")[0].1);
        assert!(since.holds(2030) && !since.holds(2018) && until.holds(2019) && !until.holds(2023));
        assert!(until.nearness(2020) > since.nearness(2020) && since.nearness(2020) > since.nearness(2030));
    }
}
