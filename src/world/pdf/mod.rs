//! PDF as text with page numbers, read by a child.
//!
//! The parsers of PDF recurse without bound, unpack without bound and panic on damaged files: a stack overflow would end hadal itself, and a
//! thread cannot be stopped. So a child, hadal itself as `__pdf`, reads the file from its standard input with bounds on time, memory and
//! output, and writes a line per page. A child that dies or stalls has lost one page, not the file: the pages before it are
//! there, and a second child reads those after it in a simpler way.

mod widths;
mod worker;

use std::ffi::OsString;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
pub(crate) use worker::worker_main;

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::text::one_line;
use crate::core::text::page::{self, Extracted, Kind, PageSpan, Problem, Raw};
use crate::world::process::{Command, EndedBy, Exit, Gate, Limits, Status};

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
        simple: bool,
    },
    Lost {
        number: u32,
    },
    /// No document at all.
    Broken {
        why: String,
    },
}

/// Reads PDFs by children of a gate.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    gate: Gate,
    program: PathBuf,
    /// Before the arguments of the child itself.
    lead: Vec<OsString>,
}

impl Reader {
    /// `program` is hadal itself.
    pub(crate) fn new(gate: Gate, program: PathBuf) -> Self {
        Self { gate, program, lead: vec![COMMAND.into()] }
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
            return Ok(self.read_pdf(raw.bytes, cancel).await?.markdown);
        }
        let (url, content_type, bytes) = (raw.url.to_owned(), raw.content_type.map(str::to_owned), raw.bytes.to_vec());
        let read = move || page::report(Raw { url: &url, content_type: content_type.as_deref(), bytes: &bytes });
        let gone = |_| Error::new(Code::Internal, "the reading thread is gone");
        tokio::task::spawn_blocking(read).await.map_err(gone)?
    }

    pub(crate) async fn read_pdf(&self, bytes: &[u8], cancel: &CancellationToken) -> Result<Extracted> {
        if bytes.len() > limits::PDF_BYTES {
            let (size, most) = (bytes.len().div_ceil(1 << 20), limits::PDF_BYTES >> 20);
            let message = format!("the PDF has {size} MB; a PDF may have {most} MB");
            return Err(Error::new(Code::OutputTooLarge, message));
        }
        let mut document = Document::default();
        let exit = self.child(bytes, &["1"], cancel, &mut document).await?;
        if !ended_well(&exit) && exit.ended_by != EndedBy::Cancelled && document.broken.is_none() {
            document.lost = true;
            let next = (document.last + 2).to_string();
            self.child(bytes, &[&next, "simple"], cancel, &mut document).await?;
        }
        document.finish()
    }

    async fn child(
        &self,
        bytes: &[u8],
        args: &[&str],
        cancel: &CancellationToken,
        into: &mut Document,
    ) -> Result<Exit> {
        let command = Command {
            program: self.program.clone(),
            args: self.lead.iter().cloned().chain(args.iter().map(OsString::from)).collect(),
            env: Vec::new(),
            cwd: PathBuf::from("/"),
            stdin: bytes.to_vec(),
            limits: Limits {
                idle: limits::PDF_TIME,
                total: limits::PDF_TIME,
                stdout_bytes: limits::PDF_TEXT_BYTES,
                stderr_kept: 0,
                line_bytes: usize::try_from(limits::PDF_TEXT_BYTES).unwrap_or(usize::MAX),
            },
        };
        let exit = self.gate.run(command, cancel, |line| into.line(line)).await?;
        into.lost |= exit.truncated;
        Ok(exit)
    }
}

fn ended_well(exit: &Exit) -> bool {
    exit.ended_by == EndedBy::Own && exit.status == Status::Code(0)
}

/// What the children said so far.
#[derive(Debug, Default)]
struct Document {
    pages: Vec<(u32, String)>,
    title: Option<String>,
    author: Option<String>,
    /// The last page that was done.
    last: u32,
    lost: bool,
    broken: Option<String>,
}

impl Document {
    fn line(&mut self, line: &[u8]) {
        match serde_json::from_slice(line) {
            Ok(Line::Document { pages, title, author }) => {
                self.title = title;
                self.author = author;
                self.lost |= pages > limits::PDF_PAGES;
            }
            Ok(Line::Page { number, text, simple }) => {
                self.last = self.last.max(number);
                self.lost |= simple;
                self.pages.push((number, text));
            }
            Ok(Line::Lost { number }) => {
                self.last = self.last.max(number);
                self.lost = true;
            }
            Ok(Line::Broken { why }) => self.broken = Some(why),
            Err(_cut) => self.lost |= line.starts_with(b"{"),
        }
    }

    fn finish(self) -> Result<Extracted> {
        let mut page = Extracted::empty(Kind::Pdf);
        for (number, text) in self.pages {
            let text = text.trim();
            if text.is_empty() {
                continue;
            }
            if !page.text.is_empty() {
                page.text.push_str("\n\n");
                page.markdown.push_str("\n\n");
            }
            let start = page.text.len();
            page.text.push_str(text);
            page.pages.push(PageSpan { number, span: start..page.text.len() });
            page.markdown.push_str(&format!("<!-- page {number} -->\n\n{text}"));
        }
        if page.text.is_empty() {
            let why = self.broken.unwrap_or_else(|| "no page of it has text; it may be a scan".to_owned());
            return Err(Error::new(Code::PageUnreadable, format!("the PDF cannot be read: {why}")));
        }
        if self.lost {
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
