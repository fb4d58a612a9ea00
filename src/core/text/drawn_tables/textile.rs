//! Heads of tables of Textile: `|_. Crop |_. Harvest |`.

use super::{Found, Row, number_of};
use crate::core::text::table_rows;

const HEAD: &str = "_.";

pub(super) fn may_be_in(text: &str) -> bool {
    text.contains("|_.")
}

/// The head that a line is; the rows below it are written as those of Markdown.
pub(super) fn found(lines: &[&str], at: usize) -> Option<Found> {
    let line = lines.get(at).filter(|line| line.starts_with("|_."))?;
    let cells = table_rows::cells(line).into_iter().filter_map(|cell| line.get(cell));
    let names: Option<Vec<String>> = cells.map(|cell| Some(cell.strip_prefix(HEAD)?.trim().to_owned())).collect();
    let number = number_of(at);
    Some(Found { lines: 1, rows: vec![Row { cells: names?, first: number, last: number }] })
}
