//! The chosen blocks of a page as Markdown: headings, lists, tables, code and links, and nothing else.
//!
//! Emphasis is left out, so that a quote of the page is found in its Markdown; pictures are left out, because nothing remote may be
//! loaded by whoever shows it.

mod code;
mod entries;
mod marks;
mod raised;
mod table;

use super::notes::Notes;
use super::parts::{Held, Shape, is_indented, nested_tables};
use super::tree::{Element, Kind, Tree};
use crate::core::base::limits;
use crate::core::base::plain::is_picture;
use crate::core::text::lines::{LineMap, NotePlace, TermEntry, Walk};
use crate::core::text::page::Link;
use crate::core::text::raised::Script;
use entries::Entries;
use marks::{Mark, Marks};
use table::Table;

/// What was written.
#[derive(Debug, Default)]
pub(in crate::core::text) struct Written {
    pub(in crate::core::text) markdown: String,
    /// The lines of the file that the Markdown comes from.
    pub(in crate::core::text) lines: LineMap,
    /// The notes that are written in it.
    pub(in crate::core::text) notes: Vec<NotePlace>,
    /// The entries of lists of terms, in their order.
    pub(in crate::core::text) entries: Vec<TermEntry>,
    pub(super) links: Vec<Link>,
    /// The end was left out: the Markdown became too long.
    pub(in crate::core::text) cut: bool,
}

/// Writes the text nodes that are kept. `resolve` makes an address absolute, or refuses it.
pub(super) fn write(tree: &Tree, kept: &[bool], shape: Shape, resolve: impl Fn(&str) -> Option<String>) -> Written {
    write_with(tree, kept, &Notes::default(), shape, resolve)
}

/// The same with notes where they are referred to.
pub(super) fn write_with(
    tree: &Tree,
    kept: &[bool],
    notes: &Notes,
    shape: Shape,
    resolve: impl Fn(&str) -> Option<String>,
) -> Written {
    let most = shape.most;
    let mut writer = Writer::new(tree, shape, &resolve);
    let mut at = 1;
    while let Some(node) = tree.nodes.get(at).filter(|_| writer.out.len() < most) {
        writer.leave(at);
        match &node.kind {
            Kind::Element(element) if element.name.is_dropped() => {
                at = node.end.max(at + 1);
                continue;
            }
            Kind::Element(_) if writer.refers(notes.referred.get(&at), kept.get(at..node.end)) => {
                at = node.end.max(at + 1);
                continue;
            }
            Kind::Element(element) => writer.enter(at, node.end, element),
            Kind::Text(range) => {
                if kept.get(at).copied().unwrap_or_default() {
                    writer.text(range.start, tree.text.get(range.clone()).unwrap_or_default());
                } else {
                    writer.gap = writer.gap.max(Gap::Space);
                }
            }
        }
        at += 1;
    }
    writer.leave(usize::MAX);
    let cut = at < tree.nodes.len() || writer.cut;
    writer.out.truncate(writer.out.trim_end().len());
    let entries = writer.entries.into_sorted();
    Written { markdown: writer.out, lines: writer.lines, notes: writer.notes, entries, links: writer.links, cut }
}

/// What goes before the next character. The larger wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    #[default]
    None,
    Space,
    /// Between the items of a list that stands in a cell of a table.
    Item,
    Line,
    Block,
}

#[derive(Clone, Copy, Debug)]
enum Leaving {
    Nothing,
    Block,
    Item,
    Term,
    Explanation,
    List,
    Quote,
    Code,
    Link,
    Table,
    TableInCell,
    Caption,
    ListInCell,
    ItemInCell,
    Mark,
    Script,
    /// Raised digits, and what is written behind them.
    Raised(&'static str),
}

struct Writer<'t> {
    tree: &'t Tree,
    resolve: &'t dyn Fn(&str) -> Option<String>,
    out: String,
    lines: LineMap,
    notes: Vec<NotePlace>,
    /// Where the text of the tree stands in the file.
    places: Walk<'t>,
    links: Vec<Link>,
    stack: Vec<(usize, Leaving)>,
    gap: Gap,
    /// Written before the next character: `# `, `- `, the fence of code.
    mark: String,
    /// The open lists; the number of the next item, if they are numbered.
    lists: Vec<Option<u32>>,
    quotes: usize,
    /// The quotations that the last line stands in.
    quoted: usize,
    /// What explains a term begins.
    is_explained: bool,
    /// The open code, with its language.
    code: Option<(String, Held)>,
    link: Option<OpenLink>,
    table: Option<Table>,
    nested: Vec<usize>,
    /// Bytes of cells that may be written again in the rows that they reach into.
    repeatable: usize,
    most: usize,
    cut: bool,
    raised: bool,
    of_file: bool,
    marks: Marks,
    /// Whether characters are written raised or lowered.
    script: Option<Script>,
    entries: Entries,
    /// The last entry of a list of terms was a term itself: several terms may have one explanation.
    in_term: bool,
    /// The line of the file that the last character came from.
    line: u32,
}

struct OpenLink {
    address: String,
    text: String,
    /// Where it begins in the output, once it has a character.
    start: Option<usize>,
    /// A link that spans blocks cannot be written as one; it is still listed.
    whole: bool,
}

impl<'t> Writer<'t> {
    fn new(tree: &'t Tree, shape: Shape, resolve: &'t dyn Fn(&str) -> Option<String>) -> Self {
        Self {
            tree,
            resolve,
            out: String::new(),
            lines: LineMap::default(),
            notes: Vec::new(),
            places: tree.lines.walk(),
            links: Vec::new(),
            stack: Vec::new(),
            gap: Gap::None,
            mark: String::new(),
            lists: Vec::new(),
            quotes: 0,
            quoted: 0,
            is_explained: false,
            code: None,
            link: None,
            table: None,
            nested: nested_tables(tree, shape.of_file),
            repeatable: tree.text.len().max(limits::EXTRACT_REPEATED_BYTES),
            most: shape.most,
            cut: false,
            raised: shape.raised,
            of_file: shape.of_file,
            marks: Marks::default(),
            script: None,
            entries: Entries::default(),
            in_term: false,
            line: 1,
        }
    }

    fn enter(&mut self, at: usize, end: usize, element: &Element) {
        let name = element.name.text();
        let leaving = match name {
            "pre" if self.code.is_none() => self.open_code(at, element),
            _ if self.code.is_some() => {
                if name == "br"
                    && let Some((_, code)) = &mut self.code
                {
                    code.text.push('\n');
                }
                Leaving::Nothing
            }
            "br" => self.new_line(),
            "code" | "kbd" | "samp" | "tt" => self.open_inline_code(at, end),
            "a" => self.open_link(element),
            "sup" if self.raised => self.open_raised(at),
            "sup" => self.open_script(at, end, Script::Raised),
            "sub" => self.open_script(at, end, Script::Lowered),
            "del" | "s" | "strike" => self.open_mark(Mark::Struck),
            _ if self.table.is_some() => self.enter_in_table(element),
            "table" if self.nested.binary_search(&at).is_err() => {
                self.end_block();
                self.table = Some(Table::default());
                Leaving::Table
            }
            "ul" | "ol" | "menu" => {
                self.end_line();
                let start = element.attribute("start").and_then(|start| start.parse().ok()).unwrap_or(1);
                self.lists.push((name == "ol").then_some(start));
                Leaving::List
            }
            "li" => self.open_item(),
            "blockquote" if self.of_file && is_indented(self.tree, at, end) => {
                self.end_block();
                Leaving::Block
            }
            "blockquote" => {
                self.end_block();
                self.quotes += 1;
                Leaving::Quote
            }
            _ => match element.name.heading_level() {
                Some(level) => {
                    self.end_block();
                    self.mark = format!("{} ", "#".repeat(usize::from(level)));
                    Leaving::Block
                }
                None if matches!(name, "dt" | "dd" | "tr" | "summary" | "option") => self.open_entry(at, name),
                None if matches!(name, "td" | "th") => {
                    self.gap = self.gap.max(Gap::Space);
                    Leaving::Nothing
                }
                None if element.name.is_block() => {
                    self.end_block();
                    Leaving::Block
                }
                None => Leaving::Nothing,
            },
        };
        self.stack.push((end, leaving));
    }

    fn new_line(&mut self) -> Leaving {
        self.interrupt_marks();
        self.gap = self.gap.max(Gap::Line);
        Leaving::Nothing
    }

    fn leave(&mut self, at: usize) {
        while let Some((end, leaving)) = self.stack.last().copied()
            && end <= at
        {
            self.stack.pop();
            match leaving {
                Leaving::Nothing => {}
                Leaving::Block => self.end_block(),
                Leaving::Item => self.end_line(),
                Leaving::Term => self.close_term(),
                Leaving::Explanation => self.close_explanation(),
                Leaving::List => {
                    self.lists.pop();
                    self.end_block();
                }
                Leaving::Quote => {
                    self.end_block();
                    self.quotes = self.quotes.saturating_sub(1);
                }
                Leaving::Code => self.close_code(),
                Leaving::Mark => self.close_mark(),
                Leaving::Script => self.script = None,
                Leaving::Link => self.close_link(),
                Leaving::Table => self.close_table(),
                Leaving::TableInCell => self.end_table_in_cell(),
                Leaving::Caption => self.end_caption(),
                Leaving::ItemInCell => self.gap = Gap::Item,
                Leaving::ListInCell => self.gap = Gap::Space,
                Leaving::Raised(mark) => self.mark_raised(mark),
            }
        }
    }

    /// Text that stands at `start` in the text of the tree.
    fn text(&mut self, start: usize, text: &str) {
        // The handle of a heading, for its address.
        if text.trim() == "¶" && self.code.is_none() {
            return;
        }
        if let Some(link) = &mut self.link
            && link.text.len() < limits::EXTRACT_LINK_TEXT_BYTES
            && self.code.is_none()
        {
            link.text.push_str(text);
        }
        for (at, c) in text.char_indices() {
            if let Some((_, code)) = &mut self.code {
                if matches!(c, '\n' | '\t') || !c.is_control() {
                    code.push(c, self.places.line(start + at));
                }
            // Soft hyphens and zero width characters break words for whoever searches in them.
            } else if matches!(c, '\u{ad}' | '\u{200b}' | '\u{feff}' | '\u{2060}')
                || is_picture(c)
                || (c.is_control() && !c.is_whitespace())
            {
            } else if c.is_whitespace() {
                self.gap = self.gap.max(Gap::Space);
            } else {
                let line = self.places.line(start + at);
                self.character_of_text(c, line);
            }
        }
    }

    fn character(&mut self, c: char, line: u32) {
        self.line = line;
        if self.table.is_some() {
            return self.character_in_table(c, line);
        }
        let begins = self.separate(line);
        self.lines.mark(self.out.len(), line);
        if let Some(link) = &mut self.link
            && link.start.is_none()
        {
            link.start = Some(self.out.len());
        }
        let is_markup =
            (c == '<' && !self.marks.in_code()) || (begins && matches!(c, '#' | '>' | '+' | '-' | '*' | '=' | '|'));
        if is_markup || (self.link.is_some() && matches!(c, '[' | ']')) {
            self.out.push('\\');
        }
        self.out.push(c);
    }

    /// Writes what stands between the last character and the next, which is of this line of the file; says whether a line
    /// of the Markdown begins.
    fn separate(&mut self, line: u32) -> bool {
        let gap = std::mem::take(&mut self.gap);
        let mark = std::mem::take(&mut self.mark);
        let gap = if mark.is_empty() { gap } else { gap.max(Gap::Line) };
        let quote = self.quote();
        self.is_explained = false;
        if self.out.is_empty() {
            self.quoted = self.quotes;
            self.lines.mark(0, line);
            self.out.push_str(&quote);
            self.out.push_str(&mark);
            return mark.is_empty();
        }
        match gap {
            Gap::None => return false,
            Gap::Space | Gap::Item => {
                self.out.push(' ');
                return false;
            }
            Gap::Line => {
                self.quoted = self.quotes;
                self.out.push('\n');
            }
            Gap::Block => {
                // The blank line between two blocks is a part of the quotation that both are in.
                let both = "> ".repeat(
                    std::mem::replace(&mut self.quoted, self.quotes).min(self.quotes).min(limits::EXTRACT_INDENT),
                );
                self.out.push('\n');
                self.out.push_str(both.trim_end());
                self.out.push('\n');
            }
        }
        self.lines.mark(self.out.len(), line);
        self.out.push_str(&quote);
        if mark.is_empty() {
            // Inside an item the further lines stand under its text.
            let indent = self.indent();
            self.out.push_str(&indent);
        }
        self.out.push_str(&mark);
        mark.is_empty()
    }

    fn quote(&self) -> String {
        "> ".repeat(self.quotes.min(limits::EXTRACT_INDENT))
    }

    /// Before the further lines of a list item.
    fn indent(&self) -> String {
        "  ".repeat(self.lists.len().min(limits::EXTRACT_INDENT))
    }

    /// A block begins or ends.
    fn end_block(&mut self) {
        self.interrupt_marks();
        self.spoil_link();
        // The first block of an item stands beside its mark.
        if self.mark.trim_start().starts_with(['-', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
            && !self.lists.is_empty()
        {
            return;
        }
        self.mark.clear();
        // The first block of an explanation stands below its term.
        let is_line = !self.lists.is_empty() || self.is_explained;
        self.gap = self.gap.max(if is_line { Gap::Line } else { Gap::Block });
    }

    fn end_line(&mut self) {
        self.interrupt_marks();
        self.spoil_link();
        self.gap = self.gap.max(if self.lists.is_empty() && self.stack.is_empty() { Gap::Block } else { Gap::Line });
    }

    fn open_item(&mut self) -> Leaving {
        self.end_line();
        let indent = "  ".repeat(self.lists.len().saturating_sub(1).min(limits::EXTRACT_INDENT));
        let mark = match self.lists.last_mut() {
            Some(Some(number)) => {
                let mark = format!("{number}. ");
                *number = number.saturating_add(1);
                mark
            }
            Some(None) | None => "- ".to_owned(),
        };
        self.mark = format!("{indent}{mark}");
        Leaving::Item
    }

    fn open_link(&mut self, element: &Element) -> Leaving {
        let address = element.attribute("href").and_then(|href| (self.resolve)(href));
        let Some(address) = address else { return Leaving::Nothing };
        // A link inside a link is not allowed; the inner one counts.
        self.close_link();
        self.link = Some(OpenLink { address, text: String::new(), start: None, whole: self.table.is_none() });
        Leaving::Link
    }

    fn spoil_link(&mut self) {
        if let Some(link) = &mut self.link {
            link.whole &= link.start.is_none();
        }
    }

    fn close_link(&mut self) {
        let Some(OpenLink { address, text, start, whole }) = self.link.take() else { return };
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let Some(start) = start.filter(|_| whole && !text.is_empty()) else {
            return self.list_link(text, address);
        };
        // Written only now, so that a link without text leaves no trace.
        if self.out.is_char_boundary(start) {
            self.out.insert(start, '[');
            self.lines.mark_inserted(start);
            self.out.push_str("](");
            self.out.push_str(&address.replace('(', "%28").replace(')', "%29"));
            self.out.push(')');
        }
        self.list_link(text, address);
    }

    fn list_link(&mut self, text: String, url: String) {
        if self.links.len() < limits::EXTRACT_LINKS && !text.is_empty() {
            self.links.push(Link { text, url });
        }
    }
}
