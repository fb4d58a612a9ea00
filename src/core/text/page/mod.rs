//! Bytes of a page to text: HTML, plain text, Markdown, JSON and feeds.
//!
//! Pages are written by strangers. Whatever they hold, reading ends soon, gives no more than a bounded multiple of what came in,
//! and loses no page that has words. None of it panics or recurses without a bound; PDF needs foreign parsers that do
//! both, so that it is read by a child process (`world::pdf`).

mod address;
mod blocked;
pub(crate) mod feed;
pub(super) mod html;
mod json;
pub(crate) mod kind;
#[cfg(test)]
mod tests;

use std::ops::Range;

use address::Address;
pub(crate) use blocked::{Blocked, is_asked_for};
pub(crate) use kind::Kind;

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::text::left_out::LostPages;
use crate::core::text::{decode, one_line};

/// A page as it came.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw<'a> {
    /// Where it was found, after redirects.
    pub(crate) url: &'a str,
    /// The `Content-Type` header.
    pub(crate) content_type: Option<&'a str>,
    pub(crate) bytes: &'a [u8],
}

/// A page as it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Extracted {
    pub(crate) kind: Kind,
    /// The main text with headings, lists, tables, code and links.
    pub(crate) markdown: String,
    /// The same words without marks; what quotes are looked up in.
    pub(crate) text: String,
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    /// `2026-11-15`.
    pub(crate) date: Option<String>,
    /// `en`.
    pub(crate) language: Option<String>,
    pub(crate) canonical: Option<String>,
    /// The links of the main text, absolute, in order.
    pub(crate) links: Vec<Link>,
    /// The pages of a PDF.
    pub(crate) pages: Vec<PageSpan>,
    /// What of them could not be read.
    pub(crate) lost: LostPages,
    /// The page is not what was asked for but something in its place.
    pub(crate) blocked: Option<Blocked>,
    pub(crate) problems: Vec<Problem>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) text: String,
    pub(crate) url: String,
}

/// Where a page of a PDF stands in [`Extracted::text`], in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PageSpan {
    /// From 1.
    pub(crate) number: u32,
    pub(crate) span: Range<usize>,
}

/// What was not as it should be; the text is there nevertheless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// Only the beginning was read.
    Cut,
    /// No main text could be told apart: everything was taken.
    Whole,
    /// The page shows nothing without its scripts; the text is from its structured data.
    StructuredOnly,
    /// Some pages of a PDF could not be read, or only in a simpler way.
    PagesLost,
}

impl Extracted {
    pub(crate) fn empty(kind: Kind) -> Self {
        Self {
            kind,
            markdown: String::new(),
            text: String::new(),
            title: None,
            author: None,
            date: None,
            language: None,
            canonical: None,
            links: Vec::new(),
            pages: Vec::new(),
            lost: LostPages::default(),
            blocked: None,
            problems: Vec::new(),
        }
    }
}

/// Reads a page of any kind but PDF, which a child of hadal reads.
pub(crate) fn extract(raw: Raw<'_>) -> Result<Extracted> {
    let kind = kind::of(&raw)?;
    let bytes = raw.bytes.get(..limits::EXTRACT_BYTES).unwrap_or(raw.bytes);
    let is_markup = matches!(kind, Kind::Html | Kind::Feed);
    let text = decode::page(bytes, raw.content_type, is_markup);
    let address = Address::of(raw.url);
    let mut page = match kind {
        Kind::Html => html::read(&text, &address),
        Kind::Feed => feed::read(&text, &address),
        Kind::Json => json::read(&text, &address),
        Kind::Markdown => prose(Kind::Markdown, text),
        Kind::Text => prose(Kind::Text, text),
        Kind::Pdf => return Err(Error::new(Code::Internal, "a PDF was given to the reader of text")),
    };
    if bytes.len() < raw.bytes.len() {
        page.problems.push(Problem::Cut);
    }
    page.blocked = blocked::find(&page);
    if page.language.is_none() {
        page.language = guessed_language(&page.text);
    }
    Ok(page)
}

/// A report as Markdown with its links. It was chosen by its reader, so that all of it is taken: a list of sources looks like furniture.
pub(crate) fn report(raw: Raw<'_>) -> Result<String> {
    let most = limits::CHECK_REPORT_BYTES;
    if raw.bytes.len() > most {
        // Half a report would be judged without its list of sources.
        let (size, most) = (raw.bytes.len().div_ceil(1 << 20), most >> 20);
        let message = format!("the report has {size} MB; a report may have {most} MB");
        return Err(Error::new(Code::OutputTooLarge, message));
    }
    match kind::of(&raw)? {
        Kind::Html => {
            let text = decode::page(raw.bytes, raw.content_type, true);
            Ok(html::report(&text, &Address::of(raw.url)))
        }
        kind @ (Kind::Markdown | Kind::Text) => {
            Ok(prose(kind, decode::page(raw.bytes, raw.content_type, false)).markdown)
        }
        Kind::Feed | Kind::Json | Kind::Pdf => extract(raw).map(|page| page.markdown),
    }
}

/// Text and Markdown are what they are; the first heading is the title.
fn prose(kind: Kind, text: String) -> Extracted {
    let text: String = text.chars().filter(|c| !c.is_control() || c.is_whitespace()).collect();
    let heading = || text.lines().find_map(|line| line.strip_prefix("# ")).map(one_line);
    let title = if kind == Kind::Markdown { heading() } else { None };
    Extracted { title, markdown: text.clone(), text, ..Extracted::empty(kind) }
}

/// The language of a text that is long enough to tell, as ISO 639-1 where there is such a code.
pub(crate) fn guessed_language(text: &str) -> Option<String> {
    let sample: String = text.chars().take(limits::EXTRACT_LANGUAGE_SAMPLE).collect();
    if sample.chars().count() < limits::EXTRACT_LANGUAGE_CHARS {
        return None;
    }
    let found = whatlang::detect(&sample).filter(whatlang::Info::is_reliable)?;
    let code = found.lang().code();
    let short = SHORT_CODES.iter().find(|(long, _)| *long == code).map_or(code, |(_, short)| *short);
    Some(short.to_owned())
}

/// Three letters to two.
const SHORT_CODES: [(&str, &str); 40] = [
    ("afr", "af"),
    ("ara", "ar"),
    ("ben", "bn"),
    ("bul", "bg"),
    ("cat", "ca"),
    ("ces", "cs"),
    ("cmn", "zh"),
    ("dan", "da"),
    ("deu", "de"),
    ("ell", "el"),
    ("eng", "en"),
    ("est", "et"),
    ("fin", "fi"),
    ("fra", "fr"),
    ("heb", "he"),
    ("hin", "hi"),
    ("hrv", "hr"),
    ("hun", "hu"),
    ("ind", "id"),
    ("ita", "it"),
    ("jpn", "ja"),
    ("kat", "ka"),
    ("kor", "ko"),
    ("lav", "lv"),
    ("lit", "lt"),
    ("nld", "nl"),
    ("nob", "no"),
    ("pes", "fa"),
    ("pol", "pl"),
    ("por", "pt"),
    ("ron", "ro"),
    ("rus", "ru"),
    ("slk", "sk"),
    ("slv", "sl"),
    ("spa", "es"),
    ("srp", "sr"),
    ("swe", "sv"),
    ("tur", "tr"),
    ("ukr", "uk"),
    ("vie", "vi"),
];

/// The blocks of a page with their numbers, for `hadal-eval`.
#[cfg(feature = "eval")]
pub(crate) fn measured(raw: Raw<'_>) -> Vec<(String, Vec<f32>)> {
    html::measured(&decode::page(raw.bytes, raw.content_type, true))
}
