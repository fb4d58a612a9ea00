//! The ledger of a report that a model wrote: its claims, the sources they cite, and whether the words stand there.
//!
//! Lexical and nothing else: quotes word for word, numbers as whole tokens, the rest by the share of telling words that stand close
//! together. It sees that a source speaks of what is claimed; it cannot see a contradiction, and does not say it can.

use std::collections::HashMap;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde::{Deserialize, Serialize};

use crate::core::base::limits;
use crate::core::evidence::claim::Verdict;
use crate::core::text::sentences;
use crate::core::text::spans::Span;
use crate::core::text::words::{informative, root, words};

/// A sentence of a report and one source that it cites.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CitedClaim {
    /// The sentence without its citations.
    pub(crate) text: String,
    pub(crate) source: u32,
}

/// The claims of a report: every sentence with `[n]`, once for each `n`. What stands in headings and code is none.
pub(crate) fn cited(markdown: &str) -> Vec<CitedClaim> {
    let mut claims: Vec<CitedClaim> = Vec::new();
    for block in blocks(markdown) {
        let mut open: Option<(String, Vec<u32>)> = None;
        for range in sentences(&block) {
            let sentence = block.get(range).unwrap_or_default();
            // A citation behind the full stop belongs to what stands before it.
            let (leading, rest) = leading_citations(sentence);
            if let Some((_, numbers)) = open.as_mut() {
                numbers.extend(leading);
            }
            let (text, numbers) = split_citations(rest);
            if text.chars().any(char::is_alphanumeric) {
                close(open.take(), &mut claims);
                open = Some((text, numbers));
            }
        }
        close(open, &mut claims);
    }
    claims.truncate(limits::CLAIMS);
    claims
}

fn close(sentence: Option<(String, Vec<u32>)>, claims: &mut Vec<CitedClaim>) {
    let Some((text, mut numbers)) = sentence else { return };
    numbers.sort_unstable();
    numbers.dedup();
    claims.extend(numbers.into_iter().map(|source| CitedClaim { text: text.clone(), source }));
}

/// The running text of each paragraph, list item and table cell.
fn blocks(markdown: &str) -> Vec<String> {
    let mut blocks = vec![String::new()];
    let mut skipped = 0_u32;
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. } | Tag::CodeBlock(_) | Tag::HtmlBlock) => skipped += 1,
            Event::End(TagEnd::Heading(_) | TagEnd::CodeBlock | TagEnd::HtmlBlock) => {
                skipped = skipped.saturating_sub(1)
            }
            Event::Start(Tag::Paragraph | Tag::Item | Tag::TableRow) | Event::End(TagEnd::Item | TagEnd::Paragraph) => {
                blocks.push(String::new());
            }
            Event::Text(text) | Event::Code(text) if skipped == 0 => push(&mut blocks, &text),
            Event::SoftBreak | Event::HardBreak | Event::End(TagEnd::TableCell) => push(&mut blocks, " "),
            _ => {}
        }
    }
    blocks
}

fn push(blocks: &mut [String], text: &str) {
    if let Some(block) = blocks.last_mut() {
        block.push_str(text);
    }
}

/// The citations that a text begins with, and the rest of it.
fn leading_citations(text: &str) -> (Vec<u32>, &str) {
    let (mut numbers, mut rest) = (Vec::new(), text.trim_start());
    while let Some((found, after)) = rest.strip_prefix('[').and_then(citation) {
        numbers.extend(found);
        rest = after.trim_start();
    }
    (numbers, rest)
}

/// A text without its citations, and their numbers.
fn split_citations(text: &str) -> (String, Vec<u32>) {
    let (mut bare, mut numbers, mut rest) = (String::new(), Vec::new(), text);
    while let Some((before, after)) = rest.split_once('[') {
        bare.push_str(before);
        match citation(after) {
            Some((found, behind)) => {
                numbers.extend(found);
                rest = behind;
            }
            None => {
                bare.push('[');
                rest = after;
            }
        }
    }
    bare.push_str(rest);
    let bare: Vec<&str> = bare.split_whitespace().collect();
    (bare.join(" ").replace(" .", ".").replace(" ,", ","), numbers)
}

/// The numbers behind an opening bracket, up to the closing one.
fn citation(after: &str) -> Option<(Vec<u32>, &str)> {
    let (inner, behind) = after.split_once(']')?;
    let number = |part: &str| part.trim().trim_start_matches('^').parse::<u32>().ok().filter(|number| *number > 0);
    let numbers: Option<Vec<u32>> = inner.split(',').map(number).collect();
    numbers.filter(|_| inner.len() <= 40).map(|numbers| (numbers, behind))
}

/// A page, prepared to look claims up in it.
#[derive(Debug)]
pub(crate) struct Lookup {
    sentences: Vec<Range<usize>>,
    /// In which sentences a word's root or a number stands.
    places: HashMap<String, Vec<u32>>,
    /// The whole text as quotes are compared.
    plain: String,
}

/// Sentences that may carry a claim together.
const WINDOW: usize = 3;
/// The share of a claim's telling words that must stand in one window for it to be supported, and to be partly so. A claim retells: a
/// third of its words may be the teller's own.
const SUPPORTED: f32 = 0.6;
const PARTIAL: f32 = 0.35;
/// Shorter quotes are names or single words in quotation marks.
const QUOTE_WORDS: usize = 3;
/// Telling words of one claim that are looked up.
const TERMS: usize = 64;

impl Lookup {
    pub(crate) fn new(text: &str) -> Self {
        let sentences = sentences(text);
        let mut places: HashMap<String, Vec<u32>> = HashMap::new();
        for (at, range) in (0_u32..).zip(&sentences) {
            let sentence = text.get(range.clone()).unwrap_or_default();
            for term in words(sentence).map(|word| root(&word).to_owned()).chain(numbers(sentence)) {
                let known = places.entry(term).or_default();
                if known.last() != Some(&at) {
                    known.push(at);
                }
            }
        }
        Self { sentences, places, plain: plain(text) }
    }

    /// Whether the words of a claim stand in the page, and where.
    pub(crate) fn check(&self, claim: &str) -> (Verdict, Option<Span>) {
        let figures: Vec<String> = numbers(claim).collect();
        let telling = informative(claim).into_iter().filter(|word| !word.bytes().all(|byte| byte.is_ascii_digit()));
        let mut terms: Vec<String> =
            telling.map(|word| root(&word).to_owned()).take(TERMS - figures.len().min(TERMS)).collect();
        let words = terms.len();
        terms.extend(figures.into_iter().take(TERMS));
        terms.truncate(TERMS);
        let Some((mask, window)) = self.best(&terms) else { return (Verdict::Unsupported, None) };
        let found = |from: usize, to: usize| (from..to).filter(|at| mask & (1_u64 << at) != 0).count();
        let share = if words == 0 { 1.0 } else { ratio(found(0, words), words) };
        let all_figures = found(words, terms.len()) == terms.len() - words;
        let quoted = quotes(claim).iter().all(|quote| self.plain.contains(quote.as_str()));
        let verdict = match (share >= SUPPORTED, all_figures && quoted) {
            (true, true) => Verdict::Supported,
            (true, false) => Verdict::Partial,
            (false, true) if share >= PARTIAL => Verdict::Partial,
            (false, _) => Verdict::Unsupported,
        };
        let span = Span { start: window.start as u64, end: window.end as u64 };
        (verdict, (verdict != Verdict::Unsupported).then_some(span))
    }

    /// The neighbouring sentences that hold the most of the terms, and which.
    fn best(&self, terms: &[String]) -> Option<(u64, Range<usize>)> {
        let mut masks = vec![0_u64; self.sentences.len()];
        for (bit, term) in terms.iter().enumerate() {
            for at in self.places.get(term).into_iter().flatten() {
                if let Some(mask) = masks.get_mut(*at as usize) {
                    *mask |= 1 << bit;
                }
            }
        }
        let mut best: Option<(u64, usize, usize)> = None;
        for first in 0..masks.len() {
            let mut mask = 0;
            for last in first..masks.len().min(first + WINDOW) {
                mask |= masks.get(last).copied().unwrap_or_default();
                // Of the best windows the shortest, and of these the first.
                let better = |(known, from, to): (u64, usize, usize)| {
                    let (had, has) = (known.count_ones(), mask.count_ones());
                    has > had || (has == had && last - first < to - from)
                };
                if best.is_none_or(better) {
                    best = Some((mask, first, last));
                }
            }
        }
        let (mask, first, last) = best?;
        Some((mask, self.sentences.get(first)?.start..self.sentences.get(last)?.end))
    }
}

/// Numbers as whole tokens, without the marks between thousands.
fn numbers(text: &str) -> impl Iterator<Item = String> + '_ {
    let tokens = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | ',')));
    tokens
        .map(|token| token.trim_matches(['.', ',']))
        .filter(|token| token.chars().next().is_some_and(|c| c.is_ascii_digit()))
        .map(|token| format!("#{}", token.replace(',', "").to_lowercase()))
}

/// What a claim quotes, as it is compared.
fn quotes(claim: &str) -> Vec<String> {
    let text = claim.replace(['“', '”', '„', '«', '»'], "\"");
    let quoted = text.split('"').skip(1).step_by(2);
    quoted.map(plain).filter(|quote| quote.split(' ').count() >= QUOTE_WORDS).collect()
}

/// Text without what typesetting changes: case, white space, the form of apostrophes and Markdown's marks.
fn plain(text: &str) -> String {
    let text = text.to_lowercase().replace(['’', '‘'], "'").replace(['*', '_', '`'], "");
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").trim_end_matches(['.', ',']).to_owned()
}

fn ratio(part: usize, of: usize) -> f32 {
    let number = |count: usize| u16::try_from(count).map_or(f32::from(u16::MAX), f32::from);
    number(part) / number(of).max(1.0)
}

#[cfg(test)]
#[path = "ledger_tests.rs"]
mod tests;
