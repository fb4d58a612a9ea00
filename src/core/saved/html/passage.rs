//! The archived passage behind a verdict as HTML: the sentences that were looked at, the words of the claim marked in them, and a little of
//! what stands around them.

use std::collections::BTreeSet;
use std::fmt::Write;

use minijinja::HtmlEscape;

use crate::core::language::words::{is_filler, places, root, words};
use crate::core::text::spans::Span;

/// The most that is shown of a passage, and of what stands on either side of it, in bytes.
const PASSAGE_BYTES: usize = 1_500;
const AROUND_BYTES: usize = 240;

/// The passage of a page that a verdict on a claim rests on; nothing when the page has no such place.
pub(super) fn passage(page: &str, span: Span, claim: &str) -> Option<String> {
    let (start, end) = (usize::try_from(span.start).ok()?, usize::try_from(span.end).ok()?);
    page.get(start..end)?;
    let cut = page.floor_char_boundary(end.min(start + PASSAGE_BYTES));
    let wanted: Vec<String> = words(claim).filter(|word| !is_filler(word)).collect();
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
    for range in places(text) {
        let (between, word) = (text.get(at..range.start), text.get(range.clone()));
        let (between, word) = (between.unwrap_or_default(), word.unwrap_or_default());
        let is_wanted = wanted.contains(root(&word.to_lowercase()));
        let joins = open && is_wanted && between.trim().is_empty();
        if open && !joins {
            html.push_str("</mark>");
        }
        escape(html, between);
        if is_wanted && !joins {
            html.push_str("<mark>");
        }
        open = is_wanted;
        escape(html, word);
        at = range.end;
    }
    if open {
        html.push_str("</mark>");
    }
    escape(html, text.get(at..).unwrap_or_default());
}

/// Adds a text so that a browser shows it as it is.
fn escape(html: &mut String, text: &str) {
    let _never_fails = write!(html, "{}", HtmlEscape(text));
}
