//! Tables between lines of dashes, `+---+---+`: those of reStructuredText and Markdown, whose cells go on over several lines, and those that programs
//! print, where each line is a row.

use super::{Found, Row, add, number_of};
use crate::core::text::table_rows;

/// Rules of a table that a program prints: above and below its head, and below its rows.
const RULES_OF_A_PRINT: usize = 3;

pub(super) fn may_be_in(text: &str) -> bool {
    text.contains("+-") || text.contains("+=") || text.contains("+:")
}

/// The table that begins at a line.
pub(super) fn found(lines: &[&str], at: usize) -> Option<Found> {
    let is_part = |line: &&&str| is_rule(line) || line.trim_start().starts_with('|');
    lines.get(at).filter(|line| is_rule(line))?;
    let block = lines.get(at..)?.iter().take_while(is_part).count();
    let block = lines.get(at..at + block)?;
    // What stands below the last rule is no part of it.
    let length = block.iter().rposition(|line| is_rule(line)).map_or(block.len(), |last| last + 1);
    let rows = block.get(..length).and_then(|table| rows(table, at));
    Some(rows.map_or(Found::as_it_is(block.len()), |rows| Found { lines: length, rows }))
}

fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() > 2
        && line.starts_with('+')
        && line.ends_with('+')
        && line.contains(['-', '='])
        && line.bytes().all(|byte| matches!(byte, b'+' | b'-' | b'=' | b':'))
}

fn rows(table: &[&str], at: usize) -> Option<Vec<Row>> {
    // Cells that reach over several rows.
    if table.iter().any(|line| !is_rule(line) && (line.contains("+--") || line.contains("--+"))) {
        return None;
    }
    let rules: Vec<usize> = table.iter().enumerate().filter(|(_, line)| is_rule(line)).map(|(at, _)| at).collect();
    let is_below_head = |rule: &&usize| **rule > 0 && table.get(**rule).is_some_and(|line| line.contains('='));
    let head_end = rules.iter().find(is_below_head).filter(|rule| **rule + 1 < table.len());
    let is_print = head_end.is_none() && rules.len() == RULES_OF_A_PRINT;
    let mut rows: Vec<Row> = Vec::new();
    let mut is_new = true;
    for (number, line) in table.iter().enumerate() {
        let is_in_head = head_end.is_some_and(|end| number < *end);
        if is_rule(line) {
            is_new |= !is_in_head || rows.is_empty();
            continue;
        }
        let cells: Vec<&str> = table_rows::cells(line).into_iter().filter_map(|cell| line.get(cell)).collect();
        let begins = is_print && rows.len() > 1 && cells.first().is_some_and(|cell| !cell.is_empty());
        let number = number_of(at + number);
        match rows.last_mut().filter(|_| !is_new && !begins) {
            Some(row) if row.cells.len() == cells.len() => {
                row.cells.iter_mut().zip(cells).for_each(|(cell, said)| add(cell, said));
                row.last = number;
            }
            Some(_) => return None,
            None => {
                let cells = cells.into_iter().map(str::to_owned).collect();
                rows.push(Row { cells, first: number, last: number });
            }
        }
        is_new = false;
    }
    // A box around a text is no table.
    let columns = |row: &Row| row.cells.len();
    let is_even = !is_print || rows.windows(2).all(|pair| matches!(pair, [one, next] if columns(one) == columns(next)));
    let is_table = is_even && rules.len() >= RULES_OF_A_PRINT && rows.first().is_some_and(|head| head.cells.len() > 1);
    is_table.then_some(rows)
}
