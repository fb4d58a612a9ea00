//! HTML: the text of a page as Markdown, and what the page says about itself.
//!
//! The page becomes a bounded tree, the tree becomes blocks, some of them are chosen and written. On a page of the web each
//! block is measured, and a learnt model says how likely it belongs to the main text. A file was chosen by its reader, so that all of
//! it is taken but for what is hidden or only leads elsewhere. None of it recurses, and no foreign code but the tokenizer sees the
//! page, so that the time grows with the page and nothing else.

mod blocks;
mod classes;
mod described;
mod facts;
mod features;
mod furniture;
mod markdown;
mod metadata;
mod model;
mod names;
mod notes;
mod parts;
mod phrases;
mod sums;
mod surroundings;
#[cfg(test)]
mod tests;
mod tree;

use blocks::Block;
use markdown::Written;
pub(super) use metadata::day;
use notes::Notes;
use parts::Shape;
use tree::{Kind, Tree};

use super::{Address, Extracted, Problem};
use crate::core::base::limits;

/// Reads a page. Every page with words gives some text: what the model leaves empty is taken as a whole.
pub(super) fn read(html: &str, address: &Address) -> Extracted {
    let tree = Tree::parse(html);
    let blocks = blocks::blocks(&tree);
    let data = metadata::data(&tree);
    let mut chances: Vec<f32> =
        if blocks.len() > limits::EXTRACT_BLOCKS || tree.text.len() > limits::EXTRACT_MEASURED_BYTES {
            Vec::new()
        } else {
            features::rows(&tree, &blocks, &data).iter().map(|row| model::chance(row)).collect()
        };
    let words: Vec<usize> = blocks.iter().map(|block| block.words).collect();
    model::without_copies(&blocks, &mut chances);
    let mut selected = model::select(&chances, &words);
    with_terms(&tree, &blocks, &mut selected);
    with_rows(&tree, &blocks, &mut selected);
    let mut problems = Vec::new();
    if !selected.contains(&true) && !blocks.is_empty() {
        selected = vec![true; blocks.len()];
        problems.push(Problem::Whole);
    }
    let kept: Vec<&Block> = blocks.iter().zip(&selected).filter(|(_, keep)| **keep).map(|(block, _)| block).collect();
    let base = tree.elements().find(|(_, element)| element.name.text() == "base");
    let address = address.joined(base.and_then(|(_, element)| element.attribute("href")).unwrap_or_default());
    let nodes = kept_nodes(&tree, &kept);
    let shape = Shape { most: limits::EXTRACT_BYTES, raised: false, of_file: false };
    let written = markdown::write(&tree, &nodes, shape, |href| address.resolve(href));
    if written.cut {
        problems.push(Problem::Cut);
    }
    let metadata = metadata::read(&tree, &data);
    let mut text = plain(&tree, &kept);
    let mut markdown = written.markdown;
    if text.len() < limits::EXTRACT_FIELD_BYTES
        && let Some(body) = metadata.body
    {
        text.clone_from(&body);
        markdown = body;
        problems.push(Problem::StructuredOnly);
    }
    Extracted {
        markdown,
        text,
        title: metadata.title,
        author: metadata.author,
        date: metadata.date,
        language: metadata.language,
        canonical: metadata.canonical.and_then(|canonical| address.resolve(&canonical)),
        links: written.links,
        problems,
        ..Extracted::empty(super::Kind::Html)
    }
}

/// A term whose explanation is taken is taken with it: short and full of links as it is, it looks like furniture by itself.
fn with_terms(tree: &Tree, blocks: &[Block], selected: &mut [bool]) {
    let mut terms = vec![false; tree.nodes.len()];
    for (at, _) in tree.elements().filter(|(_, element)| element.name.text() == "dt") {
        let end = tree.nodes.get(at).map_or(at, |node| node.end);
        if let Some(places) = terms.get_mut(at..end) {
            places.fill(true);
        }
    }
    let mut explained = false;
    for (block, selected) in blocks.iter().zip(selected).rev() {
        *selected |= explained && terms.get(block.nodes.start).copied().unwrap_or_default();
        explained = *selected;
    }
}

/// Words of a cell of data; the cells that a page is laid out with hold more.
const CELL_WORDS: usize = 30;

/// A row of data of which half is taken is taken whole: a table with holes says something else.
fn with_rows(tree: &Tree, blocks: &[Block], selected: &mut [bool]) {
    for (at, _) in tree.elements().filter(|(_, element)| element.name.text() == "tr") {
        let end = tree.nodes.get(at).map_or(at, |node| node.end);
        let first = blocks.partition_point(|block| block.nodes.start < at);
        let last = blocks.partition_point(|block| block.nodes.start < end);
        let (Some(row), Some(taken)) = (blocks.get(first..last), selected.get_mut(first..last)) else { continue };
        let is_data = row.iter().all(|block| block.words <= CELL_WORDS);
        if is_data && taken.iter().filter(|taken| **taken).count() * 2 >= taken.len() {
            taken.fill(true);
        }
    }
}

/// All of a page but what is hidden or only leads elsewhere, with its links.
pub(super) fn report(html: &str, address: &Address) -> String {
    let tree = Tree::parse(html);
    let base = tree.elements().find(|(_, element)| element.name.text() == "base");
    let address = address.joined(base.and_then(|(_, element)| element.attribute("href")).unwrap_or_default());
    let most = html.len().max(limits::EXTRACT_BYTES);
    whole(&tree, Shape { most, raised: true, of_file: false }, |href| address.resolve(href)).markdown
}

/// Reads a file: its title, and its Markdown without links, by the lines of the file.
pub(in crate::core::text) fn document(html: &str) -> (Option<String>, Written) {
    let tree = Tree::parse(html);
    let shape = Shape { most: html.len().max(limits::EXTRACT_BYTES), raised: false, of_file: true };
    let written = whole(&tree, shape, |_| None);
    (metadata::read(&tree, &metadata::data(&tree)).title, written)
}

/// What its reader would see of a document.
fn whole(tree: &Tree, shape: Shape, link: impl Fn(&str) -> Option<String>) -> Written {
    let blocks = blocks::blocks(tree);
    let around = furniture::around_document(tree, &blocks);
    let is_inside = |block: &&Block| !around.get(block.nodes.start).copied().unwrap_or_default();
    let mut kept: Vec<&Block> = blocks.iter().filter(is_inside).collect();
    if kept.is_empty() {
        kept = blocks.iter().collect();
    }
    let mut kept = kept_nodes(tree, &kept);
    let notes = if shape.of_file { notes::notes(tree) } else { Notes::default() };
    for note in &notes.places {
        kept.get_mut(note.clone()).into_iter().for_each(|nodes| nodes.fill(false));
    }
    markdown::write_with(tree, &kept, &notes, shape, link)
}

/// Whether a reader would see a word.
pub(in crate::core::text) fn has_words(html: &str) -> bool {
    blocks::blocks(&Tree::parse(html)).iter().any(|block| block.text.contains(char::is_alphanumeric))
}

/// The numbers of each block with its text, for training and looking into.
#[cfg(feature = "eval")]
pub(super) fn measured(html: &str) -> Vec<(String, Vec<f32>)> {
    let tree = Tree::parse(html);
    let blocks = blocks::blocks(&tree);
    let rows = features::rows(&tree, &blocks, &metadata::data(&tree));
    blocks.into_iter().map(|block| block.text).zip(rows).collect()
}

/// All words of a piece of HTML, a line per block.
pub(super) fn words(html: &str) -> String {
    let tree = Tree::parse(html);
    let blocks = blocks::blocks(&tree);
    blocks.into_iter().map(|block| block.text).collect::<Vec<_>>().join("\n")
}

fn kept_nodes(tree: &Tree, kept: &[&Block]) -> Vec<bool> {
    let mut nodes = vec![false; tree.nodes.len()];
    for block in kept {
        if let Some(places) = nodes.get_mut(block.nodes.clone()) {
            places.fill(true);
        }
    }
    nodes
}

/// The words without any marks; code keeps its lines.
fn plain(tree: &Tree, kept: &[&Block]) -> String {
    let mut out = String::new();
    for block in kept {
        if !out.is_empty() {
            out.push_str("\n\n");
        }
        if block.code {
            let lines = block.nodes.clone().filter_map(|at| match &tree.nodes.get(at)?.kind {
                Kind::Text(range) => tree.text.get(range.clone()),
                Kind::Element(_) => None,
            });
            let code: String = lines.collect();
            out.push_str(code.trim_matches('\n').trim_end());
        } else {
            out.push_str(&block.text);
        }
    }
    out
}
