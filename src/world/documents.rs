//! The bytes of a file of any kind as a document: text with the places that a reader of the file counts.
//!
//! What is our own code reads here, in bounds; a fault of it costs the file and nothing else. PDF is read by a child. This blocks.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::core::base::error::{Code, Error, Result};
use crate::core::text::page::Extracted;
use crate::core::text::{self, Document, Format, Unreadable, format};
use crate::world::pdf;

/// Reads files of all kinds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Documents {
    /// Absent where no child can be started.
    pdf: Option<(pdf::Reader, Handle)>,
}

impl Documents {
    /// `handle` is the runtime that watches over the children.
    pub(crate) fn new(pdf: pdf::Reader, handle: Handle) -> Self {
        Self { pdf: Some((pdf, handle)) }
    }

    /// The same for many files: what children they need end with the last copy of this.
    pub(crate) fn for_many(&self) -> Self {
        Self { pdf: self.pdf.as_ref().map(|(reader, handle)| (reader.for_many(), handle.clone())) }
    }

    /// The document in the bytes of a file of this name; for people, errors speak of `shown`. Not to be called on a thread of the runtime.
    pub(crate) fn read(&self, shown: &str, name: &str, bytes: Vec<u8>, stop: &CancellationToken) -> Result<Document> {
        let read = catch_unwind(AssertUnwindSafe(|| {
            let (format, bytes) = format::opened(name, bytes)?;
            if format == Format::Pdf { Ok(Err(bytes)) } else { text::extract(format, bytes).map(Ok) }
        }));
        match read {
            Ok(Ok(Ok(document))) => Ok(document),
            Ok(Ok(Err(pdf))) => self.pdf(shown, &pdf, stop),
            Ok(Err(why)) => Err(refused(shown, why)),
            Err(panic) => {
                Err(Error::new(Code::Internal, format!("`{shown}` could not be read: {}", panic_text(&*panic))))
            }
        }
    }

    fn pdf(&self, shown: &str, bytes: &[u8], stop: &CancellationToken) -> Result<Document> {
        let Some((reader, handle)) = &self.pdf else {
            return Err(Error::new(Code::LibraryUnreadable, format!("`{shown}` is a PDF, which is not read here")));
        };
        let read = handle.block_on(reader.read_pdf(bytes, stop));
        let Extracted { title, text, pages, lost, .. } = read.map_err(|error| {
            let message = format!("`{shown}`: {}", error.message);
            match error.code {
                Code::Cancelled => error,
                code if code.spares_file() => Error::new(code, message).hint("it is tried again at the next look"),
                _ => Error::new(Code::LibraryUnreadable, message)
                    .hint("convert it to text, or run a text recognition over a scan"),
            }
        })?;
        let pages: Vec<(u32, &str)> =
            pages.iter().map(|page| (page.number, text.get(page.span.clone()).unwrap_or_default())).collect();
        Ok(text::of_pages(title, &pages, &lost))
    }
}

fn refused(shown: &str, why: Unreadable) -> Error {
    let hint = match why {
        Unreadable::NotText | Unreadable::UnknownKind => "convert it to text, Markdown or HTML",
        Unreadable::Damaged(_) => "open it in its own program and save it again",
        Unreadable::Protected => "save it without a password, in a form of after 2007",
        Unreadable::TooLarge => "split it, or save it as text",
        Unreadable::Secret => "no answer quotes such a file; take it out of the folder",
    };
    Error::new(Code::LibraryUnreadable, format!("`{shown}` {why}")).hint(hint)
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panic")
}
