//! What `start_deep_research`, `estimate_research_cost` and `save_research_to_markdown` take and reply.

use std::path::PathBuf;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::results::{Paging, ResultsMetadata};
use super::{ErrorBody, ResultsReply, Source, Sources, status_word};
use crate::core::agent::estimate::{self, Estimate, Range};
use crate::core::base::error::{Code, Error};
use crate::core::base::limits;
use crate::core::base::plain;
use crate::core::money::usage::Usd;
use crate::core::saved::file_name::FileForm;
use crate::core::task::{Ending, TaskView};

/// What `start_deep_research` takes.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct StartArgs {
    /// The question, complete.
    #[cfg_attr(test, schemars(length(min = 3, max = 10_000)))]
    pub(crate) query: String,
    /// Desktop notification at the end. Default true.
    pub(crate) enable_notifications: Option<bool>,
    /// Give up waiting after this long. Default 8.
    #[cfg_attr(test, schemars(range(min = 1, max = 168)))]
    pub(crate) max_wait_hours: Option<u32>,
    /// Agent. Default deep-research-preview-04-2026; deep-research-max-preview-04-2026 digs deeper.
    pub(crate) model: Option<String>,
    /// A completed task to go on from: a further question, or the approval of a plan.
    pub(crate) follow_up_to: Option<String>,
    /// Return a plan, to be approved with follow_up_to.
    pub(crate) plan_only: Option<bool>,
    /// Refuse if it is estimated to cost more, stop it if it does.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub(crate) budget_usd: Option<f64>,
    /// Pay for the same again.
    pub(crate) again: Option<bool>,
}

/// The reply of `start_deep_research`. What does not apply is absent.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct StartReply {
    pub(crate) success: bool,
    pub(crate) task_id: String,
    /// running_async, completed, failed or cancelled.
    pub(crate) status: &'static str,
    /// sync or async.
    pub(crate) mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
    /// What to call next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) check_status_command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) results: Option<StartResults>,
    /// Ended before it was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) partial: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stop_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cost_usd: Option<f64>,
    pub(crate) agent: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) estimated_cost_usd: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) warning: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<ErrorBody>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct StartResults {
    pub(crate) report: String,
    /// Where the rest is, when the report has more pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) paging: Option<Paging>,
    /// Sources that the page does not cite.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sources_omitted: Option<usize>,
    pub(crate) sources: Vec<Source>,
    pub(crate) metadata: ResultsMetadata,
}

impl StartReply {
    pub(crate) fn new(task: &TaskView, ending: Option<Ending>, warning: Option<String>) -> Self {
        let hosted = task.hosted.clone().unwrap_or_default();
        let mut reply = Self {
            success: true,
            task_id: task.id.to_string(),
            status: status_word(task.status),
            mode: "async",
            agent: hosted.agent,
            estimated_cost_usd: hosted.estimated.map(Usd::dollars),
            warning,
            ..Self::default()
        };
        let failure = match &ending {
            Some(Ending::Failed { error, .. }) => Some(error.clone()),
            Some(Ending::Cancelled { .. }) => Some(Error::new(Code::Cancelled, "the task was cancelled")),
            Some(Ending::Completed { .. }) | None => None,
        };
        if ending.is_none() {
            let trouble = hosted.interaction.is_none().then(|| format!(" Not started yet: {}.", task.progress.action));
            reply.message = Some(format!(
                "Research running in background. Notification when complete.{}",
                trouble.unwrap_or_default()
            ));
            reply.check_status_command = Some(super::check_status_command(task.id));
            return reply;
        }
        reply.cost_usd = task.usage.known_cost().map(Usd::dollars);
        reply.mode = "sync";
        if let Some(error) = failure {
            reply.success = false;
            reply.error = Some((&error).into());
        }
        if let Ok(results) = ResultsReply::new(task, ending, Sources::Included) {
            reply.partial = Some(results.partial);
            reply.stop_reason = Some(results.stop_reason);
            reply.note = results.note;
            reply.results = Some(StartResults {
                report: results.report,
                paging: None,
                sources_omitted: None,
                sources: results.sources.unwrap_or_default(),
                metadata: ResultsMetadata { mode: "sync", ..results.metadata },
            });
        }
        reply
    }

    pub(crate) fn markdown(&self) -> String {
        let mut text = String::new();
        if let (Some(true), Some(reason)) = (self.partial, &self.stop_reason) {
            text.push_str(&format!("> Partial report: the task ended ({reason}) before it was done.\n\n"));
        }
        if let Some(results) = &self.results {
            text.push_str(&format!("{}\n\n", results.report.trim_end()));
            for source in &results.sources {
                text.push_str(&source.markdown());
            }
        }
        for line in self.note.iter().chain(&self.warning).chain(&self.message) {
            text.push_str(&format!("{line}\n"));
        }
        if let Some(error) = &self.error {
            text.push_str(&format!("{}\n", error.markdown()));
        }
        if self.check_status_command.is_some() {
            text.push_str(&format!(
                "Ask with `hadal status {0}`, wait with `hadal results --wait {0}`.\nIt goes on at Google; a running `hadal serve` or that command collects it.\n",
                self.task_id
            ));
        }
        text.push_str(&format!("Task {}: {}, agent {}\n", self.task_id, self.status, self.agent));
        plain::lines(&text)
    }
}

/// What `estimate_research_cost` takes.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct EstimateArgs {
    #[cfg_attr(test, schemars(length(min = 3, max = 10_000)))]
    pub(crate) query: String,
    /// Agent, as in start_deep_research.
    pub(crate) model: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct EstimateReply {
    pub(crate) success: bool,
    /// simple, medium or complex.
    pub(crate) query_complexity: &'static str,
    pub(crate) estimated_duration: Minutes,
    pub(crate) estimated_cost: Dollars,
    pub(crate) will_likely_go_async: bool,
    pub(crate) recommendation: String,
    pub(crate) agent: String,
    /// Finished runs the estimate rests on; 0: published figures only.
    pub(crate) based_on_runs: u32,
    /// Of these, runs of the same complexity.
    pub(crate) similar_runs: u32,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Minutes {
    pub(crate) min_minutes: f64,
    pub(crate) max_minutes: f64,
    pub(crate) likely_minutes: f64,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Dollars {
    pub(crate) min_usd: f64,
    pub(crate) max_usd: f64,
    pub(crate) likely_usd: f64,
}

impl EstimateReply {
    pub(crate) fn new(agent: String, estimate: &Estimate) -> Self {
        let window = u64::try_from(limits::START_WINDOW.as_millis()).unwrap_or(u64::MAX);
        Self {
            success: true,
            query_complexity: estimate.complexity.name(),
            estimated_duration: Minutes::from(&estimate.duration_ms),
            estimated_cost: Dollars::from(&estimate.cost),
            will_likely_go_async: estimate.will_likely_go_async(window),
            recommendation: estimate::recommendation(estimate),
            agent,
            based_on_runs: estimate.runs,
            similar_runs: estimate.runs_alike,
        }
    }

    pub(crate) fn markdown(&self) -> String {
        let (time, cost) = (&self.estimated_duration, &self.estimated_cost);
        format!(
            "{} question, agent {}\nDuration: {} to {} minutes, likely {}\nCost: ${:.2} to ${:.2}, likely ${:.2}\n\
             Rests on {} finished runs ({} of this complexity).\n{}\n",
            self.query_complexity,
            self.agent,
            time.min_minutes,
            time.max_minutes,
            time.likely_minutes,
            cost.min_usd,
            cost.max_usd,
            cost.likely_usd,
            self.based_on_runs,
            self.similar_runs,
            self.recommendation
        )
    }
}

impl From<&Range<u64>> for Minutes {
    fn from(range: &Range<u64>) -> Self {
        let minutes = |ms: u64| super::minutes(0, i64::try_from(ms).unwrap_or(i64::MAX));
        Self { min_minutes: minutes(range.min), max_minutes: minutes(range.max), likely_minutes: minutes(range.likely) }
    }
}

impl From<&Range<Usd>> for Dollars {
    fn from(range: &Range<Usd>) -> Self {
        let cents = |usd: Usd| (usd.dollars() * 100.0).round() / 100.0;
        Self { min_usd: cents(range.min), max_usd: cents(range.max), likely_usd: cents(range.likely) }
    }
}

/// The form of a saved report.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum SaveFormat {
    Markdown,
    Html,
}

impl SaveFormat {
    /// The words that the command line takes.
    pub(crate) const NAMES: [&str; 2] = ["markdown", "html"];
}

impl From<SaveFormat> for FileForm {
    fn from(format: SaveFormat) -> Self {
        match format {
            SaveFormat::Markdown => Self::Markdown,
            SaveFormat::Html => Self::Html,
        }
    }
}

/// What `save_research_to_markdown` takes.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct SaveArgs {
    pub(crate) task_id: String,
    /// Default ./research_reports.
    pub(crate) output_dir: Option<PathBuf>,
    /// Letters, digits, `.`, `_`, `-`. Default research.
    pub(crate) filename_prefix: Option<String>,
    /// Default markdown; html shows the passage behind each sentence.
    pub(crate) format: Option<SaveFormat>,
    /// Default true.
    pub(crate) include_metadata: Option<bool>,
    /// Default true.
    pub(crate) include_sources: Option<bool>,
}
