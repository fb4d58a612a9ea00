//! Whether a paragraph goes on over the end of a page.

use super::{NumberedText, is_row};
use crate::core::language::fold::folded;
use crate::core::language::{detect, item_number};
use crate::core::text::table_rows::is_table_rule;

/// A line of fewer words that ends no sentence may be a heading.
const HEADING_WORDS: usize = 12;
/// The last line of a paragraph that goes on is about as long as its longest one, in percent.
const FULL_LINE: usize = 75;
/// Lines of a paragraph that are looked at, from its end.
const LINES: usize = 40;

/// English words that no sentence and no heading ends with; `language` has those of others.
const OPEN_WORDS: [&str; 51] = [
    "a", "about", "after", "an", "and", "are", "as", "at", "be", "been", "before", "between", "but", "by", "can",
    "could", "for", "from", "had", "has", "have", "his", "if", "into", "is", "its", "may", "must", "nor", "of", "on",
    "or", "our", "shall", "should", "such", "than", "that", "the", "their", "these", "this", "to", "was", "were",
    "which", "who", "whose", "will", "with", "would",
];

/// Whether the last paragraph of a page goes on with the first one of the next. Rows of a table go on with those above them.
pub(crate) fn goes_on(before: NumberedText<'_>, after: NumberedText<'_>) -> bool {
    let ((number, before), (next, after)) = (before, after);
    let last = before.trim_end().rsplit("\n\n").next().unwrap_or_default();
    let first = after.trim_start().split("\n\n").next().unwrap_or_default();
    let (Some(end), Some(start)) = (last.lines().next_back(), first.lines().next()) else { return false };
    let has_head = || first.lines().nth(1).is_some_and(is_table_rule);
    if number.checked_add(1) == Some(next) && is_row(end) && is_row(start) {
        return !has_head();
    }
    if number.checked_add(1) != Some(next)
        || ends_sentence(end)
        || is_marked_item(start)
        || is_cells(end)
        || is_cells(start)
    {
        return false;
    }
    let is_open = is_open(end);
    if !is_open && (is_marked_item(end) || is_in_capitals(end)) {
        return false;
    }
    let begins = start.chars().find(|c| c.is_alphanumeric());
    match begins {
        None => false,
        Some(c) if c.is_lowercase() => true,
        Some(c) if c.is_ascii_digit() => goes_on_with_number(last, end, first, start, is_open),
        Some(_) => !is_heading(first) && (is_open || is_prose_to_the_edge(last, end)),
    }
}

/// A number may begin a heading, an item or a row as well.
fn goes_on_with_number(last: &str, end: &str, first: &str, start: &str, is_open: bool) -> bool {
    let is_number = |c: char| c.is_ascii_digit();
    let second = start.split_whitespace().nth(1).unwrap_or_default();
    let has_unit = second.starts_with(|c: char| c.is_lowercase() || !c.is_alphanumeric());
    if is_open {
        return has_unit || !is_heading(first);
    }
    let is_row = end.ends_with(is_number) || end.starts_with(is_number);
    !is_row && (has_unit || (!is_heading(first) && is_prose_to_the_edge(last, end)))
}

/// Whether a line ends with the end of a sentence, or with what announces something.
fn ends_sentence(line: &str) -> bool {
    let bare = line.trim_end_matches(['"', '\'', '”', '’', '“', '»', '«', ')', ']', '*', '_', ' ']);
    bare.ends_with(['.', '!', '?', ':', ';', '…', '。', '！', '？', '：'])
}

/// Whether something must follow a line: it ends with a comma, with a word that was cut, or with a word that stands before others.
fn is_open(line: &str) -> bool {
    let line = line.trim_end();
    let word = line.rsplit(char::is_whitespace).next().unwrap_or_default();
    let is_cut = word.strip_suffix(['-', '\u{ad}', '‐']).is_some_and(|word| word.ends_with(char::is_alphabetic));
    let is_small = !word.is_empty() && word.chars().all(|c| c.is_alphabetic() && !c.is_uppercase());
    let is_grammar = || OPEN_WORDS.contains(&word) || detect::is_of_grammar(&folded(word));
    line.ends_with(',') || is_cut || (is_small && is_grammar())
}

/// Cells of a row, where a program wrote what parts them.
fn is_cells(line: &str) -> bool {
    line.contains(['|', '\t'])
}

fn is_marked_item(line: &str) -> bool {
    let is_bullet = line.starts_with(['•', '◦', '▪', '‣', '●', '○', '■', '□', '·', '\u{f0b7}']);
    let is_dash = ["- ", "– ", "— ", "* "].iter().any(|mark| line.starts_with(mark));
    is_bullet || is_dash || item_number(line).is_some()
}

fn is_in_capitals(line: &str) -> bool {
    line.contains(char::is_alphabetic) && !line.contains(char::is_lowercase) && line.contains(char::is_uppercase)
}

/// A short line that stands by itself and is no sentence.
fn is_heading(paragraph: &str) -> bool {
    let mut lines = paragraph.lines();
    let line = lines.next().unwrap_or_default();
    lines.next().is_none() && !ends_sentence(line) && line.split_whitespace().count() <= HEADING_WORDS
}

/// Whether a paragraph is prose that was cut by the edge of the page: its last line is full, and its lines go on with each other. Rows of a table
/// begin with names and numbers.
fn is_prose_to_the_edge(paragraph: &str, end: &str) -> bool {
    let goes_on = |line: &&str| line.starts_with(|c: char| c.is_alphabetic() && !c.is_uppercase());
    let is_wrapped = paragraph.lines().skip(1).take(LINES).any(|line| goes_on(&line));
    let longest = paragraph.lines().rev().take(LINES).map(|line| line.chars().count()).max().unwrap_or_default();
    is_wrapped && end.chars().count() * 100 >= longest * FULL_LINE
}
