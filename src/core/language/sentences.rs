//! Where sentences end. Good enough to cut a passage or pick an extract; it knows common English abbreviations
//! and no grammar.

use std::ops::Range;

use crate::core::base::plain::is_digits;
use crate::core::base::rows::is_listed;
use crate::core::language::days::{BEFORE_DAYS, days};
use crate::core::language::months;
use crate::core::language::note_marks::note_mark;

/// Words whose full stop ends no sentence. Lower case, without the stop.
const ABBREVIATIONS: &str = "al approx apr art aug ca cf ch co dec dept dr e.g ed eds eq est feb fig figs i.e inc jan \
     jr ltd mr mrs ms nov oct pp prof sec sept sr st u.s vol vs";

/// Words that are one only where a number follows: a sentence may end with them too.
const BEFORE_NUMBERS: &str = "abs avg bd ext incl max min no nos nr para ref tel ver";

/// Digits or letters of the number of an item; more are a year or a word.
const MOST_OF_A_NUMBER: usize = 3;
/// Characters of the number of a clause; nine levels of one digit have seventeen.
const MOST_OF_A_CLAUSE_NUMBER: usize = 20;

/// The longest of them and a little more, in bytes: how far back a full stop looks.
const LOOK_BACK: usize = 8;
/// No longer is a day in figures with what stands before it: `Donnerstag, 20.10`.
const DAY_BYTES: usize = 24;

/// Whether a heading or a sentence is a question; emphasis and a mark that links to it may stand behind it.
pub(crate) fn is_question(heading: &str) -> bool {
    heading.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '?' | '？')).ends_with(['?', '？'])
}

/// The sentences of a text, as ranges without the white space between them. A blank line ends a sentence too.
pub(crate) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c.is_whitespace() {
            if c == '\n' && blank_line_follows(&mut chars) {
                found.extend(start.take().map(|start| start..end));
            }
            continue;
        }
        let start_here = *start.get_or_insert(at);
        end = at + c.len_utf8();
        if !is_stop(c) {
            continue;
        }
        while let Some((at, c)) = chars.next_if(|(_, c)| is_stop(*c) || is_closer(*c)) {
            end = at + c.len_utf8();
        }
        // What is noted at a sentence belongs to it, and does not keep it from ending.
        if let Some(mark) = text.get(end..).and_then(note_mark) {
            end += mark;
            while chars.next_if(|(at, _)| *at < end).is_some() {}
        }
        let goes_on = || {
            let before = start_here..at;
            c == '.'
                && (is_abbreviation(text, before.clone(), end)
                    || is_day(text, before, end)
                    || is_number_of_item(text, start_here..end))
        };
        if is_wide_stop(c) || (ends_here(text, end) && !goes_on()) {
            found.push(start_here..end);
            start = None;
        }
    }
    found.extend(start.map(|start| start..end));
    found
}

/// Takes the white space after a line end; says whether it held another line end.
fn blank_line_follows(chars: &mut std::iter::Peekable<std::str::CharIndices<'_>>) -> bool {
    let mut blank = false;
    while let Some((_, c)) = chars.next_if(|(_, c)| c.is_whitespace()) {
        blank |= c == '\n';
    }
    blank
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…') || is_wide_stop(c)
}

/// Stops that need no white space behind them.
fn is_wide_stop(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡')
}

fn is_closer(c: char) -> bool {
    matches!(c, '"' | '\'' | '”' | '’' | ')' | ']' | '»' | '」' | '』' | '*' | '_')
}

/// A stop ends a sentence before white space, unless the text goes on in lower case.
fn ends_here(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    let mut next = rest.chars();
    match next.next() {
        None => true,
        // A bounded look: a sentence after more white space than this is a new one in any case.
        Some(c) if c.is_whitespace() => !next.take(64).find(|c| !c.is_whitespace()).is_some_and(char::is_lowercase),
        Some(_) => false,
    }
}

/// Whether the word before the stop is an abbreviation or an initial.
fn is_abbreviation(text: &str, sentence: Range<usize>, end: usize) -> bool {
    let before = text.get(sentence).unwrap_or_default();
    let word_start =
        before.char_indices().rev().take(LOOK_BACK + 1).take_while(|(_, c)| c.is_alphanumeric() || *c == '.');
    let Some((from, _)) = word_start.last() else { return false };
    let word = before.get(from..).unwrap_or_default();
    let mut letters = word.chars();
    let initial = matches!((letters.next(), letters.next()), (Some(c), None) if c.is_uppercase());
    let word = word.to_lowercase();
    let number_follows = || {
        let mut behind = text.get(end..).unwrap_or_default().chars().skip_while(|c| c.is_whitespace()).take(2);
        behind.any(|c| c.is_ascii_digit())
    };
    initial || is_listed(ABBREVIATIONS, &word) || (is_listed(BEFORE_NUMBERS, &word) && number_follows())
}

/// Whether what would be a sentence is the number of an item or a clause: `2.`, `2.1.` at the beginning of a line.
fn is_number_of_item(text: &str, sentence: Range<usize>) -> bool {
    let before = text.get(..sentence.start).unwrap_or_default();
    let begins_line = before.trim_end_matches([' ', '\t', '>']);
    let mark = text.get(sentence).unwrap_or_default().trim_matches(['*', '_']);
    let mark = mark.trim_start_matches(['-', '+', '*', ' ']);
    (begins_line.is_empty() || begins_line.ends_with('\n'))
        && (item_number(mark).is_some_and(|length| length == mark.len()) || is_clause_number(mark))
}

/// `2.1.`, `3.a.2.`: numbers and letters with stops between.
fn is_clause_number(mark: &str) -> bool {
    let is_part = |part: &str| is_digits(part) || (part.len() == 1 && part.bytes().all(|b| b.is_ascii_alphabetic()));
    let parts = mark.strip_suffix('.').filter(|parts| parts.len() <= MOST_OF_A_CLAUSE_NUMBER && parts.contains('.'));
    parts.is_some_and(|parts| parts.starts_with(|c: char| c.is_ascii_digit()) && parts.split('.').all(is_part))
}

/// The length of the number at the beginning of an item of a list: `12.`, `3)`, `(a)`, `iv.`, `#.`.
pub(crate) fn item_number(line: &str) -> Option<usize> {
    let bare = line.strip_prefix('(').unwrap_or(line);
    let end = bare.bytes().take(MOST_OF_A_NUMBER + 1).position(|byte| matches!(byte, b'.' | b')'))?;
    let (number, behind) = (bare.get(..end)?, bare.get(end..)?);
    let has_digits = is_digits(number);
    let is_letter = number == "#" || (number.len() == 1 && number.bytes().all(|byte| byte.is_ascii_lowercase()));
    let is_roman = !number.is_empty() && number.bytes().all(|byte| matches!(byte, b'i' | b'v' | b'x'));
    let is_closed = bare.len() == line.len() || behind.starts_with(')');
    let is_apart = |next: char| next.is_whitespace() || (has_digits && !next.is_ascii_digit());
    let is_number = (has_digits || is_letter || is_roman) && is_closed && behind.chars().nth(1).is_none_or(is_apart);
    is_number.then_some(line.len() - behind.len() + 1)
}

/// Whether the stop is the second of a day without its year: `am 20.10.`.
fn is_day_in_figures(before: &str) -> bool {
    let figures = before.bytes().rev().take(5).take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let start = (before.len().saturating_sub(DAY_BYTES)..before.len()).find(|at| before.is_char_boundary(*at));
    let Some(near) = start.filter(|_| figures > 2).and_then(|start| before.get(start..)) else { return false };
    days(&format!("{near}.")).last().is_some_and(|(place, _)| place.end == near.len())
}

/// Whether the stop makes a day of the number before it: `12. März`.
fn is_day(text: &str, sentence: Range<usize>, end: usize) -> bool {
    let before = text.get(sentence).unwrap_or_default();
    let digits = before.bytes().rev().take(3).take_while(u8::is_ascii_digit).count();
    if !(1..=2).contains(&digits) {
        return false;
    }
    if is_day_in_figures(before) {
        return true;
    }
    let mut behind = text.get(end..).unwrap_or_default().chars();
    let word: String =
        behind.by_ref().skip_while(|c| *c == ' ').take(months::LONGEST).take_while(|c| c.is_alphabetic()).collect();
    let is_german = || {
        let lead = before.get(..before.len().saturating_sub(digits)).unwrap_or_default().trim_end();
        let start = lead.char_indices().rev().take(LOOK_BACK).take_while(|(_, c)| c.is_alphabetic()).last();
        let word = start.and_then(|(start, _)| lead.get(start..)).unwrap_or_default();
        is_listed(BEFORE_DAYS, &word.to_lowercase())
    };
    // In English a sentence may end with a number and the next begin with a month: a year behind it tells.
    let has_year = || {
        let next = text.get(end..).unwrap_or_default().trim_start().get(word.len()..).unwrap_or_default();
        next.trim_start().bytes().take_while(u8::is_ascii_digit).take(5).count() == 4
    };
    months::foreign(&word).is_some() || (months::english(&word).is_some() && (is_german() || has_year()))
}

#[cfg(test)]
mod tests {
    use super::sentences;

    #[test]
    fn sentences_end_where_people_end_them() {
        let table: &[(&str, &[&str])] = &[
            ("One. Two! Three?", &["One.", "Two!", "Three?"]),
            ("Dr. No met J. Bond at 3.5 p.m. today. He left.", &["Dr. No met J. Bond at 3.5 p.m. today.", "He left."]),
            ("He said \"Go.\" She went (away).", &["He said \"Go.\"", "She went (away)."]),
            ("wrapped\nline. next stays", &["wrapped\nline. next stays"]),
            ("A title\n\nA text", &["A title", "A text"]),
            ("深い。冷たい！", &["深い。", "冷たい！"]),
            ("See example.com/a.b for more...", &["See example.com/a.b for more..."]),
            ("Erst am 20.10. Elternabend. Danach nicht.", &["Erst am 20.10. Elternabend.", "Danach nicht."]),
            ("It is 20.10. Then it is not.", &["It is 20.10.", "Then it is not."]),
            ("Am 12. März 1987 war es kalt. Danach nicht.", &["Am 12. März 1987 war es kalt.", "Danach nicht."]),
            ("Ab 1. April wird geheizt. Vom 3. May an.", &["Ab 1. April wird geheizt.", "Vom 3. May an."]),
            (
                "Op 3. April 1987 it began. In room 12. May came.",
                &["Op 3. April 1987 it began.", "In room 12.", "May came."],
            ),
            (
                "See No. 4 at ext. 12, max. 10 A (min. 3). Is it max. power? No. We left.",
                &["See No. 4 at ext. 12, max. 10 A (min. 3).", "Is it max. power?", "No.", "We left."],
            ),
            ("Call tel. +49 30. Nr. 5 e.g. 7 or approx. 9.", &["Call tel. +49 30.", "Nr. 5 e.g. 7 or approx. 9."]),
            (
                "1. Open it. Wait.\n\n  a. Close it.\n\n- ii. Go.",
                &["1. Open it.", "Wait.", "a. Close it.", "- ii. Go."],
            ),
            (
                "2.1. The fee is due. It is high.\n\n2.b.1. Pay it.",
                &["2.1. The fee is due.", "It is high.", "2.b.1. Pay it."],
            ),
            ("**2.** Open it.\n\n#. Close it.", &["**2.** Open it.", "#. Close it."]),
            (
                "It ended in 1918. Then came\n1919. How many? 5. Go.",
                &["It ended in 1918.", "Then came\n1919.", "How many?", "5.", "Go."],
            ),
            (
                "It has 212 cars.[fn:1] It is red.[^2]\nWe saw it.footnote:[In May.] Or not.",
                &["It has 212 cars.[fn:1]", "It is red.[^2]", "We saw it.footnote:[In May.]", "Or not."],
            ),
            ("See a.[b] or x.[^ c. Go", &["See a.[b] or x.[^ c.", "Go"]),
            ("  \n ", &[]),
        ];
        for (text, expected) in table {
            let found: Vec<_> = sentences(text).into_iter().filter_map(|span| text.get(span)).collect();
            assert_eq!(&found, expected);
        }
    }
}
