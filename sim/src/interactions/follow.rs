//! A stream that follows a run: every event when the simulated clock has come to it.

use std::io;
use std::net::TcpStream;
use std::sync::PoisonError;
use std::time::Duration;

use rustix::net::RecvFlags;

use super::clock::reached;
use super::fault::Fault;
use super::frames::{self, CUT_503, DONE, Frame, NOISE};
use super::record::Record;
use super::serve::Shared;
use super::timeline::fill_image;
use crate::http::Events;

/// How long a stream waits before it looks whether its client is still there.
const LOOK: Duration = Duration::from_millis(if cfg!(test) { 50 } else { 1000 });

/// A client that follows a run.
pub(super) struct Follower<'a> {
    pub(super) shared: &'a Shared,
    pub(super) stream: &'a TcpStream,
    pub(super) record: &'a Record,
    pub(super) fault: Option<Fault>,
}

/// What there is to send next.
enum Next {
    Due,
    NotYet,
    Cancelled { at: f64, failed: bool },
    Gone,
}

impl Follower<'_> {
    /// Sends the events from a number on; `false` closes the connection.
    pub(super) fn follow(&self, from: usize) -> io::Result<bool> {
        let frames = frames::frames(self.record);
        let cut = match self.fault {
            Some(Fault::CutStreamAfter { seconds }) => self.shared.state().clock.now() + seconds,
            _ => f64::INFINITY,
        };
        let mut events = Events::start(self.stream)?;
        let (mut next, mut fault) = (from, self.fault);
        loop {
            if fault.and_then(Fault::after_frames) == Some(next - from) {
                match fault.take() {
                    Some(Fault::CutStream503 { .. }) => {
                        events.text(CUT_503)?;
                        return events.end().map(|()| false);
                    }
                    Some(Fault::HangStream { .. }) => {
                        // Returns when the client, or the service, closes the connection.
                        return self.stream.peek(&mut [0]).map(|_| false);
                    }
                    Some(Fault::NoisyStream { .. }) => events.text(NOISE)?,
                    _ => return Ok(false),
                }
            }
            if next == frames.len() && self.record.timeline.ends.is_finite() {
                break;
            }
            match self.next(frames.get(next), cut) {
                Next::Due => {
                    if let Some(frame) = frames.get(next) {
                        events.text(&self.text(frame))?;
                    }
                    next += 1;
                }
                Next::Cancelled { at, failed } => {
                    for frame in frames::cancelled(self.record, at, failed) {
                        events.text(&frame.text())?;
                    }
                    break;
                }
                Next::NotYet if self.client_is_there() => {}
                Next::NotYet | Next::Gone => return Ok(false),
            }
        }
        events.text(DONE)?;
        events.end().map(|()| true)
    }

    fn text(&self, frame: &Frame) -> String {
        if frame.data["delta"]["type"] != "image" {
            return frame.text();
        }
        let mut data = frame.data.clone();
        fill_image(&mut data["delta"], self.record.run.image_bytes);
        Frame { data, ..*frame }.text()
    }

    /// Waits until a frame is due or the stream is to be cut, but not for ever.
    fn next(&self, frame: Option<&Frame>, cut: f64) -> Next {
        let at = self.record.created + frame.map_or(f64::INFINITY, |frame| frame.at);
        let mut state = self.shared.state();
        for waited in [false, true] {
            if self.shared.is_down() {
                return Next::Gone;
            }
            let Some(life) = state.life_or_unstored(&self.record.id) else { return Next::Gone };
            match life.cancelled {
                Some(cancelled) if !reached(at, cancelled) => {
                    let at = cancelled - self.record.created;
                    return Next::Cancelled { at, failed: life.cancel_failed };
                }
                _ if at < cut && state.clock.is_past(at) => return Next::Due,
                _ if state.clock.is_past(cut) => return Next::Gone,
                _ if waited => break,
                _ => {
                    let left = state.clock.until(at.min(cut), LOOK);
                    let changed = &self.record.changed;
                    state = changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
        Next::NotYet
    }

    fn client_is_there(&self) -> bool {
        let mut byte = [0_u8; 1];
        match rustix::net::recv(self.stream, &mut byte[..], RecvFlags::PEEK | RecvFlags::DONTWAIT) {
            Ok((_, received)) => received > 0,
            Err(problem) => problem == rustix::io::Errno::AGAIN,
        }
    }
}
