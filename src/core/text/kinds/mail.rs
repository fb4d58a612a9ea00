//! Mail: one message, or a box of many. The text of a message, who wrote it, when, and what was attached.

use super::super::page::html;
use super::super::spans::{PlaceInFile, Unit};
use super::super::{Contents, LeftOut, decode};
use super::build::Builder;
use super::mime::{Headers, Part, decoded_body, parts, words};
use crate::core::base::limits;

pub(super) fn message(bytes: &[u8]) -> Contents {
    let mut out = Builder::default();
    write(&mut out, 1, bytes);
    out.finish()
}

/// The names of headers that messages in boxes begin with.
const FIRST_HEADERS: [&str; 16] = [
    "return-path",
    "delivered-to",
    "received",
    "from",
    "to",
    "cc",
    "date",
    "subject",
    "message-id",
    "reply-to",
    "sender",
    "status",
    "mime-version",
    "content-type",
    "envelope-to",
    "in-reply-to",
];

/// Whether a line `From …` begins a message, and is not the first of a paragraph: it ends with a date, or headers follow.
fn begins_message(line: &[u8], next: &[u8]) -> bool {
    let text = |bytes: &[u8]| {
        String::from_utf8_lossy(bytes.get(..bytes.len().min(limits::MAIL_HEADER_BYTES)).unwrap_or_default())
            .into_owned()
    };
    let (line, next) = (text(line), text(next));
    let is_digit = |c: char| c.is_ascii_digit();
    let is_time = |word: &str| {
        word.split(':').count() >= 2
            && word.split(':').all(|part| part.len() <= 2 && !part.is_empty() && part.chars().all(is_digit))
    };
    let is_year = |word: &str| word.len() == 4 && word.chars().all(is_digit);
    let last: Vec<&str> = line.split_whitespace().rev().take(4).collect();
    let is_dated = last.iter().any(|word| is_time(word)) && last.iter().any(|word| is_year(word));
    let name = next.split_once(':').map(|(name, _)| name.to_ascii_lowercase()).unwrap_or_default();
    line.starts_with("From ") && (is_dated || name.starts_with("x-") || FIRST_HEADERS.contains(&name.as_str()))
}

/// A box: every message begins with a line `From …` behind an empty one.
pub(super) fn mailbox(bytes: &[u8]) -> Contents {
    let mut out = Builder::default();
    let mut start = None;
    let mut number = 0_u32;
    let mut at = 0;
    let mut blank = true;
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').peekable();
    while let Some(line) = lines.next() {
        if blank && begins_message(line, lines.peek().copied().unwrap_or_default()) {
            if let Some(start) = start {
                number = number.saturating_add(1);
                write(&mut out, number, bytes.get(start..at).unwrap_or_default());
            }
            start = Some(at + line.len());
        }
        blank = line.trim_ascii().is_empty();
        at += line.len();
        if out.is_full() {
            return out.finish();
        }
    }
    write(&mut out, number.saturating_add(1), bytes.get(start.unwrap_or_default()..).unwrap_or_default());
    // The subject of its first message is no title of a box.
    out.title = Some(String::new());
    out.finish()
}

fn write(out: &mut Builder, number: u32, bytes: &[u8]) {
    let (headers, body) = Headers::split(bytes);
    out.place(PlaceInFile::of(Unit::Message, number, number));
    out.section();
    let subject = headers.get("subject").map(|subject| words(&subject)).unwrap_or_default();
    if out.title.is_none() && !subject.trim().is_empty() {
        out.title = Some(super::one_line(&subject));
    }
    out.heading(1, &subject);
    let told = ["From", "To", "Cc", "Date"].into_iter().filter_map(|name| {
        let value = headers.get(&name.to_ascii_lowercase())?;
        let value: String = words(&value).chars().take(limits::HEADING_CHARS).collect();
        Some(format!("{name}: {}", value.trim()))
    });
    out.paragraph(&told.collect::<Vec<_>>().join("\n"));
    let mut attached = Vec::new();
    let (parts, has_more) = parts(&headers, body);
    out.left_out.extend(has_more.then_some(LeftOut::MailParts));
    for Part { headers, body } in parts {
        let kind = headers.kind();
        match (headers.attachment(), kind.as_str()) {
            (Some(name), _) => attached.push(name),
            (None, "text/html") => {
                let text = decode::page(&decoded_body(&headers, body), headers.get("content-type").as_deref(), true);
                let (_, page) = html::document(&text);
                out.markdown(&page.markdown, 1);
            }
            (None, kind) if kind.starts_with("text/") => {
                let text = decode::page(&decoded_body(&headers, body), headers.get("content-type").as_deref(), false);
                text.replace('\r', "").split("\n\n").for_each(|paragraph| out.paragraph(&unquoted_from(paragraph)));
            }
            (None, _) => {}
        }
    }
    if !attached.is_empty() {
        out.paragraph(&format!("Attached and not read: {}", attached.join(", ")));
    }
}

/// A box marks lines of a text that begin as a message does.
fn unquoted_from(text: &str) -> String {
    let text = text.strip_prefix(">").filter(|rest| rest.starts_with("From ")).unwrap_or(text);
    text.replace("\n>From ", "\nFrom ")
}
