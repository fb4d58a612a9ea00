//! Paragraphs that are entries for themselves: they begin with a lead in bold, the name of what they explain, or a question that they answer.

use std::collections::BTreeSet;
use std::ops::Range;

use super::units::{cut, is_list_item};
use crate::core::text::lines_in;
use crate::core::text::quoting::OpenCode;
use crate::core::text::table_rows::is_table_rule;

/// Words of a lead in bold: `**Fire alarm.** Cause was …`.
const LEAD_WORDS: usize = 8;
/// Words of a term that stands above what is said of it.
const TERM_WORDS: usize = 8;
/// One such paragraph among others is none of a list of entries.
const LEAST_ENTRIES: usize = 2;

/// Where lines begin that head all of their paragraph.
pub(super) fn heads_of_paragraphs(text: &str) -> BTreeSet<usize> {
    let (mut leads, mut terms, mut questions) = (Vec::new(), Vec::new(), Vec::new());
    let mut code = OpenCode::default();
    let mut before = "";
    let mut lines = lines_in(text, 0..text.len()).peekable();
    while let Some(place) = lines.next() {
        let line = cut(text, &place).trim_end();
        let was_code = code.is_open();
        code.read(line);
        let next = lines.peek().map_or("", |next| cut(text, next).trim_end());
        let is_text =
            !was_code && !code.is_open() && line.starts_with(|c: char| !c.is_whitespace() && c != '|' && c != '#');
        if is_text && !is_list_item(line) && !is_table_rule(line) {
            let is_first = before.trim().is_empty();
            let is_behind_sentence = is_first || before.ends_with(['.', '!', ')']);
            if is_first && has_bold_lead(line) {
                leads.push(place.start);
            } else if is_first && is_code(line) && !next.is_empty() {
                terms.push(place.start);
            } else if is_behind_sentence && asks(line) && !next.is_empty() && !asks(next) {
                questions.push(place.start);
            }
        }
        before = line;
    }
    let many = [leads, questions].into_iter().filter(|heads| heads.len() >= LEAST_ENTRIES);
    many.chain([terms]).flatten().collect()
}

/// Whether a line begins with a lead in bold that is told from what follows it.
fn has_bold_lead(line: &str) -> bool {
    let Some((lead, rest)) = line.strip_prefix("**").and_then(|line| line.split_once("**")) else { return false };
    let is_ended = lead.ends_with(['.', ':', '?', '!']) || rest.starts_with([':', '.', '?']);
    let words = lead.split_whitespace().count();
    is_ended && (1..=LEAD_WORDS).contains(&words) && rest.contains(char::is_alphanumeric)
}

fn asks(line: &str) -> bool {
    line.trim_end_matches(['*', '_', ' ']).ends_with(['?', '？']) && line.starts_with(|c: char| !c.is_lowercase())
}

/// Whether a line is code and nothing else: the name of an option or of a file.
fn is_code(line: &str) -> bool {
    let line = line.trim();
    let is_marked = line.len() > 2 && line.starts_with('`') && line.ends_with('`') && !line.starts_with("``");
    let outside: String = line.split('`').step_by(2).collect();
    is_marked && !outside.contains(char::is_alphanumeric) && line.split_whitespace().count() <= TERM_WORDS
}

/// Whether a line is a path and nothing else.
fn is_path(line: &str) -> bool {
    let line = line.trim();
    let is_rooted = line.starts_with(['/', '~']) || line.split('/').count() > 2;
    is_rooted && line.contains(char::is_alphanumeric) && !line.contains(char::is_whitespace) && !line.contains("://")
}

/// Whether a paragraph is the name of an option or a file that stands above what is said of it; it may be the only item of a list.
pub(super) fn is_term(paragraph: &str) -> bool {
    let name = paragraph.strip_prefix("- ");
    is_code(name.unwrap_or(paragraph)) || name.is_some_and(is_path)
}

/// Whether an item of a list is the only one and names the paragraph below it: `- /etc/x.conf`, and below it `The default configuration file.`
pub(super) fn is_single_item(text: &str, place: &Range<usize>) -> bool {
    let (before, after) = (cut(text, &(0..place.start)), cut(text, &(place.end..text.len())));
    let above = before.trim_end();
    let is_apart = |blank: &str| blank.matches('\n').count() > 1;
    let above_apart = above.is_empty() || is_apart(cut(text, &(above.len()..place.start)));
    let below = after.trim_start();
    let below_apart = is_apart(after.get(..after.len() - below.len()).unwrap_or_default());
    let is_paragraph = !below.is_empty() && !is_list_item(below) && !below.starts_with(['|', '#', '`', '>']);
    let is_announced = above.trim_end_matches(['*', '_']).ends_with([':', '：']);
    let last_line = above.lines().next_back().unwrap_or_default().trim_start();
    above_apart && below_apart && is_paragraph && !is_announced && !is_list_item(last_line)
}

/// Sentences with the notes that they refer to: `It was 16 days. [1: Without the sheet.]`
pub(super) fn with_notes(text: &str, places: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(places.len());
    for place in places {
        let is_of = |last: &Range<usize>| {
            let is_same_line = !cut(text, &(last.end..place.start)).contains('\n');
            is_same_line && (note(cut(text, &place)).is_some() || has_open_note(cut(text, last)))
        };
        match joined.last_mut() {
            Some(last) if is_of(last) => last.end = place.end,
            Some(_) | None => joined.push(place),
        }
    }
    joined
}

/// The longest mark of a note, in bytes.
const MARK_BYTES: usize = 24;

/// What follows the mark of a note that a text begins with.
fn note(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('[')?;
    // Nobody looks further for the end of a mark, however many brackets a text opens.
    let (mark, _) = inner.get(..inner.floor_char_boundary(MARK_BYTES))?.split_once(": ")?;
    let is_mark = !mark.is_empty() && !mark.contains([' ', '[', ']', '\n']);
    inner.get(mark.len() + 2..).filter(|_| is_mark)
}

/// Whether a note begins in a text and does not end there.
fn has_open_note(text: &str) -> bool {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '[' if depth > 0 || text.get(at..).and_then(note).is_some() => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    depth > 0
}

#[cfg(test)]
#[path = "entries_tests.rs"]
mod tests;
