//! What a table does not tell: two things that are asked of one row, and that only different rows have, and what its cells leave empty.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::answer::{AskedQuestion, Fit};
use super::units::cut;
use crate::core::text::table_rows::{self, is_table_rule};

/// Where in a table a word that was asked for stands.
#[derive(Debug, Default)]
struct Standing {
    rows: BTreeSet<usize>,
    columns: BTreeSet<usize>,
    /// It stands in a sentence, and not only where something is named.
    is_said: bool,
}

impl Standing {
    /// Whether this word and another one only name things: what one sentence says of a matter, that of the next row may go on with.
    fn names_with(&self, other: &Self) -> bool {
        !self.is_said && !other.is_said
    }
}

/// A cell with more words says something of its row; one with fewer names it.
const NAME_WORDS: usize = 6;

/// Two words that were asked for and that no row of the quoted table has together: who works late on Wednesday is not told by who works late on
/// Tuesday and early on Wednesday, and what an oak door costs is not told by the prices of a beech door and of an oak step. Where the question joins
/// two words of one column, `Monday and Tuesday`, it asks for both rows. What stands above or beside the rows holds for all of them. `around` is what
/// is shown with the quote.
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
    let row_before = |at: usize, back: usize| {
        at.checked_sub(back).and_then(|before| lines.get(before)).copied().filter(|line| is_row(line))
    };
    // Further down, and at the end, a rule only parts rows.
    let is_first = |at: usize| row_before(at, 1).is_none_or(|rule| is_table_rule(rule) && row_before(at, 2).is_none());
    let is_head = |at: usize| is_first(at) && lines.get(at + 1).is_some_and(|next| is_table_rule(next));
    let (rows, rest): (Vec<_>, Vec<_>) = lines.iter().enumerate().partition(|(at, line)| is_row(line) && !is_head(*at));
    let beside = rest.iter().map(|(_, line)| **line).chain(around.iter().copied());
    let held_by_all: BTreeSet<usize> = beside.flat_map(|text| asked.held(text)).collect();
    let head = lines.iter().enumerate().find(|(at, _)| is_head(*at)).map(|(_, line)| *line);
    let head = head.or_else(|| around.iter().find_map(|above| table_head(above))).unwrap_or_default();
    let standing = standings(asked, head, rows.into_iter().map(|(_, line)| *line));
    let mut own = standing.iter().filter(|(word, _)| asked.weighs(**word) && !held_by_all.contains(word));
    while let Some((word, one)) = own.next() {
        let is_apart = |(at, other): &(&usize, &Standing)| {
            let is_of_one = || one.names_with(other) && !asked.are_side_by_side(*word, **at);
            one.rows.is_disjoint(&other.rows) && (one.columns.is_disjoint(&other.columns) || is_of_one())
        };
        if let Some((other, _)) = own.clone().find(is_apart) {
            return Some([asked.written(*word)?, asked.written(*other)?]);
        }
    }
    None
}

/// What was asked for and stands nowhere, where of a table only the head has words of the question: its rows tell of something else. `above` is the
/// head of the table, where that is not quoted, `around` what else is shown with the quote.
pub(super) fn only_head_asked<'a>(
    asked: &'a AskedQuestion,
    above: &str,
    around: &[&str],
    quoted: &str,
) -> Vec<&'a str> {
    let Some((head, rows)) = table(above, quoted) else { return Vec::new() };
    let has_words = |row: &&str| asked.held(row).into_iter().any(|word| asked.weighs(word));
    if rows.iter().any(has_words) {
        return Vec::new();
    }
    let shown: Vec<&str> = around.iter().copied().chain([head]).collect();
    asked.absent(&shown)
}

/// The column that was asked for, where the quoted rows of a table have nothing in it.
pub(super) fn nothing_in_column(asked: &AskedQuestion, above: &str, quoted: &str) -> Option<String> {
    let (head, rows) = table(above, quoted)?;
    let rows: Vec<Vec<&str>> = rows.into_iter().map(cells).collect();
    let column = |at: usize| rows.iter().map(move |row| row.get(at).copied().unwrap_or_default());
    // A column whose cells have words of the question tells which row is meant.
    let in_column = |at: usize| column(at).flat_map(|cell| asked.held(cell)).collect::<BTreeSet<usize>>();
    let (mut elsewhere, mut named) = (BTreeSet::new(), Vec::new());
    for (at, name) in cells(head).into_iter().enumerate() {
        let held = in_column(at);
        if held.is_empty() {
            named.push((at, name));
        } else {
            elsewhere.extend(held.into_iter().chain(asked.held(name)));
        }
    }
    let fitting = named.into_iter().map(|(at, name)| (asked.fit_of_name(name, &elsewhere), at, name));
    let fitting: Vec<(Fit, usize, &str)> = fitting.filter(|(fit, ..)| *fit > Fit::default()).collect();
    let best = fitting.iter().map(|(fit, ..)| *fit).max()?;
    let mut meant = fitting.into_iter().filter(|(fit, ..)| *fit == best).peekable();
    let (_, _, name) = *meant.peek()?;
    meant.all(|(_, at, _)| column(at).all(is_blank)).then(|| name.to_owned())
}

/// The head and the rows of a quote that is a table and nothing else.
fn table<'t>(above: &'t str, quoted: &'t str) -> Option<(&'t str, Vec<&'t str>)> {
    let mut lines = above.lines().chain(quoted.lines()).filter(|line| !line.trim().is_empty());
    let head = lines.next()?;
    let is_headed = lines.next().is_some_and(is_table_rule);
    let rows: Vec<&str> = lines.collect();
    (is_headed && is_row(head) && !rows.is_empty() && rows.iter().all(|row| is_row(row))).then_some((head, rows))
}

/// Whether a cell has no value.
pub(super) fn is_blank(cell: &str) -> bool {
    cell.chars().all(|c| c.is_whitespace() || matches!(c, '-' | '–' | '—' | '?' | '.' | '\\'))
}

fn cells(row: &str) -> Vec<&str> {
    table_rows::cells(row).into_iter().filter_map(|cell| row.get(cell)).collect()
}

fn is_row(line: &str) -> bool {
    line.trim_start().starts_with('|')
}

/// The head of a table that is shown above its rows.
fn table_head(above: &str) -> Option<&str> {
    let (head, rule) = above.trim_end().split_once('\n')?;
    (is_row(head) && is_table_rule(rule)).then_some(head)
}

/// Where each word that was asked for stands in these rows.
fn standings<'t>(asked: &AskedQuestion, head: &str, lines: impl Iterator<Item = &'t str>) -> BTreeMap<usize, Standing> {
    let names = cells(head);
    let mut standing: BTreeMap<usize, Standing> = BTreeMap::new();
    let mut above: Vec<&str> = Vec::new();
    for (row, line) in lines.filter(|line| !is_table_rule(line)).enumerate() {
        let mut cells = cells(line);
        // A label that is not said again holds for the rows below it.
        let blank = cells.iter().take_while(|cell| cell.is_empty()).count();
        cells.iter_mut().zip(&above).take(blank).for_each(|(cell, above)| *cell = above);
        for (column, cell) in cells.iter().enumerate() {
            let is_said = cell.split_whitespace().count() > NAME_WORDS || cell.ends_with(['.', '?', '!']);
            for word in held_below(asked, names.get(column).copied().unwrap_or_default(), cell) {
                let stands = standing.entry(word).or_default();
                stands.rows.insert(row);
                stands.columns.insert(column);
                stands.is_said |= is_said;
            }
        }
        above = cells;
    }
    standing
}

/// The words of a cell below the name of its column, which may say what its number counts: `9` below `Ward` is ward 9.
fn held_below(asked: &AskedQuestion, name: &str, cell: &str) -> BTreeSet<usize> {
    let named = asked.held(&format!("{name} {cell}"));
    asked.held(cell).into_iter().chain(named.difference(&asked.held(name)).copied()).collect()
}

#[cfg(test)]
#[path = "conditions_tests.rs"]
mod tests;
