//! Small parts of the writer of Markdown: tables and code.

use super::tree::{Element, Kind, Tree};
use crate::core::text::lines::LineMap;

/// How much is written, and what of it is marked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Bytes, or a little more.
    pub(super) most: usize,
    /// Whether raised digits are told from others: a report may cite with them.
    pub(super) raised: bool,
    /// Whether code in the middle of a sentence is marked as such.
    pub(super) marks_code: bool,
}

/// Tables that hold tables lay out the page and are no tables.
pub(super) fn nested_tables(tree: &Tree) -> Vec<usize> {
    let is_table = |at: usize| tree.element(at).is_some_and(|element| element.name.text() == "table");
    let mut found = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (at, node) in tree.nodes.iter().enumerate().skip(1) {
        while open.last().is_some_and(|table| tree.nodes.get(*table).is_none_or(|table| table.end <= at)) {
            open.pop();
        }
        if is_table(at) {
            found.extend(open.last().copied());
            open.push(at);
        } else if let Kind::Element(element) = &node.kind
            && matches!(element.name.text(), "ul" | "ol" | "pre" | "form")
        {
            // Lists and code do not fit into a line of a table.
            found.extend(open.last().copied());
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Text that is written later, and the lines of the file it stands in: code, a cell of a table.
#[derive(Debug, Default)]
pub(super) struct Held {
    pub(super) text: String,
    pub(super) lines: LineMap,
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

pub(super) fn longest_run(text: &str, wanted: char) -> usize {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == wanted { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}
