//! What is plainly the furniture of a page, by the names, roles and classes of its elements.

use super::blocks::Block;
use super::classes;
use super::tree::{Element, Tree};
use crate::core::text::outline::Links;

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

/// Which nodes are in what is plainly the furniture of the page, by the names and classes of elements.
pub(super) fn furniture(tree: &Tree, blocks: &[Block], first: &[usize], groups: &[u32], hidden: &[bool]) -> Vec<bool> {
    inside(tree, blocks, first, |at, element| {
        let is_furniture = matches!(element.name.text(), "nav" | "footer" | "aside" | "dialog" | "button")
            || has_role(
                element,
                &["navigation", "contentinfo", "complementary", "banner", "dialog", "search", "alert"],
            )
            || groups.get(at).copied().unwrap_or_default() & FURNITURE_GROUPS != 0
            || hidden.get(at).copied().unwrap_or_default();
        if is_furniture { Standing::Around } else { Standing::Within }
    })
}

/// Which nodes are in what no reader of a document misses: what is hidden, and what says itself that it only leads elsewhere.
pub(super) fn around_document(tree: &Tree, blocks: &[Block]) -> Vec<bool> {
    let first = first_blocks(tree, blocks);
    let contents = contents(tree, blocks, &first);
    inside(tree, blocks, &first, |at, element| {
        let is_around = matches!(element.name.text(), "nav" | "footer" | "dialog" | "button")
            || has_role(element, &["navigation", "contentinfo", "search"])
            || is_hidden(element)
            || contents.binary_search(&at).is_ok();
        match is_around {
            _ if leads_elsewhere(element) => Standing::Beside,
            true => Standing::Around,
            false => Standing::Within,
        }
    })
}

/// The classes that generators of documentation (Asciidoc, DocBook, latex2html, Texinfo, Sphinx) give to what leads to other pages and places, tables of
/// contents among it, and those of menus that are hidden until somebody opens them.
const LEADING_ELSEWHERE: [&str; 7] =
    ["dropdown-menu", "headerlink", "nav-panel", "navfooter", "navheader", "navigation", "toc"];

fn leads_elsewhere(element: &Element) -> bool {
    let class = element.attribute("class").unwrap_or_default();
    let is_named = |class: &str| LEADING_ELSEWHERE.contains(&class.to_ascii_lowercase().as_str());
    // The class of a whole page says how it is laid out.
    let is_page = matches!(element.name.text(), "html" | "body");
    !is_page && (element.attribute("id") == Some("toc") || class.split_ascii_whitespace().any(is_named))
}

/// The lists and tables that only name what stands elsewhere.
fn contents(tree: &Tree, blocks: &[Block], first: &[usize]) -> Vec<usize> {
    let (mut links, mut away) = (vec![0; tree.nodes.len() + 1], vec![0; tree.nodes.len() + 1]);
    for at in 0..tree.nodes.len() {
        let href = tree.element(at).filter(|element| element.name.text() == "a").and_then(|a| a.attribute("href"));
        let counts = [(&mut links, href.is_some()), (&mut away, href.is_some_and(|href| !href.contains('#')))];
        for (sums, counted) in counts {
            if let [.., sum, next] = sums.get_mut(..at + 2).unwrap_or_default() {
                *next = *sum + usize::from(counted);
            }
        }
    }
    let mut beside = vec![(0, 0)];
    for block in blocks {
        let (words, linked) = beside.last().copied().unwrap_or_default();
        beside.push((words + block.words, linked + block.linked));
    }
    let is_contents = |at: usize, end: usize| {
        let sum = |sums: &[usize]| Some(sums.get(end)? - sums.get(at)?);
        let place = |at: usize| beside.get(first.get(at).copied().unwrap_or(blocks.len())).copied().unwrap_or_default();
        let ((words, linked), (to_words, to_linked)) = (place(at), place(end));
        let (links, away) = (sum(&links).unwrap_or_default(), sum(&away).unwrap_or_default());
        Links { inward: links.saturating_sub(away), away, linked: to_linked - linked, text: to_words - words }
            .are_contents()
    };
    // A picture in a cell may be what it says.
    let pictures: Vec<usize> =
        tree.elements().filter(|(_, element)| element.name.text() == "img").map(|(at, _)| at).collect();
    let has_picture = |at: usize, end: usize| {
        pictures.get(pictures.partition_point(|picture| *picture < at)).is_some_and(|picture| *picture < end)
    };
    let named = tree.elements().filter_map(|(at, element)| Some((at, tree.nodes.get(at)?.end, element.name.text())));
    let ends = named.filter(|(at, end, name)| match *name {
        "ul" | "ol" | "dl" => true,
        "table" => !has_picture(*at, *end),
        // A row that is one cell is none of data: a page is laid out with it.
        "tr" => !has_picture(*at, *end) && is_one_cell(tree, *at),
        _ => false,
    });
    let ends = ends.map(|(at, end, _)| (at, end));
    ends.filter(|(at, end)| is_contents(*at, *end)).map(|(at, _)| at).collect()
}

/// Elements of a row in which its second cell is looked for.
const ROW_ELEMENTS: usize = 256;

fn is_one_cell(tree: &Tree, row: usize) -> bool {
    let mut cells =
        tree.below(row).take(ROW_ELEMENTS).filter(|(_, element)| matches!(element.name.text(), "td" | "th"));
    cells.next().is_some() && cells.next().is_none()
}

/// The first block at or below each node: blocks and nodes are both in document order.
pub(super) fn first_blocks(tree: &Tree, blocks: &[Block]) -> Vec<usize> {
    let mut first = vec![blocks.len(); tree.nodes.len() + 1];
    let mut no = blocks.len();
    for at in (0..tree.nodes.len()).rev() {
        while no > 0 && blocks.get(no - 1).is_some_and(|block| block.nodes.start >= at) {
            no -= 1;
        }
        if let Some(place) = first.get_mut(at) {
            *place = no;
        }
    }
    first
}

/// What an element is to the text of its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Within,
    /// It is no part of it, unless it holds half of the page.
    Around,
    /// It is no part of it, unless it holds all of the page.
    Beside,
}

/// Which nodes are in elements that are no part of the text.
fn inside(tree: &Tree, blocks: &[Block], first: &[usize], standing: impl Fn(usize, &Element) -> Standing) -> Vec<bool> {
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
        let own = tree.element(at).is_some_and(|element| match standing(at, element) {
            Standing::Within => false,
            Standing::Around => words(at, node.end) * 2 < all,
            Standing::Beside => words(at, node.end) < all,
        });
        if let Some(place) = found.get_mut(at) {
            *place = above || own;
        }
    }
    found
}

fn has_role(element: &Element, roles: &[&str]) -> bool {
    element.attribute("role").is_some_and(|role| roles.contains(&role))
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
