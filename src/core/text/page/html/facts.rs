//! What is measured of a page as a whole: what kind of page it is shows in what it is made of.

use super::blocks::Block;
use super::described::{Described, KINDS};
use super::tree::Tree;

/// Elements that are counted.
const COUNTED: [&str; 7] = ["article", "time", "form", "p", "img", "h1", "pre"];
/// Elements whose part of the words is measured.
const HOLDERS: [&str; 4] = ["p", "li", "td", "div"];
/// Groups of classes whose elements are counted: comments, products, forums, lists, shops and reviews.
const GROUPS: [u32; 6] = [5, 14, 15, 17, 18, 20];
/// A longer block is no price.
const PRICE_BYTES: usize = 60;

pub(super) const COUNT: usize = KINDS + 2 + COUNTED.len() + HOLDERS.len() + 1 + GROUPS.len();

/// The numbers of a page.
pub(super) fn of(tree: &Tree, blocks: &[Block], groups: &[u32], described: &Described) -> Vec<f32> {
    let mut counted = [0.0; COUNTED.len()];
    for (_, element) in tree.elements() {
        if let Some(no) = COUNTED.iter().position(|name| *name == element.name.text()) {
            counted[no] += 1.0;
        }
    }
    let (mut held, mut words, mut prices) = ([0.0; HOLDERS.len()], 0.0, 0.0);
    for block in blocks {
        words += block.words as f32;
        let name = tree.element(block.node).map_or("", |element| element.name.text());
        if let Some(no) = HOLDERS.iter().position(|holder| *holder == name) {
            held[no] += block.words as f32;
        }
        prices += f32::from(block.text.len() < PRICE_BYTES && block.text.contains(['$', '€', '£', '¥', '₹']));
    }
    let grouped = GROUPS.map(|group| groups.iter().filter(|bits| **bits & (1 << group) != 0).count() as f32);
    let mut numbers = Vec::with_capacity(COUNT);
    numbers.extend(described.kinds);
    numbers.extend([log(words), log(blocks.len() as f32)]);
    numbers.extend(counted.map(log));
    numbers.extend(held.map(|held| share(held, words)));
    numbers.push(share(prices, blocks.len() as f32));
    numbers.extend(grouped.map(log));
    numbers
}

pub(super) fn share(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

pub(super) fn log(value: f32) -> f32 {
    (1.0 + value.max(0.0)).ln()
}
