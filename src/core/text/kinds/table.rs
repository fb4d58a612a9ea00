//! Tables as text: values between commas, semicolons or tabs, the first row as the header of all.

use super::super::Contents;
use super::super::spans::PlaceInFile;
use super::build::{Builder, TableRow};
use crate::core::base::limits;

/// What values may be separated by, the usual first.
const SEPARATORS: [char; 4] = [',', ';', '\t', '|'];

pub(super) fn extract(text: &str, is_tabbed: bool) -> Contents {
    let separator = if is_tabbed { '\t' } else { separator(text) };
    let mut out = Builder::default();
    let (rows, cut) = rows(text, separator);
    out.table(&rows);
    out.cut |= cut;
    out.finish()
}

/// The separator that stands most often in the first line.
fn separator(text: &str) -> char {
    let first = text.lines().next().unwrap_or_default();
    let count = |separator: &char| first.matches(*separator).count();
    SEPARATORS.into_iter().rev().max_by_key(count).unwrap_or(',')
}

/// The rows with the lines that they stand in, and whether columns were left out.
fn rows(text: &str, separator: char) -> (Vec<TableRow>, bool) {
    let mut rows = Vec::new();
    let mut row = OpenRow { first_line: 1, ..OpenRow::default() };
    let mut line = 1_u32;
    let mut quoted = false;
    let mut cut = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if quoted {
            match c {
                '"' if chars.peek() == Some(&'"') => {
                    chars.next();
                    row.cell.push('"');
                }
                '"' => quoted = false,
                c => row.cell.push(c),
            }
            line = line.saturating_add(u32::from(c == '\n'));
            continue;
        }
        match c {
            '"' if row.cell.trim().is_empty() => {
                row.cell.clear();
                quoted = true;
            }
            c if c == separator => row.end_cell(),
            '\n' => {
                cut |= row.end(line, &mut rows);
                line = line.saturating_add(1);
                row.first_line = line;
            }
            '\r' => {}
            c => row.cell.push(c),
        }
    }
    if !row.cell.is_empty() || !row.cells.is_empty() {
        cut |= row.end(line, &mut rows);
    }
    (rows, cut)
}

#[derive(Debug, Default)]
struct OpenRow {
    cells: Vec<String>,
    cell: String,
    first_line: u32,
}

impl OpenRow {
    fn end_cell(&mut self) {
        self.cells.push(std::mem::take(&mut self.cell).trim().to_owned());
    }

    fn end(&mut self, line: u32, rows: &mut Vec<TableRow>) -> bool {
        self.end_cell();
        let mut cells = std::mem::take(&mut self.cells);
        let cut = cells.len() > limits::EXTRACT_TABLE_COLUMNS;
        cells.truncate(limits::EXTRACT_TABLE_COLUMNS);
        rows.push(TableRow { cells, place: Some(PlaceInFile::lines(self.first_line, line)) });
        cut
    }
}
