//! Rows of a table that are gathered before they are written, in bounds whatever the file repeats.

use super::super::LeftOut;
use super::Spaced;
use super::build::{Builder, TableRow};
use crate::core::base::limits;

/// What a row and a cell take beside their text, in bytes, rounded up.
const ROW_BYTES: usize = 128;
const CELL_BYTES: usize = 48;

/// How much was gathered, and whether there was more.
#[derive(Debug, Default)]
pub(super) struct Room {
    taken: usize,
    cells: usize,
    is_used_up: bool,
}

impl Room {
    /// Whether a row fits.
    pub(super) fn takes_row(&mut self) -> bool {
        self.takes(ROW_BYTES)
    }

    /// Whether one more cell with this text fits.
    pub(super) fn takes_cell(&mut self, text: &str) -> bool {
        self.cells += 1;
        self.is_used_up |= self.cells > limits::SHEET_CELLS;
        self.takes(CELL_BYTES.saturating_add(text.len()))
    }

    pub(super) fn is_used_up(&self) -> bool {
        self.is_used_up
    }

    fn takes(&mut self, bytes: usize) -> bool {
        self.taken = self.taken.saturating_add(bytes);
        self.is_used_up |= self.taken > limits::GATHERED_BYTES;
        !self.is_used_up
    }
}

/// The rows of a table of a text or a slide.
#[derive(Debug, Default)]
pub(super) struct Rows {
    rows: Vec<TableRow>,
    room: Room,
    /// Whether the last cell that began is one of the rows.
    is_open: bool,
    has_more_columns: bool,
}

impl Rows {
    pub(super) fn row(&mut self) {
        if self.room.takes_row() {
            self.rows.push(TableRow::default());
        }
    }

    pub(super) fn cell(&mut self) {
        let Some(row) = self.rows.last_mut() else { return };
        let is_column = row.cells.len() < limits::EXTRACT_TABLE_COLUMNS;
        self.has_more_columns |= !is_column;
        self.is_open = is_column && self.room.takes_cell("");
        row.cells.extend(self.is_open.then(String::new));
    }

    /// Appends to the last cell, with a blank between.
    pub(super) fn add_spaced(&mut self, text: &str) {
        self.last(text).into_iter().for_each(|cell| cell.push_spaced(text));
    }

    /// Appends to the last cell.
    pub(super) fn add(&mut self, text: &str) {
        self.last(text).into_iter().for_each(|cell| cell.push_str(text));
    }

    /// Writes the table and is empty again.
    pub(super) fn write(&mut self, out: &mut Builder) {
        let Self { rows, room, is_open: _, has_more_columns } = std::mem::take(self);
        out.left_out.extend(room.is_used_up().then_some(LeftOut::Cells));
        out.left_out.extend(has_more_columns.then_some(LeftOut::Columns));
        out.table(rows);
    }

    fn last(&mut self, text: &str) -> Option<&mut String> {
        let is_taken = self.is_open && self.room.takes(text.len());
        self.rows.last_mut()?.cells.last_mut().filter(|_| is_taken)
    }
}
