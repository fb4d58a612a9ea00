//! The provider's stream of a run: frames out of bytes, and what each adds to what is known. A stream is only for
//! progress: what it says is shown, and what a look at the run says counts.

use serde_json::Value;

use crate::core::agent::{Snapshot, StreamNews, clip};
use crate::core::base::limits;

/// What the events of one stream add up to.
#[derive(Debug, Default)]
pub(crate) struct Events {
    /// The last id seen, to go on from.
    pub(crate) last_event: Option<String>,
    pub(crate) seen: Snapshot,
    /// The thought that is being told.
    thought: String,
}

impl Events {
    pub(crate) fn take(&mut self, data: &str) -> StreamNews {
        if data.trim() == "[DONE]" {
            return StreamNews::End;
        }
        let Ok(event) = serde_json::from_str::<Value>(data) else { return StreamNews::Nothing };
        let text = |name: &str| event.get(name).and_then(Value::as_str);
        if let Some(id) = text("event_id").filter(|id| id.len() <= limits::INTERACTION_ID_BYTES) {
            self.last_event = Some(id.to_owned());
        }
        match text("event_type").unwrap_or_default() {
            "step.start" => self.start(event.get("step").unwrap_or(&Value::Null)),
            "step.delta" => self.delta(event.get("delta").unwrap_or(&Value::Null)),
            "step.stop" => self.stop(),
            "interaction.completed" | "interaction.complete" | "interaction.requires_action" => StreamNews::Over,
            "interaction.status_update" => match text("status") {
                Some("in_progress" | "queued") | None => StreamNews::Nothing,
                Some(_) => StreamNews::Over,
            },
            _ => StreamNews::Nothing,
        }
    }

    fn start(&mut self, step: &Value) -> StreamNews {
        let _ended = self.stop();
        match step.get("type").and_then(Value::as_str).unwrap_or_default() {
            "google_search_call" => self.seen.searches = self.seen.searches.saturating_add(1),
            "url_context_result" => self.seen.read = self.seen.read.saturating_add(1),
            "thought" => self.seen.thought = self.seen.thought.saturating_add(1),
            _ => return StreamNews::Nothing,
        }
        StreamNews::News
    }

    fn delta(&mut self, delta: &Value) -> StreamNews {
        if delta.get("type").and_then(Value::as_str) != Some("thought_summary") {
            return StreamNews::Nothing;
        }
        let text = delta.get("content").and_then(|content| content.get("text")).and_then(Value::as_str);
        let room = limits::THOUGHT_CHARS.saturating_sub(self.thought.len());
        self.thought.push_str(&clip(text.unwrap_or_default(), room));
        self.stop()
    }

    fn stop(&mut self) -> StreamNews {
        let thought = std::mem::take(&mut self.thought);
        if thought.trim().is_empty() || self.seen.thoughts.len() >= limits::HOSTED_LISTED {
            return StreamNews::Nothing;
        }
        self.seen.thoughts.push(thought);
        StreamNews::News
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn event(kind: &str, rest: Value) -> String {
        let mut event = rest;
        event["event_type"] = json!(kind);
        event.to_string()
    }

    #[test]
    fn events_add_up() {
        let mut fold = Events::default();
        let summary =
            json!({"delta": {"type": "thought_summary", "content": {"text": "**Plan**"}}, "event_id": "v1_A"});
        let events = [
            (event("interaction.created", json!({})), StreamNews::Nothing),
            (event("step.start", json!({"step": {"type": "thought"}})), StreamNews::News),
            (event("step.delta", summary), StreamNews::News),
            (event("step.delta", json!({"delta": {"type": "thought_signature"}})), StreamNews::Nothing),
            (event("step.start", json!({"step": {"type": "google_search_call"}})), StreamNews::News),
            (event("step.start", json!({"step": {"type": "new_thing"}})), StreamNews::Nothing),
            (event("error", json!({})), StreamNews::Nothing),
            (event("interaction.status_update", json!({"status": "in_progress"})), StreamNews::Nothing),
            (event("interaction.status_update", json!({"status": "failed"})), StreamNews::Over),
            (event("interaction.completed", json!({"interaction": {"status": "completed"}})), StreamNews::Over),
            ("{not json".into(), StreamNews::Nothing),
            ("[DONE]".into(), StreamNews::End),
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
