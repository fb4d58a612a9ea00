//! The archived passage behind a verdict as HTML: the sentences that were looked at, the words of the claim marked in them, and a little of
//! what stands around them.

use std::collections::BTreeSet;

use crate::core::text::spans::Span;
use crate::core::text::words::{is_filler, root};

/// The most that is shown of a passage, and of what stands on either side of it, in bytes.
const PASSAGE_BYTES: usize = 1_500;
const AROUND_BYTES: usize = 240;

/// The passage of a page that a verdict on a claim rests on; nothing when the page has no such place.
pub(super) fn passage(page: &str, span: Span, claim: &str) -> Option<String> {
    let (start, end) = (usize::try_from(span.start).ok()?, usize::try_from(span.end).ok()?);
    page.get(start..end)?;
    let cut = page.floor_char_boundary(end.min(start + PASSAGE_BYTES));
    let wanted: BTreeSet<String> = words(claim).map(|(_, word)| word).filter(|word| !is_filler(word)).collect();
    let wanted: BTreeSet<&str> = wanted.iter().map(|word| root(word)).collect();
    let before = before(page, start);
    let after = if cut < end { "…" } else { after(page, end) };
    let mut html = String::new();
    around(&mut html, before);
    marked(&mut html, page.get(start..cut)?, &wanted);
    around(&mut html, after);
    Some(html)
}

/// What stands before a place on its line, from a word on.
fn before(page: &str, start: usize) -> &str {
    let from = page.ceil_char_boundary(start.saturating_sub(AROUND_BYTES));
    let text = page.get(from..start).unwrap_or_default();
    let text = text.rfind('\n').and_then(|line| text.get(line + 1..)).unwrap_or(text);
    if from == 0 || text.len() < AROUND_BYTES / 2 {
        return text;
    }
    text.find(' ').and_then(|space| text.get(space..)).unwrap_or(text)
}

/// What stands behind a place on its line, up to a word.
fn after(page: &str, end: usize) -> &str {
    let to = page.floor_char_boundary((end + AROUND_BYTES).min(page.len()));
    let text = page.get(end..to).unwrap_or_default();
    let text = text.find('\n').and_then(|line| text.get(..line)).unwrap_or(text);
    if to == page.len() || text.len() < AROUND_BYTES / 2 {
        return text;
    }
    text.rfind(' ').and_then(|space| text.get(..space)).unwrap_or(text)
}

fn around(html: &mut String, text: &str) {
    if !text.trim().is_empty() {
        html.push_str("<span class=\"around\">");
        escape(html, text);
        html.push_str("</span>");
    }
}

/// A text with the wanted words marked; neighbours that are marked are one mark.
fn marked(html: &mut String, text: &str, wanted: &BTreeSet<&str>) {
    let (mut at, mut open) = (0, false);
    for (range, word) in words(text) {
        let between = text.get(at..range.start).unwrap_or_default();
        let is_wanted = wanted.contains(root(&word));
        let joins = open && is_wanted && between.trim().is_empty();
        if open && !joins {
            html.push_str("</mark>");
        }
        escape(html, between);
        if is_wanted && !joins {
            html.push_str("<mark>");
        }
        open = is_wanted;
        escape(html, text.get(range.clone()).unwrap_or_default());
        at = range.end;
    }
    if open {
        html.push_str("</mark>");
    }
    escape(html, text.get(at..).unwrap_or_default());
}

/// The words of a text with their places, lower case.
fn words(text: &str) -> impl Iterator<Item = (std::ops::Range<usize>, String)> + '_ {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let begin = rest + text.get(rest..)?.find(is_word)?;
        let tail = text.get(begin..)?;
        let end = begin + tail.find(|c| !is_word(c)).unwrap_or(tail.len());
        rest = end;
        Some((begin..end, text.get(begin..end)?.to_lowercase()))
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Adds a text so that a browser shows it as it is.
fn escape(html: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            other => html.push(other),
        }
    }
}
