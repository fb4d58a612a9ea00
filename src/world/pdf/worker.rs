//! The child that reads one PDF: from standard input to lines on standard output.

use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use pdf_extract::{Dictionary, Document, Object, PlainTextOutput, output_doc_page};
use rustix::process::{Resource, Rlimit, setrlimit};

use super::{Line, widths};
use crate::core::base::limits;

/// The life of the child; `args` are the first page to read and, after a failure, `simple`.
pub(crate) fn worker_main(args: &[String]) -> ExitCode {
    let bound = Rlimit { current: Some(limits::PDF_MEMORY_BYTES), maximum: Some(limits::PDF_MEMORY_BYTES) };
    let _not_on_this_system = setrlimit(Resource::As, bound);
    // Panics of the parsers are expected and say nothing that hadal could tell a user.
    std::panic::set_hook(Box::new(|_| {}));
    let first = args.first().and_then(|first| first.parse().ok()).unwrap_or(1);
    let simple = args.get(1).is_some_and(|mode| mode == "simple");
    let mut bytes = Vec::new();
    if io::stdin().lock().take(limits::PDF_BYTES as u64).read_to_end(&mut bytes).is_err() {
        return ExitCode::FAILURE;
    }
    let reading = std::thread::Builder::new().stack_size(limits::PDF_STACK_BYTES).spawn(move || {
        let mut out = io::stdout().lock();
        read(&bytes, first, simple, |line| {
            let written = serde_json::to_string(&line).map(|text| writeln!(out, "{text}").and_then(|()| out.flush()));
            matches!(written, Ok(Ok(())))
        })
    });
    match reading.map(std::thread::JoinHandle::join) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(_)) | Err(_) => ExitCode::FAILURE,
    }
}

/// Ends the line that something else began.
#[cfg(test)]
pub(super) fn on_new_line() {
    let _closed = io::stdout().lock().write_all(b"\n");
}

/// Reads a document from its page `first` on and says line by line what it found, until nobody listens.
pub(super) fn read(bytes: &[u8], first: u32, simple: bool, mut say: impl FnMut(Line) -> bool) {
    let document = match opened(bytes) {
        Ok(document) => document,
        Err(why) => {
            say(Line::Broken { why });
            return;
        }
    };
    let pages = u32::try_from(document.get_pages().len()).unwrap_or(u32::MAX);
    let (title, author) = (information(&document, b"Title"), information(&document, b"Author"));
    if !say(Line::Document { pages, title, author }) {
        return;
    }
    for number in first..=pages.min(limits::PDF_PAGES) {
        let better = if simple { None } else { page(&document, number) };
        let simple = better.is_none();
        let line = match better.or_else(|| simple_page(&document, number)) {
            Some(text) => Line::Page { number, text: cleaned(&text), simple },
            None => Line::Lost { number },
        };
        if !say(line) {
            return;
        }
    }
}

fn opened(bytes: &[u8]) -> Result<Document, String> {
    let loaded = catch_unwind(|| Document::load_mem(bytes)).map_err(|_| "its parser gave up".to_owned())?;
    let mut document = loaded.map_err(|problem| problem.to_string())?;
    // Many documents are encrypted with an empty password, which only asks readers to be polite.
    if document.is_encrypted() {
        let opened = catch_unwind(AssertUnwindSafe(|| document.decrypt("")));
        if !matches!(opened, Ok(Ok(()))) {
            return Err("it is protected by a password".to_owned());
        }
    }
    widths::write_out(&mut document);
    Ok(document)
}

fn page(document: &Document, number: u32) -> Option<String> {
    let read = catch_unwind(AssertUnwindSafe(|| {
        let mut text = String::new();
        output_doc_page(document, &mut PlainTextOutput::new(&mut text), number).ok().map(|()| text)
    }));
    read.ok().flatten()
}

fn simple_page(document: &Document, number: u32) -> Option<String> {
    catch_unwind(AssertUnwindSafe(|| document.extract_text(&[number]).ok())).ok().flatten()
}

/// Without what is no text, with single blank lines.
fn cleaned(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blank = false;
    for line in text.lines() {
        let line: String = line.chars().filter(|c| !c.is_control() || *c == '\t').collect();
        let line = line.trim();
        if line.is_empty() {
            blank = !out.is_empty();
            continue;
        }
        out.push_str(if blank {
            "\n\n"
        } else if out.is_empty() {
            ""
        } else {
            "\n"
        });
        blank = false;
        out.push_str(line);
    }
    out
}

/// A text of the document's own description.
fn information(document: &Document, key: &[u8]) -> Option<String> {
    let about: &Dictionary = match document.trailer.get(b"Info").ok()? {
        Object::Reference(id) => document.get_dictionary(*id).ok()?,
        Object::Dictionary(about) => about,
        _ => return None,
    };
    let bytes = about.get(key).ok()?.as_str().ok()?;
    let text = match bytes {
        [0xfe, 0xff, rest @ ..] => encoding_rs::UTF_16BE.decode_without_bom_handling(rest).0.into_owned(),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        plain => encoding_rs::WINDOWS_1252.decode_without_bom_handling(plain).0.into_owned(),
    };
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
