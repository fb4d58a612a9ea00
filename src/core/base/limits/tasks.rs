//! The limits of tasks, their journal and the store.

use std::time::Duration;

/// Effects of one task in flight at once.
pub(crate) const EFFECTS_IN_FLIGHT: usize = 16;
/// Effects one task may start in all: far above any method's need, so that a method that loops ends.
pub(crate) const EFFECTS_PER_TASK: u32 = 20_000;
/// How often an effect may end its process before its task is given up as poison.
pub(crate) const EFFECT_TRIES: u32 = 3;
/// How often a process looks for tasks of dead owners and for cancel requests. Two looks fit into the
/// second in which a dead owner's task must be adopted.
pub(crate) const TICK: Duration = Duration::from_millis(250);
/// How often somebody who waits for the end of a task of this process looks nevertheless: its end is told.
pub(crate) const TOLD_TICK: Duration = Duration::from_secs(5);
/// The same for the keeper, which has nobody waiting. A timer wakes its thread up twice, and it is not to wake a machine up
/// oftener than once a second.
pub(crate) const KEEPER_TICK: Duration = Duration::from_secs(2);
/// How long a keeper that is asked to leave may take: the longest shutdown, with room for a slow machine.
pub(crate) const KEEPER_LEAVE: Duration = Duration::from_secs(30);
/// How long a command that hands its tasks over waits to see them in other hands before it ends.
pub(crate) const KEEPER_START: Duration = Duration::from_secs(3);
/// The log of the keeper begins anew beyond this size.
pub(crate) const KEEPER_LOG_BYTES: u64 = 1 << 20;
/// A hung owner, its lock still held, is given up after this long without a sign of life, as its observer's
/// own monotonic clock counts: a pause or a suspended machine is no reason to rob anyone.
pub(crate) const HUNG_OWNER: Duration = Duration::from_secs(15 * 60);
/// How often an owner shows a sign of life in its lock file.
pub(crate) const HEARTBEAT: Duration = Duration::from_secs(30);
/// From the first signal to the exit.
pub(crate) const SHUTDOWN: Duration = Duration::from_millis(1_500);
/// From the polite stop of an effect to its hard one.
pub(crate) const CANCEL_GRACE: Duration = Duration::from_secs(3);
/// How long work on a page or a file may take to end by itself once it is to stop; then it is left to itself. With it a cancel is answered within a second.
pub(crate) const PAGE_STOP: Duration = Duration::from_millis(300);
/// How long a write waits for another process's transaction.
pub(crate) const STORE_BUSY: Duration = Duration::from_secs(15);
/// A disk with less room than this is full: SQLite's readers share a file that grows in steps of 32 KiB.
pub(crate) const STORE_ROOM_BYTES: u64 = 64 * 1024;
/// The reserve for a full disk is laid where there is room for several of it.
pub(crate) const STORE_BALLAST_ROOM_BYTES: u64 = 8 << 20;
/// Write jobs committed together: one fsync serves them all.
pub(crate) const STORE_BATCH: usize = 64;
/// Write jobs waiting; a caller beyond that waits for a place.
pub(crate) const STORE_QUEUE: usize = 1_024;
/// Tasks of other processes that are looked at for those who watch here, the newest of them.
pub(crate) const ELSEWHERE_TASKS: u32 = 256;
/// How long before a look a task may have begun that is over by then, in milliseconds: its time is taken before it is committed.
pub(crate) const ELSEWHERE_BACK_MS: i64 = 2_000;
/// Reads of the database at once, each on a connection of its own.
pub(crate) const STORE_READERS: usize = 8;
/// Events a slow watcher may lag behind before it loses the oldest.
pub(crate) const EVENTS_KEPT: usize = 1_024;
/// The text of one archived page. Larger documents are not taken in at all.
pub(crate) const PAGE_BYTES: usize = 64 << 20;
/// A string of a row that is at least so long is stored under its hash, not in the row. A shorter one would gain little: its
/// name takes 80 bytes in the row and twice that elsewhere.
pub(crate) const STORE_TEXT_BYTES: usize = 512;
/// Tasks that one call may delete. They go in one transaction.
pub(crate) const DELETE_TASKS: usize = 100;
/// Task ids that the reply of a prune names; the number is told of all.
pub(crate) const PRUNE_SHOWN: usize = 100;
/// How often somebody looks for what may be cleared away.
pub(crate) const UPKEEP: Duration = Duration::from_secs(3_600);
/// A lock file, an archived text or a kept body that nobody seems to use is left alone for so long: its user may be about to say so.
pub(crate) const UPKEEP_GRACE: Duration = Duration::from_secs(3_600);
/// An archived text that no task uses is kept for so long: a process of an earlier version does not say what it uses.
pub(crate) const UNUSED_TEXT: Duration = Duration::from_secs(24 * 3_600);
/// How long a fetched page stays in the cache, whether it is fresh or not.
pub(crate) const CACHE_AGE: Duration = Duration::from_secs(30 * 24 * 3_600);
/// Tasks whose journals are shrunk in one transaction.
pub(crate) const SHRINK_BATCH: u32 = 50;
/// The hourly upkeep gives room back once so much is free; what is deleted on demand is given back at once.
pub(crate) const RECLAIM_BYTES: u64 = 1 << 20;
/// The whole file is written anew when so many hundredths of it are free; otherwise its free pages are cut off.
pub(crate) const VACUUM_FREE_PERCENT: u64 = 20;
/// Row ids behind a damaged place of a table that a repair tries one by one; a damaged page has a few dozen rows.
pub(crate) const REPAIR_LOOKS: u32 = 1_000;
/// Behind these the steps double each time so many ids were tried: a hole at the end of a table is left soon.
pub(crate) const REPAIR_LOOKS_EACH: u32 = 20;
/// How long a cancel waits for the task to be over before it answers with the task still running.
pub(crate) const CANCEL_WAIT: Duration = Duration::from_secs(8);
/// The shortest time between two progress rows of one task.
pub(crate) const PROGRESS_EVERY: Duration = Duration::from_millis(250);
/// How long a step waits for the store to recover (disk full, locked) before its task fails.
pub(crate) const STORE_PATIENCE: Duration = Duration::from_secs(60);
/// Seconds of wall time a call may give its task: a week, beyond any research.
pub(crate) const BUDGET_SECONDS_MAX: u64 = 7 * 24 * 60 * 60;
/// Tokens that a call may give its task: beyond any research, and far from an overflow.
pub(crate) const BUDGET_TOKENS_MAX: u64 = 1_000_000_000_000;
/// How long a step waits for the store before it goes on in memory; only what costs money waits longer.
pub(crate) const STORE_PATIENCE_FREE: Duration = Duration::from_secs(5);
