//! A place in the text: bytes, blanks, comments, quotes and words. Counts its steps. Knows nothing of JSON's grammar.

use crate::core::base::limits;

/// Reads a text by byte offsets. Every offset it stops at is a character boundary.
#[derive(Debug)]
pub(super) struct Cursor<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    /// Bytes looked at so far, also twice and thrice.
    pub(super) steps: u64,
    /// What may still be spent on looking ahead.
    pub(super) ahead: u64,
}

/// A run of white space and comments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blank {
    pub(super) end: usize,
    pub(super) newline: bool,
}

/// The marks a string can stand between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quote {
    Double,
    Single,
    /// `“…”`, from a word processor.
    SmartDouble,
    SmartSingle,
    /// `"""…"""`, from Python.
    Triple,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let ahead = limits::JSON_FREE_STEPS + limits::JSON_LOOKAHEAD * text.len() as u64;
        Self { text, at: 0, steps: 0, ahead }
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.byte(self.at)
    }

    /// The text between two offsets; empty when they are no boundaries, which does not happen.
    pub(super) fn slice(&self, from: usize, to: usize) -> &'t str {
        self.text.get(from..to).unwrap_or_default()
    }

    pub(super) fn starts_with(&self, at: usize, what: &str) -> bool {
        self.text.as_bytes().get(at..).is_some_and(|rest| rest.starts_with(what.as_bytes()))
    }

    /// The first offset from `at` on whose byte is wanted, or the end of the text.
    pub(super) fn find(&mut self, at: usize, wanted: impl Fn(u8) -> bool) -> usize {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        let run = rest.iter().position(|&b| wanted(b)).unwrap_or(rest.len());
        self.steps += run as u64 + 1;
        at + run
    }

    /// White space, byte-order marks and comments from `at` on.
    pub(super) fn blank(&mut self, at: usize) -> Blank {
        let mut blank = Blank { end: at, newline: false };
        loop {
            match self.byte(blank.end) {
                Some(b'\n') => {
                    blank.newline = true;
                    blank.end += 1;
                }
                Some(b'#') => blank.end = self.find(blank.end, |b| b == b'\n'),
                Some(b'/') if self.byte(blank.end + 1) == Some(b'/') => {
                    blank.end = self.find(blank.end, |b| b == b'\n');
                }
                Some(b'/') if self.byte(blank.end + 1) == Some(b'*') => blank.end = self.block_comment(blank.end + 2),
                Some(_) => match self.space(blank.end) {
                    0 => break,
                    wide => blank.end += wide,
                },
                None => break,
            }
            self.steps += 1;
        }
        self.steps += 1;
        blank
    }

    /// The length of the white space character at `at`; 0 when it is none.
    pub(super) fn space(&self, at: usize) -> usize {
        match self.byte(at) {
            Some(b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c) => 1,
            Some(0xc2) if self.starts_with(at, "\u{a0}") => 2,
            Some(0xe2) if self.starts_with(at, "\u{200b}") || self.starts_with(at, "\u{2028}") => 3,
            Some(0xe3) if self.starts_with(at, "\u{3000}") => 3,
            Some(0xef) if self.starts_with(at, "\u{feff}") => 3,
            _ => 0,
        }
    }

    fn block_comment(&mut self, mut at: usize) -> usize {
        loop {
            at = self.find(at, |b| b == b'*');
            match self.byte(at + 1) {
                Some(b'/') => return at + 2,
                Some(_) => at += 1,
                None => return self.text.len(),
            }
        }
    }

    /// The quote that opens a string at `at`, and its length.
    pub(super) fn opening(&self, at: usize) -> Option<(Quote, usize)> {
        match self.byte(at)? {
            b'"' if self.starts_with(at, "\"\"\"") => Some((Quote::Triple, 3)),
            b'"' => Some((Quote::Double, 1)),
            b'\'' => Some((Quote::Single, 1)),
            0xe2 => match self.smart(at)? {
                0x98..=0x9b => Some((Quote::SmartSingle, 3)),
                _ => Some((Quote::SmartDouble, 3)),
            },
            _ => None,
        }
    }

    /// The length of the mark at `at` if it can close a string that `quote` opened.
    pub(super) fn closing(&self, quote: Quote, at: usize) -> Option<usize> {
        let (found, long) = self.opening(at)?;
        match (quote, found) {
            (Quote::Triple, Quote::Triple) => Some(3),
            // Three marks in a row close a string of one mark with the first of them.
            (Quote::Double | Quote::SmartDouble, Quote::Double | Quote::Triple) => Some(1),
            (Quote::Single | Quote::SmartSingle, Quote::Single) => Some(1),
            (Quote::SmartDouble, Quote::SmartDouble) | (Quote::SmartSingle, Quote::SmartSingle) => Some(long),
            _ => None,
        }
    }

    /// The last byte of the typographic quote at `at` (U+2018 to U+201F).
    fn smart(&self, at: usize) -> Option<u8> {
        match (self.byte(at + 1)?, self.byte(at + 2)?) {
            (0x80, last @ 0x98..=0x9f) => Some(last),
            _ => None,
        }
    }

    /// The end of the bare word at `at`: a number, a literal, an unquoted key.
    pub(super) fn word(&mut self, at: usize) -> usize {
        self.find(at, |b| !is_word(b))
    }
}

impl Quote {
    /// Whether a closing mark can begin with this byte.
    pub(super) fn begins(self, byte: u8) -> bool {
        match self {
            Self::Double | Self::Triple => byte == b'"',
            Self::Single => byte == b'\'',
            Self::SmartDouble => byte == b'"' || byte == 0xe2,
            Self::SmartSingle => byte == b'\'' || byte == 0xe2,
        }
    }
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'+' | b'-')
}
