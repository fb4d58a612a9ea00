//! How likely it is that a block belongs to the main text: regression trees over the numbers of `features`.
//!
//! `model.txt` is made by `eval/train.py` and holds one tree per line, each part before what is below it: `7<0.5` asks whether
//! number 7 is at most 0.5 and is followed by what holds if so, then by what holds if not; a number alone is the value at the
//! end. `docs/extraction.md` says what it is worth on unseen pages.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::blocks::Block;

const TEXT: &str = include_str!("model.txt");

static TREES: LazyLock<Vec<Tree>> = LazyLock::new(|| TEXT.lines().filter_map(Tree::parse).collect());

#[derive(Debug)]
struct Tree {
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// The number that is looked at.
    number: u16,
    /// Where it goes on if that number is larger; if not, at the next node. 0 at the end of a path.
    larger: u16,
    /// What the number is held against, or the value at the end.
    value: f32,
}

impl Tree {
    /// Nothing if the line is no whole tree.
    fn parse(line: &str) -> Option<Self> {
        let mut nodes: Vec<Node> = Vec::new();
        // The questions whose answer for larger numbers is yet to come.
        let mut open = Vec::new();
        for part in line.split(' ') {
            if let Some((number, value)) = part.split_once('<') {
                open.push(nodes.len());
                nodes.push(Node { number: number.parse().ok()?, larger: 0, value: value.parse().ok()? });
            } else {
                nodes.push(Node { number: 0, larger: 0, value: part.parse().ok()? });
                let next = u16::try_from(nodes.len()).ok()?;
                match open.pop() {
                    Some(question) => nodes.get_mut(question)?.larger = next,
                    // The last end of all.
                    None => open.push(usize::MAX),
                }
            }
        }
        (open == [usize::MAX]).then_some(Self { nodes })
    }

    fn value(&self, row: &[f32]) -> f32 {
        let mut at = 0;
        // Every step leads on, so that a path ends.
        while let Some(node) = self.nodes.get(at) {
            if node.larger == 0 {
                return node.value;
            }
            let number = row.get(usize::from(node.number)).copied().unwrap_or_default();
            at = if number <= node.value { at + 1 } else { usize::from(node.larger) };
        }
        0.0
    }
}

/// The chances are raised to this power before blocks are chosen: what is doubtful is rather left out.
const POWER: f32 = 1.25;

/// The chance of one block, from 0 to 1, leaning to precision.
pub(super) fn chance(row: &[f32]) -> f32 {
    let sum: f32 = TREES.iter().map(|tree| tree.value(row)).sum();
    (1.0 / (1.0 + (-sum).exp())).powf(POWER)
}

/// Words from which on a block that stands there twice is one too many; shorter ones may mean something each time.
const COPY_WORDS: usize = 8;
/// A first copy whose chance is below this, one in twenty raised to the power, is not the one that is read.
const COPY_CHANCE: f32 = 0.024;

/// A text that a page holds twice, as for small screens and for large ones, is taken once. Code is taken as it comes.
pub(super) fn without_copies(blocks: &[Block], chances: &mut [f32]) {
    let mut seen = HashSet::new();
    for (block, chance) in blocks.iter().zip(chances) {
        if block.words < COPY_WORDS || block.code {
            continue;
        }
        if seen.contains(block.text.as_str()) {
            *chance = 0.0;
        } else if *chance > COPY_CHANCE {
            seen.insert(block.text.as_str());
        }
    }
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
        if value > best && chance(*no) > 0.0 {
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
            for (at, node) in tree.nodes.iter().enumerate().filter(|(_, node)| node.larger > 0) {
                assert!((at + 1..tree.nodes.len()).contains(&usize::from(node.larger)), "{node:?}");
            }
        }
    }

    #[test]
    fn a_tree_is_read_in_the_order_of_its_parts() {
        let tree = Tree::parse("1<0.5 0<2 -1 -2 3").unwrap();
        assert_eq!([[0.0, 0.0], [4.0, 0.5], [0.0, 1.0]].map(|row| tree.value(&row)), [-1.0, -2.0, 3.0]);
        assert_eq!(Tree::parse("7").unwrap().value(&[]), 7.0);
        for broken in ["", "1<0.5 1", "1 2", "1<0.5 1 2 3", "x<1 1 2", "1<y 1 2"] {
            assert!(Tree::parse(broken).is_none(), "{broken}");
        }
    }

    #[test]
    fn what_stands_there_twice_is_taken_once() {
        let block = |text: &str, code| {
            let words = text.split(' ').count();
            Block { node: 0, nodes: 0..1, text: text.to_owned(), words, linked: 0, code }
        };
        let long = "the same nine words stand here for small screens";
        let blocks =
            [block(long, false), block("short", false), block(long, true), block("short", false), block(long, false)];
        let mut chances = [0.9; 5];
        without_copies(&blocks, &mut chances);
        assert_eq!(chances, [0.9, 0.9, 0.9, 0.9, 0.0]);
        assert_eq!(select(&[0.9, 0.0], &[10, 1]), [true, false]);
        let mut chances = [0.01, 0.9, 0.9, 0.9, 0.8];
        without_copies(&blocks, &mut chances);
        assert_eq!(chances, [0.01, 0.9, 0.9, 0.9, 0.8], "the copy that is read is the likelier one");
    }

    #[test]
    fn what_is_sure_is_taken_and_what_is_unlikely_is_not() {
        assert_eq!(select(&[0.9, 0.1, 0.8], &[100, 100, 50]), [true, false, true]);
        assert_eq!(select(&[0.3, 0.3], &[10, 10]), [true, true], "a hard page is taken as a whole");
        assert_eq!(select(&[], &[]), Vec::<bool>::new());
    }
}
