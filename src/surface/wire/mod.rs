//! What goes over the wire: one struct per reply, the same for every surface.
//!
//! A reply is plain data made from the core's types; it decides nothing. Its JSON is what an MCP tool returns and
//! what `--json` prints; [`markdown`](ResearchReply::markdown) is the same for people. Field docs are the
//! descriptions of the tools' schemas: every client pays for them in tokens, so they are short.

mod args;
mod check;
mod error;
mod evidence;
mod explain;
mod fit;
mod forget;
mod hosted;
mod list;
mod paged;
mod research;
mod results;
#[cfg(test)]
mod states_tests;
mod status;
#[cfg(test)]
mod tests;

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use crate::core::base::{limits, plain};
use crate::core::money::usage::Usage;
use crate::core::report;
use crate::core::task::{Status, TaskView};
use crate::core::text::quoting::{code, label};
use crate::core::text::spans::Unit;

pub(crate) use args::{
    CancelArgs, DeepResearchArgs, DeepSearchArgs, ListArgs, ReportLength, ResultsArgs, SearchArgs, StatusArgs,
    SteerArgs, TaskScope, TaskType,
};
pub(crate) use check::{CheckArgs, CheckReply};
pub(crate) use error::{ErrorBody, ErrorReply};
pub(crate) use evidence::{ClaimRow, EvidenceFigures};
pub(crate) use fit::fit;
pub(crate) use forget::{DeleteArgs, DeleteReply, PruneReply};
pub(crate) use hosted::{EstimateArgs, EstimateReply, SaveArgs, SaveFormat, StartArgs, StartReply};
pub(crate) use list::ListReply;
pub(crate) use paged::{PageRequest, resource};
pub(crate) use research::{Ledger, Problem, ResearchReply};
pub(crate) use results::{ResultsReply, Sources};
pub(crate) use status::{CancelReply, StatusReply, SteerReply};

#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Tokens {
    pub(crate) input: u64,
    pub(crate) output: u64,
}

impl From<Usage> for Tokens {
    fn from(usage: Usage) -> Self {
        Self { input: usage.tokens_in, output: usage.tokens_out }
    }
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Engine {
    pub(crate) name: String,
    /// Why this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
}

impl Engine {
    /// The engine that made the report, else the one the task was given to.
    fn of(task: &TaskView, report: Option<&report::Report>) -> Self {
        match report.and_then(|report| report.engine.as_ref()) {
            Some(made) => Self { name: made.name.name().to_owned(), reason: Some(made.reason.clone()) },
            None => task.into(),
        }
    }
}

impl From<&TaskView> for Engine {
    fn from(task: &TaskView) -> Self {
        Self { name: task.engine.clone(), reason: Some(task.engine_reason.clone()).filter(|reason| !reason.is_empty()) }
    }
}

/// Something the report cites.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Source {
    /// The `[n]` of the report.
    pub(crate) number: u32,
    pub(crate) title: String,
    /// Path or URL.
    pub(crate) location: String,
    /// Line range in the file, `first-last`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lines: Option<String>,
    /// Lines of the notes that the quote holds, `first-last`, where they stand elsewhere in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note_lines: Option<String>,
    /// Where in a file without lines: `p. 3`, `slide 2`, `Sheet1!A2:C9`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) place: Option<String>,
    /// SHA-256 of the archived text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) page: Option<String>,
    /// True: the model names it, nothing shows that it was visited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) claimed: Option<bool>,
}

impl From<&report::Source> for Source {
    fn from(source: &report::Source) -> Self {
        let counted = |(first, last): (u32, u32)| format!("{first}-{last}");
        let (lines, note_lines, place) = match &source.lines {
            Some(place) if place.unit == Unit::Line => {
                (Some(counted((place.first, place.last))), place.notes.map(counted), None)
            }
            Some(place) => (None, None, Some(place.to_string())),
            None => (None, None, None),
        };
        Self {
            number: source.number,
            title: source.title.clone(),
            location: source.location.clone(),
            lines,
            note_lines,
            place,
            page: source.page.as_ref().map(|page| page.0.clone()),
            claimed: source.claimed.then_some(true),
        }
    }
}

impl Source {
    fn markdown(&self) -> String {
        let notes = self.note_lines.as_ref().map(|lines| format!(" and {lines}")).unwrap_or_default();
        let lines = self.lines.as_ref().map(|lines| format!(", lines {lines}{notes}"));
        let lines = lines.or_else(|| self.place.as_ref().map(|place| format!(", {place}"))).unwrap_or_default();
        let location = plain::location(&self.location);
        // A title is foreign words; an address of the web is what the report cites.
        let title =
            if self.title == self.location { location.clone() } else { label(&self.title, limits::TITLE_CHARS) };
        if self.claimed == Some(true) {
            // Nobody has seen it: it is shown, and nothing leads there.
            let place = code(&self.location, limits::ADDRESS_BYTES);
            let title = if self.title == self.location { String::new() } else { format!("{title}, ") };
            return format!("[{}] {title}{place} (named by the model, not visited)\n", self.number);
        }
        format!("[{}] {title} ({location}{lines})\n", self.number)
    }
}

/// The word for a status: what waits and what runs are one thing to whoever asked.
fn status_word(status: Status) -> &'static str {
    match status {
        Status::Pending | Status::Running => "running_async",
        Status::Completed => "completed",
        Status::Failed => "failed",
        Status::Cancelled => "cancelled",
    }
}

/// The name of a `serde` enum's unit variant, as its JSON has it.
fn word(value: impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

/// Minutes between two moments in milliseconds, to a hundredth.
/// A cost for people. What is not known is said to be so.
fn dollars(cost: Option<f64>) -> String {
    cost.map_or_else(|| "cost unknown".to_owned(), |cost| format!("${cost:.4}"))
}

fn minutes(from_ms: i64, to_ms: i64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "for display; a task is far shorter than 2^53 ms")]
    let minutes = to_ms.saturating_sub(from_ms).max(0) as f64 / 60_000.0;
    (minutes * 100.0).round() / 100.0
}

/// The tools that replies name.
pub(crate) const STATUS_TOOL: &str = "check_research_status";
pub(crate) const RESULTS_TOOL: &str = "get_research_results";

fn check_status_command(id: impl std::fmt::Display) -> String {
    format!("{STATUS_TOOL}(task_id='{id}')")
}

/// One line of at most `limit` characters.
pub(crate) fn excerpt(text: &str, limit: usize) -> String {
    let mut line = plain::line(text, limit);
    if text.chars().nth(limit).is_some() {
        line.push('…');
    }
    line
}
