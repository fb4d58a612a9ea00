//! Markdown: the blocks and headings of the outermost level, by their place in the file.

use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{Event, MetadataBlockKind, Options, Parser, Tag, TagEnd};

use super::outline::{Block, CutAt, Item, Links};
use super::quoting::OpenCode;
use super::{Contents, cut, drawn_tables, one_line, page};

pub(super) fn extract(text: String) -> Contents {
    let (text, lines) = drawn_tables::of_markdown(text);
    let (title, items) = outline(&text);
    Contents { title, text, items, places: lines.into(), left_out: BTreeSet::new() }
}

pub(super) fn outline(text: &str) -> (Option<String>, Vec<Item>) {
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut reader = Reader {
        text,
        depth: 0,
        cuts: Vec::new(),
        heading: None,
        links: Links::default(),
        in_link: false,
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
    in_link: bool,
    title: Option<String>,
    items: Vec<Item>,
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
                    Tag::Link { dest_url, .. } => {
                        self.in_link = true;
                        let count =
                            if dest_url.starts_with('#') { &mut self.links.inward } else { &mut self.links.away };
                        *count += 1;
                    }
                    _other => {}
                }
                self.depth += 1;
            }
            Event::End(tag) => {
                self.in_link &= tag != TagEnd::Link;
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.close(tag, span);
                }
            }
            Event::Text(words) | Event::Code(words) | Event::InlineMath(words) | Event::DisplayMath(words) => {
                self.links.text += words.len();
                self.links.linked += if self.in_link { words.len() } else { 0 };
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
                    let facts = front_matter_facts(self.text, span);
                    self.items
                        .extend(facts.map(|span| Item::Block(Block { span, shape: CutAt::Lines, cuts: Vec::new() })));
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

/// The lines of a front matter block between its marks, where they say more than the title.
fn front_matter_facts(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    let block = cut(text, &span);
    let inside = block.strip_prefix("---")?.trim_end().strip_suffix("---")?;
    let facts = inside.trim();
    let says_more = facts.lines().any(|line| !line.trim().is_empty() && !line.starts_with("title:"));
    let start = span.start + "---".len() + (inside.len() - inside.trim_start().len());
    says_more.then(|| start..start + facts.len())
}

/// A text without its blocks of code; it may begin inside one.
pub(crate) fn without_code(text: &str, begins_inside: bool) -> String {
    let mut open = if begins_inside { OpenCode::inside(text) } else { OpenCode::default() };
    let is_prose = |line: &&str| {
        let was_open = open.is_open();
        open.read(line);
        !was_open && !open.is_open()
    };
    text.split_inclusive('\n').filter(is_prose).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_left_out() {
        for (text, begins_inside, want) in [
            ("a\n```\nx = 1\n```\nb\n", false, "a\nb\n"),
            ("x = 1\n```\nb", true, "b"),
            ("- ~~~\n  x\n  ~~~\n- c", false, "- c"),
            ("a `b` c", false, "a `b` c"),
            ("a\n```\nnever closed", false, "a\n"),
            ("", true, ""),
        ] {
            assert_eq!(without_code(text, begins_inside), want, "{text}");
        }
    }
}
