//! Dates of a text in the usual ways of writing them.

use super::figures::{Figure, Form, cut};
use super::tokens::{Token, hash};
use crate::core::language::months;

/// A month with a day or a year, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Date {
    pub(crate) day: Option<u8>,
    pub(crate) month: u8,
    pub(crate) year: Option<u16>,
    /// Its first and last token.
    pub(crate) first: u32,
    pub(crate) last: u32,
}

impl Date {
    /// Whether a page that has `other` bears this one out: what this one says, the other says too. A year may be left to the page.
    pub(crate) fn borne_out_by(&self, other: &Self) -> bool {
        let day = self.day.is_none() || self.day == other.day;
        let year = self.year.is_none() || other.year.is_none() || self.year == other.year;
        self.month == other.month && day && year
    }
}

/// The dates of a text, in their order.
pub(crate) fn dates(text: &str, tokens: &[Token]) -> Vec<Date> {
    let mut found: Vec<Date> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let word = cut(text, token);
        if token.digit {
            found.extend(numeric(text, tokens, at));
        } else if word.len() <= months::LONGEST {
            found.extend(named(text, tokens, at));
        }
    }
    found
}

/// Words between a day and its month.
const OF: [u64; 2] = [hash("of"), hash("de")];

/// A date by the name of its month. A name with a capital says that it is one; any other word needs a day before it, and one that may be English a year too.
fn named(text: &str, tokens: &[Token], at: usize) -> Option<Date> {
    let token = tokens.get(at)?;
    // Most words are told apart by what stands before them.
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let may_have_day = before.is_some_and(|before| before.digit || OF.contains(&before.word));
    if !(token.capital || may_have_day) {
        return None;
    }
    let word = cut(text, token);
    let english = months::english(word);
    let foreign = || if may_have_day { months::foreign(word) } else { None };
    let date = around(tokens, text, at, english.or_else(foreign)?)?;
    let is_meant = match english {
        Some(_) => token.capital || (date.day.is_some() && date.year.is_some()),
        None => date.day.is_some(),
    };
    is_meant.then_some(date)
}

/// `3 March 2020`, `March 3rd, 2020`, `March 2020`, `the 3rd of March`, `3. März 2020`, `3 de marzo de 2020`.
fn around(tokens: &[Token], text: &str, at: usize, month: u8) -> Option<Date> {
    let word = |at: usize| tokens.get(at).map(|token| cut(text, token)).unwrap_or_default();
    let close = |a: usize, b: usize| {
        let (Some(a), Some(b)) = (tokens.get(a), tokens.get(b)) else { return false };
        text.get(a.end as usize..b.start as usize)
            .is_some_and(|gap| gap.len() <= 3 && !gap.contains(['\n', ';', '(', ')']))
    };
    let day = |word: &str| {
        let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        digits.parse::<u8>().ok().filter(|day| (1..=31).contains(day) && word.len() <= 4)
    };
    let year = |word: &str| word.parse::<u16>().ok().filter(|year| (1000..2200).contains(year) && word.len() == 4);
    let is_of = |at: usize| tokens.get(at).is_some_and(|token| OF.contains(&token.word));
    let (mut first, mut last) = (at, at);
    let before = at.checked_sub(1).filter(|before| close(*before, at));
    let before = before.map(|before| if is_of(before) { before.saturating_sub(1) } else { before });
    let mut found_day = before.and_then(|before| day(word(before)));
    if found_day.is_some() {
        first = before.unwrap_or(at);
    } else if close(at, at + 1) {
        found_day = day(word(at + 1));
        last += usize::from(found_day.is_some());
    }
    // `October 4 and 5, 2018`, `October 4–5, 2018`.
    let mut next = last + 1;
    if found_day.is_some() && last > at && day(word(next)).is_some() {
        next += 1;
    }
    next += usize::from(word(next) == "de" && close(next - 1, next));
    let found_year = year(word(next)).filter(|_| close(next - 1, next));
    if found_year.is_some() {
        last = next;
    }
    (found_day.is_some() || found_year.is_some()).then(|| Date::new((found_day, month, found_year), first, last))
}

/// Bytes of the longest date in figures.
const DATE_BYTES: usize = "2020-03-31".len();

/// `2020-03-31`, also with a time behind it, and `31.03.2020`. Days and months in slashes are read by nobody alike and left alone.
fn numeric(text: &str, tokens: &[Token], at: usize) -> Option<Date> {
    let rest = tokens.get(at).and_then(|token| text.get(token.start as usize..))?;
    // One more than the longest, so that what goes on is none.
    let rest = rest.get(..rest.floor_char_boundary(rest.len().min(DATE_BYTES + 2)))?;
    let written = rest.get(..rest.find(|c: char| !c.is_ascii_digit() && !"-.".contains(c)).unwrap_or(rest.len()))?;
    let written = written.trim_end_matches(['-', '.']);
    let mark = written.chars().find(|c| !c.is_ascii_digit())?;
    let parts: Vec<&str> = written.split(mark).collect();
    let [one, two, three] = parts.as_slice() else { return None };
    match (mark, one.len(), three.len()) {
        ('-', 4, 2) => Date::of(three, two, one).map(|parts| Date::new(parts, at, at + 2)),
        // Stops join digits to one word.
        ('.', 1 | 2, 4) => Date::of(one, two, three).map(|parts| Date::new(parts, at, at)),
        _ => None,
    }
}

/// Day, month and year.
type Parts = (Option<u8>, u8, Option<u16>);

impl Date {
    fn new((day, month, year): Parts, first: usize, last: usize) -> Self {
        let index = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self { day, month, year, first: index(first), last: index(last) }
    }

    /// The year of a date that is one word, which has no figures of its own: `31.03.2020`.
    pub(crate) fn year_inside(&self) -> Option<Figure> {
        let year = self.year.filter(|_| self.first == self.last)?;
        let value = f64::from(year);
        Some(Figure { value, unit: None, per: None, first: self.first, last: self.last, form: Form::Digits })
    }

    /// Digits that can be a day, a month and a year.
    fn of(day: &str, month: &str, year: &str) -> Option<Parts> {
        let day = day.parse().ok().filter(|day| (1..=31).contains(day))?;
        let month = month.parse().ok().filter(|month| (1..=12).contains(month))?;
        let year = year.parse().ok().filter(|year| (1000..2200).contains(year))?;
        Some((Some(day), month, Some(year)))
    }
}
