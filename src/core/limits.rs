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

/// `hadal.toml`; every setting with a comment each is a hundredth of it.
pub(crate) const CONFIG_FILE_MAX_BYTES: u64 = 256 * 1024;
/// The prefix of a saved report's name: with id and time it stays far below the 255 bytes of a file name.
pub(crate) const FILE_PREFIX_MAX_CHARS: usize = 64;
/// Names tried for a saved report when others of the same second are taken.
pub(crate) const FILE_NAME_TRIES: u32 = 100;
/// One script file.
#[cfg(feature = "scripted")]
pub(crate) const SCRIPT_MAX_BYTES: u64 = 16 * 1024 * 1024;

/// Attempts a call may ask for; the deepest strategy takes 4.
pub(crate) const ATTEMPTS_MAX: u32 = 10;
/// Library folders one call may name.
pub(crate) const LIBRARY_ROOTS_MAX: usize = 32;
/// Seconds of wall time a call may give its task: a week, beyond any research.
pub(crate) const BUDGET_SECONDS_MAX: u64 = 7 * 24 * 60 * 60;
/// Seconds a status call may wait for news: clients that give up at 60 s still get the answer.
pub(crate) const STATUS_WAIT_SECONDS_MAX: u64 = 45;

/// Rows of a `list` answer whose call names no limit.
pub(crate) const LIST_ROWS_DEFAULT: u32 = 20;
/// Characters of a question in a `list` answer: enough to recognise it.
pub(crate) const LIST_QUERY_CHARS: usize = 200;
/// Problems of one answer. A library can have thousands of unreadable files; the rest are counted.
pub(crate) const REPLY_PROBLEMS: usize = 20;
/// Characters of foreign text (a path, an argument) that a message repeats.
pub(crate) const ECHO_CHARS: usize = 200;

/// Bytes of one MCP message. The largest allowed call has about 100 KB; a question of a megabyte still gets its coded
/// error.
pub(crate) const MCP_LINE_BYTES: usize = 4 << 20;
/// Characters of a result that a client is asked to show in full; about 50,000 tokens.
pub(crate) const MCP_RESULT_CHARS: usize = 200_000;
/// A client that waits hears something at least this often; the shortest idle limit seen is 60 s.
pub(crate) const MCP_HEARTBEAT: Duration = Duration::from_secs(10);
/// Progress notifications of one call are at least this far apart.
pub(crate) const MCP_PROGRESS_GAP: Duration = Duration::from_millis(200);
/// How long a call still waits for its task once the client has closed its side: `printf … | hadal serve` gets its
/// answer. Shorter than the 5 s after which the protocol library stops writing.
pub(crate) const MCP_GOODBYE: Duration = Duration::from_secs(3);
/// How long answers in flight may take to be written after a signal.
pub(crate) const MCP_DRAIN: Duration = Duration::from_millis(300);
/// How long a client may keep the list of tools: it only changes with the program.
pub(crate) const MCP_TOOLS_TTL: Duration = Duration::from_secs(60 * 60);
