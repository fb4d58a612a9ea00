//! An interaction, and what it looks like at a moment.

use std::sync::{Arc, Condvar};

use serde_json::{Value, json};

use super::clock::reached;
use super::fault::Fault;
use super::invoice::{BilledRun, cost_micros};
use super::plan::{End, Run, Shape, Usage};
use super::timeline::{Timeline, fill_image};
use crate::host::iso;

/// What never changes about an interaction.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) id: String,
    /// The agent or the model.
    pub(super) name: String,
    pub(super) is_agent: bool,
    /// The body of create.
    pub(super) body: Value,
    /// The text of the input.
    pub(super) input: String,
    pub(super) run: Run,
    pub(super) timeline: Timeline,
    /// Simulated seconds.
    pub(super) created: f64,
    /// The same in milliseconds since 1970.
    pub(super) created_ms: u64,
    /// Whether it can be asked for later.
    pub(super) stored: bool,
    /// Wakes the streams that follow it.
    pub(super) changed: Condvar,
}

/// An interaction and what became of it.
#[derive(Clone, Debug)]
pub(super) struct Life {
    pub(super) record: Arc<Record>,
    /// Simulated seconds.
    pub(super) cancelled: Option<f64>,
    /// Simulated seconds after which it says that it is cancelled.
    cancel_lag: f64,
    /// Whether the answer to cancel was an error.
    pub(super) cancel_failed: bool,
    pub(super) deleted: bool,
}

/// Which answer a resource is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    Create,
    Get { input: bool },
    Cancel,
}

impl Record {
    /// The date so many seconds after create.
    pub(super) fn time(&self, seconds: f64) -> String {
        iso(self.created_ms + (seconds * 1000.0) as u64)
    }
}

impl Life {
    pub(super) fn new(record: Arc<Record>) -> Self {
        Self { record, cancelled: None, cancel_lag: 0.0, cancel_failed: false, deleted: false }
    }

    pub(super) fn cancel(&mut self, now: f64, fault: Option<Fault>) {
        self.cancelled = Some(now);
        self.cancel_failed = fault == Some(Fault::Cancel500ButCancelled);
        if let Some(Fault::CancelLag { seconds }) = fault {
            self.cancel_lag = seconds;
        }
    }

    /// Seconds since create, but none after it was cancelled.
    fn age(&self, now: f64) -> f64 {
        self.cancelled.unwrap_or(now) - self.record.created
    }

    pub(super) fn is_over(&self, now: f64) -> bool {
        self.cancelled.is_some() || reached(self.record.timeline.ends, self.age(now))
    }

    pub(super) fn status(&self, now: f64) -> &str {
        if self.cancelled.is_some_and(|cancelled| reached(cancelled + self.cancel_lag, now)) {
            "cancelled"
        } else if self.cancelled.is_none() && self.is_over(now) {
            self.record.run.end.status()
        } else if reached(self.record.timeline.begins, self.age(now)) {
            "in_progress"
        } else {
            "queued"
        }
    }

    /// What has been used so far: all of it in the end, and before that as much as time has passed.
    fn usage(&self, now: f64) -> Usage {
        let Record { run, timeline, .. } = self.record.as_ref();
        if run.end == End::Zombie {
            return Usage::NONE;
        }
        if self.cancelled.is_none() && self.is_over(now) {
            return run.usage;
        }
        run.usage.share((self.age(now) - timeline.begins) / (timeline.ends - timeline.begins))
    }

    pub(super) fn billed(&self, now: f64) -> BilledRun {
        let usage = self.usage(now);
        BilledRun {
            id: self.record.id.clone(),
            agent_or_model: self.record.name.clone(),
            input: self.record.input.clone(),
            previous: self.record.body["previous_interaction_id"].as_str().map(str::to_owned),
            usage,
            cost_micros: cost_micros(&self.record.name, usage),
            cancelled: self.cancelled.is_some(),
            status: self.status(now).to_owned(),
        }
    }

    /// The resource as an answer shows it.
    pub(super) fn resource(&self, now: f64, shown: Shown) -> Value {
        let record = self.record.as_ref();
        let age = self.age(now);
        let mut resource = json!({"id": record.id, "status": self.status(now), "object": "interaction",
            "created": record.time(0.0), "updated": record.time(self.updated(age))});
        resource[if record.is_agent { "agent" } else { "model" }] = json!(record.name);
        for field in ["previous_interaction_id", "agent_config", "tools", "labels", "service_tier"] {
            if let Some(value) = record.body.get(field) {
                resource[field] = value.clone();
            }
        }
        if shown == Shown::Cancel {
            resource["status"] = json!("cancelled");
            return resource;
        }
        match record.run.shape {
            Shape::Steps => resource["steps"] = self.steps(age, shown),
            Shape::Outputs => {
                resource["role"] = json!("model");
                resource["outputs"] = legacy_outputs(record.timeline.until(age));
            }
        }
        if record.run.image_bytes > 0 {
            fill_image(&mut resource, record.run.image_bytes);
        }
        if self.is_over(now) {
            self.add_end(&mut resource, now);
        } else if record.run.usage_while_running {
            resource["usage"] = usage(self.usage(now), record.run.shape);
        }
        if shown == (Shown::Get { input: true }) {
            resource["input"] = record.body["input"].clone();
        }
        resource
    }

    /// Seconds between create and the last change.
    fn updated(&self, age: f64) -> f64 {
        let Timeline { moments, ends, .. } = &self.record.timeline;
        let times = moments.iter().map(|moment| moment.at).chain([*ends]).filter(|at| reached(*at, age));
        times.fold(self.cancelled.map_or(0.0, |_| age), f64::max)
    }

    fn steps(&self, age: f64, shown: Shown) -> Value {
        let record = self.record.as_ref();
        let mut steps = Vec::new();
        // A run that never does anything does not even show what it was asked.
        if shown != Shown::Create && record.run.end != End::Zombie {
            steps.push(json!({"type": "user_input", "content": contents(&record.body["input"])}));
        }
        steps.extend(record.timeline.until(age).cloned());
        Value::Array(steps)
    }

    fn add_end(&self, resource: &mut Value, now: f64) {
        let run = &self.record.run;
        if self.cancelled.is_none() {
            match run.end {
                End::FailedWithErrors => {
                    resource["errors"] = json!([{"code": "internal_error", "message": "The research agent crashed."}]);
                }
                End::RequiresContinuation => resource["continuation_token"] = json!("Y29udGludWU"),
                _ => {}
            }
        }
        let cancelled = self.cancelled.map(|cancelled| cancelled + self.cancel_lag);
        let ended = cancelled.unwrap_or(self.record.created + self.record.timeline.ends);
        if reached(ended + run.usage_delay_seconds, now) {
            resource["usage"] = usage(self.usage(now), run.shape);
        }
    }
}

/// The contents of an input, whichever way it was given.
pub(super) fn contents(input: &Value) -> Value {
    match input {
        Value::String(text) => json!([{"type": "text", "text": text}]),
        Value::Array(items) => {
            let of = |item: &Value| item.get("content").map_or_else(|| json!([item]), contents);
            Value::Array(items.iter().flat_map(|item| of(item).as_array().cloned().unwrap_or_default()).collect())
        }
        other => json!([other]),
    }
}

/// The text of an input.
pub(super) fn text(input: &Value) -> String {
    let contents = contents(input);
    let texts = contents.as_array().into_iter().flatten().filter_map(|content| content["text"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

fn usage(usage: Usage, shape: Shape) -> Value {
    let thought = if shape == Shape::Steps { "total_thought_tokens" } else { "total_reasoning_tokens" };
    let mut value = json!({
        "total_tokens": usage.input + usage.output + usage.thought + usage.tool_use,
        "total_input_tokens": usage.input,
        "total_cached_tokens": usage.cached,
        "total_output_tokens": usage.output,
        "total_tool_use_tokens": usage.tool_use,
        "input_tokens_by_modality": [{"modality": "text", "tokens": usage.input}],
        "grounding_tool_count": [{"type": "google_search", "count": usage.searches}],
    });
    value[thought] = json!(usage.thought);
    value
}

/// The steps as they were in December 2025: the contents of outputs among the others, citations without a type.
fn legacy_outputs<'a>(steps: impl Iterator<Item = &'a Value>) -> Value {
    let flat = steps.flat_map(|step| match step["content"].as_array() {
        Some(contents) => contents.iter().map(legacy_content).collect(),
        None => vec![step.clone()],
    });
    Value::Array(flat.collect())
}

pub(super) fn legacy_content(content: &Value) -> Value {
    let mut content = content.clone();
    for annotation in content["annotations"].as_array_mut().into_iter().flatten() {
        *annotation = json!({"start_index": annotation["start_index"], "end_index": annotation["end_index"],
            "source": annotation["url"]});
    }
    content
}
