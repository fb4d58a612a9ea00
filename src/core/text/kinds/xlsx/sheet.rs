//! The rows of a sheet: what is kept of them, and how they become tables.

use std::collections::{BTreeMap, BTreeSet};

use super::super::super::spans::{PlaceInFile, SheetCells, Unit, column_name};
use super::super::super::{LeftOut, one_line};
use super::super::build::{Builder, TITLE_ROWS, TableRow};
use super::super::remarks::Remark;
use super::super::rows::Room;
use crate::core::base::limits;

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
            columns.extend((columns.len() < limits::EXTRACT_TABLE_COLUMNS).then_some((column, last_column)));
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

/// Writes a sheet as a table, with the place of each row.
pub(in super::super) fn write_sheet(out: &mut Builder, name: &str, rows: SheetRows) {
    let name: String = one_line(name).chars().take(limits::SHEET_NAME_CHARS).collect();
    let remarks = remark_lines(&rows);
    let SheetRows { rows, merged, wide, .. } = rows;
    let columns = || rows.iter().flat_map(|row| row.cells.iter().map(|(column, _)| *column));
    // A sheet of remarks alone has columns, too.
    let remarked = remarks.iter().map(|((_, column), _)| *column);
    let Some(first) = columns().min().or_else(|| remarked.min()) else { return };
    let widest = u32::try_from(limits::EXTRACT_TABLE_COLUMNS).unwrap_or(u32::MAX);
    let last = columns().max().unwrap_or(first);
    out.left_out.extend((last - first >= widest).then_some(LeftOut::Columns));
    let last = last.min(first.saturating_add(widest - 1));
    let cells = |number: u32, first_column: u32, last_column: u32| {
        let cells_of = SheetCells { name: name.clone(), first_column, last_column };
        PlaceInFile { sheet: Some(cells_of), ..PlaceInFile::of(Unit::Row, number, number) }
    };
    let place = |number: u32| cells(number, first, last);
    let cell = |number: u32, column: u32| cells(number, column, column);
    rows.first().into_iter().for_each(|row| out.place(place(row.number)));
    out.heading(2, &name);
    // What is said in the cells that reach into a row from above, with their last rows, by column, and how much of it may be written again.
    let mut from_above: BTreeMap<u32, (u32, String)> = BTreeMap::new();
    let said = rows.iter().flat_map(|row| row.cells.iter().map(|(_, text)| text.len())).sum::<usize>();
    let mut repeatable = said.max(limits::EXTRACT_REPEATED_BYTES);
    let lengths = table_lengths(&rows);
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
    lengths.into_iter().for_each(|length| out.sheet(3, rows.by_ref().take(length)));
    // Under a heading of their own: what is remarked on a cell stands there, and not where the table ends.
    if let Some(((row, column), _)) = remarks.first() {
        out.place(cell(*row, *column));
        out.heading(3, &format!("Comments on {name}"));
    }
    for ((row, column), line) in remarks {
        out.place(cell(row, column));
        out.paragraph(&line);
    }
}

/// Characters of a cell by which another one is known.
const ABOUT_CHARS: usize = 80;

/// What people remarked on cells, each as a paragraph that says on which: with what its row begins, what its column is called, and what it holds.
fn remark_lines(sheet: &SheetRows) -> Vec<((u32, u32), String)> {
    let mut wanted: BTreeMap<u32, Vec<(u32, &Remark)>> = BTreeMap::new();
    for ((row, column), remark) in &sheet.remarks {
        wanted.entry(*row).or_default().push((*column, remark));
    }
    let columns: BTreeSet<u32> = sheet.remarks.iter().map(|((_, column), _)| *column).collect();
    let mut heads: BTreeMap<u32, &str> = BTreeMap::new();
    let mut lines = Vec::new();
    let line = |(row, column): (u32, u32), about: &[&str], remark: &Remark| {
        let cut = |text: &&str| one_line(text).chars().take(ABOUT_CHARS).collect::<String>();
        let about: Vec<String> = about.iter().filter(|text| !text.is_empty()).map(cut).collect();
        let about = if about.is_empty() { String::new() } else { format!(" ({})", about.join(", ")) };
        ((row, column), remark.line(&format!("{}{row}{about}", column_name(column))))
    };
    for row in &sheet.rows {
        let remarks = wanted.remove(&row.number).unwrap_or_default();
        let cells = row.cells.iter().filter(|_| !remarks.is_empty());
        let cells: BTreeMap<u32, &str> = cells.map(|(column, text)| (*column, text.as_str())).collect();
        for (column, remark) in remarks {
            let own = cells.get(&column).copied().unwrap_or_default();
            let first = row.cells.first().filter(|(at, _)| *at != column).map(|(_, text)| text.as_str());
            let head = heads.get(&column).copied().unwrap_or_default();
            let own = if head.is_empty() || own.is_empty() { own.to_owned() } else { format!("{head}: {own}") };
            let head = if own.is_empty() { head } else { "" };
            lines.push(line((row.number, column), &[first.unwrap_or_default(), head, &own], remark));
        }
        let names = row.cells.iter().filter(|(column, _)| row.cells.len() > 1 && columns.contains(column));
        for (column, text) in names {
            heads.entry(*column).or_insert(text);
        }
    }
    let rest = wanted
        .into_iter()
        .flat_map(|(row, remarks)| remarks.into_iter().map(move |(column, remark)| line((row, column), &[], remark)));
    lines.extend(rest);
    lines.sort_by_key(|(cell, _)| *cell);
    lines
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

/// Whether the first row, or the one below a few titles, names columns that have numbers or days in the row below.
fn begins_table(rows: &[SheetRow]) -> bool {
    let titles = rows.iter().take(TITLE_ROWS).take_while(|row| row.cells.len() == 1).count();
    let Some([head, below]) = rows.get(titles..titles + 2) else { return false };
    let stands_together = rows.windows(2).take(titles + 1).all(|pair| match pair {
        [above, row] => row.number == above.number.saturating_add(1),
        _ => true,
    });
    let is_name = |text: &str| text.contains(char::is_alphabetic) && !text.starts_with(|c: char| c.is_ascii_digit());
    let is_named = |column: u32| head.cells.iter().any(|(named, _)| *named == column);
    let mut figures = below.cells.iter().filter(|(_, text)| !is_name(text));
    stands_together
        && (2..=HEAD_CELLS).contains(&head.cells.len())
        && head.cells.iter().all(|(_, text)| is_name(text))
        && figures.any(|(column, _)| is_named(*column))
}
