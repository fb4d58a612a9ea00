//! Every limit of hadal, with its unit and its reason. Nothing in the program is unbounded.

use std::time::Duration;

/// Shorter is a slip of the finger; seed 003 refuses it too.
pub(crate) const QUERY_MIN_CHARS: usize = 3;
/// Longer is a document, not a question; documents belong into the library.
pub(crate) const QUERY_MAX_CHARS: usize = 10_000;
/// The context snippet of a call; about four pages.
pub(crate) const CONTEXT_MAX_CHARS: usize = 20_000;

/// Effects of one task in flight at once.
pub(crate) const EFFECTS_IN_FLIGHT: usize = 16;
/// Effects one task may start in all: far above any method's need, so that a method that loops ends.
pub(crate) const EFFECTS_PER_TASK: u32 = 20_000;
/// How often an effect may end its process before its task is given up as poison.
pub(crate) const EFFECT_TRIES: u32 = 3;

/// How often a process looks for tasks of dead owners and for cancel requests. Two looks fit into the
/// second in which a dead owner's task must be adopted.
pub(crate) const TICK: Duration = Duration::from_millis(250);
/// A hung owner, its lock still held, is given up after this long without a sign of life, as its observer's
/// own monotonic clock counts: a pause or a suspended machine is no reason to rob anyone.
pub(crate) const HUNG_OWNER: Duration = Duration::from_secs(15 * 60);
/// How often an owner shows a sign of life in its lock file.
pub(crate) const HEARTBEAT: Duration = Duration::from_secs(30);
/// From the first signal to the exit.
pub(crate) const SHUTDOWN: Duration = Duration::from_millis(1_500);
/// From the polite stop of an effect to its hard one.
pub(crate) const CANCEL_GRACE: Duration = Duration::from_secs(3);

/// How long a write waits for another process's transaction.
pub(crate) const STORE_BUSY: Duration = Duration::from_secs(15);
/// Write jobs committed together: one fsync serves them all.
pub(crate) const STORE_BATCH: usize = 64;
/// Write jobs waiting; a caller beyond that waits for a place.
pub(crate) const STORE_QUEUE: usize = 1_024;
/// Open read connections.
pub(crate) const STORE_READERS: usize = 4;
/// Rows of one `list` answer.
pub(crate) const LIST_ROWS: u32 = 200;
/// Events a slow watcher may lag behind before it loses the oldest.
pub(crate) const EVENTS_KEPT: usize = 1_024;

/// A passage with fewer words takes the next block of its section in: a line alone is too little to judge or to cite.
pub(crate) const PASSAGE_MIN_WORDS: usize = 60;
/// Where packing blocks into a passage stops, and the size that long blocks are cut to: about a paragraph, so
/// that a quote is found quickly and BM25 compares like with like.
pub(crate) const PASSAGE_TARGET_WORDS: usize = 150;
/// No passage is longer.
pub(crate) const PASSAGE_MAX_WORDS: usize = 220;
/// Blocks further apart are not joined to one passage, in bytes; blank lines and a comment fit.
pub(crate) const PASSAGE_GAP_BYTES: usize = 256;
/// An unbroken run of this many bytes counts as one word, so that text without spaces (Chinese, base64) is cut too.
pub(crate) const WORD_BYTES: usize = 16;
/// A heading or title is cut here: it is kept with each passage below it.
pub(crate) const HEADING_CHARS: usize = 200;
/// Passages of one file; about 3 million words, more than any book.
pub(crate) const PASSAGES_PER_FILE: usize = 20_000;
/// How far into an HTML file its charset declaration is looked for, in bytes (the HTML standard's figure).
pub(crate) const CHARSET_BYTES: usize = 1_024;

/// Files of one library root: a large documentation tree has some thousands.
pub(crate) const LIBRARY_FILES: usize = 50_000;
/// Entries of one root that are looked at in all, documents or not, so that adding a whole disk ends.
pub(crate) const LIBRARY_ENTRIES: usize = 1_000_000;
/// Folders inside folders.
pub(crate) const LIBRARY_DEPTH: usize = 32;
/// Problems of one refresh that are listed one by one; the rest is counted.
pub(crate) const LIBRARY_PROBLEMS: usize = 50;
/// How long a refresh waits for another process that writes the same index.
pub(crate) const LIBRARY_BUSY: Duration = Duration::from_secs(10);
/// How often it looks whether that process is done.
pub(crate) const LIBRARY_BUSY_POLL: Duration = Duration::from_millis(20);
/// Memory of the index writer, in bytes: tantivy's minimum, so that indexing fits beside everything else.
pub(crate) const LIBRARY_WRITER_BYTES: usize = 15_000_000;
/// Text after which an indexing run is committed, in bytes: what a cancelled run loses at most.
pub(crate) const LIBRARY_COMMIT_BYTES: usize = 64 * 1024 * 1024;
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
