//! PDF as text with page numbers, read by a child.
//!
//! The parsers of PDF recurse without bound, unpack without bound and panic on damaged files: a stack overflow would end hadal itself, and a
//! thread cannot be stopped. So a child, hadal itself as `__pdf`, reads files from its standard input, one after the other, with bounds on time, memory and
//! output, and writes a line per page. A child that dies or stalls has lost one page, not the file: the pages before it are
//! there, and a second child reads those after it in a simpler way. Where many files are read, a child waits for the next one; it ends with the reading, and
//! by itself when none comes.

mod bombs;
mod links;
mod operators;
mod rules;
mod salvage;
mod simple;
mod tex_fonts;
mod turned;
mod unicode_maps;
mod widths;
mod wordless;
mod worker;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use wordless::Shows;
pub(crate) use worker::worker_main;

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::text::left_out::LostPages;
use crate::core::text::one_line;
use crate::core::text::page::{self, Extracted, Kind, PageSpan, Problem, Raw};
use crate::core::text::pdf_pages::{self, NumberedText};
use crate::world::process::{Asked, Command, Conversation, EndedBy, Exit, Gate, Limits, Status};

/// The signal that no process can refuse.
const KILLED: i32 = 9;
/// The signals of a program that ends itself, and of one that uses what it does not have.
const ABORTED: i32 = 6;
const FAULTED: i32 = 11;
/// So many pages without a word, and more than half, are scans.
const SCANNED_PAGES: usize = 3;

/// The name of the subcommand.
pub(crate) const COMMAND: &str = "__pdf";

/// A line of the child.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Document {
        pages: u32,
        title: Option<String>,
        author: Option<String>,
    },
    /// `simple`: the better reader failed on it.
    Page {
        number: u32,
        text: String,
        /// The same with its links as Markdown has them, where it has some.
        #[serde(default)]
        linked: Option<String>,
        simple: bool,
        /// Looked for where it has no word.
        #[serde(default)]
        shows: Shows,
    },
    Lost {
        number: u32,
    },
    /// It unpacks to more than is read; 0 is no page but something that pages have in common.
    TooLarge {
        number: u32,
    },
    /// No document at all.
    Broken {
        why: String,
    },
    /// The answer ends.
    End,
}

/// Reads PDFs by children of a gate.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    gate: Gate,
    program: PathBuf,
    lead: Vec<OsString>,
    /// Children that wait for the next document, where there are many to be read; else each child ends with its document.
    waiting: Option<Arc<Mutex<Vec<Conversation>>>>,
}

impl Reader {
    /// `program` is hadal itself.
    pub(crate) fn new(gate: Gate, program: PathBuf) -> Self {
        Self { gate, program, lead: vec![COMMAND.into()], waiting: None }
    }

    /// The same for many documents: up to two children wait for the next one, and end with the last copy of this.
    pub(crate) fn for_many(&self) -> Self {
        Self { waiting: Some(Arc::default()), ..self.clone() }
    }

    /// Reads a page of any kind; a PDF by a child, everything else on a thread for blocking work.
    pub(crate) async fn read(&self, raw: Raw<'_>, cancel: &CancellationToken) -> Result<Extracted> {
        if page::kind::of(&raw)? == Kind::Pdf {
            return self.read_pdf(raw.bytes, cancel).await;
        }
        let (url, content_type, bytes) = (raw.url.to_owned(), raw.content_type.map(str::to_owned), raw.bytes.to_vec());
        let read = move || page::extract(Raw { url: &url, content_type: content_type.as_deref(), bytes: &bytes });
        let gone = |_| Error::new(Code::Internal, "the reading thread is gone");
        tokio::task::spawn_blocking(read).await.map_err(gone)?
    }

    /// Reads a report: all of it, with its links.
    pub(crate) async fn report(&self, raw: Raw<'_>, cancel: &CancellationToken) -> Result<String> {
        if page::kind::of(&raw)? == Kind::Pdf {
            return Ok(self.read_document(raw.bytes, cancel).await?.with_links().finish()?.markdown);
        }
        let (url, content_type, bytes) = (raw.url.to_owned(), raw.content_type.map(str::to_owned), raw.bytes.to_vec());
        let read = move || page::report(Raw { url: &url, content_type: content_type.as_deref(), bytes: &bytes });
        let gone = |_| Error::new(Code::Internal, "the reading thread is gone");
        tokio::task::spawn_blocking(read).await.map_err(gone)?
    }

    pub(crate) async fn read_pdf(&self, bytes: &[u8], cancel: &CancellationToken) -> Result<Extracted> {
        self.read_document(bytes, cancel).await?.finish()
    }

    async fn read_document(&self, bytes: &[u8], cancel: &CancellationToken) -> Result<Document> {
        if bytes.len() > limits::PDF_BYTES {
            let (size, most) = (bytes.len().div_ceil(1 << 20), limits::PDF_BYTES >> 20);
            let message = format!("the PDF has {size} MB; a PDF may have {most} MB");
            return Err(Error::new(Code::OutputTooLarge, message));
        }
        let mut document = Document::default();
        let exit = self.asked(bytes, (1, Way::Better), cancel, &mut document).await?;
        let exit = match exit {
            Some(exit) if exit.ended_by != EndedBy::Cancelled && document.broken.is_none() => {
                document.stopped = Stopped::by(&exit);
                let next = document.last.saturating_add(2);
                self.asked(bytes, (next, Way::Simple), cancel, &mut document).await?
            }
            exit => exit,
        };
        if let Some(exit) = exit.filter(|_| document.pages.is_empty() && document.broken.is_none()) {
            ended_early(&exit)?;
        }
        Ok(document)
    }

    /// Has a child read a document from a page on; says how the child ended if it did.
    async fn asked(
        &self,
        bytes: &[u8],
        (first, way): (u32, Way),
        cancel: &CancellationToken,
        into: &mut Document,
    ) -> Result<Option<Exit>> {
        if cancel.is_cancelled() {
            return Err(Error::new(Code::Cancelled, "the reading of a PDF was cancelled"));
        }
        let input = [format!("{first} {} {}\n", way.name(), bytes.len()).as_bytes(), bytes].concat();
        let waiting = self.waiting().and_then(|mut waiting| waiting.pop());
        if let Some(child) = waiting {
            let said = into.lines;
            match self.answer(child, input.clone(), cancel, into).await {
                // A child that ends while it waits has not seen this document.
                Some(exit) if exit.ended_by == EndedBy::Own && into.lines == said => {}
                ended => return Ok(ended),
            }
        }
        // No child at all says nothing about the document.
        let no_child = |error: Error| Error { code: Code::ExecutionError, ..error };
        let child = self.gate.converse(self.command()).await.map_err(no_child)?;
        Ok(self.answer(child, input, cancel, into).await)
    }

    async fn answer(
        &self,
        child: Conversation,
        input: Vec<u8>,
        cancel: &CancellationToken,
        into: &mut Document,
    ) -> Option<Exit> {
        match child.ask(input, &LIMITS, cancel, |line| into.line(line)).await {
            Asked::Answered(child) => {
                if let Some(mut waiting) = self.waiting()
                    && child.answers < limits::PDF_PER_CHILD
                    && waiting.len() < limits::LIBRARY_READERS
                {
                    waiting.push(*child);
                }
                None
            }
            Asked::Ended(exit) => Some(exit),
        }
    }

    fn command(&self) -> Command {
        Command {
            program: self.program.clone(),
            args: self.lead.clone(),
            env: Vec::new(),
            cwd: PathBuf::from("/"),
            stdin: Vec::new(),
            limits: LIMITS,
        }
    }

    fn waiting(&self) -> Option<MutexGuard<'_, Vec<Conversation>>> {
        Some(self.waiting.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What a child may use for one document.
const LIMITS: Limits = Limits {
    idle: limits::PDF_TIME,
    total: limits::PDF_TIME,
    stdout_bytes: limits::PDF_TEXT_BYTES,
    stderr_kept: 0,
    line_bytes: limits::PDF_TEXT_BYTES as usize,
};

/// How a document is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Better,
    /// After the better way killed a child.
    Simple,
}

impl Way {
    fn name(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Simple => "simple",
        }
    }
}

/// What the end of a child that gave no page says; nothing where the child itself gave up on the document.
fn ended_early(exit: &Exit) -> Result<()> {
    match (exit.ended_by, exit.status) {
        (EndedBy::Cancelled, _) => Err(Error::new(Code::Cancelled, "the reading of a PDF was cancelled")),
        (EndedBy::Idle | EndedBy::Total, _) => Err(Stopped::Time.error()),
        // Nothing in a document can send this signal; a machine without memory does.
        (EndedBy::Own, Status::Signal(KILLED) | Status::Unknown) => {
            let message = "the reader of PDFs was ended from outside, as a machine without memory does";
            Err(Error::new(Code::ExecutionError, message))
        }
        (EndedBy::Own | EndedBy::OutputLimit, _) => Ok(()),
    }
}

/// Why pages were not read, where that is no fault of the file's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stopped {
    Time,
    Memory,
    Output,
}

impl Stopped {
    /// What the end of a child says of the page that it was reading.
    fn by(exit: &Exit) -> Option<Self> {
        match (exit.ended_by, exit.status) {
            (EndedBy::Idle | EndedBy::Total, _) => Some(Self::Time),
            (EndedBy::OutputLimit, _) => Some(Self::Output),
            // Memory beyond the bound and a stack that overflows.
            (EndedBy::Own, Status::Signal(ABORTED | FAULTED)) => Some(Self::Memory),
            (EndedBy::Own | EndedBy::Cancelled, _) => None,
        }
    }

    fn error(self) -> Error {
        match self {
            Self::Time => {
                let message = format!("the PDF was not read within {} s", limits::PDF_TIME.as_secs());
                Error::new(Code::Timeout, message)
            }
            Self::Memory => Error::new(
                Code::PageUnreadable,
                "the PDF cannot be read: reading it takes more memory than a PDF may take",
            ),
            Self::Output => {
                let most = limits::PDF_TEXT_BYTES >> 20;
                Error::new(Code::OutputTooLarge, format!("the PDF has more than {most} MB of text"))
            }
        }
    }
}

#[derive(Debug)]
struct PageOfText {
    number: u32,
    text: String,
    linked: Option<String>,
    shows: Shows,
}

/// What the children said so far.
#[derive(Debug, Default)]
struct Document {
    pages: Vec<PageOfText>,
    title: Option<String>,
    author: Option<String>,
    /// The last page that was done.
    last: u32,
    /// How many pages it has.
    count: u32,
    /// Pages that were read in the simpler way.
    weak: Vec<u32>,
    /// How many lines were understood.
    lines: u64,
    /// Whether something that pages have in common was not read.
    has_forms_lost: bool,
    /// Why pages were not read, where it is known.
    stopped: Option<Stopped>,
    broken: Option<String>,
}

impl Document {
    /// Takes a line; says whether it was the last.
    fn line(&mut self, line: &[u8]) -> bool {
        // One that is cut has the text of a page, which is then missed.
        let Ok(line) = serde_json::from_slice(line) else { return false };
        self.lines += 1;
        match line {
            Line::End => return true,
            Line::Document { pages, title, author } => {
                self.title = title;
                self.author = author;
                self.count = pages;
            }
            Line::Page { number, text, linked, simple, shows } => {
                self.last = self.last.max(number);
                // What a page without a word shows says more.
                self.weak.extend((simple && shows == Shows::Nothing).then_some(number));
                self.pages.push(PageOfText { number, text, linked, shows });
            }
            Line::Lost { number } => self.last = self.last.max(number),
            Line::TooLarge { number } => {
                self.last = self.last.max(number);
                self.has_forms_lost |= number == 0;
                self.stopped = Some(Stopped::Memory);
            }
            Line::Broken { why } => self.broken = Some(why),
        }
        false
    }

    /// What was not read of it, or only in the simpler way; of scans the pages without a word are lost.
    fn lost_pages(&self, are_scans: bool) -> LostPages {
        let showing = |shows: Shows| {
            let pages = self.pages.iter().filter(move |page| page.shows == shows);
            pages.map(|page| page.number).collect::<Vec<u32>>()
        };
        let is_blank = |page: &PageOfText| page.shows == Shows::Nothing && page.text.trim().is_empty();
        let is_read = |page: &&PageOfText| !are_scans || !is_blank(page);
        let read: BTreeSet<u32> = self.pages.iter().filter(is_read).map(|page| page.number).collect();
        let all = 1..=self.count.min(limits::PDF_PAGES);
        LostPages {
            unread: all.filter(|number| !read.contains(number)).collect(),
            weak: self.weak.clone(),
            pictures: showing(Shows::Picture),
            untold: showing(Shows::Letters),
            others: self.count > limits::PDF_PAGES || self.has_forms_lost,
        }
    }

    /// Why it has no text.
    fn why_empty(self) -> String {
        let showing = |shows: Shows| self.pages.iter().filter(|page| page.shows == shows).count();
        let are_untold = showing(Shows::Letters) > showing(Shows::Picture);
        let why = match are_untold {
            true => "its letters cannot be told, for its fonts do not say what they mean",
            false => "no page of it has text; it may be a scan",
        };
        self.broken.unwrap_or_else(|| why.to_owned())
    }

    /// The same with links in the text.
    fn with_links(mut self) -> Self {
        for page in &mut self.pages {
            page.text = page.linked.take().unwrap_or_else(|| std::mem::take(&mut page.text));
        }
        self
    }

    fn finish(self) -> Result<Extracted> {
        let mut page = Extracted::empty(Kind::Pdf);
        let empty = self.pages.iter().filter(|page| page.text.trim().is_empty()).count();
        // Some pages are left blank; where most are, they are pictures.
        let are_scans = empty >= SCANNED_PAGES && 2 * empty > self.pages.len();
        let lost = self.lost_pages(are_scans);
        let pages: Vec<NumberedText<'_>> = self
            .pages
            .iter()
            .map(|page| (page.number, page.text.trim()))
            .filter(|(_, text)| !text.is_empty())
            .collect();
        let numbers: Vec<u32> = pages.iter().map(|(number, _)| *number).collect();
        let texts = pdf_pages::without_leaders(pdf_pages::without_running_lines(&pages));
        let texts = pdf_pages::with_whole_words(&numbers, texts);
        let mut before: Option<NumberedText<'_>> = None;
        for ((number, _), text) in pages.iter().zip(&texts).filter(|(_, text)| !text.is_empty()) {
            let here = (*number, text.as_str());
            if let Some(before) = before.replace(here) {
                // A sentence ends at a blank line.
                page.text.push_str(if pdf_pages::goes_on(before, here) { "\n" } else { "\n\n" });
                page.markdown.push_str("\n\n");
            }
            let start = page.text.len();
            page.text.push_str(text);
            page.pages.push(PageSpan { number: *number, span: start..page.text.len() });
            page.markdown.push_str(&format!("<!-- page {number} -->\n\n{text}"));
        }
        if page.text.is_empty() {
            if let Some(stopped) = self.stopped.filter(|_| self.broken.is_none() && empty < SCANNED_PAGES) {
                return Err(stopped.error());
            }
            return Err(Error::new(Code::PageUnreadable, format!("the PDF cannot be read: {}", self.why_empty())));
        }
        page.lost = lost;
        if !page.lost.is_empty() {
            page.problems.push(Problem::PagesLost);
        }
        page.title = self.title.map(|title| one_line(&title)).filter(|title| !title.is_empty());
        page.author = self.author.map(|author| one_line(&author)).filter(|author| !author.is_empty());
        page.language = page::guessed_language(&page.text);
        Ok(page)
    }
}

#[cfg(test)]
mod tests;
