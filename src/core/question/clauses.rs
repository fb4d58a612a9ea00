//! Parts of a document that are asked for by the number that it prints: `clause 2.2`, `§ 3`, `Article IV`, `Annex 2`. The part itself begins with the number,
//! often without the word; other parts refer to it.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::core::base::plain::is_digits;
use crate::core::base::rows::is_listed;
use crate::core::base::sorting::sort_by_key;
use crate::core::language::fold::folded;

/// Words whose number may be printed alone.
const ALONE: &str = "§ §§ abs abschnitt absatz alinea art article artikel chapitre chapter clause item kapitel klausel para paragraph paragraphe point \
                     punkt rule sec section subsection ziff ziffer";
/// Those of them that also name other things by a whole number, `item 4`: then the number has a full stop in it.
const DOTTED: &str = "alinea item point punkt";
/// Words that are printed before their number.
const WORDED: &str = "anhang anlage annex annexe appendix part schedule teil";
/// What may stand before the number in the line that it begins.
const LINE_MARKS: [char; 8] = ['#', '*', '-', '>', '|', ' ', '\t', '_'];
/// Words of a line of contents at most.
const CONTENTS_WORDS: usize = 10;

/// A part that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clause {
    /// In small letters: `clause`.
    word: String,
    /// As it is written: `2.2`, `IV`.
    number: String,
}

/// The parts that a question asks for, each with the place of its word and number.
pub(crate) fn clauses(question: &str) -> Vec<(Range<usize>, Clause)> {
    let tokens: Vec<Range<usize>> = tokens(question).collect();
    let cut = |place: &Range<usize>| question.get(place.clone()).unwrap_or_default();
    let mut found = Vec::new();
    let mut before: Option<&Range<usize>> = None;
    for token in &tokens {
        // `§3`
        let own = cut(token).strip_prefix('§').filter(|number| !number.is_empty());
        let pair = match (own, before) {
            (Some(number), _) => Some((token.start, "§", number)),
            (None, Some(before)) => Some((before.start, cut(before), cut(token))),
            (None, None) => None,
        };
        let clause = pair.and_then(|(start, word, number)| {
            let number = number.trim_end_matches(|c: char| !c.is_alphanumeric());
            let length = number.len();
            Clause::of(word, number).map(|clause| (start, clause, length))
        });
        if let Some((start, clause, length)) = clause {
            let from = if own.is_some() { token.start + '§'.len_utf8() } else { token.start };
            found.push((start..from + length, clause));
        }
        before = Some(token);
    }
    found
}

/// The words that only say where something stands, in lower case and without accents: the document prints the number alone. One that also stands
/// elsewhere in the question is a subject as well.
pub(crate) fn locators(question: &str) -> BTreeSet<String> {
    let said: Vec<String> = tokens(question).filter_map(|place| question.get(place)).map(bare).collect();
    let words: BTreeSet<String> = clauses(question).into_iter().map(|(_, clause)| clause.word).collect();
    let once = |word: &String| said.iter().filter(|said| *said == word).count() == 1;
    words.into_iter().filter(|word| is_listed(ALONE, word) && once(word)).collect()
}

fn tokens(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split_whitespace().map(|token| {
        let start = (token.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        start..start + token.len()
    })
}

fn bare(token: &str) -> String {
    folded(token.trim_matches(|c: char| !c.is_alphanumeric() && c != '§'))
}

impl Clause {
    fn of(word: &str, number: &str) -> Option<Self> {
        let word = bare(word);
        let is_dotted = number.contains('.');
        let is_known = match (is_listed(ALONE, &word), is_listed(WORDED, &word)) {
            (true, _) => is_dotted || !is_listed(DOTTED, &word),
            (false, worded) => worded && !is_dotted,
        };
        (is_known && is_number(number)).then(|| Self { word, number: number.to_owned() })
    }

    /// The pieces of its number.
    pub(super) fn pieces(&self) -> impl Iterator<Item = &str> {
        self.number.split('.')
    }

    /// Where the part itself begins in a text.
    pub(super) fn heads(&self, text: &str) -> Vec<Range<usize>> {
        let mut heads = Vec::new();
        let (mut start, mut before) = (0, "");
        let mut lines = text.split_inclusive('\n').peekable();
        // What stands alone is a heading that was taken from its text.
        let is_alone = !text.trim_end().contains('\n') && !text.trim_end().ends_with('.');
        while let Some(line) = lines.next() {
            let next = lines.peek().copied().unwrap_or_default();
            let is_contents = is_contents(before, line, next);
            let head = self.head_of(line, is_alone).filter(|_| !is_contents);
            heads.extend(head.map(|place| start + place.start..start + place.end));
            start += line.len();
            before = line;
        }
        heads
    }

    /// Where a text has it: the part itself, or what refers to it.
    pub(super) fn places(&self, text: &str) -> Vec<Range<usize>> {
        let mut places = self.heads(text);
        places.extend(clauses(text).into_iter().filter(|(_, other)| self.is_same(other)).map(|(place, _)| place));
        sort_by_key(&mut places, |place| (place.start, place.end));
        places.dedup_by(|later, earlier| later.start < earlier.end);
        places
    }

    /// What is printed alone has many names: `section 2.2` is what the text calls `clause 2.2`.
    fn is_same(&self, other: &Self) -> bool {
        let is_alone = |clause: &Self| is_listed(ALONE, &clause.word);
        self.number.eq_ignore_ascii_case(&other.number)
            && (self.word == other.word || (is_alone(self) && is_alone(other)))
    }

    /// Where a line begins with it: `2.2 The tenant …`, `## 2. Rent`, `§ 3 Fees`, `Annex 2`.
    fn head_of(&self, line: &str, is_alone: bool) -> Option<Range<usize>> {
        let plain = line.trim_start_matches(LINE_MARKS);
        let marks = line.get(..line.len() - plain.len()).unwrap_or_default();
        let is_heading = is_alone || marks.contains(['#', '|']) || marks.contains("**");
        let (word, rest) = called(plain);
        let is_worded = is_listed(WORDED, &self.word);
        let is_called = match &word {
            Some(word) if is_worded => *word == self.word,
            Some(word) => is_listed(ALONE, word),
            None => !is_worded,
        };
        let is_paragraph = word.is_none() && is_listed("abs absatz alinea", &self.word);
        let rest = rest.strip_prefix('(').filter(|_| is_paragraph).unwrap_or(rest);
        let number = rest.get(..self.number.len()).filter(|number| number.eq_ignore_ascii_case(&self.number))?;
        let after = rest.get(number.len()..)?;
        let closed = after.strip_prefix(['.', ')', ':']);
        let behind = closed.unwrap_or(after);
        let ends = behind.is_empty()
            || behind.starts_with(char::is_whitespace)
            || (closed.is_none() && behind.starts_with(['—', '–', '|', '*']));
        let begins = behind.trim_start_matches([' ', '\t', '*', '_', '|', '"', '“', '„', '(', '—', '–', '-', ':']);
        // `2.10 bar` is a figure.
        let is_title = !begins.starts_with(char::is_lowercase);
        let is_told = word.is_some() || closed.is_some() || ((is_heading || self.number.contains('.')) && is_title);
        let start = line.len() - rest.len();
        (is_called && ends && is_told).then(|| start..start + number.len())
    }
}

/// What a line calls the part that it begins, where it says that, and the rest of it.
fn called(line: &str) -> (Option<String>, &str) {
    if let Some(rest) = line.strip_prefix('§') {
        return (Some("§".to_owned()), rest.trim_start_matches(['§', ' ', '\u{a0}']));
    }
    match line.split_once([' ', '\u{a0}']).map(|(word, rest)| (bare(word), rest.trim_start())) {
        Some((word, rest)) if is_listed(ALONE, &word) || is_listed(WORDED, &word) => (Some(word), rest),
        _ => (None, line),
    }
}

/// Whether a line only says that there is such a part: it ends with its page, or stands among others of its kind.
fn is_contents(before: &str, line: &str, next: &str) -> bool {
    let line = line.trim();
    let words = line.split_whitespace().count();
    let ends_with_page = line.split_whitespace().last().is_some_and(is_digits) && words > 2;
    let is_sentence = line.ends_with(['.', ';', ':', '!', '?', '|']);
    let is_numbered = |line: &str| {
        let first = line.trim_start_matches(LINE_MARKS).split_whitespace().next();
        first.is_some_and(|token| is_number(token.trim_end_matches(['.', ')'])))
    };
    let is_among = !line.starts_with('#') && (is_numbered(before) || is_numbered(next));
    words <= CONTENTS_WORDS && !is_sentence && (ends_with_page || is_among)
}

/// `2`, `2.2`, `IV`.
fn is_number(token: &str) -> bool {
    let is_roman = || token.bytes().all(|byte| b"IVXLC".contains(&byte));
    !token.is_empty() && (token.split('.').all(|part| is_digits(part) && part.len() <= 4) || is_roman())
}

#[cfg(test)]
#[path = "clauses_tests.rs"]
mod tests;
