//! The only place that starts a child process, and the one that makes sure it ends.
//!
//! A child gets its own process group, exactly the environment it was given, its whole input at once, and limits on time
//! and output. However it ends (by itself, at a limit, cancelled, or because the future that ran it was dropped) its group
//! and every process that carries its mark are killed before it is reaped. If hadal itself is killed, the kernel kills the
//! child (Linux) and the [`warden`] everything else.
//!
//! It does not know what it runs: it never reads meaning into output or exit codes, and it never looks at hadal's own
//! environment. The one process that is meant to outlive hadal, the keeper of its data directory, is [`detached`](start_detached): in a session of
//! its own, with hadal's environment, and without the mark.

mod birth;
mod lines;
mod marked;
mod starter;
#[cfg(test)]
mod tests;
mod visit;
mod warden;

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::core::base::error::{Code, Error, Result};

pub(crate) use starter::Gate;
pub(crate) use visit::{Asked, Conversation};
pub(crate) use warden::{WardenProgram, warden_main};

/// A child to be run.
#[derive(Clone)]
pub(crate) struct Command {
    /// A path, or a bare name that is looked up on the `PATH` of `env`.
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<OsString>,
    /// The whole environment: nothing is inherited. Only the mark of the child is added.
    pub(crate) env: Vec<(OsString, OsString)>,
    pub(crate) cwd: PathBuf,
    /// Written as fast as the child reads, then closed. The child may ignore it.
    pub(crate) stdin: Vec<u8>,
    pub(crate) limits: Limits,
}

/// A process that is to outlive this one.
#[derive(Clone, Debug)]
pub(crate) struct Detached {
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<OsString>,
    /// Added to the environment of this process, which it inherits.
    pub(crate) env: Vec<(OsString, OsString)>,
}

/// Starts a process that outlives this one, in a session of its own. Its stderr goes to `log`; nothing else of hadal is open in it.
/// Returns its pid.
pub(crate) fn start_detached(command: &Detached, log: std::fs::File) -> std::io::Result<u32> {
    // It is reaped by whoever inherits it: this process ends soon.
    birth::detached(command, log).map(|process| process.id())
}

/// Arguments, environment and input can hold keys and questions, so only the program is shown.
impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Command").field("program", &self.program).field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// What a child may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Longest time without a byte on stdout or stderr.
    pub(crate) idle: Duration,
    /// From the start to the end.
    pub(crate) total: Duration,
    /// All of stdout together.
    pub(crate) stdout_bytes: u64,
    /// Of stderr the last so many bytes are kept; it may write more.
    pub(crate) stderr_kept: usize,
    /// A longer line is handed over cut.
    pub(crate) line_bytes: usize,
}

/// How a child that was started ended.
#[derive(Clone, Debug)]
pub(crate) struct Exit {
    pub(crate) status: Status,
    pub(crate) ended_by: EndedBy,
    /// The end of what it wrote to stderr; raw bytes of a foreign program.
    pub(crate) stderr_tail: Vec<u8>,
    /// Some of stdout was not handed over: a line was cut or the limit was reached.
    pub(crate) truncated: bool,
    pub(crate) duration: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Code(i32),
    Signal(i32),
    /// The operating system could not say, or the process would not die.
    Unknown,
}

/// Who ended the child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EndedBy {
    /// It came to its own end, which includes a crash and a signal from elsewhere.
    Own,
    /// [`Limits::idle`].
    Idle,
    /// [`Limits::total`].
    Total,
    /// [`Limits::stdout_bytes`].
    OutputLimit,
    Cancelled,
}

impl Exit {
    /// Whether it ended by itself with exit code 0.
    #[cfg(test)]
    pub(crate) fn success(&self) -> bool {
        self.ended_by == EndedBy::Own && self.status == Status::Code(0)
    }

    /// The coded error of a child that hadal stopped; `None` for one that came to its own end.
    pub(crate) fn stopped(&self, program: &Path, limits: &Limits) -> Option<Error> {
        let name = program.display();
        match self.ended_by {
            EndedBy::Own => None,
            EndedBy::Idle => {
                Some(Error::new(Code::Timeout, format!("`{name}` was stopped: it wrote nothing for {:?}", limits.idle)))
            }
            EndedBy::Total => Some(Error::new(
                Code::Timeout,
                format!("`{name}` was stopped: it was not done after {:?}", limits.total),
            )),
            EndedBy::OutputLimit => Some(Error::new(
                Code::OutputTooLarge,
                format!("`{name}` was stopped: it wrote more than {} bytes", limits.stdout_bytes),
            )),
            EndedBy::Cancelled => Some(Error::new(Code::Cancelled, format!("`{name}` was stopped: cancelled"))),
        }
    }
}

impl Gate {
    /// Runs a child to its end and hands over each line of its stdout as it comes, without the line feed.
    ///
    /// `Err` means that no child ran: it could not be started, or `cancel` had fired before. Once it was started the answer is
    /// an [`Exit`], also when hadal stopped it, so that its stderr is always at hand; [`Exit::stopped`] makes the error.
    /// Dropping the future kills the child too. `on_line` runs on the reading task and must not block.
    pub(crate) async fn run(
        &self,
        command: Command,
        cancel: &CancellationToken,
        on_line: impl FnMut(&[u8]) + Send,
    ) -> Result<Exit> {
        if cancel.is_cancelled() {
            let name = command.program.display();
            return Err(Error::new(Code::Cancelled, format!("`{name}` was not started: cancelled")));
        }
        visit::run(self, command, cancel, on_line).await
    }

    /// Starts a child that is asked several things, one after the other; its input stays open. What `command` has as input and limits is
    /// not used: every question brings its own.
    pub(crate) async fn converse(&self, command: Command) -> Result<Conversation> {
        Conversation::begin(self, Command { stdin: Vec::new(), ..command }).await
    }
}
