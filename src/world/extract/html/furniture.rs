//! What is plainly the furniture of a page, by the names, roles and classes of its elements.

use super::blocks::Block;
use super::classes;
use super::tree::{Element, Tree};

/// The groups of classes that each node belongs to, as bits.
pub(super) fn groups(tree: &Tree) -> Vec<u32> {
    let class = |element: &Element| {
        ["class", "id", "role"].iter().filter_map(|name| element.attribute(name)).collect::<Vec<_>>().join(" ")
    };
    (0..tree.nodes.len()).map(|at| tree.element(at).map_or(0, |element| classes::groups(&class(element)))).collect()
}

/// Which nodes are hidden themselves.
pub(super) fn hidden(tree: &Tree) -> Vec<bool> {
    (0..tree.nodes.len()).map(|at| tree.element(at).is_some_and(is_hidden)).collect()
}

/// Which nodes are in what is plainly the furniture of the page, by the names and classes of elements. An element that
/// holds half of the page is not, whatever it is called.
pub(super) fn furniture(tree: &Tree, blocks: &[Block], first: &[usize], groups: &[u32], hidden: &[bool]) -> Vec<bool> {
    let mut before = vec![0];
    for block in blocks {
        before.push(before.last().copied().unwrap_or_default() + block.words);
    }
    let all = before.last().copied().unwrap_or_default();
    let words = |from: usize, to: usize| {
        let place = |at: usize| first.get(at).and_then(|no| before.get(*no)).copied().unwrap_or(all);
        place(to) - place(from)
    };
    let mut found = vec![false; tree.nodes.len()];
    for (at, node) in tree.nodes.iter().enumerate().skip(1) {
        let above = found.get(node.parent).copied().unwrap_or_default();
        let own = tree.element(at).is_some_and(|element| {
            let named = matches!(element.name.text(), "nav" | "footer" | "aside" | "dialog" | "button")
                || element.attribute("role").is_some_and(|role| {
                    matches!(
                        role,
                        "navigation" | "contentinfo" | "complementary" | "banner" | "dialog" | "search" | "alert"
                    )
                });
            let classed = groups.get(at).copied().unwrap_or_default() & FURNITURE_GROUPS != 0;
            let is_hidden = hidden.get(at).copied().unwrap_or_default();
            (named || classed || is_hidden) && words(at, node.end) * 2 < all
        });
        if let Some(place) = found.get_mut(at) {
            *place = above || own;
        }
    }
    found
}

/// Navigation, footer, sidebar, sharing, related, advertisement, consent, newsletter and pagination.
const FURNITURE_GROUPS: u32 = 0b111_1101_1011;

fn is_hidden(element: &Element) -> bool {
    let style = element.attribute("style").unwrap_or_default();
    let style: String = style.chars().filter(|c| !c.is_whitespace()).collect();
    element.attribute("hidden").is_some()
        || element.attribute("aria-hidden") == Some("true")
        || style.contains("display:none")
        || style.contains("visibility:hidden")
}
