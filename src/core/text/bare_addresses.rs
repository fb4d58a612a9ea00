//! Addresses that stand in a text without being links: programs that show Markdown make links of them.

use std::ops::Range;

/// A run of text as a reader sees it, without escapes and entities, and where its bytes come from.
#[derive(Debug, Default)]
pub(super) struct FlatText {
    text: String,
    pieces: Vec<Piece>,
}

#[derive(Debug)]
struct Piece {
    /// Where it begins in the flat text.
    start: usize,
    source: Range<usize>,
    /// Whether each of its bytes is one of the source.
    same: bool,
}

impl FlatText {
    pub(super) fn push(&mut self, source: &str, shown: &str, range: Range<usize>) {
        let same = source.get(range.clone()) == Some(shown);
        self.pieces.push(Piece { start: self.text.len(), source: range, same });
        self.text.push_str(shown);
    }

    /// The piece of a byte.
    fn piece(&self, at: usize) -> Option<&Piece> {
        let after = self.pieces.partition_point(|piece| piece.start <= at);
        self.pieces.get(after.checked_sub(1)?)
    }

    fn source(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let (first, last) = (self.piece(range.start)?, self.piece(range.end.checked_sub(1)?)?);
        let start = if first.same { first.source.start + (range.start - first.start) } else { first.source.start };
        let end = if last.same { last.source.start + (range.end - last.start) } else { last.source.end };
        Some(start..end)
    }
}

/// The addresses in a run of text, in order, each with its place in the source.
pub(super) fn find(flat: &FlatText) -> Vec<(Range<usize>, String)> {
    let text = flat.text.as_str();
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(start) = next_start(text, at) {
        let rest = text.get(start..).unwrap_or_default();
        let length = rest.find(ends).unwrap_or(rest.len());
        // Punctuation after an address belongs to its sentence.
        let address = rest.get(..length).unwrap_or_default().trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_']);
        at = start + length.max(1);
        let range = start..start + address.len();
        if let Some(source) = flat.source(&range) {
            found.push((source, address.to_owned()));
        }
    }
    found
}

fn ends(c: char) -> bool {
    c.is_whitespace() || matches!(c, '`' | '<' | '>' | '(' | ')' | '[' | ']' | '"' | '\'' | '|')
}

const STARTS: [&str; 5] = ["http://", "https://", "ftp://", "mailto:", "www."];

/// Where the next address begins.
fn next_start(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(found) = bytes.get(at..)?.iter().position(|byte| matches!(byte | 0x20, b'h' | b'f' | b'm' | b'w')) {
        let start = at + found;
        let begins = |word: &&str| {
            bytes.get(start..start + word.len()).is_some_and(|here| here.eq_ignore_ascii_case(word.as_bytes()))
        };
        let inside_word =
            text.get(..start).and_then(|before| before.chars().next_back()).is_some_and(char::is_alphanumeric);
        if !inside_word && STARTS.iter().any(begins) {
            return Some(start);
        }
        at = start + 1;
    }
    None
}
