//! What stands at the top of a text and only names it: a title, headings, the head of a mail. It has the names that a question has, and says
//! nothing of them, so it is no answer by itself.

use std::ops::Range;

use super::units::{Unit, adjoins, cut, is_code, is_numbered};
use crate::core::evidence::passage::Passage;
use crate::core::text::quoting::fence;
use crate::core::text::spans;

/// Words of the longest line of a title.
const TITLE_WORDS: usize = 12;

/// How many units a text begins with that are its title: each stands for itself, and something stands below them.
pub(super) fn titles(text: &str, units: &[Unit]) -> usize {
    let is_title = |(unit, next): &(&Unit, &Unit)| {
        let said = cut(text, &unit.place);
        let stands_alone = !adjoins(text, &unit.place, &next.place) && said.lines().all(|line| !has_field(line));
        said.starts_with('#') || (is_plain(text, unit) && stands_alone && is_head(said))
    };
    units.iter().zip(units.iter().skip(1)).take_while(is_title).count()
}

/// The first paragraph of a text if it is a title, whatever sentence it runs into.
pub(super) fn title_part(text: &str) -> &str {
    let Some((first, rest)) = text.trim_start().split_once("\n\n") else { return "" };
    let is_other =
        |line: &str| has_field(line) || line.trim_start().starts_with(['-', '*', '+', '•', '`', '~', '[', '{']);
    let is_title = |line: &str| line.starts_with('#') || (is_head(line) && !is_other(line) && !is_numbered(line));
    let has_rest = rest.contains(char::is_alphanumeric);
    if has_rest && first.lines().all(is_title) { first } else { "" }
}

/// An answer that is no more than the head of its text, with what stands below it: with all of it if that has no more than `short_words` words,
/// else as far as it has no more than `most_words`.
pub(super) fn with_text_below(
    text: &str,
    units: &[Unit],
    answer: Range<usize>,
    most_words: usize,
    short_words: usize,
) -> Range<usize> {
    let inside: Vec<&Unit> = units.iter().filter(|unit| unit.place.start < answer.end).collect();
    let begins = inside.first().is_some_and(|unit| answer.start <= unit.place.start);
    let is_only_head = inside.iter().all(|unit| {
        let said = cut(text, &unit.place);
        said.starts_with('#') || (is_plain(text, unit) && is_head(said))
    });
    let mut wide = answer;
    if !begins || !is_only_head {
        return wide;
    }
    // A short text is quoted whole.
    let whole = wide.start..text.trim_end().len();
    if cut(text, &whole).split_whitespace().count() <= short_words {
        return whole;
    }
    for unit in units.iter().skip(inside.len()) {
        let longer = wide.start..unit.place.end.max(wide.end);
        if cut(text, &longer).split_whitespace().count() > most_words {
            break;
        }
        wide = longer;
    }
    wide
}

/// Whether a text is nothing but headings.
pub(super) fn is_only_headings(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| line.contains(char::is_alphanumeric)).peekable();
    lines.peek().is_some() && lines.all(|line| line.starts_with('#') && fence(line).is_none())
}

/// The lines with which a mail begins: who sent it to whom, and when. The caption of its quote says that as well.
pub(super) fn mail_head(passage: &Passage) -> &str {
    let text = passage.text.as_str();
    let is_mail = passage.lines.unit == spans::Unit::Message && text.starts_with("From: ");
    let Some(end) = text.find("\n\n").filter(|_| is_mail) else { return "" };
    let head = text.get(..end + 2).unwrap_or_default();
    let has_body = text.get(head.len()..).is_some_and(|body| body.contains(char::is_alphanumeric));
    if has_body && head.lines().all(|line| line.is_empty() || has_field(line)) { head } else { "" }
}

/// Whether a unit is neither of a list, of a table nor of code.
fn is_plain(text: &str, unit: &Unit) -> bool {
    !(unit.is_row || unit.is_item || unit.is_cells || is_code(text, &unit.place))
}

/// Whether no line of a text is a sentence or the row of a table.
fn is_head(said: &str) -> bool {
    let is_short = |line: &str| {
        let bare = line.trim_end_matches(['*', '_', '`', '"', ')', ' ']);
        let ends = bare.ends_with(['.', '!', '?', ';', ',', ':', '。', '！', '？', '…']);
        !ends && !line.starts_with(['|', '>']) && line.split_whitespace().count() <= TITLE_WORDS
    };
    said.lines().all(is_short)
}

/// Whether a line is a field with its value: `Patient: Ann Lee`.
fn has_field(line: &str) -> bool {
    line.split_once(": ").is_some_and(|(name, value)| !name.trim().is_empty() && !value.trim().is_empty())
}

#[cfg(test)]
#[path = "titles_tests.rs"]
mod tests;
