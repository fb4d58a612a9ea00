//! What is said to a question that a text asks itself: an interview, a list of frequent questions.

use std::ops::Range;

use super::units::{cut, units};

/// An answer that ends with a question, with the paragraph or the line of a speaker that stands behind it, as far as all of it has no more
/// than `most_words` words: nobody is helped by a question that has the words of theirs.
pub(super) fn with_reply(text: &str, answer: Range<usize>, most_words: usize) -> Range<usize> {
    if !ends_with_question(cut(text, &answer)) {
        return answer;
    }
    let units = units(text);
    let behind = units.iter().skip_while(|unit| unit.place.start < answer.end);
    let mut wide = answer.clone();
    for unit in behind {
        let begins_other =
            wide.end > answer.end && (unit.begins || unit.is_label || is_apart(text, wide.end, unit.place.start));
        let longer = wide.start..unit.place.end;
        if begins_other || unit.is_row || cut(text, &longer).split_whitespace().count() > most_words {
            break;
        }
        wide = longer;
    }
    wide
}

/// Whether a text asks and says nothing else: an entry of a list of open questions.
pub(crate) fn only_asks(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| line.contains(char::is_alphanumeric)).peekable();
    lines.peek().is_some() && lines.all(ends_with_question)
}

fn ends_with_question(text: &str) -> bool {
    text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '"' | '”' | ')'))
        .ends_with(['?', '？', '؟'])
}

/// Whether an empty line stands between two places.
fn is_apart(text: &str, end: usize, start: usize) -> bool {
    cut(text, &(end..start)).matches('\n').count() > 1
}

#[cfg(test)]
#[path = "replies_tests.rs"]
mod tests;
