//! Writing an index: files go into a segment in memory, which is written when it is full or when a commit is due.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{Connection, OpenFlags, OptionalExtension, Statement, params};

use super::chunk::{Packer, chunked};
use super::fault::Fault;
use super::index::{Chunk, Row, Segment, connect};
use super::merge::merge_due;
use super::postings::{HEADINGS, List, PerField, TEXT, TITLE};
use super::words::{cut_with_parts, term_of};
use crate::core::base::limits;
use crate::core::evidence::passage::{PageHash, PageRef};
use crate::core::language::days::days;
use crate::core::text::{Document, Piece, archive};

/// What a term and what a word cost in memory, beside the bytes of its list, roughly.
const TERM_BYTES: usize = 150;
const WORD_BYTES: usize = 40;

/// A document on its way into the index.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) row: Row,
    pub(super) title: String,
    pub(super) page: PageHash,
    pub(super) document: &'a Document,
}

/// Writes to an index. What is not committed is forgotten when it is dropped. The caller holds the lock.
pub(super) struct Writer {
    path: PathBuf,
    connection: Connection,
    packer: Packer,
    pending: Pending,
    next_chunk: i64,
}

impl Writer {
    pub(super) fn new(path: &Path) -> Result<Self, Fault> {
        let connection = connect(path, OpenFlags::empty())?;
        // A dead chunk's number is not given away: segments still name it.
        let last = "SELECT max(coalesce((SELECT max(id) FROM chunks), 0), coalesce((SELECT max(chunk) FROM dead), 0))";
        let last_chunk: i64 = connection.query_row(last, [], |row| row.get(0))?;
        let (packer, pending) = (Packer::new()?, Pending::default());
        Ok(Self { path: path.to_owned(), connection, packer, pending, next_chunk: last_chunk + 1 })
    }

    /// Puts a file in, in place of what the index held of it.
    pub(super) fn put(&mut self, entry: &Entry<'_>) -> Result<(), Fault> {
        self.remove(&entry.row.path)?;
        let Row { path, size, changed_ns, content, passages, .. } = &entry.row;
        let first_chunk = self.next_chunk;
        let chunks = chunked(entry.document);
        let insert = "INSERT INTO files (path, size, mtime_ns, content, passages, title, page, first_chunk, chunks, refused) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
        let count = i64::try_from(chunks.len()).unwrap_or(i64::MAX);
        let (size, page) = (size.cast_signed(), &entry.page.0);
        let missing = entry.row.not_indexed()?;
        let row = params![path, size, changed_ns, content, passages, entry.title, page, first_chunk, count, missing];
        self.connection.prepare_cached(insert)?.execute(row)?;
        let file = self.connection.last_insert_rowid();
        let name = Path::new(path).with_extension("");
        let title = self.pending.terms(&format!("{} {}", entry.title, name.display()));
        for pieces in chunks {
            self.put_chunk(file, entry.document, pieces)?;
            self.pending.add(self.next_chunk, entry.document, pieces, &title);
            self.next_chunk += 1;
        }
        if self.pending.bytes() >= limits::LIBRARY_WRITER_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    /// Remembers a file of which nothing is indexed, in place of what the index held of it.
    pub(super) fn put_refused(&mut self, row: &Row) -> Result<(), Fault> {
        self.remove(&row.path)?;
        let insert = "INSERT INTO files (path, size, mtime_ns, content, passages, title, page, first_chunk, chunks, refused) \
             VALUES (?1, ?2, ?3, ?4, 0, '', '', 0, 0, ?5)";
        let row = params![row.path, row.size.cast_signed(), row.changed_ns, row.content, row.not_indexed()?];
        self.connection.prepare_cached(insert)?.execute(row)?;
        Ok(())
    }

    fn put_chunk(&mut self, file: i64, document: &Document, pieces: &[Piece]) -> Result<(), Fault> {
        let data = self.packer.pack(document, pieces)?;
        let passages = u32::try_from(pieces.len()).unwrap_or(u32::MAX);
        let insert = "INSERT INTO chunks (id, file, passages, data) VALUES (?1, ?2, ?3, ?4)";
        self.connection.prepare_cached(insert)?.execute(params![self.next_chunk, file, passages, data])?;
        Ok(())
    }

    /// Replaces a file's manifest row; its passages stay.
    pub(super) fn put_row(&mut self, row: &Row) -> Result<(), Fault> {
        self.begin()?;
        let update = "UPDATE files SET size = ?2, mtime_ns = ?3, content = ?4, refused = ?5 WHERE path = ?1";
        let row = params![row.path, row.size.cast_signed(), row.changed_ns, row.content, row.not_indexed()?];
        self.connection.prepare_cached(update)?.execute(row)?;
        Ok(())
    }

    /// Has a file read again at the next look, with the archive it lies in, if the index still holds this page of it.
    pub(super) fn doubt(&mut self, page: &PageRef) -> Result<(), Fault> {
        self.begin()?;
        let forget = "UPDATE files SET mtime_ns = NULL, content = '' WHERE path = ?1";
        let held = self.connection.execute(&format!("{forget} AND page = ?2"), (&page.path, &page.page.0))?;
        if let Some((outer, _)) = archive::split(&page.path).filter(|_| held > 0) {
            self.connection.execute(forget, [outer])?;
        }
        Ok(())
    }

    /// Takes a file out. Its terms stay in their segments until those are merged.
    pub(super) fn remove(&mut self, path: &str) -> Result<(), Fault> {
        self.begin()?;
        let known = "DELETE FROM files WHERE path = ?1 RETURNING first_chunk, first_chunk + chunks - 1";
        let chunks: Option<(i64, i64)> = self
            .connection
            .prepare_cached(known)?
            .query_row([path], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        if let Some(range) = chunks {
            let bury = "INSERT INTO dead (chunk, passages) SELECT id, passages FROM chunks WHERE id BETWEEN ?1 AND ?2";
            self.connection.prepare_cached(bury)?.execute(range)?;
            self.connection.prepare_cached("DELETE FROM chunks WHERE id BETWEEN ?1 AND ?2")?.execute(range)?;
        }
        Ok(())
    }

    pub(super) fn commit(&mut self) -> Result<(), Fault> {
        self.flush()?;
        if !self.connection.is_autocommit() {
            self.connection.execute_batch("COMMIT")?;
        }
        merge_due(&self.path, &mut self.connection)
    }

    /// Commits, and gives back what the transactions needed beside the index.
    pub(super) fn finish(mut self) -> Result<(), Fault> {
        self.commit()?;
        // A reader at work keeps the file from being emptied; the next run does it then.
        let _ = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        Ok(())
    }

    fn begin(&mut self) -> Result<(), Fault> {
        if self.connection.is_autocommit() {
            self.connection.execute_batch("BEGIN IMMEDIATE")?;
        }
        Ok(())
    }

    /// Writes the pending segment.
    fn flush(&mut self) -> Result<(), Fault> {
        let Pending { terms, mut lists, chunks, lengths, .. } = std::mem::take(&mut self.pending);
        if lengths.is_empty() {
            return Ok(());
        }
        let id = insert_segment(&self.connection, &Segment::new(0, chunks, lengths))?;
        let mut terms: Vec<(Box<str>, u32)> = terms.into_iter().collect();
        terms.sort_unstable();
        let mut insert = self.connection.prepare_cached(INSERT_LIST)?;
        for (term, number) in &terms {
            if let Some(list) = lists.get_mut(at(*number)) {
                insert_list(&mut insert, id, term, list)?;
            }
        }
        Ok(())
    }
}

/// Writes a segment without its lists and gives its number.
pub(super) fn insert_segment(connection: &Connection, segment: &Segment) -> Result<i64, Fault> {
    let insert = "INSERT INTO segments (passages, chunks, lengths) VALUES (?1, ?2, ?3)";
    let passages = u32::try_from(segment.lengths.len()).unwrap_or(u32::MAX);
    let row = params![passages, segment.chunk_bytes(), segment.length_bytes()];
    connection.prepare_cached(insert)?.execute(row)?;
    Ok(connection.last_insert_rowid())
}

pub(super) const INSERT_LIST: &str = "INSERT INTO postings (segment, term, in_text, in_headings, in_title, data) \
     VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

/// Writes the list of a term by way of [`INSERT_LIST`].
pub(super) fn insert_list(insert: &mut Statement<'_>, segment: i64, term: &str, list: &mut List) -> Result<(), Fault> {
    let (bytes, [in_text, in_headings, in_title]) = list.finish();
    insert.execute(params![segment, term, in_text, in_headings, in_title, bytes])?;
    Ok(())
}

/// The segment in memory.
#[derive(Default)]
struct Pending {
    /// The number of each term's list.
    terms: HashMap<Box<str>, u32>,
    /// What became of a short word as it is written: the number of its term's list, or nothing for a stop word.
    words: HashMap<ShortWord, Option<u32>>,
    lists: Vec<List>,
    list_bytes: usize,
    chunks: Vec<Chunk>,
    lengths: Vec<PerField<u16>>,
}

impl Pending {
    /// Adds the passages of one chunk. `title` is the same for all of them.
    fn add(&mut self, id: i64, document: &Document, pieces: &[Piece], title: &[u32]) {
        let mut first = u32::try_from(self.lengths.len()).unwrap_or(u32::MAX);
        self.chunks.push(Chunk { id, first });
        let mut section: Option<(&Arc<[String]>, Vec<u32>)> = None;
        for piece in pieces {
            let (_, headings) = match section.take() {
                Some(same) if Arc::ptr_eq(same.0, &piece.headings) => section.insert(same),
                _ => section.insert((&piece.headings, self.terms(&piece.headings.join("\n")))),
            };
            // The head of a table says what its rows are, also of those that stand in other passages.
            let mut text = self.terms(piece.table_head.as_deref().unwrap_or_default());
            text.extend(self.terms(document.passage_text(piece)));
            let mut length = [0; 3];
            for (field, terms) in [(TEXT, &*text), (HEADINGS, headings), (TITLE, title)] {
                length[field] = u16::try_from(terms.len()).unwrap_or(u16::MAX);
                for number in terms {
                    let Some(list) = self.lists.get_mut(at(*number)) else { continue };
                    let before = list.size();
                    list.count(first, field);
                    self.list_bytes += list.size() - before;
                }
            }
            self.lengths.push(length);
            first = first.saturating_add(1);
        }
    }

    /// The numbers of the lists of a text's terms, in their order, and behind them those of its days.
    fn terms(&mut self, text: &str) -> Vec<u32> {
        let mut terms: Vec<u32> = cut_with_parts(text).filter_map(|word| self.number(word)).collect();
        terms.extend(days(text).into_iter().map(|(_, day)| self.list_of(day.term())));
        terms
    }

    fn number(&mut self, word: &str) -> Option<u32> {
        let short = short(word);
        if let Some(known) = short.and_then(|short| self.words.get(&short)) {
            return *known;
        }
        let number = term_of(word).map(|term| self.list_of(term));
        self.words.extend(short.map(|short| (short, number)));
        number
    }

    fn list_of(&mut self, term: String) -> u32 {
        *self.terms.entry(term.into_boxed_str()).or_insert_with(|| {
            self.lists.push(List::default());
            u32::try_from(self.lists.len() - 1).unwrap_or(u32::MAX)
        })
    }

    /// How much memory it takes, roughly.
    fn bytes(&self) -> usize {
        self.list_bytes + TERM_BYTES * self.lists.len() + WORD_BYTES * self.words.len()
    }
}

/// A word with zeroes behind it. Compared and found without following a pointer: this is done once for each word of a library.
type ShortWord = [u8; 16];

/// The word, if it is short; almost all are.
fn short(word: &str) -> Option<ShortWord> {
    let mut short = ShortWord::default();
    short.get_mut(..word.len())?.copy_from_slice(word.as_bytes());
    Some(short)
}

fn at(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
