//! What a note points at: numbered sentences of shown pages, or words of a page.

use crate::core::base::limits;
use crate::core::language::words::pieces;
use crate::core::model::said::{bare, labelled};

/// What a note points at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pointer {
    Sentences(Vec<Pointed>),
    Quote(String),
}

/// Sentences of a page from the first to the last; pages and sentences are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pointed {
    pub(super) page: usize,
    pub(super) first: usize,
    pub(super) last: usize,
}

/// Neighbouring sentences that one note may rest on.
pub(super) const QUOTE_SENTENCES: usize = 12;
/// Places that one note may rest on.
const PLACES: usize = 3;
/// Bytes from one place to the next behind it.
const BETWEEN_BYTES: usize = 24;

impl Pointed {
    /// Both as one, if they are near each other on one page.
    fn with(self, other: Self) -> Option<Self> {
        let (first, last) = (self.first.min(other.first), self.last.max(other.last));
        (self.page == other.page && last - first < QUOTE_SENTENCES).then_some(Self { page: self.page, first, last })
    }
}

/// A claim and what it points at: `NOTE: claim | P3.12-13`, the bar and the label being optional, or `claim | "the page's words"`.
pub(super) fn read(line: &str) -> Option<(&str, Pointer)> {
    let text = match labelled(line) {
        Some((label, rest)) if matches!(label.as_str(), "note" | "notes" | "claim" | "fact") => rest,
        Some((label, _)) if matches!(label.as_str(), "status" | "query" | "queries" | "sub" | "search") => return None,
        _ => bare(line),
    };
    if let Some((at, places)) = places(text) {
        let ends = [' ', '|', '[', '(', '-', '\u{2013}', '\u{2014}', ':', ','];
        let claim = text.get(..at)?.trim_end_matches(ends).trim_start_matches(['|', ' ']);
        return is_claim(claim).then_some((claim, Pointer::Sentences(places)));
    }
    let (claim, quote) = text.split_once('|')?;
    let quote = quote.trim().trim_matches(['"', '\u{201c}', '\u{201d}', '\u{ab}', '\u{bb}', ' ']);
    (is_claim(claim) && pieces(quote).nth(2).is_some()).then(|| (claim.trim(), Pointer::Quote(quote.to_owned())))
}

fn is_claim(text: &str) -> bool {
    let long_enough = pieces(text).nth(1).is_some();
    long_enough && text.chars().count() <= limits::NOTE_CHARS
}

/// The places `P3.12` or `P3.12-14` that a line ends with, and where the first of them begins.
fn places(text: &str) -> Option<(usize, Vec<Pointed>)> {
    let bytes = text.as_bytes();
    // Where the row begins, where its last place begins, and the row.
    let mut found: Option<(usize, usize, Vec<Pointed>)> = None;
    for (at, _) in text.match_indices(['P', 'p']) {
        let starts = at == 0 || bytes.get(at - 1).is_some_and(|before| !before.is_ascii_alphanumeric());
        let Some((page, rest)) = number(text.get(at + 1..).unwrap_or_default()).filter(|_| starts) else { continue };
        let Some((first, rest)) = rest.strip_prefix('.').and_then(number) else { continue };
        let range = rest.trim_start().strip_prefix(['-', '\u{2013}', '\u{2014}']).map(str::trim_start);
        let range = range.map(|rest| rest.strip_prefix(&format!("P{page}.")).unwrap_or(rest));
        let last = range.and_then(number).map_or(first, |(last, _)| last);
        let new = Pointed { page, first: first.min(last), last: first.max(last) };
        found = match found {
            Some((start, before, mut row)) if joins(text.get(before..at).unwrap_or_default()) => {
                add(&mut row, new);
                Some((start, at, row))
            }
            _ => Some((at, at, vec![new])),
        };
    }
    found.map(|(start, _, row)| (start, row))
}

/// Whether only a place and what stands between two of them is there.
fn joins(between: &str) -> bool {
    between.len() <= BETWEEN_BYTES
        && between.chars().all(|c| "Pp.,;-\u{2013} []&+and".contains(c) || c.is_ascii_digit())
}

fn add(row: &mut Vec<Pointed>, new: Pointed) {
    for known in row.iter_mut() {
        if let Some(both) = known.with(new) {
            *known = both;
            return;
        }
    }
    if row.len() < PLACES {
        row.push(new);
    }
}

fn number(text: &str) -> Option<(usize, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number = text.get(..end)?.parse().ok().filter(|_| end <= 5)?;
    Some((number, text.get(end..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ST-01: a note may rest on several places; near ones are one.
    #[test]
    fn places_are_read() {
        let place = |page, first, last| Pointed { page, first, last };
        for (line, want) in [
            ("a claim here | P3.12", vec![place(3, 12, 12)]),
            ("a claim here | P3.14-12", vec![place(3, 12, 14)]),
            ("a claim here | P3.12-P3.14", vec![place(3, 12, 14)]),
            ("a claim here (P3.12, P3.15)", vec![place(3, 12, 15)]),
            ("a claim here | P3.2, P3.40-41", vec![place(3, 2, 2), place(3, 40, 41)]),
            ("a claim here | P3.2; P1.4 and P3.3", vec![place(3, 2, 3), place(1, 4, 4)]),
            ("a claim of P1.1 that goes on for a while | P2.2", vec![place(2, 2, 2)]),
            ("a claim here | P1.1, P2.1, P3.1, P4.1", vec![place(1, 1, 1), place(2, 1, 1), place(3, 1, 1)]),
        ] {
            let (claim, pointer) = read(line).unwrap();
            assert!(claim.starts_with("a claim"), "{line}");
            assert_eq!(pointer, Pointer::Sentences(want), "{line}");
        }
        assert_eq!(read("a claim here"), None);
    }
}
