//! A text with its notes where it refers to them, and everything that is known of its places.

use std::ops::Range;
use std::rc::Rc;

use super::super::lines::{NotePlace, Places, lines_in};
use super::super::outline::{Block, Item};
use super::super::spans::PlaceInFile;
use super::super::{Contents, cut};
use super::{Note, REPEATED_BYTES, written};
use crate::core::base::sorting::sort_by_key;

/// What is written in the place of a part of a text.
#[derive(Debug)]
struct Edit {
    place: Range<usize>,
    new: String,
    /// Where the note stands that is written, if it is one.
    from: Option<Rc<PlaceInFile>>,
}

/// Writes notes where they are referred to. One that nothing refers to stays where it is.
pub(super) fn apply(contents: Contents, notes: Vec<Note>) -> Contents {
    let edits = edits(&contents.text, &contents.places, notes);
    if edits.is_empty() {
        return contents;
    }
    let Contents { title, text, items, places, left_out } = contents;
    let moved = Moved::by(&edits);
    let mut new = String::with_capacity(text.len());
    let (mut at, mut written) = (0, Vec::new());
    for edit in &edits {
        new.push_str(cut(&text, &(at..edit.place.start)));
        let blank = edit.new.len() - edit.new.trim_start().len();
        let begin = new.len() + blank;
        new.push_str(&edit.new);
        written.extend(edit.from.iter().map(|from| NotePlace { at: begin..new.len(), place: from.as_ref().clone() }));
        at = edit.place.end;
    }
    new.push_str(cut(&text, &(at..text.len())));
    let items = items.into_iter().map(|item| moved_item(item, &moved)).filter(|item| has_text(item, &new)).collect();
    let places = places.moved(|at| moved.at(at), written);
    Contents { title, text: new, items, places, left_out }
}

fn moved_item(item: Item, moved: &Moved) -> Item {
    let span_of = |span: &Range<usize>| moved.at(span.start)..moved.at(span.end);
    match item {
        Item::Heading { level, text, span } => Item::Heading { level, text, span: span_of(&span) },
        Item::Block(Block { span, shape, cuts }) => {
            let cuts = cuts.into_iter().map(|cut| moved.at(cut)).collect();
            Item::Block(Block { span: span_of(&span), shape, cuts })
        }
    }
}

/// Whether something is left of an item.
fn has_text(item: &Item, text: &str) -> bool {
    match item {
        Item::Heading { .. } => true,
        Item::Block(block) => !cut(text, &block.span).trim().is_empty(),
    }
}

fn edits(text: &str, places: &Places, notes: Vec<Note>) -> Vec<Edit> {
    let lines: Vec<usize> = lines_in(text, 0..text.len()).map(|line| line.start).collect();
    let line_of = |at: usize| lines.get(lines.partition_point(|start| *start <= at).saturating_sub(1)).copied();
    let mut edits = Vec::new();
    let mut repeated = 0;
    for note in referred_outside(notes) {
        let from = Rc::new(places.of(&trimmed(text, &note.place)));
        for (nth, place) in note.references.into_iter().enumerate() {
            let is_row = line_of(place.start).is_some_and(|start| cut(text, &(start..place.start)).starts_with('|'));
            let says = if is_row { note.says.replace("\\|", "|").replace('|', "\\|") } else { note.says.clone() };
            repeated += if nth == 0 { 0 } else { says.len() };
            if nth == 0 || (says.len() <= REPEATED_BYTES && repeated <= text.len()) {
                let before = cut(text, &(0..place.start)).chars().next_back();
                let from = Some(Rc::clone(&from));
                edits.push(Edit { new: written(before, &note.mark, &says), place, from });
            }
        }
        edits.push(Edit { place: note.place, new: String::new(), from: None });
    }
    sort_by_key(&mut edits, |edit| edit.place.start);
    // What a note refers to goes with it.
    let mut end = 0;
    edits.retain(|edit| {
        let is_behind = edit.place.start >= end;
        end = if is_behind { edit.place.end } else { end };
        is_behind
    });
    edits
}

/// Notes that are referred to, by what stands in no note: one that only another note refers to would go with it.
fn referred_outside(mut notes: Vec<Note>) -> impl Iterator<Item = Note> {
    let mut places: Vec<Range<usize>> = notes.iter().map(|note| note.place.clone()).collect();
    sort_by_key(&mut places, |place| place.start);
    let is_in_note = |at: usize| {
        let begun = places.partition_point(|place| place.start <= at).checked_sub(1);
        begun.and_then(|last| places.get(last)).is_some_and(|place| at < place.end)
    };
    notes.iter_mut().for_each(|note| note.references.retain(|reference| !is_in_note(reference.start)));
    notes.into_iter().filter(|note| !note.references.is_empty())
}

/// A place without the white space at its ends, which may be on other lines.
fn trimmed(text: &str, place: &Range<usize>) -> Range<usize> {
    let says = cut(text, place);
    place.start + (says.len() - says.trim_start().len())..place.start + says.trim_end().len()
}

/// Where places of a text stand in one that was edited.
#[derive(Debug)]
struct Moved {
    /// The edits in ascending order: where each begins and ends, and how far in the new text it ends.
    edits: Vec<(Range<usize>, usize)>,
}

impl Moved {
    fn by(edits: &[Edit]) -> Self {
        let (mut old, mut new) = (0, 0);
        let mut moved = Vec::with_capacity(edits.len());
        for edit in edits {
            new += edit.place.start - old + edit.new.len();
            old = edit.place.end;
            moved.push((edit.place.clone(), new));
        }
        Self { edits: moved }
    }

    /// A place inside of an edit is where that begins.
    fn at(&self, old: usize) -> usize {
        let behind = self.edits.partition_point(|(place, _)| place.end <= old);
        let inside = self.edits.get(behind).filter(|(place, _)| place.start < old);
        let old = inside.map_or(old, |(place, _)| place.start);
        let before = behind.checked_sub(1).and_then(|last| self.edits.get(last));
        before.map_or(old, |(place, new)| new + (old - place.end))
    }
}
