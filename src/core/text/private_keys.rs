//! Private keys in texts: their letters are blotted out before anything of them is indexed or quoted.
//!
//! A text that only speaks of keys stays as it is. What is blotted out has the shape of a key's lines: letters of base64 without blanks.

use std::ops::Range;

use crate::core::base::sorting::sort_by_key;

/// What a block begins and ends with, between dashes: `-----BEGIN RSA PRIVATE KEY-----`.
const BEGIN: &str = "BEGIN";
const END: &str = "END";
const TITLE: [&str; 2] = ["PRIVATE", "KEY"];
/// Dashes, also as programs for writing make them of hyphens.
const DASHES: [char; 8] = ['-', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2015}', '\u{2212}'];
/// Bytes of the words between the dashes, and of a block.
const TITLE_BYTES: usize = 60;
const BLOCK_BYTES: usize = 64 * 1024;
/// So many letters of base64 without a blank are a line of a key, and so many letters of narrower lines are a key. The shortest one has 64.
const KEY_LETTERS: usize = 40;
/// Shorter runs in a line of a key that is not all of base64 are no part of it.
const REST_LETTERS: usize = 4;
/// Lines of other things that may stand between the beginning of a key without an end and its letters.
const HEADER_LINES: usize = 3;
/// The field of PuTTY's files whose lines are the key.
const PUTTY: &str = "Private-Lines:";
const AGE: &str = "AGE-SECRET-KEY-1";
/// A key of `age` has 58 letters, one that was cut off may have less.
const AGE_LETTERS: usize = 16;
/// What makes an object of JSON a key, and the fields of one that are secret.
const JWK: &str = "\"kty\"";
const JWK_SECRETS: [&str; 7] = ["\"d\"", "\"p\"", "\"q\"", "\"dp\"", "\"dq\"", "\"qi\"", "\"k\""];
const JWK_BYTES: usize = 8 * 1024;
const JWK_LETTERS: usize = 16;
/// What stands in the place of a letter. It has the length of one, so that all places stay what they are.
const BLOT: &str = "x";

/// A text in which the letters of private keys are blotted out. It has the same length.
pub(crate) fn without_private_keys(text: String) -> String {
    let mut blots = [in_blocks(&text), of_putty(&text), of_age(&text), in_objects(&text)].concat();
    if blots.is_empty() {
        return text;
    }
    sort_by_key(&mut blots, |blot| blot.start);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for blot in blots {
        let from = blot.start.max(done);
        if from < blot.end {
            out.push_str(text.get(done..from).unwrap_or_default());
            out.extend(std::iter::repeat_n(BLOT, blot.end - from));
            done = blot.end;
        }
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

/// The letters of keys behind their titles.
fn in_blocks(text: &str) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    if !text.contains(TITLE[0]) {
        return all;
    }
    let mut titles = text.match_indices(BEGIN).filter_map(|(at, _)| Title::at(text, at)).peekable();
    while let Some(title) = titles.next() {
        if !title.is_of_key {
            continue;
        }
        let most = text.floor_char_boundary(title.end.saturating_add(BLOCK_BYTES));
        let to = titles.peek().map_or(most, |next| next.start.min(most));
        let block = text.get(title.end..to).unwrap_or_default();
        let end = block.match_indices(END).map(|(at, _)| at).find(|at| is_behind_dashes(block, *at));
        let found = match end {
            Some(end) => of_whole(&lines(block.get(..end).unwrap_or_default())),
            None => of_cut_off(&lines(block)),
        };
        all.extend(found.into_iter().map(|run| title.end + run.start..title.end + run.end));
    }
    all
}

/// The title of a block.
struct Title {
    start: usize,
    end: usize,
    is_of_key: bool,
}

impl Title {
    /// The title whose first word stands here.
    fn at(text: &str, start: usize) -> Option<Self> {
        if !is_behind_dashes(text, start) {
            return None;
        }
        let from = start + BEGIN.len();
        let title = text.get(from..text.floor_char_boundary(from.saturating_add(TITLE_BYTES)))?;
        let title = title.get(..title.find(DASHES)?)?;
        // In a narrow column the title itself goes on over a line.
        let words: Vec<&str> = title.split_whitespace().collect();
        Some(Self { start, end: from + title.len(), is_of_key: words.windows(2).any(|two| two == TITLE) })
    }
}

/// Whether a word stands behind dashes, in some forms with a blank between. One hyphen alone is none.
fn is_behind_dashes(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let before = before.strip_suffix(' ').unwrap_or(before);
    match before.strip_suffix('-') {
        Some(before) => before.ends_with(DASHES),
        None => before.ends_with(DASHES),
    }
}

/// A line, as far as it could be one of a key.
struct Line {
    /// Letters of base64 without anything between.
    runs: Vec<Range<usize>>,
    /// There is nothing else in it but signs.
    is_one_run: bool,
    /// The one run could be a word: letters, of which only the first is a capital.
    is_word: bool,
    /// Most of what is in it are words.
    is_prose: bool,
}

/// The lines of a text that have letters. Those that a string of a program has are separated by `\n`.
fn lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let (mut at, mut escaped) = (0, false);
    for piece in text.split_inclusive(['\n', '\r', '\\']) {
        let skipped = usize::from(escaped && piece.starts_with(['n', 'r']));
        let line = piece.get(skipped..).unwrap_or_default();
        lines.extend(Line::of(line, at + skipped));
        at += piece.len();
        escaped = piece.ends_with('\\');
    }
    lines
}

impl Line {
    fn of(line: &str, from: usize) -> Option<Self> {
        let runs = runs(line, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='));
        let shown = |run: &Range<usize>| line.get(run.clone()).unwrap_or_default();
        let runs: Vec<_> =
            runs.into_iter().filter(|run| shown(run).contains(|c: char| c.is_ascii_alphanumeric())).collect();
        let words = runs.iter().filter(|run| is_word(shown(run))).count();
        let is_one_run = runs.len() == 1 && !line.contains(|c: char| !c.is_ascii() && c.is_alphanumeric());
        let is_prose = runs.len() > 1 && words * 2 >= runs.len();
        let runs: Vec<_> = runs.into_iter().map(|run| from + run.start..from + run.end).collect();
        (!runs.is_empty()).then_some(Self { runs, is_one_run, is_word: words == 1, is_prose })
    }

    fn long(&self) -> impl Iterator<Item = &Range<usize>> {
        self.runs.iter().filter(|run| run.len() >= KEY_LETTERS)
    }

    /// How many letters it has that can only be those of a key.
    fn letters(&self) -> usize {
        if self.is_one_run && !self.is_word { self.runs.iter().map(Range::len).sum() } else { 0 }
    }
}

fn is_word(run: &str) -> bool {
    let mut bytes = run.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic()) && bytes.all(|byte| byte.is_ascii_lowercase())
}

fn runs(text: &str, is_letter: impl Fn(u8) -> bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.bytes().enumerate().filter(|(_, byte)| is_letter(*byte)) {
        match runs.last_mut().filter(|run| run.end == at) {
            Some(run) => run.end = at + 1,
            None => runs.push(at..at + 1),
        }
    }
    runs
}

/// The letters of a key between its beginning and its end, if these are not only spoken of.
fn of_whole(lines: &[Line]) -> Vec<Range<usize>> {
    let narrow = lines.iter().filter(|line| line.is_one_run).count();
    let letters: usize = lines.iter().map(Line::letters).sum();
    let is_key = lines.iter().any(|line| line.long().next().is_some());
    if !is_key && (letters < KEY_LETTERS || narrow * 2 <= lines.len()) {
        return Vec::new();
    }
    let least = |line: &Line| match (line.is_prose, line.is_one_run) {
        (true, _) => KEY_LETTERS,
        (false, true) => 0,
        (false, false) => REST_LETTERS,
    };
    lines.iter().flat_map(|line| line.runs.iter().filter(|run| run.len() >= least(line))).cloned().collect()
}

/// The letters of a key without an end: the lines that follow its beginning, down to the first that is none of a key.
fn of_cut_off(lines: &[Line]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    // A line that could be a word is one of the key if the next one is.
    let mut doubted = Vec::new();
    let (mut letters, mut strange) = (0, 0);
    for line in lines {
        let long: Vec<_> = line.long().cloned().collect();
        let is_next = strange == 0 || found.is_empty();
        if !long.is_empty() {
            letters += KEY_LETTERS;
            strange = 0;
            found.append(&mut doubted);
            found.extend(long);
        } else if line.letters() > 0 && is_next {
            letters += line.letters();
            strange = 0;
            found.append(&mut doubted);
            found.extend(line.runs.iter().cloned());
        } else if line.is_one_run && is_next && !found.is_empty() {
            doubted.extend(line.runs.iter().cloned());
        } else {
            doubted.clear();
            strange += 1;
            if strange > HEADER_LINES {
                break;
            }
        }
    }
    if letters >= KEY_LETTERS { found } else { Vec::new() }
}

/// The letters of keys of PuTTY.
fn of_putty(text: &str) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let mut fields = text.match_indices(PUTTY).map(|(at, _)| at + PUTTY.len()).peekable();
    while let Some(from) = fields.next() {
        let most = text.floor_char_boundary(from.saturating_add(BLOCK_BYTES));
        let block = text.get(from..fields.peek().map_or(most, |next| (*next).min(most))).unwrap_or_default();
        // The number of lines.
        let start = from + block.find('\n').unwrap_or(block.len());
        let block = text.get(start..from + block.len()).unwrap_or_default();
        all.extend(of_cut_off(&lines(block)).into_iter().map(|run| start + run.start..start + run.end));
    }
    all
}

/// The letters of keys of `age`.
fn of_age(text: &str) -> Vec<Range<usize>> {
    let keys = text.match_indices(AGE).filter_map(|(at, _)| {
        let from = at + AGE.len();
        let letters = text.get(from..)?.bytes().take_while(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        let letters = letters.take(BLOCK_BYTES).count();
        (letters >= AGE_LETTERS).then_some(from..from + letters)
    });
    keys.collect()
}

/// The secret fields of objects of JSON that are keys.
fn in_objects(text: &str) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let mut done = 0;
    for (at, _) in text.match_indices(JWK) {
        let before = text.floor_char_boundary(at.saturating_sub(JWK_BYTES)).max(done);
        let Some(open) = text.get(before..at).and_then(|before| before.rfind('{')) else {
            done = done.max(at);
            continue;
        };
        let start = before + open;
        let rest = text.get(at..text.floor_char_boundary(at.saturating_add(JWK_BYTES))).unwrap_or_default();
        done = at + rest.find('}').unwrap_or(rest.len());
        let object = text.get(start..done).unwrap_or_default();
        let values = JWK_SECRETS.iter().flat_map(|name| object.match_indices(name));
        all.extend(
            values
                .filter_map(|(at, name)| value(object, at + name.len()))
                .map(|run| start + run.start..start + run.end),
        );
    }
    all
}

/// The letters of the string that is the value of a field whose name ends here.
fn value(object: &str, from: usize) -> Option<Range<usize>> {
    let rest = object.get(from..)?;
    let value = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    let start = from + (rest.len() - value.len());
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'+' | b'/' | b'=');
    let letters = value.bytes().take_while(is_letter).count();
    (letters >= JWK_LETTERS).then_some(start..start + letters)
}

#[cfg(test)]
#[path = "private_keys_tests.rs"]
mod tests;
