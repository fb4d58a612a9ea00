//! Footnotes: what a note says stands where the text refers to it, as readers of office files write it: `256 GB [1: Two modules were removed.]`.
//!
//! A quote then has the note that belongs to it, and no note stands below the last heading of its document as if it were said there.

mod apply;
mod automatic;
mod in_line;
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

/// How a note is marked where it stands and where it is referred to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `[^1]: …` and `[^1]`, as Markdown has it.
    Caret,
    /// `[fn:1] …` and `[fn:1]`, as Org has it.
    Org,
}

impl Form {
    fn opening(self) -> &'static str {
        match self {
            Self::Caret => "[^",
            Self::Org => "[fn:",
        }
    }

    /// The mark that a text begins with, and what follows it.
    fn marked(self, text: &str) -> Option<(&str, &str)> {
        let (mark, rest) = bracketed(text.strip_prefix(self.opening())?, MARK_BYTES)?;
        let is_mark = |c: char| !c.is_whitespace() && (self == Self::Caret || c != ':');
        (!mark.is_empty() && mark.chars().all(is_mark)).then_some((mark, rest))
    }

    /// The note that a text begins with: its mark, and what it says.
    fn note(self, text: &str) -> Option<(&str, &str)> {
        let (mark, rest) = self.marked(text)?;
        match self {
            Self::Caret => Some((mark, rest.strip_prefix(':')?)),
            Self::Org => rest.starts_with(char::is_whitespace).then_some((mark, rest)),
        }
    }
}

/// Writes the notes of a Markdown text, `[^1]: …`, where `[^1]` stands.
pub(super) fn in_markdown(contents: Contents) -> Contents {
    let places = blocks(&contents).map(|block| block.span.clone()).collect();
    marked_notes(contents, Form::Caret, places)
}

/// The same for Org, where notes may follow each other line by line, or stand in the text.
pub(super) fn in_org(contents: Contents) -> Contents {
    let contents = in_line::written(contents);
    let text = &contents.text;
    let mut places: Vec<Range<usize>> = Vec::new();
    for block in blocks(&contents) {
        let begun = places.len();
        for line in lines_in(text, block.span.clone()) {
            let is_note = Form::Org.note(cut(text, &line)).is_some();
            match places.get_mut(begun..).and_then(<[_]>::last_mut) {
                Some(last) if !is_note => last.end = line.end,
                Some(_) | None if is_note => places.push(line),
                Some(_) | None => {}
            }
        }
    }
    marked_notes(contents, Form::Org, places)
}

/// The same for an office file, whose reader writes each paragraph of a note as one of the text: only a note of one paragraph is known as a whole.
pub(super) fn in_office(contents: Contents) -> Contents {
    let is_note = |block: &Block| Form::Caret.note(cut(&contents.text, &block.span)).is_some();
    let is_end = |item: Option<&Item>| match item {
        Some(Item::Block(block)) => is_note(block),
        Some(Item::Heading { .. }) | None => true,
    };
    let ends = contents.items.iter().enumerate().filter(|(at, _)| is_end(contents.items.get(at + 1)));
    let whole = ends
        .filter_map(|(_, item)| match item {
            Item::Block(block) => Some(block.span.clone()),
            Item::Heading { .. } => None,
        })
        .collect();
    marked_notes(contents, Form::Caret, whole)
}

/// Writes notes where they are referred to; these places are notes as a whole, if they begin as such.
fn marked_notes(contents: Contents, form: Form, places: Vec<Range<usize>>) -> Contents {
    let (mut notes, mut marks) = (BTreeMap::<&str, Note>::new(), BTreeSet::new());
    for place in places {
        let Some((mark, says)) = form.note(cut(&contents.text, &place).trim_start()) else { continue };
        // Of two in Markdown the first one is the note; in Org nobody can tell which of them is meant.
        let is_twice = !marks.insert(mark);
        if is_twice && form == Form::Org {
            notes.remove(mark);
        }
        if let Some(says) = said(says).filter(|_| !is_twice) {
            let note = Note { mark: mark.to_owned(), says, place, references: Vec::new() };
            notes.insert(mark, note);
        }
    }
    if notes.is_empty() {
        return contents;
    }
    let (mut code, mut is_source) = (OpenCode::default(), false);
    let mut blocks = blocks(&contents).map(|block| block.span.clone()).collect::<Vec<_>>().into_iter().peekable();
    for line in lines_in(&contents.text, 0..contents.text.len()) {
        code.read(cut(&contents.text, &line));
        is_source = form == Form::Org && is_source_behind(cut(&contents.text, &line), is_source);
        while blocks.next_if(|block| block.end <= line.start).is_some() {}
        let is_text = blocks.peek().is_some_and(|block| block.start < line.end);
        if is_text && !code.is_open() && !is_source {
            refer(&mut notes, &contents.text, line, form);
        }
    }
    let notes = notes.into_values().collect();
    apply::apply(contents, notes)
}

/// Whether what stands behind a line of Org is code or an example.
fn is_source_behind(line: &str, is_source: bool) -> bool {
    let said = line.trim_start();
    let begins = |lead: &str| said.get(..lead.len()).is_some_and(|start| start.eq_ignore_ascii_case(lead));
    match is_source {
        true => !(begins("#+end_src") || begins("#+end_example")),
        false => begins("#+begin_src") || begins("#+begin_example"),
    }
}

/// Adds what a line of text refers to.
fn refer(notes: &mut BTreeMap<&str, Note>, text: &str, line: Range<usize>, form: Form) {
    let said = cut(text, &line);
    let (mut ticks, mut read) = (0, 0);
    for (at, _) in said.match_indices(form.opening()) {
        ticks += cut(said, &(read..at)).matches('`').count();
        read = at;
        let here = said.get(at..).unwrap_or_default();
        let Some((mark, rest)) = form.marked(here) else { continue };
        let is_code = ticks % 2 == 1 || cut(said, &(0..at)).ends_with('\\');
        let begins_note = said.trim_start().len() + at == said.len() && form.note(here).is_some();
        if let Some(note) = notes.get_mut(mark).filter(|_| !is_code && !begins_note) {
            let start = line.start + at;
            note.references.push(start..start + here.len() - rest.len());
        }
    }
}

fn blocks(contents: &Contents) -> impl Iterator<Item = &Block> {
    contents.items.iter().filter_map(|item| match item {
        Item::Block(block) => Some(block),
        Item::Heading { .. } => None,
    })
}

#[cfg(test)]
mod tests;
