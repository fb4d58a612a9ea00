//! Rows of a table that are gathered before they are written, in bounds whatever the file repeats.

use super::super::LeftOut;
use super::super::spans::PlaceInFile;
use super::Spaced;
use super::build::{Builder, TableRow};
use super::remarks::ABOUT_CHARS;
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
    /// Tables inside of cells.
    inner: Vec<InnerTable>,
}

/// A table inside a cell, and where that cell is.
#[derive(Debug)]
struct InnerTable {
    row: usize,
    column: usize,
    rows: Rows,
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
        self.reach_over(columns);
    }

    /// The last cell reaches over so many columns, whose cells follow by themselves.
    pub(super) fn reach_over(&mut self, columns: Option<u32>) {
        let columns = columns.and_then(|columns| usize::try_from(columns).ok()).unwrap_or_default();
        let Some(row) = self.rows.last_mut() else { return };
        if columns > 1
            && let Some(first) = row.cells.len().checked_sub(1).filter(|_| self.is_open && self.room.takes(CELL_BYTES))
        {
            row.wide.push(first..first.saturating_add(columns).min(limits::EXTRACT_TABLE_COLUMNS));
        }
    }

    /// The last cell is a part of the one above it, and says what that one says.
    pub(super) fn continue_above(&mut self) {
        self.continues_above = true;
    }

    /// The last cell is covered: by one that reaches over it in its row, or by the one above it.
    pub(super) fn cover(&mut self) {
        let is_from_left = self.rows.last().is_some_and(|row| {
            let column = row.cells.len().saturating_sub(1);
            row.wide.last().is_some_and(|wide| wide.start < column && wide.contains(&column))
        });
        self.continues_above = !is_from_left;
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

    /// Writes the table and is empty again. Tables inside of it follow, each behind what its row and its column are called.
    pub(super) fn write(&mut self, out: &mut Builder) {
        self.end_cell();
        out.left_out.extend(self.room.is_used_up().then_some(LeftOut::Cells));
        let mut next = std::mem::take(self).write_rows(out);
        while let Some((name, table)) = next.pop() {
            table.rows.iter().find_map(|row| row.place.clone()).into_iter().for_each(|place| out.place(place));
            if !name.is_empty() {
                out.paragraph(&format!("{name}:"));
            }
            next.extend(table.write_rows(out));
        }
    }

    /// Writes the rows and gives back the tables inside of them by their names, the last one first.
    fn write_rows(self, out: &mut Builder) -> Vec<(String, Self)> {
        let Self { rows, has_more_columns, inner, .. } = self;
        out.left_out.extend(has_more_columns.then_some(LeftOut::Columns));
        let cell = |row: usize, column: usize| {
            let text = rows.get(row).and_then(|row| row.cells.get(column)).map(|cell| cell.trim()).unwrap_or_default();
            text.chars().take(ABOUT_CHARS).collect::<String>()
        };
        let name_of = |table: &InnerTable| {
            let (subject, head) = (cell(table.row, 0), cell(0, table.column));
            // The table stands in the head, or in what would be its name.
            let head = if table.row == 0 { String::new() } else { head };
            let subject = if table.column == 0 { String::new() } else { subject };
            let names: Vec<&str> =
                [&subject, &head].into_iter().map(String::as_str).filter(|n| !n.is_empty()).collect();
            names.join(", ")
        };
        let inner = inner.into_iter().rev().map(|table| (name_of(&table), table.rows)).collect();
        out.table(rows);
        inner
    }

    /// A table inside the last cell, which takes what room this one has left.
    fn open_inner(&mut self) -> Self {
        Self { room: std::mem::take(&mut self.room), ..Self::default() }
    }

    fn close_inner(&mut self, mut rows: Self) {
        rows.end_cell();
        self.room = std::mem::take(&mut rows.room);
        let (row, column) = self.rows.last().map_or((0, 0), |row| (self.rows.len() - 1, row.cells.len().max(1) - 1));
        if !rows.rows.is_empty() && self.room.takes(size_of::<InnerTable>()) {
            self.inner.push(InnerTable { row, column, rows });
        }
    }

    fn last(&mut self, text: &str) -> Option<&mut String> {
        let is_taken = self.is_open && self.room.takes(text.len());
        self.rows.last_mut()?.cells.last_mut().filter(|_| is_taken)
    }
}

/// The tables of a text that are open, one inside the other.
#[derive(Debug, Default)]
pub(super) struct Tables {
    open: Vec<Rows>,
    /// Those that are nested deeper than is read: what they say is a part of the cell around them.
    deeper: usize,
}

impl Tables {
    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    pub(super) fn open(&mut self) {
        if self.open.len() >= limits::OFFICE_DEPTH {
            self.deeper += 1;
            return;
        }
        let inner = self.open.last_mut().map(Rows::open_inner).unwrap_or_default();
        self.open.push(inner);
    }

    /// The innermost table, where its rows and cells are told apart.
    pub(super) fn rows(&mut self) -> Option<&mut Rows> {
        self.open.last_mut().filter(|_| self.deeper == 0)
    }

    /// Adds a paragraph to the last cell.
    pub(super) fn add_spaced(&mut self, text: &str, place: &PlaceInFile) {
        self.open.iter_mut().next_back().into_iter().for_each(|rows| rows.add_spaced(text));
        self.open.iter_mut().for_each(|rows| rows.stand(place.clone()));
    }

    /// The innermost table ends; the outermost is written with all that is in it.
    pub(super) fn close(&mut self, out: &mut Builder) {
        if let Some(deeper) = self.deeper.checked_sub(1) {
            self.deeper = deeper;
            return;
        }
        let Some(mut rows) = self.open.pop() else { return };
        match self.open.last_mut() {
            Some(around) => around.close_inner(rows),
            None => rows.write(out),
        }
    }
}
