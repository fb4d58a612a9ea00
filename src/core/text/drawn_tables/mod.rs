//! Tables that are drawn with signs or written cell by cell, as those of Markdown: a line for each row, and a rule below the head. What is no plain
//! table of that kind (cells that reach over rows, boxes around a text) stays as it is.

mod asciidoc;
mod grid;
mod textile;

use super::lines::LineMap;
use super::quoting::OpenCode;
pub(super) use asciidoc::Listing;

/// A row of a table, with the lines of the file that it stands in.
#[derive(Debug)]
struct Row {
    cells: Vec<String>,
    first: u32,
    last: u32,
}

/// What begins at a line: so many lines, and the rows that they are, the first one the head; no rows where the lines stay as they are.
#[derive(Debug)]
struct Found {
    lines: usize,
    rows: Vec<Row>,
}

impl Found {
    fn as_it_is(lines: usize) -> Self {
        Self { lines, rows: Vec::new() }
    }
}

/// Plain text and reStructuredText.
pub(super) fn of_plain(text: String) -> (String, LineMap) {
    if !grid::may_be_in(&text) && !textile::may_be_in(&text) {
        return as_it_is(text);
    }
    redrawn(&text, |lines, at| grid::found(lines, at).or_else(|| textile::found(lines, at)))
}

/// Markdown: in blocks of code, tables stay as they are.
pub(super) fn of_markdown(text: String) -> (String, LineMap) {
    if !grid::may_be_in(&text) {
        return as_it_is(text);
    }
    let mut code = OpenCode::default();
    redrawn(&text, |lines, at| {
        lines.get(at).into_iter().for_each(|line| code.read(line));
        if code.is_open() { None } else { grid::found(lines, at) }
    })
}

pub(super) fn of_asciidoc(text: String) -> (String, LineMap) {
    if !asciidoc::may_be_in(&text) {
        return as_it_is(text);
    }
    let mut code = Listing::default();
    redrawn(&text, |lines, at| {
        lines.get(at).into_iter().for_each(|line| code.read(line));
        if code.is_open() { None } else { asciidoc::found(lines, at) }
    })
}

fn as_it_is(text: String) -> (String, LineMap) {
    let lines = LineMap::of(&text);
    (text, lines)
}

/// The text with its tables as rows of Markdown, and the lines of the file that its parts are.
fn redrawn(text: &str, mut found: impl FnMut(&[&str], usize) -> Option<Found>) -> (String, LineMap) {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut out = String::with_capacity(text.len());
    let mut places = LineMap::default();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let Found { lines: count, rows } = found(&lines, at).unwrap_or(Found::as_it_is(1));
        let end = (at + count.max(1)).min(lines.len());
        if rows.is_empty() {
            for (number, line) in (at..).zip(lines.get(at..end).unwrap_or_default()) {
                places.mark(out.len(), number_of(number));
                out.push_str(line);
            }
        }
        let indent = line.get(..line.len() - line.trim_start().len()).unwrap_or_default();
        for (number, row) in rows.iter().enumerate() {
            write_row(&mut out, &mut places, indent, row);
            if number == 0 {
                out.push_str(indent);
                out.push_str(&"|---".repeat(row.cells.len()));
                out.push_str("|\n");
            }
        }
        at = end;
    }
    (out, places)
}

/// Writes a row that begins in its first line and ends in its last.
fn write_row(out: &mut String, places: &mut LineMap, indent: &str, row: &Row) {
    places.mark(out.len(), row.first);
    out.push_str(indent);
    for cell in &row.cells {
        out.push_str("| ");
        out.push_str(cell);
        out.push(' ');
    }
    places.mark(out.len(), row.last);
    out.push_str("|\n");
}

/// The number of a line by its index.
fn number_of(at: usize) -> u32 {
    u32::try_from(at + 1).unwrap_or(u32::MAX)
}

/// Appends what a cell says on a further line.
fn add(cell: &mut String, said: &str) {
    let said = said.trim();
    if !cell.is_empty() && !said.is_empty() {
        cell.push(' ');
    }
    cell.push_str(said);
}

#[cfg(test)]
mod tests;
