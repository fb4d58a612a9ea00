//! One child from its start to its end: feeds it, listens to it, watches the clock, stops it.
//!
//! Everything happens inside the caller's future: there is no task that could be left behind.

use std::fmt;
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
    let limits = command.limits;
    let mut visit = Visit::begin(gate, command).await?;
    visit.closes_input = true;
    let mut never_done = |line: &[u8]| {
        on_line(line);
        false
    };
    let ended_by = visit.until_end_or_limit(began, &limits, cancel, &mut never_done).await;
    Ok(visit.end(ended_by.unwrap_or(EndedBy::Own), began, &mut never_done).await)
}

/// A child that waits for the next thing it is asked. Nobody listens to it meanwhile; dropped, it is killed.
pub(crate) struct Conversation {
    visit: Visit,
    /// How often it has answered.
    pub(crate) answers: usize,
}

/// What became of a child that was asked something.
pub(crate) enum Asked {
    /// It has answered and can be asked again.
    Answered(Box<Conversation>),
    /// It ended, or was stopped.
    Ended(Exit),
}

impl Conversation {
    pub(super) async fn begin(gate: &Gate, command: Command) -> Result<Self> {
        Ok(Self { visit: Visit::begin(gate, command).await?, answers: 0 })
    }

    /// Writes `input` to the child and hands over its lines until one of them is the last of the answer, which `on_line` says. The
    /// limits count from here.
    pub(crate) async fn ask(
        self,
        input: Vec<u8>,
        limits: &Limits,
        cancel: &CancellationToken,
        mut on_line: impl FnMut(&[u8]) -> bool + Send,
    ) -> Asked {
        let Self { mut visit, answers } = self;
        let began = Instant::now();
        (visit.input, visit.written, visit.last_sign_of_life) = (input, 0, began);
        visit.lines = Lines::new(limits.line_bytes, limits.stdout_bytes);
        match visit.until_end_or_limit(began, limits, cancel, &mut on_line).await {
            None => Asked::Answered(Box::new(Self { visit, answers: answers + 1 })),
            Some(ended_by) => Asked::Ended(visit.end(ended_by, began, &mut on_line).await),
        }
    }
}

impl fmt::Debug for Conversation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Conversation").field("answers", &self.answers).finish_non_exhaustive()
    }
}

/// Takes a line; says whether it was the last one that is waited for.
type OnLine<'a> = &'a mut (dyn FnMut(&[u8]) -> bool + Send);

struct Visit {
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
    last_sign_of_life: Instant,
    /// Whether the child's input ends with what is written.
    closes_input: bool,
    is_answered: bool,
}

impl Visit {
    async fn begin(gate: &Gate, command: Command) -> Result<Self> {
        let cannot = |problem| Error::new(Code::Internal, format!("cannot watch a child process: {problem}"));
        // Listened to before there is a child, so that no end is missed.
        let child_ended = signal(SignalKind::child()).map_err(cannot)?;
        let (living, command) = gate.start(command).await?;
        Self::new(living, command, child_ended).map_err(cannot)
    }

    fn new(mut living: Living, command: Command, child_ended: Signal) -> std::io::Result<Self> {
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
            stdin: stdin.map(ChildStdin::from_std).transpose()?,
            input,
            written: 0,
            stdout: stdout.map(ChildStdout::from_std).transpose()?,
            stderr: stderr.map(ChildStderr::from_std).transpose()?,
            stdout_buffer: buffer(),
            stderr_buffer: buffer(),
            lines: Lines::new(command.limits.line_bytes, command.limits.stdout_bytes),
            tail: Tail::new(command.limits.stderr_kept),
            last_sign_of_life: Instant::now(),
            closes_input: false,
            is_answered: false,
        })
    }

    /// Until the child has ended, is over a limit, or has answered, which is `None`.
    async fn until_end_or_limit(
        &mut self,
        began: Instant,
        limits: &Limits,
        cancel: &CancellationToken,
        on_line: OnLine<'_>,
    ) -> Option<EndedBy> {
        let total = after(began, limits.total);
        self.is_answered = false;
        while !self.ended {
            let idle = after(self.last_sign_of_life, limits.idle);
            tokio::select! {
                // A child that writes without a pause must not outrun its limits.
                biased;
                () = cancel.cancelled() => return Some(EndedBy::Cancelled),
                () = sleep_until(total) => return Some(EndedBy::Total),
                () = sleep_until(idle) => return Some(EndedBy::Idle),
                () = self.step(on_line) => {}
            }
            if self.lines.over() {
                return Some(EndedBy::OutputLimit);
            }
            if self.is_answered {
                return None;
            }
        }
        Some(EndedBy::Own)
    }

    /// Sees the child to its end and buries it.
    async fn end(mut self, ended_by: EndedBy, began: Instant, on_line: OnLine<'_>) -> Exit {
        if ended_by != EndedBy::Own {
            self.living.ask_to_end();
            let _killed_below = timeout(limits::CANCEL_GRACE, self.until_ended(on_line)).await;
        }
        if self.ended {
            // What the child wrote last is still in the pipe. `timeout` polls the reading first, so it is read even when we come late.
            // Others may hold it open.
            let _ = timeout(limits::CHILD_DRAIN, self.until_closed(on_line)).await;
        }
        self.finish(ended_by, began, on_line).await
    }

    async fn until_ended(&mut self, on_line: OnLine<'_>) {
        while !self.ended {
            self.step(on_line).await;
        }
    }

    async fn until_closed(&mut self, on_line: OnLine<'_>) {
        while self.stdout.is_some() || self.stderr.is_some() {
            self.step(on_line).await;
        }
    }

    /// Waits for one thing to happen and takes note of it. Can be dropped at any time without losing a byte.
    async fn step(&mut self, on_line: OnLine<'_>) {
        if self.closes_input && self.written >= self.input.len() {
            self.stdin = None;
        }
        let unwritten = self.input.get(self.written..).unwrap_or_default();
        tokio::select! {
            () = ended(&self.living, &mut self.child_ended), if !self.ended => self.ended = true,
            bytes = read(&mut self.stdout, &mut self.stdout_buffer) => match self.stdout_buffer.get(..bytes) {
                None | Some([]) => self.stdout = None,
                Some(chunk) => {
                    self.last_sign_of_life = Instant::now();
                    let is_answered = &mut self.is_answered;
                    self.lines.feed(chunk, &mut |line| *is_answered |= on_line(line));
                }
            },
            bytes = read(&mut self.stderr, &mut self.stderr_buffer) => match self.stderr_buffer.get(..bytes) {
                None | Some([]) => self.stderr = None,
                Some(chunk) => {
                    self.last_sign_of_life = Instant::now();
                    self.tail.feed(chunk);
                }
            },
            bytes = write(&mut self.stdin, unwritten), if !unwritten.is_empty() => {
                self.written += bytes;
                if bytes == 0 {
                    self.stdin = None;
                }
                if bytes == 0 || self.written >= self.input.len() {
                    (self.input, self.written) = (Vec::new(), 0);
                }
            },
        }
    }

    async fn finish(mut self, ended_by: EndedBy, began: Instant, on_line: OnLine<'_>) -> Exit {
        let status = self.living.bury().await;
        self.lines.finish(&mut |line| {
            on_line(line);
        });
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
