//! Tables of RTF: rows whose cells end at places on the paper, which tell the columns.

use super::super::super::LeftOut;
use super::super::super::spans::PlaceInFile;
use super::super::Spaced;
use super::super::build::Builder;
use super::super::rows::{Room, Rows};
use crate::core::base::limits;

/// Borders of cells that lie nearer to each other, in twentieths of a point, are one.
const NEAR: i32 = 60;

/// A table that is being read.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: Vec<Row>,
    room: Room,
    /// The row whose end has not come yet.
    open: Row,
    /// What is said of the next border: its cell goes on from above.
    goes_on: bool,
    has_more_columns: bool,
}

#[derive(Debug, Default)]
struct Row {
    cells: Vec<String>,
    /// Whether the last cell has not ended.
    is_open: bool,
    borders: Vec<Border>,
    place: Option<PlaceInFile>,
}

#[derive(Clone, Copy, Debug)]
struct Border {
    /// Where the cell ends.
    at: i32,
    /// The cell is a part of the one above it.
    goes_on: bool,
}

impl Table {
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.open.cells.is_empty()
    }

    /// `\trowd`: what follows says where the cells of the row end. It may be said before the cells and behind them.
    pub(super) fn define_row(&mut self) {
        self.open.borders.clear();
        self.goes_on = false;
    }

    pub(super) fn go_on_from_above(&mut self) {
        self.goes_on = true;
    }

    pub(super) fn border(&mut self, at: i32) {
        let goes_on = std::mem::take(&mut self.goes_on);
        if self.open.borders.len() < limits::EXTRACT_TABLE_COLUMNS {
            self.open.borders.push(Border { at, goes_on });
        }
    }

    /// Appends a paragraph to the cell that is open.
    pub(super) fn say(&mut self, text: &str, place: PlaceInFile) {
        let row = &mut self.open;
        if !row.is_open {
            let is_column = row.cells.len() < limits::EXTRACT_TABLE_COLUMNS;
            self.has_more_columns |= !is_column;
            if !is_column || !self.room.takes_cell("") {
                return;
            }
            row.cells.push(String::new());
            row.is_open = true;
        }
        if let Some(cell) = row.cells.last_mut().filter(|_| self.room.takes_cell(text)) {
            cell.push_spaced(text);
        }
        row.place = Some(match row.place.take() {
            Some(first) => first.through(&place),
            None => place,
        });
    }

    pub(super) fn end_cell(&mut self) {
        self.open.is_open = false;
    }

    pub(super) fn end_row(&mut self) {
        let row = std::mem::take(&mut self.open);
        if self.room.takes_row() && !row.cells.is_empty() {
            self.rows.push(row);
        }
    }

    /// Writes what was read and is empty again.
    pub(super) fn write(&mut self, out: &mut Builder) {
        self.end_row();
        let Self { rows, room, has_more_columns, .. } = std::mem::take(self);
        out.left_out.extend(room.is_used_up().then_some(LeftOut::Cells));
        out.left_out.extend(has_more_columns.then_some(LeftOut::Columns));
        let columns = columns(&rows);
        let mut table = Rows::default();
        for row in rows {
            table.row();
            let mut before = 0;
            for (at, cell) in row.cells.iter().enumerate() {
                table.cell();
                table.add(cell);
                let Some(border) = row.borders.get(at) else { continue };
                let column = columns.partition_point(|column| *column < border.at.saturating_sub(NEAR));
                let taken = (column + 1).saturating_sub(before).max(1);
                before += taken;
                table.widen(u32::try_from(taken).ok());
                if border.goes_on {
                    table.continue_above();
                }
            }
            row.place.into_iter().for_each(|place| table.stand(place));
        }
        table.write(out);
    }
}

/// Where the columns of a table end: at all borders of all cells.
fn columns(rows: &[Row]) -> Vec<i32> {
    let mut borders: Vec<i32> = rows.iter().flat_map(|row| &row.borders).map(|border| border.at).collect();
    borders.sort_unstable();
    borders.dedup_by(|next, before| next.saturating_sub(*before) <= NEAR);
    borders.truncate(limits::EXTRACT_TABLE_COLUMNS);
    borders
}
