//! What a table does not tell: two things that are asked of one row, and that only different rows have.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::answer::AskedQuestion;
use super::units::cut;
use crate::core::text::quoting::is_table_rule;

/// Where in a table a word that was asked for stands.
#[derive(Debug, Default)]
struct Standing {
    rows: BTreeSet<usize>,
    columns: BTreeSet<usize>,
}

/// Two words that were asked for and that no row of the quoted table has together: who works late on Wednesday is not told by who works late on
/// Tuesday and early on Wednesday. Words of one column are asked for side by side, and what stands above or beside the rows holds for all of
/// them. `around` is what is shown with the quote.
pub(super) fn never_in_one_row<'a>(
    asked: &'a AskedQuestion,
    around: &[&str],
    text: &str,
    quote: Range<usize>,
) -> Option<[&'a str; 2]> {
    let quoted = cut(text, &quote);
    if asked.compares() || !quoted.lines().all(|line| is_row(line) || line.trim().is_empty()) {
        return None;
    }
    let lines: Vec<&str> = text.lines().collect();
    let is_head = |at: usize| lines.get(at + 1).is_some_and(|next| is_table_rule(next));
    let (rows, rest): (Vec<_>, Vec<_>) = lines.iter().enumerate().partition(|(at, line)| is_row(line) && !is_head(*at));
    let beside = rest.iter().map(|(_, line)| **line).chain(around.iter().copied());
    let held_by_all: BTreeSet<usize> = beside.flat_map(|text| asked.held(text)).collect();
    let standing = standings(asked, rows.into_iter().map(|(_, line)| *line));
    let mut own = standing.iter().filter(|(word, _)| asked.weighs(**word) && !held_by_all.contains(word));
    while let Some((word, one)) = own.next() {
        let is_apart = |other: &Standing| one.rows.is_disjoint(&other.rows) && one.columns.is_disjoint(&other.columns);
        if let Some((other, _)) = own.clone().find(|(_, other)| is_apart(other)) {
            return Some([asked.word(*word)?, asked.word(*other)?]);
        }
    }
    None
}

fn is_row(line: &str) -> bool {
    line.trim_start().starts_with('|')
}

/// Where each word that was asked for stands in these rows.
fn standings<'t>(asked: &AskedQuestion, lines: impl Iterator<Item = &'t str>) -> BTreeMap<usize, Standing> {
    let mut standing: BTreeMap<usize, Standing> = BTreeMap::new();
    let mut above: Vec<&str> = Vec::new();
    for (row, line) in lines.filter(|line| !is_table_rule(line)).enumerate() {
        let mut cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        // A label that is not said again holds for the rows below it.
        let blank = cells.iter().take_while(|cell| cell.is_empty()).count();
        cells.iter_mut().zip(&above).take(blank).for_each(|(cell, above)| *cell = above);
        for (column, cell) in cells.iter().enumerate() {
            for word in asked.held(cell) {
                let stands = standing.entry(word).or_default();
                stands.rows.insert(row);
                stands.columns.insert(column);
            }
        }
        above = cells;
    }
    standing
}

#[cfg(test)]
#[path = "conditions_tests.rs"]
mod tests;
