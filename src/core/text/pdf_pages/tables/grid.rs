//! Rows and columns of words: what stands on one line, and above or below what.

use std::collections::HashMap;
use std::ops::Range;

use super::{Placed, head};

/// In parts of the size of letters: how far apart the lines of one row stand, how far one row stands below another at most, how far up the next cell may
/// begin beside one of several lines, how far the next line of a cell stands below, and what is at least between columns.
pub(super) const ONE_LINE: f64 = 0.35;
const ROW: f64 = 3.2;
const CELL: f64 = 10.0;
pub(super) const GOES_ON: f64 = 1.6;
pub(super) const GUTTER: f64 = 0.3;
const APART: f64 = 0.15;
/// How much of a table the name of a group takes at most.
const ACROSS: f64 = 0.6;
/// A space between words, in the same.
const SPACE: f64 = 0.25;
/// Letters of one table are about of one size.
const SIZES: f64 = 1.7;
/// Lines of one table on a page, and its columns, at most.
const LINES: usize = 500;
pub(super) const COLUMNS: usize = 24;
/// Points that lead from a title to its page.
const LEADERS: [&str; 3] = ["....", ". . .", "····"];

/// Words one behind the other on one line, as they come.
pub(super) fn lines(places: &[Placed]) -> Vec<Range<usize>> {
    let mut lines: Vec<Range<usize>> = Vec::new();
    let mut last: Option<&Placed> = None;
    for (at, place) in places.iter().enumerate() {
        let is_behind = |last: &Placed| {
            (last.base - place.base).abs() <= last.size * ONE_LINE && place.left >= last.right - last.size * GUTTER
        };
        match lines.last_mut().filter(|_| last.is_some_and(is_behind)) {
            Some(line) => line.end = at + 1,
            None => lines.push(at..at + 1),
        }
        last = Some(place);
    }
    lines
}

/// Rows of cells.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) rows: Vec<Vec<String>>,
    pub(super) columns: Vec<(f64, f64)>,
    /// How large its letters are.
    pub(super) size: f64,
    /// The words that are in it.
    pub(super) pieces: Range<usize>,
    /// The line behind all that were looked at.
    pub(super) end: usize,
}

impl Grid {
    /// The grid that begins with a line, or goes on there in columns that are known.
    pub(super) fn at(
        lines: &[Range<usize>],
        start: usize,
        places: &[Placed],
        texts: &[&str],
        columns: Option<&[(f64, f64)]>,
    ) -> Option<Self> {
        let mut growing = Growing::new(columns);
        let first = lines.get(start)?.clone();
        if first.len() < 2 {
            return None;
        }
        let taken = lines.iter().skip(start).take(LINES).take_while(|line| {
            let words = places.get((*line).clone()).unwrap_or_default();
            let leads = |text: &&str| LEADERS.iter().any(|leaders| text.contains(leaders));
            !texts.get((*line).clone()).unwrap_or_default().iter().any(leads) && growing.takes(words)
        });
        let end = start + taken.count();
        if end == start {
            return None;
        }
        let pieces = first.start..lines.get(end.checked_sub(1)?)?.end;
        let Growing { columns, size, .. } = growing;
        let are_apart = columns.windows(2).all(|pair| match pair {
            [left, right] => right.0 - left.1 >= size * APART,
            _ => true,
        });
        // One that is none has no rows, but an end: nobody has to look at its lines again.
        let is_grid = columns.len() > 1 && are_apart;
        let found = if is_grid { rows(pieces.clone(), places, texts, &columns) } else { None };
        let mut rows = found.unwrap_or_default();
        // What stands alone above or below is a title, or text.
        let is_title = |row: &Row| row.cells.iter().filter(|cell| !cell.is_empty()).count() < 2;
        let titles = rows.iter().take_while(|row| is_title(row)).count();
        rows.drain(..titles);
        while rows.pop_if(|row| is_title(row)).is_some() {}
        let begin = rows.first().map_or(pieces.start, |row| row.pieces.start);
        let pieces = begin..rows.last().map_or(pieces.end, |row| row.pieces.end);
        Some(Self { rows: rows.into_iter().map(|row| row.cells).collect(), columns, size, pieces, end })
    }

    /// The same rows where a name stands at the other side of its column than what is below it, so that two columns were seen: nothing is below the one,
    /// and nothing names the other.
    pub(super) fn in_fewer_columns(&self) -> Option<Self> {
        let mut fewer = self.clone();
        let mut at = 0;
        while at + 1 < fewer.columns.len() {
            let (head, body) = fewer.rows.split_first()?;
            let is_empty = |row: &Vec<String>, column: usize| row.get(column).is_none_or(String::is_empty);
            let names = |one: usize, other: usize| {
                !is_empty(head, one) && is_empty(head, other) && body.iter().all(|row| is_empty(row, one))
            };
            if names(at, at + 1) || names(at + 1, at) {
                for row in &mut fewer.rows {
                    let behind = row.remove(at + 1);
                    row.get_mut(at)?.push_str(&behind);
                }
                let behind = fewer.columns.remove(at + 1);
                fewer.columns.get_mut(at)?.1 = behind.1;
            }
            at += 1;
        }
        (fewer.columns.len() < self.columns.len()).then_some(fewer)
    }
}

/// The columns of the lines that were taken so far.
#[derive(Debug)]
struct Growing {
    columns: Vec<(f64, f64)>,
    is_begun: bool,
    size: f64,
    top: f64,
    low: f64,
}

impl Growing {
    fn new(columns: Option<&[(f64, f64)]>) -> Self {
        let columns = columns.map(<[_]>::to_vec).unwrap_or_default();
        Self { columns, is_begun: false, size: 0.0, top: 0.0, low: 0.0 }
    }

    /// Takes a line in if all that stands on it stands in one column each.
    fn takes(&mut self, words: &[Placed]) -> bool {
        let Some(first) = words.first().filter(|_| words.iter().all(|word| word.is_level)) else { return false };
        if !self.is_begun {
            (self.size, self.top, self.low) = (first.size, first.base, first.base);
        }
        let is_of_size = first.size <= self.size * SIZES && self.size <= first.size * SIZES;
        // A cell of the first row may have lines above those that stand at its foot.
        let highest = (self.top + self.size * ROW).min(self.low + self.size * CELL) + self.size * ONE_LINE;
        let is_near = (self.low - self.size * ROW..=highest).contains(&first.base);
        let is_beside = self.is_begun && first.base > self.low + self.size * ONE_LINE;
        let is_in = |word: &Placed| self.over(word).count();
        let fits = match words {
            // Alone on a line, it goes on with a cell or is one beside a cell of several lines.
            [word] => self.is_begun && (is_in(word) == 1 || (is_in(word) == 0 && is_beside) || self.is_across(word)),
            words => words.len() <= COLUMNS && words.iter().all(|word| is_in(word) <= 1),
        };
        if !is_of_size || !is_near || !fits {
            return false;
        }
        let is_across = matches!(words, [word] if is_in(word) > 1);
        words.iter().filter(|_| !is_across).for_each(|word| self.widen(word));
        self.is_begun = true;
        self.low = self.low.min(first.base);
        self.columns.len() <= COLUMNS
    }

    /// Whether a word that stands alone on its line may be the name of a group: it begins where the first column does, and takes a part of the table.
    fn is_across(&self, word: &Placed) -> bool {
        let (Some(first), Some(last)) = (self.columns.first(), self.columns.last()) else { return false };
        (word.left - first.0).abs() <= self.size * GUTTER && word.right - first.0 <= (last.1 - first.0) * ACROSS
    }

    /// The columns that words reach over.
    fn over(&self, word: &Placed) -> impl Iterator<Item = usize> {
        let over =
            move |(at, (left, right)): (usize, &(f64, f64))| (word.left < *right && word.right > *left).then_some(at);
        self.columns.iter().enumerate().filter_map(over)
    }

    fn widen(&mut self, word: &Placed) {
        let at = self.over(word).next();
        match at.and_then(|at| self.columns.get_mut(at)) {
            Some((left, right)) => (*left, *right) = (left.min(word.left), right.max(word.right)),
            None => {
                let at = self.columns.partition_point(|(left, _)| *left < word.left);
                self.columns.insert(at, (word.left, word.right));
            }
        }
    }
}

#[derive(Debug)]
struct Row {
    cells: Vec<String>,
    pieces: Range<usize>,
    /// Where its last line stands.
    low: f64,
    /// It stands below a row of which only the first cell is filled: whether its first word would have found room there.
    below: Option<bool>,
}

/// The cells of words in columns, row by row; nothing where the words of rows come in another order than the rows.
fn rows(pieces: Range<usize>, places: &[Placed], texts: &[&str], columns: &[(f64, f64)]) -> Option<Vec<Row>> {
    let mut order: Vec<(usize, &Placed)> = pieces.clone().zip(places.get(pieces)?).collect();
    order.sort_by(|(_, a), (_, b)| b.base.total_cmp(&a.base));
    let mut rows: Vec<Row> = Vec::new();
    let bands = order.chunk_by(|(_, a), (_, b)| a.base - b.base <= a.size * ONE_LINE);
    for band in bands {
        let mut words: Vec<(usize, usize)> = Vec::with_capacity(band.len());
        for (piece, place) in band {
            let column = columns.iter().position(|(left, right)| place.left < *right && place.right > *left)?;
            words.push((*piece, column));
        }
        words.sort_unstable();
        let (first, last) = (words.first()?.0, words.last()?.0);
        let is_filled = |column: usize| words.iter().any(|(_, of)| *of == column);
        let is_alone = words.iter().all(|(_, column)| *column == words.first().map_or(0, |word| word.1));
        // Cells that begin at the foot of their row, beside the end of a longer one.
        let fills = |row: &Row| {
            let is_free = |column: usize| row.cells.get(column).is_some_and(String::is_empty);
            let figures = |column: usize| row.cells.get(column).is_some_and(|cell| head::is_figure(cell));
            words.iter().any(|(_, column)| is_free(*column)) && !words.iter().any(|(_, column)| figures(*column))
        };
        // The rest of a cell comes before the next cell, or right behind what the row has and not below its first cell.
        let (base, size) = band.first().map_or((0.0, 0.0), |(_, place)| (place.base, place.size));
        let is_near = |row: &Row| row.low - base <= size * GOES_ON;
        let goes_on = |row: &Row| {
            let follows = first == row.pieces.end && !is_filled(0) && is_near(row);
            first < row.pieces.end || (follows && (is_alone || fills(row)))
        };
        if rows.last().is_none_or(|row| !goes_on(row)) {
            let has_name_alone = |row: &&Row| row.cells.iter().skip(1).all(String::is_empty) && is_near(row);
            let name = rows.last().filter(|row| is_filled(0) && has_name_alone(row));
            // What reaches over its column was not wrapped there.
            let fits = || {
                let (above, right) = (places.get(name?.pieces.end.checked_sub(1)?)?, columns.first()?.1);
                let (own, text) = (places.get(first)?, *texts.get(first)?);
                let fits = fits_behind(above.right, above.size, (own.right - own.left, text), right);
                Some(above.right > right || fits)
            };
            let below = name.is_some().then(|| fits().unwrap_or(false));
            rows.push(Row { cells: vec![String::new(); columns.len()], pieces: first..first, low: base, below });
        }
        let row = rows.last_mut()?;
        for (piece, column) in words {
            add(row.cells.get_mut(column)?, texts.get(piece)?);
        }
        row.low = base;
        row.pieces = row.pieces.start.min(first)..row.pieces.end.max(last + 1);
    }
    let is_in_order = rows.windows(2).all(|pair| match pair {
        [above, below] => above.pieces.end <= below.pieces.start,
        _ => true,
    });
    (is_in_order && are_groups(&rows)).then_some(rows)
}

/// Whether the first of so wide words had found room in a cell behind what ends there on the line above: else a line may be the rest of a cell.
pub(super) fn fits_behind(above: f64, size: f64, (wide, text): (f64, &str), right: f64) -> bool {
    let first = text.split_whitespace().next().map_or(0, |word| word.chars().count());
    let share = first as f64 / text.trim().chars().count().max(1) as f64;
    above + size * SPACE + wide * share <= right
}

/// Whether names that stand alone above a row name a group, where there are some: they may as well be first cells of two lines at the foot of their rows.
/// A cell ends where its next word finds no room, and the rows of one group are often those of another.
fn are_groups(rows: &[Row]) -> bool {
    let below: Vec<&Row> = rows.iter().filter(|row| row.below.is_some()).collect();
    let goes_on = |row: &&Row| row.cells.first().is_some_and(|first| first.starts_with(char::is_lowercase));
    let mut firsts: HashMap<Option<&String>, usize> = HashMap::new();
    rows.iter().for_each(|row| *firsts.entry(row.cells.first()).or_default() += 1);
    let is_said_again = |row: &&Row| firsts.get(&row.cells.first()).is_some_and(|count| *count > 1);
    below.is_empty()
        || (!below.iter().any(goes_on) && below.iter().any(|row| row.below == Some(true) || is_said_again(row)))
}

/// Adds words to a cell; a word that the end of a line cuts is one.
pub(super) fn add(cell: &mut String, text: &str) {
    for word in text.split_whitespace() {
        let is_cut = cell.ends_with('-')
            && cell.chars().rev().nth(1).is_some_and(char::is_alphabetic)
            && word.starts_with(char::is_lowercase);
        if is_cut {
            cell.pop();
        } else if !cell.is_empty() {
            cell.push(' ');
        }
        cell.push_str(word);
    }
}
