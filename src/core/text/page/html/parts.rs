//! Small parts of the writer of Markdown: tables and code.

use super::tree::{Element, Kind, Node, Tree};
use crate::core::text::lines::{LineMap, NotePlace};

/// How much is written, and what of it is marked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Bytes, or a little more.
    pub(super) most: usize,
    /// Whether raised digits are told from others: a report may cite with them.
    pub(super) raised: bool,
    /// Whether it is a file that its reader chose: code, raised, lowered and struck text in the middle of a sentence is marked as such.
    pub(super) of_file: bool,
}

/// A list in a cell of data is no longer, in nodes of the page and in bytes of text.
const CELL_LIST_NODES: usize = 64;
const CELL_LIST_BYTES: usize = 300;

/// The same for a table in a cell.
const CELL_TABLE_NODES: usize = 400;
const CELL_TABLE_BYTES: usize = 600;

/// A table whose end has not come yet.
#[derive(Debug, Default)]
struct OpenTable {
    at: usize,
    rows: usize,
    cells: usize,
    has_short_list: bool,
    /// How many of its rows have a small table in a cell, and the last of them.
    rows_with_tables: usize,
    last_with_table: usize,
}

impl OpenTable {
    /// A list that stands in one row or one column is better shown as a list, and a table whose rows mostly hold tables lays them out.
    fn is_layout(&self) -> bool {
        let is_list = self.has_short_list && (self.rows < 2 || self.cells < 2 * self.rows);
        let has_tables = self.rows_with_tables > 0;
        let is_of_data = self.rows > 2 * self.rows_with_tables && self.rows > 2 && self.cells >= 2 * self.rows;
        is_list || has_tables && !is_of_data
    }

    fn has_small_table(&mut self) {
        if self.last_with_table != self.rows {
            self.last_with_table = self.rows;
            self.rows_with_tables += 1;
        }
    }
}

/// Nodes of a quotation that are looked at.
const QUOTED_NODES: usize = 64;

/// Whether a quotation of a documentation is none: code, tables and terms are set in such only to be indented.
pub(super) fn is_indented(tree: &Tree, at: usize, end: usize) -> bool {
    let is_set_in = |node: &Node| match &node.kind {
        Kind::Element(element) => matches!(element.name.text(), "pre" | "table" | "dl"),
        Kind::Text(_) => false,
    };
    tree.nodes.get(at..end).unwrap_or_default().iter().take(QUOTED_NODES).any(is_set_in)
}

/// Tables that hold tables, forms, code or lists lay out the page and are no tables. In a file a short list is a part of its cell, and so is a
/// small table where most rows have none.
pub(super) fn nested_tables(tree: &Tree, of_file: bool) -> Vec<usize> {
    let mut found = Vec::new();
    let mut open: Vec<OpenTable> = Vec::new();
    for (at, node) in tree.nodes.iter().enumerate().skip(1) {
        while let Some(table) = open.pop_if(|table| tree.nodes.get(table.at).is_none_or(|table| table.end <= at)) {
            found.extend(table.is_layout().then_some(table.at));
        }
        let Kind::Element(element) = &node.kind else { continue };
        let inner = open.last_mut();
        match element.name.text() {
            "table" => {
                match inner {
                    Some(table) if of_file && is_small_table(tree, at, node.end) => table.has_small_table(),
                    Some(table) => found.push(table.at),
                    None => {}
                }
                open.push(OpenTable { at, ..OpenTable::default() });
            }
            "tr" => inner.into_iter().for_each(|table| table.rows += 1),
            "td" | "th" => inner.into_iter().for_each(|table| table.cells += 1),
            "ul" | "ol" if of_file && is_short_list(tree, at, node.end) => {
                inner.into_iter().for_each(|table| table.has_short_list = true);
            }
            // Lists and code do not fit into a line of a table.
            "ul" | "ol" | "pre" | "form" => found.extend(inner.map(|table| table.at)),
            _ => {}
        }
    }
    found.extend(open.iter().filter(|table| table.is_layout()).map(|table| table.at));
    found.sort_unstable();
    found.dedup();
    found
}

/// A list of a few words, without another one inside.
fn is_short_list(tree: &Tree, at: usize, end: usize) -> bool {
    end.saturating_sub(at) <= CELL_LIST_NODES
        && tree.text_of(at, CELL_LIST_BYTES).len() < CELL_LIST_BYTES
        && !tree.below(at).any(|(_, inner)| matches!(inner.name.text(), "ul" | "ol"))
}

/// A table that a cell has room for.
fn is_small_table(tree: &Tree, at: usize, end: usize) -> bool {
    end.saturating_sub(at) <= CELL_TABLE_NODES && tree.text_of(at, CELL_TABLE_BYTES).len() < CELL_TABLE_BYTES
}

/// Text that is written later, and the lines of the file it stands in: code, a cell of a table.
#[derive(Debug, Default)]
pub(super) struct Held {
    pub(super) text: String,
    pub(super) lines: LineMap,
    /// The notes that are written in it.
    pub(super) notes: Vec<NotePlace>,
}

impl Held {
    pub(super) fn push(&mut self, c: char, line: u32) {
        self.lines.mark(self.text.len(), line);
        self.text.push(c);
    }
}

/// What `class="language-rust"` and its relatives say.
pub(super) fn language(element: &Element) -> Option<String> {
    let named = element.attribute("data-lang").or_else(|| element.attribute("data-language"));
    let classed = || {
        let class = element.attribute("class")?;
        class.split_whitespace().find_map(|word| {
            ["language-", "lang-", "highlight-source-", "brush:"].iter().find_map(|lead| word.strip_prefix(lead))
        })
    };
    let language = named.or_else(classed)?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '-' | '_' | '.');
    (!language.is_empty() && language.len() < 24 && language.chars().all(is_plain)).then(|| language.to_lowercase())
}
