//! Words that the end of a line cuts in two, and letters that a printer joins: `conﬁgura-` above `tion` is `configuration`.
//!
//! The hyphen may be the word's own (`compile-` above `time`). Which of both it is, the other lines of the document tell: one of the two forms mostly
//! stands elsewhere. Where neither does, two halves that are words are a compound.

use std::collections::HashMap;

use super::goes_on;
use crate::core::base::rows::is_listed;
use crate::core::language::spelling::is_common;

const HYPHENS: [char; 3] = ['-', '\u{2010}', SOFT_HYPHEN];
/// It is never a word's own.
const SOFT_HYPHEN: char = '\u{ad}';
/// Before these a hyphen stands for the rest of a word: `pre- and postwar`, `Nord- und Südwand`.
const SUSPENDING: &str = "and as bis bzw e en et nor o och oder of or ou resp sowie to und y";
/// What is mostly written with its hyphen.
const PREFIXES: &str = "anti cross half multi non pseudo quasi self semi";
/// Short words that others are joined to with a hyphen; `is_common` knows none of fewer than four letters.
const SHORT_WORDS: &str = "all big dry ill low old one raw six tax ten top two vice";
/// Letters that are printed as one.
const LIGATURES: [(char, &str); 7] = [
    ('\u{fb00}', "ff"),
    ('\u{fb01}', "fi"),
    ('\u{fb02}', "fl"),
    ('\u{fb03}', "ffi"),
    ('\u{fb04}', "ffl"),
    ('\u{fb05}', "st"),
    ('\u{fb06}', "st"),
];

/// The texts of the pages of one document, by their numbers, with their words whole. What follows a hyphen stands on the line of its beginning, and on its
/// page.
pub(crate) fn with_whole_words(numbers: &[u32], pages: Vec<String>) -> Vec<String> {
    let mut pages: Vec<String> = pages.into_iter().map(without_ligatures).collect();
    if pages.iter().any(|page| page.lines().any(|line| cut_word(line).is_some())) {
        join_words(numbers, &mut pages);
    }
    pages.into_iter().map(|page| page.replace(SOFT_HYPHEN, "")).collect()
}

fn join_words(numbers: &[u32], pages: &mut [String]) {
    let known = Vocabulary::of(pages);
    pages.iter_mut().for_each(|page| *page = joined(page, &known));
    for (at, two) in (1..).zip(numbers.windows(2)) {
        let ([one, next], (before, [after, ..])) = (two, pages.split_at_mut(at)) else { continue };
        let Some(before) = before.last_mut() else { continue };
        if goes_on((*one, before), (*next, after)) {
            join_pages(before, after, &known);
        }
    }
}

/// Takes the rest of the last word of a page from the next one, unless that has nothing else.
fn join_pages(before: &mut String, after: &mut String, known: &Vocabulary) {
    let (line, next) = (before.lines().next_back().unwrap_or_default(), after.lines().next().unwrap_or_default());
    let (second, behind) = split_word(next);
    let hyphen = cut_word(line).and_then(|first| known.hyphen_between(first, second));
    let rest = behind.len() + after.len().saturating_sub(next.len());
    let (Some(has_hyphen), true) = (hyphen, rest > 0) else { return };
    let mut whole = before.trim_end().to_owned();
    if !has_hyphen {
        whole.truncate(whole.trim_end_matches(HYPHENS).len());
    }
    whole.push_str(second);
    let rest = after.get(after.len() - rest..).unwrap_or_default().trim_start().to_owned();
    (*before, *after) = (whole, rest);
}

fn without_ligatures(text: String) -> String {
    if !text.contains(|c| ('\u{fb00}'..='\u{fb06}').contains(&c)) {
        return text;
    }
    let letters = |text: String, (joined, letters): &(char, &str)| text.replace(*joined, letters);
    LIGATURES.iter().fold(text, letters)
}

/// What a line ends with, if that is a word with a hyphen behind it; without the hyphen, unless it is a soft one.
fn cut_word(line: &str) -> Option<&str> {
    let line = line.trim_end();
    let word = line.rsplit(char::is_whitespace).next()?;
    let first = word.strip_suffix(HYPHENS).filter(|first| first.ends_with(char::is_alphanumeric))?;
    Some(if word.ends_with(SOFT_HYPHEN) { word } else { first })
}

fn joined(page: &str, known: &Vocabulary) -> String {
    let mut text = String::with_capacity(page.len());
    let mut lines = page.split('\n');
    let mut rest = lines.next();
    while let Some(line) = rest {
        let next = lines.next();
        let cut = cut_word(line).zip(next);
        let whole = cut.and_then(|(first, next)| {
            let (second, behind) = split_word(next);
            Some((known.hyphen_between(first, second)?, second, behind))
        });
        match whole {
            Some((has_hyphen, second, behind)) => {
                let line = line.trim_end();
                text.push_str(if has_hyphen { line } else { line.trim_end_matches(HYPHENS) });
                text.push_str(second);
                // A line that held nothing else is used up; an empty one would end the paragraph.
                rest = if behind.is_empty() { lines.next() } else { Some(behind) };
            }
            None => {
                text.push_str(line);
                rest = next;
            }
        }
        if rest.is_some() {
            text.push('\n');
        }
    }
    text
}

/// The first word of a line with what is written to it, and the rest of the line.
fn split_word(line: &str) -> (&str, &str) {
    let line = line.trim_start();
    let end = line.find(char::is_whitespace).unwrap_or(line.len());
    let (word, rest) = line.split_at_checked(end).unwrap_or((line, ""));
    (word, rest.trim_start())
}

/// How often words stand in a document, whole ones and compounds by two of their parts that follow each other.
#[derive(Debug, Default)]
struct Vocabulary {
    words: HashMap<String, u32>,
    pairs: HashMap<String, u32>,
}

impl Vocabulary {
    fn of(pages: &[String]) -> Self {
        let mut known = Self::default();
        for page in pages {
            let mut is_behind_cut = false;
            for line in page.lines() {
                let cut = cut_word(line);
                let mut tokens: Vec<&str> = line.split_whitespace().skip(usize::from(is_behind_cut)).collect();
                if cut.is_some() {
                    tokens.pop();
                }
                tokens.into_iter().for_each(|token| known.take(token));
                is_behind_cut = cut.is_some();
            }
        }
        known
    }

    fn take(&mut self, token: &str) {
        for compound in token.split(|c: char| !c.is_alphanumeric() && !HYPHENS.contains(&c)) {
            let mut before: Option<String> = None;
            for part in compound.split(HYPHENS).filter(|part| !part.is_empty()) {
                let part = part.to_lowercase();
                if let Some(before) = before {
                    *self.pairs.entry(format!("{before}-{part}")).or_default() += 1;
                }
                *self.words.entry(part.clone()).or_default() += 1;
                before = Some(part);
            }
        }
    }

    /// Whether a hyphen belongs between what a line ends with and what the next one begins with. Nothing where they are two words.
    fn hyphen_between(&self, first: &str, second: &str) -> Option<bool> {
        let (first, is_soft) = first.strip_suffix(SOFT_HYPHEN).map_or((first, false), |first| (first, true));
        let is_in_word = |c: char| c.is_alphanumeric();
        let head = first.rsplit(|c| !is_in_word(c)).next().filter(|head| !head.is_empty())?;
        let tail = second.split(|c| !is_in_word(c)).next().filter(|tail| !tail.is_empty())?;
        if is_soft {
            return Some(false);
        }
        // A single letter is no part of a word that was cut.
        let is_letter = head.chars().nth(1).is_none();
        if is_letter || is_literal(first) || head.contains(char::is_numeric) || tail.contains(char::is_numeric) {
            return Some(true);
        }
        let (small_head, small_tail) = (head.to_lowercase(), tail.to_lowercase());
        let whole = format!("{small_head}{small_tail}");
        let as_word = self.words.get(&whole).copied().unwrap_or_default();
        let as_pair = self.pairs.get(&format!("{small_head}-{small_tail}")).copied().unwrap_or_default();
        if as_word != as_pair {
            return Some(as_pair > as_word);
        }
        if as_word > 0 || is_common(&whole) {
            return Some(false);
        }
        let is_compound = [first, second].iter().any(|half| half.trim_matches(HYPHENS).contains(HYPHENS));
        if is_listed(SUSPENDING, &small_tail) && !is_compound {
            return None;
        }
        let begins_name = tail.starts_with(char::is_uppercase) && head.contains(char::is_lowercase);
        let is_word = |word: &str| self.words.contains_key(word) || is_common(word);
        let are_words = (is_word(&small_head) || is_listed(SHORT_WORDS, &small_head)) && is_word(&small_tail);
        Some(begins_name || is_compound || are_words || is_listed(PREFIXES, &small_head))
    }
}

/// What is no word of a text: an option, a path, an address. Nobody cuts those with a hyphen of his own.
fn is_literal(token: &str) -> bool {
    token.starts_with(['-', '/', '~']) || token.contains(['@', '\\', '=', '_']) || token.contains("://")
}
