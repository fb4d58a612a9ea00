//! A document as the index holds it, though its file is another now: the folder is not there (a disk that is not mounted, a share that is away), the file
//! has grown, or it has changed and has to be read again.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::OptionalExtension;
use tokio_util::sync::CancellationToken;

use super::chunk::Unpacked;
use super::fault::Fault;
use super::index::{Opened, Snapshot};
use super::lock::WriteLock;
use super::roots::{Place, Target};
use super::{Library, file};
use crate::core::base::error::{Code, Error};
use crate::core::evidence::passage::PageRef;
use crate::core::evidence::place::location;
use crate::core::text::{Document, Piece};
use crate::world::log;

impl Library {
    /// The text that was indexed, if all of it is kept.
    pub(super) fn kept(&self, page: &PageRef) -> Option<Document> {
        let opened = self.open(&page.root).ok().flatten()?;
        match opened.kept(&page.path) {
            Ok(document) => document.filter(|document| file::page_hash(&document.text) == page.page),
            Err(fault) => {
                log::warn(format_args!("what is indexed of `{}` cannot be read: {fault:?}", page.path));
                None
            }
        }
    }

    /// The document that was indexed, if its file is still the same or has only grown: nothing is read twice that takes seconds (a long PDF).
    pub(super) fn of_same_file(&self, target: &Target, page: &PageRef) -> Option<Document> {
        let path = target.document(&page.path).ok()?;
        let (_, content) = self.open(&page.root).ok().flatten()?.file_of_page(page).ok().flatten()?;
        let is_same = file::read(&path, self.max_file_bytes).is_ok_and(|(bytes, _)| file::hash(&bytes) == content);
        is_same.then(|| self.kept(page)).flatten().or_else(|| self.of_grown_file(target, page))
    }

    /// The document that was indexed of a text, if its file still begins with it. Lines that were written to the end since (a log) make none of it wrong.
    fn of_grown_file(&self, target: &Target, page: &PageRef) -> Option<Document> {
        let path = target.document(&page.path).ok().filter(|path| file::grows(path))?;
        let opened = self.open(&page.root).ok().flatten()?;
        let (size, content) = opened.file_of_page(page).ok().flatten()?;
        file::check_size(&path, size, self.max_file_bytes).ok()?;
        let bytes = file::still_begins_with(&path, size, &content)?;
        let document = file::extract(&self.documents, &path, bytes, &CancellationToken::new()).ok()?;
        Some(document).filter(|document| file::page_hash(&document.text) == page.page)
    }

    /// What is told of a document that is not what was indexed. The next look reads it anew, also where its size and time say that it is the same.
    pub(super) fn changed(&self, page: &PageRef) -> Error {
        self.watches.doubt(&page.root);
        if let Err(fault) = self.doubt(page) {
            log::warn(format_args!("`{}` may not be read again before it changes: {fault:?}", page.path));
        }
        let message = format!("`{}` has changed since it was indexed", location(&page.root, &page.path));
        Error::new(Code::LibraryChanged, message).hint("ask again; the new text is indexed first")
    }

    fn doubt(&self, page: &PageRef) -> Result<(), Fault> {
        let _lock = WriteLock::take(Place::of(&self.dir, &page.root).lock(), Duration::ZERO, &|| false)?;
        let Some(opened) = self.open(&page.root)? else { return Ok(()) };
        let mut writer = opened.writer()?;
        writer.doubt(page)?;
        writer.finish()
    }
}

impl Opened {
    fn kept(&self, path: &str) -> Result<Option<Document>, Fault> {
        self.at_last_commit(|snapshot| snapshot.kept(path))
    }
}

impl Snapshot<'_> {
    fn kept(&self, path: &str) -> Result<Option<Document>, Fault> {
        let row = "SELECT title, first_chunk, chunks FROM files WHERE path = ?1";
        let row =
            self.transaction.query_row(row, [path], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
        let Some((title, first, count)): Option<(String, i64, i64)> = row else { return Ok(None) };
        let mut document = Document { title: Some(title), ..Document::default() };
        let chunks = "SELECT data FROM chunks WHERE id >= ?1 AND id < ?1 + ?2 ORDER BY id";
        let mut chunks = self.transaction.prepare(chunks)?;
        let mut chunks = chunks.query([first, count])?;
        while let Some(chunk) = chunks.next()? {
            let data: Vec<u8> = chunk.get(0)?;
            let chunk = Unpacked::of(&data)?;
            for (stored, text) in (0..).map_while(|place| chunk.passage(place)) {
                document.text.push_str(&stored.before);
                let start = document.text.len();
                document.text.push_str(text);
                let span: Range<usize> = start..document.text.len();
                document.text.push_str(&stored.behind);
                let headings: Arc<[String]> = stored.headings.iter().cloned().collect();
                let table_head = Some(stored.table_head.as_ref()).filter(|head| !head.is_empty()).map(Arc::from);
                let (lines, parts, fenced) = (stored.lines.clone(), stored.parts.to_vec(), stored.fenced);
                document.passages.push(Piece { headings, span, lines, parts, fenced, table_head });
            }
        }
        Ok(Some(document))
    }
}

/// Whether an entry of a folder is hidden, such as a mark where a disk is mounted.
fn is_hidden(entry: std::io::Result<std::fs::DirEntry>) -> bool {
    entry.is_ok_and(|entry| entry.file_name().as_encoded_bytes().starts_with(b"."))
}

/// What is to be told of a root, or of the folder of a disk, of which nothing is there, though something was indexed.
pub(super) fn absence(path: &Path) -> Option<&'static str> {
    match std::fs::metadata(path) {
        Err(_gone) => Some("it is not there, or cannot be read"),
        Ok(found) if found.is_file() => None,
        Ok(_folder) => match std::fs::read_dir(path) {
            Err(_unreadable) => Some("it cannot be read"),
            Ok(mut entries) => entries.all(is_hidden).then_some("it is empty"),
        },
    }
}
