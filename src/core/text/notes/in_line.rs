//! Notes of Org that stand where they are referred to: `[fn:: text]`, and `[fn:name: text]`, which others may refer to.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::{Contents, cut};
use super::{Form, MARK_BYTES, NOTE_BYTES, Note, apply, blocks, said};
use crate::core::base::sorting::sort_by_key;

/// Notes of one text that are looked at.
const MOST_NOTES: usize = 10_000;

/// Writes such notes as those of other kinds are written.
pub(super) fn written(contents: Contents) -> Contents {
    let text = &contents.text;
    let (mut notes, mut names) = (Vec::<Note>::new(), BTreeMap::<&str, usize>::new());
    let mut number = 0;
    for block in blocks(&contents).filter(|block| !is_source(cut(text, &block.span))) {
        let said = cut(text, &block.span);
        let mut end = 0;
        for (at, opening) in said.match_indices(Form::Org.opening()) {
            if at < end || notes.len() >= MOST_NOTES || said.get(..at).is_some_and(|text| text.ends_with(['=', '~'])) {
                continue;
            }
            let behind = said.get(at + opening.len()..).unwrap_or_default();
            let Some((name, says, length)) = note(behind) else { continue };
            end = at + opening.len() + length;
            let place = block.span.start + at..block.span.start + end;
            let mark = if name.is_empty() {
                number += 1;
                number.to_string()
            } else {
                name.to_owned()
            };
            // Of two with one name the first one is meant.
            if !name.is_empty() && names.contains_key(name) {
                continue;
            }
            if !name.is_empty() {
                names.insert(name, notes.len());
            }
            // It stands where it is referred to, and nowhere else.
            notes.push(Note { mark, says, place: place.end..place.end, references: vec![place] });
        }
    }
    if notes.is_empty() {
        return contents;
    }
    for block in blocks(&contents).filter(|block| !is_source(cut(text, &block.span))) {
        refer(&mut notes, &names, text, &block.span);
    }
    notes.iter_mut().for_each(|note| sort_by_key(&mut note.references, |reference| reference.start));
    apply::apply(contents, notes)
}

/// Adds where a block refers to notes that have a name.
fn refer(notes: &mut [Note], names: &BTreeMap<&str, usize>, text: &str, block: &Range<usize>) {
    let said = cut(text, block);
    for (at, _) in said.match_indices(Form::Org.opening()) {
        let here = said.get(at..).unwrap_or_default();
        let Some((name, rest)) = Form::Org.marked(here) else { continue };
        if let Some(note) = names.get(name).and_then(|note| notes.get_mut(*note)) {
            let start = block.start + at;
            note.references.push(start..start + here.len() - rest.len());
        }
    }
}

/// The name of a note that stands here, what it says, and how long it is; behind `[fn:`.
fn note(behind: &str) -> Option<(&str, String, usize)> {
    let (name, rest) = behind.get(..behind.floor_char_boundary(MARK_BYTES))?.split_once(':')?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    if !name.chars().all(is_name) || rest.is_empty() {
        return None;
    }
    let text = behind.get(name.len() + 1..)?;
    let near = text.get(..text.floor_char_boundary(NOTE_BYTES + 1))?;
    let mut depth = 1_usize;
    let end = near.char_indices().find(|(_, c)| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    Some((name, said(near.get(..end.0)?)?, name.len() + 1 + end.0 + 1))
}

/// Whether a block is code or an example.
fn is_source(block: &str) -> bool {
    super::is_source_behind(block.lines().next().unwrap_or_default(), false)
}
