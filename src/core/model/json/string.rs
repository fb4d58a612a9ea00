//! Strings as models write them: where one ends, and what its escapes mean.
//!
//! A quote ends its string only if what follows can follow a string there; any other quote is a bare one that the model
//! forgot to escape. Looking ahead has a budget; once it is used up, the next visible byte decides alone.

use super::cursor::{Cursor, Quote};
use super::fit;
use crate::core::base::limits;

/// Where a value stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValuePlace {
    /// After a key, in an object.
    Member,
    /// In a list.
    Item,
}

/// How a string with bare quotes is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Braces {
    /// A quote does not end a string that has bare quotes and an open brace: it belongs to code in the text.
    Pair,
    /// Braces in a string mean nothing.
    Ignore,
}

/// What reading a string showed.
#[derive(Debug, Default)]
pub(super) struct Text {
    /// Empty unless it was to be kept.
    pub(super) value: String,
    /// It was closed, not cut by the end of the text.
    pub(super) ended: bool,
    /// Quotes inside were taken as text.
    pub(super) bare: bool,
    /// A quote was taken as text because of an open brace.
    pub(super) paired: bool,
}

/// What a backslash stands for.
pub(super) enum Escape {
    Char(char),
    /// No escape of JSON: the backslash is text, as in `\_` of Markdown or `\alpha` of LaTeX.
    Backslash,
    /// The text ends within it.
    Cut,
}

impl Cursor<'_> {
    /// Reads the string whose opening mark stands at the cursor and moves behind it.
    pub(super) fn string(&mut self, quote: Quote, place: ValuePlace, braces: Braces, keep: bool) -> Text {
        let mut text = Text::default();
        let mut open = OpenBraces { counted: self.at, depth: 0 };
        loop {
            let run = self.at;
            self.at = self.find(run, |b| b == b'\\' || quote.begins(b));
            if keep {
                text.value.push_str(self.slice(run, self.at));
            }
            match self.peek() {
                None => return text,
                Some(b'\\') => match self.escape() {
                    Escape::Char(char) if keep => text.value.push(char),
                    Escape::Backslash if keep => text.value.push('\\'),
                    Escape::Char(_) | Escape::Backslash => {}
                    Escape::Cut => return text,
                },
                Some(byte) => {
                    let mark = self.closing(quote, self.at);
                    if let Some(long) = mark
                        && self.ends(place, self.at + long)
                    {
                        let inside = text.bare && braces == Braces::Pair && open.is_open(self);
                        if !inside {
                            self.at += long;
                            text.ended = true;
                            return text;
                        }
                        text.paired = true;
                    }
                    text.bare |= mark.is_some();
                    // Not a closing mark, or one taken as text. A typographic mark is a whole character.
                    let long = mark.unwrap_or(if byte == 0xe2 { 3 } else { 1 });
                    if keep {
                        text.value.push_str(self.slice(self.at, self.at + long));
                    }
                    self.at += long;
                }
            }
        }
    }

    /// Decodes the escape at the cursor and moves behind it.
    pub(super) fn escape(&mut self) -> Escape {
        self.steps += 1;
        let Some(byte) = self.byte(self.at + 1) else {
            self.at = self.text.len();
            return Escape::Cut;
        };
        let char = match byte {
            b'"' | b'\\' | b'/' | b'\'' | b'\n' => char::from(byte),
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => return self.unicode(),
            _ => {
                self.at += 1;
                return Escape::Backslash;
            }
        };
        self.at += 2;
        Escape::Char(char)
    }

    /// `\uXXXX` at the cursor, with its other half when it is a surrogate; a lone half becomes U+FFFD.
    fn unicode(&mut self) -> Escape {
        let start = self.at;
        let first = match self.hex(start) {
            Hex::Unit(unit) => unit,
            Hex::Cut => {
                self.at = self.text.len();
                return Escape::Cut;
            }
            Hex::Other => {
                self.at += 1;
                return Escape::Backslash;
            }
        };
        self.at += 6;
        if let Some(char) = char::from_u32(first) {
            return Escape::Char(char);
        }
        if (0xd800..0xdc00).contains(&first) {
            match self.hex(self.at) {
                Hex::Unit(second @ 0xdc00..0xe000) => {
                    self.at += 6;
                    let joined = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                    return Escape::Char(char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                Hex::Cut => {
                    self.at = self.text.len();
                    return Escape::Cut;
                }
                Hex::Unit(_) | Hex::Other => {}
            }
        }
        Escape::Char(char::REPLACEMENT_CHARACTER)
    }

    fn hex(&self, at: usize) -> Hex {
        let mut unit = 0;
        for (i, expected) in [Some(b'\\'), Some(b'u'), None, None, None, None].into_iter().enumerate() {
            match (self.byte(at + i), expected) {
                (None, _) => return Hex::Cut,
                (Some(byte), Some(expected)) if byte == expected => {}
                (Some(_), Some(_)) => return Hex::Other,
                (Some(byte), None) => match char::from(byte).to_digit(16) {
                    Some(digit) => unit = unit * 16 + digit,
                    None => return Hex::Other,
                },
            }
        }
        Hex::Unit(unit)
    }

    /// Whether a string may end before `after`.
    fn ends(&mut self, place: ValuePlace, after: usize) -> bool {
        if self.ahead == 0 {
            return matches!(self.byte(after), None | Some(b',' | b'}' | b']' | b'\n'));
        }
        let before = self.steps;
        let ends = self.followed(place, after);
        self.ahead = self.ahead.saturating_sub(self.steps - before);
        ends
    }

    fn followed(&mut self, place: ValuePlace, after: usize) -> bool {
        let blank = self.blank(after);
        match self.byte(blank.end) {
            None | Some(b'}') => true,
            Some(b']') => place == ValuePlace::Item,
            Some(b',') => {
                let next = self.blank(blank.end + 1);
                match place {
                    _ if matches!(self.byte(next.end), None | Some(b'}')) => true,
                    ValuePlace::Member => self.key_ahead(next.end),
                    ValuePlace::Item => self.byte(next.end) == Some(b']') || self.value_ahead(next.end),
                }
            }
            Some(_) if !blank.newline => false,
            // A forgotten comma, or a forgotten brace before the closing fence.
            Some(_) => {
                self.last_fence(blank.end)
                    || match place {
                        ValuePlace::Member => self.key_ahead(blank.end),
                        ValuePlace::Item => self.opening(blank.end).is_some(),
                    }
            }
        }
    }

    /// Whether a key, its colon and a value stand at `at`. What the end of the text or the limit hides counts as one. Running
    /// text has words and colons too, so without a value only a quoted name of the schema is taken for a key.
    fn key_ahead(&mut self, at: usize) -> bool {
        let (known, end) = match self.opening(at) {
            Some((quote, long)) => match self.key_end(quote, at + long) {
                KeyEnd::At(end) => {
                    let known = fit::name(self.slice(at + long, end)).is_some();
                    (known, end + self.closing(quote, end).unwrap_or(0))
                }
                KeyEnd::Hidden => return true,
                KeyEnd::Nowhere => return false,
            },
            None => match self.word(at) {
                end if end == at => return false,
                end => (false, end),
            },
        };
        let colon = self.blank(end).end;
        match self.byte(colon) {
            None => true,
            Some(b':') => {
                let value = self.blank(colon + 1).end;
                known || value == self.text.len() || self.value_ahead(value)
            }
            Some(_) => false,
        }
    }

    /// Where the closing mark of a key stands whose text begins at `at`.
    pub(super) fn key_end(&mut self, quote: Quote, mut at: usize) -> KeyEnd {
        let limit = at + limits::JSON_KEY_BYTES;
        loop {
            self.steps += 1;
            match self.byte(at) {
                None => return KeyEnd::Hidden,
                Some(b'\n') => return KeyEnd::Nowhere,
                Some(b'\\') => at += 2,
                Some(byte) if quote.begins(byte) && self.closing(quote, at).is_some() => return KeyEnd::At(at),
                Some(_) => at += 1,
            }
            if at > limit {
                return KeyEnd::Hidden;
            }
        }
    }

    /// Whether a value begins at `at`.
    fn value_ahead(&mut self, at: usize) -> bool {
        if self.opening(at).is_some() || matches!(self.byte(at), Some(b'{' | b'[')) {
            return true;
        }
        let end = self.word(at);
        let word = self.slice(at, end);
        let numeric = word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'));
        numeric || is_literal(word) || (end > at && end == self.text.len())
    }

    /// Whether nothing but a closing fence stands between `at` and the end of the text.
    fn last_fence(&mut self, at: usize) -> bool {
        if !(self.starts_with(at, "```") || self.starts_with(at, "~~~")) {
            return false;
        }
        let fence = self.find(at, |b| b != b'`' && b != b'~');
        self.blank(fence).end == self.text.len()
    }
}

/// The end of a key.
pub(super) enum KeyEnd {
    At(usize),
    /// Beyond the end of the text or the limit.
    Hidden,
    Nowhere,
}

enum Hex {
    Unit(u32),
    Other,
    Cut,
}

/// Counts the braces of a string as far as it was read, each once.
struct OpenBraces {
    counted: usize,
    depth: usize,
}

impl OpenBraces {
    fn is_open(&mut self, cursor: &mut Cursor<'_>) -> bool {
        for byte in cursor.text.as_bytes().get(self.counted..cursor.at).unwrap_or_default() {
            match byte {
                b'{' => self.depth += 1,
                b'}' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        cursor.steps += (cursor.at - self.counted) as u64;
        self.counted = cursor.at;
        self.depth > 0
    }
}

/// A bare word with a meaning, in the spelling of JSON, JavaScript or Python.
fn is_literal(word: &str) -> bool {
    ["true", "false", "null", "none", "nan", "infinity", "undefined"]
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known))
}
