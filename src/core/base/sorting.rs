//! Sorting what is short. A sort of the standard library is compiled anew for each type and each way to compare, 5 KB of the program every time; these
//! are compiled once, and take about twice as long. They are stable, too.

use std::cmp::Ordering;

/// Sorts by what a key tells.
pub(crate) fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Sorts by a comparison.
pub(crate) fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut order = sorted(items.len(), &|a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    // What belongs to each place is brought there from where it stands; what stood there goes where that was.
    for start in 0..items.len() {
        let mut place = start;
        while let Some(from) =
            order.get_mut(place).map(|from| std::mem::replace(from, place)).filter(|from| *from != start)
        {
            items.swap(place, from);
            place = from;
        }
    }
}

/// The places of so many items in their order.
fn sorted(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_sorted_as_the_standard_library_does() {
        let mut seed = 7_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed >> 33
        };
        for count in (0..40).chain([1_000]) {
            let items: Vec<(u64, String)> = (0..count).map(|at| (next() % 9, format!("{at}"))).collect();
            let (mut own, mut known) = (items.clone(), items.clone());
            sort_by_key(&mut own, |(key, _)| *key);
            known.sort_by_key(|(key, _)| *key);
            assert_eq!(own, known, "{items:?}");
            sort_by(&mut own, |(_, a), (_, b)| b.cmp(a));
            known.sort_by(|(_, a), (_, b)| b.cmp(a));
            assert_eq!(own, known, "{items:?}");
        }
    }
}
