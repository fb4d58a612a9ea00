//! Tables of AsciiDoc, between two lines `|===`: a cell begins with a bar, and a row has as many cells as there are columns, on one line or on several.

use super::{Found, Row, add, number_of};
use crate::core::base::limits;

const FENCE: &str = "|===";
/// Lines between what is said of a table and the table: its title.
const LINES_ABOVE: usize = 2;

pub(super) fn may_be_in(text: &str) -> bool {
    text.contains(FENCE)
}

/// A block in which everything stands as it is written.
#[derive(Debug, Default)]
pub(in super::super) struct Listing(Option<String>);

impl Listing {
    pub(in super::super) fn is_open(&self) -> bool {
        self.0.is_some()
    }

    pub(in super::super) fn read(&mut self, line: &str) {
        let line = line.trim_end();
        let is_fence = ["----", "....", "```", "////"].iter().any(|fence| line.starts_with(fence))
            && line.chars().all(|c| line.starts_with(c));
        match &self.0 {
            Some(open) if open == line => self.0 = None,
            None if is_fence => self.0 = Some(line.to_owned()),
            Some(_) | None => {}
        }
    }
}

/// The table that begins at a line.
pub(super) fn found(lines: &[&str], at: usize) -> Option<Found> {
    lines.get(at).filter(|line| is_fence(line))?;
    let inside = lines.get(at + 1..)?.iter().take_while(|line| !is_fence(line)).count();
    let is_closed = at + inside + 1 < lines.len();
    let length = inside + 1 + usize::from(is_closed);
    let table = lines.get(at + 1..at + 1 + inside)?;
    let rows = if is_closed { rows(table, at + 1, attributes(lines, at)) } else { None };
    Some(rows.map_or(Found::as_it_is(length), |rows| Found { lines: length, rows }))
}

fn is_fence(line: &str) -> bool {
    line.trim_end().strip_prefix(FENCE).is_some_and(|rest| rest.bytes().all(|byte| byte == b'='))
}

/// What is said of a table above it: `[cols="1,2",options="header"]`.
fn attributes<'t>(lines: &[&'t str], at: usize) -> &'t str {
    let above = lines.get(..at).unwrap_or_default().iter().rev().take(LINES_ABOVE).map(|line| line.trim());
    let mut above = above.take_while(|line| !line.is_empty());
    above.find(|line| line.starts_with('[') && line.ends_with(']')).unwrap_or_default()
}

/// A cell, how many columns it reaches over, and the lines that it stands in.
#[derive(Debug)]
struct Cell {
    text: String,
    columns: usize,
    first: u32,
    last: u32,
}

fn rows(table: &[&str], at: usize, attributes: &str) -> Option<Vec<Row>> {
    if attributes.contains("format=") || attributes.contains("separator=") {
        return None;
    }
    let mut cells: Vec<Cell> = Vec::new();
    let mut on_first_line = None;
    for (number, line) in table.iter().enumerate() {
        read_line(line, number_of(at + number), &mut cells)?;
        if on_first_line.is_none() && !cells.is_empty() {
            on_first_line = Some(cells.iter().map(|cell| cell.columns).sum());
        }
    }
    let columns = columns(attributes).or(on_first_line)?;
    // No file makes more cells than it has letters.
    let bytes: usize = table.iter().map(|line| line.len()).sum();
    if cells.iter().map(|cell| cell.columns).sum::<usize>() > bytes {
        return None;
    }
    let mut rows: Vec<Row> = Vec::new();
    for cell in cells {
        let further = cell.columns - 1;
        let said = std::iter::once(cell.text).chain(std::iter::repeat_n(String::new(), further));
        match rows.last_mut().filter(|row| row.cells.len() < columns) {
            Some(row) => {
                row.cells.extend(said);
                row.last = cell.last;
            }
            None => rows.push(Row { cells: said.collect(), first: cell.first, last: cell.last }),
        }
    }
    let is_table = (2..=limits::EXTRACT_TABLE_COLUMNS).contains(&columns);
    (is_table && rows.len() > 1 && rows.iter().all(|row| row.cells.len() == columns)).then_some(rows)
}

/// The number of columns that are described: `cols="1,2"`, `cols=3*`.
fn columns(attributes: &str) -> Option<usize> {
    let (_, value) = attributes.split_once("cols=")?;
    let value = match value.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next()?,
        None => value.split([',', ']']).next()?,
    };
    let most = limits::EXTRACT_TABLE_COLUMNS;
    let count = |column: &str| {
        column.split_once('*').map_or(Some(1), |(count, _)| count.trim().parse().ok().filter(|count| *count <= most))
    };
    value.split([',', ';']).take(most + 1).map(count).sum()
}

/// Reads the cells of a line; nothing where one is of a kind that no row of Markdown is.
fn read_line(line: &str, number: u32, cells: &mut Vec<Cell>) -> Option<()> {
    let mut from = 0;
    let mut is_escaped = false;
    for (at, byte) in line.bytes().enumerate() {
        if byte == b'|' && !is_escaped {
            let (said, columns) = before_bar(line.get(from..at).unwrap_or_default(), from == 0)?;
            go_on(cells, said, number);
            cells.push(Cell { text: String::new(), columns, first: number, last: number });
            from = at + 1;
        }
        is_escaped = byte == b'\\' && !is_escaped;
    }
    go_on(cells, line.get(from..).unwrap_or_default(), number);
    Some(())
}

fn go_on(cells: &mut [Cell], said: &str, number: u32) {
    if let Some(cell) = cells.last_mut().filter(|_| !said.trim().is_empty()) {
        add(&mut cell.text, said);
        cell.last = number;
    }
}

/// What the cell before a bar says, and over how many columns the cell behind it reaches: `2+|` over two. Cells that reach over rows or are repeated
/// make no plain table. A mark stands at the beginning of a line or behind a blank.
fn before_bar(text: &str, begins_line: bool) -> Option<(&str, usize)> {
    let start = text.rfind(char::is_whitespace).map_or(0, |blank| blank + 1);
    let Some((said, mark)) =
        text.split_at_checked(start).filter(|(said, mark)| !mark.is_empty() && (begins_line || !said.is_empty()))
    else {
        return Some((text, 1));
    };
    let how = mark.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '*'));
    let over = mark.strip_suffix(how).unwrap_or_default();
    let style = how.trim_start_matches(['<', '^', '>', '.']);
    let is_style = style.is_empty() || (style.len() == 1 && "aehlmdsv".contains(style));
    if !is_style || over.ends_with(|c: char| c.is_ascii_digit() || c == '.') {
        return Some((text, 1));
    }
    match over.strip_suffix('+') {
        None if over.is_empty() => Some((said, 1)),
        None => None,
        Some(columns) => {
            let columns = columns.parse().ok().filter(|columns| (1..=limits::EXTRACT_TABLE_COLUMNS).contains(columns));
            columns.map(|columns| (said, columns))
        }
    }
}
