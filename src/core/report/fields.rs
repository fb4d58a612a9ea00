//! What data does not tell: two things that are asked of one record, and that only different records have, and what its fields leave empty.
//!
//! Settings and data are written by indentation or in sections: `checkout:` with its fields below it, `- name: …`, `{ … }`, `[server]`. What is said in
//! one record is not said of the next one of its kind.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::answer::{AskedQuestion, Fit};
use super::conditions::is_blank;
use crate::core::text::format::{self, Format, NameSays};
use crate::core::text::lines_in;

/// Places of a word that are looked at; one that stands in more is said of all.
const PLACES: usize = 32;

/// Where a word stands: in these nodes, from the outside, and below this key.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Standing<'t> {
    nodes: Vec<usize>,
    /// Of the name of a record, nothing.
    key: &'t str,
}

/// A line of data.
#[derive(Clone, Debug)]
struct Line<'t> {
    text: &'t str,
    /// How far in it stands.
    column: usize,
    /// It is a record by itself, or the beginning of one: `- name: …`, `{`.
    is_item: bool,
    /// The lines that it stands in, from the outside.
    within: Vec<usize>,
}

/// Two words that were asked for and that no record of a text has together; `path` is that of its file, `above` what stands above all of it.
pub(super) fn never_in_one_record<'a>(
    asked: &'a AskedQuestion,
    above: &[&str],
    path: &str,
    text: &str,
) -> Option<[&'a str; 2]> {
    if asked.compares() || !is_data(path) {
        return None;
    }
    let lines = lines(text);
    let keys = keys_of_nodes(&lines);
    let held_by_all: BTreeSet<usize> = above.iter().flat_map(|text| asked.held(text)).collect();
    let standing = standings(asked, &lines, &keys);
    let mut own = standing
        .iter()
        .filter(|(word, places)| asked.weighs(**word) && !held_by_all.contains(word) && places.len() <= PLACES);
    while let Some((word, one)) = own.next() {
        let is_apart =
            |other: &[Standing<'_>]| one.iter().all(|one| other.iter().all(|other| is_apart(&keys, one, other)));
        if let Some((other, _)) = own.clone().find(|(_, other)| is_apart(other)) {
            return Some([asked.word(*word)?, asked.word(*other)?]);
        }
    }
    None
}

/// Whether two places are in different records of one kind. Words below the same key are asked for side by side.
fn is_apart(keys: &BTreeMap<usize, BTreeSet<&str>>, one: &Standing<'_>, other: &Standing<'_>) -> bool {
    let none = BTreeSet::new();
    let fields = |node: &usize| keys.get(node).unwrap_or(&none);
    let parted = one.nodes.iter().zip(&other.nodes).find(|(one, other)| one != other);
    one.key != other.key && parted.is_some_and(|(one, other)| !fields(one).is_disjoint(fields(other)))
}

/// Where each word that was asked for stands.
fn standings<'t>(
    asked: &AskedQuestion,
    lines: &[Line<'t>],
    keys: &BTreeMap<usize, BTreeSet<&'t str>>,
) -> BTreeMap<usize, Vec<Standing<'t>>> {
    let mut standing: BTreeMap<usize, Vec<Standing<'t>>> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        let is_node = keys.contains_key(&at);
        let nodes: Vec<usize> = line.within.iter().copied().chain(is_node.then_some(at)).collect();
        let key = if is_node && !line.is_item { "" } else { key(line.text) };
        for word in asked.held(line.text) {
            standing.entry(word).or_default().push(Standing { nodes: nodes.clone(), key });
        }
    }
    standing
}

/// The lines that have others in them, with the keys of those right below; of an item, with its own.
fn keys_of_nodes<'t>(lines: &[Line<'t>]) -> BTreeMap<usize, BTreeSet<&'t str>> {
    let mut keys: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        let own = key(line.text);
        if let Some(node) = line.within.last() {
            keys.entry(*node).or_default().extend(Some(own).filter(|own| !own.is_empty()));
        }
        if line.is_item {
            keys.entry(at).or_default().extend(Some(own).filter(|own| !own.is_empty()));
        }
    }
    keys
}

/// The lines of data that say something, each with what it stands in.
fn lines(text: &str) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut section = 0;
    let mut end = 0;
    for span in lines_in(text, 0..text.len()) {
        // It is inside a value that goes on over several lines.
        if span.start < end {
            continue;
        }
        let line = text.get(span.clone()).unwrap_or_default().trim_end_matches(['\n', '\r']);
        end = end_of_value(text, &span);
        let bare = line.trim_start();
        let is_section = bare.starts_with('[') && bare.trim_end().ends_with(']') && !bare.contains(',');
        let begins = bare.starts_with(['{', '[']);
        if !begins && !bare.contains(char::is_alphanumeric) {
            continue;
        }
        let is_item = bare.starts_with("- ") || bare.starts_with('{');
        section = if is_section { 1 } else { section };
        let column = line.len() - bare.len() + if is_section { 0 } else { section };
        let is_above = |at: &usize| lines.get(*at).is_some_and(|above: &Line<'_>| above.column < column);
        while open.last().is_some_and(|at| !is_above(at)) {
            open.pop();
        }
        let own = lines.len();
        open.push(own);
        let begins_at = span.start + line.len() - bare.len();
        let said = if end > span.end { text.get(begins_at..end).unwrap_or(bare) } else { bare };
        lines.push(Line {
            text: said,
            column,
            is_item,
            within: open.get(..open.len() - 1).unwrap_or_default().to_vec(),
        });
        // A record that is written on one line, with or without a name.
        let inner = bare.split_once('{').filter(|(_, fields)| fields.contains('}') && fields.contains(','));
        if let Some((name, fields)) = inner {
            lines.get_mut(own).into_iter().for_each(|line| {
                line.text = name;
                line.is_item = name.trim_matches(['-', ' ']).is_empty();
            });
            let field = |text| Line { text, column: column + 1, is_item: false, within: open.clone() };
            lines.extend(fields.split(',').map(field));
        }
    }
    lines
}

/// Where the value of a line ends: one between three quotes may go on over several lines, as TOML has them. One whose end was cut off goes on to the
/// end of the text.
fn end_of_value(text: &str, line: &Range<usize>) -> usize {
    let value = value(text.get(line.clone()).unwrap_or_default()).trim();
    let quotes = ["\"\"\"", "'''"].into_iter().find(|quotes| value.starts_with(quotes));
    let Some(quotes) = quotes.filter(|quotes| value.matches(quotes).count() == 1) else { return line.end };
    let below = text.get(line.end..).unwrap_or_default();
    line.end + below.find(quotes).map_or(below.len(), |at| at + quotes.len())
}

/// The field that was asked for, where the record that has most of the question leaves it empty.
pub(super) fn nothing_in_field(asked: &AskedQuestion, path: &str, text: &str) -> Option<String> {
    if !is_data(path) {
        return None;
    }
    let lines = lines(text);
    let keys = keys_of_nodes(&lines);
    let held: Vec<BTreeSet<usize>> = lines.iter().map(|line| asked.held(line.text)).collect();
    // What the fields of each record say, but for their names.
    let mut said: BTreeMap<Option<usize>, BTreeSet<usize>> = BTreeMap::new();
    for line in &lines {
        said.entry(line.within.last().copied()).or_default().extend(asked.held(value(line.text)));
    }
    let mut best: Option<(f32, Fit)> = None;
    let mut found: Vec<&Line<'_>> = Vec::new();
    for (_, line) in lines.iter().enumerate().filter(|(at, line)| line.is_item || !keys.contains_key(at)) {
        let names = line.within.iter().filter_map(|at| held.get(*at)).flatten();
        let record: BTreeSet<usize> =
            names.chain(said.get(&line.within.last().copied()).into_iter().flatten()).copied().collect();
        let fit = asked.fit_of_name(key(line.text), &record);
        let all = record.iter().chain(&asked.held(key(line.text))).copied().collect::<BTreeSet<_>>();
        let rank = (asked.weight(all.into_iter()), fit);
        if fit == Fit::default() || best.as_ref().is_some_and(|best| rank < *best) {
            continue;
        }
        if best.as_ref() != Some(&rank) {
            found.clear();
        }
        best = Some(rank);
        found.push(line);
    }
    let first = found.first()?;
    found.iter().all(|line| is_nothing(value(line.text))).then(|| key(first.text).to_owned())
}

/// Whether a value is none: `null`, `""`.
fn is_nothing(value: &str) -> bool {
    // What follows below the bracket is the value.
    if value.trim_end().ends_with('[') {
        return false;
    }
    let bare = value.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | '}' | ']' | '['));
    is_blank(bare) || matches!(bare, "null" | "~" | "nil")
}

/// What stands behind the key of a line.
fn value(line: &str) -> &str {
    line.find([':', '=']).and_then(|end| line.get(end + 1..)).unwrap_or(line)
}

/// Whether a file is settings or data by its name.
pub(super) fn is_data(path: &str) -> bool {
    matches!(format::of_path(path), NameSays::Format(Format::Json | Format::Settings))
}

/// The key of a line: `timeout` of `"timeout": 30,` and of `timeout = 30`.
fn key(line: &str) -> &str {
    let bare = line.trim_start_matches(['-', '{', ' ', '"', '\'']);
    let end = bare.find([':', '=']).unwrap_or(0);
    bare.get(..end).unwrap_or_default().trim_end_matches([' ', '"', '\''])
}

#[cfg(test)]
#[path = "fields_tests.rs"]
mod tests;
