//! Tables whose cells are ruled: lines that cross tell cells apart, whatever stands in them and however it is wrapped.

use super::grid::{self, COLUMNS, ONE_LINE, fits_behind};
use super::rules::{Frame, NEAR, Rule};
use super::{OpenTable, Placed, head};
use crate::core::base::sorting::sort_by;

/// In parts of the size of letters: how far up of its base the middle of a letter is, and how far words may stand out of their cell.
const MIDDLE: f64 = 0.3;
const OUT: f64 = 0.3;
/// Rows of one table, at most.
const ROWS: usize = 300;
/// A cell with more words is a text that stands in a frame.
const CELL_WORDS: usize = 60;

/// A table, and which words of the page it has.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ruled {
    pub(super) rows: Vec<Vec<String>>,
    /// How many of the first rows name the columns.
    pub(super) named: usize,
    /// What stands above its columns, over all of them.
    pub(super) title: String,
    /// In the order of the page.
    pub(super) pieces: Vec<usize>,
    pub(super) columns: Vec<(f64, f64)>,
}

/// The table in a frame; nothing where what stands in it is none.
pub(super) fn table(frame: &Frame, places: &[Placed], texts: &[&str]) -> Option<Ruled> {
    let cells = Cells::of(frame)?;
    let mut words: Vec<Vec<usize>> = vec![Vec::new(); cells.areas.len()];
    let mut pieces = Vec::new();
    for (piece, place) in places.iter().enumerate() {
        let Some(area) = cells.area_of(place) else { continue };
        let (left, right) = cells.width_of(area)?;
        let slack = place.size * OUT;
        if !place.is_level || place.left < left - slack || place.right > right + slack {
            return None;
        }
        words.get_mut(area)?.push(piece);
        pieces.push(piece);
    }
    let lines: Vec<Vec<CellLine>> = words.iter().map(|words| cell_lines(words, places, texts)).collect();
    let mut rows = cells.rows(&lines);
    let is_wide = cells.is_wide_above(&lines);
    let mut columns = cells.columns();
    drop_empty(&mut rows, &mut columns);
    let title = title_of(&mut rows);
    let filled: usize = rows.iter().map(|row| filled(row)).sum();
    let has_several = |row: &&Vec<String>| self::filled(row) > 1;
    let is_table = columns.len() > 1
        && columns.len() <= COLUMNS
        && rows.iter().filter(has_several).count() > 1
        && 2 * filled >= rows.len() * columns.len()
        && !has_text(&rows);
    let named = head::of_ruled(&rows, is_wide);
    is_table.then_some(Ruled { rows, named, title, pieces, columns })
}

impl Ruled {
    /// The table as Markdown has it, and what its columns are called: what those of the page before are, if it goes on with that.
    pub(super) fn written(&self, before: Option<&OpenTable>) -> (String, Vec<String>) {
        let Self { rows, named, title, .. } = self;
        let head = super::joined(rows.get(..*named).unwrap_or_default());
        // Where cells have words alone, the first row of the rest looks like names.
        let is_rest = || {
            *named == 0
                || rows.first().is_some_and(|row| head::has_figure(row))
                || !rows.iter().any(|row| head::has_figure(row))
        };
        let is_of =
            |before: &&OpenTable| title.is_empty() && before.head != head && self.has_columns_of(before) && is_rest();
        if let Some(before) = before.filter(is_of) {
            return (format!("\n\n{}\n", super::markdown(&[], rows, 0)), before.head.clone());
        }
        (format!("\n\n{title}\n\n{}\n", super::markdown(&head, rows, *named)), head)
    }

    /// Whether its columns stand where those of a table stand.
    fn has_columns_of(&self, before: &OpenTable) -> bool {
        let is_same = |(own, other): (&(f64, f64), &(f64, f64))| {
            (own.0 - other.0).abs() <= NEAR && (own.1 - other.1).abs() <= NEAR
        };
        self.columns.len() == before.columns.len() && self.columns.iter().zip(&before.columns).all(is_same)
    }
}

/// Whether a cell is a text.
pub(super) fn has_text(rows: &[Vec<String>]) -> bool {
    rows.iter().flatten().any(|cell| cell.split_whitespace().count() > CELL_WORDS)
}

pub(super) fn filled(row: &[String]) -> usize {
    row.iter().filter(|cell| !cell.is_empty()).count()
}

/// What stands alone in the first rows: the title of the table.
fn title_of(rows: &mut Vec<Vec<String>>) -> String {
    let count = rows.iter().take_while(|row| filled(row) == 1).count();
    // A list is not all title.
    if count > 2 || count == rows.len() {
        return String::new();
    }
    rows.drain(..count).flatten().filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Rows and columns in which nothing stands are drawn for the eye.
fn drop_empty(rows: &mut Vec<Vec<String>>, columns: &mut Vec<(f64, f64)>) {
    rows.retain(|row| filled(row) > 0);
    let is_used: Vec<bool> =
        (0..columns.len()).map(|at| rows.iter().any(|row| row.get(at).is_some_and(|cell| !cell.is_empty()))).collect();
    let is_kept = |at: usize| is_used.get(at).copied().unwrap_or(false);
    let keep = |row: &mut Vec<String>| {
        let mut at = 0;
        row.retain(|_| {
            at += 1;
            is_kept(at - 1)
        });
    };
    rows.iter_mut().for_each(keep);
    let mut at = 0;
    columns.retain(|_| {
        at += 1;
        is_kept(at - 1)
    });
}

/// The words of a line, from the left, and how far up it stands.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) base: f64,
    pub(super) size: f64,
    pub(super) pieces: Vec<usize>,
}

/// The lines of words from above.
pub(super) fn lines(pieces: &[usize], places: &[Placed]) -> Vec<Line> {
    let mut words: Vec<(usize, &Placed)> =
        pieces.iter().filter_map(|piece| Some((*piece, places.get(*piece)?))).collect();
    sort_by(&mut words, |(_, a), (_, b)| b.base.total_cmp(&a.base));
    let mut lines: Vec<Line> = Vec::new();
    let mut rest = words.as_mut_slice();
    while let Some((_, first)) = rest.first().copied() {
        let on_line = rest.iter().take_while(|(_, own)| first.base - own.base <= first.size * ONE_LINE).count();
        let (line, after) = rest.split_at_mut(on_line.max(1));
        sort_by(line, |(_, a), (_, b)| a.left.total_cmp(&b.left));
        let pieces = line.iter().map(|(piece, _)| *piece).collect();
        lines.push(Line { base: first.base, size: first.size, pieces });
        rest = after;
    }
    lines
}

/// A line of a cell.
#[derive(Clone, Debug)]
struct CellLine {
    base: f64,
    size: f64,
    left: f64,
    right: f64,
    text: String,
}

impl CellLine {
    fn top(&self) -> f64 {
        self.base + self.size * ONE_LINE
    }

    /// Whether its first word would have found room on the line above in a cell from here to there, which has as much room at its left as at its right.
    fn fits_above(&self, above: &Self, (from, to): (f64, f64)) -> bool {
        let own = (self.right - self.left, self.text.as_str());
        fits_behind(above.right, self.size, own, to - (self.left - from).max(0.0))
    }
}

fn cell_lines(pieces: &[usize], places: &[Placed], texts: &[&str]) -> Vec<CellLine> {
    let said = |Line { base, size, pieces }: Line| {
        let words = pieces.iter().filter_map(|piece| texts.get(*piece)).flat_map(|text| text.split_whitespace());
        let place = |piece: Option<&usize>| piece.and_then(|piece| places.get(*piece));
        let left = place(pieces.first()).map_or(0.0, |place| place.left);
        let right = place(pieces.last()).map_or(0.0, |place| place.right);
        CellLine { base, size, left, right, text: words.collect::<Vec<_>>().join(" ") }
    };
    lines(pieces, places).into_iter().map(said).collect()
}

fn joined(lines: &[CellLine]) -> String {
    let mut cell = String::new();
    lines.iter().for_each(|line| grid::add(&mut cell, &line.text));
    cell
}

/// The cells between lines, of which several are one where no line parts them.
#[derive(Debug)]
struct Cells {
    /// From the left, and from above.
    xs: Vec<f64>,
    ys: Vec<f64>,
    /// For each cell, row by row, the first one of its area.
    areas: Vec<usize>,
}

impl Cells {
    fn of(frame: &Frame) -> Option<Self> {
        let (xs, mut ys) = (edges(&frame.upright, &frame.level), edges(&frame.level, &frame.upright));
        ys.reverse();
        let (columns, rows) = (xs.len().checked_sub(1)?, ys.len().checked_sub(1)?);
        if columns < 2 || rows < 2 || columns > 2 * COLUMNS || rows > ROWS {
            return None;
        }
        let mut areas: Vec<usize> = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            for column in 0..columns {
                let at = areas.len();
                let (x, y) = (middle(&xs, column)?, middle(&ys, row)?);
                let is_parted = |rules: &[Rule], at: f64, over: f64| {
                    rules.iter().any(|rule| (rule.at - at).abs() <= NEAR && rule.is_over(over))
                };
                let left = at.checked_sub(1).filter(|_| {
                    column > 0 && !is_parted(&frame.upright, xs.get(column).copied().unwrap_or_default(), y)
                });
                let above = at
                    .checked_sub(columns)
                    .filter(|_| !is_parted(&frame.level, ys.get(row).copied().unwrap_or_default(), x));
                let area_of = |cell: Option<usize>| cell.and_then(|cell| areas.get(cell)).copied();
                let area = match (area_of(left), area_of(above)) {
                    (Some(left), Some(above)) => {
                        // Two that were told apart meet here.
                        let (one, other) = (left.min(above), left.max(above));
                        areas
                            .iter_mut()
                            .rev()
                            .take(2 * columns)
                            .filter(|area| **area == other)
                            .for_each(|area| *area = one);
                        one
                    }
                    (Some(area), None) | (None, Some(area)) => area,
                    (None, None) => at,
                };
                areas.push(area);
            }
        }
        Some(Self { xs, ys, areas })
    }

    fn columns(&self) -> Vec<(f64, f64)> {
        self.xs.windows(2).filter_map(|pair| Some((*pair.first()?, *pair.get(1)?))).collect()
    }

    fn count(&self) -> usize {
        self.xs.len().saturating_sub(1)
    }

    fn row(&self, row: usize) -> Option<&[usize]> {
        self.areas.get(row * self.count()..(row + 1) * self.count())
    }

    /// The area in whose cells the middle of words stands.
    fn area_of(&self, place: &Placed) -> Option<usize> {
        let (x, y) = (f64::midpoint(place.left, place.right), place.base + place.size * MIDDLE);
        let column = self.xs.windows(2).position(|pair| matches!(pair, [left, right] if *left <= x && x < *right))?;
        let row = self.ys.windows(2).position(|pair| matches!(pair, [top, low] if *low <= y && y < *top))?;
        self.areas.get(row * self.count() + column).copied()
    }

    /// From where to where an area reaches.
    fn width_of(&self, area: usize) -> Option<(f64, f64)> {
        let cells = self.row(area / self.count())?;
        let first = cells.iter().position(|of| *of == area)?;
        let last = cells.iter().rposition(|of| *of == area)?;
        Some((*self.xs.get(first)?, *self.xs.get(last + 1)?))
    }

    /// Whether cells of the first row that says something reach over several columns, and not over all of them.
    fn is_wide_above(&self, lines: &[Vec<CellLine>]) -> bool {
        let rows = self.areas.chunks(self.count());
        let is_said = |area: &usize| lines.get(*area).is_some_and(|lines| !lines.is_empty());
        let mut said = rows.filter(|row| row.iter().filter(|area| is_said(area)).count() > 1);
        said.find(|row| row.iter().any(|area| row.first() != Some(area)))
            .is_some_and(|row| row.iter().any(|area| is_said(area) && row.iter().filter(|of| *of == area).count() > 1))
    }

    /// What the cells say, row by row. What reaches over several cells is said in each, but for what reaches over a whole row.
    fn rows(&self, lines: &[Vec<CellLine>]) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        for (at, areas) in self.areas.chunks(self.count()).enumerate() {
            let is_whole = areas.iter().all(|area| areas.first() == Some(area));
            let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|row| self.row(row));
            let is_own = !beside.flatten().any(|area| areas.contains(area));
            let said = |area: &usize| lines.get(*area).map(Vec::as_slice).unwrap_or_default();
            let cells: Vec<(&[CellLine], (f64, f64))> =
                areas.iter().map(|area| (said(area), self.width_of(*area).unwrap_or_default())).collect();
            let parts = if is_own { parts(&cells, at > 0) } else { Vec::new() };
            if parts.len() > 1 {
                // A name beside several rows is that of all.
                let is_of_all = |column: usize| column == 0 && cells.first().is_some_and(|(lines, _)| lines.len() == 1);
                for (from, below) in parts {
                    let is_in = |line: &&CellLine| line.base < from && line.base >= below;
                    let cell = |(column, area): (usize, &usize)| {
                        let lines = said(area).iter().filter(|line| is_of_all(column) || is_in(line));
                        joined(&lines.cloned().collect::<Vec<_>>())
                    };
                    rows.push(areas.iter().enumerate().map(cell).collect());
                }
                continue;
            }
            let cell = |(column, area): (usize, &usize)| {
                if is_whole && column > 0 { String::new() } else { joined(said(area)) }
            };
            rows.push(areas.iter().enumerate().map(cell).collect());
        }
        rows
    }
}

/// From where to where the rows of a band reach whose cells have several lines that are rows of their own: no line is drawn between them.
fn parts(cells: &[(&[CellLine], (f64, f64))], may_be_words: bool) -> Vec<(f64, f64)> {
    let mut tops = tops_of_figures(cells);
    if tops.is_empty() && may_be_words {
        tops = tops_of_words(cells);
    }
    tops.first_mut().into_iter().for_each(|top| *top = f64::INFINITY);
    let ends = tops.iter().copied().skip(1).chain([f64::NEG_INFINITY]);
    tops.iter().copied().zip(ends).collect()
}

/// Where rows begin beside lines of figures: a figure is not wrapped. Nor is what would have found room on the line above, so that a name without figures
/// is a row, too.
fn tops_of_figures(cells: &[(&[CellLine], (f64, f64))]) -> Vec<f64> {
    let are_figures = |lines: &&[CellLine]| lines.len() > 1 && lines.iter().all(|line| head::is_figure(&line.text));
    let figures = cells.iter().map(|(lines, _)| *lines).filter(are_figures).max_by_key(|lines| lines.len());
    let (Some(figures), Some((names, width))) = (figures, cells.first()) else { return Vec::new() };
    let is_name = |pair: &&[CellLine]| matches!(pair, [above, line] if !line.text.starts_with(char::is_lowercase) && line.fits_above(above, *width));
    let names = names.first().into_iter().chain(names.windows(2).filter(is_name).filter_map(|pair| pair.last()));
    let mut tops: Vec<f64> = figures.iter().chain(names).map(CellLine::top).collect();
    tops.sort_by(|a, b| b.total_cmp(a));
    let size = figures.first().map_or(0.0, |line| line.size);
    tops.dedup_by(|next, last| *last - *next <= size * ONE_LINE);
    tops
}

/// Where rows begin that are beside one name: lines that stand beside each other in all other cells, none of them wrapped.
fn tops_of_words(cells: &[(&[CellLine], (f64, f64))]) -> Vec<f64> {
    let Some(((name, _), others)) = cells.split_first() else { return Vec::new() };
    let Some((first, _)) = others.first() else { return Vec::new() };
    let is_beside = |(own, other): (&CellLine, &CellLine)| (own.base - other.base).abs() <= own.size * ONE_LINE;
    let are_rows = |(lines, width): &(&[CellLine], (f64, f64))| {
        let fits = |pair: &[CellLine]| matches!(pair, [above, line] if line.fits_above(above, *width));
        lines.len() == first.len() && lines.iter().zip(*first).all(is_beside) && lines.windows(2).all(fits)
    };
    let is_named = name.len() == 1 && others.len() > 1 && first.len() > 1;
    if is_named && others.iter().all(are_rows) { first.iter().map(CellLine::top).collect() } else { Vec::new() }
}

fn middle(edges: &[f64], at: usize) -> Option<f64> {
    Some(f64::midpoint(*edges.get(at)?, *edges.get(at + 1)?))
}

/// Where lines stand, and where those that cross them begin and end: a frame may be open at its sides.
fn edges(lines: &[Rule], crossing: &[Rule]) -> Vec<f64> {
    let ends =
        [crossing.iter().map(|rule| rule.from).reduce(f64::min), crossing.iter().map(|rule| rule.to).reduce(f64::max)];
    let mut edges: Vec<f64> = lines.iter().map(|rule| rule.at).chain(ends.into_iter().flatten()).collect();
    edges.sort_by(f64::total_cmp);
    edges.dedup_by(|next, last| *next - *last <= 2.0 * NEAR);
    edges
}
