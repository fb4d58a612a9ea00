//! Tables of a page, told by where its words stand: a row of figures says nothing without the names of its columns, and a PDF has neither rows nor columns.
//!
//! Only what is plainly a table becomes one: rows of words that stand apart in columns over which nothing reaches, below a row that names them. All else
//! stays as it is read, but for columns of running text that are written across. Every line of a page is looked at a fixed number of times.

mod above;
mod columns;
mod grid;
mod head;
mod lined;
mod ruled;
mod rules;

use grid::Grid;
use ruled::Ruled;
pub(crate) use rules::Rule;

use super::super::table_groups::in_groups;
use super::is_row;

/// Stands before the words of each place in a marked text; the text itself cannot hold it.
pub(crate) const MARK: char = '\u{e002}';

/// In parts of the size of letters: the widest space between words that stand together, how far a letter may stand before the end of another, and how
/// far above or below it.
const SPACE: f64 = 0.6;
const OVER: f64 = 0.5;
const RAISED: f64 = 0.6;

/// Words that stand together on a page: from where to where, on what line, and how large. Lengths are those of the page, upwards and to the right.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Placed {
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) base: f64,
    pub(crate) size: f64,
    /// It runs from left to right, as lines of a table do.
    pub(crate) is_level: bool,
}

impl Placed {
    /// Takes a letter in if it stands beside these words.
    pub(crate) fn takes(&mut self, letter: &Self) -> bool {
        let size = self.size.max(letter.size);
        let gap = letter.left - self.right;
        let is_beside = self.is_level
            && letter.is_level
            && (self.base - letter.base).abs() <= size * RAISED
            && gap <= size * SPACE
            && gap >= -size * OVER;
        if is_beside {
            self.right = self.right.max(letter.right);
            if letter.size > self.size {
                (self.base, self.size) = (letter.base, letter.size);
            }
        }
        is_beside
    }
}

/// What the next page has to know of a table that ends with its page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OpenTable {
    columns: Vec<(f64, f64)>,
    head: Vec<String>,
}

/// So many lines may stand above the rest of a table, or below its beginning: heads and feet of pages.
const RUNNING_LINES: usize = 2;
/// A run of lines that is no table may be one from its second or third line on: what stands above is its title.
const STARTS: usize = 3;

/// The text of a page with its tables as Markdown has them. Rows that go on with the table at the end of the page before have no head: they follow the
/// rows there.
pub(crate) fn written(
    marked: &str,
    places: &[Placed],
    rules: &[Rule],
    before: Option<&OpenTable>,
) -> (String, Option<OpenTable>) {
    let mut texts = marked.split(MARK);
    let lead = texts.next().unwrap_or_default();
    let texts: Vec<&str> = texts.collect();
    if texts.len() != places.len() {
        return (marked.replace(MARK, ""), None);
    }
    let mut out = lead.to_owned();
    let mut tables: Vec<Ruled> =
        rules::frames(rules).iter().filter_map(|frame| ruled::table(frame, places, &texts)).collect();
    tables.extend(lined::tables(&rules::loose(rules), places, &texts));
    let mut table_of: Vec<Option<usize>> = vec![None; places.len()];
    for (at, table) in tables.iter().enumerate() {
        for piece in &table.pieces {
            table_of.get_mut(*piece).into_iter().for_each(|of| *of = Some(at));
        }
    }
    let (mut before, mut open, mut start) = (before, None, 0);
    let mut is_written = vec![false; tables.len()];
    // What stands between two words of a table, or behind its last one, is no part of it.
    for run in table_of.chunk_by(|a, b| a == b) {
        let pieces = start..start + run.len();
        start = pieces.end;
        match run.first().copied().flatten() {
            None => {
                let (texts, places) = (texts.get(pieces.clone()), places.get(pieces));
                let (text, ends_with) = unruled(texts.unwrap_or_default(), places.unwrap_or_default(), before);
                out.push_str(&text);
                let is_short = text.lines().filter(|line| !line.trim().is_empty()).count() <= RUNNING_LINES;
                (before, open) = (before.filter(|_| is_short), ends_with.or(open.filter(|_| is_short)));
            }
            Some(at) => {
                let table = tables.get(at).filter(|_| !is_written.get(at).copied().unwrap_or(true));
                is_written.get_mut(at).into_iter().for_each(|written| *written = true);
                if let Some(table) = table {
                    let (text, head) = table.written(before.take());
                    out.push_str(&text);
                    open = Some(OpenTable { columns: table.columns.clone(), head });
                }
            }
        }
    }
    (out, open)
}

/// The text of words with those of its tables that no lines are drawn around.
fn unruled(texts: &[&str], places: &[Placed], before: Option<&OpenTable>) -> (String, Option<OpenTable>) {
    let mut out = String::new();
    let lines = grid::lines(places);
    let (mut line, mut starts, mut copied) = (0, 0, 0);
    let mut open = None;
    while line < lines.len() {
        let before = before.filter(|_| line <= RUNNING_LINES && copied == 0);
        let looked_at = Grid::at(&lines, line, places, texts, None);
        // Years name columns and are figures as well.
        let has_names = looked_at.as_ref().is_some_and(|grid| head::rows(&grid.rows).is_some());
        let rest = before.filter(|_| !has_names).and_then(|before| {
            let grid = Grid::at(&lines, line, places, texts, Some(&before.columns))?;
            goes_on(&grid, before).then(|| (before.head.clone(), grid, 0))
        });
        let found = rest.or_else(|| {
            let grid = looked_at.clone()?;
            let (grid, count) = match head::rows(&grid.rows) {
                Some(count) => (grid, count),
                None => match grid.in_fewer_columns().filter(|grid| head::rows(&grid.rows) == Some(1)) {
                    Some(grid) => (grid, 1),
                    None => (above::with_names(&grid, copied, places, texts)?, 1),
                },
            };
            Some((joined(grid.rows.get(..count)?), grid, count))
        });
        if let Some((text, grid)) =
            looked_at.as_ref().filter(|_| found.is_none()).and_then(|grid| Some((columns::in_columns(grid)?, grid)))
        {
            texts.get(copied..grid.pieces.start).into_iter().flatten().for_each(|text| out.push_str(text));
            out.push_str(&format!("\n{text}\n"));
            copied = grid.pieces.end;
            (line, starts) = (lines.partition_point(|line| line.start < copied).max(line + 1), 0);
            open = None;
            continue;
        }
        match (found, looked_at) {
            (Some((head, grid, named)), _) => {
                let rows = markdown(&head, &grid.rows, named);
                texts.get(copied..grid.pieces.start).into_iter().flatten().for_each(|text| out.push_str(text));
                out.push_str(&format!("\n\n{rows}\n"));
                copied = grid.pieces.end;
                line = lines.partition_point(|line| line.start < copied);
                starts = 0;
                open = (lines.len() - line <= RUNNING_LINES).then_some(OpenTable { columns: grid.columns, head });
            }
            (None, Some(grid)) if starts + 1 >= STARTS => (line, starts) = (grid.end.max(line + 1), 0),
            (None, Some(_)) => (line, starts) = (line + 1, starts + 1),
            (None, None) => (line, starts) = (line + 1, 0),
        }
    }
    texts.get(copied..).into_iter().flatten().for_each(|text| out.push_str(text));
    (out, open)
}

/// Rows as Markdown, of which the first ones may name the columns.
fn markdown(head: &[String], rows: &[Vec<String>], named: usize) -> String {
    let mut out = String::new();
    if named > 0 {
        let rule = vec!["---"; head.len()].join(" | ");
        out.push_str(&format!("{}\n| {rule} |\n", row(head)));
    }
    let columns = rows.first().map_or(0, Vec::len);
    for cells in in_groups(rows.iter().skip(named).cloned(), columns, |_| false, |row| row) {
        out.push_str(&row(&cells));
        out.push('\n');
    }
    out
}

/// Whether rows go on with the table of the page before. A head that is printed again, or one of another table, does not; nor does a row of few cells,
/// which may be a line at the head of the page.
fn goes_on(grid: &Grid, before: &OpenTable) -> bool {
    let Some(first) = grid.rows.first() else { return false };
    let filled = first.iter().filter(|cell| !cell.is_empty()).count();
    let is_whole = filled == first.len() && filled > 2;
    grid.columns.len() == before.columns.len()
        && *first != before.head
        && (is_whole || (grid.rows.len() > 1 && 4 * filled >= 3 * first.len()))
        && (head::has_figure(first) || head::rows(&grid.rows).is_none())
}

/// The lines of a head in one.
fn joined(rows: &[Vec<String>]) -> Vec<String> {
    let mut head: Vec<String> = rows.first().cloned().unwrap_or_default();
    // Names that stand twice below others are told apart by them: each reaches up to the next.
    if let Some(below) = rows.get(1).filter(|below| are_twice(below)) {
        for at in 2..head.len() {
            let before = head.get(at - 1).cloned().unwrap_or_default();
            let is_named = below.get(at).is_some_and(|name| !name.is_empty());
            head.get_mut(at)
                .filter(|name| name.is_empty() && is_named)
                .into_iter()
                .for_each(|name| *name = before.clone());
        }
    }
    for row in rows.iter().skip(1) {
        // A name that reaches over both lines is one.
        for (cell, more) in head.iter_mut().zip(row).filter(|(cell, more)| cell != more) {
            *cell = format!("{cell} {more}").trim().to_owned();
        }
    }
    head
}

fn are_twice(names: &[String]) -> bool {
    let mut said: Vec<&String> = names.iter().filter(|name| !name.is_empty()).collect();
    said.sort_unstable();
    said.windows(2).any(|pair| pair.first() == pair.last())
}

fn row(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    format!("| {} |", cells.join(" | "))
}

/// Whether a paragraph of a page is a table, or the rest of one.
pub(crate) fn is_table(paragraph: &str) -> bool {
    !paragraph.is_empty() && paragraph.lines().all(is_row)
}

#[cfg(test)]
mod ruled_tests;
#[cfg(test)]
mod tests;
