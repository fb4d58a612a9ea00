//! Reading one file for the index: whether it changed, and the document that it is.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::file;
use super::index::{Refusal, Row};
use super::lock::cancelled;
use super::roots::Choice;
use super::scan::Seen;
use super::unpack::{self, Inner, Unpacked};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::evidence::passage::PageHash;
use crate::core::task::skipped::MADE_BY_TOOLS;
use crate::core::text::Document;
use crate::core::text::format::{self, NUMBERED, NameSays, SECRETS, WITHOUT_EXTENSION};
use crate::core::text::made_scripts::is_made_script;
use crate::world::clock;
use crate::world::documents::Documents;

/// What reading needs beside the file.
pub(super) struct Reading<'a> {
    pub(super) documents: &'a Documents,
    pub(super) max_file_bytes: u64,
    pub(super) choice: &'a Choice,
    pub(super) stopped: &'a CancellationToken,
}

/// A file that may have changed, and what the index holds of it.
pub(super) struct Work<'a> {
    pub(super) file: &'a Seen,
    pub(super) row: Option<Row>,
    /// Of an archive or a mail, the rows of what is in it.
    pub(super) inner: BTreeMap<String, Row>,
}

/// What was read of a document.
pub(super) enum Read {
    /// The content is the same; the row may be new.
    Same(Row),
    /// Nothing of it can be indexed, now or later.
    Refused(Row),
    Changed(Box<Changed>),
}

/// What was read of a file, and of the files that are in it, if it is an archive or a mail.
pub(super) struct Taken {
    /// Taken in last, so that a file which was taken in by half is read again.
    pub(super) read: Read,
    pub(super) files: Vec<Inner>,
}

impl Taken {
    fn alone(read: Read) -> Self {
        Self { read, files: Vec::new() }
    }
}

pub(super) struct Changed {
    pub(super) row: Row,
    pub(super) title: String,
    pub(super) page: PageHash,
    pub(super) document: Document,
}

/// Reads a file, and its document if the content is new.
pub(super) fn read(work: &Work<'_>, reading: &Reading<'_>) -> Result<Taken> {
    let Work { file: seen, row, inner } = work;
    if unpack::kind_of(&seen.full).is_none()
        && let Some(kind) = file::unread_kind(&seen.full, seen.stat.size)?
    {
        return Ok(Taken::alone(skipped(kind, seen, row.as_ref())));
    }
    file::check_size(&seen.full, seen.stat.size, reading.max_file_bytes)?;
    let (bytes, stat) = file::read(&seen.full, reading.max_file_bytes)?;
    let changed_ns = Some(stat.changed_ns).filter(|changed| !is_racy(*changed));
    let (path, content) = (seen.path.clone(), file::hash(&bytes));
    let new = Row { changed_ns, ..Row::new(path, stat.size, content) };
    let is_same = |row: &&Row| row.content == new.content && row.is_read_by(reading.choice);
    if let Some(row) = row.as_ref().filter(is_same) {
        let (size, changed_ns) = (new.size, new.changed_ns);
        return Ok(Taken::alone(Read::Same(Row { size, changed_ns, ..row.clone() })));
    }
    // An office file that is called an archive is no archive to anybody.
    let Some(kind) = unpack::kind_of(&seen.full).filter(|_| format::of_bytes(&bytes).is_none()) else {
        return document_of(new, &seen.full, &seen.full, bytes, reading).map(Taken::alone);
    };
    match unpack::read((new.clone(), &seen.full), kind, &bytes, inner, reading) {
        Ok(Unpacked { row, files }) if kind.is_document() => {
            let read = document_of(row, &seen.full, &seen.full, bytes, reading)?;
            Ok(Taken { read, files })
        }
        Ok(Unpacked { row, files }) => {
            let read = Read::Refused(Row { refused: Some(Refusal::Archive), ..row });
            Ok(Taken { read, files })
        }
        Err(error) if error.code == Code::Cancelled => Err(cancelled()),
        Err(error) => Ok(Taken::alone(Read::Refused(Row { refused: Some(Refusal::Failed(error)), ..new }))),
    }
}

/// A file that is no text, of which only the beginning was looked at: it is known by its size and time alone.
fn skipped(kind: String, seen: &Seen, before: Option<&Row>) -> Read {
    let changed_ns = Some(seen.stat.changed_ns).filter(|changed| !is_racy(*changed));
    let new = Row::new(seen.path.clone(), seen.stat.size, String::new());
    let row = Row { changed_ns, refused: Some(Refusal::Skipped(kind)), ..new };
    match before {
        Some(before) if before.refused == row.refused => Read::Same(row),
        _ => Read::Refused(row),
    }
}

/// The document in bytes that are new. `name` tells its kind, `shown` is what people read.
pub(super) fn document_of(row: Row, shown: &Path, name: &Path, bytes: Vec<u8>, reading: &Reading<'_>) -> Result<Read> {
    let file_name = &*unpack::file_name(name);
    if is_made_script(&row.path, &bytes) {
        let refused = Some(Refusal::Skipped(MADE_BY_TOOLS.to_owned()));
        return Ok(Read::Refused(Row { refused, ..row }));
    }
    if format::is_secret(file_name, &bytes) {
        let refused = Some(Refusal::Skipped(SECRETS.to_owned()));
        return Ok(Read::Refused(Row { refused, ..row }));
    }
    let document = match reading.documents.read(&shown.display().to_string(), file_name, bytes, reading.stopped) {
        Ok(document) => document,
        Err(error) if error.code == Code::Cancelled => return Err(cancelled()),
        // It is read again at the next look.
        Err(error) if error.code.spares_file() => return Err(error),
        Err(error) => {
            // A file whose name says nothing and whose bytes are no text was never a document.
            let skipped = format::of_name(file_name) == NameSays::Nothing && error.code == Code::LibraryUnreadable;
            let kind = if format::is_numbered(file_name) { NUMBERED } else { WITHOUT_EXTENSION };
            let kind = format::unknown_ending(file_name).unwrap_or_else(|| kind.to_owned());
            let refused = if skipped { Refusal::Skipped(kind) } else { Refusal::Failed(error) };
            return Ok(Read::Refused(Row { refused: Some(refused), ..row }));
        }
    };
    let shows_more = matches!(format::of_name(file_name), NameSays::Format(format) if format.shows_more_than_text());
    if document.passages.is_empty() && shows_more {
        let message = format!("`{}` has no text that can be read", shown.display());
        let error = Error::new(Code::LibraryUnreadable, message).hint("pictures, drawings and charts are not read");
        return Ok(Read::Refused(Row { refused: Some(Refusal::Failed(error)), ..row }));
    }
    let passages = u32::try_from(document.passages.len()).unwrap_or(u32::MAX);
    let row = Row { passages, left_out: document.left_out.clone(), ..row };
    let page = file::page_hash(&document.text);
    let title = file::title(&document, name);
    Ok(Read::Changed(Box::new(Changed { row, title, page, document })))
}

/// Whether a file's time is too close to now for the next change to show in it.
fn is_racy(changed_ns: i64) -> bool {
    let age_ms = clock::now_ms().saturating_sub(changed_ns / 1_000_000);
    u64::try_from(age_ms).is_ok_and(|age| Duration::from_millis(age) < limits::LIBRARY_RACY)
}
