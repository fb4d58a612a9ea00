//! The three output formats of the CLI, and the pace at which a scenario wants them.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

use super::super::scenario::{Scenario, Usage};
use super::args::Format;
use super::stall;
use crate::host::{iso, now_ms};

/// A line of stream-json. The order of the fields is that of the real CLI.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Event<'a> {
    Init {
        timestamp: String,
        session_id: &'a str,
        model: &'a str,
    },
    Message {
        timestamp: String,
        role: &'a str,
        content: &'a str,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        delta: bool,
    },
    ToolUse {
        timestamp: String,
        tool_name: &'a str,
        tool_id: &'a str,
        parameters: &'a Value,
    },
    ToolResult {
        timestamp: String,
        tool_id: &'a str,
        status: &'a str,
        output: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<Problem<'a>>,
    },
    Error {
        timestamp: String,
        severity: &'a str,
        message: &'a str,
    },
    Result {
        timestamp: String,
        status: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<Problem<'a>>,
        stats: Stats,
    },
}

#[derive(Debug, Serialize)]
pub(super) struct Problem<'a> {
    #[serde(rename = "type")]
    pub(super) kind: &'a str,
    pub(super) message: &'a str,
}

/// The figures of a `result`.
#[derive(Debug, Serialize)]
pub(super) struct Stats {
    #[serde(flatten)]
    sum: Figures,
    duration_ms: u64,
    tool_calls: u32,
    models: BTreeMap<String, Figures>,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Figures {
    total_tokens: u64,
    input_tokens: u64,
    output_tokens: u64,
    cached: u64,
    input: u64,
}

impl From<Usage> for Figures {
    fn from(usage: Usage) -> Self {
        Self {
            total_tokens: usage.input + usage.output,
            input_tokens: usage.input,
            output_tokens: usage.output,
            cached: usage.cached,
            input: usage.input.saturating_sub(usage.cached),
        }
    }
}

impl Stats {
    pub(super) fn new(models: &BTreeMap<String, Usage>, duration_ms: u64, tool_calls: u32) -> Self {
        let mut all = Usage::default();
        for usage in models.values() {
            all.input += usage.input;
            all.output += usage.output;
            all.cached += usage.cached;
        }
        let models = models.iter().map(|(name, usage)| (name.clone(), Figures::from(*usage))).collect();
        Self { sum: all.into(), duration_ms, tool_calls, models }
    }
}

/// Where a run writes. Its errors are those of stdout, which the reader may have closed.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) format: Format,
    pause: Duration,
    left: Option<u32>,
    /// Text of the model since the last tool.
    turn: String,
}

pub(super) fn stamp() -> String {
    iso(now_ms())
}

impl Output {
    pub(super) fn new(format: Format, scenario: &Scenario) -> Self {
        let pause = Duration::from_millis(scenario.event_ms);
        Self { format, pause, left: scenario.stall_after, turn: String::new() }
    }

    /// Writes an event if the format has events.
    pub(super) fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        if self.format == Format::StreamJson {
            self.line(&serde_json::to_vec(event)?)?;
        }
        Ok(())
    }

    /// Text of the model.
    pub(super) fn say(&mut self, text: &str) -> io::Result<()> {
        self.turn += text;
        if self.format == Format::Text {
            self.pace();
            return raw(text.as_bytes());
        }
        self.event(&Event::Message { timestamp: stamp(), role: "assistant", content: text, delta: true })
    }

    /// The model has called tools: what it said so far is not the answer.
    pub(super) fn next_turn(&mut self) {
        self.turn.clear();
    }

    pub(super) fn line(&mut self, line: &[u8]) -> io::Result<()> {
        self.pace();
        let mut line = line.to_vec();
        line.push(b'\n');
        raw(&line)
    }

    fn pace(&mut self) {
        if self.left == Some(0) {
            stall();
        }
        self.left = self.left.map(|left| left - 1);
        std::thread::sleep(self.pause);
    }

    /// The one object of the json format.
    pub(super) fn object(
        &self,
        session: &str,
        usage: &BTreeMap<String, Usage>,
        tools: Tally,
        error: Option<&Problem<'_>>,
    ) -> Value {
        let model = |usage: &Usage| {
            let tokens = json!({"input": usage.input.saturating_sub(usage.cached), "prompt": usage.input, "candidates": usage.output,
                "total": usage.input + usage.output, "cached": usage.cached, "thoughts": 0, "tool": 0});
            let api = json!({"totalRequests": 1, "totalErrors": 0, "totalLatencyMs": 1});
            (tokens, api)
        };
        let main = usage.iter().max_by_key(|(_, usage)| usage.input).map(|(name, _)| name);
        let mut models = json!({});
        for (name, usage) in usage {
            let (tokens, mut api) = model(usage);
            let role = if Some(name) == main { "main" } else { "utility_tool" };
            let mut roles = json!({role: api});
            roles[role]["tokens"] = tokens.clone();
            api["errorsByType"] = json!({});
            models[name] = json!({"api": api, "tokens": tokens, "roles": roles});
        }
        let mut object = json!({"session_id": session, "response": self.turn, "stats": {"models": models,
            "tools": {"totalCalls": tools.calls, "totalSuccess": tools.calls - tools.failed, "totalFail": tools.failed,
                "totalDurationMs": 0, "totalDecisions": {"accept": 0, "reject": 0, "modify": 0, "auto_accept": tools.calls},
                "byName": {}},
            "files": {"totalLinesAdded": 0, "totalLinesRemoved": 0}}});
        if let Some(problem) = error {
            object["error"] = json!(problem);
        }
        object
    }
}

/// Tools called so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) calls: u32,
    pub(super) failed: u32,
}

pub(super) fn raw(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()
}
