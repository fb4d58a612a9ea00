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
    with_reply_above(text, wide, most_words)
}

/// A question that a mail quotes below its reply, with that reply: all that stands above it, or the paragraph above the quotation.
fn with_reply_above(text: &str, quoted: Range<usize>, most_words: usize) -> Range<usize> {
    let start = text.get(..quoted.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let is_quoted = |line: &str| line.trim_start().starts_with('>');
    if !cut(text, &(start..quoted.end)).lines().all(is_quoted) {
        return quoted;
    }
    let is_of_quotation = |line: &&str| is_quoted(line) || line.trim().is_empty();
    let above = text.get(..start).unwrap_or_default();
    let length: usize = above.split_inclusive('\n').rev().take_while(is_of_quotation).map(str::len).sum();
    let reply = above.get(..above.len() - length).unwrap_or_default();
    // `On Sunday Ed wrote:`
    let said = reply.trim_end();
    let said = said.strip_suffix(':').map_or(said, |said| said.rsplit_once("\n\n").unwrap_or_default().0).trim_end();
    let paragraph = said.rfind("\n\n").map_or(0, |at| at + 2);
    let fits = |from: &usize| cut(text, &(*from..quoted.end)).split_whitespace().count() <= most_words;
    let from = [0, paragraph].into_iter().filter(|_| !reply.trim().is_empty()).find(fits);
    from.map_or(quoted.clone(), |from| from..quoted.end)
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
