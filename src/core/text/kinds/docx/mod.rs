//! Word documents: paragraphs, headings, lists, tables, code, charts, formulas and notes of `word/document.xml`, and what people remarked on them. What is
//! hidden or deleted is no part of it.

mod beside;
mod styles;

use std::collections::BTreeMap;

use super::super::spans::PlaceInFile;
use super::super::{Contents, LeftOut, Unreadable};
use super::build::Builder;
use super::chart::Chart;
use super::formula::formula;
use super::numbering::word::WordLists;
use super::numbering::{Mark, roman};
use super::paragraph::{Ended, Shape};
use super::remarks::Remarks;
use super::rows::{Rows, Tables};
use super::symbols::symbol;
use super::xml::{Tag, Token, Tokens};
use super::zip::Archive;
use super::{PageEnds, Progress, Struck, document_title, marks_all_pages, related};
use crate::core::base::limits;
use crate::core::text::raised::Script;
use styles::{Style, depth, is_on, level};

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

/// The charts that a document refers to, by id.
fn charts(archive: &mut Archive<'_>) -> BTreeMap<String, Chart> {
    let mut charts = BTreeMap::new();
    for (id, target) in related(archive, "word/document.xml").unwrap_or_default() {
        if target.kind.ends_with("/chart") && charts.len() < limits::OFFICE_PARTS {
            charts.extend(archive.text(&target.path).ok().flatten().map(|text| (id, Chart::of(&text))));
        }
    }
    charts
}

fn read(archive: &mut Archive<'_>, with_links: bool) -> Result<Contents, Unreadable> {
    let text = archive.needed("word/document.xml")?;
    let mut lists = archive.text("word/numbering.xml")?.map(|lists| WordLists::of(&lists)).unwrap_or_default();
    let styles = archive.text("word/styles.xml")?.map(|text| styles::read(&text, &mut lists)).unwrap_or_default();
    // Pages are known where the program that wrote the file left marks of all of them.
    let pages = archive.text("docProps/app.xml")?.and_then(|facts| super::element(&facts, "Pages")?.parse().ok());
    let paged = marks_all_pages(&text, "<w:lastRenderedPageBreak", pages);
    let links = if with_links { links_of(archive, "word/document.xml")? } else { BTreeMap::new() };
    let mut reader = Reader { styles, lists, links, progress: Progress::new(paged), ..Reader::default() };
    reader.out.title = document_title(archive)?;
    // A report is checked for what it says itself.
    if !with_links {
        (reader.remarks, reader.charts) = (beside::comments(archive), charts(archive));
    }
    let start = reader.progress.place();
    reader.out.mark(start.clone());
    reader.read(&text, None)?;
    for (part, name) in [("word/footnotes.xml", "footnote"), ("word/endnotes.xml", "endnote")] {
        if let Some(notes) = archive.text(part)? {
            reader.out.section();
            reader.links = if with_links { links_of(archive, part)? } else { BTreeMap::new() };
            reader.read(&notes, Some(name))?;
        }
    }
    reader.note_place = None;
    reader.remarks.take_rest().iter().for_each(|remark| reader.out.paragraph(remark));
    reader.out.left_out.extend(reader.remarks.has_more.then_some(LeftOut::Parts));
    if !with_links {
        beside::running_lines(archive).write(&mut reader.out, start);
    }
    Ok(reader.out.finish())
}

/// A paragraph that is being read.
#[derive(Debug, Default)]
struct Paragraph {
    text: String,
    page_ends: PageEnds,
    style: Style,
    /// What it says of its list by itself: that it is in one, in which, and how deep.
    is_listed: bool,
    num: Option<u32>,
    level: Option<usize>,
    /// Its end was deleted or is hidden, so that nothing is left of it where it has no text.
    is_deleted: bool,
    has_runs: bool,
}

/// A note that the text refers to: where that is, and the number that is printed.
#[derive(Debug)]
struct Reference {
    place: PlaceInFile,
    number: String,
}

/// What belongs to a paragraph and stands behind it.
#[derive(Debug)]
enum Behind {
    Remark(String),
    Chart(Chart),
}

/// What a document keeps of its former state.
const NO_MORE: [&str; 7] = ["del", "moveFrom", "pPrChange", "rPrChange", "tcPrChange", "trPrChange", "sectPrChange"];

#[derive(Debug, Default)]
struct Reader {
    out: Builder,
    styles: BTreeMap<String, Style>,
    lists: WordLists,
    /// The addresses of links, by id; none where they are not wanted.
    links: BTreeMap<String, String>,
    /// The address of the link that is open.
    link: Option<String>,
    progress: Progress,
    /// Where notes are referred to, by their kind and id, and how many of both kinds.
    references: BTreeMap<(&'static str, String), Reference>,
    footnotes: u32,
    endnotes: u32,
    /// The number of the note that was opened and whose first paragraph has not come yet.
    note: Option<String>,
    /// Where the note stands that is being read.
    note_place: Option<PlaceInFile>,
    /// Those that are open; a text box stands inside a paragraph.
    open: Vec<Paragraph>,
    tables: Tables,
    remarks: Remarks,
    charts: BTreeMap<String, Chart>,
    /// What is written behind the paragraph or the table that is open.
    behind: Vec<Behind>,
    /// Whether text is being shown: not that of fields and properties.
    in_text: bool,
    /// Whether that text is raised or lowered, and whether it is struck out.
    script: Option<Script>,
    struck: Struck,
    /// Whether that text is hidden: what it says by itself, and what its style says.
    is_hidden: Option<bool>,
    is_style_hidden: Option<bool>,
}

impl Reader {
    /// Reads a part of the document: its text, or the notes that are elements of this name.
    fn read(&mut self, text: &str, notes: Option<&'static str>) -> Result<(), Unreadable> {
        (self.open, self.tables, self.in_text) = (Vec::new(), Tables::default(), false);
        let mut tokens = Tokens::new(text);
        while let Some(token) = tokens.next() {
            if self.out.is_full() {
                break;
            }
            match token {
                // The same once more, for programs that cannot show the choice before it.
                Token::Open(tag) if tag.name == "Fallback" => tokens.skip_element("Fallback"),
                // What was moved is read where it stands now, and how things looked before they were changed says nothing.
                Token::Open(tag) if NO_MORE.contains(&tag.name) => tokens.skip_element(tag.name),
                // Separators are notes with a type of their own.
                Token::Open(tag) if Some(tag.name) == notes && tag.get("type").is_some() => {
                    tokens.skip_element(tag.name);
                }
                Token::Open(tag) if Some(tag.name) == notes => {
                    let key = notes.zip(tag.get("id").map(|id| id.into_owned()));
                    match key.and_then(|key| self.references.get(&key)) {
                        Some(reference) => {
                            self.note = Some(reference.number.clone());
                            self.note_place = Some(reference.place.clone());
                        }
                        // What is hidden or deleted referred to it.
                        None => tokens.skip_element(tag.name),
                    }
                }
                Token::Open(tag) if tag.name == "oMath" => {
                    self.begin_run();
                    self.say(&formula(&mut tokens));
                }
                Token::Open(tag) => self.opened(&tag)?,
                // A blank line.
                Token::Empty(tag) if tag.name == "p" => self.progress.next_paragraph(),
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
            "r" => self.begin_run(),
            "t" => self.in_text = true,
            "hyperlink" => {
                self.link = tag.get("r:id").and_then(|id| self.links.get(id.as_ref()).cloned());
                if self.link.is_some() {
                    self.add("[");
                }
            }
            "tbl" => self.tables.open(),
            "tr" => self.tables.rows().into_iter().for_each(Rows::row),
            "tc" => self.tables.rows().into_iter().for_each(Rows::cell),
            _ => self.empty(tag),
        }
        Ok(())
    }

    /// What was said of the text before ends.
    fn begin_run(&mut self) {
        (self.script, self.struck.now) = (None, false);
        (self.is_hidden, self.is_style_hidden) = (None, None);
        self.open.iter_mut().next_back().into_iter().for_each(|open| open.has_runs = true);
    }

    /// Whether the text is not shown that is being read.
    fn is_hidden(&self) -> bool {
        let of_paragraph = || self.open.last().and_then(|open| open.style.is_hidden);
        self.is_hidden.or(self.is_style_hidden).or_else(of_paragraph).unwrap_or(false)
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
            "strike" | "dstrike" => self.struck.now |= is_on(tag),
            "vanish" => {
                self.is_hidden = Some(is_on(tag));
                let of_end = self.open.last_mut().filter(|open| !open.has_runs && is_on(tag));
                of_end.into_iter().for_each(|open| open.is_deleted = true);
            }
            "rStyle" => {
                let style = tag.get("val").and_then(|id| self.styles.get(id.as_ref()));
                self.is_style_hidden = style.and_then(|style| style.is_hidden);
            }
            "sym" => {
                let sign = tag.get("font").zip(tag.get("char")).and_then(|(font, number)| symbol(&font, &number));
                sign.into_iter().for_each(|sign| self.say(sign.encode_utf8(&mut [0; 4])));
            }
            "gridSpan" => self.tables.rows().into_iter().for_each(|rows| rows.widen(tag.number("val"))),
            "vMerge" if tag.get("val").is_none_or(|merge| merge == "continue") => {
                self.tables.rows().into_iter().for_each(Rows::continue_above);
            }
            "commentRangeStart" => tag.get("id").iter().for_each(|id| self.remarks.begin(id)),
            "commentRangeEnd" => tag.get("id").iter().for_each(|id| self.remarks.end(id)),
            "commentReference" => {
                let said = self.open.last().map(|open| open.text.as_str()).unwrap_or_default();
                let remark = tag.get("id").and_then(|id| self.remarks.take_behind(&id, said));
                self.behind.extend(remark.map(Behind::Remark));
            }
            "chart" => {
                let chart = tag.get("r:id").and_then(|id| self.charts.remove(id.as_ref()));
                self.behind.extend(chart.map(Behind::Chart));
            }
            _ => {}
        }
        let is_hidden = self.is_hidden();
        let styles = &self.styles;
        let Some(open) = self.open.last_mut() else { return };
        match tag.name {
            "pStyle" => {
                open.style = tag.get("val").and_then(|id| styles.get(id.as_ref()).copied()).unwrap_or(open.style)
            }
            "outlineLvl" => open.style.shape = level(tag).map(Shape::Heading).or(open.style.shape),
            "numPr" => open.is_listed = true,
            "ilvl" => open.level = depth(tag),
            "numId" => open.num = tag.number("val"),
            "del" => open.is_deleted = true,
            "tab" | "br" | "cr" | "noBreakHyphen" | "footnoteReference" | "endnoteReference" if is_hidden => {}
            "tab" => open.text.push(' '),
            "br" | "cr" => open.text.push('\n'),
            "noBreakHyphen" => open.text.push('-'),
            "footnoteReference" | "endnoteReference" => self.refer(tag),
            _ => {}
        }
    }

    /// The text refers to a note. Notes are counted, whatever their ids are: footnotes in figures, and endnotes as Word counts them.
    fn refer(&mut self, tag: &Tag<'_>) {
        let Some(id) = tag.get("id") else { return };
        let (kind, count) = match tag.name {
            "footnoteReference" => ("footnote", &mut self.footnotes),
            _ => ("endnote", &mut self.endnotes),
        };
        let key = (kind, id.into_owned());
        let mut here = self.progress;
        here.next_paragraph();
        let reference = self.references.entry(key).or_insert_with(|| {
            *count = count.saturating_add(1);
            let number = if kind == "footnote" { count.to_string() } else { roman(*count) };
            Reference { place: here.place(), number }
        });
        let mark = format!("[^{}]", reference.number);
        self.add(&mark);
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
                    self.remarks.end_line();
                    self.write_behind();
                }
            }
            "tbl" => {
                self.tables.close(&mut self.out);
                self.write_behind();
            }
            _ => {}
        }
    }

    /// Appends what the text says.
    fn say(&mut self, text: &str) {
        if self.is_hidden() {
            return;
        }
        let Some(open) = self.open.last_mut() else { return };
        // Marks would be a part of code.
        self.struck.now &= open.style.shape != Some(Shape::Code);
        self.struck.push(&mut open.text, text);
        self.remarks.say(text);
    }

    /// Writes what belongs to the paragraph or the table that has ended.
    fn write_behind(&mut self) {
        if self.tables.is_open() || !self.open.is_empty() {
            return;
        }
        for behind in std::mem::take(&mut self.behind) {
            match behind {
                Behind::Remark(remark) => self.out.paragraph(&remark),
                Behind::Chart(chart) => chart.write(&mut self.out),
            }
        }
    }

    fn add(&mut self, text: &str) {
        self.open.iter_mut().next_back().into_iter().for_each(|open| open.text.push_str(text));
    }

    fn end(&mut self, paragraph: Paragraph) {
        self.progress.next_paragraph();
        let mark = self.mark(&paragraph);
        let Paragraph { text, style, page_ends, .. } = paragraph;
        let ended = Ended { text, shape: style.shape, mark, page_ends, last: self.place() };
        if self.tables.is_open() {
            let (text, place) = ended.in_cell();
            self.tables.add_spaced(&text, &place);
        } else {
            ended.write(&mut self.out);
        }
    }

    /// What stands in front of a paragraph: what its own list says, or that of its style.
    fn mark(&mut self, paragraph: &Paragraph) -> Option<Mark> {
        let Paragraph { style, is_listed, num, level, is_deleted, .. } = paragraph;
        let is_gone = (*is_deleted || style.is_hidden == Some(true)) && paragraph.text.trim().is_empty();
        let num = num.or(style.num).filter(|_| !is_gone);
        if num == Some(0) {
            return None;
        }
        let depth = match (level.or(style.level), style.shape) {
            (Some(level), _) => level,
            (None, Some(Shape::Item(depth))) => depth,
            (None, _) => 0,
        };
        // A list that nobody knows is one of bullets.
        let is_item = *is_listed || matches!(style.shape, Some(Shape::Item(_)));
        num.and_then(|num| self.lists.next(num, depth)).or(is_item.then_some(Mark::Bullet(depth)))
    }

    fn place(&self) -> PlaceInFile {
        self.note_place.clone().unwrap_or_else(|| self.progress.place())
    }
}
