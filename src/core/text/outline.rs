//! A document as a flat list of headings and blocks, in the order of its text.

use std::ops::Range;

use super::format::TitleHeading;

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

/// The heading that is the title.
pub(super) fn title(items: &[Item], heading: TitleHeading) -> Option<String> {
    let mut headings = items.iter().filter_map(|item| match item {
        Item::Heading { level, text, .. } if !text.is_empty() => Some((level, text)),
        Item::Heading { .. } | Item::Block(_) => None,
    });
    let (top, first) = headings.next()?;
    let is_title = match heading {
        TitleHeading::None => false,
        TitleHeading::First => true,
        TitleHeading::AboveAll => headings.all(|(level, text)| level > top || text == first),
    };
    is_title.then(|| first.clone())
}

/// A paragraph, list, table, code block, quotation.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) span: Range<usize>,
    pub(super) shape: CutAt,
    /// Where it is best cut when it is too long (list items, table rows), ascending.
    pub(super) cuts: Vec<usize>,
}

/// The links of a list, and how much of its text is in them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Links {
    /// To places in pages.
    pub(super) inward: usize,
    /// To other pages as a whole.
    pub(super) away: usize,
    pub(super) linked: usize,
    pub(super) text: usize,
}

/// So many links to places, and hardly a word beside them, are a list of contents.
const CONTENTS_LINKS: usize = 2;

impl Links {
    /// Whether the list only names what stands elsewhere: what it says stands there as well, and with what is said of it.
    pub(super) fn are_contents(self) -> bool {
        self.inward >= CONTENTS_LINKS && self.away == 0 && self.linked * 5 >= self.text * 4
    }
}

/// How a block that is too long is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CutAt {
    /// At sentence ends first.
    Prose,
    /// At line ends first: code, tables, lists.
    Lines,
}
