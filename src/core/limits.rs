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

/// Braces and brackets inside one another in a model's answer. The schema needs three; the rest is for wrappings. Reading
/// is recursive, so this bounds the stack.
pub(crate) const JSON_DEPTH: usize = 64;
/// Bytes of a key in a model's answer: some models use an address as a key. It also bounds how far a stray `{"` in prose is followed.
pub(crate) const JSON_KEY_BYTES: usize = 1_024;
/// Sources or search queries taken from one answer; a model that lists more is looping.
pub(crate) const JSON_LIST_ITEMS: usize = 4_096;
/// Characters of one source or query; a longer one is no address and no question, and half an address would be a wrong one.
pub(crate) const JSON_ITEM_CHARS: usize = 4_096;
/// How often an answer may, on the whole, be read again from another opening brace: the multiple of its length.
pub(crate) const JSON_RESCANS: u64 = 4;
/// How far, on the whole, may be looked ahead to tell a closing quote from a bare one: the multiple of the answer's length.
pub(crate) const JSON_LOOKAHEAD: u64 = 4;
/// Steps of either kind that are free: a short answer may be as confused as it likes.
pub(crate) const JSON_FREE_STEPS: u64 = 1 << 13;
/// How often an answer may be encoded as a JSON string inside a JSON string; two have been seen in the wild.
pub(crate) const JSON_ENCODINGS: usize = 3;
