//! A provider's stream of a run: frames out of bytes. A stream is only for progress: what it says is shown, and what a poll of
//! the run says counts.

use crate::core::base::limits;

/// Cuts a body into the data of its events. Bytes come in any pieces.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    line: Vec<u8>,
    data: String,
    /// A frame that is too long is dropped; the rest of it must be, too.
    dropping: bool,
}

impl Frames {
    /// Takes a piece of the body and returns the events it completes.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut events = Vec::new();
        for byte in bytes {
            if *byte != b'\n' {
                if self.line.len() < limits::STREAM_FRAME_BYTES {
                    self.line.push(*byte);
                } else {
                    self.dropping = true;
                }
                continue;
            }
            let line = std::mem::take(&mut self.line);
            let line = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(&line));
            if line.is_empty() {
                let data = std::mem::take(&mut self.data);
                if !data.is_empty() && !std::mem::take(&mut self.dropping) {
                    events.push(data);
                }
            } else if let Some(data) = line.strip_prefix("data:") {
                if self.data.len() + data.len() > limits::STREAM_FRAME_BYTES {
                    self.dropping = true;
                } else {
                    if !self.data.is_empty() {
                        self.data.push('\n');
                    }
                    self.data.push_str(data.strip_prefix(' ').unwrap_or(data));
                }
            }
        }
        events
    }
}

/// What an event of the stream tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StreamNews {
    /// Nothing that is shown.
    Nothing,
    /// Something new is known.
    News,
    /// The run may be over: look.
    Over,
    /// The stream is at its end.
    End,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BODY: &str = ": ping\n\nevent: step.start\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\nid: 7\ndata:two ü\n\n[{\"error\": 503}]\ndata: cut";

    #[test]
    fn frames_of_every_shape() {
        assert_eq!(Frames::default().push(BODY.as_bytes()), ["{\"a\":\n1}", "two ü"]);
    }

    proptest! {
        /// However the bytes are cut into pieces, the events are the same.
        #[test]
        fn pieces_make_no_difference(cuts in proptest::collection::vec(0..BODY.len(), 0..8)) {
            let mut cuts = cuts;
            cuts.sort_unstable();
            let mut frames = Frames::default();
            let mut events = Vec::new();
            let mut from = 0;
            for cut in cuts.into_iter().chain([BODY.len()]) {
                events.extend(frames.push(&BODY.as_bytes()[from..cut]));
                from = cut;
            }
            prop_assert_eq!(events, ["{\"a\":\n1}", "two ü"]);
        }
    }

    #[test]
    fn a_frame_without_end_is_dropped_and_the_next_one_read() {
        let mut frames = Frames::default();
        assert!(frames.push(b"data: ").is_empty());
        for _ in 0..=limits::STREAM_FRAME_BYTES / 1_000 {
            assert!(frames.push(&[b'x'; 1_000]).is_empty());
        }
        assert_eq!(frames.push(b"\n\ndata: next\n\n"), ["next"]);
    }
}
