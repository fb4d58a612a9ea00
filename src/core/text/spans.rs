//! Places in texts: byte ranges of archived text, and what a reader of a file counts.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::table_rows::is_table_rule;

/// A place in a page's archived text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Span {
    pub(crate) start: u64,
    pub(crate) end: u64,
}

/// Where something stands in its file, from 1, both ends included, in the unit that a reader of such a file counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PlaceInFile {
    pub(crate) first: u32,
    pub(crate) last: u32,
    /// What was stored without a unit counts lines.
    #[serde(default, skip_serializing_if = "Unit::is_line")]
    pub(crate) unit: Unit,
    /// The sheet of a workbook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sheet: Option<SheetCells>,
    /// Where the notes that are written in it stand themselves, from the first to the last of them, where that is neither in it nor beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) notes: Option<(u32, u32)>,
}

/// Where a part of a passage stands, which goes up to the next one: its first byte in the passage, and its place in the file, in the unit and the
/// sheet of the passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredPart", into = "StoredPart")]
pub(crate) struct PartPlace {
    pub(crate) at: u32,
    pub(crate) first: u32,
    pub(crate) last: u32,
    /// Whether it is a note that is written where the text refers to it.
    pub(crate) is_note: bool,
}

/// Its numbers; what was stored without the last one is no note.
#[derive(Serialize, Deserialize)]
struct StoredPart(u32, u32, u32, #[serde(default, skip_serializing_if = "std::ops::Not::not")] bool);

impl From<StoredPart> for PartPlace {
    fn from(StoredPart(at, first, last, is_note): StoredPart) -> Self {
        Self { at, first, last, is_note }
    }
}

impl From<PartPlace> for StoredPart {
    fn from(PartPlace { at, first, last, is_note }: PartPlace) -> Self {
        Self(at, first, last, is_note)
    }
}

impl PartPlace {
    pub(crate) fn of_text(at: usize, first: u32, last: u32) -> Self {
        Self { at: u32::try_from(at).unwrap_or(u32::MAX), first, last, is_note: false }
    }

    pub(crate) fn of_note(at: usize, (first, last): (u32, u32)) -> Self {
        Self { is_note: true, ..Self::of_text(at, first, last) }
    }

    /// So many parts at most: of more, neighbours have one place together.
    pub(crate) fn coarser(parts: Vec<Self>, most: usize) -> Vec<Self> {
        if parts.len() <= most {
            return parts;
        }
        let together = |parts: &[Self]| {
            let is_note = parts.iter().all(|part| part.is_note);
            let (first, last) = stretch(parts.iter().filter(|part| part.is_note == is_note))?;
            parts.first().map(|begin| Self { first, last, is_note, ..*begin })
        };
        parts.chunks(parts.len().div_ceil(most.max(1))).filter_map(together).collect()
    }
}

/// From the first place of some parts to the last one.
fn stretch<'p>(parts: impl Iterator<Item = &'p PartPlace> + Clone) -> Option<(u32, u32)> {
    parts.clone().map(|part| part.first).min().zip(parts.map(|part| part.last).max())
}

/// What the lines of a text are in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextLines {
    /// The file's own.
    Own,
    /// Rows of a table that was made of the file's lines.
    Rows,
    /// Others than the file has.
    Others,
}

/// What is counted in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Unit {
    #[default]
    Line,
    Page,
    Slide,
    /// Of a sheet.
    Row,
    Message,
    /// Of a notebook.
    Cell,
    /// Of a text without pages.
    Paragraph,
    /// Of a book.
    Chapter,
}

/// The sheet of a workbook and its columns, from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SheetCells {
    pub(crate) name: String,
    pub(crate) first_column: u32,
    pub(crate) last_column: u32,
}

impl Unit {
    fn is_line(&self) -> bool {
        *self == Self::Line
    }

    /// One of it, and several.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Line => ("line", "lines"),
            Self::Page => ("p.", "pp."),
            Self::Slide => ("slide", "slides"),
            Self::Row => ("row", "rows"),
            Self::Message => ("message", "messages"),
            Self::Cell => ("cell", "cells"),
            Self::Paragraph => ("paragraph", "paragraphs"),
            Self::Chapter => ("chapter", "chapters"),
        }
    }
}

impl PlaceInFile {
    pub(crate) fn lines(first: u32, last: u32) -> Self {
        Self::of(Unit::Line, first, last)
    }

    pub(crate) fn of(unit: Unit, first: u32, last: u32) -> Self {
        Self { first, last, unit, sheet: None, notes: None }
    }

    /// Where a part of the text stands that has this place as a whole, and whose parts have these.
    pub(crate) fn of_known(&self, parts: &[PartPlace], part: &Range<usize>) -> Self {
        let begun = |offset: usize| parts.partition_point(|one| one.at as usize <= offset).saturating_sub(1);
        let last = begun(part.end.saturating_sub(1).max(part.start));
        let held = parts.get(begun(part.start)..=last).unwrap_or_default();
        let notes = stretch(held.iter().filter(|one| one.is_note));
        // What is cut from a note alone stands where the note does.
        let own = stretch(held.iter().filter(|one| !one.is_note));
        match own.map(|own| (own, notes)).or(notes.map(|notes| (notes, None))) {
            Some(((first, last), notes)) => Self { first, last, ..self.clone() }.with_notes(notes),
            None => self.clone(),
        }
    }

    /// The same with notes in it that stand from the first to the last of these.
    pub(crate) fn with_notes(self, notes: Option<(u32, u32)>) -> Self {
        let Some((first, last)) = notes else { return Self { notes, ..self } };
        let is_beside = first <= self.last.saturating_add(1) && last.saturating_add(1) >= self.first;
        match is_beside {
            true => Self { first: self.first.min(first), last: self.last.max(last), notes: None, ..self },
            false => Self { notes, ..self },
        }
    }

    /// Whether another place is counted as this one is.
    pub(crate) fn counts_with(&self, other: &Self) -> bool {
        let is_same_sheet = match (&self.sheet, &other.sheet) {
            (Some(own), Some(other)) => own.name == other.name,
            (own, other) => own.is_none() && other.is_none(),
        };
        is_same_sheet && self.unit == other.unit
    }

    /// Where a part of the text stands that has this place as a whole: finer than that where each line of the text is one of the lines or rows that
    /// are counted.
    pub(crate) fn of_part(&self, text: &str, part: &Range<usize>, lines: TextLines) -> Self {
        self.finer(text, part, &self.starts(text, lines))
    }

    /// Where the parts of a text stand: its lines, if each is one that is counted, else all of it at one place.
    pub(crate) fn parts(&self, text: &str) -> Vec<PartPlace> {
        let starts = self.starts(text, TextLines::Own);
        if self.counts(starts.len()) {
            return self.parts_from(&starts).collect();
        }
        vec![PartPlace::of_text(0, self.first, self.last)]
    }

    /// Whether a text tells all that these say of the places of its parts.
    pub(crate) fn tells(&self, text: &str, parts: &[PartPlace], lines: TextLines) -> bool {
        let starts = self.starts(text, lines);
        self.counts(starts.len()) && self.parts_from(&starts).eq(parts.iter().copied())
    }

    fn parts_from(&self, starts: &[usize]) -> impl Iterator<Item = PartPlace> {
        starts.iter().zip(self.first..).map(|(at, place)| PartPlace::of_text(*at, place, place))
    }

    /// Where those lines of a text begin that may be the lines or rows that are counted.
    fn starts(&self, text: &str, lines: TextLines) -> Vec<usize> {
        let is_counted = |line: &str| match self.unit {
            // The line below the head of a table is none of the sheet's.
            Unit::Row => !is_table_rule(line),
            Unit::Line | Unit::Page | Unit::Slide | Unit::Message | Unit::Cell | Unit::Paragraph | Unit::Chapter => {
                true
            }
        };
        match lines {
            TextLines::Own => starts_of_lines(text).filter(|(_, line)| is_counted(line)).map(|(at, _)| at).collect(),
            TextLines::Rows => self.starts_of_rows(text),
            TextLines::Others => Vec::new(),
        }
    }

    /// The same for a table; none where something else stands in the text. A row has one line or more, and some lines are no rows: only where there are
    /// as many of both is it known which line a row stands in. The head is repeated above each part of a long table, and none of its lines; it is the
    /// file's own first line at its beginning alone.
    fn starts_of_rows(&self, text: &str) -> Vec<usize> {
        let lines: Vec<(usize, &str)> = starts_of_lines(text).filter(|(_, line)| !line.trim().is_empty()).collect();
        if lines.iter().any(|(_, line)| !line.starts_with('|')) {
            return Vec::new();
        }
        let is_head = |index: usize| lines.get(index + 1).is_some_and(|(_, below)| is_table_rule(below));
        let is_own_head =
            |index: usize, head: &str| index == 0 && self.first == 1 && head.contains(char::is_alphanumeric);
        let is_row = |index: usize, line: &str| !is_table_rule(line) && (!is_head(index) || is_own_head(index, line));
        let rows = lines.iter().enumerate().filter(|(index, (_, line))| is_row(*index, line));
        rows.map(|(_, (at, _))| *at).collect()
    }

    /// Whether there are so many lines or rows from its first to its last.
    fn counts(&self, lines: usize) -> bool {
        let is_by_line = matches!(self.unit, Unit::Line | Unit::Row);
        is_by_line
            && u64::try_from(lines).is_ok_and(|lines| lines == u64::from(self.last.saturating_sub(self.first)) + 1)
    }

    /// Where a part stands, if the lines of the text that begin here are all lines or rows of this place.
    fn finer(&self, text: &str, part: &Range<usize>, starts: &[usize]) -> Self {
        let counted = |of: Range<usize>| {
            u32::try_from(starts.iter().filter(|start| of.contains(start)).count()).unwrap_or(u32::MAX)
        };
        let from = text.get(..part.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let until = part.end.max(from + 1);
        if !self.counts(starts.len()) || counted(from..until) == 0 {
            return self.clone();
        }
        let first = self.first.saturating_add(counted(0..from));
        Self { first, last: first.saturating_add(counted(from..until) - 1), ..self.clone() }
    }

    /// The place from here to the end of another one of the same file.
    pub(crate) fn through(mut self, other: &Self) -> Self {
        if self.counts_with(other) {
            if let (Some(own), Some(other)) = (&mut self.sheet, &other.sheet) {
                own.first_column = own.first_column.min(other.first_column);
                own.last_column = own.last_column.max(other.last_column);
            }
            self.last = self.last.max(other.last);
            let notes = [self.notes, other.notes].into_iter().flatten();
            let notes = notes.reduce(|(first, last), (from, to)| (first.min(from), last.max(to)));
            return self.with_notes(notes);
        }
        self
    }

    /// Behind the name of its file: `notes.md:3-9`, `notes.md:3,12` with a note, `paper.pdf, p. 4`.
    pub(crate) fn behind(&self, file: &str) -> String {
        match self.unit {
            Unit::Line => {
                let stretches = [Some((self.first, self.last)), self.notes].into_iter().flatten();
                format!("{file}:{}", stretches.map(|stretch| said(stretch, '-')).collect::<Vec<_>>().join(","))
            }
            Unit::Page | Unit::Slide | Unit::Row | Unit::Message | Unit::Cell | Unit::Paragraph | Unit::Chapter => {
                format!("{file}, {self}")
            }
        }
    }

    /// Where what was cut goes on to: ` to line 9`; nothing where the place is not finer than what was shown.
    pub(crate) fn end_in_words(&self) -> String {
        match self.unit {
            Unit::Line => format!(" to line {}", self.last),
            Unit::Page | Unit::Slide | Unit::Row | Unit::Message | Unit::Cell | Unit::Paragraph | Unit::Chapter => {
                String::new()
            }
        }
    }
}

impl fmt::Display for PlaceInFile {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, last, unit, sheet, notes } = self;
        if let Some(SheetCells { name, first_column, last_column }) = sheet {
            let (from, until) = (column_name(*first_column), column_name(*last_column));
            return match (from == until, first == last) {
                (true, true) => write!(to, "{name}!{from}{first}"),
                (true, false) | (false, true | false) => write!(to, "{name}!{from}{first}:{until}{last}"),
            };
        }
        let (one, several) = unit.names();
        let own = said((*first, *last), '–');
        match notes {
            Some(notes) => write!(to, "{several} {own} and {}", said(*notes, '–')),
            None => write!(to, "{} {own}", if first == last { one } else { several }),
        }
    }
}

/// A stretch of what is counted: `3`, `3-9`.
fn said((first, last): (u32, u32), dash: char) -> String {
    if first == last { first.to_string() } else { format!("{first}{dash}{last}") }
}

/// The lines of a text without their ends, each with where it begins.
fn starts_of_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut end = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = end;
        end += line.len();
        (start, line.trim_end_matches(['\n', '\r']))
    })
}

/// The letters of a sheet's column, from 1: A, B, … Z, AA.
pub(crate) fn column_name(column: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = column;
    while rest > 0 {
        let digit = (rest - 1) % 26;
        letters.push(char::from(b'A' + u8::try_from(digit).unwrap_or_default()));
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_said_as_readers_count() {
        let cells = |first, last, (from, until): (u32, u32)| PlaceInFile {
            sheet: Some(SheetCells { name: "Costs".into(), first_column: from, last_column: until }),
            ..PlaceInFile::of(Unit::Row, first, last)
        };
        let cases = [
            (PlaceInFile::lines(3, 3), "line 3", "f:3"),
            (PlaceInFile::lines(3, 9), "lines 3–9", "f:3-9"),
            (PlaceInFile::of(Unit::Page, 3, 3), "p. 3", "f, p. 3"),
            (PlaceInFile::of(Unit::Page, 3, 4), "pp. 3–4", "f, pp. 3–4"),
            (PlaceInFile::of(Unit::Slide, 2, 2), "slide 2", "f, slide 2"),
            (PlaceInFile::lines(3, 3).with_notes(Some((9, 9))), "lines 3 and 9", "f:3,9"),
            (PlaceInFile::lines(3, 4).with_notes(Some((9, 12))), "lines 3–4 and 9–12", "f:3-4,9-12"),
            (PlaceInFile::lines(9, 9).with_notes(Some((3, 3))), "lines 9 and 3", "f:9,3"),
            (PlaceInFile::lines(3, 4).with_notes(Some((5, 6))), "lines 3–6", "f:3-6"),
            (PlaceInFile::of(Unit::Page, 3, 3).with_notes(Some((7, 7))), "pp. 3 and 7", "f, pp. 3 and 7"),
            (PlaceInFile::of(Unit::Page, 3, 3).with_notes(Some((3, 3))), "p. 3", "f, p. 3"),
            (PlaceInFile::of(Unit::Message, 4, 4), "message 4", "f, message 4"),
            (cells(2, 2, (1, 3)), "Costs!A2:C2", "f, Costs!A2:C2"),
            (cells(2, 9, (27, 703)), "Costs!AA2:AAA9", "f, Costs!AA2:AAA9"),
            (cells(5, 5, (2, 2)), "Costs!B5", "f, Costs!B5"),
        ];
        for (place, shown, behind) in cases {
            assert_eq!((place.to_string().as_str(), place.behind("f").as_str()), (shown, behind));
            let stored = serde_json::to_string(&place).unwrap();
            assert_eq!(serde_json::from_str::<PlaceInFile>(&stored).unwrap(), place, "{stored}");
        }
        let joined = cells(2, 3, (1, 3)).through(&cells(4, 6, (1, 5)));
        assert_eq!(joined.to_string(), "Costs!A2:E6");
    }

    /// EM-01: a part of a passage is cited by its own lines, where they are known.
    #[test]
    fn em_01_parts_have_finer_places() {
        let table = "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |";
        let rows = |first, last| PlaceInFile::of(Unit::Row, first, last);
        let lines = PlaceInFile::lines;
        for (place, text, part, want) in [
            (lines(7, 9), "one\ntwo\nthree", "two", lines(8, 8)),
            (lines(7, 9), "one\ntwo\nthree", "two\nthree", lines(8, 9)),
            (lines(7, 9), "one\ntwo\nthree\n", "one", lines(7, 7)),
            (lines(7, 9), "one two\nthree\n\n", "two", lines(7, 7)),
            (lines(7, 9), "one\r\ntwo\r\nthree", "wo\r\n", lines(8, 8)),
            // A page of HTML has other lines than its text.
            (lines(7, 20), "one\ntwo\nthree", "two", lines(7, 20)),
            (lines(7, 8), "one\ntwo\nthree", "two", lines(7, 8)),
            (lines(1, 4), table, "| 1 | 2 |", lines(3, 3)),
            (rows(1, 3), table, "| 1 | 2 |", rows(2, 2)),
            (rows(1, 3), table, "| --- | --- |", rows(1, 3)),
            (rows(1, 3), table, "| 1 | 2 |\n| 3 | 4 |", rows(2, 3)),
            (PlaceInFile::of(Unit::Page, 1, 3), "one\ntwo\nthree", "two", PlaceInFile::of(Unit::Page, 1, 3)),
        ] {
            let start = text.find(part).unwrap();
            assert_eq!(place.of_part(text, &(start..start + part.len()), TextLines::Own), want, "{text:?} {part:?}");
        }
        assert_eq!(lines(3, 3).of_part("one", &(9..19), TextLines::Own), lines(3, 3));
    }

    /// EM-01: a row of a table of lines is cited by its line, or by those of the whole passage where its line is not known.
    #[test]
    fn em_01_rows_of_lines_have_their_own_or_all() {
        let lines = PlaceInFile::lines;
        let table = "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |";
        for (place, text, part, want) in [
            (lines(1, 4), table, "| 3 | 4 |", lines(3, 3)),
            (lines(1, 4), table, "| 3 | 4 |\n| 5 | 6 |", lines(3, 4)),
            // A cell goes on over two lines, or a line is empty: as many lines as the text has, and none of them is the row's for certain.
            (lines(1, 5), table, "| 3 | 4 |", lines(1, 5)),
            (lines(8, 10), "| 1 | 2 |\n| 3 | 4 |", "| 3 | 4 |", lines(8, 10)),
            (lines(8, 9), "| 1 | 2 |\n| 3 | 4 |", "| 3 | 4 |", lines(9, 9)),
            // It begins inside a row.
            (lines(8, 9), "2 |\n| 3 | 4 |", "| 3 | 4 |", lines(8, 9)),
            // The head stands above each part of a long table; with as many lines as there are rows and a head, one of these goes on over two.
            (lines(8, 10), table, "| 3 | 4 |", lines(9, 9)),
            (lines(8, 11), table, "| 3 | 4 |", lines(8, 11)),
            (lines(8, 10), table, "| a | b |", lines(8, 10)),
            // Columns without names have no head in the file.
            (lines(1, 2), "|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |", "| 3 | 4 |", lines(2, 2)),
            (lines(1, 3), "|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |", "| 3 | 4 |", lines(1, 3)),
        ] {
            let start = text.find(part).unwrap();
            assert_eq!(place.of_part(text, &(start..start + part.len()), TextLines::Rows), want, "{text:?} {part:?}");
        }
    }

    /// EM-01: where the places of parts are known, a part has the places of all that it reaches into.
    #[test]
    fn em_01_parts_that_are_known_are_cited() {
        let part = PartPlace::of_text;
        let parts = [part(0, 7, 7), part(4, 12, 14), part(9, 20, 20)];
        let lines = PlaceInFile::lines;
        for (span, want) in [
            (0..3, lines(7, 7)),
            (0..4, lines(7, 7)),
            (0..5, lines(7, 14)),
            (4..9, lines(12, 14)),
            (5..6, lines(12, 14)),
            (9..9, lines(20, 20)),
            (8..99, lines(12, 20)),
        ] {
            assert_eq!(lines(7, 20).of_known(&parts, &span), want, "{span:?}");
        }
        assert_eq!(lines(7, 20).of_known(&[], &(0..3)), lines(7, 20));
        let cells = |first, last| PlaceInFile::of(Unit::Cell, first, last);
        assert_eq!(cells(7, 20).of_known(&parts, &(4..6)), cells(12, 14));
        let stored = serde_json::to_string(&parts[1]).unwrap();
        assert_eq!((stored.as_str(), serde_json::from_str(&stored).unwrap()), ("[4,12,14]", parts[1]));
    }

    /// EM-01: places degrade gently: of too many parts neighbours are said together.
    #[test]
    fn em_01_too_many_parts_are_said_together() {
        let line = |at: u32| PartPlace::of_text(at as usize, at, at);
        let lines: Vec<PartPlace> = (0..1_000).map(line).collect();
        let coarser = PartPlace::coarser(lines.clone(), 250);
        assert_eq!((coarser.len(), coarser[1]), (250, PartPlace::of_text(4, 4, 7)));
        assert_eq!(PartPlace::coarser(lines.clone(), 1), [PartPlace::of_text(0, 0, 999)]);
        assert_eq!(PartPlace::coarser(lines.clone(), 1_000), lines);
        assert!(PartPlace::coarser(lines, 999).len() <= 999);
        let note = |at: usize| PartPlace::of_note(at, (90, 91));
        let noted = vec![line(1), note(2), line(3), note(4), note(5)];
        assert_eq!(PartPlace::coarser(noted, 3), [PartPlace::of_text(1, 1, 1), PartPlace::of_text(3, 3, 3), note(5)]);
    }

    #[test]
    fn what_was_stored_before_counts_lines() {
        let old = r#"{"first":3,"last":9}"#;
        let place: PlaceInFile = serde_json::from_str(old).unwrap();
        assert_eq!(place, PlaceInFile::lines(3, 9));
        assert_eq!(serde_json::to_string(&place).unwrap(), old);
    }
}
