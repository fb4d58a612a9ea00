//! Columns of running text whose page is written line by line, across all of them. They are read one after the other.

use super::grid::Grid;

/// Lines of such columns, and words of a line in the mean.
const LINES: usize = 8;
const WORDS: usize = 4;
/// In parts of the size of letters: what is at least between two of them.
const GUTTER: f64 = 1.0;
const MOST_COLUMNS: usize = 3;

/// The text of a grid, column by column; nothing where it is not plain that its lines go on in their columns. Cells of a table do not.
pub(super) fn in_columns(grid: &Grid) -> Option<String> {
    let are_apart = grid.columns.windows(2).all(|pair| match pair {
        [left, right] => right.0 - left.1 >= grid.size * GUTTER,
        _ => true,
    });
    if grid.rows.len() < LINES || !are_apart || grid.columns.len() > MOST_COLUMNS {
        return None;
    }
    let columns: Option<Vec<String>> = (0..grid.columns.len()).map(|column| running_text(grid, column)).collect();
    Some(columns?.join("\n"))
}

/// The lines of a column, if they are those of running text: nearly all are there, and many go on in the middle of a sentence.
fn running_text(grid: &Grid, column: usize) -> Option<String> {
    let lines: Vec<&str> = grid
        .rows
        .iter()
        .filter_map(|row| row.get(column))
        .map(String::as_str)
        .filter(|line| !line.is_empty())
        .collect();
    let words: usize = lines.iter().map(|line| line.split_whitespace().count()).sum();
    let going_on =
        lines.iter().filter(|line| line.starts_with(|c: char| c.is_alphabetic() && c.is_lowercase())).count();
    let is_running =
        4 * lines.len() >= 3 * grid.rows.len() && words >= WORDS * lines.len() && 3 * going_on >= lines.len();
    is_running.then(|| lines.join("\n"))
}
