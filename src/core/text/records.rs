//! Lists of records in settings and data that are written by indentation: `- name: …`, with what is said of it below.
//!
//! A block that is too long is cut between the items of its lists, so that no passage has the end of one record and the beginning of another.

use std::ops::Range;

use super::outline::{Block, CutAt, Item};
use super::passages::words;
use super::{cut, one_line};
use crate::core::base::limits::PASSAGE_MAX_WORDS;

/// Lists inside items that are cut between their items; a deeper one is cut between its lines.
const LEVELS: u8 = 5;
/// Lines before the first item that only name the list are shown with it, in words.
const NAME_WORDS: usize = 12;
/// A longer line does not name a record, in bytes.
const NAME_BYTES: usize = 80;

/// The same items, with blocks that are too long cut between records.
pub(super) fn apart(text: &str, items: Vec<Item>) -> Vec<Item> {
    let mut out = Vec::with_capacity(items.len());
    for item in items {
        match item {
            Item::Block(block) if is_long(text, &block.span) => cut_between(text, block, &mut out),
            Item::Block(_) | Item::Heading { .. } => out.push(item),
        }
    }
    out
}

fn is_long(text: &str, span: &Range<usize>) -> bool {
    words(cut(text, span).trim()) > PASSAGE_MAX_WORDS
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
        out.extend(heading.map(|text| Item::Heading { level, text, span: start..start }));
        let spans = if level < LEVELS && is_long(text, &block.span) { spans(text, &block.span, level) } else { vec![] };
        if spans.len() < 2 {
            out.push(Item::Block(block));
            continue;
        }
        let mut was_long = false;
        let inner = spans.into_iter().map(|span| {
            // What is left of one that is cut must not stand with the next.
            let is_long = is_long(text, &span);
            let heading = (is_long || was_long).then(|| if is_long { name(text, &span) } else { String::new() });
            was_long = is_long;
            let inside = |at: usize| block.cuts.partition_point(|cut| *cut <= at);
            let cuts = block.cuts.get(inside(span.start)..inside(span.end)).unwrap_or_default().to_vec();
            Part { block: Block { span, shape: CutAt::Lines, cuts }, level: level + 1, heading }
        });
        let inner: Vec<Part> = inner.collect();
        parts.extend(inner.into_iter().rev());
    }
}

/// The items of the outermost lists, and what stands before, between and behind them. A part of a part is an item itself, whose own mark begins it.
fn spans(text: &str, all: &Range<usize>, level: u8) -> Vec<Range<usize>> {
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
        let is_mark = said.starts_with("- ") || said.trim_end() == "-";
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
fn name(text: &str, span: &Range<usize>) -> String {
    // Before it the name of its list may stand.
    let mut lines = cut(text, span).lines().take(NAME_WORDS + 1).map(str::trim);
    let first = lines.clone().find(|line| line.starts_with("- ")).or_else(|| lines.next()).unwrap_or_default();
    let first = first.strip_prefix("- ").unwrap_or(first).trim_end_matches(':');
    let key = first.split_once(": ").map(|(key, _)| key);
    let name = if first.len() <= NAME_BYTES { Some(first) } else { key.filter(|key| key.len() <= NAME_BYTES) };
    name.map(one_line).unwrap_or_default()
}
