//! Mail: one message, or a box of many. The text of a message, who wrote it, when, and what was attached.

use super::super::page::html;
use super::super::spans::{PlaceInFile, Unit};
use super::super::{Contents, decode};
use super::build::Builder;
use super::mime::{Headers, Part, decoded_body, parts, words};
use crate::core::base::limits;

pub(super) fn message(bytes: &[u8]) -> Contents {
    let mut out = Builder::default();
    write(&mut out, 1, bytes);
    out.finish()
}

/// A box: every message begins with a line `From …` behind an empty one.
pub(super) fn mailbox(bytes: &[u8]) -> Contents {
    let mut out = Builder::default();
    let mut start = None;
    let mut number = 0_u32;
    let mut at = 0;
    let mut blank = true;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        if blank && line.starts_with(b"From ") {
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
    for Part { headers, body } in parts(&headers, body) {
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
