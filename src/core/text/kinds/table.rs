//! Tables as text: values between commas, semicolons or tabs, the first row that is no title as the header of all.

use super::super::spans::PlaceInFile;
use std::iter::Peekable;
use std::str::Chars;

use super::super::{Contents, LeftOut};
use super::build::{Builder, TITLE_ROWS, TableRow};
use crate::core::base::limits;

/// What values may be separated by, the usual first.
const SEPARATORS: [char; 4] = [',', ';', '\t', '|'];

pub(super) fn extract(text: &str, is_tabbed: bool) -> Contents {
    let separator = if is_tabbed { '\t' } else { separator(text) };
    let mut out = Builder::default();
    let mut rows = Rows { chars: text.chars().peekable(), separator, line: 1, has_more_columns: false };
    out.sheet(2, &mut rows);
    out.left_out.extend(rows.has_more_columns.then_some(LeftOut::SheetColumns));
    out.finish()
}

/// The separator that stands most often in the first line that has one; a title above the head has none.
fn separator(text: &str) -> char {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).take(TITLE_ROWS + 1);
    let first = lines.find(|line| line.contains(SEPARATORS)).unwrap_or_default();
    let count = |separator: &char| first.matches(*separator).count();
    SEPARATORS.into_iter().rev().max_by_key(count).unwrap_or(',')
}

/// The rows with the lines that they stand in, one at a time: a file of separators alone would be many times as large as a list of cells.
struct Rows<'t> {
    chars: Peekable<Chars<'t>>,
    separator: char,
    line: u32,
    has_more_columns: bool,
}

impl Iterator for Rows<'_> {
    type Item = TableRow;

    fn next(&mut self) -> Option<TableRow> {
        self.chars.peek()?;
        let first_line = self.line;
        let mut row = OpenRow::default();
        let mut quoted = false;
        while let Some(c) = self.chars.next() {
            self.line = self.line.saturating_add(u32::from(c == '\n'));
            match c {
                '"' if quoted && self.chars.peek() == Some(&'"') => {
                    self.chars.next();
                    row.push('"');
                }
                '"' if quoted => quoted = false,
                c if quoted => row.push(c),
                '"' if row.is_blank => {
                    row.cell.clear();
                    row.is_blank = false;
                    quoted = true;
                }
                c if c == self.separator => row.end_cell(),
                '\n' => return Some(self.ended(row, first_line, self.line.saturating_sub(1))),
                '\r' => {}
                c => row.push(c),
            }
        }
        Some(self.ended(row, first_line, self.line))
    }
}

impl Rows<'_> {
    fn ended(&mut self, mut row: OpenRow, first_line: u32, last_line: u32) -> TableRow {
        row.end_cell();
        self.has_more_columns |= row.has_more;
        TableRow { cells: row.cells, place: Some(PlaceInFile::lines(first_line, last_line)), ..TableRow::default() }
    }
}

#[derive(Debug)]
struct OpenRow {
    cells: Vec<String>,
    cell: String,
    /// Nothing but blanks stands in the cell.
    is_blank: bool,
    has_more: bool,
}

impl Default for OpenRow {
    fn default() -> Self {
        Self { cells: Vec::new(), cell: String::new(), is_blank: true, has_more: false }
    }
}

impl OpenRow {
    fn push(&mut self, c: char) {
        self.is_blank &= c.is_whitespace();
        self.cell.push(c);
    }

    fn end_cell(&mut self) {
        let cell = std::mem::take(&mut self.cell);
        self.is_blank = true;
        if self.cells.len() < limits::SHEET_COLUMNS {
            self.cells.push(cell.trim().to_owned());
        } else {
            self.has_more = true;
        }
    }
}
