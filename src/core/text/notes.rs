//! Footnotes: what a note says stands where the text refers to it, as readers of office files write it: `256 GB [1: Two modules were removed.]`.
//!
//! A quote then has the note that belongs to it, and no note stands below the last heading of its document as if it were said there.

mod apply;
mod typed;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::lines::lines_in;
use super::outline::{Block, Item};
use super::quoting::OpenCode;
use super::{Contents, bracketed, cut};
pub(super) use typed::{in_text, is_literature, on_pages};

/// The longest mark of a note and the longest note that is written where it is referred to, in bytes; a longer one stays where it is.
const MARK_BYTES: usize = 60;
const NOTE_BYTES: usize = 1_000;
/// A note that is referred to once more is written again if it is no longer.
pub(super) const REPEATED_BYTES: usize = 200;

/// A note of a text.
#[derive(Debug)]
struct Note {
    mark: String,
    says: String,
    /// Where it stands.
    place: Range<usize>,
    /// Where the text refers to it, ascending.
    references: Vec<Range<usize>>,
}

/// A note as it is written into the text; it begins with a blank if there is none before it.
pub(super) fn written(before: Option<char>, mark: &str, says: &str) -> String {
    let blank = if before.is_none_or(char::is_whitespace) { "" } else { " " };
    format!("{blank}[{mark}: {says}]")
}

/// What a note says on one line; nothing of one that is too long or has code or a table in it.
pub(super) fn said(text: &str) -> Option<String> {
    let has_lines = text.lines().any(|line| line.trim_start().starts_with(['|', '`', '~']));
    let says = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (says.len() <= NOTE_BYTES && says.contains(char::is_alphanumeric) && !has_lines).then_some(says)
}

/// Writes the notes of a Markdown text, `[^1]: …`, where `[^1]` stands.
pub(super) fn in_markdown(contents: Contents) -> Contents {
    marked_notes(contents, |_| true)
}

/// The same for an office file, whose reader writes each paragraph of a note as one of the text: only a note of one paragraph is known as a whole.
pub(super) fn in_office(contents: Contents) -> Contents {
    let is_note =
        |block: &Block| marked(cut(&contents.text, &block.span)).is_some_and(|(_, rest)| rest.starts_with(':'));
    let is_end = |item: Option<&Item>| match item {
        Some(Item::Block(block)) => is_note(block),
        Some(Item::Heading { .. }) | None => true,
    };
    let ends = contents.items.iter().enumerate().filter(|(at, _)| is_end(contents.items.get(at + 1)));
    let whole: BTreeSet<usize> = ends
        .filter_map(|(_, item)| match item {
            Item::Block(block) => Some(block.span.start),
            Item::Heading { .. } => None,
        })
        .collect();
    marked_notes(contents, |block| whole.contains(&block.span.start))
}

fn marked_notes(contents: Contents, is_whole: impl Fn(&Block) -> bool) -> Contents {
    let mut notes: BTreeMap<&str, Note> = BTreeMap::new();
    for block in blocks(&contents).filter(|block| is_whole(block)) {
        let text = cut(&contents.text, &block.span);
        let Some((mark, rest)) = marked(text.trim_start()) else { continue };
        if let Some(says) = rest.strip_prefix(':').and_then(said) {
            let note = Note { mark: mark.to_owned(), says, place: block.span.clone(), references: Vec::new() };
            notes.entry(mark).or_insert(note);
        }
    }
    if notes.is_empty() {
        return contents;
    }
    let mut code = OpenCode::default();
    let mut blocks = blocks(&contents).map(|block| block.span.clone()).collect::<Vec<_>>().into_iter().peekable();
    for line in lines_in(&contents.text, 0..contents.text.len()) {
        code.read(cut(&contents.text, &line));
        while blocks.next_if(|block| block.end <= line.start).is_some() {}
        let is_text = blocks.peek().is_some_and(|block| block.start < line.end);
        if is_text && !code.is_open() {
            refer(&mut notes, &contents.text, line);
        }
    }
    let notes = notes.into_values().collect();
    apply::apply(contents, notes)
}

/// Adds what a line of text refers to.
fn refer(notes: &mut BTreeMap<&str, Note>, text: &str, line: Range<usize>) {
    let said = cut(text, &line);
    let (mut ticks, mut read) = (0, 0);
    for (at, _) in said.match_indices("[^") {
        ticks += cut(said, &(read..at)).matches('`').count();
        read = at;
        let Some((mark, rest)) = said.get(at..).and_then(marked) else { continue };
        let is_code = ticks % 2 == 1 || cut(said, &(0..at)).ends_with('\\');
        let begins_note = said.trim_start().len() + at == said.len() && rest.starts_with(':');
        if let Some(note) = notes.get_mut(mark).filter(|_| !is_code && !begins_note) {
            let start = line.start + at;
            note.references.push(start..start + mark.len() + "[^]".len());
        }
    }
}

/// The mark of `[^1]`, which a text begins with, and what follows it.
fn marked(text: &str) -> Option<(&str, &str)> {
    let (mark, rest) = bracketed(text.strip_prefix("[^")?, MARK_BYTES)?;
    (!mark.is_empty() && !mark.contains(char::is_whitespace)).then_some((mark, rest))
}

fn blocks(contents: &Contents) -> impl Iterator<Item = &Block> {
    contents.items.iter().filter_map(|item| match item {
        Item::Block(block) => Some(block),
        Item::Heading { .. } => None,
    })
}

#[cfg(test)]
mod tests;
