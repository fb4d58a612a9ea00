//! Markdown: the blocks and headings of the outermost level, by their place in the file.

use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{Event, MetadataBlockKind, Options, Parser, Tag, TagEnd};

use super::lines::LineMap;
use super::outline::{Block, CutAt, Item};
use super::{Contents, cut, one_line, page};
use crate::core::base::limits::CONTENTS_LINKS;

pub(super) fn extract(text: String) -> Contents {
    let (title, items) = outline(&text);
    let places = LineMap::of(&text).into();
    Contents { title, text, items, places, left_out: BTreeSet::new() }
}

pub(super) fn outline(text: &str) -> (Option<String>, Vec<Item>) {
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut reader = Reader {
        text,
        depth: 0,
        cuts: Vec::new(),
        heading: None,
        links: Links::default(),
        title: None,
        items: Vec::new(),
    };
    for (event, span) in Parser::new_ext(text, options).into_offset_iter() {
        reader.event(event, span);
    }
    (reader.title, reader.items)
}

struct Reader<'t> {
    text: &'t str,
    depth: usize,
    /// Where the children of the open block begin.
    cuts: Vec<usize>,
    /// The text of the open heading.
    heading: Option<String>,
    /// Of the open block.
    links: Links,
    title: Option<String>,
    items: Vec<Item>,
}

/// The links of a block, and how much of its text is in them.
#[derive(Debug, Default)]
struct Links {
    inward: usize,
    outward: usize,
    open: usize,
    linked: usize,
    text: usize,
}

impl Links {
    fn begin(&mut self, target: &str) {
        self.open += 1;
        let count = if target.starts_with('#') { &mut self.inward } else { &mut self.outward };
        *count += 1;
    }

    fn read(&mut self, text: &str) {
        self.text += text.len();
        self.linked += if self.open > 0 { text.len() } else { 0 };
    }

    /// Whether a list only names the places of this file.
    fn are_contents(&self) -> bool {
        self.inward >= CONTENTS_LINKS && self.outward == 0 && self.linked * 5 >= self.text * 4
    }
}

impl Reader<'_> {
    fn event(&mut self, event: Event<'_>, span: Range<usize>) {
        match event {
            Event::Start(tag) => {
                match self.depth {
                    0 => (self.links, self.cuts) = (Links::default(), Vec::new()),
                    1 => self.cuts.push(span.start),
                    _ => {}
                }
                match &tag {
                    Tag::Heading { .. } if self.depth == 0 => self.heading = Some(String::new()),
                    Tag::Link { dest_url, .. } => self.links.begin(dest_url),
                    _other => {}
                }
                self.depth += 1;
            }
            Event::End(tag) => {
                if tag == TagEnd::Link {
                    self.links.open = self.links.open.saturating_sub(1);
                }
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.close(tag, span);
                }
            }
            Event::Text(words) | Event::Code(words) | Event::InlineMath(words) | Event::DisplayMath(words) => {
                self.links.read(&words);
                self.heading.iter_mut().for_each(|heading| heading.push_str(&words));
            }
            Event::SoftBreak | Event::HardBreak => self.heading.iter_mut().for_each(|heading| heading.push(' ')),
            Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::Rule
            | Event::TaskListMarker(_) => {}
        }
    }

    /// A block of the outermost level has ended.
    fn close(&mut self, tag: TagEnd, span: Range<usize>) {
        let shape = match tag {
            TagEnd::Heading(level) => {
                let text = one_line(&self.heading.take().unwrap_or_default());
                self.items.push(Item::Heading { level: level as u8, text, span });
                return;
            }
            TagEnd::MetadataBlock(kind) => {
                if kind == MetadataBlockKind::YamlStyle {
                    self.title = front_matter_title(cut(self.text, &span));
                }
                return;
            }
            TagEnd::List(_) if self.links.are_contents() => return,
            // Badges, comments and layout without a word in them.
            TagEnd::HtmlBlock if !page::html::has_words(cut(self.text, &span)) => return,
            TagEnd::CodeBlock | TagEnd::List(_) | TagEnd::Table | TagEnd::DefinitionList => CutAt::Lines,
            TagEnd::HtmlBlock | TagEnd::Paragraph | TagEnd::BlockQuote(_) | TagEnd::FootnoteDefinition => CutAt::Prose,
            // Inner parts and inline marks never stand on the outermost level.
            TagEnd::Item
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::TableCell
            | TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::Link
            | TagEnd::Image => return,
        };
        // Only blocks have children that are worth a cut; a paragraph's are links and emphasis.
        let cuts = if matches!(tag, TagEnd::Paragraph) { Vec::new() } else { std::mem::take(&mut self.cuts) };
        self.items.push(Item::Block(Block { span, shape, cuts }));
    }
}

/// `title: …` of a front matter block, as static site generators use it.
fn front_matter_title(block: &str) -> Option<String> {
    let value = block.lines().find_map(|line| line.strip_prefix("title:"))?;
    Some(one_line(value.trim().trim_matches(['"', '\'']))).filter(|title| !title.is_empty())
}
