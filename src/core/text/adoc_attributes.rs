//! Attributes of AsciiDoc, written out where the text refers to them: below `:version: 2.4`, `{version}` says 2.4.
//!
//! A line stays a line, so that places are those of the file. What only holds on a condition, is not plain text, or is set in another file keeps its name.

use std::collections::BTreeMap;

use super::drawn_tables::Listing;

/// Attributes of one document that are known, and bytes of a name and of a value.
const ATTRIBUTES: usize = 1_000;
const NAME_BYTES: usize = 60;
const VALUE_BYTES: usize = 200;

/// What is always set: signs that mean something else where they stand as themselves.
const SIGNS: [(&str, &str); 12] = [
    ("amp", "&"),
    ("apos", "'"),
    ("deg", "°"),
    ("empty", ""),
    ("endsb", "]"),
    ("gt", ">"),
    ("lt", "<"),
    ("nbsp", "\u{a0}"),
    ("plus", "+"),
    ("quot", "\""),
    ("sp", " "),
    ("startsb", "["),
];

/// What a line says of an attribute.
#[derive(Debug, PartialEq, Eq)]
enum Entry<'t> {
    Set(&'t str, &'t str),
    Unset(&'t str),
    /// Its value goes on in the next line.
    Begun(&'t str, &'t str),
}

/// An attribute whose value goes on over lines.
#[derive(Debug)]
struct Begun {
    name: String,
    value: String,
    is_conditional: bool,
}

#[derive(Debug)]
struct Attributes {
    values: BTreeMap<String, String>,
    begun: Option<Begun>,
    /// Bytes that may still be written beyond those that stand there.
    room: usize,
}

/// The text with the values of its attributes.
pub(super) fn written_out(text: String) -> String {
    if !text.contains('{') {
        return text;
    }
    let mut attributes = Attributes { values: BTreeMap::new(), begun: None, room: text.len() };
    // The title stands above the attributes of the head and may refer to them.
    let head = text.lines().take_while(|line| !line.trim().is_empty());
    for line in head {
        if !attributes.goes_on(line) {
            entry(line).into_iter().for_each(|entry| attributes.take(&entry, false));
        }
    }
    attributes.begun = None;
    let mut out = String::with_capacity(text.len());
    let (mut listing, mut conditions) = (Listing::default(), 0_usize);
    // Whether the block that begins refers to attributes though it is one of code.
    let mut is_written_in_code = false;
    for line in text.split_inclusive('\n') {
        if attributes.goes_on(line) {
            // It is no text, as the line of the attribute is none.
            out.push_str(if line.ends_with('\n') { "\n" } else { "" });
            continue;
        }
        let was_open = listing.is_open();
        listing.read(line);
        let is_code = (was_open || listing.is_open()) && !is_written_in_code;
        is_written_in_code = match (was_open, listing.is_open()) {
            (false, false) => line.starts_with('[') && line.contains("subs") && line.contains("attributes"),
            (_, is_open) => is_open && is_written_in_code,
        };
        conditions = conditions_behind(line, conditions);
        match entry(line).filter(|_| !was_open) {
            Some(entry) => {
                attributes.take(&entry, conditions > 0);
                out.push_str(line);
            }
            None if is_code => out.push_str(line),
            None => attributes.write(&mut out, line),
        }
    }
    out
}

/// How many conditions are open behind a line.
fn conditions_behind(line: &str, open: usize) -> usize {
    let line = line.trim_end();
    let begins = ["ifdef::", "ifndef::", "ifeval::"].iter().any(|lead| line.starts_with(lead));
    // One with text in its brackets ends with its line.
    let is_block = line.ends_with("[]") || line.starts_with("ifeval::");
    match line.starts_with("endif::") {
        true => open.saturating_sub(1),
        false => open + usize::from(begins && is_block),
    }
}

/// `:name: value`, `:name!:`
fn entry(line: &str) -> Option<Entry<'_>> {
    let (name, value) = line.trim_end().strip_prefix(':')?.split_once(':')?;
    let bare = name.trim_matches('!');
    let is_name = bare.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') && bare.chars().all(is_in_name);
    let is_apart = value.is_empty() || value.starts_with(' ');
    let value = value.trim();
    // A soft value may be set by whoever makes the document; one that goes on in the next line is not known as a whole.
    let value = value.strip_suffix('@').unwrap_or(value);
    let is_plain = !value.is_empty() && !value.starts_with("pass:") && !value.ends_with('\\') && !value.ends_with(" +");
    match is_name && is_apart && bare.len() <= NAME_BYTES {
        false => None,
        true if name == bare && is_plain => Some(Entry::Set(bare, value)),
        true if name == bare && goes_on(value) => Some(Entry::Begun(bare, value)),
        true => Some(Entry::Unset(bare)),
    }
}

/// Whether the next line belongs to a value: `first \`. A value with lines of its own, `first + \`, is not plain.
fn goes_on(value: &str) -> bool {
    value.ends_with(" \\") && !value.ends_with(" + \\") && !value.starts_with("pass:")
}

fn is_in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}

impl Attributes {
    /// An attribute is what it says where it is set: values are never looked up in values later, so nothing refers to itself.
    fn take(&mut self, entry: &Entry<'_>, is_conditional: bool) {
        if let Entry::Begun(name, value) = entry {
            let value = value.trim_end_matches('\\').trim_end().to_owned();
            self.begun = Some(Begun { name: (*name).to_owned(), value, is_conditional });
        }
        let (name, value) = match entry {
            Entry::Set(name, value) if !is_conditional => {
                let mut written = String::new();
                let mut room = VALUE_BYTES;
                self.write_within(&mut written, value, &mut room);
                (name, Some(written).filter(|written| written.len() <= VALUE_BYTES))
            }
            Entry::Set(name, _) | Entry::Unset(name) | Entry::Begun(name, _) => (name, None),
        };
        let name = name.to_ascii_lowercase();
        match value {
            Some(value) if self.values.len() < ATTRIBUTES || self.values.contains_key(&name) => {
                self.values.insert(name, value);
            }
            Some(_) | None => {
                self.values.remove(&name);
            }
        }
    }

    /// Whether a line goes on with the value of the attribute above it; takes it in.
    fn goes_on(&mut self, line: &str) -> bool {
        let Some(mut begun) = self.begun.take() else { return false };
        let part = line.trim();
        let said = part.trim_end_matches('\\').trim_end();
        // Of a value that is too long nothing is kept.
        if begun.value.len() <= VALUE_BYTES {
            begun.value.push_str(&format!(" {said}"));
        }
        if part.is_empty() {
            return false;
        }
        match goes_on(part) {
            true => self.begun = Some(begun),
            false if part.ends_with('\\') => {}
            false => self.take(&Entry::Set(&begun.name, begun.value.trim()), begun.is_conditional),
        }
        true
    }

    fn write(&mut self, out: &mut String, line: &str) {
        let mut room = self.room;
        self.write_within(out, line, &mut room);
        self.room = room;
    }

    /// Writes a text with the values that it refers to, with so many bytes more than it has at most.
    fn write_within(&self, out: &mut String, text: &str, room: &mut usize) {
        let is_row = text.starts_with('|');
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('{') {
            out.push_str(before);
            let near = behind.get(..behind.floor_char_boundary(NAME_BYTES + 1)).unwrap_or_default();
            let name = near.split_once('}').map(|(name, _)| name).filter(|name| name.chars().all(is_in_name));
            let after = name.and_then(|name| behind.get(name.len() + 1..)).unwrap_or_default();
            let is_literal = before.ends_with('\\') || (before.ends_with('+') && after.starts_with('+'));
            let value = name.filter(|_| !is_literal).and_then(|name| self.value(name));
            let more = |value: &str| value.len().saturating_sub(name.unwrap_or_default().len() + 2);
            match value.filter(|value| more(value) <= *room && !(is_row && value.contains('|'))) {
                Some(value) => {
                    *room -= more(value);
                    out.push_str(value);
                    rest = after;
                }
                None => {
                    out.push('{');
                    rest = behind;
                }
            }
        }
        out.push_str(rest);
    }

    fn value(&self, name: &str) -> Option<&str> {
        let name = name.to_ascii_lowercase();
        let sign = || SIGNS.iter().find(|(sign, _)| *sign == name).map(|(_, says)| *says);
        self.values.get(&name).map(String::as_str).or_else(sign)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-01: what a quote of AsciiDoc says of an attribute is its value.
    #[test]
    fn lb_01_attributes_of_asciidoc_are_written_out() {
        for (text, want) in [
            ("= Guide {v}\n:v: 2.4\n\nUse {v}.\n", "= Guide 2.4\n:v: 2.4\n\nUse 2.4.\n"),
            (":v: 2.4\n:f: app-{V}.zip\n\nGet {f}, {unknown} and {v}.", "\nGet app-2.4.zip, {unknown} and 2.4."),
            (
                "Not yet {v}.\n\n:v: 2.4\n\nNow {v}.\n\n:v: 2.5\n\nThen {v}.\n\n:v!:\n\n{v}",
                "Not yet {v}.\n\n:v: 2.4\n\nNow 2.4.\n\n:v: 2.5\n\nThen 2.5.\n\n:v!:\n\n{v}",
            ),
            (":v: 2.4\n\n\\{v} and +{v}+ and `{v}` 3{nbsp}km", "\n\\{v} and +{v}+ and `2.4` 3\u{a0}km"),
            (
                ":v: 2.4\n\n----\n{v}\n----\n\n[source,subs=\"attributes\"]\n----\n{v}\n----\n{v}",
                "\n----\n{v}\n----\n\n[source,subs=\"attributes\"]\n----\n2.4\n----\n2.4",
            ),
            // What is not plain, not known as a whole or only true on a condition.
            (":v: pass:q[*2*]\n:w: one + \\\n  two\n:x:\n:y: soft@\n\n{v} {w} {x} {y}", "\n{v} {w} {x} soft"),
            (
                "= A {w}\n:w: one \\\n  two \\\nthree\n:x: {w}\n\n{w} {x}",
                "= A one two three\n:w: one \\\n\n\n:x: {w}\n\none two three one two three",
            ),
            (":w: one \\\n\nText {w}.", "\n\nText {w}."),
            (":v: 1\n\nifdef::a[]\n:v: 2\nendif::[]\n{v}", "\nifdef::a[]\n:v: 2\nendif::[]\n{v}"),
            (":v: 1\n\nifdef::a[here]\n{v}", "\nifdef::a[here]\n1"),
            (":v: a|b\n\n| {v} | {sp}\n", "\n| {v} |  \n"),
            ("A: {b: c} and {} {{v}}", "A: {b: c} and {} {{v}}"),
            ("std::{a}: x\n:: y\n: z {", "std::{a}: x\n:: y\n: z {"),
        ] {
            let written = written_out(text.to_owned());
            assert!(written.ends_with(want), "{written:?}");
            assert_eq!(written.lines().count(), text.lines().count());
        }
    }

    /// LB-01: attributes that name themselves or each other do not make a text grow.
    #[test]
    fn lb_01_hostile_attributes_do_not_grow() {
        let doubled: String = (1..100).map(|at| format!(":a{at}: {{a{0}}}{{a{0}}}\n", at - 1)).collect();
        let long = "x".repeat(200);
        for text in [
            format!(":a0: ten bytes.\n{doubled}\n{}", "{a99} {a5}\n".repeat(1_000)),
            format!(":a: {{a}}{{a}}\n:b: {{c}}\n:c: {{b}}\n\n{}", "{a} {b} {c}\n".repeat(1_000)),
            format!(":a: {long}\n\n{}", "{a}".repeat(100_000)),
            (0..50_000).map(|at| format!(":a{at}: {at}\n{{a{at}}}\n")).collect(),
            "{".repeat(500_000),
        ] {
            let length = text.len();
            assert!(written_out(text).len() <= 2 * length);
        }
    }
}
