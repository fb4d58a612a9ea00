//! How a process comes to life: what it inherits, what it does between `fork` and `exec`, and what a failure means.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Stdio};

use rustix::io::{Errno, FdFlags};

use super::marked::MARK;
use super::warden::{Record, WardenProgram};
use super::{Command, Detached};
use crate::core::base::error::{Code, Error};

/// Starts a child that the warden knows of before its program begins to run.
pub(super) fn child(command: &Command, mark: &OsStr, run: u64, warden: OwnedFd) -> Result<Child, Error> {
    #[expect(clippy::disallowed_methods, reason = "this is the gate")]
    let mut process = std::process::Command::new(&command.program);
    process
        .args(&command.args)
        .env_clear()
        .envs(command.env.iter().map(|(name, value)| (name, value)))
        .env(MARK, mark)
        .current_dir(&command.cwd)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    before_exec(&mut process, Role::Child { run, warden, parent: std::process::id() });
    process.spawn().map_err(|problem| start_error(command, &problem))
}

/// Starts the warden: nothing of hadal stays open in it but the pipe, and no signal for hadal's terminal reaches it.
pub(super) fn warden(program: &WardenProgram, pipe: io::PipeReader) -> io::Result<Child> {
    #[expect(clippy::disallowed_methods, reason = "this is the gate")]
    let mut process = std::process::Command::new(&program.program);
    process
        .arg0("hadal")
        .args(&program.args)
        // It must not carry the mark of a hadal that this hadal is a child of: it has to outlive that one's clean-up.
        .env_clear()
        // A directory that cannot be unmounted would stay in use.
        .current_dir("/")
        .stdin(pipe)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    before_exec(&mut process, Role::OwnSession);
    process.spawn()
}

/// Starts a hadal that outlives this one: the same environment, settings and keys, without the mark by which children are found, and
/// nothing of hadal open in it but its log.
pub(super) fn detached(command: &Detached, log: std::fs::File) -> io::Result<Child> {
    #[expect(clippy::disallowed_methods, reason = "this is the gate")]
    let mut process = std::process::Command::new(&command.program);
    process
        .arg0("hadal")
        .args(&command.args)
        .envs(command.env.iter().map(|(name, value)| (name, value)))
        .env_remove(MARK)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log);
    before_exec(&mut process, Role::OwnSession);
    process.spawn()
}

/// What a new process does between `fork` and `exec`.
enum Role {
    Child {
        run: u64,
        warden: OwnedFd,
        parent: u32,
    },
    /// No signal for hadal's terminal or group reaches it.
    OwnSession,
}

impl Role {
    fn play(&self) -> io::Result<()> {
        match self {
            Self::Child { run, warden, parent } => {
                die_with_the_parent(*parent)?;
                let record = Record::Opened { run: *run, leader: rustix::process::getpid() }.to_bytes();
                rustix::io::write(warden, &record)?;
            }
            Self::OwnSession => {
                rustix::process::setsid()?;
            }
        }
        Ok(())
    }
}

/// Linux: the kernel kills the child when the thread that started it ends, which is the starter's.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn die_with_the_parent(parent: u32) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    // The parent may have died before the line above; then nobody would ever send the signal.
    let now = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get().cast_unsigned());
    if now == Some(parent) { Ok(()) } else { Err(Errno::SRCH.into()) }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn die_with_the_parent(_parent: u32) -> io::Result<()> {
    Ok(())
}

#[expect(unsafe_code, reason = "std has no safe way to act between fork and exec; everything unsafe of hadal is here")]
fn before_exec(process: &mut std::process::Command, role: Role) {
    let inherited = inherited();
    let before = move || {
        for fd in &inherited {
            // SAFETY: the descriptor is only named to the kernel, which answers EBADF if it has been closed since.
            let fd = unsafe { BorrowedFd::borrow_raw(*fd) };
            let _closed_since = rustix::io::fcntl_setfd(fd.as_fd(), FdFlags::CLOEXEC);
        }
        role.play()
    };
    // SAFETY: between `fork` and `exec` only async-signal-safe calls are allowed. The closure makes plain system calls
    // (fcntl, prctl, getppid, getpid, write, setsid) on values that were made before the fork; it does not allocate, lock or panic,
    // and an error is a bare errno.
    unsafe { process.pre_exec(before) };
}

/// Every descriptor beyond the three. Those that hadal opens close on `exec` anyway, but whoever started hadal may have leaked
/// others into it; they are no business of a child.
fn inherited() -> Vec<RawFd> {
    let Ok(table) = std::fs::read_dir("/dev/fd") else { return Vec::new() };
    table
        .flatten()
        .filter_map(|entry| entry.file_name().to_str().and_then(|name| name.parse().ok()))
        .filter(|fd| *fd > 2)
        .collect()
}

fn start_error(command: &Command, problem: &io::Error) -> Error {
    let name = command.program.display();
    if !command.cwd.is_dir() {
        let cwd = command.cwd.display();
        return Error::new(Code::ExecutionError, format!("`{name}` cannot run in `{cwd}`: there is no such folder"));
    }
    let failed = |code, why: &str| Error::new(code, format!("`{name}` could not be started: {why}"));
    match problem.kind() {
        io::ErrorKind::NotFound if command.program.is_file() => {
            failed(Code::EngineUnavailable, "the interpreter it names in its first line, or its loader, is missing")
        }
        io::ErrorKind::NotFound => Error::new(Code::CliNotFound, format!("`{name}` was not found")),
        io::ErrorKind::PermissionDenied => failed(Code::EngineUnavailable, "permission denied")
            .hint(format!("check that `{name}` is a file that may be executed, and the folder it is to run in")),
        io::ErrorKind::ArgumentListTooLong => {
            failed(Code::InvalidArgument, "an argument, or all of them with the environment, is too long")
        }
        io::ErrorKind::InvalidInput => failed(Code::InvalidArgument, "an argument or a variable holds a NUL character"),
        _ => failed(Code::ExecutionError, &problem.to_string()),
    }
}
