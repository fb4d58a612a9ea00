//! The notes of a file, by the raised marks that lead to them.

use std::collections::BTreeMap;
use std::ops::Range;

use super::tree::{Kind, Tree};
use crate::core::text::notes::{REPEATED_BYTES, is_literature, said};

/// The longest mark in bytes; more text than this is no mark, and looking has an end.
const MARK_BYTES: usize = 8;
/// Elements above a target that are looked at for the note that it is in.
const MOST_UP: usize = 4;
/// More nodes are no note.
const NOTE_NODES: usize = 200;

/// A note where it is referred to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Referred {
    pub(super) mark: String,
    pub(super) says: String,
    /// The lines of the file that it stands in.
    pub(super) lines: (u32, u32),
}

#[derive(Debug, Default)]
pub(super) struct Notes {
    /// By the element that refers to it.
    pub(super) referred: BTreeMap<usize, Referred>,
    /// The nodes of those that are written where they are referred to, and nowhere else.
    pub(super) places: Vec<Range<usize>>,
}

/// The notes that stand behind what refers to them.
pub(super) fn notes(tree: &Tree) -> Notes {
    let references = references(tree);
    if references.is_empty() {
        return Notes::default();
    }
    let mut targets: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, element) in tree.elements() {
        for name in ["id", "name"].iter().filter_map(|name| element.attribute(name)) {
            targets.entry(name).or_insert(at);
        }
    }
    // By where a note begins: where it ends, what leads to it, and whether it was written. Several notes in one paragraph cannot be told apart.
    let mut known: BTreeMap<usize, Known> = BTreeMap::new();
    let mut found = Vec::new();
    for (at, link, target) in references {
        let Some(target) = targets.get(target).copied().filter(|target| *target > link) else { continue };
        let Some(note) = place(tree, target).filter(|note| note.start > link && note.len() <= NOTE_NODES) else {
            continue;
        };
        let known = known.entry(note.start).or_insert(Known { target, is_shared: false, is_written: false });
        known.is_shared |= known.target != target;
        found.push((at, link, note));
    }
    let mut notes = Notes::default();
    let mut repeated = 0;
    for (at, link, note) in found {
        let Some(known) = known.get_mut(&note.start).filter(|known| !known.is_shared) else { continue };
        let mark = mark(tree, link);
        let (text, lines) = text(tree, &note, &mark);
        let Some((says, lines)) = said(&text).filter(|says| !is_literature(says)).zip(lines) else { continue };
        repeated += if known.is_written { says.len() } else { 0 };
        if known.is_written && (says.len() > REPEATED_BYTES || repeated > tree.text.len()) {
            continue;
        }
        notes.places.extend((!known.is_written).then_some(note));
        known.is_written = true;
        notes.referred.insert(at, Referred { mark, says, lines });
    }
    notes
}

/// What is known of a place that is referred to.
#[derive(Debug)]
struct Known {
    target: usize,
    is_shared: bool,
    is_written: bool,
}

/// Where the page refers to a note: the raised element, the link and what it leads to.
fn references(tree: &Tree) -> Vec<(usize, usize, &str)> {
    let mut found = Vec::new();
    for (at, element) in tree.elements().filter(|(_, element)| element.name.text() == "a") {
        let Some(target) = element.attribute("href").and_then(|href| href.strip_prefix('#')) else { continue };
        let parent = tree.nodes.get(at).map_or(0, |node| node.parent);
        let is_raised = |at: usize| tree.element(at).is_some_and(|element| element.name.text() == "sup");
        let is_alone = is_raised(parent) && tree.text_of(parent, MARK_BYTES) == tree.text_of(at, MARK_BYTES);
        let named = ["class", "role"].iter().filter_map(|name| element.attribute(name)).collect::<Vec<_>>().join(" ");
        let says_so = named.contains("footnote") || named.contains("noteref");
        let is_raised_inside = tree.below(at).take(2).any(|(inner, _)| is_raised(inner));
        let in_heading = tree.above(at).any(|(_, above)| above.name.heading_level().is_some());
        if (is_alone || is_raised_inside || says_so) && !in_heading && is_mark(&mark(tree, at)) && !is_source(target) {
            found.push((if is_alone { parent } else { at }, at, target));
        }
    }
    found
}

/// Whether the name of a place says that it is one of literature.
fn is_source(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let letters = name.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
    ["cite", "bib"].iter().any(|source| name.starts_with(source))
        || ["b", "cr", "r", "ref", "ref-cr"].contains(&letters)
}

fn mark(tree: &Tree, link: usize) -> String {
    tree.text_of(link, MARK_BYTES).trim().trim_matches(['[', ']', '(', ')']).to_owned()
}

/// Figures, a letter or signs.
fn is_mark(mark: &str) -> bool {
    let is_letter = mark.chars().count() == 1 && mark.chars().all(char::is_alphanumeric);
    let is_short = !mark.is_empty() && mark.chars().count() <= 3;
    is_short && (is_letter || mark.chars().all(|c| c.is_ascii_digit()) || !mark.contains(char::is_alphanumeric))
}

/// The note that a target is or begins: an item, a paragraph, a row, or a term with what is said of it.
fn place(tree: &Tree, target: usize) -> Option<Range<usize>> {
    let own = std::iter::once(target).chain(tree.above(target).map(|(at, _)| at));
    let blocks = own.take(MOST_UP).filter(|at| {
        tree.element(*at).is_some_and(|element| {
            let name = element.name.text();
            element.name.is_block() && !matches!(name, "td" | "th" | "body" | "main" | "article" | "section")
        })
    });
    let at = blocks.into_iter().next()?;
    let (element, node) = (tree.element(at)?, tree.nodes.get(at)?);
    if element.name.heading_level().is_some() {
        return None;
    }
    let mut end = node.end;
    if element.name.text() == "dt" {
        let next = (end..tree.nodes.len()).find(|next| tree.element(*next).is_some())?;
        let is_said = tree.element(next)?.name.text() == "dd";
        end = tree.nodes.get(next).filter(|_| is_said)?.end;
    }
    Some(at..end)
}

/// What a note says, without its mark and without the links that lead back, and the lines of the file that this stands in.
fn text(tree: &Tree, note: &Range<usize>, mark: &str) -> (String, Option<(u32, u32)>) {
    let mut out = String::new();
    let mut lines: Option<(u32, u32)> = None;
    let mut at = note.start;
    while let Some(node) = tree.nodes.get(at).filter(|_| at < note.end) {
        match &node.kind {
            Kind::Text(range) => {
                let says = tree.text.get(range.clone()).unwrap_or_default();
                out.push_str(says);
                let blank = says.len() - says.trim_start().len();
                if blank < says.len() {
                    let end = range.start + says.trim_end().len();
                    let (first, last) = (tree.lines.line(range.start + blank), tree.lines.line(end.saturating_sub(1)));
                    lines = Some(lines.map_or((first, last), |(from, to)| (from.min(first), to.max(last))));
                }
            }
            Kind::Element(element) => {
                let leads_back = element.attribute("href").is_some_and(|href| href.starts_with('#'))
                    && tree.text_of(at, MARK_BYTES).chars().count() <= 3;
                if leads_back || element.name.is_dropped() {
                    at = node.end.max(at + 1);
                    continue;
                }
                if element.name.is_block() || element.name.text() == "br" {
                    out.push(' ');
                }
            }
        }
        at += 1;
    }
    let said = out.trim_matches(|c: char| c.is_whitespace() || matches!(c, '↩' | '↑' | '^' | '\u{fe0e}'));
    let unmarked = said.trim_start_matches(['[', '(']).strip_prefix(mark);
    let unmarked = unmarked.filter(|rest| !rest.starts_with(char::is_alphanumeric));
    let says = unmarked.map_or(said, |rest| rest.trim_start_matches([']', ')', '.', ':', ' ', '\n', '\u{a0}']));
    (says.to_owned(), lines)
}
