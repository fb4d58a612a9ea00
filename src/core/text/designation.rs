//! Designations: dates, addresses, versions, numbers of parts. Their pieces are joined by signs and mean something only together: `10.1.5.1` is
//! neither `10.1.5.13` nor `10.5.1.1`.

use std::ops::Range;

/// The signs that join pieces.
const JOINTS: [char; 6] = ['-', '.', '/', ':', '_', '+'];
/// So many small letters behind a sign are a word (`12-month`), not a piece.
const WORD_LETTERS: usize = 3;

/// A designation that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Designation {
    /// As it is written in the question.
    pub(crate) written: String,
    /// In lower case, two at least.
    pieces: Vec<String>,
    joints: Vec<char>,
}

impl Designation {
    /// The designations of a question, in their order.
    pub(crate) fn all(question: &str) -> Vec<Self> {
        let tokens = question.split(|c: char| c.is_whitespace() || ['\'', '’', ',', ';', '(', ')'].contains(&c));
        tokens.filter_map(|token| Self::parse(token.trim_matches(|c: char| !c.is_alphanumeric()))).collect()
    }

    fn parse(token: &str) -> Option<Self> {
        let pieces: Vec<&str> = token.split(JOINTS).collect();
        let is_word = |piece: &&str| {
            piece.chars().count() >= WORD_LETTERS && piece.chars().all(|c| c.is_alphabetic() && c.is_lowercase())
        };
        let is_designation = pieces.len() > 1
            && pieces.iter().all(|piece| !piece.is_empty() && piece.chars().all(char::is_alphanumeric))
            && token.chars().any(|c| c.is_ascii_digit())
            && !pieces.iter().skip(1).any(is_word);
        is_designation.then(|| Self {
            written: token.to_owned(),
            pieces: pieces.iter().map(|piece| piece.to_lowercase()).collect(),
            joints: token.chars().filter(|c| JOINTS.contains(c)).collect(),
        })
    }

    /// Whether a word in lower case is one of its pieces.
    pub(crate) fn has_piece(&self, word: &str) -> bool {
        self.pieces.iter().any(|piece| piece == word)
    }

    pub(crate) fn is_in(&self, text: &str) -> bool {
        !self.places(text).is_empty()
    }

    /// Where it stands in a text, as a whole.
    pub(crate) fn places(&self, text: &str) -> Vec<Range<usize>> {
        let Some(first) = self.pieces.first() else { return Vec::new() };
        let mut places = Vec::new();
        let mut from = 0;
        while let Some(begin) = text.get(from..).and_then(|rest| find(rest, first)).map(|at| from + at) {
            from = begin + first.len();
            if let Some(end) = self.end_of(text, begin).filter(|end| self.is_apart(text, begin, *end)) {
                places.push(begin..end);
                from = end;
            }
        }
        places
    }

    /// Where it ends that begins here. Any sign may join its pieces, and beside letters a blank or nothing: `INV-2003` is `INV 2003`.
    fn end_of(&self, text: &str, begin: usize) -> Option<usize> {
        let mut at = begin;
        let mut before: Option<&String> = None;
        for piece in &self.pieces {
            if let Some(before) = before {
                let rest = text.get(at..)?;
                let is_loose = [before, piece].iter().any(|piece| piece.chars().all(char::is_alphabetic));
                let next = rest.chars().next()?;
                at += match JOINTS.contains(&next) || (is_loose && next == ' ') {
                    true => next.len_utf8(),
                    false if is_loose => 0,
                    false => return None,
                };
            }
            let here = text.get(at..at + piece.len())?;
            if !here.eq_ignore_ascii_case(piece) {
                return None;
            }
            at += piece.len();
            before = Some(piece);
        }
        Some(at)
    }

    /// Whether it is not a part of a longer one.
    fn is_apart(&self, text: &str, begin: usize, end: usize) -> bool {
        let goes_on = |mut beside: &mut dyn Iterator<Item = char>| match beside.next() {
            Some(sign) if self.joints.contains(&sign) => (&mut beside).next().is_some_and(char::is_alphanumeric),
            Some(c) => c.is_alphanumeric(),
            None => false,
        };
        let before = text.get(..begin).unwrap_or_default();
        // `v1.2.3` is 1.2.3.
        let before = before.strip_suffix(['v', 'V']).unwrap_or(before);
        let after = text.get(end..).unwrap_or_default();
        !goes_on(&mut before.chars().rev()) && !goes_on(&mut after.chars())
    }
}

/// Where a piece stands in a text, in capitals or not.
fn find(text: &str, piece: &str) -> Option<usize> {
    let first = piece.chars().next()?;
    let begins = |(_, c): &(usize, char)| c.eq_ignore_ascii_case(&first);
    let is_here = |at: &usize| text.get(*at..*at + piece.len()).is_some_and(|here| here.eq_ignore_ascii_case(piece));
    text.char_indices().filter(begins).map(|(at, _)| at).find(is_here)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lb_02_designations_are_known() {
        for (question, known) in [
            ("Who is on duty on 2026-11-09?", &["2026-11-09"][..]),
            ("Which host has 10.1.5.1, and which (10.0.1.12)?", &["10.1.5.1", "10.0.1.12"]),
            ("amount of inv-2003 and the K7-12's fuse", &["inv-2003", "K7-12"]),
            ("What changed in 1.2.3?", &["1.2.3"]),
            ("a 12-month contract, 24-hour clock, and/or 7 days, 6,000 metres", &[]),
            ("e-mail, well-known, K7, 2026", &[]),
        ] {
            let all = Designation::all(question);
            assert_eq!(all.iter().map(|one| one.written.as_str()).collect::<Vec<_>>(), known, "{question}");
        }
    }

    #[test]
    fn lb_02_a_designation_is_found_as_a_whole() {
        for (asked, text, found) in [
            ("10.1.5.1", "a 10.1.5.13, b 10.1.5.1.", &["10.1.5.1"][..]),
            ("10.1.5.1", "10.1.5.1/24 and 10.1.5.1:80", &["10.1.5.1", "10.1.5.1"]),
            ("10.1.5.1", "110.1.5.1 5.10.1.5.1 10.1.5.1.7 10.5.1.1", &[]),
            ("2026-11-09", "2026-09-11 | 2026/11/09 | 2026 11 09", &["2026/11/09"]),
            ("K7-12", "k7-12, K7 12, K7-12-A, K7-16 (12.6)", &["k7-12"]),
            ("INV-2003", "inv 2003, INV2003, INV-20031, 2003 INV", &["inv 2003", "INV2003"]),
            ("1.2.3", "3.1.2.3 and v1.2.3 and 1.2.3-beta ü1.2.3", &["1.2.3", "1.2.3"]),
            ("1.2.3", "", &[]),
        ] {
            let one = Designation::parse(asked).unwrap();
            let places: Vec<&str> = one.places(text).into_iter().filter_map(|place| text.get(place)).collect();
            assert_eq!(places, found, "{asked} in {text}");
        }
    }
}
