//! The ledger of a report that a model wrote: its claims, the sources they cite, and whether the words stand there.
//!
//! Lexical and nothing else: see [`judge`](crate::core::evidence::judge). It sees that a source speaks of what is claimed; most contradictions it
//! cannot see, and does not say it can.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde::{Deserialize, Serialize};

use crate::core::base::limits;
use crate::core::evidence::claim::Verdict;
use crate::core::evidence::judge::{Page, Statement, judge};
use crate::core::language::sentences;
use crate::core::text::bracketed;
use crate::core::text::spans::Span;

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
    // Most of the work is the reading of markup, and without a mark there is nothing to read it for.
    if markdown.match_indices('[').any(|(at, _)| markdown.get(at + 1..).and_then(citation).is_some()) {
        blocks(markdown, |block| {
            claims_of(block, &mut claims);
            claims.len() < limits::CLAIMS
        });
    }
    claims.truncate(limits::CLAIMS);
    claims
}

fn claims_of(block: &str, claims: &mut Vec<CitedClaim>) {
    let mut open: Option<(String, Vec<u32>)> = None;
    for range in sentences(block) {
        let sentence = block.get(range).unwrap_or_default();
        // A citation behind the full stop belongs to what stands before it.
        let (leading, rest) = leading_citations(sentence);
        if let Some((_, numbers)) = open.as_mut() {
            numbers.extend(leading);
        }
        let (text, numbers) = split_citations(rest);
        if text.chars().any(char::is_alphanumeric) {
            close(open.take(), claims);
            open = Some((text, numbers));
        }
        if claims.len() >= limits::CLAIMS {
            return;
        }
    }
    close(open, claims);
}

fn close(sentence: Option<(String, Vec<u32>)>, claims: &mut Vec<CitedClaim>) {
    let Some((text, mut numbers)) = sentence else { return };
    numbers.sort_unstable();
    numbers.dedup();
    // Nothing longer is a claim: it is what a model wrote without a full stop.
    let text = text.get(..text.floor_char_boundary(limits::CLAIM_BYTES)).unwrap_or_default();
    let room = limits::CLAIMS.saturating_sub(claims.len());
    claims.extend(numbers.into_iter().take(room).map(|source| CitedClaim { text: text.to_owned(), source }));
}

/// Hands over the running text of each paragraph, list item and table row, as long as more are wanted.
fn blocks(markdown: &str, mut wants_more: impl FnMut(&str) -> bool) {
    let mut block = String::new();
    let mut skipped = 0_u32;
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. } | Tag::CodeBlock(_) | Tag::HtmlBlock) => skipped += 1,
            Event::End(TagEnd::Heading(_) | TagEnd::CodeBlock | TagEnd::HtmlBlock) => {
                skipped = skipped.saturating_sub(1)
            }
            Event::Start(Tag::Paragraph | Tag::Item | Tag::TableRow) | Event::End(TagEnd::Item | TagEnd::Paragraph) => {
                if !block.is_empty() && !wants_more(&block) {
                    return;
                }
                block.clear();
            }
            Event::Text(text) | Event::Code(text) if skipped == 0 => block.push_str(&text),
            Event::SoftBreak | Event::HardBreak | Event::End(TagEnd::TableCell) => block.push(' '),
            _ => {}
        }
    }
    wants_more(&block);
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

/// The longest that stands between the brackets of a citation.
const CITATION_BYTES: usize = 40;

/// The numbers behind an opening bracket, up to the closing one.
fn citation(after: &str) -> Option<(Vec<u32>, &str)> {
    let (inner, behind) = bracketed(after, CITATION_BYTES)?;
    let number = |part: &str| part.trim().trim_start_matches('^').parse::<u32>().ok().filter(|number| *number > 0);
    let numbers: Option<Vec<u32>> = inner.split(',').map(number).collect();
    numbers.map(|numbers| (numbers, behind))
}

/// A page, prepared to look claims up in it.
#[derive(Debug)]
pub(crate) struct Lookup(Page);

impl Lookup {
    pub(crate) fn new(text: &str) -> Self {
        Self(Page::new(text))
    }

    /// Whether the page bears a claim out, and where.
    pub(crate) fn check(&self, claim: &str) -> (Verdict, Option<Span>) {
        let judged = judge(&Statement::new(claim), &self.0);
        (judged.verdict, judged.span)
    }
}

#[cfg(test)]
#[path = "ledger_tests.rs"]
mod tests;
