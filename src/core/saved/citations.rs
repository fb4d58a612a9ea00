//! Citations in a report's text, `[3]` or `[^3]`: which sources are cited, and the text with all of them as footnotes.
//!
//! Only what stands in running text is a citation: `[3]` in code, in HTML or in a link is something else and stays.

use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag};

use crate::core::base::plain::is_digits;
use crate::core::text::bracketed;

/// A report's text whose citations are footnotes, and the numbers that it cites.
pub(super) struct FootnotedText {
    pub(super) text: String,
    pub(super) numbers: BTreeSet<u32>,
}

/// The longest list of numbers that is one citation, in bytes. Longer is none, and looking has an end.
const CITATION_BYTES: usize = 400;

/// Where `[3]` and `[3, 5]` stand, if these are numbers of sources, in order.
pub(super) fn cited_at(markdown: &str, known: &BTreeSet<u32>) -> Vec<CitedAt> {
    let mut marks: Vec<CitedAt> =
        markdown.match_indices('[').filter_map(|(open, _)| mark(markdown, open, known)).collect();
    // Most of the work is the reading of markup, and without a mark there is nothing to read it for.
    let taken = if marks.is_empty() { Vec::new() } else { taken(markdown) };
    let mut taken = taken.iter().peekable();
    marks.retain(|CitedAt { range, .. }| {
        while taken.next_if(|taken| taken.end <= range.start).is_some() {}
        taken.peek().is_none_or(|taken| taken.start > range.start)
    });
    marks
}

/// The numbers of sources that a text cites, also as footnotes.
pub(crate) fn cited_numbers(markdown: &str, known: &BTreeSet<u32>) -> BTreeSet<u32> {
    let footnotes = known.iter().copied().filter(|number| markdown.contains(&format!("[^{number}]")));
    cited_at(markdown, known).into_iter().flat_map(|cited| cited.numbers).chain(footnotes).collect()
}

/// Turns citations into footnotes.
pub(super) fn footnotes(markdown: &str, known: &BTreeSet<u32>) -> FootnotedText {
    let mut cited = FootnotedText { text: String::with_capacity(markdown.len() + 64), numbers: BTreeSet::new() };
    let mut rest = 0;
    for CitedAt { range, numbers } in cited_at(markdown, known) {
        cited.text.push_str(markdown.get(rest..range.start).unwrap_or_default());
        for number in &numbers {
            cited.text.push_str(&format!("[^{number}]"));
        }
        cited.numbers.extend(numbers);
        rest = range.end;
    }
    cited.text.push_str(markdown.get(rest..).unwrap_or_default());
    cited
}

/// Numbers of sources in brackets.
pub(super) struct CitedAt {
    /// With its brackets.
    pub(super) range: Range<usize>,
    pub(super) numbers: Vec<u32>,
}

/// The mark that a bracket opens, wherever it stands.
fn mark(markdown: &str, open: usize, known: &BTreeSet<u32>) -> Option<CitedAt> {
    let (before, after) = (markdown.get(..open)?, markdown.get(open + 1..)?);
    let (inner, tail) = bracketed(after, CITATION_BYTES)?;
    // Escaped, an image, a link or the definition of one.
    let other = before.ends_with(['\\', '!']) || tail.starts_with(['(', ':']);
    let numbers = numbers(inner, known).filter(|_| !other)?;
    Some(CitedAt { range: open..open + inner.len() + 2, numbers })
}

/// The numbers between brackets, if they are all numbers of sources.
fn numbers(inner: &str, known: &BTreeSet<u32>) -> Option<Vec<u32>> {
    let number = |part: &str| {
        let part = part.trim();
        let digits = part.strip_prefix('^').unwrap_or(part);
        digits.parse().ok().filter(|number| is_digits(digits) && known.contains(number))
    };
    inner.split(',').map(number).collect()
}

/// Where code, HTML and links are, in order.
fn taken(markdown: &str) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (event, range) in Parser::new_ext(markdown, Options::ENABLE_TABLES).into_offset_iter() {
        let is_taken = matches!(
            event,
            Event::Code(_)
                | Event::Html(_)
                | Event::InlineHtml(_)
                | Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::Link { .. } | Tag::Image { .. })
        );
        // What stands in something else that is taken adds nothing.
        if is_taken && ranges.last().is_none_or(|last| last.end <= range.start) {
            ranges.push(range);
        }
    }
    ranges
}
