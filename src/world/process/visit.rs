//! One child from its start to its end: feeds it, listens to it, watches the clock, stops it.
//!
//! Everything happens inside the caller's future: there is no task that could be left behind.

use std::future::pending;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::lines::{Lines, Tail};
use super::starter::{Gate, Living};
use super::{Command, EndedBy, Exit, Limits};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;

pub(super) async fn run(
    gate: &Gate,
    command: Command,
    cancel: &CancellationToken,
    mut on_line: impl FnMut(&[u8]) + Send,
) -> Result<Exit> {
    let began = Instant::now();
    let cannot = |problem| Error::new(Code::Internal, format!("cannot watch a child process: {problem}"));
    // Listened to before there is a child, so that no end is missed.
    let child_ended = signal(SignalKind::child()).map_err(cannot)?;
    let (living, command) = gate.start(command).await?;
    let limits = command.limits;
    let mut visit = Visit::new(living, command, child_ended, &mut on_line).map_err(cannot)?;
    let ended_by = visit.until_end_or_limit(began, &limits, cancel).await;
    if ended_by != EndedBy::Own {
        visit.living.ask_to_end();
        let _killed_below = timeout(limits::CANCEL_GRACE, visit.until_ended()).await;
    }
    if visit.ended {
        // What the child wrote last is still in the pipe. `timeout` polls the reading first, so it is read even when we come late.
        let _held_open_by_others = timeout(limits::CHILD_DRAIN, visit.until_closed()).await;
    }
    Ok(visit.finish(ended_by, began).await)
}

struct Visit<'a> {
    living: Living,
    child_ended: Signal,
    ended: bool,
    stdin: Option<ChildStdin>,
    input: Vec<u8>,
    written: usize,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    stdout_buffer: Box<[u8]>,
    stderr_buffer: Box<[u8]>,
    lines: Lines,
    tail: Tail,
    on_line: &'a mut (dyn FnMut(&[u8]) + Send),
    last_sign_of_life: Instant,
}

impl<'a> Visit<'a> {
    fn new(
        mut living: Living,
        command: Command,
        child_ended: Signal,
        on_line: &'a mut (dyn FnMut(&[u8]) + Send),
    ) -> std::io::Result<Self> {
        let (stdin, stdout, stderr) = living
            .process()
            .map(|process| (process.stdin.take(), process.stdout.take(), process.stderr.take()))
            .unwrap_or_default();
        let buffer = || vec![0; limits::CHILD_READ_BYTES].into_boxed_slice();
        let input = command.stdin;
        Ok(Self {
            living,
            child_ended,
            ended: false,
            stdin: stdin.filter(|_| !input.is_empty()).map(ChildStdin::from_std).transpose()?,
            input,
            written: 0,
            stdout: stdout.map(ChildStdout::from_std).transpose()?,
            stderr: stderr.map(ChildStderr::from_std).transpose()?,
            stdout_buffer: buffer(),
            stderr_buffer: buffer(),
            lines: Lines::new(command.limits.line_bytes, command.limits.stdout_bytes),
            tail: Tail::new(command.limits.stderr_kept),
            on_line,
            last_sign_of_life: Instant::now(),
        })
    }

    async fn until_end_or_limit(&mut self, began: Instant, limits: &Limits, cancel: &CancellationToken) -> EndedBy {
        let total = after(began, limits.total);
        while !self.ended {
            let idle = after(self.last_sign_of_life, limits.idle);
            tokio::select! {
                // A child that writes without a pause must not outrun its limits.
                biased;
                () = cancel.cancelled() => return EndedBy::Cancelled,
                () = sleep_until(total) => return EndedBy::Total,
                () = sleep_until(idle) => return EndedBy::Idle,
                () = self.step() => {}
            }
            if self.lines.over() {
                return EndedBy::OutputLimit;
            }
        }
        EndedBy::Own
    }

    async fn until_ended(&mut self) {
        while !self.ended {
            self.step().await;
        }
    }

    async fn until_closed(&mut self) {
        while self.stdout.is_some() || self.stderr.is_some() {
            self.step().await;
        }
    }

    /// Waits for one thing to happen and takes note of it. Can be dropped at any time without losing a byte.
    async fn step(&mut self) {
        tokio::select! {
            () = ended(&self.living, &mut self.child_ended), if !self.ended => self.ended = true,
            bytes = read(&mut self.stdout, &mut self.stdout_buffer) => match self.stdout_buffer.get(..bytes) {
                None | Some([]) => self.stdout = None,
                Some(chunk) => {
                    self.last_sign_of_life = Instant::now();
                    self.lines.feed(chunk, self.on_line);
                }
            },
            bytes = read(&mut self.stderr, &mut self.stderr_buffer) => match self.stderr_buffer.get(..bytes) {
                None | Some([]) => self.stderr = None,
                Some(chunk) => {
                    self.last_sign_of_life = Instant::now();
                    self.tail.feed(chunk);
                }
            },
            bytes = write(&mut self.stdin, self.input.get(self.written..).unwrap_or_default()) => {
                self.written += bytes;
                if bytes == 0 || self.written >= self.input.len() {
                    self.stdin = None;
                    self.input = Vec::new();
                }
            },
        }
    }

    async fn finish(mut self, ended_by: EndedBy, began: Instant) -> Exit {
        let status = self.living.bury().await;
        self.lines.finish(self.on_line);
        Exit {
            status,
            ended_by,
            stderr_tail: self.tail.into_bytes(),
            truncated: self.lines.truncated(),
            duration: began.elapsed(),
        }
    }
}

async fn ended(living: &Living, child_ended: &mut Signal) {
    // Every child's end wakes every visit; which child it was, only a look can tell.
    while !living.ended() {
        if child_ended.recv().await.is_none() {
            // The runtime is going down, and this future with it.
            pending::<()>().await;
        }
    }
}

/// Bytes read; 0 at the end, which includes every error of a pipe.
async fn read(stream: &mut Option<impl AsyncRead + Unpin>, buffer: &mut [u8]) -> usize {
    match stream {
        Some(stream) => stream.read(buffer).await.unwrap_or(0),
        None => pending().await,
    }
}

/// Bytes written; 0 when the child does not want any (more), which is its right.
async fn write(stream: &mut Option<ChildStdin>, input: &[u8]) -> usize {
    match stream {
        Some(stream) => stream.write(input).await.unwrap_or(0),
        None => pending().await,
    }
}

/// A limit too large for the clock is none.
fn after(moment: Instant, limit: Duration) -> Instant {
    let never = Duration::from_secs(100 * 365 * 24 * 3600);
    moment + limit.min(never)
}
