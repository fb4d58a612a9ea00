//! The limits of the local library.

use std::time::Duration;

/// Documents of one library root: a large documentation tree has some ten thousand, an archive of mail ten times as many.
pub(crate) const LIBRARY_FILES: usize = 1_000_000;
/// Entries of one root that are looked at in all, documents or not, so that adding a whole disk ends.
pub(crate) const LIBRARY_ENTRIES: usize = 5_000_000;
/// Bytes of a `.gitignore` that are read.
pub(crate) const IGNORE_FILE_BYTES: u64 = 256 << 10;
/// Threads that read files while one writes the index: more would wait for the disk or for it.
pub(crate) const LIBRARY_READERS: usize = 2;
/// How often a run that waits for a file looks whether it is to stop.
pub(crate) const LIBRARY_STOP_POLL: Duration = Duration::from_millis(100);
/// Patterns of one root that leave files out, and bytes of one.
pub(crate) const LIBRARY_EXCLUDES: usize = 100;
pub(crate) const LIBRARY_EXCLUDE_BYTES: usize = 1_000;
/// Folders inside folders.
pub(crate) const LIBRARY_DEPTH: usize = 32;
/// Problems of one refresh that are listed one by one; the rest is counted.
pub(crate) const LIBRARY_PROBLEMS: usize = 50;
/// How long a refresh waits for another process that writes the same index.
pub(crate) const LIBRARY_BUSY: Duration = Duration::from_secs(10);
/// How often it looks whether that process is done.
pub(crate) const LIBRARY_BUSY_POLL: Duration = Duration::from_millis(20);
/// Memory of a segment before it is written, in bytes: enough that segments are few, and indexing fits beside everything else.
pub(crate) const LIBRARY_WRITER_BYTES: usize = 64_000_000;
/// Documents that are read ahead of the one being indexed; few, because each may be as large as a file may be.
pub(crate) const LIBRARY_READ_AHEAD: usize = 4;
/// Pages of an index file, in bytes: larger than usual, because lists are read as a whole.
pub(crate) const LIBRARY_PAGE_BYTES: u32 = 8 * 1024;
/// Pages of an index that a connection keeps in memory, in KiB; the system keeps the others.
pub(crate) const LIBRARY_CACHE_KIB: i64 = 4 * 1024;
/// Passages are stored in runs of about this many bytes: more is packed better, less is unpacked faster.
pub(crate) const LIBRARY_CHUNK_BYTES: usize = 8 * 1024;
/// What stands between two passages is kept with them up to so many bytes: headings and blank lines are short.
pub(crate) const LIBRARY_GAP_BYTES: usize = 64 * 1024;
/// No run is larger when it is unpacked, in bytes: one passage too long for it, with all of it escaped, has less.
pub(crate) const LIBRARY_UNPACKED_BYTES: usize = 4 * 1024 * 1024;
/// Work after which an indexing run is committed in any case, in bytes: what a run that is killed loses at most.
pub(crate) const LIBRARY_COMMIT_BYTES: u64 = 64 * 1024 * 1024;
/// The same for the first commit: a second or two of work.
pub(crate) const LIBRARY_COMMIT_FIRST_BYTES: u64 = 4 * 1024 * 1024;
/// In between, a run commits when what it would lose is such a part of what it has kept.
pub(crate) const LIBRARY_COMMIT_SHARE: u64 = 3;
/// What a file counts as beside its bytes: opening and listing it is work, however small it is.
pub(crate) const LIBRARY_COMMIT_FILE_BYTES: u64 = 8 * 1024;
/// Indexes this process holds open.
pub(crate) const LIBRARY_OPEN: usize = 16;
/// Indexes of folders that were searched once without being registered; the oldest leave.
pub(crate) const LIBRARY_VISITED: usize = 16;
/// A file changed this shortly before it was read may change again within the same time stamp (two
/// seconds on FAT), so its content decides at the next look.
pub(crate) const LIBRARY_RACY: Duration = Duration::from_secs(2);
/// Terms of one search; the most telling ones are kept.
pub(crate) const LIBRARY_TERMS: usize = 64;
/// Longer words are not indexed, in bytes: they are hashes and encoded data.
pub(crate) const LIBRARY_WORD_BYTES: usize = 40;
/// Passages one search may return.
pub(crate) const LIBRARY_PASSAGES: usize = 500;
/// Each file of static vectors; the largest that are published have about 500 MB, those of one language 30 to 130.
pub(crate) const VECTORS_BYTES: u64 = 1 << 29;
/// Library folders one call may name.
pub(crate) const LIBRARY_ROOTS_MAX: usize = 32;
/// Folders of one root that are watched; each takes about a kilobyte of the kernel.
pub(crate) const LIBRARY_WATCHED: usize = 100_000;
/// Files of one watched root that have other names, which are looked at before each question: what is written by another name is told to nobody here.
pub(crate) const LIBRARY_LINKED: usize = 10_000;
/// Roots of one process whose looks are counted.
pub(crate) const LIBRARY_WATCH_ROOTS: usize = 256;
/// After this a folder is walked though nothing was told of it: what is written through a mapping of memory is never told.
pub(crate) const LIBRARY_WATCH_TRUST: Duration = Duration::from_secs(10 * 60);
/// Looks at most between two tries to watch a folder that changes all the time.
pub(crate) const LIBRARY_WATCH_REST: u32 = 31;
