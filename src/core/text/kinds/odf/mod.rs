//! Open documents: texts, sheets and presentations of `content.xml`.

mod beside;
mod styles;

use super::super::spans::{PlaceInFile, Unit};
use super::super::{Contents, LeftOut, Unreadable};
use super::build::Builder;
use super::numbering::Mark;
use super::numbering::open::OpenLists;
use super::remarks::{Remark, Remarks, end_of, quoted};
use super::rows::{Rows, Tables};
use super::xlsx::{SheetRows, write_sheet};
use super::xml::{Tag, Token, Tokens};
use super::zip::Archive;
use super::{PageEnds, Progress, Spaced, Struck, marks_all_pages};
use crate::core::base::limits;
use styles::{Look, Styles, is_code_name};

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
    let (progress, styles) = (Progress::new(is_paged), Styles::of(&text));
    let mut reader = Reader { wanted, progress, styles, lists, ..Reader::default() };
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
    notes: Notes,
    remarks: Remarks,
    /// Remarks that are written behind the paragraph or the table that is open.
    behind: Vec<String>,
    /// Inside the frame that is the title of a slide.
    in_title: bool,
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
    heading: Option<u8>,
    /// What stands in front of it, where it is in a list or a heading with a number.
    mark: Option<Mark>,
    is_code: bool,
    is_struck: bool,
}

#[derive(Debug, Default)]
struct OpenSheet {
    name: String,
    rows: SheetRows,
    next_row: u32,
    next_column: u32,
    cell: Option<(u32, u32)>,
    text: String,
    /// The day that the cell says in its own way.
    day: Option<String>,
    is_struck: bool,
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
                    let remark = beside::annotation(&mut tokens);
                    self.remark(id, remark);
                }
                // What was deleted, what is remarked on a report, and how things look.
                Token::Open(tag) if NOT_SAID.contains(&tag.full) => tokens.skip_element(tag.name),
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
            "text:note" => self.add(" ["),
            "text:note-body" => self.add(": "),
            "text:list" if !is_empty => self.lists.open_list(tag),
            "text:list-item" if !is_empty => self.lists.open_item(tag),
            "draw:page" => {
                self.slide = self.slide.saturating_add(1);
                self.out.place(self.place());
                self.out.section();
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
        let is_code = is_code_name(&style) || self.styles.code.contains(style.as_ref());
        let title = (style == "Title").then_some(1);
        let heading = (tag.name == "h").then(|| level.unwrap_or(1)).or(title);
        // What stands inside of a paragraph goes on with it.
        let is_inside = !self.open.is_empty() && self.slide == 0;
        let mark = match heading {
            _ if is_inside => None,
            Some(level) if self.lists.depth() == 0 && tag.name == "h" => self.lists.next_heading(tag, level),
            Some(_) | None => self.lists.next(),
        };
        let is_struck = self.styles.look(&style).is_struck;
        let is_struck = is_struck.unwrap_or(self.sheet.as_ref().is_some_and(|sheet| sheet.is_struck));
        self.open.push(Paragraph { heading, mark, is_code, is_struck, ..Paragraph::default() });
        Ok(())
    }

    /// Keeps what somebody remarked until the end of what it is on, or of the paragraph.
    fn remark(&mut self, id: Option<String>, remark: Remark) {
        if let Some(sheet) = &mut self.sheet {
            let column = sheet.cell.map_or(sheet.next_column, |(column, _)| column);
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
            let name = tag.get("name").unwrap_or_default().into_owned();
            self.sheet = Some(OpenSheet { name, next_row: 1, next_column: 1, ..OpenSheet::default() });
        } else if self.sheet.is_none() {
            self.rows.open();
        }
    }

    fn row(&mut self, tag: &Tag<'_>) {
        if let Some(sheet) = &mut self.sheet {
            sheet.rows.row(sheet.next_row);
            // Rows that are repeated are empty, or a copy that says nothing new.
            sheet.next_row = sheet.next_row.saturating_add(tag.number("number-rows-repeated").unwrap_or(1));
            sheet.next_column = 1;
        } else {
            self.rows.rows().into_iter().for_each(Rows::row);
        }
    }

    fn cell(&mut self, tag: &Tag<'_>) {
        if let Some(sheet) = &mut self.sheet {
            let repeated = tag.number("number-columns-repeated").unwrap_or(1);
            sheet.cell = Some((sheet.next_column, repeated));
            let spanned = |name: &str| tag.number(name).unwrap_or(1);
            let (rows, columns) = (spanned("number-rows-spanned"), spanned("number-columns-spanned"));
            sheet.rows.span(sheet.next_column, rows, columns);
            sheet.text.clear();
            sheet.day = tag.get("office:date-value").and_then(|day| day_shown(&day));
            sheet.is_struck =
                tag.get("style-name").and_then(|style| self.styles.look(&style).is_struck).unwrap_or(false);
            sheet.next_column = sheet.next_column.saturating_add(repeated);
        } else if let Some(rows) = self.rows.rows() {
            rows.cell();
            rows.reach_over(tag.number("number-columns-spanned"));
        }
    }

    /// Text as it is shown: raised, lowered or struck out.
    fn say(&mut self, text: &str) {
        let Some(open) = self.open.last_mut() else { return };
        let look = self.spans.last().copied().unwrap_or_default();
        // Marks would be a part of code.
        self.struck.now = look.is_struck.unwrap_or(open.is_struck) && !open.is_code;
        match look.script {
            Some(script) => self.struck.push(&mut open.text, &script.written(text)),
            None => self.struck.push(&mut open.text, text),
        }
        self.remarks.say(text);
    }

    fn add(&mut self, text: &str) {
        self.open.iter_mut().next_back().into_iter().for_each(|open| open.text.push_str(text));
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
            "text:note" => self.add("]"),
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
        let Paragraph { text, heading, mark, is_code, page_ends, .. } = paragraph;
        // A paragraph of a note goes on in the one that it stands in.
        let in_note = !self.notes.open.is_empty();
        if !self.open.is_empty() && (in_note || (self.tables == 0 && self.slide == 0)) {
            self.add(&text);
            return;
        }
        self.progress.next_paragraph();
        if let Some(sheet) = &mut self.sheet {
            sheet.text.push_spaced(&text);
            return;
        }
        let (first, last) = (page_ends.first_place(&self.place()), self.place());
        let label = mark.as_ref().and_then(Mark::label).filter(|_| !text.trim().is_empty());
        let numbered = label.map(|label| format!("{label} {}", text.trim_start()));
        if self.tables > 0 {
            self.rows.add_spaced(numbered.as_ref().unwrap_or(&text), &first.through(&last));
            return;
        }
        if is_code {
            self.out.code_line(text, last);
            return;
        }
        let is_item = matches!(mark, Some(Mark::Bullet(_) | Mark::Item(..)));
        let is_prose = heading.is_none() && !self.in_title && !self.in_notes && !is_item;
        if !text.trim().is_empty() {
            self.out.mark(if is_prose { first } else { first.through(&last) });
        }
        let whole = numbered.as_ref().unwrap_or(&text);
        match (heading, mark) {
            (Some(level), _) => self.out.heading(level, whole),
            (None, _) if self.in_title => self.out.heading(2, &text),
            (None, _) if self.in_notes && !text.trim().is_empty() => self.out.paragraph(&format!("Notes: {text}")),
            (None, Some(Mark::Bullet(depth))) => self.out.item(depth, &text),
            (None, Some(Mark::Item(depth, label))) => self.out.marked_item(depth, &label, &text),
            (None, Some(Mark::Clause(_) | Mark::Silent) | None) => {
                // The number stands before what the places were counted in.
                let shift = whole.len().saturating_sub(text.len());
                let places = page_ends.other_places(&last).into_iter().map(|(at, place)| (at + shift, place));
                self.out.paragraph_over(whole, places.collect());
            }
        }
    }

    fn end_cell(&mut self) {
        let Some(sheet) = &mut self.sheet else { return };
        let Some((column, repeated)) = sheet.cell.take() else { return };
        // One more than are shown, so that it is told that there are more.
        let most = u32::try_from(limits::EXTRACT_TABLE_COLUMNS + 1).unwrap_or(u32::MAX);
        let day = sheet.day.take().map(|day| if sheet.is_struck { Struck::whole(&day) } else { day });
        let text = day.as_ref().unwrap_or(&sheet.text);
        for column in column..column.saturating_add(repeated.min(most)) {
            sheet.rows.cell(column, text);
        }
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

/// `2024-03-05T10:30:00` as workbooks of the other kind show it: `2024-03-05 10:30`. Nobody knows which number of `03/05/24` is the month.
fn day_shown(value: &str) -> Option<String> {
    let (day, time) = value.split_once('T').unwrap_or((value, ""));
    let is_day = day.len() == 10 && day.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let time = time.strip_suffix(":00").filter(|time| time.contains(':')).unwrap_or(time);
    let has_time = !time.is_empty() && time != "00:00";
    is_day.then(|| if has_time { format!("{day} {time}") } else { day.to_owned() })
}
