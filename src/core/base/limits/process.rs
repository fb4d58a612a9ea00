//! The limits of child processes and their warden.

use std::time::Duration;

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
/// How often hadal looks after its warden while a child runs: so long at most the children are without one.
pub(crate) const WARDEN_LOOK: Duration = Duration::from_secs(1);
/// One script file.
#[cfg(feature = "scripted")]
pub(crate) const SCRIPT_MAX_BYTES: u64 = 16 * 1024 * 1024;
/// All of Gemini CLI's standard output: its answer, and events around it.
pub(crate) const GEMINI_STDOUT_BYTES: u64 = 64 << 20;
/// One event; the longest is an answer in one piece, escaped.
pub(crate) const GEMINI_LINE_BYTES: usize = 17 << 20;
/// The end of its standard error; the reason of a failure stands there.
pub(crate) const GEMINI_STDERR_BYTES: usize = 32 << 10;
/// Tries of one API call inside the CLI. Its own default of ten takes four minutes to give up.
pub(crate) const GEMINI_ATTEMPTS: u32 = 3;
/// Turns of one run: a thorough round has about ten.
pub(crate) const GEMINI_TURNS: u32 = 40;
/// Project directories of the CLI that are looked through for a session record.
pub(crate) const GEMINI_PROJECTS: usize = 1_000;
/// A session record; it holds the text of every page read.
pub(crate) const GEMINI_RECORD_BYTES: u64 = 32 << 20;
