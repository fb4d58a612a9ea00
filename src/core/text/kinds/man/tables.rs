//! Tables of `tbl`: options, a line for the form of each row, rows of cells.

use super::super::super::spans::PlaceInFile;
use super::super::build::TableRow;
use super::escapes::{arguments, plain, quoted};
use super::page::Page;
use super::roff::{Line, Said};
use crate::core::base::limits;

/// Rows that are held back until their table ends; of a longer one they are written as several.
pub(super) const HELD_ROWS: usize = 10_000;

/// A table that is being read.
#[derive(Debug)]
pub(super) struct Table {
    separator: char,
    part: Part,
    rows: Vec<TableRow>,
    /// The cells of a row whose end has not come yet, and the line that it began in.
    open: Option<(Vec<String>, u32)>,
}

/// Which part of a table is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Options,
    Forms,
    Rows,
    /// A cell of several lines: `T{` to `T}`.
    Cell,
}

impl Table {
    pub(super) fn new() -> Self {
        Self { separator: '\t', part: Part::Options, rows: Vec::new(), open: None }
    }

    /// Takes a line that is for the table; those that say how a cell of several lines is read are given back.
    pub(super) fn take(&mut self, page: &mut Page, line: Line) -> Option<Line> {
        let Line { number, said } = line;
        match said {
            Said::Macro { name, .. } if name == "T&" => self.part = Part::Forms,
            Said::Macro { name, rest } if self.part == Part::Cell => {
                return Some(Line { number, said: Said::Macro { name, rest } });
            }
            // A font may be all that a macro says of a row.
            Said::Macro { name, rest } if matches!(name.as_str(), "B" | "I" | "R") && self.part == Part::Rows => {
                let all = arguments(&rest).into_iter().map(|argument| argument.text).collect::<Vec<_>>().join(" ");
                self.row(page, number, &all);
            }
            Said::Macro { .. } => {}
            Said::Text(text) => match self.part {
                Part::Options => self.options(&text),
                Part::Forms => self.forms(&text),
                Part::Rows => self.row(page, number, &text),
                Part::Cell => match text.strip_prefix("T}") {
                    Some(behind) => {
                        self.end_cell(page);
                        let behind = behind.strip_prefix(self.separator).map(str::to_owned);
                        self.part = Part::Rows;
                        match behind {
                            Some(behind) => self.cells(page, number, &behind),
                            None => self.end_row(page, number),
                        }
                    }
                    None => return Some(Line { number, said: Said::Text(text) }),
                },
            },
        }
        None
    }

    /// Writes what was read.
    pub(super) fn finish(mut self, page: &mut Page) {
        if self.part == Part::Cell {
            self.end_cell(page);
        }
        page.cell = None;
        self.end_row(page, page.line);
        page.table(self.rows);
    }

    /// `tab(@) allbox;`. A table may have none and begin with its forms.
    fn options(&mut self, text: &str) {
        self.part = Part::Forms;
        if !text.trim_end().ends_with(';') {
            self.forms(text);
            return;
        }
        if let Some((_, behind)) = text.split_once("tab") {
            let behind = behind.trim_start();
            let said = behind.strip_prefix('(').unwrap_or(behind);
            self.separator = said.chars().next().unwrap_or('\t');
        }
    }

    /// The forms end with a full stop.
    fn forms(&mut self, text: &str) {
        if text.trim_end().ends_with('.') {
            self.part = Part::Rows;
        }
    }

    fn row(&mut self, page: &mut Page, number: u32, text: &str) {
        let bare = text.trim();
        // Lines between rows, and what is left of a row that was never ended.
        if bare.is_empty() || matches!(bare, "_" | "=" | "\\_" | "\\=") {
            return;
        }
        self.open = Some((Vec::new(), number));
        self.cells(page, number, text);
    }

    /// The cells of a row, from here to its end or to one of several lines.
    fn cells(&mut self, page: &mut Page, number: u32, text: &str) {
        let (cells, _) = self.open.get_or_insert_with(|| (Vec::new(), number));
        let mut rest = Some(text);
        while let Some(said) = rest {
            let (cell, behind) = match said.split_once(self.separator) {
                Some((cell, behind)) => (cell, Some(behind)),
                None => (said, None),
            };
            if behind.is_none() && cell.trim_end() == "T{" {
                self.part = Part::Cell;
                page.cell = Some(String::new());
                return;
            }
            if cells.len() < limits::EXTRACT_TABLE_COLUMNS {
                cells.push(shown_cell(cell));
            }
            rest = behind;
        }
        self.end_row(page, number);
    }

    fn end_cell(&mut self, page: &mut Page) {
        let text = page.cell.take().unwrap_or_default();
        if let Some((cells, _)) = self.open.as_mut().filter(|(cells, _)| cells.len() < limits::EXTRACT_TABLE_COLUMNS) {
            cells.push(text);
        }
    }

    fn end_row(&mut self, page: &mut Page, last: u32) {
        let Some((cells, first)) = self.open.take() else { return };
        if cells.iter().any(|cell| !cell.is_empty()) {
            let place = Some(PlaceInFile::lines(first, last.max(first)));
            self.rows.push(TableRow { cells, place, ..TableRow::default() });
        }
        if self.rows.len() >= HELD_ROWS {
            page.table(std::mem::take(&mut self.rows));
        }
    }
}

/// A cell as it is read; one that only draws a line or goes on from above is empty.
fn shown_cell(cell: &str) -> String {
    match cell.trim() {
        "\\^" | "_" | "=" | "\\_" | "\\=" => String::new(),
        cell if cell.starts_with("\\R") => quoted(cell.get(2..).unwrap_or_default()).1.to_owned(),
        cell => plain(cell).split_whitespace().collect::<Vec<_>>().join(" "),
    }
}
