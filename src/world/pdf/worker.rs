//! The child that reads PDFs: from standard input to lines on standard output.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::mpsc;

use pdf_extract::{Dictionary, Document, Object, ObjectId, output_doc_page};
use rustix::process::{Resource, Rlimit, setrlimit};

use super::links::{self, Marking};
use super::wordless::{self, Shows};
use super::{Line, Way, bombs, operators, salvage, simple as simple_way, tex_fonts, unicode_maps, widths};
use crate::core::base::limits;
use crate::core::text::pdf_pages::tables::{self, OpenTable};

/// The line before a document.
const ORDER_BYTES: u64 = 100;

/// The life of the child: one document after the other, until no more comes.
pub(crate) fn worker_main() -> ExitCode {
    let bound = Rlimit { current: Some(limits::PDF_MEMORY_BYTES), maximum: Some(limits::PDF_MEMORY_BYTES) };
    // Not every system can.
    let _ = setrlimit(Resource::As, bound);
    // Panics of the parsers are expected and say nothing that hadal could tell a user.
    std::panic::set_hook(Box::new(|_| {}));
    let (tell, told) = mpsc::sync_channel(0);
    let listening = std::thread::Builder::new().spawn(move || {
        let mut input = BufReader::new(io::stdin());
        while let Some(order) = Order::read(&mut input) {
            if tell.send(order).is_err() {
                return;
            }
        }
    });
    if listening.is_err() {
        return ExitCode::FAILURE;
    }
    while let Ok(order) = told.recv_timeout(limits::PDF_WAIT) {
        let reading = std::thread::Builder::new().stack_size(limits::PDF_STACK_BYTES).spawn(move || {
            let mut out = io::stdout().lock();
            let mut say = |line: Line| {
                let written =
                    serde_json::to_string(&line).map(|text| writeln!(out, "{text}").and_then(|()| out.flush()));
                matches!(written, Ok(Ok(())))
            };
            read(&order.bytes, order.first, order.simple, &mut say);
            say(Line::End)
        });
        match reading.map(std::thread::JoinHandle::join) {
            Ok(Ok(true)) => {}
            Ok(Ok(false) | Err(_)) | Err(_) => return ExitCode::FAILURE,
        }
    }
    ExitCode::SUCCESS
}

/// A document that is to be read: a line with the first page, the way and the number of bytes, then the bytes.
struct Order {
    first: u32,
    /// The better way failed before.
    simple: bool,
    bytes: Vec<u8>,
}

impl Order {
    fn read(input: &mut impl BufRead) -> Option<Self> {
        let mut line = String::new();
        input.by_ref().take(ORDER_BYTES).read_line(&mut line).ok()?;
        let mut words = line.split_whitespace();
        let (first, way, length) = (words.next()?.parse().ok()?, words.next()?, words.next()?.parse().ok()?);
        let mut bytes = Vec::new();
        input.by_ref().take(length).read_to_end(&mut bytes).ok()?;
        let is_whole = u64::try_from(bytes.len()) == Ok(length);
        is_whole.then(|| Self { first, simple: way == Way::Simple.name(), bytes })
    }
}

/// Ends the line that something else began.
#[cfg(test)]
pub(super) fn on_new_line() {
    let _closed = io::stdout().lock().write_all(b"\n");
}

/// Reads a document from its page `first` on and says line by line what it found, until nobody listens.
pub(super) fn read(bytes: &[u8], first: u32, simple: bool, mut say: impl FnMut(Line) -> bool) {
    let (mut document, is_encrypted) = match opened(bytes) {
        Ok(opened) => opened,
        Err(why) => {
            say(Line::Broken { why });
            return;
        }
    };
    let bombs = bombs::emptied(&mut document);
    operators::spell_out_forms(&mut document);
    let ids = document.get_pages();
    let pages = u32::try_from(ids.len()).unwrap_or(u32::MAX);
    let (title, author) = (information(&document, b"Title"), information(&document, b"Author"));
    if !say(Line::Document { pages, title, author }) {
        return;
    }
    if bombs.has_forms && !say(Line::TooLarge { number: 0 }) {
        return;
    }
    let (mut has_text, mut table) = (false, None);
    for number in first..=pages.min(limits::PDF_PAGES) {
        if ids.get(&number).is_some_and(|id| bombs.make(&document, *id)) {
            if !say(Line::TooLarge { number }) {
                return;
            }
            continue;
        }
        if let Some(id) = ids.get(&number) {
            operators::spell_out(&mut document, *id);
        }
        let better = if simple { None } else { page(&document, number, &mut table) };
        let simple = better.is_none();
        let plainer = || ids.get(&number).and_then(|id| simple_page(&document, *id)).map(|text| (text, None));
        let line = match better.or_else(plainer) {
            Some((text, linked)) => {
                let (text, linked) = (cleaned(&text), linked.map(|text| cleaned(&text)));
                let shows = ids.get(&number).filter(|_| text.is_empty()).map(|id| shown_by(&document, *id));
                Line::Page { number, text, linked, simple, shows: shows.unwrap_or_default() }
            }
            None => Line::Lost { number },
        };
        has_text |= matches!(&line, Line::Page { text, .. } if !text.trim().is_empty());
        if !say(line) {
            return;
        }
    }
    if is_encrypted && !has_text {
        say(Line::Broken { why: "it is encrypted in a way that is not read".to_owned() });
    }
}

/// What the end of a file says that is encrypted.
const ENCRYPTED: &[u8] = b"/Encrypt";

/// The document, and whether it is encrypted.
fn opened(bytes: &[u8]) -> Result<(Document, bool), String> {
    let mut document = loaded(bytes)?;
    // Many documents are encrypted with an empty password, which only asks readers to be polite.
    if document.is_encrypted() {
        let opened = catch_unwind(AssertUnwindSafe(|| document.decrypt("")));
        if !matches!(opened, Ok(Ok(()))) {
            return Err("it is protected by a password".to_owned());
        }
    }
    widths::write_out(&mut document);
    unicode_maps::write_out(&mut document);
    tex_fonts::name_letters(&mut document);
    // A parser that opens it by itself no longer says so.
    Ok((document, bytes.windows(ENCRYPTED.len()).any(|here| here == ENCRYPTED)))
}

/// The document, also where its table of objects is of no use.
fn loaded(bytes: &[u8]) -> Result<Document, String> {
    let load = |bytes: &[u8]| {
        let loaded = catch_unwind(|| Document::load_mem(bytes)).map_err(|_| "its parser gave up".to_owned())?;
        loaded.map_err(|problem| problem.to_string())
    };
    let has_pages = |document: &Document| !document.get_pages().is_empty();
    let first = load(bytes);
    if first.as_ref().is_ok_and(|document| document.is_encrypted() || has_pages(document)) {
        return first;
    }
    let mended = salvage::with_new_table(bytes).and_then(|bytes| load(&bytes).ok());
    mended.filter(|document| document.is_encrypted() || has_pages(document)).map_or(first, Ok)
}

/// The text of a page with its tables, and the same as it is read with its links where it has some. `table` is the one that the page before ends with.
fn page(document: &Document, number: u32, table: &mut Option<OpenTable>) -> Option<(String, Option<String>)> {
    let before = table.take();
    let read = catch_unwind(AssertUnwindSafe(|| {
        let links = links::of_page(document, number);
        let mut text = String::new();
        let mut marking = Marking::new(&mut text, &links);
        output_doc_page(document, &mut marking, number).ok()?;
        let (places, rules) = marking.into_places();
        let (tabled, open) = tables::written(&text, &places, &rules, before.as_ref());
        let plain = text.replace(tables::MARK, "");
        let (own, linked) = links::unmarked(&plain, &links);
        let text = if tabled == plain { own } else { links::unmarked(&tabled, &links).0 };
        Some((text, linked, open))
    }));
    let (text, linked, open) = read.ok().flatten()?;
    *table = open;
    Some((text, linked))
}

fn simple_page(document: &Document, page: ObjectId) -> Option<String> {
    catch_unwind(AssertUnwindSafe(|| simple_way::text_of(document, page))).ok().flatten()
}

/// What is seen on a page; nothing where that cannot be told.
fn shown_by(document: &Document, page: ObjectId) -> Shows {
    catch_unwind(AssertUnwindSafe(|| wordless::shown_by(document, page))).unwrap_or_default()
}

/// Without what is no text, with single blanks and blank lines.
fn cleaned(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blank = false;
    for line in text.lines() {
        let mut text = String::with_capacity(line.len());
        for c in line.chars().filter(|c| !c.is_control() || *c == '\t') {
            // A blank that is written, and the gap behind it that is seen as another.
            if c != ' ' || !text.ends_with(' ') {
                text.push(c);
            }
        }
        let line = text.trim();
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
