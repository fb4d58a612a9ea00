//! Reads one object from its opening brace, as tolerantly as can be without guessing, and offers every object inside it,
//! whole or broken, to [`Best`].
//!
//! Only what the schema knows is kept, so a hostile answer cannot make hadal build a tree many times its size.

use super::best::{Best, Completeness};
use super::cursor::Cursor;
use super::fit::{self, Fields, Value};
use super::string::{Braces, KeyEnd, ValuePlace};
use crate::core::base::limits;

/// A value costs about as much as reading this many bytes of a string, however short it is.
const VALUE_STEPS: u64 = 16;

/// What became of one try.
#[derive(Clone, Copy, Debug)]
pub(super) struct Try {
    /// The object was closed by its own brace.
    pub(super) whole: bool,
    /// A string had bare quotes: it may have swallowed something.
    pub(super) bare: bool,
    /// An open brace kept a string from ending.
    pub(super) paired: bool,
}

/// Reads the object at the cursor and leaves the cursor behind it, or where it broke.
pub(super) fn read(cursor: &mut Cursor<'_>, braces: Braces, best: &mut Best) -> Try {
    let mut reader = Reader { cursor, best, braces, bare: false, paired: false };
    let (_, end) = reader.object(0);
    Try { whole: end == End::Whole, bare: reader.bare, paired: reader.paired }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Whole,
    /// The text ended, or went on in a way that no tolerance covers.
    Broken,
}

struct Reader<'r, 't> {
    cursor: &'r mut Cursor<'t>,
    best: &'r mut Best,
    braces: Braces,
    bare: bool,
    paired: bool,
}

impl Reader<'_, '_> {
    fn object(&mut self, depth: usize) -> (Fields, End) {
        self.cursor.at += 1;
        let mut fields = Fields::default();
        let end = loop {
            self.separators();
            match self.cursor.peek() {
                None => break End::Broken,
                Some(b'}') => {
                    self.cursor.at += 1;
                    break End::Whole;
                }
                Some(_) => {}
            }
            let Some(name) = self.key() else { break End::Broken };
            let (value, end) = self.value(name.is_some(), ValuePlace::Member, depth);
            if let Some(name) = name {
                fields.set(name, value);
            }
            if end == End::Broken {
                break End::Broken;
            }
        };
        self.best.offer(&fields, Completeness { whole: end == End::Whole, clean: !self.bare });
        (fields, end)
    }

    /// Blanks and commas, also none (forgotten) or several: what matters is what comes next.
    fn separators(&mut self) {
        loop {
            self.cursor.at = self.cursor.blank(self.cursor.at).end;
            if self.cursor.peek() != Some(b',') {
                return;
            }
            self.cursor.at += 1;
        }
    }

    /// Reads a key and its colon. `None`: there is none. `Some(None)`: one that the schema does not know.
    fn key(&mut self) -> Option<Option<&'static str>> {
        let start = self.cursor.at;
        let (from, to, end) = match self.cursor.opening(start) {
            Some((quote, long)) => match self.cursor.key_end(quote, start + long) {
                KeyEnd::At(to) => (start + long, to, to + self.cursor.closing(quote, to).unwrap_or(0)),
                KeyEnd::Hidden | KeyEnd::Nowhere => return None,
            },
            None => {
                let to = self.cursor.word(start);
                (start, to, to)
            }
        };
        if to == start {
            return None;
        }
        self.cursor.at = self.cursor.blank(end).end;
        if self.cursor.peek() != Some(b':') {
            return None;
        }
        self.cursor.at = self.cursor.blank(self.cursor.at + 1).end;
        Some(fit::name(self.cursor.slice(from, to).trim()))
    }

    fn value(&mut self, keep: bool, place: ValuePlace, depth: usize) -> (Value, End) {
        self.cursor.steps += VALUE_STEPS;
        if let Some((quote, long)) = self.cursor.opening(self.cursor.at) {
            self.cursor.at += long;
            let text = self.cursor.string(quote, place, self.braces, keep);
            self.bare |= text.bare;
            self.paired |= text.paired;
            return match text.ended {
                true => (Value::Text(text.value), End::Whole),
                false => (Value::Cut(text.value), End::Broken),
            };
        }
        match self.cursor.peek() {
            Some(b'{' | b'[') if depth + 1 >= limits::JSON_DEPTH => (Value::Other, End::Broken),
            Some(b'{') => {
                let (fields, end) = self.object(depth + 1);
                (Value::Object(fields), end)
            }
            Some(b'[') => self.list(keep, depth + 1),
            Some(_) | None => self.word(),
        }
    }

    fn list(&mut self, keep: bool, depth: usize) -> (Value, End) {
        self.cursor.at += 1;
        let mut items = Vec::new();
        let end = loop {
            self.separators();
            match self.cursor.peek() {
                None => break End::Broken,
                Some(b']') => {
                    self.cursor.at += 1;
                    break End::Whole;
                }
                // A forgotten bracket: the brace belongs to the object around the list.
                Some(b'}') => break End::Whole,
                Some(_) => {}
            }
            let (item, end) = self.value(keep, ValuePlace::Item, depth);
            // A list of lists is nothing the schema knows.
            if keep && items.len() < limits::JSON_LIST_ITEMS && matches!(item, Value::Text(_) | Value::Object(_)) {
                items.push(item);
            }
            if end == End::Broken {
                break End::Broken;
            }
        };
        (Value::List(items), end)
    }

    /// A number or literal. A number that touches the end of the text may have been longer, so it counts for nothing.
    fn word(&mut self) -> (Value, End) {
        let start = self.cursor.at;
        self.cursor.at = self.cursor.word(start);
        let word = self.cursor.slice(start, self.cursor.at);
        let value = Value::word(word);
        match self.cursor.peek() {
            Some(_) if !word.is_empty() => (value, End::Whole),
            None if matches!(value, Value::Bool(_)) => (value, End::Broken),
            Some(_) | None => (Value::Other, End::Broken),
        }
    }
}
