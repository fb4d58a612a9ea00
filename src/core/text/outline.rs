//! A document as a flat list of headings and blocks, in the order of its text.

use std::ops::Range;

/// A heading, or a block of text below the last heading.
#[derive(Debug)]
pub(super) enum Item {
    Heading {
        /// 1 is the outermost.
        level: u8,
        text: String,
        /// Where the heading itself stands.
        span: Range<usize>,
    },
    Block(Block),
}

impl Item {
    pub(super) fn heading(&self) -> Option<&str> {
        match self {
            Self::Heading { text, .. } if !text.is_empty() => Some(text),
            Self::Heading { .. } | Self::Block(_) => None,
        }
    }
}

/// A paragraph, list, table, code block, quotation.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) span: Range<usize>,
    pub(super) shape: CutAt,
    /// Where it is best cut when it is too long (list items, table rows), ascending.
    pub(super) cuts: Vec<usize>,
}

/// How a block that is too long is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CutAt {
    /// At sentence ends first.
    Prose,
    /// At line ends first: code, tables, lists.
    Lines,
}
