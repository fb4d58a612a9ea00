//! What stands around a block: the elements that hold it, and the elements of the same make beside them.
//!
//! Cards, rows of results and teasers come several times side by side; the paragraphs of a text hang together below one element.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::blocks::Block;
use super::facts::{log, share};
use super::sums::Sums;
use super::tree::{Element, Kind, Tree};

/// How many numbers [`Surroundings::of_node`] gives.
pub(super) const COUNT: usize = 2 * UNIT + LEVELS.len() * LEVEL;

const UNIT: usize = 7;
const LEVEL: usize = 6;
/// The elements above a block that are measured, by how many levels they are above it.
const LEVELS: [usize; 4] = [2, 4, 6, 9];
/// Elements of the same make beside one another, from which on they are a series.
const SERIES: u32 = 3;
/// The level of a series where there is none.
const NO_UNIT: f32 = 60.0;
/// The series of a node without words.
const NONE: usize = usize::MAX;
/// How far up is looked.
const MOST_LEVELS: usize = 60;
const MOST_PER_BLOCK: f32 = 3.0;

/// Elements of one make that stand beside one another.
#[derive(Clone, Copy, Debug, Default)]
struct Series {
    members: u32,
    counts: Sums,
}

/// A page, summed up.
pub(super) struct Surroundings<'t> {
    tree: &'t Tree,
    /// What stands before each node.
    before: Vec<Sums>,
    series: Vec<Series>,
    /// Which series each node is of.
    places: Vec<usize>,
}

impl<'t> Surroundings<'t> {
    pub(super) fn of(tree: &'t Tree, blocks: &[Block]) -> Self {
        let mut before = Vec::with_capacity(tree.nodes.len() + 1);
        let mut sum = Sums::default();
        let mut blocks = blocks.iter().peekable();
        for (at, node) in tree.nodes.iter().enumerate() {
            before.push(sum);
            if let Kind::Element(element) = &node.kind {
                sum.count(element);
            }
            while let Some(block) = blocks.next_if(|block| block.nodes.start <= at) {
                sum = sum.plus(Sums::of(block, false));
            }
        }
        before.push(sum);
        let mut found = Self { tree, before, series: Vec::new(), places: vec![NONE; tree.nodes.len()] };
        // By the element that they stand in, and their make.
        let mut known: HashMap<(usize, u64), usize> = HashMap::new();
        for (at, element) in tree.elements() {
            let counts = found.counts(at);
            if counts.words > 0.0 {
                let parent = tree.nodes.get(at).map_or(0, |node| node.parent);
                let place = *known.entry((parent, make(element))).or_insert(found.series.len());
                if place == found.series.len() {
                    found.series.push(Series::default());
                }
                if let (Some(one), Some(its)) = (found.series.get_mut(place), found.places.get_mut(at)) {
                    one.members += 1;
                    one.counts = one.counts.plus(counts);
                    *its = place;
                }
            }
        }
        found
    }

    fn counts(&self, at: usize) -> Sums {
        let end = self.tree.nodes.get(at).map_or(at, |node| node.end);
        let place = |at: usize| self.before.get(at).copied().unwrap_or_default();
        place(end).minus(place(at))
    }

    fn series(&self, at: usize) -> Option<Series> {
        let place = self.places.get(at)?;
        self.series.get(*place).copied().filter(|series| series.members >= SERIES)
    }

    /// The numbers of the block that begins at this node.
    pub(super) fn of_node(&self, at: usize) -> [f32; COUNT] {
        let mut numbers = [0.0; COUNT];
        let (units, levels) = numbers.split_at_mut(2 * UNIT);
        self.units(at, units);
        let mut holders = self.tree.above(at).map(|(at, _)| at);
        let (mut level, mut holder) = (0, at);
        for (place, wanted) in levels.chunks_mut(LEVEL).zip(LEVELS) {
            while level < wanted {
                level += 1;
                holder = holders.next().unwrap_or(holder);
            }
            let counts = self.counts(holder);
            place.copy_from_slice(&[
                log(counts.words),
                share(counts.linked, counts.words),
                share(counts.long, counts.words),
                share(counts.pictures, counts.blocks).min(MOST_PER_BLOCK),
                share(counts.controls, counts.blocks).min(MOST_PER_BLOCK),
                share(counts.paragraphs, counts.blocks).min(MOST_PER_BLOCK),
            ]);
        }
        numbers
    }

    /// The nearest and the outermost series that the node is in.
    fn units(&self, at: usize, units: &mut [f32]) {
        let all = self.before.last().copied().unwrap_or_default();
        let (nearest, outermost) = units.split_at_mut(UNIT);
        nearest[0] = NO_UNIT;
        outermost[0] = NO_UNIT;
        let mut found = false;
        for (level, (above, element)) in self.tree.above(at).enumerate().take(MOST_LEVELS) {
            if matches!(element.name.text(), "p" | "span" | "a" | "b" | "strong" | "em" | "i" | "br" | "code") {
                continue;
            }
            let Some(Series { members, counts }) = self.series(above) else { continue };
            let members = members as f32;
            outermost.copy_from_slice(&[
                level as f32,
                log(members),
                log(counts.words / members),
                share(counts.linked, counts.words),
                share(counts.words, all.words),
                share(counts.pictures, members).min(MOST_PER_BLOCK),
                share(counts.headings, members).min(MOST_PER_BLOCK),
            ]);
            if !found {
                nearest.copy_from_slice(outermost);
                found = true;
            }
        }
    }
}

/// The same name and classes.
fn make(element: &Element) -> u64 {
    let mut hasher = DefaultHasher::new();
    element.name.text().hash(&mut hasher);
    element.attribute("class").unwrap_or_default().hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::text::page::html::blocks;

    #[test]
    fn cards_are_a_series_and_paragraphs_are_none() {
        let card = r#"<div class="card"><img><h3>Title</h3><p>two words</p></div>"#;
        let tree =
            Tree::parse(&format!("<main><p>One.</p><p>Two.</p><p>Three.</p></main><div>{}</div>", card.repeat(4)));
        let blocks = blocks::blocks(&tree);
        let around = Surroundings::of(&tree, &blocks);
        let of = |text: &str| {
            let block = blocks.iter().find(|block| block.text == text).unwrap();
            around.of_node(block.nodes.start)
        };
        assert_eq!(of("Two.")[0], NO_UNIT);
        let [level, members, words, _, part, pictures, headings, ..] = of("two words");
        assert_eq!((level, members, words), (1.0, 5.0_f32.ln(), 4.0_f32.ln()));
        assert_eq!((part, pictures, headings), (12.0 / 15.0, 1.0, 1.0));
        assert_eq!(of("two words")[..UNIT], of("two words")[UNIT..2 * UNIT], "there is one series around it");
    }
}
