//! Word documents: paragraphs, headings, lists, tables, code and notes of `word/document.xml`.

use std::collections::BTreeMap;

use super::super::spans::PlaceInFile;
use super::super::{Contents, Unreadable};
use super::build::Builder;
use super::rows::Rows;
use super::xml::{Tag, Token, Tokens};
use super::zip::Archive;
use super::{PageEnds, Progress, Struck, document_title, marks_all_pages, related};
use crate::core::base::limits;
use crate::core::text::raised::Script;

pub(super) fn extract(archive: &mut Archive<'_>) -> Result<Contents, Unreadable> {
    read(archive, false)
}

/// The same with the addresses of its links.
pub(super) fn with_links(archive: &mut Archive<'_>) -> Result<Contents, Unreadable> {
    read(archive, true)
}

/// The addresses that links of a part lead to, by their ids, which each part has for itself.
fn links_of(archive: &mut Archive<'_>, part: &str) -> Result<BTreeMap<String, String>, Unreadable> {
    let targets = related(archive, part)?;
    Ok(targets.into_iter().filter_map(|(id, target)| Some((id, target.address?))).collect())
}

fn read(archive: &mut Archive<'_>, with_links: bool) -> Result<Contents, Unreadable> {
    let text = archive.needed("word/document.xml")?;
    let styles = archive.text("word/styles.xml")?.map(|styles| Style::all(&styles)).unwrap_or_default();
    // Pages are known where the program that wrote the file left marks of all of them.
    let pages = archive.text("docProps/app.xml")?.and_then(|facts| super::element(&facts, "Pages")?.parse().ok());
    let paged = marks_all_pages(&text, "<w:lastRenderedPageBreak", pages);
    let links = if with_links { links_of(archive, "word/document.xml")? } else { BTreeMap::new() };
    let mut reader = Reader { styles, links, progress: Progress::new(paged), ..Reader::default() };
    reader.out.title = document_title(archive)?;
    reader.out.mark(reader.progress.place());
    reader.read(&text, None)?;
    for (part, name) in [("word/footnotes.xml", "footnote"), ("word/endnotes.xml", "endnote")] {
        if let Some(notes) = archive.text(part)? {
            reader.out.section();
            reader.links = if with_links { links_of(archive, part)? } else { BTreeMap::new() };
            reader.read(&notes, Some(name))?;
        }
    }
    Ok(reader.out.finish())
}

/// What a style makes of a paragraph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Heading(u8),
    Code,
    /// An item of a list, so deep in it.
    Item(usize),
}

/// How many styles may go before one.
const BASES: usize = 8;

impl Style {
    /// The styles that say something, by their id.
    fn all(styles: &str) -> BTreeMap<String, Self> {
        let mut known = BTreeMap::new();
        // Those that another one goes before, which says what they do not.
        let mut bases = BTreeMap::new();
        let mut id = String::new();
        for token in Tokens::new(styles) {
            let (Token::Open(tag) | Token::Empty(tag)) = token else { continue };
            match tag.name {
                "style" => id = tag.get("styleId").unwrap_or_default().into_owned(),
                "name" => {
                    let named = tag.get("val").and_then(|name| Self::named(&name));
                    known.extend(named.map(|style| (id.clone(), style)));
                }
                "basedOn" => bases.extend(tag.get("val").map(|base| (id.clone(), base.into_owned()))),
                "outlineLvl" => match level(&tag) {
                    Some(level) => known.extend([(id.clone(), Self::Heading(level))]),
                    None => drop(bases.remove(&id)),
                },
                // A heading with a number is no item.
                "numPr" => {
                    known.entry(id.clone()).or_insert(Self::Item(0));
                }
                "ilvl" => {
                    if let (Some(Self::Item(depth)), Some(said)) = (known.get_mut(&id), depth(&tag)) {
                        *depth = said;
                    }
                }
                _ => {}
            }
        }
        for _ in 0..BASES {
            let inherited = bases.iter().filter(|(style, _)| !known.contains_key(*style));
            let inherited: Vec<_> =
                inherited.filter_map(|(style, base)| Some((style.clone(), *known.get(base)?))).collect();
            known.extend(inherited);
        }
        known
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        if name == "title" {
            return Some(Self::Heading(1));
        }
        if let Some(level) = name.strip_prefix("heading").and_then(|level| level.trim().parse().ok()) {
            return Some(Self::Heading(level));
        }
        if let Some(depth) = ["list bullet", "list number"].iter().find_map(|list| name.strip_prefix(list)) {
            return Some(Self::Item(depth.trim().parse::<usize>().map_or(0, |depth| depth.saturating_sub(1))));
        }
        (name.contains("code") || name.contains("preformatted")).then_some(Self::Code)
    }
}

/// The level of an outline, from 1; Word counts from 0 and has 9 for text.
fn level(tag: &Tag<'_>) -> Option<u8> {
    let level = tag.number("val").filter(|level| *level < 9)?;
    u8::try_from(level + 1).ok()
}

/// How deep in its list an item is, from 0.
fn depth(tag: &Tag<'_>) -> Option<usize> {
    tag.number("val").and_then(|depth| usize::try_from(depth).ok())
}

/// A paragraph that is being read.
#[derive(Debug, Default)]
struct Paragraph {
    text: String,
    page_ends: PageEnds,
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
    progress: Progress,
    /// Where notes are referred to, by their kind and id.
    references: BTreeMap<(&'static str, String), PlaceInFile>,
    /// The id of the note that was opened and whose first paragraph has not come yet.
    note: Option<String>,
    /// Where the note stands that is being read.
    note_place: Option<PlaceInFile>,
    /// Those that are open; a text box stands inside a paragraph.
    open: Vec<Paragraph>,
    /// How many tables are open, and the rows of the outermost.
    tables: usize,
    rows: Rows,
    /// Whether text is being shown: not that of fields and properties.
    in_text: bool,
    /// Whether that text is raised or lowered, and whether it is struck out.
    script: Option<Script>,
    struck: Struck,
}

impl Reader {
    /// Reads a part of the document: its text, or the notes that are elements of this name.
    fn read(&mut self, text: &str, notes: Option<&'static str>) -> Result<(), Unreadable> {
        (self.open, self.tables, self.in_text) = (Vec::new(), 0, false);
        let mut tokens = Tokens::new(text);
        while let Some(token) = tokens.next() {
            if self.out.is_full() {
                break;
            }
            match token {
                // The same once more, for programs that cannot show the choice before it.
                Token::Open(tag) if tag.name == "Fallback" => tokens.skip_element("Fallback"),
                // What was moved is read where it stands now.
                Token::Open(tag) if tag.name == "moveFrom" => tokens.skip_element("moveFrom"),
                // Separators are notes with a type of their own.
                Token::Open(tag) if Some(tag.name) == notes && tag.get("type").is_some() => {
                    tokens.skip_element(tag.name);
                }
                Token::Open(tag) if Some(tag.name) == notes => {
                    self.note = tag.get("id").map(|id| id.into_owned());
                    let key = notes.zip(self.note.clone());
                    self.note_place = key.and_then(|key| self.references.get(&key).cloned());
                }
                Token::Open(tag) => self.opened(&tag)?,
                Token::Empty(tag) => self.empty(&tag),
                Token::Close(name) => self.closed(name),
                Token::Text(text) if self.in_text => {
                    let text = self.script.map_or(text.clone(), |script| script.written(&text).into());
                    self.say(&text);
                }
                Token::Text(_) => {}
            }
        }
        Ok(())
    }

    fn opened(&mut self, tag: &Tag<'_>) -> Result<(), Unreadable> {
        match tag.name {
            "p" => {
                if self.open.len() >= limits::OFFICE_DEPTH {
                    return Err(Unreadable::Damaged("its parts are nested too deep"));
                }
                let text = self.note.take().map(|id| format!("[^{id}]: ")).unwrap_or_default();
                self.open.push(Paragraph { text, ..Paragraph::default() });
            }
            "r" => {
                self.script = None;
                self.struck.now = false;
            }
            "t" => self.in_text = true,
            "hyperlink" => {
                self.link = tag.get("r:id").and_then(|id| self.links.get(id.as_ref()).cloned());
                if self.link.is_some() {
                    self.add("[");
                }
            }
            "tbl" => self.tables += 1,
            "tr" if self.tables == 1 => self.rows.row(),
            "tc" if self.tables == 1 => self.rows.cell(),
            _ => self.empty(tag),
        }
        Ok(())
    }

    fn empty(&mut self, tag: &Tag<'_>) {
        match tag.name {
            "lastRenderedPageBreak" => {
                self.progress.next_page();
                self.open.iter_mut().for_each(|open| open.page_ends.end_behind(&open.text));
            }
            "vertAlign" => {
                self.script = match tag.get("val").unwrap_or_default().as_ref() {
                    "superscript" => Some(Script::Raised),
                    "subscript" => Some(Script::Lowered),
                    _ => None,
                };
            }
            "strike" | "dstrike" => {
                let is_on = |set: &str| !matches!(set, "0" | "false" | "off");
                self.struck.now |= tag.get("val").is_none_or(|set| is_on(&set));
            }
            "gridSpan" if self.tables == 1 => self.rows.widen(tag.number("val")),
            "vMerge" if self.tables == 1 && tag.get("val").is_none_or(|merge| merge == "continue") => {
                self.rows.continue_above();
            }
            _ => {}
        }
        let styles = &self.styles;
        let Some(open) = self.open.last_mut() else { return };
        match tag.name {
            "pStyle" => open.style = tag.get("val").and_then(|id| styles.get(id.as_ref()).copied()).or(open.style),
            "outlineLvl" => open.style = level(tag).map(Style::Heading).or(open.style),
            "numPr" => open.item = open.item.or(Some(0)),
            "ilvl" => open.item = depth(tag),
            // A paragraph of a list that is taken out of it.
            "numId" if tag.number("val") == Some(0) => {
                open.item = None;
                open.style = open.style.filter(|style| !matches!(style, Style::Item(_)));
            }
            "tab" => open.text.push(' '),
            "br" | "cr" => open.text.push('\n'),
            "noBreakHyphen" => open.text.push('-'),
            "footnoteReference" | "endnoteReference" => {
                let kind = if tag.name.starts_with('f') { "footnote" } else { "endnote" };
                let Some(id) = tag.get("id") else { return };
                open.text.push_str(&format!("[^{id}]"));
                let mut here = self.progress;
                here.next_paragraph();
                self.references.insert((kind, id.into_owned()), here.place());
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
                    self.rows.write(&mut self.out);
                }
            }
            _ => {}
        }
    }

    /// Appends what the text says.
    fn say(&mut self, text: &str) {
        let Some(open) = self.open.last_mut() else { return };
        // Marks would be a part of code.
        self.struck.now &= open.style != Some(Style::Code);
        self.struck.push(&mut open.text, text);
    }

    fn add(&mut self, text: &str) {
        self.open.iter_mut().next_back().into_iter().for_each(|open| open.text.push_str(text));
    }

    fn end(&mut self, paragraph: Paragraph) {
        self.progress.next_paragraph();
        let Paragraph { text, style, item, page_ends } = paragraph;
        let (first, last) = (page_ends.first_place(&self.place()), self.place());
        if self.tables > 0 {
            self.rows.add_spaced(&text);
            self.rows.stand(first.through(&last));
            return;
        }
        let is_prose = style.is_none() && item.is_none();
        if !text.trim().is_empty() && style != Some(Style::Code) {
            self.out.mark(if is_prose { first } else { first.through(&last) });
        }
        match (style, item) {
            (Some(Style::Code), _) => self.out.code_line(text, last),
            (Some(Style::Heading(level)), _) => self.out.heading(level, &text),
            (Some(Style::Item(_)) | None, Some(depth)) | (Some(Style::Item(depth)), None) => {
                self.out.item(depth, &text)
            }
            (None, None) => self.out.paragraph_over(&text, page_ends.other_places(&last)),
        }
    }

    fn place(&self) -> PlaceInFile {
        self.note_place.clone().unwrap_or_else(|| self.progress.place())
    }
}
