//! JSON: cut between whole values. What fits a passage is never cut, and no passage has the end of one record and the beginning of another.
//!
//! Nothing is parsed into a tree: each level of what is too long is gone through once, and levels are bounded. What is no JSON stays text.

use std::collections::BTreeSet;
use std::ops::Range;

use super::lines::LineMap;
use super::outline::{Block, CutAt, Item};
use super::passages::{fits, words};
use super::{Contents, cut, one_line, unicode_escapes};
use crate::core::base::limits::{PASSAGE_MAX_WORDS, PASSAGE_MIN_WORDS, PASSAGES_PER_FILE};

/// Values inside one another that are cut between their parts; a deeper one is cut between its lines.
const LEVELS: usize = 6;
/// Headings and blocks that are made before the rest is one block: more than a document has passages.
const MOST_ITEMS: usize = 4 * PASSAGES_PER_FILE;
/// A longer value does not name a record, in bytes.
const NAME_BYTES: usize = 80;

pub(super) fn extract(text: String) -> Contents {
    let text = unicode_escapes::letters(text);
    let items = items(&text);
    let places = LineMap::of(&text).into();
    Contents { title: None, text, items, places, left_out: BTreeSet::new() }
}

fn items(text: &str) -> Vec<Item> {
    let all = 0..text.len();
    if words(text.trim()) <= PASSAGE_MAX_WORDS {
        return vec![block(all)];
    }
    let mut values = Values { text, from: 0, at: 0, end: text.len(), of: Kind::File };
    let only = values.next().filter(|_| values.from == values.end);
    let outermost = only.and_then(|value| value.parts(text));
    let outermost = outermost.unwrap_or(Values { from: 0, at: 0, ..values });
    let mut cutter = Cutter { text, items: Vec::new(), open: vec![Open::new(all, 0, outermost)] };
    cutter.run();
    cutter.items
}

fn block(span: Range<usize>) -> Item {
    Item::Block(Block { span, shape: CutAt::Lines, cuts: Vec::new() })
}

/// What values stand in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The file itself: one value, or one a line.
    File,
    List,
    Object,
}

/// A value of a list, or one of an object with its key.
#[derive(Debug)]
struct Value {
    /// With what stands before and behind it; the first one has what opens the list, the last one what closes it.
    span: Range<usize>,
    /// Where the key stands, without its quotes.
    key: Option<Range<usize>>,
    /// Where a list or an object begins.
    opens: Option<usize>,
    /// Where the value ends, without what is behind it.
    end: usize,
}

impl Value {
    fn parts<'t>(&self, text: &'t str) -> Option<Values<'t>> {
        let opens = self.opens?;
        let of = if text.as_bytes().get(opens) == Some(&b'{') { Kind::Object } else { Kind::List };
        Some(Values { text, from: self.span.start, at: opens + 1, end: self.span.end, of })
    }

    /// `number: 405`, where it is short and no list.
    fn as_name(&self, text: &str) -> Option<String> {
        let key = self.key.clone().filter(|_| self.opens.is_none())?;
        let value = cut(text, &(key.end + 1..self.end)).trim_matches([':', ' ', '\t', '\r', '\n', '"']);
        let is_short = !value.is_empty() && value.len() <= NAME_BYTES;
        is_short.then(|| one_line(&format!("{}: {value}", cut(text, &key))))
    }
}

/// The values of a list, an object or a file, one after the other.
#[derive(Clone, Debug)]
struct Values<'t> {
    text: &'t str,
    /// Where the span of the next one begins, and where it is looked for.
    from: usize,
    at: usize,
    end: usize,
    of: Kind,
}

impl Values<'_> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied().filter(|_| at < self.end)
    }

    /// Behind the quote that ends the string which begins here.
    fn behind_string(&self, begins: usize) -> usize {
        let mut at = begins + 1;
        while let Some(byte) = self.byte(at) {
            match byte {
                b'"' => return at + 1,
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        self.end
    }

    /// Behind blanks and comments.
    fn behind_blanks(&self, mut at: usize) -> usize {
        while let Some(byte) = self.byte(at) {
            match byte {
                b'/' if self.byte(at + 1) == Some(b'/') => at = self.line_end(at),
                byte if byte.is_ascii_whitespace() => at += 1,
                _ => break,
            }
        }
        at
    }

    fn line_end(&self, at: usize) -> usize {
        let rest = self.text.as_bytes().get(at..self.end).unwrap_or_default();
        rest.iter().position(|byte| *byte == b'\n').map_or(self.end, |length| at + length)
    }

    /// Behind a comma, and behind a comment in its line, which speaks of the value before it.
    fn behind_comma(&self, at: usize) -> usize {
        let mut behind = at + 1;
        while matches!(self.byte(behind), Some(b' ' | b'\t')) {
            behind += 1;
        }
        let is_comment = self.byte(behind) == Some(b'/') && self.byte(behind + 1) == Some(b'/');
        if is_comment { self.line_end(behind) } else { at + 1 }
    }

    /// The value that is looked for from here, up to where it ends.
    fn find_next(&self) -> Option<Value> {
        let (mut at, mut depth, mut string) = (self.at, 0_usize, None);
        let mut value = Value { span: self.from..self.end, key: None, opens: None, end: self.end };
        let mut is_there = false;
        let in_file = self.of == Kind::File;
        while let Some(byte) = self.byte(at) {
            match byte {
                b'"' => {
                    let behind = self.behind_string(at);
                    string = Some(at + 1..behind.saturating_sub(1).max(at + 1)).filter(|_| depth == 0);
                    is_there = true;
                    at = behind;
                    continue;
                }
                b'/' if self.byte(at + 1) == Some(b'/') => {
                    at = self.line_end(at);
                    continue;
                }
                b':' if depth == 0 && value.key.is_none() => value.key = string.take(),
                b'{' | b'[' => {
                    value.opens = value.opens.or(Some(at));
                    is_there = true;
                    depth += 1;
                }
                b'}' | b']' if depth == 0 && !in_file => break,
                b'}' | b']' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 && in_file {
                        at += 1;
                        break;
                    }
                }
                b',' | b'\n' if depth == 0 && is_there && (byte == b',' || in_file) => break,
                byte => is_there |= !byte.is_ascii_whitespace(),
            }
            at += 1;
        }
        value.end = at.min(self.end);
        is_there.then_some(value)
    }
}

impl Iterator for Values<'_> {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        let mut value = self.find_next()?;
        let behind = if self.byte(value.end) == Some(b',') { self.behind_comma(value.end) } else { value.end };
        // The last one has all that follows.
        let is_last = match self.byte(self.behind_blanks(behind)) {
            None => true,
            Some(byte) => self.of != Kind::File && matches!(byte, b'}' | b']'),
        };
        value.span.end = if is_last { self.end } else { behind };
        (self.from, self.at) = (value.span.end, value.span.end);
        Some(value)
    }
}

/// A list or an object that is being cut between its values.
#[derive(Debug)]
struct Open<'t> {
    span: Range<usize>,
    level: u8,
    values: Values<'t>,
    /// An object of nothing but lists and objects: its keys are names.
    is_map: bool,
    /// Neighbours that stand together, and their words.
    group: Option<(Range<usize>, usize)>,
    /// Whether a section of one value stands before.
    is_behind_section: bool,
    is_empty: bool,
}

impl<'t> Open<'t> {
    fn new(span: Range<usize>, level: u8, values: Values<'t>) -> Self {
        let is_map = values.of == Kind::Object && values.clone().all(|value| value.opens.is_some());
        Self { span, level, values, is_map, group: None, is_behind_section: false, is_empty: true }
    }

    /// Whether a value stands for itself, below its name.
    fn is_section(&self, value: &Value, words: usize) -> bool {
        match self.values.of {
            // The fields of a record stay together as far as they can.
            Kind::Object => {
                let is_long = words >= PASSAGE_MIN_WORDS;
                value.opens.is_some_and(|opens| {
                    is_long || (self.is_map && cut(self.values.text, &(opens..value.end)).trim().contains('\n'))
                })
            }
            // What is left of one that is cut must not stand with the next.
            Kind::List | Kind::File => words > PASSAGE_MAX_WORDS,
        }
    }
}

struct Cutter<'t> {
    text: &'t str,
    items: Vec<Item>,
    /// From the outside.
    open: Vec<Open<'t>>,
}

impl Cutter<'_> {
    fn run(&mut self) {
        while let Some(open) = self.open.last_mut() {
            let value = if self.items.len() > MOST_ITEMS { None } else { open.values.next() };
            if let Some(value) = value {
                self.take(value);
                continue;
            }
            // What is left where there are too many, and what was opened and holds nothing but comments.
            let left = if open.is_empty { open.span.clone() } else { open.values.from..open.values.end };
            self.flush();
            self.items.extend((!cut(self.text, &left).trim().is_empty()).then(|| block(left)));
            self.open.pop();
        }
    }

    fn take(&mut self, value: Value) {
        let Some(open) = self.open.last_mut() else { return };
        open.is_empty = false;
        let count = words(cut(self.text, &value.span).trim());
        if !open.is_section(&value, count) {
            match &mut open.group {
                Some((span, words)) if fits(*words, count) => {
                    span.end = value.span.end;
                    *words += count;
                }
                Some(_) | None => {
                    self.flush();
                    self.open.iter_mut().next_back().into_iter().for_each(|open| {
                        open.group = Some((value.span.clone(), count));
                    });
                }
            }
            return;
        }
        let level = open.level + 1;
        self.flush();
        self.heading(level, self.name(&value), value.span.start);
        let parts = value.parts(self.text).filter(|_| count > PASSAGE_MAX_WORDS && self.open.len() < LEVELS);
        self.open.iter_mut().next_back().into_iter().for_each(|open| open.is_behind_section = true);
        match parts {
            Some(parts) => self.open.push(Open::new(value.span, level, parts)),
            None => self.items.push(block(value.span)),
        }
    }

    /// The key, or what the record says first of itself.
    fn name(&self, value: &Value) -> String {
        if let Some(key) = &value.key {
            return one_line(cut(self.text, key));
        }
        let object = value.parts(self.text).filter(|parts| parts.of == Kind::Object);
        object.and_then(|mut fields| fields.find_map(|field| field.as_name(self.text))).unwrap_or_default()
    }

    fn heading(&mut self, level: u8, text: String, at: usize) {
        self.items.push(Item::Heading { level, text, span: at..at });
    }

    /// Ends the open group.
    fn flush(&mut self) {
        let Some(open) = self.open.last_mut() else { return };
        let Some((span, _)) = open.group.take() else { return };
        let level = open.level + 1;
        if std::mem::take(&mut open.is_behind_section) {
            self.heading(level, String::new(), span.start);
        }
        self.items.push(block(span));
    }
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
