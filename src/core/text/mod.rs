//! A file's bytes as a document: its text, its title and its passages.
//!
//! No recursion: work and memory grow with the input and nothing else, whatever the input is. Nothing here fails but on bytes
//! that are no text. Line numbers are those of the file on disk, also where the text is not the file's own (HTML).

mod bare_addresses;
mod decode;
mod lines;
mod markdown;
pub(crate) mod neutral;
mod outline;
pub(crate) mod page;
pub(crate) mod paging;
mod passages;
mod plain;
pub(crate) mod quoting;
mod sentences;
pub(crate) mod shingles;
pub(crate) mod spans;
pub(crate) mod words;

use std::ops::Range;
use std::sync::Arc;

use crate::core::base::limits;
use crate::core::text::spans::Lines;
use lines::LineMap;
use outline::Item;
pub(crate) use sentences::sentences;

/// The kinds of file the library reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Markdown,
    Plain,
    Html,
}

impl Format {
    /// The extensions that are read; every other file is none of the library's business.
    pub(crate) const EXTENSIONS: [(&str, Self); 8] = [
        ("md", Self::Markdown),
        ("markdown", Self::Markdown),
        ("txt", Self::Plain),
        ("text", Self::Plain),
        ("rst", Self::Plain),
        ("html", Self::Html),
        ("htm", Self::Html),
        ("xhtml", Self::Html),
    ];

    pub(crate) fn of_extension(extension: &str) -> Option<Self> {
        Self::EXTENSIONS.iter().find(|(known, _)| known.eq_ignore_ascii_case(extension)).map(|(_, format)| *format)
    }
}

/// The bytes are not text (they hold NUL, as pictures and archives do).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotText;

/// A file as hadal reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Document {
    /// What the document calls itself, if it does.
    pub(crate) title: Option<String>,
    /// The text; for Markdown and plain text the decoded file itself, for HTML what it says as Markdown.
    pub(crate) text: String,
    /// In order, not overlapping.
    pub(crate) passages: Vec<Piece>,
    /// Whether the end was left out, such as passages beyond [`limits::PASSAGES_PER_FILE`].
    pub(crate) truncated: bool,
}

/// One passage of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The headings above it, outermost first; shared by all passages of a section.
    pub(crate) headings: Arc<[String]>,
    /// Where it stands in the text, in bytes.
    pub(crate) span: Range<usize>,
    /// Where it stands in the file.
    pub(crate) lines: Lines,
}

impl Document {
    pub(crate) fn passage_text(&self, piece: &Piece) -> &str {
        cut(&self.text, &piece.span)
    }
}

/// Reads a file's bytes.
pub(crate) fn extract(format: Format, bytes: Vec<u8>) -> Result<Document, NotText> {
    let text = decode::file(&bytes, format == Format::Html)?;
    drop(bytes);
    let Contents { title, text, items, lines, cut } = match format {
        Format::Markdown => markdown::extract(text),
        Format::Plain => plain::extract(text),
        Format::Html => {
            let (title, page) = page::html::document(&text);
            let (_, items) = markdown::outline(&page.markdown);
            Contents { title, text: page.markdown, items, lines: page.lines, cut: page.cut }
        }
    };
    let first_heading = || items.iter().find_map(Item::heading).map(str::to_owned);
    let title = title.filter(|title| !title.is_empty()).or_else(first_heading);
    let (passages, truncated) = passages::pack(&text, items, &lines);
    Ok(Document { title, text, passages, truncated: truncated || cut })
}

/// What a format's reader hands on.
#[derive(Debug)]
struct Contents {
    /// A title that is not a heading.
    title: Option<String>,
    text: String,
    items: Vec<Item>,
    lines: LineMap,
    /// The end was left out.
    cut: bool,
}

/// The text in a range that was made from this text; empty if it was not.
fn cut<'t>(text: &'t str, span: &Range<usize>) -> &'t str {
    text.get(span.clone()).unwrap_or_default()
}

/// What stands behind an opening bracket up to the closing one, at most so many bytes, and what follows it. Nobody looks further for the end, so
/// no part of a text is looked at twice, however many brackets it opens.
pub(crate) fn bracketed(after: &str, most: usize) -> Option<(&str, &str)> {
    let end = after.get(..after.floor_char_boundary(most + 1))?.find(']')?;
    Some((after.get(..end)?, after.get(end + 1..)?))
}

/// A heading or title on one line, cut to [`limits::HEADING_CHARS`].
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::new();
    let mut room = limits::HEADING_CHARS;
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().take(room).filter(|c| !c.is_control()));
        room = room.saturating_sub(word.chars().take(room).count() + 1);
        if room == 0 {
            break;
        }
    }
    line
}

#[cfg(test)]
mod tests;
