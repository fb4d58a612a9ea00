//! The part of settings and data that a question is about: the section or the record with the line that has its words, and not all of a file.
//!
//! Lines are compared with each other, which is cheap because a passage has few.

use std::collections::BTreeSet;
use std::ops::Range;

use super::answer::AskedQuestion;
use super::units::cut;
use crate::core::text::lines_in;

/// Lines of a quote that need no cutting, and of a block that is quoted.
const MOST_LINES: usize = 12;
/// Lines before and behind one that stands in no block so small.
const LINES_AROUND: usize = 4;

/// A line with letters or figures in it, or without.
struct Line {
    place: Range<usize>,
    /// How far in it stands; nothing of a blank line.
    column: Option<usize>,
    /// The words of the question that it has.
    held: BTreeSet<usize>,
    /// It only ends what is open: `}`.
    closes: bool,
}

/// The block of an answer out of settings or data that has as much of the question as all of it; the whole answer if it is short, or if no block
/// has. `above` is what is shown with it.
pub(super) fn block_of(asked: &AskedQuestion, above: &[&str], text: &str, answer: Range<usize>) -> Range<usize> {
    let lines = lines(asked, text, answer.clone());
    if lines.len() <= MOST_LINES {
        return answer;
    }
    let above: BTreeSet<usize> = above.iter().flat_map(|text| asked.held(text)).collect();
    let weight = |held: &BTreeSet<usize>| asked.weight(held.difference(&above).copied());
    let whole = weight(&lines.iter().flat_map(|line| &line.held).copied().collect());
    if whole <= 0.0 {
        return answer;
    }
    let has_all = |lines_of: &Range<usize>, first: usize| {
        let own = lines.get(lines_of.clone()).unwrap_or_default().iter();
        let around = standing_in(&lines, first).filter_map(|at| lines.get(at));
        weight(&own.chain(around).flat_map(|line| &line.held).copied().collect()) >= whole
    };
    let nodes = (0..lines.len()).map(|at| at..node_end(&lines, at)).chain(paragraphs(&lines));
    let nodes = nodes.filter(|node| (2..=MOST_LINES).contains(&node.len()) && has_all(node, node.start));
    let around = |at: usize| at.saturating_sub(LINES_AROUND)..(at + LINES_AROUND + 1).min(lines.len());
    let best = nodes.min_by_key(|node| (node.len(), node.start));
    let best = best.or_else(|| (0..lines.len()).find(|at| has_all(&(*at..at + 1), *at)).map(around));
    let block = best.and_then(|block| lines.get(block)).unwrap_or_default();
    let said = || block.iter().filter(|line| line.column.is_some());
    match (said().next(), said().next_back()) {
        (Some(first), Some(last)) => first.place.start..last.place.end,
        _ => answer,
    }
}

/// The lines that a place of settings or data stands in, from the inside: `"vlans": [` above one of them.
pub(super) fn lines_around(asked: &AskedQuestion, text: &str, at: usize) -> String {
    let lines = lines(asked, text, 0..text.len());
    let Some(first) = lines.iter().position(|line| line.place.start >= at) else { return String::new() };
    let around = standing_in(&lines, first).filter_map(|at| lines.get(at)).map(|line| cut(text, &line.place));
    around.collect::<Vec<_>>().join("\n")
}

fn lines(asked: &AskedQuestion, text: &str, place: Range<usize>) -> Vec<Line> {
    let mut is_below_section = false;
    let read = |place: Range<usize>| {
        let line = cut(text, &place);
        let bare = line.trim_start();
        let is_section = line.starts_with('[') && bare.trim_end().ends_with(']') && !bare.contains(',');
        is_below_section |= is_section;
        // What stands below a section stands in it.
        let column = line.len() - bare.len() + usize::from(is_below_section && !is_section);
        let end = place.start + line.trim_end().len();
        let says = bare.contains(char::is_alphanumeric);
        Line {
            place: place.start..end,
            column: (!bare.trim().is_empty()).then_some(column),
            held: if says { asked.held(bare) } else { BTreeSet::new() },
            closes: !says && bare.starts_with(['}', ']', ')']),
        }
    };
    lines_in(text, place).map(read).collect()
}

/// Where the lines end that stand in a line, with the one that closes them.
fn node_end(lines: &[Line], at: usize) -> usize {
    let Some(column) = lines.get(at).and_then(|line| line.column) else { return at };
    let is_inside = |line: &Line| line.column.is_none_or(|inner| inner > column);
    // A longer one is not quoted in any case.
    let inside = lines.iter().skip(at + 1).take(MOST_LINES).take_while(|line| is_inside(line)).count();
    let blank = lines.get(at..at + 1 + inside).unwrap_or_default().iter().rev();
    let blank = blank.take_while(|line| line.column.is_none()).count();
    let end = at + 1 + inside - blank;
    end + usize::from(inside > 0 && lines.get(end).is_some_and(|line| line.closes && line.column == Some(column)))
}

/// The lines that a line stands in, from the inside.
fn standing_in(lines: &[Line], at: usize) -> impl Iterator<Item = usize> {
    let mut column = lines.get(at).and_then(|line| line.column);
    let before = (0..at.min(lines.len())).rev();
    before.filter(move |at| {
        let outer = lines.get(*at).and_then(|line| line.column);
        let is_outer = outer.zip(column).is_some_and(|(outer, inner)| outer < inner);
        column = if is_outer { outer } else { column };
        is_outer
    })
}

/// What stands between blank lines.
fn paragraphs(lines: &[Line]) -> Vec<Range<usize>> {
    let mut paragraphs: Vec<Range<usize>> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        match paragraphs.last_mut() {
            Some(last) if line.column.is_some() && last.end == at => last.end = at + 1,
            _ if line.column.is_some() => paragraphs.push(at..at + 1),
            _ => {}
        }
    }
    paragraphs
}

#[cfg(test)]
#[path = "blocks_tests.rs"]
mod tests;
