//! Tables in Markdown, and in Org, which has crosses in its rules: which line is the rule below the head, and where the cells of a row stand.

use std::ops::Range;

/// Whether a line of Markdown or Org tells the head of a table from its rows.
pub(crate) fn is_table_rule(line: &str) -> bool {
    let cells = line.trim().strip_prefix('|').map(|rest| rest.strip_suffix('|').unwrap_or(rest));
    let is_rule = |cell: &str| {
        let dashes = cell.trim();
        let dashes = dashes.strip_prefix(':').unwrap_or(dashes);
        let dashes = dashes.strip_suffix(':').unwrap_or(dashes);
        !dashes.is_empty() && dashes.bytes().all(|byte| byte == b'-')
    };
    cells.is_some_and(|cells| cells.split(['|', '+']).all(is_rule))
}

/// Where the cells of a row stand in it, without the blanks around them. What stands before the first and behind the last bar of the line is no
/// cell, and a bar behind a backslash is text.
pub(crate) fn cells(row: &str) -> Vec<Range<usize>> {
    let mut bars = Vec::new();
    let mut is_escaped = false;
    for (at, byte) in row.bytes().enumerate() {
        if byte == b'|' && !is_escaped {
            bars.push(at);
        }
        is_escaped = byte == b'\\' && !is_escaped;
    }
    let starts = std::iter::once(0).chain(bars.iter().map(|bar| bar + 1));
    let ends = bars.iter().copied().chain([row.len()]);
    let mut cells: Vec<Range<usize>> = starts.zip(ends).map(|(start, end)| trimmed(row, start..end)).collect();
    if bars.last().is_some_and(|last| row.get(last + 1..).is_some_and(|rest| rest.trim().is_empty())) {
        cells.pop();
    }
    if bars.first().is_some_and(|first| row.get(..*first).is_some_and(|rest| rest.trim().is_empty())) {
        cells.drain(..cells.len().min(1));
    }
    cells
}

fn trimmed(row: &str, cell: Range<usize>) -> Range<usize> {
    let text = row.get(cell.clone()).unwrap_or_default();
    let start = cell.start + text.len() - text.trim_start().len();
    start..start + text.trim().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_has_dashes_in_every_cell() {
        for (line, want) in [
            ("| --- | :-: |", true),
            ("|---|---", true),
            ("|---+---|", true),
            ("|---+---+", false),
            ("|+---|", false),
            ("+---+---+", false),
            ("  | --- |", true),
            ("| --- | |", false),
            ("| a | --- |", false),
            ("--- | ---", false),
            ("||", false),
            ("", false),
        ] {
            assert_eq!(is_table_rule(line), want, "{line}");
        }
    }

    #[test]
    fn cells_are_what_stands_between_bars() {
        for (row, want) in [
            ("| Peat | 12 kg |", &["Peat", "12 kg"][..]),
            ("  | Peat |12 kg |\n", &["Peat", "12 kg"]),
            ("| Peat | | 3 |", &["Peat", "", "3"]),
            ("| Peat | 12", &["Peat", "12"]),
            ("Peat | 12", &["Peat", "12"]),
            ("Peat | 12 |", &["Peat", "12"]),
            // A bar behind a backslash is text; of two backslashes the second is.
            (r"| a \| b | c |", &[r"a \| b", "c"]),
            (r"| \| | either |", &[r"\|", "either"]),
            (r"| C:\\| either |", &[r"C:\\", "either"]),
            (r"| \\\| | either |", &[r"\\\|", "either"]),
            ("|", &[]),
            ("||", &[""]),
            ("no table", &["no table"]),
            ("", &[""]),
            ("| über | 3 € |", &["über", "3 €"]),
        ] {
            let cells = cells(row).into_iter().map(|cell| row.get(cell).unwrap_or("?")).collect::<Vec<_>>();
            assert_eq!(cells, want, "{row}");
        }
    }
}
