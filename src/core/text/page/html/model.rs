//! How likely it is that a block belongs to the main text: regression trees over the numbers of `features`.
//!
//! `model.txt` is made by `eval/train.py` and holds one tree per line: for each inner node the number it looks at, the
//! threshold, and where to go; then the values of the leaves. `docs/extraction.md` says what it is worth on unseen pages.

use std::sync::LazyLock;

const TEXT: &str = include_str!("model.txt");

static TREES: LazyLock<Vec<Tree>> = LazyLock::new(|| TEXT.lines().filter_map(Tree::parse).collect());

#[derive(Debug)]
struct Tree {
    nodes: Vec<Inner>,
    leaves: Vec<f32>,
}

#[derive(Debug)]
struct Inner {
    number: usize,
    threshold: f32,
    /// A node, or a leaf as the complement of its place.
    left: i32,
    right: i32,
}

impl Tree {
    fn parse(line: &str) -> Option<Self> {
        let mut parts = line.split('|');
        let numbers: Vec<usize> = read(parts.next()?)?;
        let thresholds: Vec<f32> = read(parts.next()?)?;
        let lefts: Vec<i32> = read(parts.next()?)?;
        let rights: Vec<i32> = read(parts.next()?)?;
        let leaves = read(parts.next()?)?;
        let sides = lefts.into_iter().zip(rights);
        let nodes = numbers.into_iter().zip(thresholds).zip(sides);
        let node = |((number, threshold), (left, right))| Inner { number, threshold, left, right };
        Some(Self { nodes: nodes.map(node).collect(), leaves })
    }

    fn value(&self, row: &[f32]) -> f32 {
        let mut at = 0;
        // A path is never longer than there are nodes, so that not even a broken file can make a loop.
        for _ in 0..self.nodes.len() {
            let Some(node) = usize::try_from(at).ok().and_then(|at| self.nodes.get(at)) else { break };
            let value = row.get(node.number).copied().unwrap_or_default();
            at = if value <= node.threshold { node.left } else { node.right };
        }
        usize::try_from(!at).ok().and_then(|leaf| self.leaves.get(leaf)).copied().unwrap_or_default()
    }
}

fn read<T: std::str::FromStr>(list: &str) -> Option<Vec<T>> {
    list.split(' ').map(|item| item.parse().ok()).collect()
}

/// The chance of one block, from 0 to 1.
pub(super) fn chance(row: &[f32]) -> f32 {
    let sum: f32 = TREES.iter().map(|tree| tree.value(row)).sum();
    1.0 / (1.0 + (-sum).exp())
}

/// The blocks with the highest expected word F1: those of highest chance, as many as are worth taking. For a page that
/// is hard to tell apart this takes more, which is what a reader of the text wants, too.
pub(super) fn select(chances: &[f32], words: &[usize]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    let chance = |no: usize| chances.get(no).copied().unwrap_or_default();
    let length = |no: usize| words.get(no).copied().unwrap_or_default() as f32;
    order.sort_by(|a, b| chance(*b).total_cmp(&chance(*a)).then(a.cmp(b)));
    let expected: f32 = order.iter().map(|no| chance(*no) * length(*no)).sum();
    let (mut right, mut size, mut best, mut taken) = (0.0, 0.0, 0.0, 0);
    for (place, no) in order.iter().enumerate() {
        right += chance(*no) * length(*no);
        size += length(*no);
        let value = 2.0 * right / (size + expected).max(f32::MIN_POSITIVE);
        if value > best {
            best = value;
            taken = place + 1;
        }
    }
    let mut selected = vec![false; chances.len()];
    for no in order.into_iter().take(taken) {
        if let Some(place) = selected.get_mut(no) {
            *place = true;
        }
    }
    selected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tree_of_the_file_is_whole() {
        assert_eq!(TREES.len(), TEXT.lines().count());
        assert!(TREES.len() >= 50);
        for tree in TREES.iter() {
            assert_eq!(tree.leaves.len(), tree.nodes.len() + 1);
            for node in &tree.nodes {
                for side in [node.left, node.right] {
                    let (place, most) = if side >= 0 { (side, tree.nodes.len()) } else { (!side, tree.leaves.len()) };
                    assert!(usize::try_from(place).unwrap() < most, "{node:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_sure_is_taken_and_what_is_unlikely_is_not() {
        assert_eq!(select(&[0.9, 0.1, 0.8], &[100, 100, 50]), [true, false, true]);
        assert_eq!(select(&[0.3, 0.3], &[10, 10]), [true, true], "a hard page is taken as a whole");
        assert_eq!(select(&[], &[]), Vec::<bool>::new());
    }
}
