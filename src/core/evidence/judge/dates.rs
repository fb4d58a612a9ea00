//! Dates of a text in the usual ways of writing them.

use super::figures::cut;
use super::tokens::Token;

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

const MONTHS: [(&str, &str); 12] = [
    ("january", "jan"),
    ("february", "feb"),
    ("march", "mar"),
    ("april", "apr"),
    ("may", "may"),
    ("june", "jun"),
    ("july", "jul"),
    ("august", "aug"),
    ("september", "sep"),
    ("october", "oct"),
    ("november", "nov"),
    ("december", "dec"),
];

pub(crate) fn month(word: &str) -> Option<u8> {
    let word = word.to_lowercase();
    let known = |(name, short): &(&str, &str)| word == *name || word == *short || (*short == "sep" && word == "sept");
    MONTHS.iter().position(known).and_then(|at| u8::try_from(at + 1).ok())
}

pub(crate) fn month_name(month: u8) -> &'static str {
    MONTHS.get(usize::from(month).saturating_sub(1)).map_or("", |(name, _)| name)
}

/// The dates of a text, in their order.
pub(crate) fn dates(text: &str, tokens: &[Token]) -> Vec<Date> {
    let mut found: Vec<Date> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let word = cut(text, token);
        let read = if token.digit {
            numeric(text, token)
        } else if word.len() <= 9 && token.capital {
            month(word).and_then(|month| around(tokens, text, at, month))
        } else {
            None
        };
        if let Some((day, month, year, first, last)) = read {
            let index = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            let (first, last) = if token.digit { (at, at + last) } else { (first, last) };
            found.push(Date { day, month, year, first: index(first), last: index(last) });
        }
    }
    found
}

type Parts = (Option<u8>, u8, Option<u16>, usize, usize);

/// `3 March 2020`, `March 3rd, 2020`, `March 2020`, `the 3rd of March`.
fn around(tokens: &[Token], text: &str, at: usize, month: u8) -> Option<Parts> {
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
    let (mut first, mut last) = (at, at);
    let before = at.checked_sub(1).filter(|before| close(*before, at));
    let before = before.map(|before| if word(before) == "of" { before.saturating_sub(1) } else { before });
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
    let found_year = year(word(next)).filter(|_| close(next - 1, next));
    if found_year.is_some() {
        last = next;
    }
    (found_day.is_some() || found_year.is_some()).then_some((found_day, month, found_year, first, last))
}

/// `2020-03-03`, also with a time behind it. Days and months in slashes are read by nobody alike and left alone.
fn numeric(text: &str, token: &Token) -> Option<Parts> {
    let rest = text.get(token.start as usize..)?;
    let part =
        |from: usize, to: usize| rest.get(from..to).filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    let dash = |at: usize| rest.get(at..at + 1) == Some("-");
    if !(dash(4) && dash(7)) {
        return None;
    }
    let year = part(0, 4)?.parse().ok().filter(|year| (1000..2200).contains(year))?;
    let month = part(5, 7)?.parse().ok().filter(|month| (1..=12).contains(month))?;
    let day = part(8, 10)?.parse().ok().filter(|day| (1..=31).contains(day))?;
    Some((Some(day), month, Some(year), 0, 2))
}
