//! Names of columns on several lines above rows: no line of theirs needs to be that of another column, so that they are no rows themselves.

use super::grid::{self, GOES_ON, Grid};
use super::ruled::lines;
use super::{Placed, head};

/// In parts of the size of letters: how far above the rows the last line of a name stands at most, and how far beside its column a name may stand.
const ABOVE: f64 = 3.2;
const BESIDE: f64 = 2.0;
const SIZES: f64 = 1.3;
/// Words that stand together in a head, at most, for each column.
const LINES: usize = 4;

/// The same rows below the names that stand right above them, where all columns have some; `from` is the first word that is in no other table.
pub(super) fn with_names(grid: &Grid, from: usize, places: &[Placed], texts: &[&str]) -> Option<Grid> {
    let first = grid.pieces.start;
    let top = places.get(grid.pieces.clone())?.iter().map(|place| place.base).fold(f64::NEG_INFINITY, f64::max);
    let most = LINES * grid.columns.len();
    let is_near = |place: &Placed| {
        place.is_level
            && place.size <= grid.size * SIZES
            && grid.size <= place.size * SIZES
            && place.base > top
            && place.base - top <= grid.size * (ABOVE + GOES_ON * LINES as f64)
            && column_of(place, grid).is_some()
    };
    let before = places.get(from..first)?.iter().rev().take(most + 1);
    let count = before.take_while(|place| is_near(place)).count();
    let pieces: Vec<usize> = (first - count..first).collect();
    let lines = lines(&pieces, places);
    // From below, as far as each line goes on with the one below it.
    let (mut low, mut gap, mut taken) = (top, ABOVE, 0);
    for line in lines.iter().rev() {
        if line.base - low > line.size * gap {
            break;
        }
        (low, gap, taken) = (line.base, GOES_ON, taken + 1);
    }
    let own = lines.get(lines.len() - taken..)?;
    let begin = own.iter().flat_map(|line| &line.pieces).min().copied()?;
    // What is above the names comes before them.
    let is_whole = own.iter().map(|line| line.pieces.len()).sum::<usize>() == first - begin;
    // What stands alone above the first cells may be the name of a group, or the beginning of the first one.
    let is_of_first = |piece: &usize| places.get(*piece).is_some_and(|place| column_of(place, grid) == Some(0));
    let is_first_alone = own.last().is_some_and(|line| line.pieces.iter().all(is_of_first));
    if !(2..=LINES).contains(&taken) || !is_whole || is_first_alone {
        return None;
    }
    let mut names = vec![String::new(); grid.columns.len()];
    for piece in own.iter().flat_map(|line| &line.pieces) {
        let column = column_of(places.get(*piece)?, grid)?;
        grid::add(names.get_mut(column)?, texts.get(*piece)?);
    }
    let mut named = grid.clone();
    named.rows.insert(0, names);
    named.pieces.start = begin;
    (head::rows(&named.rows) == Some(1)).then_some(named)
}

/// The one column that words stand above, or beside if they stand above none.
fn column_of(place: &Placed, grid: &Grid) -> Option<usize> {
    let away = |(left, right): &(f64, f64)| (left - place.right).max(place.left - right).max(0.0);
    let mut near = grid.columns.iter().enumerate().filter(|(_, column)| away(column) == 0.0);
    match (near.next(), near.next()) {
        (Some((at, _)), None) => Some(at),
        (Some(_), Some(_)) => None,
        (None, _) => {
            let nearest = grid.columns.iter().enumerate().min_by(|(_, a), (_, b)| away(a).total_cmp(&away(b)));
            nearest.filter(|(_, column)| away(column) <= place.size * BESIDE).map(|(at, _)| at)
        }
    }
}
