//! Open documents: texts, sheets and presentations of `content.xml`.

mod beside;
mod sheet;
mod styles;

use std::collections::BTreeSet;

use super::super::spans::{PlaceInFile, Unit};
use super::super::{Contents, LeftOut, Unreadable};
use super::build::Builder;
use super::numbering::Mark;
use super::numbering::open::OpenLists;
use super::paragraph::{Ended, Shape};
use super::pptx::HIDDEN_SLIDE;
use super::remarks::{Remark, Remarks, end_of, quoted};
use super::rows::{Rows, Tables};
use super::xlsx::write_sheet;
use super::xml::{Tag, Token, Tokens};
use super::zip::Archive;
use super::{PageEnds, Progress, Spaced, Struck, marks_all_pages};
use crate::core::base::limits;
use sheet::OpenSheet;
use styles::{Look, Styles};

/// A text or a presentation.
pub(super) fn text(archive: &mut Archive<'_>) -> Result<Contents, Unreadable> {
    extract(archive, Wanted::Text)
}

/// The same with the addresses of its links.
pub(super) fn with_links(archive: &mut Archive<'_>) -> Result<Contents, Unreadable> {
    extract(archive, Wanted::Links)
}

pub(super) fn workbook(archive: &mut Archive<'_>) -> Result<Contents, Unreadable> {
    extract(archive, Wanted::Sheets)
}

/// What is wanted of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Wanted {
    #[default]
    Text,
    Links,
    Sheets,
}

fn extract(archive: &mut Archive<'_>, wanted: Wanted) -> Result<Contents, Unreadable> {
    let manifest = archive.text("META-INF/manifest.xml")?.unwrap_or_default();
    if manifest.contains("encryption-data") {
        return Err(Unreadable::Protected);
    }
    let text = archive.needed("content.xml")?;
    let meta = archive.text("meta.xml")?.unwrap_or_default();
    let is_paged = marks_all_pages(&text, "<text:soft-page-break", page_count(&meta));
    let mut lists = OpenLists::default();
    let common = archive.text("styles.xml")?.unwrap_or_default();
    lists.add_styles(&common);
    lists.add_styles(&text);
    let mut styles = Styles::default();
    styles.add(&common);
    styles.add(&text);
    let (progress, ended) = (Progress::new(is_paged), beside::ended_annotations(&text));
    let mut reader = Reader { wanted, progress, styles, lists, ended, ..Reader::default() };
    reader.out.title = super::element(&meta, "title");
    let start = reader.progress.place();
    reader.read(&text)?;
    let notes = std::mem::take(&mut reader.notes).said;
    notes.iter().for_each(|note| reader.out.paragraph(note));
    reader.remarks.take_rest().iter().for_each(|remark| reader.out.paragraph(remark));
    reader.out.left_out.extend(reader.remarks.has_more.then_some(LeftOut::Parts));
    if wanted == Wanted::Text && reader.slide == 0 {
        beside::running_lines(&common).write(&mut reader.out, start);
    }
    Ok(reader.out.finish())
}

/// How many pages the program counted that wrote the file.
fn page_count(meta: &str) -> Option<u64> {
    let behind = meta.split_once("meta:page-count=\"").map(|(_, behind)| behind)?;
    behind.split_once('"')?.0.parse().ok()
}

#[derive(Debug, Default)]
struct Reader {
    out: Builder,
    wanted: Wanted,
    /// The address of the link that is open.
    link: Option<String>,
    progress: Progress,
    slide: u32,
    /// Those that are open; a note stands inside a paragraph.
    open: Vec<Paragraph>,
    lists: OpenLists,
    tables: usize,
    /// The tables of a text, or the sheet of a workbook.
    rows: Tables,
    sheet: Option<OpenSheet>,
    styles: Styles,
    /// How the text of each open span looks.
    spans: Vec<Look>,
    struck: Struck,
    in_notes: bool,
    /// Inside a note that is written where the text refers to it.
    in_note: bool,
    notes: Notes,
    remarks: Remarks,
    /// The remarks that are on a part of the text; a name alone does not tell.
    ended: BTreeSet<String>,
    /// Remarks that are written behind the paragraph or the table that is open.
    behind: Vec<String>,
    /// Inside the frame that is the title of a slide.
    in_title: bool,
    is_slide_hidden: bool,
}

/// Footnotes and endnotes of a text that is wanted with its links: as citations, with what they say behind the text.
#[derive(Debug, Default)]
struct Notes {
    count: u32,
    open: Vec<u32>,
    said: Vec<String>,
}

#[derive(Debug, Default)]
struct Paragraph {
    text: String,
    page_ends: PageEnds,
    /// What stands in front of it, where it is in a list or a heading with a number.
    mark: Option<Mark>,
    shape: Option<Shape>,
    look: Look,
}

/// Whether an element is one that is not shown: a section, or a text that depends on a condition.
fn is_hidden(tag: &Tag<'_>) -> bool {
    let says = |name: &str, value: &str| tag.get(name).is_some_and(|said| said == value);
    matches!(tag.full, "text:section" | "text:hidden-text")
        && (says("text:display", "none") || says("is-hidden", "true"))
}

/// Elements whose text is none of the document's.
const NOT_SAID: [&str; 6] = [
    "text:tracked-changes",
    "table:tracked-changes",
    "office:annotation",
    "office:automatic-styles",
    "office:scripts",
    "office:font-face-decls",
];

impl Reader {
    fn read(&mut self, text: &str) -> Result<(), Unreadable> {
        let mut tokens = Tokens::new(text);
        while let Some(token) = tokens.next() {
            if self.out.is_full() {
                break;
            }
            match token {
                Token::Open(tag) if tag.full == "office:annotation" && self.wanted != Wanted::Links => {
                    let id = tag.get("office:name").map(|name| name.into_owned());
                    let id = id.filter(|id| self.ended.contains(id));
                    let remark = beside::annotation(&mut tokens);
                    self.remark(id, remark);
                }
                // What was deleted, what is remarked on a report, how things look, what is hidden, and the numbers of slides.
                Token::Open(tag) if NOT_SAID.contains(&tag.full) || is_hidden(&tag) => tokens.skip_element(tag.name),
                Token::Open(tag) if tag.full == "text:page-number" && self.slide > 0 => tokens.skip_element(tag.name),
                Token::Open(tag) => self.opened(&tag, false)?,
                Token::Empty(tag) => {
                    self.opened(&tag, true)?;
                    self.closed(tag.full);
                }
                Token::Close(name) => self.closed_by_name(name),
                Token::Text(text) => self.say(&text),
            }
        }
        Ok(())
    }

    fn opened(&mut self, tag: &Tag<'_>, is_empty: bool) -> Result<(), Unreadable> {
        match tag.full {
            "text:h" | "text:p" => self.open_paragraph(tag)?,
            "text:s" => {
                let count = tag.number("c").unwrap_or(1).min(limits::OFFICE_BLANKS);
                self.add(&" ".repeat(usize::try_from(count).unwrap_or(1)));
            }
            "text:span" => {
                let style = tag.get("style-name").unwrap_or_default();
                let around = self.spans.last().copied().unwrap_or_default();
                self.spans.push(self.styles.look(&style).inside(around));
            }
            "office:annotation-end" => {
                let remark = tag.get("office:name").and_then(|id| self.remarks.take(&id));
                self.behind.extend(remark);
                self.write_behind();
            }
            "text:tab" => self.add("\t"),
            "text:line-break" => self.add("\n"),
            "text:a" if self.wanted == Wanted::Links && !is_empty => {
                self.link = tag.get("href").and_then(|address| super::web_address(&address));
                if self.link.is_some() {
                    self.add("[");
                }
            }
            "text:soft-page-break" => {
                self.progress.next_page();
                self.open.iter_mut().for_each(|open| open.page_ends.end_behind(&open.text));
            }
            "text:note" if self.wanted == Wanted::Links && !is_empty => {
                self.may_go_deeper()?;
                self.notes.count += 1;
                self.notes.open.push(self.notes.count);
                self.add(&format!("[^{}]", self.notes.count));
                self.open.push(Paragraph::default());
            }
            // Its mark stands in the text already.
            "text:note-body" if !self.notes.open.is_empty() => {
                self.open.iter_mut().next_back().into_iter().for_each(|note| note.text.clear());
            }
            "text:note" => self.open_note(is_empty),
            "text:note-body" => self.add(": "),
            "text:list" if !is_empty => self.lists.open_list(tag),
            "text:list-item" if !is_empty => self.lists.open_item(tag),
            "draw:page" => {
                self.slide = self.slide.saturating_add(1);
                self.out.place(self.place());
                self.out.section();
                self.is_slide_hidden = self.styles.is_hidden(tag.get("draw:style-name").as_deref());
                if self.is_slide_hidden {
                    self.out.heading(2, HIDDEN_SLIDE);
                }
            }
            "text:hidden-paragraph" if tag.get("is-hidden").is_some_and(|set| set == "true") => {
                if let Some(open) = self.open.last_mut() {
                    open.text.clear();
                    open.look.is_hidden = Some(true);
                }
            }
            "presentation:notes" => self.in_notes = !is_empty,
            "draw:frame" => {
                self.in_title = tag.get("presentation:class").is_some_and(|class| class == "title");
            }
            "table:table" if !is_empty => self.table(tag),
            "table:table-row" => self.row(tag),
            "table:table-cell" | "table:covered-table-cell" => self.cell(tag),
            _ => {}
        }
        Ok(())
    }

    fn open_paragraph(&mut self, tag: &Tag<'_>) -> Result<(), Unreadable> {
        self.may_go_deeper()?;
        let level = tag.get("outline-level").and_then(|level| level.parse().ok());
        let style = tag.get("style-name").unwrap_or_default();
        let heading = (tag.name == "h").then(|| level.unwrap_or(1));
        // What stands inside of a paragraph goes on with it.
        let is_inside = !self.open.is_empty() && self.slide == 0;
        let mark = match heading {
            _ if is_inside => None,
            Some(level) if self.lists.depth() == 0 => self.lists.next_heading(tag, level),
            Some(_) | None => self.lists.next(),
        };
        let is_struck = self.sheet.as_ref().map(|sheet| sheet.is_struck);
        let look = self.styles.look(&style).inside(Look { is_struck, ..Look::default() });
        let shape = self.styles.shape(&style).or(heading.map(Shape::Heading));
        self.open.push(Paragraph { shape, mark, look, ..Paragraph::default() });
        Ok(())
    }

    /// Keeps what somebody remarked until the end of what it is on, or of the paragraph.
    fn remark(&mut self, id: Option<String>, remark: Remark) {
        if let Some(sheet) = &mut self.sheet {
            let column = sheet.column();
            sheet.rows.remark(column, remark);
            return;
        }
        match id {
            Some(id) => {
                self.remarks.add(id.clone(), remark);
                self.remarks.begin(&id);
            }
            None => {
                let said = self.open.last().map(|open| open.text.as_str()).unwrap_or_default();
                self.behind.push(remark.line(&quoted(end_of(said))));
            }
        }
        self.write_behind();
    }

    /// Writes what belongs to the paragraph or the table that has ended.
    fn write_behind(&mut self) {
        if self.tables == 0 && self.open.is_empty() {
            std::mem::take(&mut self.behind).iter().for_each(|remark| self.out.paragraph(remark));
        }
    }

    fn may_go_deeper(&self) -> Result<(), Unreadable> {
        let is_deep = self.open.len() >= limits::OFFICE_DEPTH;
        if is_deep { Err(Unreadable::Damaged("its parts are nested too deep")) } else { Ok(()) }
    }

    fn table(&mut self, tag: &Tag<'_>) {
        self.tables += 1;
        if self.wanted == Wanted::Sheets && self.tables == 1 {
            let is_hidden = self.styles.is_hidden(tag.get("table:style-name").as_deref());
            self.sheet = Some(OpenSheet::new(tag, is_hidden));
        } else if self.sheet.is_none() {
            self.rows.open();
        }
    }

    fn row(&mut self, tag: &Tag<'_>) {
        if let Some(sheet) = &mut self.sheet {
            sheet.row(tag);
        } else {
            self.rows.rows().into_iter().for_each(Rows::row);
        }
    }

    fn cell(&mut self, tag: &Tag<'_>) {
        if let Some(sheet) = &mut self.sheet {
            let look = tag.get("style-name").map(|style| self.styles.look(&style)).unwrap_or_default();
            sheet.cell(tag, look.is_struck.unwrap_or(false));
        } else if let Some(rows) = self.rows.rows() {
            rows.cell();
            match tag.name {
                "covered-table-cell" => rows.cover(),
                _ => rows.reach_over(tag.number("number-columns-spanned")),
            }
        }
    }

    fn open_note(&mut self, is_empty: bool) {
        self.add(" [");
        self.in_note = !is_empty;
    }

    /// How the text looks that is being read.
    fn look(&self) -> Look {
        let around = self.open.last().map(|open| open.look).unwrap_or_default();
        self.spans.last().copied().unwrap_or_default().inside(around)
    }

    /// Text as it is shown: raised, lowered or struck out.
    fn say(&mut self, text: &str) {
        let look = self.look();
        let Some(open) = self.open.last_mut().filter(|_| look.is_hidden != Some(true)) else { return };
        // Marks would be a part of code.
        self.struck.now = look.is_struck.unwrap_or(false) && open.shape != Some(Shape::Code);
        match look.script {
            Some(script) => self.struck.push(&mut open.text, &script.written(text)),
            None => self.struck.push(&mut open.text, text),
        }
        self.remarks.say(text);
    }

    fn add(&mut self, text: &str) {
        if self.look().is_hidden != Some(true) {
            self.open.iter_mut().next_back().into_iter().for_each(|open| open.text.push_str(text));
        }
    }

    /// The end of an element; few names stand for two things, and those are told apart by what is open.
    fn closed_by_name(&mut self, name: &str) {
        let full = match name {
            "h" | "p" => "text:p",
            "list" => "text:list",
            "note" => "text:note",
            "span" => "text:span",
            "a" => "text:a",
            "table" => "table:table",
            "table-row" => "table:table-row",
            "table-cell" | "covered-table-cell" => "table:table-cell",
            "notes" => "presentation:notes",
            "frame" => "draw:frame",
            _ => return,
        };
        self.closed(full);
    }

    fn closed(&mut self, full: &str) {
        match full {
            "text:h" | "text:p" => {
                if let Some(paragraph) = self.open.pop() {
                    self.end(paragraph);
                    self.remarks.end_line();
                    self.write_behind();
                }
            }
            "text:list" => self.lists.close_list(),
            "text:span" => drop(self.spans.pop()),
            "text:note" if self.wanted == Wanted::Links => {
                let note = self.notes.open.pop().zip(self.open.pop());
                self.notes.said.extend(note.map(|(number, note)| format!("[^{number}]: {}", note.text)));
            }
            "text:note" => {
                self.add("]");
                self.in_note = false;
            }
            "text:a" => {
                let address = self.link.take();
                address.into_iter().for_each(|address| self.add(&format!("](<{address}>)")));
            }
            "presentation:notes" => self.in_notes = false,
            "draw:frame" => self.in_title = false,
            "table:table-cell" | "table:covered-table-cell" => self.end_cell(),
            "table:table" => self.end_table(),
            _ => {}
        }
    }

    fn end(&mut self, paragraph: Paragraph) {
        let Paragraph { mut text, mut shape, mut mark, page_ends, .. } = paragraph;
        // A paragraph of a note goes on in the one that it stands in.
        let in_note = self.in_note || !self.notes.open.is_empty();
        if !self.open.is_empty() && in_note {
            self.add(&text);
            return;
        }
        // A text box stands beside the paragraph that it is fixed to.
        if !self.open.is_empty() && self.tables == 0 && self.slide == 0 {
            self.behind.extend(Some(text).filter(|text| !text.trim().is_empty()));
            return;
        }
        self.progress.next_paragraph();
        if let Some(sheet) = &mut self.sheet {
            sheet.text.push_spaced(&text);
            return;
        }
        if self.tables == 0 && shape.is_none() && (self.in_title || self.in_notes) {
            // What slides have around their text is in no list of it.
            mark = None;
            shape = self.in_title.then_some(Shape::Heading(if self.is_slide_hidden { 3 } else { 2 }));
            if !self.in_title && !text.trim().is_empty() {
                text.insert_str(0, "Notes: ");
            }
        }
        let ended = Ended { text, shape, mark, page_ends, last: self.place() };
        if self.tables > 0 {
            let (text, place) = ended.in_cell();
            self.rows.add_spaced(&text, &place);
        } else {
            ended.write(&mut self.out);
        }
    }

    fn end_cell(&mut self) {
        self.sheet.iter_mut().for_each(OpenSheet::end_cell);
    }

    fn end_table(&mut self) {
        self.tables = self.tables.saturating_sub(1);
        if self.sheet.is_none() {
            self.rows.close(&mut self.out);
        } else if self.tables == 0
            && let Some(sheet) = self.sheet.take()
        {
            self.out.left_out.extend(sheet.rows.room.is_used_up().then_some(LeftOut::Cells));
            write_sheet(&mut self.out, &sheet.name, sheet.rows);
        }
        self.write_behind();
    }

    /// A slide where there are slides.
    fn place(&self) -> PlaceInFile {
        match self.slide {
            0 => self.progress.place(),
            slide => PlaceInFile::of(Unit::Slide, slide, slide),
        }
    }
}
