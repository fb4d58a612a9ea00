//! How much a word says: words that stand on many pages say little.

use std::sync::LazyLock;

use super::tokens::hash;

/// A weight and the stems that have it, per line; made by `hadal-eval common-words`.
const TABLE: &str = include_str!("common.txt");

static COMMON: LazyLock<Vec<(u64, f32)>> = LazyLock::new(|| {
    let rows = TABLE.lines().filter_map(|line| line.split_once(' '));
    let rows = rows.filter_map(|(weight, stems)| Some((weight.parse::<f32>().ok()?, stems)));
    let mut table: Vec<(u64, f32)> =
        rows.flat_map(|(weight, stems)| stems.split(' ').map(move |stem| (hash(stem), weight))).collect();
    table.sort_by_key(|(stem, _)| *stem);
    table
});

/// The weight of a stem that is not in the table.
pub(super) const RARE: f32 = 3.6;

/// How much finding a stem says: the logarithm of how few pages have it.
pub(super) fn weight(stem: u64) -> f32 {
    let at = COMMON.binary_search_by_key(&stem, |(known, _)| *known).ok();
    at.and_then(|at| COMMON.get(at)).map_or(RARE, |(_, weight)| *weight)
}

/// Whether many pages have a stem.
pub(super) fn is_common(stem: u64) -> bool {
    weight(stem) < RARE
}
