//! The warden: a tiny process that outlives hadal for a moment and kills what hadal left running.
//!
//! It sits in a session of its own and reads a pipe whose only writer is hadal. Each child tells it, before its program
//! begins, that it is there; hadal tells it when the child is buried. The end of the pipe means that hadal is gone, however it
//! went, `SIGKILL` included: then the warden kills every group still open and every process with a mark of the family, and
//! leaves. It touches nothing else, writes nothing, and sleeps until then.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::process::{Child, ExitCode};
use std::time::Instant;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::signal::unix::SignalKind;

use super::birth;
use super::marked::{Family, kill_marked};
use crate::core::base::limits;

/// What to start as the warden.
#[derive(Clone, Debug)]
pub(crate) struct WardenProgram {
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<OsString>,
}

impl WardenProgram {
    /// hadal itself, as its hidden subcommand `__warden`.
    pub(crate) fn this_binary() -> Self {
        // On Linux the running file is named by the kernel, so that it works also after an update replaced it on disk.
        let program = if cfg!(target_os = "linux") {
            PathBuf::from("/proc/self/exe")
        } else {
            // A name that cannot be found is the error of the first child, which is where it matters.
            std::env::current_exe().unwrap_or_else(|_unknown| "hadal".into())
        };
        Self { program, args: vec!["__warden".into()] }
    }

    /// The program file.
    pub(crate) fn program(&self) -> &std::path::Path {
        &self.program
    }
}

/// One message on the pipe. A write of this size is never mixed with another's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Record {
    /// A child is about to run; its pid is also that of its group.
    Opened { run: u64, leader: Pid },
    /// A child is buried, or never came to run.
    Closed { run: u64 },
}

impl Record {
    const BYTES: usize = 13;

    /// Called between `fork` and `exec`: must not allocate.
    pub(super) fn to_bytes(self) -> [u8; Self::BYTES] {
        let (tag, run, pid) = match self {
            Self::Opened { run, leader } => (b'+', run, leader.as_raw_nonzero().get()),
            Self::Closed { run } => (b'-', run, 0),
        };
        let [a, b, c, d, e, f, g, h] = run.to_le_bytes();
        let [i, j, k, l] = pid.to_le_bytes();
        [tag, a, b, c, d, e, f, g, h, i, j, k, l]
    }

    fn from_bytes(bytes: [u8; Self::BYTES]) -> Option<Self> {
        let [tag, a, b, c, d, e, f, g, h, i, j, k, l] = bytes;
        let run = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
        match tag {
            // 0, 1 and negative numbers mean other things than one group to `kill`.
            b'+' => Some(i32::from_le_bytes([i, j, k, l]))
                .filter(|pid| *pid > 1)
                .and_then(Pid::from_raw)
                .map(|leader| Self::Opened { run, leader }),
            b'-' => Some(Self::Closed { run }),
            _ => None,
        }
    }
}

/// The life of the warden; the command line calls it for `hadal __warden`.
pub(crate) fn warden_main() -> ExitCode {
    let _ignored_signals = ignore_signals();
    let mut pipe = io::stdin().lock();
    let mut name = [0; Family::BYTES];
    let Some(family) = pipe.read_exact(&mut name).ok().and_then(|()| Family::parse(&name)) else {
        return ExitCode::from(2);
    };
    let mut open = BTreeMap::new();
    let mut bytes = [0; Record::BYTES];
    while pipe.read_exact(&mut bytes).is_ok() {
        match Record::from_bytes(bytes) {
            Some(Record::Opened { run, leader }) => _ = open.insert(run, leader),
            Some(Record::Closed { run }) => _ = open.remove(&run),
            // Nobody but hadal writes here. Not to be understood means to be out of step: kill nothing by a wrong number.
            None => return ExitCode::FAILURE,
        }
    }
    kill_all(&family, open);
    ExitCode::SUCCESS
}

fn kill_all(family: &Family, open: BTreeMap<u64, Pid>) {
    for leader in open.into_values() {
        let _already_gone = kill_process_group(leader, Signal::KILL);
    }
    let began = Instant::now();
    let mut clean = 0;
    while clean < limits::BURIAL_CLEAN_LOOKS && began.elapsed() < limits::BURIAL {
        clean = if kill_marked(family, |_| true).is_empty() { clean + 1 } else { 0 };
        std::thread::sleep(limits::BURIAL_LOOK);
    }
}

/// Stopping a service or closing a terminal signals every process of it. The warden leaves after hadal, not with it.
fn ignore_signals() -> Option<(tokio::runtime::Runtime, Vec<tokio::signal::unix::Signal>)> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().ok()?;
    let inside = runtime.enter();
    let kinds = [SignalKind::hangup(), SignalKind::interrupt(), SignalKind::quit(), SignalKind::terminate()];
    let caught = kinds.into_iter().filter_map(|kind| tokio::signal::unix::signal(kind).ok()).collect();
    drop(inside);
    Some((runtime, caught))
}

/// hadal's end of the pipe.
#[derive(Debug)]
pub(super) struct Warden {
    process: Child,
    writer: io::PipeWriter,
    /// Held so that a child that announces itself to a dead warden is not killed by `SIGPIPE`; the next start replaces the warden.
    reader: io::PipeReader,
}

impl Warden {
    /// Starts a warden and waits until it listens. It is told of the children that are already there.
    pub(super) fn start(
        program: &WardenProgram,
        family: &Family,
        open: impl IntoIterator<Item = (u64, Pid)>,
    ) -> io::Result<Self> {
        let (reader, mut writer) = io::pipe()?;
        // A warden that does not read must not hold up hadal or a child: a full pipe is an error.
        rustix::io::ioctl_fionbio(&writer, true)?;
        writer.write_all(family.as_bytes())?;
        for (run, leader) in open {
            writer.write_all(&Record::Opened { run, leader }.to_bytes())?;
        }
        let process = birth::warden(program, reader.try_clone()?)?;
        let mut warden = Self { process, writer, reader };
        match warden.until_it_listens() {
            Ok(()) => Ok(warden),
            Err(problem) => {
                warden.end();
                Err(problem)
            }
        }
    }

    /// It listens once it has taken its first message out of the pipe.
    fn until_it_listens(&mut self) -> io::Result<()> {
        let began = Instant::now();
        while rustix::io::ioctl_fionread(&self.reader)? > 0 {
            if !self.alive() {
                return Err(io::Error::other("it ended at once"));
            }
            if began.elapsed() > limits::WARDEN_START {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "it does not listen"));
            }
            std::thread::sleep(limits::BURIAL_LOOK);
        }
        Ok(())
    }

    pub(super) fn alive(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(None))
    }

    /// A handle for a new child to announce itself.
    pub(super) fn pipe(&self) -> io::Result<OwnedFd> {
        self.writer.as_fd().try_clone_to_owned()
    }

    pub(super) fn closed(&mut self, run: u64) -> io::Result<()> {
        self.writer.write_all(&Record::Closed { run }.to_bytes())
    }

    /// Lets it go by itself: it takes the end of the pipe for the end of hadal.
    pub(super) fn dismiss(self) {
        let Self { mut process, writer, reader } = self;
        drop((writer, reader));
        let began = Instant::now();
        while matches!(process.try_wait(), Ok(None)) && began.elapsed() < limits::WARDEN_LEAVE {
            std::thread::sleep(limits::BURIAL_LOOK);
        }
        end(&mut process);
    }

    /// Ends one that is of no use, before it can do anything.
    pub(super) fn end(mut self) {
        end(&mut self.process);
    }
}

fn end(process: &mut Child) {
    let _already_gone = process.kill();
    let _reaped_before = process.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_back_and_dangerous_ones_refused() {
        let leader = Pid::from_raw(4_194_303).unwrap();
        for record in [Record::Opened { run: u64::MAX, leader }, Record::Closed { run: 7 }] {
            assert_eq!(Record::from_bytes(record.to_bytes()), Some(record));
        }
        let with_pid = |pid: i32| {
            let mut bytes = Record::Opened { run: 1, leader }.to_bytes();
            bytes[9..].copy_from_slice(&pid.to_le_bytes());
            Record::from_bytes(bytes)
        };
        for pid in [0, 1, -1, i32::MIN] {
            assert_eq!(with_pid(pid), None, "{pid}");
        }
        assert!(with_pid(2).is_some());
        assert_eq!(Record::from_bytes([b'?'; Record::BYTES]), None);
    }
}
