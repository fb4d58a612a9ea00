//! From a place in a document's text to its place in the file.

use std::ops::Range;

use crate::core::base::sorting::sort_by_key;
use crate::core::text::spans::{PartPlace, PlaceInFile};

/// The lines of a part of a text with their ends, as places in the text.
pub(crate) fn lines_in(text: &str, part: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut end = part.start;
    text.get(part).unwrap_or_default().split_inclusive('\n').map(move |line| {
        let start = end;
        end += line.len();
        start..end
    })
}

/// Bytes of the blanks that a line begins with.
pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// What is known of the places of a text.
#[derive(Debug)]
pub(super) struct Places {
    counted: Counted,
    /// Notes that are written where the text refers to them, ascending.
    notes: Vec<NotePlace>,
    /// The entries of lists of terms, ascending, those around others first.
    entries: Vec<TermEntry>,
}

/// An entry of a list of terms: where the term stands, and where what is said of it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TermEntry {
    pub(super) term: Range<usize>,
    pub(super) end: usize,
}

/// What is counted in the file of a text.
#[derive(Debug)]
enum Counted {
    Lines(LineMap),
    /// Pages, slides, messages. Ascending: from this offset of the text on, the place is this one.
    Parts(Vec<(usize, PlaceInFile)>),
}

/// A note that is written where the text refers to it: where in the text, and where in the file it stands itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NotePlace {
    pub(super) at: Range<usize>,
    pub(super) place: PlaceInFile,
}

impl Places {
    pub(super) fn of_lines(lines: LineMap, notes: Vec<NotePlace>) -> Self {
        Self { counted: Counted::Lines(lines), notes, entries: Vec::new() }
    }

    /// Of a file whose parts are counted; from these offsets of the text on, the places are these.
    pub(super) fn of_parts(parts: Vec<(usize, PlaceInFile)>) -> Self {
        Self { counted: Counted::Parts(parts), notes: Vec::new(), entries: Vec::new() }
    }

    /// The same with the entries of lists of terms.
    pub(super) fn with_entries(self, entries: Vec<TermEntry>) -> Self {
        Self { entries, ..self }
    }

    pub(super) fn entries(&self) -> &[TermEntry] {
        &self.entries
    }

    /// The same for a text whose places have moved, in their order, with notes that were written into it.
    pub(super) fn moved(self, to: impl Fn(usize) -> usize, notes: Vec<NotePlace>) -> Self {
        let counted = match self.counted {
            Counted::Lines(lines) => Counted::Lines(lines.moved(&to)),
            Counted::Parts(parts) => Counted::Parts(parts.into_iter().map(|(at, place)| (to(at), place)).collect()),
        };
        let known =
            self.notes.into_iter().map(|NotePlace { at, place }| NotePlace { at: to(at.start)..to(at.end), place });
        let mut notes: Vec<NotePlace> = known.chain(notes).collect();
        sort_by_key(&mut notes, |note| note.at.start);
        let moved = |TermEntry { term, end }| TermEntry { term: to(term.start)..to(term.end), end: to(end) };
        let entries = self.entries.into_iter().map(moved).collect();
        Self { counted, notes, entries }
    }

    pub(super) fn of(&self, span: &Range<usize>) -> PlaceInFile {
        let counted = self.counted.of(span);
        let inside: Vec<&NotePlace> = self.notes_in(span, &counted).collect();
        if let [note] = inside.as_slice()
            && note.at.start <= span.start
            && span.end <= note.at.end
        {
            return note.place.clone();
        }
        let first = inside.iter().map(|note| note.place.first).min();
        let last = inside.iter().map(|note| note.place.last).max();
        counted.with_notes(first.zip(last))
    }

    /// The notes in a part of the text that are counted as its place is.
    fn notes_in(&self, span: &Range<usize>, counted: &PlaceInFile) -> impl Iterator<Item = &NotePlace> {
        let begun = self.notes.partition_point(|note| note.at.end <= span.start);
        let notes = self.notes.get(begun..).unwrap_or_default().iter().take_while(|note| note.at.start < span.end);
        notes.filter(|note| note.place.counts_with(counted))
    }

    /// Where the parts of a passage stand that has this place; nothing where all of it stands at one place.
    pub(super) fn within(&self, span: &Range<usize>, whole: &PlaceInFile) -> Vec<PartPlace> {
        let mut parts = self.counted.within(span, whole);
        let written: Vec<PartPlace> = self
            .notes_in(span, whole)
            .flat_map(|note| {
                let at = |offset: usize| offset.saturating_sub(span.start);
                let behind = (note.at.end < span.end).then(|| {
                    let place = self.counted.of(&(note.at.end..note.at.end + 1));
                    PartPlace::of_text(at(note.at.end), place.first, place.last)
                });
                let note = PartPlace::of_note(at(note.at.start), (note.place.first, note.place.last));
                [Some(note), behind].into_iter().flatten()
            })
            .collect();
        if !written.is_empty() {
            parts.extend(written);
            // What begins at the same byte takes the place of what was said of it before.
            sort_by_key(&mut parts, |part| part.at);
            parts.reverse();
            parts.dedup_by_key(|part| part.at);
            parts.reverse();
        }
        if parts.len() < 2 { Vec::new() } else { parts }
    }
}

impl Counted {
    fn of(&self, span: &Range<usize>) -> PlaceInFile {
        match self {
            Self::Lines(lines) => lines.lines(span),
            Self::Parts(parts) => {
                let at = |offset: usize| parts.partition_point(|(from, _)| *from <= offset).saturating_sub(1);
                let (first, last) = (at(span.start), at(span.end.saturating_sub(1)));
                let mut places = parts.iter().map(|(_, place)| place).skip(first).take(last.saturating_sub(first) + 1);
                let start = places.next().cloned().unwrap_or_else(|| PlaceInFile::lines(1, 1));
                places.fold(start, PlaceInFile::through)
            }
        }
    }

    /// Where the parts of a passage stand that has this place.
    fn within(&self, span: &Range<usize>, whole: &PlaceInFile) -> Vec<PartPlace> {
        let offset = |at: usize| at.saturating_sub(span.start);
        match self {
            Self::Lines(lines) => {
                lines.within(span).map(|(at, line)| PartPlace::of_text(offset(at), line, line)).collect()
            }
            Self::Parts(parts) => {
                let begun = parts.partition_point(|(from, _)| *from <= span.start).saturating_sub(1);
                let parts = parts.get(begun..).unwrap_or_default().iter().take_while(|(from, _)| *from < span.end);
                // What is counted otherwise is no part of such a place.
                let part = |(from, place): &(usize, PlaceInFile)| {
                    whole.counts_with(place).then(|| PartPlace::of_text(offset(*from), place.first, place.last))
                };
                parts.map(part).collect::<Option<_>>().unwrap_or_default()
            }
        }
    }
}

impl From<LineMap> for Places {
    fn from(lines: LineMap) -> Self {
        Self::of_lines(lines, Vec::new())
    }
}

/// Marks in ascending order: from this offset of the text on, the file's line is this one.
#[derive(Debug, Default)]
pub(super) struct LineMap {
    marks: Vec<(usize, u32)>,
}

impl LineMap {
    /// For a text that is the file itself.
    pub(super) fn of(text: &str) -> Self {
        let mut map = Self { marks: vec![(0, 1)] };
        let mut line = 1_u32;
        for (at, byte) in text.bytes().enumerate() {
            if byte == b'\n' {
                line = line.saturating_add(1);
                map.marks.push((at + 1, line));
            }
        }
        map
    }

    /// What is appended to the text at `offset` stands in `line` of the file.
    pub(super) fn mark(&mut self, offset: usize, line: u32) {
        match self.marks.last() {
            Some((_, last)) if *last >= line => {}
            // White space may have been taken back from the text since; marks stay in order.
            Some((before, _)) => self.marks.push((offset.max(*before), line)),
            None => self.marks.push((offset, line)),
        }
    }

    /// Text was appended to the text at `offset`, from the file's lines `first` to `last`. A line end that was written as
    /// an entity has no line in the file, so the count stops at `last`.
    pub(super) fn mark_text(&mut self, offset: usize, text: &str, first: u32, last: u32) {
        self.mark(offset, first);
        for (line, (at, _)) in (first.saturating_add(1)..=last).zip(text.match_indices('\n')) {
            self.mark(offset + at + 1, line);
        }
    }

    /// What stands at `span` of another text was appended to this one at `offset`.
    pub(super) fn mark_copy(&mut self, offset: usize, other: &Self, span: Range<usize>) {
        self.mark(offset, other.line(span.start));
        let after = other.marks.partition_point(|(at, _)| *at <= span.start);
        for (at, line) in other.marks.iter().skip(after).take_while(|(at, _)| *at < span.end) {
            self.mark(offset + (at - span.start), *line);
        }
    }

    /// A byte was put into the text at `offset`.
    pub(super) fn mark_inserted(&mut self, offset: usize) {
        for (at, _) in self.marks.iter_mut().rev().take_while(|(at, _)| *at > offset) {
            *at += 1;
        }
    }

    /// The same for a text whose places have moved, in their order.
    fn moved(self, to: impl Fn(usize) -> usize) -> Self {
        Self { marks: self.marks.into_iter().map(|(at, line)| (to(at), line)).collect() }
    }

    pub(super) fn walk(&self) -> Walk<'_> {
        Walk { marks: &self.marks, line: 1 }
    }

    /// The line of a byte.
    pub(super) fn line(&self, offset: usize) -> u32 {
        let after = self.marks.partition_point(|(at, _)| *at <= offset);
        after.checked_sub(1).and_then(|index| self.marks.get(index)).map_or(1, |(_, line)| *line)
    }

    /// The lines of a span, each with where it begins.
    fn within(&self, span: &Range<usize>) -> impl Iterator<Item = (usize, u32)> {
        let behind = self.marks.partition_point(|(at, _)| *at <= span.start);
        let marks = self.marks.get(behind..).unwrap_or_default().iter().copied();
        std::iter::once((span.start, self.line(span.start))).chain(marks).take_while(|(at, _)| *at < span.end)
    }

    pub(super) fn lines(&self, span: &Range<usize>) -> PlaceInFile {
        let first = self.line(span.start);
        PlaceInFile::lines(first, self.line(span.end.saturating_sub(1)).max(first))
    }
}

/// Goes through a text from its beginning.
#[derive(Debug)]
pub(super) struct Walk<'m> {
    /// Those that are still ahead.
    marks: &'m [(usize, u32)],
    line: u32,
}

impl Walk<'_> {
    /// The line of a byte that is not before the last one asked for.
    pub(super) fn line(&mut self, offset: usize) -> u32 {
        while let Some(((_, line), ahead)) = self.marks.split_first().filter(|((at, _), _)| *at <= offset) {
            self.line = *line;
            self.marks = ahead;
        }
        self.line
    }
}
