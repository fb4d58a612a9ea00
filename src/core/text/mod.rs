//! A file's bytes as a document: its text, its title and its passages.
//!
//! Work and memory grow with the input and nothing else, whatever the input is; what is nested is read to a fixed depth. Places are those that the
//! reader of a file counts: lines of the file on disk, also where the text is not the file's own (HTML), pages, slides, cells, messages.

mod adoc_attributes;
mod bare_addresses;
mod bibtex;
pub(crate) mod changelog;
mod code;
pub(crate) mod code_settings;
pub(crate) mod dated_lines;
mod decode;
mod drawn_tables;
pub(crate) mod editions;
pub(crate) mod entry_times;
mod file_names;
pub(crate) mod format;
pub(crate) mod glyph_names;
mod json;
mod kinds;
pub(crate) mod left_out;
mod lines;
pub(crate) mod made_scripts;
pub(crate) mod markdown;
mod markup;
pub(crate) mod neutral;
mod notes;
mod outline;
pub(crate) mod page;
pub(crate) mod paging;
mod passages;
pub(crate) mod pdf_pages;
mod plain_text;
mod private_keys;
pub(crate) mod quoting;
mod raised;
mod records;
mod release_lines;
pub(crate) mod secret_files;
mod settings_banners;
mod settings_comments;
pub(crate) mod shingles;
pub(crate) mod spans;
pub(crate) mod status;
pub(crate) mod table_groups;
pub(crate) mod table_rows;
pub(crate) mod tags;
pub(crate) mod test_code;
mod tex_letters;
mod tex_macros;
mod unicode_escapes;
pub(crate) mod unknown_endings;
mod yaml_documents;

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::core::base::limits;
use crate::core::base::plain::is_picture;
use crate::core::text::spans::{PartPlace, PlaceInFile};
pub(crate) use format::Format;
pub(crate) use kinds::archive;
pub(crate) use left_out::LeftOut;
use left_out::LostPages;
use lines::Places;
pub(crate) use lines::lines_in;
use outline::Item;
pub(crate) use passages::leads;

/// Why a file cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// It holds NUL, as pictures and archives do.
    NotText,
    /// Neither its name nor its bytes are of a kind that is read.
    UnknownKind,
    Damaged(&'static str),
    /// By a password, or in the form that office programs wrote before 2007.
    Protected,
    /// Unpacked, it is larger than anything a person reads.
    TooLarge,
    /// It is kept for the secrets in it.
    Secret,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotText => to.write_str("is not text: it holds NUL bytes"),
            Self::UnknownKind => to.write_str("is of no kind that is read"),
            Self::Damaged(what) => write!(to, "is damaged: {what}"),
            Self::Protected => {
                to.write_str("is protected by a password, or written by an office program from before 2007")
            }
            Self::TooLarge => to.write_str("unpacks to more than is read of a file"),
            Self::Secret => to.write_str("is kept for the secrets in it, and not read"),
        }
    }
}

/// A file as hadal reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Document {
    /// What the document calls itself, if it does.
    pub(crate) title: Option<String>,
    /// The text; for Markdown and plain text the decoded file itself but for tables that are drawn with signs, for HTML what it says as Markdown.
    pub(crate) text: String,
    /// In order, not overlapping.
    pub(crate) passages: Vec<Piece>,
    /// What of the file is not in it.
    pub(crate) left_out: BTreeSet<LeftOut>,
    /// Whether it says of itself that it holds no longer.
    pub(crate) is_superseded: bool,
}

/// One passage of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The headings above it, outermost first; shared by all passages of a section.
    pub(crate) headings: Arc<[String]>,
    /// Where it stands in the text, in bytes.
    pub(crate) span: Range<usize>,
    /// Where it stands in the file.
    pub(crate) lines: PlaceInFile,
    /// Where its parts stand, as far as its text and its place do not tell.
    pub(crate) parts: Vec<PartPlace>,
    /// Whether it begins inside a block of code, whose fence stands before it.
    pub(crate) fenced: bool,
    /// The head of the table that it begins in the middle of, with its line below.
    pub(crate) table_head: Option<Arc<str>>,
}

impl Document {
    pub(crate) fn passage_text(&self, piece: &Piece) -> &str {
        cut(&self.text, &piece.span)
    }
}

/// Reads a file's bytes. Those of a PDF are read elsewhere, by a child, and come as pages: [`of_pages`].
pub(crate) fn extract(format: Format, bytes: Vec<u8>) -> Result<Document, Unreadable> {
    let text = |bytes: Vec<u8>| decode::file(&bytes, format == Format::Html);
    let contents = match format {
        Format::Markdown => notes::in_markdown(markdown::extract(text(bytes)?)),
        Format::Plain => notes::in_text(plain_text::extract(text(bytes)?)),
        Format::Html => {
            let (title, page) = page::html::document(&text(bytes)?);
            let (_, items) = markdown::outline(&page.markdown);
            Contents {
                title,
                text: page.markdown,
                items,
                places: Places::of_lines(page.lines, page.notes).with_entries(page.entries),
                left_out: ends_early(page.cut),
            }
        }
        Format::Org => notes::in_org(markup::org(text(bytes)?)),
        Format::AsciiDoc => markup::asciidoc(text(bytes)?),
        Format::Tex => markup::tex(text(bytes)?),
        Format::Log => markup::log(text(bytes)?),
        Format::Code => {
            let text = text(bytes)?;
            bibtex::contents(&text).unwrap_or_else(|| code::extract(text))
        }
        Format::Json => json::extract(text(bytes)?),
        Format::Settings => markup::settings(text(bytes)?),
        Format::Csv | Format::Tsv => kinds::table(&text(bytes)?, format == Format::Tsv),
        Format::Notebook => kinds::notebook(&text(bytes)?)?,
        Format::Man => kinds::manual(&text(bytes)?),
        Format::Docx | Format::Rtf => notes::in_text(notes::in_office(kinds::binary(format, &bytes)?)),
        Format::Odt => notes::in_text(kinds::binary(format, &bytes)?),
        Format::Pptx
        | Format::Xlsx
        | Format::Ods
        | Format::Odp
        | Format::Epub
        | Format::Mail
        | Format::Mailbox
        | Format::Cards
        | Format::Calendar => kinds::binary(format, &bytes)?,
        Format::Pdf => return Err(Unreadable::UnknownKind),
    };
    Ok(document(format, contents))
}

/// The Markdown of a report of any kind that pages are not made of; nothing for the others. The name may say nothing.
pub(crate) fn packed_report(name: &str, bytes: Vec<u8>) -> Result<Option<String>, Unreadable> {
    match format::opened(name, bytes) {
        Ok((format, bytes)) => kinds::report(format, &bytes),
        Err(Unreadable::UnknownKind) => Ok(None),
        Err(why) => Err(why),
    }
}

/// The document that the pages of a PDF are, by their numbers.
pub(crate) fn of_pages(title: Option<String>, pages: &[(u32, &str)], lost: &LostPages) -> Document {
    document(Format::Pdf, notes::on_pages(kinds::pages(title, pages, lost)))
}

fn document(format: Format, contents: Contents) -> Document {
    let Contents { title, text, items, places, mut left_out } = contents;
    let text = private_keys::without_private_keys(text);
    let title = title.filter(|title| !title.is_empty());
    let title = title.or_else(|| outline::title(&items, format.title_heading()));
    let is_superseded = format.is_prose() && status::is_superseded(&text, &items);
    let (passages, truncated) = passages::pack(&text, items, &places, format.text_lines());
    left_out.extend(truncated.then_some(LeftOut::Passages));
    Document { title, text, passages, left_out, is_superseded }
}

fn ends_early(cut: bool) -> BTreeSet<LeftOut> {
    cut.then_some(LeftOut::End).into_iter().collect()
}

/// What a format's reader hands on.
#[derive(Debug)]
struct Contents {
    /// A title that is not a heading.
    title: Option<String>,
    text: String,
    items: Vec<Item>,
    places: Places,
    left_out: BTreeSet<LeftOut>,
}

/// The text in a range that was made from this text; empty if it was not.
fn cut<'t>(text: &'t str, span: &Range<usize>) -> &'t str {
    text.get(span.clone()).unwrap_or_default()
}

/// What stands behind an opening bracket up to the closing one, at most so many bytes, and what follows it. Nobody looks further for the end,
/// however many brackets a text opens.
pub(crate) fn bracketed(after: &str, most: usize) -> Option<(&str, &str)> {
    let end = after.get(..after.floor_char_boundary(most + 1))?.find(']')?;
    Some((after.get(..end)?, after.get(end + 1..)?))
}

/// A path of an address without its percent signs; as it is where they make no text.
pub(crate) fn unescaped_path(path: &str) -> String {
    String::from_utf8(percent_decoded(path)).unwrap_or_else(|_| path.to_owned())
}

/// `a%20b` as bytes.
pub(crate) fn percent_decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|digits| *first == b'%' && digits.iter().all(u8::is_ascii_hexdigit));
        let byte = digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = after.get(if byte.is_some() { 2 } else { 0 }..).unwrap_or_default();
    }
    bytes
}

/// A heading or title on one line, cut to [`limits::HEADING_CHARS`].
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::new();
    let mut room = limits::HEADING_CHARS;
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        let is_text = |c: &char| !c.is_control() && !is_picture(*c);
        line.extend(word.chars().take(room).filter(is_text));
        room = room.saturating_sub(word.chars().take(room).count() + 1);
        if room == 0 {
            break;
        }
    }
    line
}

#[cfg(test)]
mod tests;
