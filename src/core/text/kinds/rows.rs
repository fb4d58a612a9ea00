//! Rows of a table that are gathered before they are written, in bounds whatever the file repeats.

use super::super::LeftOut;
use super::super::spans::PlaceInFile;
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
    /// Columns that the last cell takes beside its own.
    further_columns: u32,
    /// Whether the last cell is a part of the one above it.
    continues_above: bool,
    has_more_columns: bool,
}

impl Rows {
    pub(super) fn row(&mut self) {
        self.end_cell();
        if self.room.takes_row() {
            self.rows.push(TableRow::default());
        }
    }

    pub(super) fn cell(&mut self) {
        self.end_cell();
        self.push_cell();
    }

    /// The last cell takes so many columns.
    pub(super) fn widen(&mut self, columns: Option<u32>) {
        self.further_columns = columns.unwrap_or_default().saturating_sub(1);
    }

    /// The last cell is a part of the one above it, and says what that one says.
    pub(super) fn continue_above(&mut self) {
        self.continues_above = true;
    }

    fn end_cell(&mut self) {
        let columns = std::mem::take(&mut self.further_columns);
        if std::mem::take(&mut self.continues_above)
            && let [.., above, row] = self.rows.as_mut_slice()
            && let Some(column) = row.cells.len().checked_sub(1)
            && let (Some(above), Some(cell)) = (above.cells.get(column), row.cells.last_mut())
            && cell.trim().is_empty()
            && self.room.takes(above.len())
        {
            cell.clone_from(above);
        }
        let most = u32::try_from(limits::EXTRACT_TABLE_COLUMNS + 1).unwrap_or(u32::MAX);
        (0..columns.min(most)).for_each(|_| self.push_cell());
    }

    fn push_cell(&mut self) {
        let Some(row) = self.rows.last_mut() else { return };
        let is_column = row.cells.len() < limits::EXTRACT_TABLE_COLUMNS;
        self.has_more_columns |= !is_column;
        self.is_open = is_column && self.room.takes_cell("");
        row.cells.extend(self.is_open.then(String::new));
    }

    /// What was said last stands there; the place of a row is that of all that it says.
    pub(super) fn stand(&mut self, place: PlaceInFile) {
        let Some(row) = self.rows.last_mut() else { return };
        row.place = Some(match row.place.take() {
            Some(first) => first.through(&place),
            None => place,
        });
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
        self.end_cell();
        let Self { rows, room, has_more_columns, .. } = std::mem::take(self);
        out.left_out.extend(room.is_used_up().then_some(LeftOut::Cells));
        out.left_out.extend(has_more_columns.then_some(LeftOut::Columns));
        out.table(rows);
    }

    fn last(&mut self, text: &str) -> Option<&mut String> {
        let is_taken = self.is_open && self.room.takes(text.len());
        self.rows.last_mut()?.cells.last_mut().filter(|_| is_taken)
    }
}
