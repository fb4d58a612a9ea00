//! Citations that a provider tells by offsets, beside the text.

use std::ops::Range;

use super::sources::Shelf;
use super::{Bound, Citation, Reading};

/// A stretch of a report, in bytes, and what the provider cites for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Annotation {
    pub(crate) span: Range<usize>,
    pub(crate) url: String,
    pub(crate) title: Option<String>,
}

#[cfg(any(test, feature = "eval"))]
/// What a provider counts: Gemini bytes, OpenAI characters, JavaScript clients units of UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Bytes,
    Chars,
    Utf16,
}

#[cfg(any(test, feature = "eval"))]
/// Offsets of a provider as bytes of the text, in one pass; the end of the text for what is beyond it.
pub(crate) fn in_bytes(text: &str, offsets: &[usize], unit: Unit) -> Vec<usize> {
    let mut order: Vec<usize> = (0..offsets.len()).collect();
    order.sort_by_key(|at| offsets.get(*at));
    let mut found = vec![text.len(); offsets.len()];
    let mut waiting = order.into_iter().peekable();
    let mut units = 0;
    for (at, c) in text.char_indices() {
        while let Some(number) = waiting.next_if(|number| offsets.get(*number).is_some_and(|offset| *offset <= units)) {
            if let Some(place) = found.get_mut(number) {
                *place = at;
            }
        }
        units += match unit {
            Unit::Bytes => c.len_utf8(),
            Unit::Chars => 1,
            Unit::Utf16 => c.len_utf16(),
        };
    }
    found
}

/// Binds annotations to the claims they lie on; one that lies on a mark explains that mark, and one behind a claim belongs to it.
pub(super) fn add(reading: &mut Reading, shelf: &mut Shelf, annotations: &[Annotation]) {
    let marks = reading.citations.len();
    for annotation in annotations {
        let source = shelf.at_url(&annotation.url, None, annotation.title.as_deref());
        // Marks come in the order of the text and do not overlap.
        let first = reading
            .citations
            .get(..marks)
            .unwrap_or_default()
            .partition_point(|mark| mark.span.end <= annotation.span.start);
        let on_it = reading
            .citations
            .get_mut(first..marks)
            .unwrap_or_default()
            .iter_mut()
            .take_while(|mark| mark.span.start < annotation.span.end);
        if let Some(mark) = on_it.take(MARKS).find(|mark| mark.sources.is_empty() || mark.sources.contains(&source)) {
            mark.sources = vec![source];
            mark.resolved = true;
            continue;
        }
        let number = reading.citations.len();
        reading.citations.push(Citation { span: annotation.span.clone(), sources: vec![source], resolved: true });
        let first = reading.claims.partition_point(|claim| claim.span.end <= annotation.span.start);
        let on_it = reading
            .claims
            .iter()
            .skip(first)
            .take(CLAIMS)
            .take_while(|claim| claim.span.start < annotation.span.end)
            .count();
        let range = if on_it == 0 { first.saturating_sub(1)..first } else { first..first + on_it };
        for claim in reading.claims.get_mut(range).unwrap_or_default() {
            // Its own citation says more than the one at the end of its paragraph.
            if claim.bound == Bound::Covered {
                claim.citations.clear();
            }
            claim.citations.push(number);
            claim.bound = Bound::Own;
        }
    }
}

/// Marks and claims under one annotation that are looked at; a provider that cites one page for all of a report says nothing.
const MARKS: usize = 64;
const CLAIMS: usize = 64;
