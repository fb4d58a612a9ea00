//! The events of a stream. They are the same whenever a run is followed, so that a number is enough to go on from.

use serde_json::{Value, json};

use super::encoding::event_id;
use super::plan::{End, Shape};
use super::record::{Record, legacy_content};

/// Letters of a report in one event.
const TEXT_CHARS: usize = 200;

#[derive(Debug)]
pub(super) struct Frame {
    /// Simulated seconds since create.
    pub(super) at: f64,
    pub(super) name: &'static str,
    /// The event as it is sent, but for the data of an image.
    pub(super) data: Value,
}

impl Frame {
    pub(super) fn text(&self) -> String {
        format!("event: {}\ndata: {}\n\n", self.name, self.data)
    }
}

/// What follows the last event.
pub(super) const DONE: &str = "event: done\ndata: [DONE]\n\n";
/// What a stream that is cut may say last: no event at all.
pub(super) const CUT_503: &str = "[{\n  \"error\": {\n    \"code\": 503,\n    \"message\": \"The service is currently unavailable.\",\n    \"status\": \"UNAVAILABLE\"\n  }\n}\n]";
/// An error event that says nothing.
pub(super) const NOISE: &str = "event: error\ndata: {\"event_type\":\"error\",\"error\":{}}\n\n";

/// All events of a run; for one that never ends, those there will ever be.
pub(super) fn frames(record: &Record) -> Vec<Frame> {
    let mut writer = Writer { record, frames: Vec::new() };
    let begins = record.timeline.begins;
    let first = if begins > 0.0 { "queued" } else { "in_progress" };
    writer.push(0.0, "interaction.created", json!({"interaction": writer.interaction(first)}));
    writer.status(begins, "in_progress");
    for (index, moment) in record.timeline.moments.iter().enumerate() {
        writer.step(moment.at, index, &moment.step);
    }
    let ends = record.timeline.ends;
    if ends.is_finite() {
        if record.run.end == End::FailedWithErrors {
            let error = json!({"code": "internal_error", "message": "The research agent crashed."});
            writer.push(ends, "error", json!({"error": error}));
        }
        writer.end(ends, record.run.end.status());
    }
    writer.frames
}

/// The events with which a run that is cancelled ends.
pub(super) fn cancelled(record: &Record, at: f64, failed: bool) -> Vec<Frame> {
    let mut writer = Writer { record, frames: Vec::new() };
    if failed {
        writer.push(at, "error", json!({"error": {"code": "internal_error", "message": "Cancellation failed."}}));
    }
    writer.end(at, "cancelled");
    writer.frames
}

/// The number of the event to go on with after the one of that id.
pub(super) fn after(frames: &[Frame], id: &str) -> Option<usize> {
    frames.iter().position(|frame| frame.data["event_id"] == id).map(|n| n + 1)
}

struct Writer<'a> {
    record: &'a Record,
    frames: Vec<Frame>,
}

impl Writer<'_> {
    fn interaction(&self, status: &str) -> Value {
        let kind = if self.record.is_agent { "agent" } else { "model" };
        json!({"id": self.record.id, "status": status, "object": "interaction", kind: self.record.name})
    }

    fn push(&mut self, at: f64, name: &'static str, mut data: Value) {
        let name = match (self.record.run.shape, name) {
            (Shape::Steps, name) => name,
            (Shape::Outputs, "interaction.created") => "interaction.start",
            (Shape::Outputs, "interaction.completed") => "interaction.complete",
            (Shape::Outputs, "step.start") => "content.start",
            (Shape::Outputs, "step.delta") => "content.delta",
            (Shape::Outputs, "step.stop") => "content.stop",
            (Shape::Outputs, other) => other,
        };
        data["event_type"] = json!(name);
        self.frames.push(Frame { at, name, data });
    }

    fn status(&mut self, at: f64, status: &str) {
        let id = self.record.id.clone();
        self.push(at, "interaction.status_update", json!({"interaction_id": id, "status": status}));
    }

    fn end(&mut self, at: f64, status: &str) {
        if status != "completed" {
            self.status(at, status);
        }
        // Without usage, as in the real service: that is on the resource, some time later.
        let mut interaction = self.interaction(status);
        interaction["created"] = json!(self.record.time(0.0));
        interaction["updated"] = json!(self.record.time(at));
        self.push(at, "interaction.completed", json!({"interaction": interaction}));
    }

    fn delta(&mut self, at: f64, index: usize, delta: Value) {
        // Only these have an id.
        let id = event_id(self.frames.len());
        self.push(at, "step.delta", json!({"index": index, "delta": delta, "event_id": id}));
    }

    fn step(&mut self, at: f64, index: usize, step: &Value) {
        let start = match self.record.run.shape {
            Shape::Steps => json!({"index": index, "step": begun(step)}),
            Shape::Outputs if step["type"] == "model_output" => json!({"index": index, "content": {"type": "text"}}),
            Shape::Outputs => json!({"index": index, "content": begun(step)}),
        };
        self.push(at, "step.start", start);
        match step["type"].as_str().unwrap_or_default() {
            "thought" => {
                for summary in step["summary"].as_array().into_iter().flatten() {
                    self.delta(at, index, json!({"type": "thought_summary", "content": summary}));
                }
                self.delta(at, index, json!({"type": "thought_signature", "signature": ""}));
            }
            "model_output" => {
                for content in step["content"].as_array().into_iter().flatten() {
                    self.content(at, index, content);
                }
            }
            kind @ ("google_search_call" | "url_context_call") => {
                self.delta(at, index, json!({"type": kind, "arguments": step["arguments"]}));
            }
            kind @ ("google_search_result" | "url_context_result") => {
                self.delta(at, index, json!({"type": kind, "result": step["result"]}));
            }
            _ => {}
        }
        self.push(at, "step.stop", json!({"index": index}));
    }

    fn content(&mut self, at: f64, index: usize, content: &Value) {
        let Some(text) = content["text"].as_str() else { return self.delta(at, index, content.clone()) };
        let letters: Vec<char> = text.chars().collect();
        for part in letters.chunks(TEXT_CHARS) {
            self.delta(at, index, json!({"type": "text", "text": part.iter().collect::<String>()}));
        }
        let (kind, content) = match self.record.run.shape {
            Shape::Steps => ("text_annotation_delta", content.clone()),
            Shape::Outputs => ("text_annotation", legacy_content(content)),
        };
        if let Some(annotations) = content.get("annotations") {
            self.delta(at, index, json!({"type": kind, "annotations": annotations}));
        }
    }
}

/// A step as it is when it begins: what it is and what it answers, and nothing of what it says.
fn begun(step: &Value) -> Value {
    let mut begun = json!({"type": step["type"]});
    for field in ["id", "call_id", "name", "search_type", "error"] {
        if let Some(value) = step.get(field) {
            begun[field] = value.clone();
        }
    }
    for (field, empty) in [("arguments", json!({})), ("result", json!([]))] {
        if step.get(field).is_some() {
            begun[field] = empty;
        }
    }
    begun
}
