//! The index of one root: a SQLite file of its own, with the manifest of files, the passages and, per segment, the lists of
//! where each term stands.
//!
//! A segment is written once and never changed; merging makes a new one of several. Everything of one commit is one
//! transaction, so the manifest cannot disagree with the passages. Every index that is built has a file name of its own:
//! a process that still has the file of before open can do nothing to the new one.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OpenFlags, OptionalExtension, Transaction, TransactionBehavior};
use serde::{Deserialize, Serialize};

use super::fault::{Fault, own_io};
use super::postings::{FIELDS, Malformed, PerField, containing_outside};
use super::roots::Choice;
use super::writer::Writer;
use crate::core::base::error::Error;
use crate::core::base::limits;
use crate::core::evidence::passage::PageRef;
use crate::core::task::skipped::SkippedFiles;
use crate::core::text::LeftOut;
use crate::world::{private, random};

/// How the names of index files end.
const EXTENSION: &str = "sqlite";
/// The version of the tables, in the file's header. It is written with them: a file without it was never finished.
const VERSION: i64 = 2;

const TABLES: &str = "
    CREATE TABLE files (
        id INTEGER PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        size INTEGER NOT NULL,
        mtime_ns INTEGER,
        content TEXT NOT NULL,
        passages INTEGER NOT NULL,
        title TEXT NOT NULL,
        page TEXT NOT NULL,
        first_chunk INTEGER NOT NULL,
        chunks INTEGER NOT NULL,
        refused TEXT
    );
    CREATE TABLE chunks (
        id INTEGER PRIMARY KEY,
        file INTEGER NOT NULL,
        passages INTEGER NOT NULL,
        data BLOB NOT NULL
    );
    CREATE TABLE dead (
        chunk INTEGER PRIMARY KEY,
        passages INTEGER NOT NULL
    );
    CREATE TABLE segments (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        passages INTEGER NOT NULL,
        chunks BLOB NOT NULL,
        lengths BLOB NOT NULL
    );
    CREATE TABLE postings (
        segment INTEGER NOT NULL,
        term TEXT NOT NULL,
        in_text INTEGER NOT NULL,
        in_headings INTEGER NOT NULL,
        in_title INTEGER NOT NULL,
        data BLOB NOT NULL,
        PRIMARY KEY (segment, term)
    ) WITHOUT ROWID;
    PRAGMA user_version = 2;";

/// One file of the manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) path: String,
    pub(super) size: u64,
    /// `None`: the file was too fresh for its time to be trusted, or is to be read again. The column is called `mtime_ns`.
    pub(super) changed_ns: Option<i64>,
    /// The SHA-256 of the file's bytes.
    pub(super) content: String,
    pub(super) passages: u32,
    /// Why nothing of it is in the index; it is not read again before it changes.
    pub(super) refused: Option<Refusal>,
    /// What of it is not in the index.
    pub(super) left_out: BTreeSet<LeftOut>,
    /// Of an archive or a mail, what was looked at of the files in it.
    pub(super) inside: Option<Inside>,
}

/// Why a file was not indexed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Refusal {
    /// It is of a kind that is not read.
    Skipped(String),
    /// It is damaged, protected or too large.
    Failed(Error),
    /// It is an archive, whose files have rows of their own.
    Archive,
}

/// What was looked at of the files in an archive or a mail, which have rows of their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Inside {
    /// What of them is not read.
    pub(super) skipped: SkippedFiles,
    /// Whether there are more than are looked at.
    pub(super) has_more: bool,
    /// Whether it ends in the middle of something.
    pub(super) cut_off: bool,
    /// What was chosen when it was read.
    pub(super) choice: Choice,
}

/// The column that says what of a file is not in the index.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct NotIndexed {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refused: Option<Refusal>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    left_out: BTreeSet<LeftOut>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inside: Option<Inside>,
}

impl Row {
    /// A file of which nothing is known yet.
    pub(super) fn new(path: String, size: u64, content: String) -> Self {
        let (refused, left_out, inside) = (None, BTreeSet::new(), None);
        Self { path, size, changed_ns: None, content, passages: 0, refused, left_out, inside }
    }

    /// What its column says; nothing where all of it is in the index.
    pub(super) fn not_indexed(&self) -> Result<Option<String>, Fault> {
        let Self { refused, left_out, inside, .. } = self.clone();
        let column = Some(NotIndexed { refused, left_out, inside }).filter(|column| *column != NotIndexed::default());
        let text = column.map(|column| serde_json::to_string(&column)).transpose();
        text.map_err(|error| Fault::Damaged(error.to_string()))
    }

    /// Whether another choice of what is read would have made it the same.
    pub(super) fn is_read_by(&self, choice: &Choice) -> bool {
        self.inside.as_ref().is_none_or(|inside| inside.choice == *choice)
    }
}

/// A segment, without its lists.
#[derive(Debug, Default)]
pub(super) struct Segment {
    pub(super) id: i64,
    /// The chunks by the number of their first passage.
    pub(super) chunks: Vec<Chunk>,
    /// How many terms each passage has.
    pub(super) lengths: Vec<PerField<u16>>,
    /// Terms of all passages together.
    pub(super) tokens: PerField<u64>,
}

/// Passages of one file that are stored together, inside a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    pub(super) id: i64,
    pub(super) first: u32,
}

impl Segment {
    pub(super) fn new(id: i64, chunks: Vec<Chunk>, lengths: Vec<PerField<u16>>) -> Self {
        let tokens = lengths.iter().fold([0; FIELDS], |mut sum, lengths| {
            sum.iter_mut().zip(lengths).for_each(|(sum, length)| *sum += u64::from(*length));
            sum
        });
        Self { id, chunks, lengths, tokens }
    }

    /// How many of the passages are left without those at these places, and how many terms they have together.
    pub(super) fn living(&self, dead: &[Range<u32>]) -> (u64, PerField<u64>) {
        let (mut passages, mut tokens) = (self.lengths.len(), self.tokens);
        for place in dead {
            let lengths = self.lengths.get(at(place.start)..at(place.end)).unwrap_or_default();
            passages = passages.saturating_sub(lengths.len());
            for length in lengths {
                tokens.iter_mut().zip(length).for_each(|(sum, length)| *sum = sum.saturating_sub(u64::from(*length)));
            }
        }
        (u64::try_from(passages).unwrap_or(u64::MAX), tokens)
    }

    /// The chunk of a passage, and the passage's place in it.
    pub(super) fn locate(&self, passage: u32) -> Option<(i64, u32)> {
        let after = self.chunks.partition_point(|chunk| chunk.first <= passage);
        let chunk = self.chunks.get(after.checked_sub(1)?)?;
        Some((chunk.id, passage - chunk.first))
    }

    /// The chunks as bytes: the id and the first passage of each.
    pub(super) fn chunk_bytes(&self) -> Vec<u8> {
        let bytes = self.chunks.iter().flat_map(|chunk| {
            let (id, first) = (chunk.id.to_le_bytes(), chunk.first.to_le_bytes());
            id.into_iter().chain(first)
        });
        bytes.collect()
    }

    pub(super) fn length_bytes(&self) -> Vec<u8> {
        self.lengths.iter().flatten().flat_map(|length| length.to_le_bytes()).collect()
    }

    /// Where the passages of these chunks stand, in their order.
    fn places_of(&self, chunks: &HashSet<i64>) -> Vec<Range<u32>> {
        let all = u32::try_from(self.lengths.len()).unwrap_or(u32::MAX);
        let ends = self.chunks.iter().skip(1).map(|chunk| chunk.first).chain([all]);
        let places = self.chunks.iter().zip(ends).filter(|(chunk, _)| chunks.contains(&chunk.id));
        places.map(|(chunk, end)| chunk.first..end).collect()
    }

    /// Reads a segment; nothing where the bytes do not fit together.
    fn of_bytes(id: i64, passages: u32, chunks: &[u8], lengths: &[u8]) -> Option<Self> {
        let (chunks, no_rest) = chunks.as_chunks::<12>();
        let (lengths, no_length) = lengths.as_chunks::<{ 2 * FIELDS }>();
        let whole = no_rest.is_empty() && no_length.is_empty() && u32::try_from(lengths.len()) == Ok(passages);
        let chunk = |bytes: &[u8; 12]| {
            let (id, first) = bytes.split_first_chunk()?;
            Some(Chunk { id: i64::from_le_bytes(*id), first: u32::from_le_bytes(first.try_into().ok()?) })
        };
        let length = |[a, b, c, d, e, f]: &[u8; 2 * FIELDS]| [[*a, *b], [*c, *d], [*e, *f]].map(u16::from_le_bytes);
        let chunks: Option<Vec<_>> = chunks.iter().map(chunk).collect();
        let chunks = chunks.filter(|chunks| whole && chunks.is_sorted_by_key(|chunk| chunk.first))?;
        Some(Self::new(id, chunks, lengths.iter().map(length).collect()))
    }

    pub(super) fn read(connection: &Connection, id: i64) -> Result<Self, Fault> {
        let mut query = connection.prepare_cached("SELECT passages, chunks, lengths FROM segments WHERE id = ?1")?;
        let segment = query.query_one([id], |row| {
            let (passages, chunks, lengths) = (row.get(0)?, row.get_ref(1)?, row.get_ref(2)?);
            Ok(Self::of_bytes(id, passages, chunks.as_blob()?, lengths.as_blob()?))
        })?;
        segment.ok_or_else(|| Fault::Damaged("a segment cannot be read".to_owned()))
    }
}

/// The segments of an index, the oldest first.
pub(super) fn segment_ids(connection: &Connection) -> Result<Vec<i64>, Fault> {
    let mut query = connection.prepare_cached("SELECT id FROM segments ORDER BY id")?;
    let ids: rusqlite::Result<Vec<i64>> = query.query_map([], |row| row.get(0))?.collect();
    Ok(ids?)
}

/// The chunks that stand in a segment and no longer in the index.
pub(super) fn dead_chunks(connection: &Connection) -> Result<HashSet<i64>, Fault> {
    let mut query = connection.prepare_cached("SELECT chunk FROM dead")?;
    let ids: rusqlite::Result<HashSet<i64>> = query.query_map([], |row| row.get(0))?.collect();
    Ok(ids?)
}

/// Passages that stand in a segment and no longer in the index.
#[derive(Debug, Default)]
pub(super) struct Dead {
    chunks: HashSet<i64>,
    /// Where they stand in each segment that has some.
    places: BTreeMap<i64, Vec<Range<u32>>>,
}

impl Dead {
    fn new(chunks: HashSet<i64>, segments: &BTreeMap<i64, Arc<Segment>>) -> Self {
        let mut places = BTreeMap::new();
        if !chunks.is_empty() {
            places.extend(segments.iter().map(|(id, segment)| (*id, segment.places_of(&chunks))));
        }
        Self { chunks, places }
    }

    pub(super) fn has(&self, chunk: i64) -> bool {
        self.chunks.contains(&chunk)
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.chunks.len()
    }

    /// Where they stand in a segment, in their order.
    pub(super) fn in_segment(&self, segment: i64) -> &[Range<u32>] {
        self.places.get(&segment).map(Vec::as_slice).unwrap_or_default()
    }
}

/// An index, opened for reading.
#[derive(Debug)]
pub(super) struct Opened {
    path: PathBuf,
    reader: Mutex<Reader>,
}

/// A connection, and what was read already.
#[derive(Debug)]
struct Reader {
    connection: Connection,
    segments: BTreeMap<i64, Arc<Segment>>,
    dead: Arc<Dead>,
}

impl Reader {
    fn new(connection: Connection) -> Self {
        Self { connection, segments: BTreeMap::new(), dead: Arc::default() }
    }
}

/// An index as it is at one commit.
pub(super) struct Snapshot<'a> {
    pub(super) transaction: Transaction<'a>,
    pub(super) segments: Vec<Arc<Segment>>,
    pub(super) dead: Arc<Dead>,
}

impl Snapshot<'_> {
    /// In how many living passages of a segment a term stands, by field; nothing where it stands in none at all.
    pub(super) fn containing(&self, segment: &Segment, term: &str) -> Result<Option<PerField<u64>>, Fault> {
        let dead = self.dead.in_segment(segment.id);
        if dead.is_empty() {
            let count = "SELECT in_text, in_headings, in_title FROM postings WHERE segment = ?1 AND term = ?2";
            let counts = self.transaction.prepare_cached(count)?.query_row((segment.id, term), |row| {
                let counts: PerField<u32> = [row.get(0)?, row.get(1)?, row.get(2)?];
                Ok(counts)
            });
            return Ok(counts.optional()?.map(|counts| counts.map(u64::from)));
        }
        // The counts beside the list are those of all passages; the list tells the living from the others.
        let mut list = self.transaction.prepare_cached("SELECT data FROM postings WHERE segment = ?1 AND term = ?2")?;
        let mut rows = list.query((segment.id, term))?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let data = row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?;
        let counts = containing_outside(data, dead).map_err(|Malformed| malformed())?;
        Ok(Some(counts.map(u64::from)).filter(|counts| *counts != [0; FIELDS]))
    }
}

impl Opened {
    /// Opens what is there, or nothing.
    pub(super) fn open(dir: &Path) -> Result<Option<Self>, Fault> {
        let Some(path) = file_of(dir) else { return Ok(None) };
        let connection = match connect(&path, OpenFlags::empty()) {
            // Taken away since it was seen.
            Err(_) if !path.exists() => return Ok(None),
            connection => connection?,
        };
        let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        match version {
            0 => Ok(None),
            VERSION => Ok(Some(Self { path, reader: Mutex::new(Reader::new(connection)) })),
            other => Err(Fault::Damaged(format!("its version is {other}"))),
        }
    }

    /// Makes an empty index. The caller holds the lock and has removed what was there.
    pub(super) fn create(dir: &Path) -> Result<Self, Fault> {
        private::folder(dir).map_err(|error| own_io(dir, &error))?;
        let path = dir.join(format!("{:016x}.{EXTENSION}", random::bits64()));
        private::file(&path).map_err(|error| own_io(dir, &error))?;
        let mut connection = connect(&path, OpenFlags::SQLITE_OPEN_CREATE)?;
        connection.pragma_update(None, "page_size", limits::LIBRARY_PAGE_BYTES)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        let tables = connection.transaction()?;
        tables.execute_batch(TABLES)?;
        tables.commit()?;
        Ok(Self { path, reader: Mutex::new(Reader::new(connection)) })
    }

    /// Whether the index was taken away or built again since.
    pub(super) fn is_stale(&self, dir: &Path) -> bool {
        file_of(dir).as_ref() != Some(&self.path)
    }

    /// The files of the index, by path.
    pub(super) fn manifest(&self) -> Result<BTreeMap<String, Row>, Fault> {
        let reader = self.reader();
        let mut query =
            reader.connection.prepare("SELECT path, size, mtime_ns, content, passages, refused FROM files")?;
        let rows = query.query_map([], |row| {
            let size: i64 = row.get(1)?;
            let column = row.get::<_, Option<String>>(5)?.unwrap_or_default();
            let NotIndexed { refused, left_out, inside } = serde_json::from_str(&column).unwrap_or_default();
            Ok(Row {
                path: row.get(0)?,
                size: size.cast_unsigned(),
                changed_ns: row.get(2)?,
                content: row.get(3)?,
                passages: row.get(4)?,
                refused,
                left_out,
                inside,
            })
        })?;
        let rows: rusqlite::Result<_> = rows.map(|row| row.map(|row| (row.path.clone(), row))).collect();
        Ok(rows?)
    }

    /// The size and the hash of the file that a page was made of, if the index still holds the page.
    pub(super) fn file_of_page(&self, page: &PageRef) -> Result<Option<(u64, String)>, Fault> {
        let query = "SELECT size, content FROM files WHERE path = ?1 AND page = ?2";
        let found = self.reader().connection.query_row(query, (&page.path, &page.page.0), |row| {
            let size: i64 = row.get(0)?;
            Ok((size.cast_unsigned(), row.get(1)?))
        });
        Ok(found.optional()?)
    }

    pub(super) fn writer(&self) -> Result<Writer, Fault> {
        Writer::new(&self.path)
    }

    /// Runs `work` on the index as its last commit left it.
    pub(super) fn at_last_commit<T>(&self, work: impl FnOnce(&Snapshot<'_>) -> Result<T, Fault>) -> Result<T, Fault> {
        let mut reader = self.reader();
        let Reader { connection, segments: known, dead } = &mut *reader;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Deferred)?;
        let ids = segment_ids(&transaction)?;
        let mut is_known = known.keys().eq(ids.iter());
        known.retain(|id, _| ids.contains(id));
        for id in ids {
            if let Entry::Vacant(unread) = known.entry(id) {
                unread.insert(Arc::new(Segment::read(&transaction, id)?));
            }
        }
        let chunks = dead_chunks(&transaction)?;
        is_known &= dead.chunks == chunks;
        if !is_known {
            *dead = Arc::new(Dead::new(chunks, known));
        }
        work(&Snapshot { transaction, segments: known.values().map(Arc::clone).collect(), dead: Arc::clone(dead) })
    }

    fn reader(&self) -> MutexGuard<'_, Reader> {
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The index file of a directory.
pub(super) fn file_of(dir: &Path) -> Option<PathBuf> {
    let paths = fs::read_dir(dir).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    paths.filter(|path| path.extension().is_some_and(|extension| extension == EXTENSION)).min()
}

/// The one opener of index files.
pub(super) fn connect(path: &Path, more: OpenFlags) -> Result<Connection, Fault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | more;
    #[expect(clippy::disallowed_methods, reason = "this is the gate")]
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(limits::LIBRARY_BUSY)?;
    // The index can be built again: a commit need not wait for the disk, it must only never be half there.
    connection.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF;")?;
    connection.pragma_update(None, "cache_size", -limits::LIBRARY_CACHE_KIB)?;
    Ok(connection)
}

/// A list of passages that no writer wrote.
pub(super) fn malformed() -> Fault {
    Fault::Damaged("a list of passages is malformed".to_owned())
}

fn at(passage: u32) -> usize {
    usize::try_from(passage).unwrap_or(usize::MAX)
}
