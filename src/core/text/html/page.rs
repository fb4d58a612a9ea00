//! The text of a page while it is being written: white space collapsed, blocks apart, lines where they mean
//! something.

use crate::core::text::lines::LineMap;
use crate::core::text::outline::{Block, CutAt, Item};
use crate::core::text::{Extracted, one_line};

/// Elements that stand on lines of their own.
const BLOCKS: [&str; 34] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "center",
    "details",
    "dd",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "hr",
    "html",
    "legend",
    "li",
    "main",
    "ol",
    "p",
    "pre",
    "search",
    "section",
    "summary",
    "table",
    "tbody",
    "thead",
    "tr",
    "ul",
];

/// How deep a list is shown indented, in levels.
const LIST_INDENT: usize = 6;

pub(super) fn is_block(name: &[u8]) -> bool {
    heading_level(name).is_some() || BLOCKS.iter().any(|block| block.as_bytes() == name)
}

/// The written part of a page.
#[derive(Debug, Default)]
pub(super) struct Page {
    text: String,
    lines: LineMap,
    items: Vec<Item>,
    /// Where the open block begins, once it has a character.
    block: Option<usize>,
    cuts: Vec<usize>,
    /// The level of the open heading.
    heading: Option<u8>,
    lists: usize,
    tables: usize,
    pres: usize,
    gap: Gap,
    /// Written before the next character that begins a line: the mark of a list item.
    mark: String,
}

/// What goes before the next character. The larger wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    #[default]
    None,
    Space,
    Cell,
    Line,
}

impl Page {
    pub(super) fn open(&mut self, name: &[u8]) {
        if let Some(level) = heading_level(name) {
            self.end_block();
            self.heading = Some(level);
            return;
        }
        match name {
            b"ul" | b"ol" | b"dl" => {
                self.break_block();
                self.lists += 1;
            }
            b"table" => {
                self.break_block();
                self.tables += 1;
            }
            b"pre" => {
                self.break_block();
                self.pres += 1;
            }
            b"li" => {
                self.row();
                self.mark = format!("{}- ", "  ".repeat(self.lists.saturating_sub(1).min(LIST_INDENT)));
            }
            b"tr" => self.row(),
            b"td" | b"th" => self.gap = self.gap.max(Gap::Cell),
            b"dt" | b"br" => self.gap = Gap::Line,
            _ if is_block(name) => self.break_block(),
            _ => {}
        }
    }

    pub(super) fn close(&mut self, name: &[u8]) {
        if heading_level(name).is_some() {
            self.end_block();
            return;
        }
        match name {
            b"ul" | b"ol" | b"dl" => {
                self.lists = self.lists.saturating_sub(1);
                self.mark.clear();
                self.break_block();
            }
            b"table" => {
                self.tables = self.tables.saturating_sub(1);
                self.break_block();
            }
            b"pre" => {
                self.break_block();
                self.pres = self.pres.saturating_sub(1);
            }
            _ if is_block(name) => self.break_block(),
            _ => {}
        }
    }

    /// Text of the file's lines `first` to `last`. A line end that was written as an entity has no line in the file,
    /// so the count stops at `last`.
    pub(super) fn text(&mut self, text: &str, first: u32, last: u32) {
        let mut line = first;
        for c in text.chars() {
            if c.is_whitespace() {
                if self.pres > 0 {
                    self.pre_blank(c);
                } else {
                    self.gap = self.gap.max(Gap::Space);
                }
                line = line.saturating_add(u32::from(c == '\n')).min(last.max(first));
                if self.pres > 0 && self.block.is_some() {
                    self.lines.mark(self.text.len(), line);
                }
            } else {
                self.character(c, line);
            }
        }
    }

    pub(super) fn finish(mut self, title: Option<String>) -> Extracted {
        self.end_block();
        Extracted { title, text: self.text, items: self.items, lines: self.lines }
    }

    fn character(&mut self, c: char, line: u32) {
        if self.block.is_none() {
            if !self.text.is_empty() {
                self.text.push_str("\n\n");
            }
            self.lines.mark(self.text.len(), line);
            self.block = Some(self.text.len());
            self.text.push_str(&std::mem::take(&mut self.mark));
        } else {
            match self.gap {
                Gap::None => {}
                Gap::Space => self.text.push(' '),
                Gap::Cell if self.tables > 0 => self.text.push_str(" | "),
                Gap::Cell => self.text.push(' '),
                Gap::Line => {
                    self.text.push('\n');
                    self.lines.mark(self.text.len(), line);
                    self.text.push_str(&std::mem::take(&mut self.mark));
                }
            }
            self.lines.mark(self.text.len(), line);
        }
        self.gap = Gap::None;
        self.text.push(c);
    }

    /// White space inside code is kept, but for blank lines before the first line.
    fn pre_blank(&mut self, c: char) {
        let line_begins = self.block.is_none() || self.gap == Gap::Line;
        match (c, line_begins) {
            ('\n', true) if self.lists == 0 => self.mark.clear(),
            ('\n', true) => {}
            ('\n', false) => self.pre_line(),
            (_, true) => self.mark.push(c),
            (_, false) => self.text.push(c),
        }
    }

    /// A line end inside code: kept, but not more than one blank line in a row.
    fn pre_line(&mut self) {
        let trimmed = self.text.trim_end_matches([' ', '\t']).len();
        self.text.truncate(trimmed.max(self.block.unwrap_or_default()));
        if !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// A list item or table row begins: a line of its own, and a good place to cut.
    fn row(&mut self) {
        if self.block.is_some() {
            self.gap = Gap::Line;
            self.cuts.push(self.text.len());
        }
    }

    /// A block element begins or ends. Inside a list or table it is a line or a space of it, not a block.
    fn break_block(&mut self) {
        if self.heading.is_some() {
            self.gap = self.gap.max(Gap::Space);
        } else if self.lists > 0 && self.tables == 0 {
            self.gap = Gap::Line;
        } else if self.tables > 0 {
            self.gap = self.gap.max(Gap::Space);
        } else {
            self.end_block();
        }
    }

    fn end_block(&mut self) {
        let lines = self.lists > 0 || self.tables > 0 || self.pres > 0 || !self.cuts.is_empty();
        let shape = if lines { CutAt::Lines } else { CutAt::Prose };
        let heading = self.heading.take();
        let cuts = std::mem::take(&mut self.cuts);
        self.gap = Gap::None;
        self.mark.clear();
        let Some(start) = self.block.take() else { return };
        let end = self.text.trim_end().len().max(start);
        self.text.truncate(end);
        self.items.push(match heading {
            Some(level) => {
                let text = one_line(self.text.get(start..).unwrap_or_default());
                Item::Heading { level, text, span: start..end }
            }
            None => Item::Block(Block { span: start..end, shape, cuts }),
        });
    }
}

/// 1 to 6 for `h1` to `h6`.
fn heading_level(name: &[u8]) -> Option<u8> {
    match name {
        [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
        _ => None,
    }
}
