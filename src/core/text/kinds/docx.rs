//! Word documents: paragraphs, headings, lists, tables, code and notes of `word/document.xml`.

use std::collections::BTreeMap;

use super::super::spans::{PlaceInFile, Unit};
use super::super::{Contents, Unreadable};
use super::build::{Builder, TableRow};
use super::xml::{Tag, Token, Tokens};
use super::zip::Archive;
use super::{Spaced, document_title, related};
use crate::core::base::limits;

pub(super) fn extract(archive: &mut Archive<'_>) -> Result<Contents, Unreadable> {
    read(archive, BTreeMap::new())
}

/// The same with the addresses of its links.
pub(super) fn with_links(archive: &mut Archive<'_>) -> Result<Contents, Unreadable> {
    let targets = related(archive, "word/document.xml")?;
    read(archive, targets.into_iter().filter_map(|(id, target)| Some((id, target.address?))).collect())
}

fn read(archive: &mut Archive<'_>, links: BTreeMap<String, String>) -> Result<Contents, Unreadable> {
    let text = archive.needed("word/document.xml")?;
    let styles = archive.text("word/styles.xml")?.map(|styles| Style::all(&styles)).unwrap_or_default();
    // Pages are known where the program that wrote the file left marks of them.
    let paged = text.contains("lastRenderedPageBreak");
    let mut reader = Reader { styles, links, paged, page: 1, ..Reader::default() };
    reader.out.title = document_title(archive)?;
    reader.place();
    reader.read(&text)?;
    for (part, name) in [("word/footnotes.xml", "footnote"), ("word/endnotes.xml", "endnote")] {
        if let Some(notes) = archive.text(part)? {
            reader.notes(&notes, name)?;
        }
    }
    Ok(reader.out.finish())
}

/// What a style makes of a paragraph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Heading(u8),
    Code,
}

impl Style {
    /// The styles that say something, by their id.
    fn all(styles: &str) -> BTreeMap<String, Self> {
        let mut known = BTreeMap::new();
        let mut id = None;
        for token in Tokens::new(styles) {
            match token {
                Token::Open(tag) if tag.name == "style" => id = tag.get("styleId"),
                Token::Open(tag) | Token::Empty(tag) if tag.name == "name" => {
                    let named = tag.get("val").and_then(|name| Self::named(&name));
                    known.extend(id.as_ref().zip(named).map(|(id, style)| (id.clone().into_owned(), style)));
                }
                Token::Open(tag) | Token::Empty(tag) if tag.name == "outlineLvl" => {
                    let level = level(&tag).zip(id.as_ref());
                    known.extend(level.map(|(level, id)| (id.clone().into_owned(), Self::Heading(level))));
                }
                Token::Close("style") => id = None,
                Token::Open(_) | Token::Empty(_) | Token::Close(_) | Token::Text(_) => {}
            }
        }
        known
    }

    fn named(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        if name == "title" {
            return Some(Self::Heading(1));
        }
        if let Some(level) = name.strip_prefix("heading").and_then(|level| level.trim().parse().ok()) {
            return Some(Self::Heading(level));
        }
        (name.contains("code") || name.contains("preformatted")).then_some(Self::Code)
    }
}

/// The level of an outline, from 1; Word counts from 0 and has 9 for text.
fn level(tag: &Tag<'_>) -> Option<u8> {
    let level = tag.number("val").filter(|level| *level < 9)?;
    u8::try_from(level + 1).ok()
}

/// A paragraph that is being read.
#[derive(Debug, Default)]
struct Paragraph {
    text: String,
    style: Option<Style>,
    /// How deep in a list.
    item: Option<usize>,
}

#[derive(Debug, Default)]
struct Reader {
    out: Builder,
    styles: BTreeMap<String, Style>,
    /// The addresses of links, by id; none where they are not wanted.
    links: BTreeMap<String, String>,
    /// The address of the link that is open.
    link: Option<String>,
    paged: bool,
    page: u32,
    count: u32,
    /// Those that are open; a text box stands inside a paragraph.
    open: Vec<Paragraph>,
    /// How many tables are open, and the rows of the outermost.
    tables: usize,
    rows: Vec<TableRow>,
    code: Vec<String>,
    /// Whether text is being shown: not that of fields and properties.
    in_text: bool,
}

impl Reader {
    fn read(&mut self, text: &str) -> Result<(), Unreadable> {
        let mut tokens = Tokens::new(text);
        while let Some(token) = tokens.next() {
            if self.out.is_full() {
                break;
            }
            match token {
                // The same once more, for programs that cannot show the choice before it.
                Token::Open(tag) if tag.name == "Fallback" => tokens.skip_element("Fallback"),
                Token::Open(tag) => self.opened(&tag)?,
                Token::Empty(tag) => self.empty(&tag),
                Token::Close(name) => self.closed(name),
                Token::Text(text) if self.in_text => {
                    self.open.iter_mut().next_back().into_iter().for_each(|open| open.text.push_str(&text));
                }
                Token::Text(_) => {}
            }
        }
        self.end_code();
        Ok(())
    }

    fn opened(&mut self, tag: &Tag<'_>) -> Result<(), Unreadable> {
        match tag.name {
            "p" => {
                if self.open.len() >= limits::OFFICE_DEPTH {
                    return Err(Unreadable::Damaged("its parts are nested too deep"));
                }
                self.open.push(Paragraph::default());
            }
            "t" => self.in_text = true,
            "hyperlink" => {
                self.link = tag.get("r:id").and_then(|id| self.links.get(id.as_ref()).cloned());
                if self.link.is_some() {
                    self.add("[");
                }
            }
            "tbl" => self.tables += 1,
            "tr" if self.tables == 1 => self.rows.push(TableRow::default()),
            "tc" if self.tables == 1 => {
                self.rows.iter_mut().next_back().into_iter().for_each(|row| row.cells.push(String::new()));
            }
            _ => self.empty(tag),
        }
        Ok(())
    }

    fn empty(&mut self, tag: &Tag<'_>) {
        if tag.name == "lastRenderedPageBreak" {
            self.page = self.page.saturating_add(1);
        }
        let styles = &self.styles;
        let Some(open) = self.open.last_mut() else { return };
        match tag.name {
            "pStyle" => open.style = tag.get("val").and_then(|id| styles.get(id.as_ref()).copied()).or(open.style),
            "outlineLvl" => open.style = level(tag).map(Style::Heading).or(open.style),
            "numPr" => open.item = open.item.or(Some(0)),
            "ilvl" => open.item = tag.number("val").and_then(|depth| usize::try_from(depth).ok()),
            // A paragraph of a list that is taken out of it.
            "numId" if tag.number("val") == Some(0) => open.item = None,
            "tab" => open.text.push(' '),
            "br" | "cr" => open.text.push('\n'),
            "noBreakHyphen" => open.text.push('-'),
            "footnoteReference" | "endnoteReference" => {
                open.text.extend(tag.get("id").map(|id| format!("[^{id}]")));
            }
            _ => {}
        }
    }

    fn closed(&mut self, name: &str) {
        match name {
            "t" => self.in_text = false,
            "hyperlink" => {
                let address = self.link.take();
                address.into_iter().for_each(|address| self.add(&format!("](<{address}>)")));
            }
            "p" => {
                if let Some(paragraph) = self.open.pop() {
                    self.end(paragraph);
                }
            }
            "tbl" => {
                self.tables = self.tables.saturating_sub(1);
                if self.tables == 0 {
                    self.end_code();
                    self.place();
                    self.out.table(&std::mem::take(&mut self.rows));
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, text: &str) {
        self.open.iter_mut().next_back().into_iter().for_each(|open| open.text.push_str(text));
    }

    fn end(&mut self, paragraph: Paragraph) {
        self.count = self.count.saturating_add(1);
        let Paragraph { text, style, item } = paragraph;
        if self.tables > 0 {
            let cell = self.rows.last_mut().and_then(|row| row.cells.last_mut());
            cell.into_iter().for_each(|cell| cell.push_spaced(&text));
            return;
        }
        if style != Some(Style::Code) {
            self.end_code();
        }
        if !text.trim().is_empty() && self.code.is_empty() {
            self.place();
        }
        match (style, item) {
            (Some(Style::Code), _) => self.code.push(text),
            (Some(Style::Heading(level)), _) => self.out.heading(level, &text),
            (None, Some(depth)) => self.out.item(depth, &text),
            (None, None) => self.out.paragraph(&text),
        }
    }

    fn end_code(&mut self) {
        let lines = std::mem::take(&mut self.code);
        if !lines.is_empty() {
            self.out.code("", &lines.join("\n"));
        }
    }

    fn place(&mut self) {
        let place = if self.paged {
            PlaceInFile::of(Unit::Page, self.page, self.page)
        } else {
            let count = self.count.max(1);
            PlaceInFile::of(Unit::Paragraph, count, count)
        };
        self.out.mark(place);
    }

    fn notes(&mut self, notes: &str, name: &str) -> Result<(), Unreadable> {
        let mut tokens = Tokens::new(notes);
        let mut id = None;
        while let Some(token) = tokens.next() {
            match token {
                // Separators are notes with a type of their own.
                Token::Open(tag) if tag.name == name && tag.get("type").is_some() => tokens.skip_element(name),
                Token::Open(tag) if tag.name == name => id = tag.get("id"),
                Token::Open(tag) if tag.name == "p" => {
                    let mark = id.take().map(|id| format!("[^{id}]: ")).unwrap_or_default();
                    self.open.push(Paragraph { text: mark, ..Paragraph::default() });
                }
                Token::Open(tag) => self.opened(&tag)?,
                Token::Empty(tag) => self.empty(&tag),
                Token::Close(name) => self.closed(name),
                Token::Text(text) if self.in_text => {
                    self.open.iter_mut().next_back().into_iter().for_each(|open| open.text.push_str(&text));
                }
                Token::Text(_) => {}
            }
        }
        Ok(())
    }
}
