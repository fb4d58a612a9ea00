//! Records in settings and data that are written by indentation: `- name: …`, or `web1:` below `hosts:`, with what is said of it below.
//!
//! A block that is too long is cut between its records, so that no passage has the end of one record and the beginning of another.

use std::collections::BTreeMap;
use std::ops::Range;

use super::lines::indent;
use super::outline::{Block, CutAt, Item};
use super::passages::words;
use super::settings_banners::SECTION;
use super::{cut, one_line};
use crate::core::base::limits::PASSAGE_MAX_WORDS;

/// Lists inside items that are cut between their items; a deeper one is cut between its lines.
const LEVELS: u8 = 5;
/// Lines before the first item that only name the list are shown with it, in words.
const NAME_WORDS: usize = 12;
/// Lines of settings that are quoted together at most.
const QUOTED_LINES: usize = 12;
/// A longer line does not name a record, in bytes.
const NAME_BYTES: usize = 80;

/// The same items, with blocks that are too long cut between records.
pub(super) fn apart(text: &str, items: Vec<Item>) -> Vec<Item> {
    let mut out = Vec::with_capacity(items.len());
    for item in items {
        match item {
            Item::Block(block) if is_cut(text, &block.span) => cut_between(text, block, &mut out),
            Item::Block(_) | Item::Heading { .. } => out.push(item),
        }
    }
    out
}

fn is_long(text: &str, span: &Range<usize>) -> bool {
    words(cut(text, span).trim()) > PASSAGE_MAX_WORDS
}

/// Whether a record is longer than what is quoted of one, so that its name may not be quoted with what is said in it.
fn is_tall(text: &str, span: &Range<usize>) -> bool {
    is_long(text, span) || cut(text, span).trim().lines().nth(QUOTED_LINES).is_some()
}

/// Whether a block is cut between its records: it is long, or has a record that needs its name above it.
fn is_cut(text: &str, span: &Range<usize>) -> bool {
    is_long(text, span) || {
        let (records, _) = of_records(text, span, 1);
        records.len() > 1 && records.iter().any(|record| is_tall(text, record))
    }
}

/// What is still to be cut or written.
#[derive(Debug)]
struct Part {
    block: Block,
    level: u8,
    /// What stands above it from here on, where something else stood there before.
    heading: Option<String>,
}

fn cut_between(text: &str, block: Block, out: &mut Vec<Item>) {
    let mut parts = vec![Part { block, level: 1, heading: None }];
    while let Some(Part { block, level, heading }) = parts.pop() {
        let start = block.span.start;
        // Below the key or the section that the block stands in.
        let below = SECTION + level - 1;
        out.extend(heading.map(|text| Item::Heading { level: below, text, span: start..start }));
        let is_first = level == 1 || is_long(text, &block.span);
        let (spans, mark) =
            if level < LEVELS && is_first { of_records(text, &block.span, level) } else { (vec![], Mark::Item) };
        if spans.len() < 2 {
            out.push(Item::Block(block));
            continue;
        }
        let mut was_tall = false;
        let inner = spans.into_iter().map(|span| {
            // What is left of one that is cut must not stand with the next.
            let is_tall = is_tall(text, &span);
            let heading = (is_tall || was_tall).then(|| if is_tall { name(text, &span, mark) } else { String::new() });
            was_tall = is_tall;
            let inside = |at: usize| block.cuts.partition_point(|cut| *cut <= at);
            let cuts = block.cuts.get(inside(span.start)..inside(span.end)).unwrap_or_default().to_vec();
            Part { block: Block { span, shape: CutAt::Lines, cuts }, level: level + 1, heading }
        });
        let inner: Vec<Part> = inner.collect();
        parts.extend(inner.into_iter().rev());
    }
}

/// How a record begins.
#[derive(Clone, Copy, Debug)]
enum Mark {
    /// `- name: web`
    Item,
    /// `web:`, indented so far.
    Key(usize),
}

/// The records of a part, and what stands before, between and behind them: the items of its outermost lists, or what stands below keys of one depth, whichever
/// is farther out.
fn of_records(text: &str, all: &Range<usize>, level: u8) -> (Vec<Range<usize>>, Mark) {
    let lines = || cut(text, all).lines().filter(|line| !is_comment(line));
    let own = lines().next().map_or(0, indent);
    let items = lines().skip(usize::from(level > 1)).filter(|line| is_item(line)).map(indent).min();
    // The outermost keys of which there are several.
    let mut keys: BTreeMap<usize, usize> = BTreeMap::new();
    for line in lines().filter(|line| indent(line) > own && !is_item(line) && line.trim_end().ends_with(':')) {
        *keys.entry(indent(line)).or_default() += 1;
    }
    let inner = keys.into_iter().find(|(_, count)| *count > 1).map(|(inner, _)| inner);
    let mark = match inner.filter(|inner| items.is_none_or(|items| *inner < items)) {
        Some(inner) => Mark::Key(inner),
        None => Mark::Item,
    };
    (spans(text, all, level, mark), mark)
}

fn is_item(line: &str) -> bool {
    let said = line.trim();
    said.starts_with("- ") || said == "-"
}

/// Whether a line says nothing by itself: a comment, or none.
fn is_comment(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with(['#', ';'])
}

/// The records that begin so. A part of a part is a record itself, whose own mark begins it.
fn spans(text: &str, all: &Range<usize>, level: u8, mark: Mark) -> Vec<Range<usize>> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    let mut at = all.start;
    // How deep the open item is indented.
    let mut open: Option<usize> = None;
    for line in cut(text, all).split_inclusive('\n') {
        let span = at..at + line.len();
        at = span.end;
        let said = line.trim_start();
        let indent = line.len() - said.len();
        let is_first = span.start == all.start;
        let is_mark = match mark {
            Mark::Item => is_item(said),
            Mark::Key(inner) => indent == inner && !is_comment(line) && said.trim_end().ends_with(':'),
        };
        let is_item = is_mark && open.is_none_or(|outer| indent <= outer) && !(is_first && level > 1);
        // A comment may stand anywhere, and speaks of what follows it.
        let ends = !said.is_empty() && !is_item && open.is_some_and(|outer| indent <= outer);
        let is_named = |list: &Range<usize>| open.is_none() && words(cut(text, list).trim()) <= NAME_WORDS;
        match spans.last_mut() {
            Some(last) if !ends && (!is_item || is_named(last)) => last.end = span.end,
            Some(_) | None => spans.push(span),
        }
        if is_item {
            open = Some(indent);
        } else if ends {
            open = None;
        }
    }
    spans
}

/// What a record says first of itself, `name: web`, or only its key where it says much.
fn name(text: &str, span: &Range<usize>, mark: Mark) -> String {
    // Before it the name of its list may stand.
    let lines = || cut(text, span).lines().take(NAME_WORDS + 1);
    let begins = |line: &&str| match mark {
        Mark::Item => line.trim_start().starts_with("- "),
        Mark::Key(inner) => indent(line) == inner && !is_comment(line),
    };
    let first = lines().find(begins).or_else(|| lines().next()).unwrap_or_default().trim();
    let first = first.strip_prefix("- ").unwrap_or(first).trim_end_matches(':');
    let key = first.split_once(": ").map(|(key, _)| key);
    let name = if first.len() <= NAME_BYTES { Some(first) } else { key.filter(|key| key.len() <= NAME_BYTES) };
    name.map(one_line).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::{Format, extract};

    /// The headings of the passages of settings, with the first line of each.
    fn passages(text: &str) -> Vec<(String, String)> {
        let document = extract(Format::Settings, text.as_bytes().to_vec()).unwrap();
        let shown = |piece: &super::super::Piece| {
            let first = document.passage_text(piece).lines().next().unwrap_or_default().trim().to_owned();
            (piece.headings.join(" > "), first)
        };
        document.passages.iter().map(shown).collect()
    }

    /// LB-01: whatever is said in a record of many lines stands below its name, written as an item or as a key.
    #[test]
    fn lb_01_records_stand_below_their_names() {
        let fields = |indent: &str| (0..16).map(|at| format!("{indent}field{at}: {at}\n")).collect::<String>();
        let of = |headings: &str, first: &str| (headings.to_owned(), first.to_owned());
        let keys = format!("hosts:\n  web1:\n{0}  # The spare one.\n  web2:\n{0}", fields("    "));
        assert_eq!(passages(&keys), [of("hosts > web1", "hosts:"), of("hosts > web2", "# The spare one.")]);
        let items = format!("hosts:\n  - name: web1\n{0}  - name: web2\n{0}", fields("    "));
        assert_eq!(passages(&items), [of("hosts > name: web1", "hosts:"), of("hosts > name: web2", "- name: web2")]);
        let deep = format!("all:\n  hosts:\n    web1:\n{0}    web2:\n{0}", fields("      "));
        assert_eq!(passages(&deep), [of("all > web1", "all:"), of("all > web2", "web2:")]);
        let small = "hosts:\n  web1:\n    port: 1\n  web2:\n    port: 2\n";
        assert_eq!(passages(small), [of("hosts", "hosts:")]);
        let lists = fields("      ") + "      - a\n      - b\n";
        let services = format!("services:\n  web:\n    ports:\n{lists}  db:\n    ports:\n{lists}");
        assert_eq!(passages(&services), [of("services > web", "services:"), of("services > db", "db:")]);
        let flat = format!("limits:\n{}", fields("  "));
        assert_eq!(passages(&flat), [of("limits", "limits:")]);
    }
}
