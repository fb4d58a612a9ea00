//! The provider's stream of a run: frames out of bytes, and what each adds to what is known. A stream is only for
//! progress: what it says is shown, and what a look at the run says counts.

use serde_json::Value;

use super::super::limits;
use super::snapshot::{Snapshot, clip};

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
pub(crate) enum Told {
    /// Nothing that is shown.
    Nothing,
    /// Something new is known.
    News,
    /// The run may be over: look.
    Over,
    /// The stream is at its end.
    End,
}

/// What the events of one stream add up to.
#[derive(Debug, Default)]
pub(crate) struct Fold {
    /// The last id seen, to go on from.
    pub(crate) last_event: Option<String>,
    pub(crate) seen: Snapshot,
    /// The thought that is being told.
    thought: String,
}

impl Fold {
    pub(crate) fn take(&mut self, data: &str) -> Told {
        if data.trim() == "[DONE]" {
            return Told::End;
        }
        let Ok(event) = serde_json::from_str::<Value>(data) else { return Told::Nothing };
        let text = |name: &str| event.get(name).and_then(Value::as_str);
        if let Some(id) = text("event_id").filter(|id| id.len() <= limits::INTERACTION_ID_BYTES) {
            self.last_event = Some(id.to_owned());
        }
        match text("event_type").unwrap_or_default() {
            "step.start" => self.start(event.get("step").unwrap_or(&Value::Null)),
            "step.delta" => self.delta(event.get("delta").unwrap_or(&Value::Null)),
            "step.stop" => self.stop(),
            "interaction.completed" | "interaction.complete" | "interaction.requires_action" => Told::Over,
            "interaction.status_update" => match text("status") {
                Some("in_progress" | "queued") | None => Told::Nothing,
                Some(_) => Told::Over,
            },
            _ => Told::Nothing,
        }
    }

    fn start(&mut self, step: &Value) -> Told {
        let _ended = self.stop();
        match step.get("type").and_then(Value::as_str).unwrap_or_default() {
            "google_search_call" => self.seen.searches = self.seen.searches.saturating_add(1),
            "url_context_result" => self.seen.read = self.seen.read.saturating_add(1),
            "thought" => self.seen.thought = self.seen.thought.saturating_add(1),
            _ => return Told::Nothing,
        }
        Told::News
    }

    fn delta(&mut self, delta: &Value) -> Told {
        if delta.get("type").and_then(Value::as_str) != Some("thought_summary") {
            return Told::Nothing;
        }
        let text = delta.get("content").and_then(|content| content.get("text")).and_then(Value::as_str);
        let room = limits::THOUGHT_CHARS.saturating_sub(self.thought.len());
        self.thought.push_str(&clip(text.unwrap_or_default(), room));
        self.stop()
    }

    fn stop(&mut self) -> Told {
        let thought = std::mem::take(&mut self.thought);
        if thought.trim().is_empty() || self.seen.thoughts.len() >= limits::HOSTED_LISTED {
            return Told::Nothing;
        }
        self.seen.thoughts.push(thought);
        Told::News
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

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

    fn event(kind: &str, rest: Value) -> String {
        let mut event = rest;
        event["event_type"] = json!(kind);
        event.to_string()
    }

    #[test]
    fn events_add_up() {
        let mut fold = Fold::default();
        let summary =
            json!({"delta": {"type": "thought_summary", "content": {"text": "**Plan**"}}, "event_id": "v1_A"});
        let events = [
            (event("interaction.created", json!({})), Told::Nothing),
            (event("step.start", json!({"step": {"type": "thought"}})), Told::News),
            (event("step.delta", summary), Told::News),
            (event("step.delta", json!({"delta": {"type": "thought_signature"}})), Told::Nothing),
            (event("step.start", json!({"step": {"type": "google_search_call"}})), Told::News),
            (event("step.start", json!({"step": {"type": "new_thing"}})), Told::Nothing),
            (event("error", json!({})), Told::Nothing),
            (event("interaction.status_update", json!({"status": "in_progress"})), Told::Nothing),
            (event("interaction.status_update", json!({"status": "failed"})), Told::Over),
            (event("interaction.completed", json!({"interaction": {"status": "completed"}})), Told::Over),
            ("{not json".into(), Told::Nothing),
            ("[DONE]".into(), Told::End),
        ];
        for (data, told) in events {
            assert_eq!(fold.take(&data), told, "{data}");
        }
        assert_eq!(fold.last_event.as_deref(), Some("v1_A"));
        assert_eq!(
            (fold.seen.searches, fold.seen.thought, fold.seen.thoughts.as_slice()),
            (1, 1, &["**Plan**".to_owned()][..])
        );
    }
}
