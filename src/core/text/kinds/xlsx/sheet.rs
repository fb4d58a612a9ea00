//! The rows of a sheet: what is kept of them, and how they become tables.

use std::collections::BTreeMap;

use super::super::super::spans::{PlaceInFile, SheetCells, Unit, column_name};
use super::super::super::{LeftOut, one_line};
use super::super::build::{Builder, TITLE_ROWS, TableHead, TableRow};
use super::super::remarks::{ABOUT_CHARS, Remark};
use super::super::rows::Room;
use crate::core::base::limits;
use crate::core::base::sorting::sort_by_key;

/// So many cells may the head have that is looked for below empty rows.
const HEAD_CELLS: usize = 256;

/// A row of a sheet: its number, and its cells by their columns.
#[derive(Debug, Default)]
struct SheetRow {
    number: u32,
    cells: Vec<(u32, String)>,
}

/// The rows of a sheet, as many as there is room for.
#[derive(Debug, Default)]
pub(in super::super) struct SheetRows {
    rows: Vec<SheetRow>,
    /// The number of the row that cells belong to.
    number: u32,
    /// The last rows of cells that reach over several, by the row and the column where they begin.
    merged: BTreeMap<(u32, u32), u32>,
    /// The last columns of cells that reach over several, by row.
    wide: BTreeMap<u32, Vec<(u32, u32)>>,
    /// What people remarked on cells, by the row and the column.
    remarks: Vec<((u32, u32), Remark)>,
    /// Programs do not show the sheet.
    pub(in super::super) is_hidden: bool,
    pub(in super::super) room: Room,
}

impl SheetRows {
    pub(in super::super) fn row(&mut self, number: u32) {
        self.number = number;
    }

    /// A cell reaches down to a row and over to a column.
    pub(super) fn merge(&mut self, (row, column): (u32, u32), (last_row, last_column): (u32, u32)) {
        let has_room = self.merged.len() + self.wide.len() < limits::SHEET_CELLS;
        if last_row > row && has_room {
            self.merged.insert((row, column), last_row);
        }
        if last_column > column && has_room {
            let columns = self.wide.entry(row).or_default();
            columns.extend((columns.len() < limits::SHEET_COLUMNS).then_some((column, last_column)));
        }
    }

    /// A cell of the last row reaches over so many rows and columns.
    pub(in super::super) fn span(&mut self, column: u32, rows: u32, columns: u32) {
        let last = |first: u32, count: u32| first.saturating_add(count.saturating_sub(1));
        if rows > 1 || columns > 1 {
            self.merge((self.number, column), (last(self.number, rows), last(column, columns)));
        }
    }

    /// Somebody remarked something on a cell of the last row.
    pub(in super::super) fn remark(&mut self, column: u32, remark: Remark) {
        self.remark_at((self.number, column), remark);
    }

    pub(super) fn remark_at(&mut self, cell: (u32, u32), remark: Remark) {
        if self.room.takes_cell(&remark.text) && self.room.takes_cell(&remark.author) {
            self.remarks.push((cell, remark));
        }
    }

    /// A cell of the last row. Empty cells take no room, and so do rows of them: many sheets have formats down to their last row.
    pub(in super::super) fn cell(&mut self, column: u32, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        if self.rows.last().is_none_or(|row| row.number != self.number) && self.room.takes_row() {
            self.rows.push(SheetRow { number: self.number, cells: Vec::new() });
        }
        if let Some(row) = self.rows.last_mut()
            && self.room.takes_cell(text)
        {
            row.cells.push((column, text.to_owned()));
        }
    }
}

/// How many columns are read of a sheet whose last column is so many behind its first.
fn widest(rows: &[SheetRow], last: u32) -> u32 {
    let columns = usize::try_from(last).unwrap_or(usize::MAX).saturating_add(1).min(limits::SHEET_COLUMNS);
    let filled: usize = rows.iter().map(|row| row.cells.len()).sum();
    let is_empty = rows.len().saturating_mul(columns) > filled.saturating_mul(limits::SHEET_BLANKS);
    let most = if is_empty { limits::EXTRACT_TABLE_COLUMNS } else { limits::SHEET_COLUMNS };
    u32::try_from(most).unwrap_or(u32::MAX)
}

/// Writes a sheet as a table, with the place of each row.
pub(in super::super) fn write_sheet(out: &mut Builder, name: &str, mut rows: SheetRows) {
    let name: String = one_line(name).chars().take(limits::SHEET_NAME_CHARS).collect();
    let lengths = table_lengths(&rows.rows);
    let remarks = remarked(&mut rows, &lengths);
    let SheetRows { rows, merged, wide, is_hidden, .. } = rows;
    let columns = || rows.iter().flat_map(|row| row.cells.iter().map(|(column, _)| *column));
    // A sheet of remarks alone has columns, too.
    let remarked = remarks.iter().map(|remarked| remarked.column);
    let Some(first) = columns().min().or_else(|| remarked.min()) else { return };
    let last = columns().max().unwrap_or(first);
    let widest = widest(&rows, last - first);
    out.left_out.extend((last - first >= widest).then_some(LeftOut::SheetColumns));
    let last = last.min(first.saturating_add(widest - 1));
    let cells = |number: u32, first_column: u32, last_column: u32| {
        let cells_of = SheetCells { name: name.clone(), first_column, last_column };
        PlaceInFile { sheet: Some(cells_of), ..PlaceInFile::of(Unit::Row, number, number) }
    };
    let place = |number: u32| cells(number, first, last);
    let cell = |number: u32, column: u32| cells(number, column, column);
    rows.first().into_iter().for_each(|row| out.place(place(row.number)));
    let hidden = if is_hidden { " (hidden sheet)" } else { "" };
    out.heading(2, &format!("{name}{hidden}"));
    // What is said in the cells that reach into a row from above, with their last rows, by column, and how much of it may be written again.
    let mut from_above: BTreeMap<u32, (u32, String)> = BTreeMap::new();
    let said = rows.iter().flat_map(|row| row.cells.iter().map(|(_, text)| text.len())).sum::<usize>();
    let mut repeatable = said.max(limits::EXTRACT_REPEATED_BYTES);
    // One at a time: a row as wide as the table is many times what is in it.
    let rows = rows.into_iter().map(|row| {
        let mut cells = vec![String::new(); usize::try_from(last - first + 1).unwrap_or_default()];
        let mut put = |column: u32, text: &String| {
            let at = column.checked_sub(first).and_then(|at| usize::try_from(at).ok());
            at.and_then(|at| cells.get_mut(at)).into_iter().for_each(|cell| cell.clone_from(text));
        };
        from_above.retain(|_, (last_row, _)| *last_row >= row.number);
        for (column, (_, text)) in &from_above {
            if repeatable >= text.len() {
                repeatable -= text.len();
                put(*column, text);
            }
        }
        for (column, text) in row.cells {
            put(column, &text);
            if let Some(last_row) = merged.get(&(row.number, column)).filter(|_| column <= last) {
                from_above.insert(column, (*last_row, text));
            }
        }
        let wide = wide.get(&row.number).into_iter().flatten().filter_map(|(from, to)| {
            let at = |column: u32| usize::try_from(column.checked_sub(first)?).ok();
            Some(at(*from)?..at((*to).min(last))? + 1)
        });
        TableRow { cells, place: Some(place(row.number)), wide: wide.collect() }
    });
    let mut rows = rows;
    // What does not fit any more is not written, however the rest is cut.
    let heads: Vec<_> = lengths.into_iter().map(|length| out.sheet(3, rows.by_ref().take(length))).collect();
    // Under a heading of their own: what is remarked on a cell stands there, and not where the table ends.
    if let Some(remarked) = remarks.first() {
        out.place(cell(remarked.row, remarked.column));
        out.heading(3, &format!("Comments on {name}"));
    }
    for remarked in remarks {
        out.place(cell(remarked.row, remarked.column));
        out.paragraph(&remarked.line(&heads, first));
    }
}

/// What somebody remarked on a cell, and what is known of the cell before the tables are written.
#[derive(Debug)]
struct Remarked {
    row: u32,
    column: u32,
    /// Which table of the sheet it is in.
    table: Option<usize>,
    /// With what its row begins, and what it holds.
    first: String,
    own: String,
    remark: Remark,
}

impl Remarked {
    /// As a paragraph that says on which cell: with what its row begins, what its column is called, and what it holds.
    fn line(&self, heads: &[Option<TableHead>], first_column: u32) -> String {
        let head = self.table.and_then(|table| heads.get(table)?.as_ref());
        // What stands in the head itself is not called by it.
        let head = head.filter(|head| head.last.as_ref().is_none_or(|last| last.last < self.row));
        let column = self.column.checked_sub(first_column).and_then(|at| usize::try_from(at).ok());
        let head = head.zip(column).and_then(|(head, at)| head.cells.get(at));
        let head = head.map(|head| cut(head)).unwrap_or_default();
        let own = match (head.is_empty(), self.own.is_empty()) {
            (true, _) => self.own.clone(),
            (false, true) => head,
            (false, false) => format!("{head}: {}", self.own),
        };
        let about: Vec<&str> = [self.first.as_str(), &own].into_iter().filter(|text| !text.is_empty()).collect();
        let about = if about.is_empty() { String::new() } else { format!(" ({})", about.join(", ")) };
        self.remark.line(&format!("{}{}{about}", column_name(self.column), self.row))
    }
}

/// A cell as far as it is needed to know it again.
fn cut(text: &str) -> String {
    one_line(text).chars().take(ABOUT_CHARS).collect()
}

/// What people remarked on the cells of a sheet whose tables have so many rows.
fn remarked(sheet: &mut SheetRows, lengths: &[usize]) -> Vec<Remarked> {
    let tables = lengths.iter().enumerate().flat_map(|(table, length)| std::iter::repeat_n(table, *length));
    let rows: BTreeMap<u32, (usize, &SheetRow)> =
        sheet.rows.iter().zip(tables).map(|(row, table)| (row.number, (table, row))).collect();
    let mut remarks = std::mem::take(&mut sheet.remarks);
    sort_by_key(&mut remarks, |(cell, _)| *cell);
    let mut all = Vec::with_capacity(remarks.len());
    for of_row in remarks.chunk_by(|((above, _), _), ((below, _), _)| above == below) {
        let known = of_row.first().and_then(|((row, _), _)| rows.get(row));
        let first = known.and_then(|(_, row)| row.cells.first());
        let cells: BTreeMap<u32, &str> =
            known.iter().flat_map(|(_, row)| &row.cells).map(|(at, text)| (*at, text.as_str())).collect();
        for ((row, column), remark) in of_row {
            let (row, column, remark) = (*row, *column, remark.clone());
            let own = cells.get(&column).map(|text| cut(text)).unwrap_or_default();
            let first = first.filter(|(at, _)| *at != column).map(|(_, text)| cut(text)).unwrap_or_default();
            all.push(Remarked { row, column, table: known.map(|(table, _)| *table), first, own, remark });
        }
    }
    all
}

/// How many rows each table of a sheet has. Below empty rows a row of names begins a table of its own, where what stands below it shows that it is a
/// head; else the table above goes on, as its groups may have empty rows between them.
fn table_lengths(rows: &[SheetRow]) -> Vec<usize> {
    let mut lengths = Vec::new();
    let mut start = 0;
    // Titles above the first table belong to it, whatever stands between.
    let mut has_table = false;
    for (at, pair) in rows.windows(2).enumerate() {
        let [above, row] = pair else { continue };
        has_table |= above.cells.len() > 1;
        let below_gap = row.number > above.number.saturating_add(1);
        if has_table && below_gap && rows.get(at + 1..).is_some_and(begins_table) {
            lengths.push(at + 1 - start);
            start = at + 1;
        }
    }
    lengths.push(rows.len() - start);
    lengths
}

/// Digits of a year.
const YEAR_DIGITS: usize = 4;

/// The year that a column may be called: `2023`.
fn year(text: &str) -> Option<u16> {
    let text = text.trim();
    let is_year = text.len() == YEAR_DIGITS && text.starts_with(['1', '2']);
    text.parse().ok().filter(|_| is_year)
}

fn is_year(text: &str) -> bool {
    year(text).is_some()
}

/// Whether the years among these cells are several that follow each other, as those of a head do; sums that look like years do not.
fn years_in_order(cells: &[(u32, String)]) -> bool {
    let years: Vec<u16> = cells.iter().filter_map(|(_, text)| year(text)).collect();
    let follows = |step: i32| {
        years.windows(2).all(|pair| matches!(pair, [one, next] if i32::from(*next) - i32::from(*one) == step))
    };
    years.len() > 1 && [1, -1].into_iter().any(follows)
}

/// Whether the first row, or the one below a few titles, names columns that have numbers or days in the row below. Years are names of columns beside
/// another name.
fn begins_table(rows: &[SheetRow]) -> bool {
    let titles = rows.iter().take(TITLE_ROWS).take_while(|row| row.cells.len() == 1).count();
    let Some([head, below]) = rows.get(titles..titles + 2) else { return false };
    let stands_together = rows.windows(2).take(titles + 1).all(|pair| match pair {
        [above, row] => row.number == above.number.saturating_add(1),
        _ => true,
    });
    let is_name = |text: &str| text.contains(char::is_alphabetic) && !text.starts_with(|c: char| c.is_ascii_digit());
    let named = head.cells.iter().filter(|(_, text)| !is_year(text)).count();
    let is_head = named == head.cells.len() || (named > 0 && years_in_order(&head.cells));
    let is_named = |column: u32| head.cells.iter().any(|(named, _)| *named == column);
    let mut figures = below.cells.iter().filter(|(_, text)| !is_name(text));
    stands_together
        && (2..=HEAD_CELLS).contains(&head.cells.len())
        && is_head
        && head.cells.iter().all(|(_, text)| is_name(text) || is_year(text))
        && figures.any(|(column, _)| is_named(*column))
}
