//! Kinds of file that are no plain text: each is made Markdown, with the places that its readers count in.
//!
//! The readers stop at the limits of what may be unpacked and written; what is nested (mail in mail) is read to a fixed depth.

pub(crate) mod archive;
mod build;
mod calendar;
mod cards;
mod chart;
mod content_lines;
mod docx;
mod epub;
mod formula;
mod mail;
mod man;
mod mime;
mod notebook;
mod number_formats;
mod numbering;
mod odf;
mod pages;
mod paragraph;
mod parameters;
mod pptx;
mod remarks;
mod row_line;
mod rows;
mod rtf;
mod running;
mod serials;
mod symbols;
mod table;
#[cfg(test)]
mod tests;
mod voices;
mod xlsx;
mod xml;
mod zip;

use std::collections::BTreeMap;

use super::spans::{PlaceInFile, Unit};
use super::{Contents, Format, LeftOut, Unreadable, one_line};
use build::Builder;
pub(super) use man::is_manual;
pub(super) use pages::pages;
pub(super) use rtf::is_rtf;
use xml::{Token, Tokens};
use zip::Archive;

/// The beginning of the container that encrypted office files come in, and those of old versions.
const OLD_OFFICE: &[u8] = b"\xd0\xcf\x11\xe0";

type ReadArchive = fn(&mut Archive<'_>) -> Result<Contents, Unreadable>;

/// The formats that are an archive of XML.
const ARCHIVES: [(Format, ReadArchive); 7] = [
    (Format::Docx, docx::extract),
    (Format::Pptx, pptx::extract),
    (Format::Xlsx, xlsx::extract),
    (Format::Odt, odf::text),
    (Format::Ods, odf::workbook),
    (Format::Odp, odf::text),
    (Format::Epub, epub::extract),
];

type ReadBytes = fn(&[u8]) -> Result<Contents, Unreadable>;

/// The formats that are no archive.
const OTHERS: [(Format, ReadBytes); 5] = [
    (Format::Mail, |bytes| Ok(mail::message(bytes))),
    (Format::Mailbox, |bytes| Ok(mail::mailbox(bytes))),
    (Format::Cards, cards::extract),
    (Format::Calendar, calendar::extract),
    (Format::Rtf, rtf::extract),
];

/// Reads what is no text as a whole: office files, books, mail, cards and calendars.
pub(super) fn binary(format: Format, bytes: &[u8]) -> Result<Contents, Unreadable> {
    if let Some((_, read)) = OTHERS.iter().find(|(known, _)| *known == format) {
        return read(bytes);
    }
    if bytes.starts_with(OLD_OFFICE) {
        return Err(Unreadable::Protected);
    }
    let (_, read) = ARCHIVES.iter().find(|(known, _)| *known == format).ok_or(Unreadable::UnknownKind)?;
    read(&mut Archive::open(bytes)?)
}

/// Entries by which an archive is known: a part that no file of the format lacks, or what its first entry says.
const PARTS: [(&str, Format); 3] =
    [("word/document.xml", Format::Docx), ("ppt/presentation.xml", Format::Pptx), ("xl/workbook.xml", Format::Xlsx)];
const MIME_TYPES: [(&str, Format); 4] = [
    ("application/vnd.oasis.opendocument.text", Format::Odt),
    ("application/vnd.oasis.opendocument.spreadsheet", Format::Ods),
    ("application/vnd.oasis.opendocument.presentation", Format::Odp),
    ("application/epub+zip", Format::Epub),
];

/// The format of an archive that is an office file or a book, by what is in it.
pub(super) fn of_archive(bytes: &[u8]) -> Option<Format> {
    let mut archive = bytes.starts_with(b"PK\x03\x04").then(|| Archive::open(bytes).ok()).flatten()?;
    let has = |name: &str| archive.has(name);
    if let Some((_, format)) = PARTS.iter().find(|(part, _)| has(part)) {
        return Some(*format);
    }
    let said = archive.text("mimetype").ok()??;
    MIME_TYPES.iter().find(|(mime, _)| said.trim() == *mime).map(|(_, format)| *format)
}

/// The Markdown of a report that is no page: of office texts with the addresses of their links. Nothing for what pages are made of.
pub(super) fn report(format: Format, bytes: &[u8]) -> Result<Option<String>, Unreadable> {
    let read: ReadArchive = match format {
        Format::Docx => docx::with_links,
        Format::Odt => odf::with_links,
        Format::Rtf => return Ok(Some(rtf::with_links(bytes)?.text)),
        Format::Pptx
        | Format::Xlsx
        | Format::Ods
        | Format::Odp
        | Format::Epub
        | Format::Mail
        | Format::Mailbox
        | Format::Cards
        | Format::Calendar => return Ok(Some(binary(format, bytes)?.text)),
        Format::Notebook => return Ok(Some(notebook(&super::decode::file(bytes, false)?)?.text)),
        Format::Man => return Ok(Some(manual(&super::decode::file(bytes, false)?).text)),
        Format::Markdown
        | Format::Plain
        | Format::Html
        | Format::Org
        | Format::AsciiDoc
        | Format::Tex
        | Format::Log
        | Format::Code
        | Format::Json
        | Format::Settings
        | Format::Csv
        | Format::Tsv
        | Format::Pdf => return Ok(None),
    };
    if bytes.starts_with(OLD_OFFICE) {
        return Err(Unreadable::Protected);
    }
    Ok(Some(read(&mut Archive::open(bytes)?)?.text))
}

/// Reads values in rows.
pub(super) fn table(text: &str, is_tabbed: bool) -> Contents {
    table::extract(text, is_tabbed)
}

pub(super) fn notebook(text: &str) -> Result<Contents, Unreadable> {
    notebook::extract(text)
}

/// Reads a page of the manual.
pub(super) fn manual(text: &str) -> Contents {
    man::extract(text)
}

/// How far the reader of a text has come: to a page where the file marks pages, else to a paragraph.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    page: Option<u32>,
    paragraph: u32,
}

/// Characters that a page can have; one that has more was not laid out when its marks were written.
const PAGE_CHARS: usize = 8_000;

/// Whether the marks of pages in XML are all that the program which wrote it would make: as many as it counted pages, and no page longer than
/// a page. Programs without a screen mark only the pages that they have laid out.
fn marks_all_pages(xml: &str, mark: &str, pages: Option<u64>) -> bool {
    if !xml.contains(mark) {
        return false;
    }
    let chars = |part: &str| {
        let runs = part.split('<').map(|run| run.split_once('>').map_or(run, |(_tag, text)| text));
        runs.map(|text| text.trim().chars().count()).sum::<usize>()
    };
    // Behind a mark its tag goes on.
    let behind_tag = |part: &str| part.split_once('>').map_or(0, |(_tag, rest)| chars(rest));
    let mut parts = xml.split(mark);
    let first = parts.next().map_or(0, chars);
    let others: Vec<usize> = parts.map(behind_tag).collect();
    let counted = u64::try_from(others.len()).ok().map(|marks| marks + 1);
    counted == pages && others.iter().chain([&first]).all(|chars| *chars <= PAGE_CHARS)
}

impl Progress {
    fn new(is_paged: bool) -> Self {
        Self { page: is_paged.then_some(1), paragraph: 0 }
    }

    fn next_page(&mut self) {
        self.page = self.page.map(|page| page.saturating_add(1));
    }

    fn next_paragraph(&mut self) {
        self.paragraph = self.paragraph.saturating_add(1);
    }

    fn place(self) -> PlaceInFile {
        let paragraph = self.paragraph.max(1);
        match self.page {
            Some(page) => PlaceInFile::of(Unit::Page, page, page),
            None => PlaceInFile::of(Unit::Paragraph, paragraph, paragraph),
        }
    }
}

/// Where pages end inside a paragraph: from these bytes of its text on, the next one is shown.
#[derive(Clone, Debug, Default)]
struct PageEnds {
    ends: Vec<usize>,
    /// The text says nothing up to here.
    silent: usize,
}

impl PageEnds {
    /// A page ends behind this text; what has no text yet begins on the next one.
    fn end_behind(&mut self, text: &str) {
        let says_more = text.get(self.silent..).unwrap_or(text).contains(char::is_alphanumeric);
        if says_more || !self.ends.is_empty() {
            self.ends.push(text.len());
        } else {
            self.silent = text.len();
        }
    }

    /// Where a paragraph begins that ends here.
    fn first_place(&self, last: &PlaceInFile) -> PlaceInFile {
        let pages = if last.unit == Unit::Page { u32::try_from(self.ends.len()).unwrap_or(u32::MAX) } else { 0 };
        let first = last.first.saturating_sub(pages).max(1);
        PlaceInFile { first, last: first, ..last.clone() }
    }

    /// The places of a paragraph that ends here, behind the first.
    fn other_places(&self, last: &PlaceInFile) -> Vec<(usize, PlaceInFile)> {
        let first = self.first_place(last).first;
        let pages = self.ends.iter().filter(|_| last.unit == Unit::Page).zip(first.saturating_add(1)..);
        pages.map(|(at, page)| (*at, PlaceInFile::of(Unit::Page, page, page))).collect()
    }
}

trait Spaced {
    /// Appends with a blank between.
    fn push_spaced(&mut self, text: &str);
}

impl Spaced for String {
    fn push_spaced(&mut self, text: &str) {
        if !self.is_empty() && !text.is_empty() {
            self.push(' ');
        }
        self.push_str(text);
    }
}

/// Text that is struck out, between `~~` as in pages.
#[derive(Clone, Copy, Debug, Default)]
struct Struck {
    now: bool,
    /// Whether the text before was.
    before: bool,
}

impl Struck {
    /// A text that is struck out as a whole.
    fn whole(text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 4);
        Self { now: true, before: false }.push(&mut out, text);
        out
    }

    /// Appends a run; one that goes on with what was struck out before has no marks of its own.
    fn push(&mut self, out: &mut String, text: &str) {
        let said = text.trim();
        let goes_on = std::mem::replace(&mut self.before, self.now) && out.ends_with("~~");
        if !self.now || said.is_empty() {
            out.push_str(text);
            return;
        }
        let (before, rest) = text.split_at_checked(text.len() - text.trim_start().len()).unwrap_or(("", text));
        let behind = rest.strip_prefix(said).unwrap_or_default();
        if goes_on {
            out.truncate(out.len() - 2);
        }
        let mark = if goes_on { "" } else { "~~" };
        out.extend([before, mark, said, "~~", behind]);
    }
}

/// Where a part of an office file leads.
#[derive(Debug)]
struct Target {
    path: String,
    /// Where it is one of the web.
    address: Option<String>,
    kind: String,
}

/// What a part of an office file refers to, by id.
fn related(archive: &mut Archive<'_>, part: &str) -> Result<BTreeMap<String, Target>, Unreadable> {
    let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
    let list = archive.text(&format!("{folder}/_rels/{name}.rels"))?.unwrap_or_default();
    let target = |token: Token<'_>| match token {
        Token::Open(tag) | Token::Empty(tag) if tag.name == "Relationship" => {
            let target = tag.get("Target")?;
            let (path, address) = (resolved(part, &target), web_address(&target));
            Some((tag.get("Id")?.into_owned(), Target { path, address, kind: tag.get("Type")?.into_owned() }))
        }
        Token::Open(_) | Token::Empty(_) | Token::Close(_) | Token::Text(_) => None,
    };
    Ok(Tokens::new(&list).filter_map(target).collect())
}

/// The address of a link that leads into the web, and can stand between angle brackets.
fn web_address(target: &str) -> Option<String> {
    let is_web = target.starts_with("https://") || target.starts_with("http://");
    (is_web && !target.contains(['<', '>', '\n'])).then(|| target.to_owned())
}

/// A path as it is written in a part of an archive, as the name of an entry.
fn resolved(part: &str, path: &str) -> String {
    if let Some(path) = path.strip_prefix('/') {
        return path.to_owned();
    }
    let folder = part.rsplit_once('/').map(|(folder, _)| folder).unwrap_or_default();
    let mut names: Vec<&str> = folder.split('/').filter(|name| !name.is_empty()).collect();
    for name in path.split('#').next().unwrap_or_default().split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    names.join("/")
}

/// The title that an office file of Microsoft's kind gives itself.
fn document_title(archive: &mut Archive<'_>) -> Result<Option<String>, Unreadable> {
    Ok(archive.text("docProps/core.xml")?.and_then(|core| element(&core, "title")))
}

/// The text of the first element of this name.
fn element(text: &str, name: &str) -> Option<String> {
    let mut inside = false;
    let mut found = String::new();
    for token in Tokens::new(text) {
        match token {
            Token::Open(tag) if tag.name == name => inside = true,
            Token::Close(closed) if closed == name && inside => break,
            Token::Text(text) if inside => found.push_str(&text),
            Token::Open(_) | Token::Empty(_) | Token::Close(_) | Token::Text(_) => {}
        }
    }
    Some(one_line(&found)).filter(|title| !title.is_empty())
}
