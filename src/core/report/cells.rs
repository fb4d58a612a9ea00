//! Tables that are written with one cell a line: the cells of a row are one unit, so that no value is told with the name of the next row.

use std::ops::Range;

use super::units::{adjoins, column, cut};

/// What the cells make together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellRow {
    Head,
    Row,
}

/// A row, or anything else that stands in a text.
type Joined = (Range<usize>, Option<CellRow>);

/// Joins the places of cells to rows.
pub(super) fn joined_cells(text: &str, places: Vec<Range<usize>>) -> Vec<Joined> {
    let mut joined: Vec<Joined> = Vec::with_capacity(places.len());
    let mut list = ListTable::default();
    let mut bars: Option<BarTable> = None;
    let mut places = places.into_iter().peekable();
    while let Some(place) = places.next() {
        let unit = cut(text, &place);
        if is_bar_rule(unit) {
            bars = if bars.is_some() { None } else { Some(BarTable::default()) };
            joined.push((place, None));
            continue;
        }
        let read = match bars.as_mut().filter(|_| unit.starts_with('|')) {
            Some(table) => table.read(text, &joined, &place, places.peek()),
            None => list.read(text, &joined, &place),
        };
        match (read, joined.last_mut()) {
            (Read::Cell, Some((row, _))) => row.end = place.end,
            (Read::Cell | Read::Other, _) => joined.push((place, None)),
            (Read::Begins(row), _) => joined.push((place, Some(row))),
        }
    }
    joined
}

/// What a place is in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Read {
    /// The first cell of a row.
    Begins(CellRow),
    /// A further cell of the row before it.
    Cell,
    Other,
}

/// A list of lists, as reStructuredText has it: `* - Peat`, and its other cells farther in.
#[derive(Clone, Copy, Debug, Default)]
struct ListTable {
    /// The column of the cells of the open row.
    cells: Option<usize>,
}

impl ListTable {
    fn read(&mut self, text: &str, before: &[Joined], place: &Range<usize>) -> Read {
        let column = column(text, place.start);
        let unit = cut(text, place);
        if ["* - ", "- - ", "* * ", "- * "].iter().any(|mark| unit.starts_with(mark)) {
            self.cells = Some(column + 2);
            let heads = |(unit, row): &Joined| {
                let options = cut(text, unit);
                row.is_none() && options.contains(":header-rows:") && !options.contains(":header-rows: 0")
            };
            return Read::Begins(if before.last().is_some_and(heads) { CellRow::Head } else { CellRow::Row });
        }
        let is_cell = self.cells.is_some_and(|cells| column >= cells);
        match before.last() {
            Some((row, Some(_))) if is_cell && adjoins(text, row, place) => Read::Cell,
            Some(_) | None => {
                self.cells = None;
                Read::Other
            }
        }
    }
}

/// Most cells of a row whose table does not say how many it has.
const MOST_CELLS: usize = 12;

/// A table between two rules of bars, as AsciiDoc has it: `|Celadon`, and its other cells on the lines below.
#[derive(Clone, Copy, Debug, Default)]
struct BarTable {
    /// Cells of a row, where the first line has more than one.
    width: Option<usize>,
    /// Cells of the open row.
    cells: usize,
}

impl BarTable {
    fn read(&mut self, text: &str, before: &[Joined], place: &Range<usize>, next: Option<&Range<usize>>) -> Read {
        let cells = |place: &Range<usize>| cut(text, place).matches('|').count();
        let is_first = self.cells == 0;
        let here = cells(place);
        if here > 1 {
            self.cells = here;
            self.width = self.width.or(Some(here).filter(|_| is_first));
            let heads = |next: &Range<usize>| cells(next) == 1 && !adjoins(text, place, next);
            return if is_first && next.is_some_and(heads) { Read::Begins(CellRow::Head) } else { Read::Other };
        }
        let has_room = self.cells < self.width.unwrap_or(MOST_CELLS);
        match before.last() {
            Some((row, Some(CellRow::Row))) if has_room && adjoins(text, row, place) => {
                self.cells += 1;
                Read::Cell
            }
            Some(_) | None => {
                self.cells = 1;
                Read::Begins(CellRow::Row)
            }
        }
    }
}

/// Whether a line begins or ends a table of bars.
fn is_bar_rule(unit: &str) -> bool {
    let first = unit.lines().next().unwrap_or_default().trim_end();
    first.strip_prefix('|').is_some_and(|rule| rule.len() >= 3 && rule.bytes().all(|byte| byte == b'='))
}

#[cfg(test)]
#[path = "cells_tests.rs"]
mod tests;
