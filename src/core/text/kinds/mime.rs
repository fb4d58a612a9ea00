//! The form of mail: headers, parts inside parts, and how their bytes are written.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::super::decode;
use super::super::page::html;
use super::parameters::parameter;
use crate::core::base::limits;
use crate::core::language::words::words as words_of;

/// The mark of a message that was deleted.
const MOZILLA_DELETED: u32 = 8;
/// So many figures that only the page has are those of a table.
const TABLE_FIGURES: usize = 4;
/// An encoded word of a header; the standard allows 75.
const ENCODED_WORD_BYTES: usize = 2_000;

/// The headers of a message or of a part of it, by their names in lower case; of several the first.
#[derive(Clone, Debug, Default)]
pub(super) struct Headers(BTreeMap<String, String>);

/// A part that has no parts itself.
#[derive(Debug)]
pub(super) struct Part<'b> {
    headers: Headers,
    body: &'b [u8],
    /// It is, or is in, a form of the text that is not read.
    is_other_form: bool,
}

impl Headers {
    /// The headers and what follows them.
    pub(super) fn split(bytes: &[u8]) -> (Self, &[u8]) {
        let mut headers = BTreeMap::new();
        let mut last: Option<(String, String)> = None;
        let mut at = 0;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            at += line.len();
            let text = decode::page(line.trim_ascii_end(), None, false);
            if text.is_empty() {
                break;
            }
            match (&mut last, text.starts_with([' ', '\t'])) {
                (Some((_, value)), true) if value.len() < limits::MAIL_HEADER_BYTES => {
                    value.push(' ');
                    value.push_str(text.trim());
                }
                (_, true) => {}
                (_, false) => {
                    last.take().into_iter().for_each(|(name, value)| {
                        headers.entry(name).or_insert(value);
                    });
                    let text = text.get(..text.floor_char_boundary(limits::MAIL_HEADER_BYTES)).unwrap_or_default();
                    let named = text.split_once(':').filter(|_| headers.len() < limits::MAIL_HEADERS);
                    last = named.map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()));
                }
            }
        }
        last.into_iter().for_each(|(name, value)| {
            headers.entry(name).or_insert(value);
        });
        (Self(headers), bytes.get(at..).unwrap_or_default())
    }

    pub(super) fn get(&self, name: &str) -> Option<String> {
        self.0.get(name).cloned()
    }

    /// Takes it for this kind, where nothing else is said.
    fn assume(&mut self, kind: &str) {
        self.0.entry("content-type".to_owned()).or_insert_with(|| kind.to_owned());
    }

    /// `text/plain` where nothing else is said.
    pub(super) fn kind(&self) -> String {
        let said = self.0.get("content-type").and_then(|kind| kind.split(';').next());
        said.map_or_else(|| "text/plain".to_owned(), |kind| kind.trim().to_ascii_lowercase())
    }

    /// The name of the file that a part is.
    fn file_name(&self) -> Option<String> {
        let value = |name: &str| self.0.get(name).map(String::as_str).unwrap_or_default();
        let named = parameter(value("content-disposition"), "filename").filter(|name| !name.trim().is_empty());
        let named = named.or_else(|| parameter(value("content-type"), "name"));
        let name = words(&named?).chars().filter(|c| !c.is_control()).take(limits::HEADING_CHARS).collect::<String>();
        Some(name).filter(|name| !name.trim().is_empty())
    }

    /// Whether Thunderbird keeps a message only until the box is compacted.
    pub(super) fn is_deleted(&self) -> bool {
        let status = self.0.get("x-mozilla-status").and_then(|status| u32::from_str_radix(status.trim(), 16).ok());
        status.is_some_and(|status| status & MOZILLA_DELETED != 0)
    }

    /// The parameter that tells where parts begin, where it has parts.
    fn boundary(&self) -> Option<String> {
        let is_parted = self.kind().starts_with("multipart/");
        self.0.get("content-type").filter(|_| is_parted).and_then(|kind| parameter(kind, "boundary"))
    }
}

/// Who is named by `Ann Lee <ann@x>`; the address where there is no name.
pub(super) fn sender(from: &str) -> &str {
    let (name, address) = from.split_once(['<', '[']).unwrap_or((from, ""));
    let name = name.trim_matches(['"', '\'', ' ', '\t']);
    if name.is_empty() { address.trim_end_matches(['>', ']', ' ']) } else { name }
}

/// What a part is to its message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Role {
    Text,
    Page,
    /// Another message.
    Forwarded,
    /// A file of this name.
    Attached(String),
    /// What another part says as well.
    OtherForm,
}

/// Whether it is one of the forms that programs write one text in.
fn is_of_text(kind: &str) -> bool {
    matches!(
        kind,
        "text/plain" | "text/html" | "text/enriched" | "text/richtext" | "text/x-amp-html" | "text/watch-html"
    )
}

/// What a part is called that is a file without a name; its kind is known by the ending.
fn named_by_kind(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "text/calendar" | "application/ics" => "calendar.ics",
        "text/vcard" | "text/x-vcard" => "card.vcf",
        "text/csv" => "table.csv",
        _ => return None,
    })
}

impl<'b> Part<'b> {
    pub(super) fn role(&self) -> Role {
        let (kind, name) = (self.headers.kind(), self.headers.file_name());
        let disposition = self.headers.get("content-disposition").unwrap_or_default();
        let is_attached = disposition.trim_start().to_ascii_lowercase().starts_with("attachment");
        // An invitation comes as one more form of the mail, most often without a name.
        let name = name.or_else(|| named_by_kind(&kind).map(str::to_owned));
        let is_file = is_attached || name.is_some() || (self.is_other_form && !is_of_text(&kind));
        match kind.as_str() {
            "message/rfc822" | "message/global" => Role::Forwarded,
            kind if is_file || !kind.starts_with("text/") => Role::Attached(name.unwrap_or_else(|| kind.to_owned())),
            _ if self.is_other_form => Role::OtherForm,
            "text/html" => Role::Page,
            _ => Role::Text,
        }
    }

    /// Its bytes as they were before they were sent.
    pub(super) fn bytes(&self) -> Cow<'b, [u8]> {
        let coding = self.headers.get("content-transfer-encoding").unwrap_or_default().trim().to_ascii_lowercase();
        match coding.as_str() {
            "base64" => base64(self.body).into(),
            "quoted-printable" => quoted_printable(self.body, false).into(),
            _ => self.body.into(),
        }
    }

    /// Its bytes as text, in the encoding that it names.
    pub(super) fn text(&self) -> String {
        let (kind, told) = (self.headers.kind(), self.headers.get("content-type"));
        let text = decode::page(&self.bytes(), told.as_deref(), kind == "text/html");
        let says = |name: &str, value: &str| {
            told.as_deref().and_then(|told| parameter(told, name)).is_some_and(|said| said.eq_ignore_ascii_case(value))
        };
        let is_cut = kind == "text/plain" && says("format", "flowed") && says("delsp", "yes");
        if is_cut { without_soft_ends(&text) } else { text }
    }
}

/// A text whose lines the sending program cut, with a blank at their ends that is none of the text: `format=flowed; delsp=yes`.
fn without_soft_ends(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // How deep the line that goes on is quoted.
    let mut open = None;
    for line in text.lines() {
        let said = line.trim_start_matches('>');
        let depth = line.len() - said.len();
        // A blank in front is none of the text either: it keeps the line from looking like a quote.
        let said = said.strip_prefix(' ').unwrap_or(said);
        let goes_on = open.take() == Some(depth) && !said.is_empty();
        if !goes_on && !out.is_empty() {
            out.push('\n');
        }
        // A line that is cut ends with its blank; the one above a signature does so by itself.
        let cut = said.strip_suffix(' ').filter(|_| said != "-- ");
        out.push_str(if goes_on { "" } else { line.get(..depth).unwrap_or_default() });
        out.push_str(if !goes_on && depth > 0 { " " } else { "" });
        out.push_str(cut.unwrap_or(said));
        open = cut.map(|_| depth);
    }
    out
}

/// The parts of a message in their order, and whether there are more; of several forms of one text the plain one, unless it leaves out what the page
/// says. Files stay, whichever form they lie in.
pub(super) fn parts<'b>(headers: &Headers, body: &'b [u8]) -> (Vec<Part<'b>>, bool) {
    let (mut done, mut has_more) = (Vec::new(), false);
    // What is still to be looked at, the next one last.
    let mut waiting = vec![(Part { headers: headers.clone(), body, is_other_form: false }, 0_usize)];
    while let Some((part, depth)) = waiting.pop() {
        let kind = part.headers.kind();
        let Some(boundary) = part.headers.boundary().filter(|_| depth < limits::MAIL_DEPTH) else {
            let is_too_deep = kind.starts_with("multipart/") && depth >= limits::MAIL_DEPTH;
            has_more |= is_too_deep || done.len() >= limits::MAIL_PARTS;
            if done.len() < limits::MAIL_PARTS && !kind.starts_with("multipart/") {
                done.push(part);
            }
            continue;
        };
        let mut inner = inner_parts(part.body, &boundary);
        match kind.as_str() {
            "multipart/alternative" => choose_forms(&mut inner),
            "multipart/digest" => inner.iter_mut().for_each(|part| part.headers.assume("message/rfc822")),
            _ => {}
        }
        for mut inner in inner.into_iter().rev() {
            inner.is_other_form |= part.is_other_form;
            waiting.push((inner, depth + 1));
        }
    }
    (done, has_more)
}

/// Marks the forms of a text that are not read.
fn choose_forms(forms: &mut [Part<'_>]) {
    let plain = forms.iter().position(|part| part.headers.kind() == "text/plain");
    let page = forms.iter().enumerate().find_map(|(at, part)| Some((at, page_in(part)?)));
    let (takes_plain, takes_page) = match (plain.and_then(|at| forms.get(at)), &page) {
        (Some(plain), Some((_, page))) => wanted_of(&words_of(&plain.text()).collect(), &words_of_page(page)),
        (Some(_), None) => (true, false),
        (None, Some(_)) => (false, true),
        (None, None) => (false, false),
    };
    let plain = plain.filter(|_| takes_plain);
    let page = page.map(|(at, _)| at).filter(|_| takes_page);
    // Where there is neither, the last form is the richest.
    let last = forms.len().checked_sub(1).filter(|_| plain.is_none() && page.is_none());
    for (at, form) in forms.iter_mut().enumerate() {
        form.is_other_form |= ![plain, page, last].contains(&Some(at));
    }
}

/// Whether the plain form is read, and whether the page is. A plain form that is empty or only says that there is a page says too little beside it.
fn wanted_of(plain: &BTreeSet<String>, page: &BTreeSet<String>) -> (bool, bool) {
    let only_in_page = page.difference(plain).count();
    let figures = page.difference(plain).filter(|word| word.starts_with(|c: char| c.is_ascii_digit())).count();
    let says_same = 2 * only_in_page < page.len() || 2 * only_in_page < plain.len();
    if page.is_empty() || (says_same && figures < TABLE_FIGURES) {
        return (true, false);
    }
    (2 * plain.len() > page.len(), true)
}

fn words_of_page(part: &Part<'_>) -> BTreeSet<String> {
    let (_, page) = html::document(&part.text());
    words_of(&page.markdown).collect()
}

/// The page in a form, which may lie beside its pictures.
fn page_in<'b>(form: &Part<'b>) -> Option<Part<'b>> {
    let mut waiting = vec![(Part { headers: form.headers.clone(), ..*form }, 0_usize)];
    while let Some((part, depth)) = waiting.pop() {
        let kind = part.headers.kind();
        if kind == "text/html" {
            return Some(part);
        }
        if let Some(boundary) = part.headers.boundary().filter(|_| depth < limits::MAIL_DEPTH) {
            waiting.extend(inner_parts(part.body, &boundary).into_iter().rev().map(|part| (part, depth + 1)));
        }
    }
    None
}

fn inner_parts<'b>(body: &'b [u8], boundary: &str) -> Vec<Part<'b>> {
    let mark = format!("--{boundary}");
    let part = |range: Range<usize>| {
        let (headers, body) = Headers::split(body.get(range)?);
        Some(Part { headers, body, is_other_form: false })
    };
    let mut found = Vec::new();
    let mut start = None;
    let mut at = 0;
    for line in body.split_inclusive(|byte| *byte == b'\n') {
        let end = at;
        at += line.len();
        let Some(behind) = line.strip_prefix(mark.as_bytes()).map(<[u8]>::trim_ascii) else { continue };
        if !behind.is_empty() && behind != b"--" {
            continue;
        }
        // The end of the line before a mark belongs to the mark.
        let before = body.get(..end).unwrap_or_default();
        let before = before.strip_suffix(b"\n").map_or(before, |before| before.strip_suffix(b"\r").unwrap_or(before));
        found.extend(start.take().and_then(|start| part(start..before.len().max(start))));
        // One more than are read, so that it is told that there are more.
        if found.len() > limits::MAIL_PARTS || behind == b"--" {
            return found;
        }
        start = Some(at);
    }
    // A message that was cut off has no last mark.
    found.extend(start.and_then(|start| part(start..body.len())));
    found
}

fn base64(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let mut bits = 0_u32;
    let mut count = 0;
    for byte in text {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            // It fills the end; what a list adds below is not written so.
            b'=' => break,
            _ => continue,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push(u8::try_from((bits >> count) & 0xff).unwrap_or_default());
        }
    }
    out
}

/// `=C3=A9`; in headers a blank is written as `_`.
pub(super) fn quoted_printable(text: &[u8], is_header: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'=' => {
                if let Some(line_end) = [&b"\r\n"[..], b"\n"].into_iter().find(|end| after.starts_with(end)) {
                    rest = after.get(line_end.len()..).unwrap_or_default();
                    continue;
                }
                let hex = after.get(..2).and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
                match hex {
                    Some(value) => {
                        out.push(value);
                        rest = after.get(2..).unwrap_or_default();
                    }
                    None => out.push(b'='),
                }
            }
            b'_' if is_header => out.push(b' '),
            byte => out.push(*byte),
        }
    }
    out
}

/// A header with its encoded words: `=?utf-8?Q?caf=C3=A9?=`. Those that follow each other are decoded as one: some programs cut inside a character.
pub(super) fn words(header: &str) -> String {
    let mut out = String::new();
    let mut open: Option<Encoded<'_>> = None;
    let mut rest = header;
    while let Some((before, word)) = rest.split_once("=?") {
        let next = encoded_word(word);
        // Blanks between two encoded words are not part of the text.
        let adjoins = open.is_some() && next.is_some() && before.trim().is_empty();
        if !adjoins {
            open.take().into_iter().for_each(|open| out.push_str(&open.text()));
            out.push_str(before);
        }
        rest = match next {
            Some((next, behind)) => {
                open = Some(match open.take() {
                    Some(mut before) if before.charset.eq_ignore_ascii_case(next.charset) => {
                        before.bytes.extend(next.bytes);
                        before
                    }
                    before => {
                        before.into_iter().for_each(|before| out.push_str(&before.text()));
                        next
                    }
                });
                behind
            }
            None => {
                out.push_str("=?");
                word
            }
        };
    }
    open.into_iter().for_each(|open| out.push_str(&open.text()));
    out.push_str(rest);
    out
}

/// Encoded words that follow each other.
struct Encoded<'h> {
    charset: &'h str,
    bytes: Vec<u8>,
}

impl Encoded<'_> {
    fn text(&self) -> String {
        decode::page(&self.bytes, Some(&format!("text/plain; charset={}", self.charset)), false)
    }
}

fn encoded_word(word: &str) -> Option<(Encoded<'_>, &str)> {
    // No word is looked for further than one may be long: a header may open any number and close none.
    let near = word.get(..word.floor_char_boundary(ENCODED_WORD_BYTES))?;
    let (charset, rest) = near.split_once('?')?;
    let (coding, rest) = rest.split_once('?')?;
    let (text, after) = rest.split_once("?=")?;
    let behind = word.get(near.len() - after.len()..)?;
    let bytes = match coding {
        "B" | "b" => base64(text.as_bytes()),
        "Q" | "q" => quoted_printable(text.as_bytes(), true),
        _ => return None,
    };
    Some((Encoded { charset: charset.split('*').next().unwrap_or_default(), bytes }, behind))
}
