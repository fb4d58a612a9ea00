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
/// The text of one archived page. Larger documents are not taken in at all.
pub(crate) const PAGE_BYTES: usize = 64 << 20;
/// How long a cancel waits for the task to be over before it answers with the task still running.
pub(crate) const CANCEL_WAIT: Duration = Duration::from_secs(8);
/// The shortest time between two progress rows of one task.
pub(crate) const PROGRESS_EVERY: Duration = Duration::from_millis(250);
/// How long a step waits for the store to recover (disk full, locked) before its task fails.
pub(crate) const STORE_PATIENCE: Duration = Duration::from_secs(60);

/// After a child's own end its last output is read for this long; a grandchild that keeps the pipe open gets no more.
pub(crate) const CHILD_DRAIN: Duration = Duration::from_millis(500);
/// Bytes taken from a child's pipe at once: what a Linux pipe holds.
pub(crate) const CHILD_READ_BYTES: usize = 64 * 1024;
/// How often a dying child is looked at. A killed process is gone within a millisecond or two.
pub(crate) const BURIAL_LOOK: Duration = Duration::from_millis(5);
/// A killed child that is still there after this long hangs in the kernel; the warden keeps it on its list.
pub(crate) const BURIAL: Duration = Duration::from_secs(5);
/// Looks in a row that must find no marked process: one alone can miss a process in the middle of its `exec`.
pub(crate) const BURIAL_CLEAN_LOOKS: u32 = 2;
/// Bytes of a process's environment that are searched for the mark: all that Linux allows under the usual stack limit
/// of 8 MiB.
pub(crate) const ENVIRON_BYTES: u64 = 2 * 1024 * 1024;
/// From the start of the warden to the moment it listens; a few milliseconds unless the machine is drowning.
pub(crate) const WARDEN_START: Duration = Duration::from_secs(10);
/// How long a dismissed warden may take to leave before it is killed.
pub(crate) const WARDEN_LEAVE: Duration = Duration::from_secs(2);
