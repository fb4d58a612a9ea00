//! Tables between level lines: one above the names of the columns, one below them and one at the end, as books and papers have them.
//!
//! The lines say which words are the names and which are rows; where a column is, the words say.

use super::grid::{self, COLUMNS, GOES_ON, GUTTER, fits_behind};
use super::ruled::{Line, Ruled, filled, has_text, lines};
use super::rules::{NEAR, Rule};
use super::{Placed, head};
use crate::core::base::sorting::sort_by;

/// How far words may stand out of the lines, in parts of the size of letters.
const OUT: f64 = 0.5;
/// Words of a line that is wrapped.
const WRAPPED_WORDS: usize = 3;
/// Lines of a head.
const HEAD_LINES: usize = 4;

/// The tables between level lines that cross no others.
pub(super) fn tables(rules: &[Rule], places: &[Placed], texts: &[&str]) -> Vec<Ruled> {
    let mut found = Vec::new();
    let mut rest: Vec<Rule> = rules.to_vec();
    while let Some(first) = rest.first().copied() {
        let is_as_wide = |rule: &Rule| (rule.from - first.from).abs() <= NEAR && (rule.to - first.to).abs() <= NEAR;
        let (mut alike, others): (Vec<Rule>, Vec<Rule>) = rest.iter().partition(|rule| is_as_wide(rule));
        rest = others;
        sort_by(&mut alike, |a, b| b.at.total_cmp(&a.at));
        let bands: Vec<Option<Band>> = alike.windows(2).map(|pair| band(pair, places, texts)).collect();
        let mut at = 0;
        while at + 1 < bands.len() {
            let table = bands.get(at..).and_then(|bands| table(bands, rules, places));
            at += table.as_ref().map_or(1, |(count, _)| *count);
            found.extend(table.map(|(_, table)| table));
        }
    }
    found
}

/// What stands between two level lines.
#[derive(Debug)]
struct Band {
    pieces: Vec<usize>,
    lines: Vec<Vec<Word>>,
}

/// Words of a line that stand together.
#[derive(Clone, Debug)]
struct Word {
    left: f64,
    right: f64,
    base: f64,
    size: f64,
    text: String,
}

impl Word {
    fn is_over(&self, (left, right): (f64, f64)) -> bool {
        self.left < right && self.right > left
    }

    fn middle(&self) -> f64 {
        f64::midpoint(self.left, self.right)
    }
}

/// The words between two lines, if nothing stands out of them.
fn band(pair: &[Rule], places: &[Placed], texts: &[&str]) -> Option<Band> {
    let [top, low] = pair else { return None };
    let mut pieces = Vec::new();
    for (piece, place) in places.iter().enumerate() {
        let is_between = place.base < top.at && place.base > low.at;
        if !is_between || place.right < top.from || place.left > top.to {
            continue;
        }
        let slack = place.size * OUT;
        if !place.is_level || place.left < top.from - slack || place.right > top.to + slack {
            return None;
        }
        pieces.push(piece);
    }
    let lines = lines(&pieces, places).into_iter().map(|Line { pieces, base, size }| {
        let word = |piece: &usize| {
            let (place, text) = (places.get(*piece)?, texts.get(*piece)?);
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            Some(Word { left: place.left, right: place.right, base, size, text })
        };
        pieces.iter().filter_map(word).collect()
    });
    let lines: Vec<Vec<Word>> = lines.collect();
    (!pieces.is_empty()).then_some(Band { pieces, lines })
}

/// The table that begins with a band, and how many bands it takes.
fn table(bands: &[Option<Band>], rules: &[Rule], places: &[Placed]) -> Option<(usize, Ruled)> {
    let [Some(above), Some(first), ..] = bands else { return None };
    let columns = columns(&first.lines)?;
    let head = names(above, rules, &columns)?;
    let is_of_columns = |band: &&Band| band.lines.iter().flatten().all(|word| fits(word, &columns).is_some());
    let body: Vec<&Band> = bands.iter().skip(1).map_while(Option::as_ref).take_while(is_of_columns).collect();
    let mut rows = Vec::new();
    for band in &body {
        add_rows(&mut rows, band, &columns)?;
    }
    let is_table = rows.iter().filter(|row| filled(row) > 1).count() > 1 && !has_text(&rows);
    let mut pieces: Vec<usize> =
        above.pieces.iter().chain(body.iter().flat_map(|band| &band.pieces)).copied().collect();
    pieces.sort_unstable();
    let is_level = pieces.iter().all(|piece| places.get(*piece).is_some_and(|place| place.is_level));
    rows.insert(0, head);
    let table = Ruled { rows, named: 1, title: String::new(), pieces, columns };
    (is_table && is_level).then_some((1 + body.len(), table))
}

/// Where columns stand: what lines of several words leave free.
fn columns(lines: &[Vec<Word>]) -> Option<Vec<(f64, f64)>> {
    let mut words: Vec<&Word> = lines.iter().filter(|line| line.len() > 1).flatten().collect();
    sort_by(&mut words, |a, b| a.left.total_cmp(&b.left));
    let mut columns: Vec<(f64, f64)> = Vec::new();
    for word in words {
        match columns.last_mut() {
            Some(last) if word.left - last.1 < word.size * GUTTER => last.1 = last.1.max(word.right),
            _ => columns.push((word.left, word.right)),
        }
    }
    // What stands alone on its line and in one column is as wide as that may be.
    for word in lines.iter().filter(|line| line.len() == 1).flatten() {
        let own: Vec<usize> =
            (0..columns.len()).filter(|at| columns.get(*at).is_some_and(|column| word.is_over(*column))).collect();
        if let Some(column) = own.first().filter(|_| own.len() == 1).and_then(|at| columns.get_mut(*at)) {
            column.1 = column.1.max(word.right);
        }
    }
    (2..=COLUMNS).contains(&columns.len()).then_some(columns)
}

/// The first and the last column that a word stands in; nothing where it can be no cell.
fn fits(word: &Word, columns: &[(f64, f64)]) -> Option<(usize, usize)> {
    let first = columns.iter().position(|column| word.is_over(*column))?;
    let last = columns.iter().rposition(|column| word.is_over(*column))?;
    // What begins with the first column may be the name of a group.
    (first == last || first == 0).then_some((first, last))
}

/// What the columns are called.
fn names(band: &Band, rules: &[Rule], columns: &[(f64, f64)]) -> Option<Vec<String>> {
    let mut names = vec![String::new(); columns.len()];
    if band.lines.len() > HEAD_LINES {
        return None;
    }
    for line in &band.lines {
        for (at, column) in columns.iter().enumerate() {
            let middle = f64::midpoint(column.0, column.1);
            // A line below a name says how many columns it is of.
            let has_line = |word: &&Word| {
                let is_below = |rule: &&Rule| rule.at < word.base && word.base - rule.at <= word.size * GOES_ON;
                rules.iter().filter(is_below).any(|rule| rule.is_over(middle) && rule.is_over(word.middle()))
            };
            let own = |word: &&Word| word.is_over(*column);
            let nearest = || {
                line.iter()
                    .filter(|_| at > 0)
                    .min_by(|a, b| (a.middle() - middle).abs().total_cmp(&(b.middle() - middle).abs()))
            };
            let reaches_over_several =
                |word: &&Word| columns.iter().filter(|column| word.is_over(**column)).count() != 1;
            let word = line
                .iter()
                .find(own)
                .or_else(|| line.iter().find(has_line))
                .or_else(|| nearest().filter(reaches_over_several));
            if let Some(word) = word.filter(|word| at > 0 || word.is_over(*column)) {
                grid::add(names.get_mut(at)?, &word.text);
            }
        }
    }
    names.iter().skip(1).all(|name| !name.is_empty()).then_some(names)
}

/// Adds the rows of a band.
fn add_rows(rows: &mut Vec<Vec<String>>, band: &Band, columns: &[(f64, f64)]) -> Option<()> {
    // The last line of each cell of the open row.
    let mut last: Vec<Option<&Word>> = Vec::new();
    let mut low = f64::INFINITY;
    for line in &band.lines {
        let base = line.first()?.base;
        let mut cells: Vec<(usize, &Word)> = Vec::new();
        for word in line {
            cells.push((fits(word, columns)?.0, word));
        }
        let is_near = low - base <= line.first()?.size * GOES_ON;
        let belongs = if is_near { belongs(&cells, &last, columns) } else { Belongs::Nowhere };
        if belongs != Belongs::ToRow {
            let mut row = vec![String::new(); columns.len()];
            if let Some(above) = rows.last().filter(|_| belongs == Belongs::ToName) {
                row.first_mut()?.clone_from(above.first()?);
            }
            rows.push(row);
            last = vec![None; columns.len()];
        }
        let row = rows.last_mut()?;
        for (column, word) in cells {
            grid::add(row.get_mut(column)?, &word.text);
            *last.get_mut(column)? = Some(word);
        }
        low = base;
    }
    Some(())
}

/// What a line has to do with the row above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Belongs {
    Nowhere,
    /// It goes on with its cells.
    ToRow,
    /// It is one more row of the same name.
    ToName,
}

fn belongs(cells: &[(usize, &Word)], last: &[Option<&Word>], columns: &[(f64, f64)]) -> Belongs {
    let above = |column: usize| last.get(column).copied().flatten();
    // The first word of a line would not have found room on the line above.
    let is_full = |(column, word): &(usize, &Word)| {
        let right = columns.get(*column).map_or(0.0, |column| column.1);
        above(*column)
            .is_some_and(|above| !fits_behind(above.right, word.size, (word.right - word.left, &word.text), right))
    };
    // Where all cells of a row have one more line, few words are not wrapped in narrow columns.
    let is_wrapped = |cell: &(usize, &Word)| {
        is_full(cell) && above(cell.0).is_some_and(|above| above.text.split_whitespace().count() >= WRAPPED_WORDS)
    };
    let is_new_figure = |(column, word): &(usize, &Word)| head::is_figure(&word.text) && above(*column).is_some();
    let values = last.iter().skip(1).flatten().count();
    if last.is_empty() || cells.iter().any(is_new_figure) {
        return Belongs::Nowhere;
    }
    match cells.iter().find(|(column, _)| *column == 0) {
        None if values > 1 && cells.len() == values && !cells.iter().any(is_wrapped) => Belongs::ToName,
        None => Belongs::ToRow,
        Some(first) => {
            let is_small = first.1.text.starts_with(char::is_lowercase);
            let is_alone = cells.len() == 1 && columns.iter().filter(|column| first.1.is_over(**column)).count() == 1;
            let goes_on = is_full(first) && (is_small || (is_alone && values > 0));
            if goes_on { Belongs::ToRow } else { Belongs::Nowhere }
        }
    }
}
