//! The replies of `check_research_status`, `steer_research` and `cancel_research`.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::{ErrorBody, Tokens, minutes, status_word, word};
use crate::core::base::dates::rfc3339;
use crate::core::base::plain;
use crate::core::money::usage::Usd;
use crate::core::task::{Branch, Hands, HostedView, TaskView};

/// How far a task is. What is not known is null, never guessed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct StatusReply {
    pub(crate) success: bool,
    pub(crate) task_id: String,
    /// running_async, completed, failed or cancelled.
    pub(crate) status: &'static str,
    /// Somebody works on it now.
    pub(crate) worked_on: bool,
    /// Percent, or null: unknown.
    #[cfg_attr(test, schemars(range(max = 100)))]
    pub(crate) progress: Option<u8>,
    /// What it does now; empty when it is over.
    pub(crate) current_action: String,
    pub(crate) elapsed_minutes: f64,
    /// Null: not told yet.
    pub(crate) tokens_used: Option<Tokens>,
    /// US dollars, or null: not told yet.
    pub(crate) cost_so_far: Option<f64>,
    /// Null: unknown.
    pub(crate) estimated_completion_minutes: Option<f64>,
    pub(crate) query: String,
    pub(crate) created_at: String,
    /// The plan as it fills: sub-questions, then sections.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) plan: Vec<PlanPart>,
    /// A hosted run.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(crate) hosted: Option<HostedStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<ErrorBody>,
}

impl StatusReply {
    pub(crate) fn new(task: &TaskView, now_ms: i64, eta_ms: Option<u64>) -> Self {
        Self {
            success: true,
            task_id: task.id.to_string(),
            status: status_word(task.status),
            worked_on: task.is_worked_on(),
            progress: task.progress.percent,
            // A task that is over does nothing; where it was when it ended is no news.
            current_action: if task.status.is_final() { String::new() } else { action(task) },
            elapsed_minutes: minutes(task.created_ms, task.completed_ms.unwrap_or(now_ms)),
            tokens_used: tokens(task),
            cost_so_far: cost(task),
            estimated_completion_minutes: eta_ms.map(|ms| minutes(0, i64::try_from(ms).unwrap_or(i64::MAX))),
            hosted: task.hosted.as_ref().map(|hosted| HostedStatus::new(task, hosted, now_ms)),
            plan: task.progress.tree.iter().map(PlanPart::from).collect(),
            query: task.query.clone(),
            created_at: rfc3339(task.created_ms),
            error: task.error.as_ref().map(ErrorBody::from),
        }
    }

    pub(crate) fn markdown(&self) -> String {
        let progress = self.progress.map(|percent| format!(", {percent} %")).unwrap_or_default();
        let action = match self.current_action.as_str() {
            "" => String::new(),
            action => format!(", {action}"),
        };
        let mut text = format!(
            "Task {}: {}{progress}{action}\n{}\nStarted {}, {} minutes, {} tokens, {}\n",
            self.task_id,
            self.status,
            self.query,
            self.created_at,
            self.elapsed_minutes,
            self.tokens_used
                .map_or("unknown".to_owned(), |tokens| tokens.input.saturating_add(tokens.output).to_string()),
            super::dollars(self.cost_so_far),
        );
        text.extend(self.plan.iter().map(|part| format!("  {}\n", part.line)));
        if let Some(error) = &self.error {
            text.push_str(&format!("{}\n", error.markdown()));
        }
        plain::lines(&text)
    }
}

/// A part of a study's plan.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct PlanPart {
    /// sub_question or section.
    pub(crate) kind: String,
    pub(crate) title: String,
    pub(crate) searches: u32,
    pub(crate) pages: u32,
    pub(crate) notes: u32,
    pub(crate) done: bool,
    /// The same for people.
    #[serde(skip)]
    line: String,
}

impl From<&Branch> for PlanPart {
    fn from(branch: &Branch) -> Self {
        Self {
            kind: word(branch.kind),
            title: branch.title.clone(),
            searches: branch.searches,
            pages: branch.pages,
            notes: branch.notes,
            done: branch.done,
            line: branch.line(),
        }
    }
}

/// A run that somebody else's agent does, as it is told.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct HostedStatus {
    pub(crate) agent: String,
    /// The provider's id; absent until the run exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) interaction_id: Option<String>,
    pub(crate) searches_made: u32,
    pub(crate) pages_read: u32,
    pub(crate) thoughts: u32,
    /// Nothing new for long.
    pub(crate) stalled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) minutes_without_news: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) estimated_cost_usd: Option<f64>,
}

impl HostedStatus {
    fn new(task: &TaskView, hosted: &HostedView, now_ms: i64) -> Self {
        let live = hosted.live.clone().unwrap_or_default();
        let still = (!task.status.is_final()).then(|| live.stalled_ms(now_ms)).flatten();
        Self {
            agent: hosted.agent.clone(),
            interaction_id: hosted.interaction.clone(),
            searches_made: live.last.searches,
            pages_read: live.last.read,
            thoughts: live.last.thought,
            stalled: still.is_some(),
            minutes_without_news: still.map(|still| minutes(0, still)),
            estimated_cost_usd: hosted.estimated.map(Usd::dollars),
        }
    }
}

/// What a task that is not over is at. A run that exists elsewhere goes on, also while no process of ours looks at it.
fn action(task: &TaskView) -> String {
    let (elsewhere, told) = match &task.hosted {
        Some(HostedView { interaction: Some(_), live, .. }) => (true, live.is_some()),
        _ => (false, true),
    };
    let last = if told { task.progress.action.as_str() } else { "the agent is at work" };
    let paused = match &task.hands {
        Hands::Owner(_) => return last.to_owned(),
        Hands::Nobody if elsewhere => "paused here until hadal runs, the agent goes on",
        Hands::Nobody => "paused until hadal runs",
        Hands::Paused => "paused by its user",
    };
    if last.is_empty() { paused.to_owned() } else { format!("{paused}; before that: {last}") }
}

/// What a task has used. A run elsewhere tells it late or not at all; then it is not known.
fn tokens(task: &TaskView) -> Option<Tokens> {
    let Some(hosted) = task.hosted.as_ref().filter(|_| !task.status.is_final()) else { return Some(task.usage.into()) };
    let told = hosted.live.as_ref().and_then(|live| live.tokens());
    told.map(|told| Tokens {
        input: told.input.saturating_add(told.tool_use),
        output: told.output.saturating_add(told.thought),
    })
}

/// What a task has cost so far; of a run at a provider what that has said, if anything.
pub(super) fn cost(task: &TaskView) -> Option<f64> {
    let Some(hosted) = task.hosted.as_ref().filter(|_| !task.status.is_final()) else {
        return task.usage.known_cost().map(Usd::dollars);
    };
    hosted.live.as_ref().and_then(|live| live.cost).map(Usd::dollars)
}

/// What becomes of a word to a task.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct SteerReply {
    pub(crate) success: bool,
    pub(crate) task_id: String,
    pub(crate) status: &'static str,
    pub(crate) message: String,
}

impl SteerReply {
    pub(crate) fn new(task: &TaskView) -> Self {
        let message = if task.is_worked_on() {
            "The next steps of the study heed it."
        } else {
            "Nobody works on the study now; it heeds it when it goes on."
        };
        Self {
            success: true,
            task_id: task.id.to_string(),
            status: status_word(task.status),
            message: message.to_owned(),
        }
    }

    pub(crate) fn markdown(&self) -> String {
        format!("Task {}: {}\n{}\n", self.task_id, self.status, self.message)
    }
}

/// What became of a cancelled task.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct CancelReply {
    pub(crate) success: bool,
    pub(crate) task_id: String,
    pub(crate) status: &'static str,
    pub(crate) message: String,
    /// A partial report was kept; get_research_results returns it.
    pub(crate) partial_saved: bool,
    pub(crate) tokens_used: Tokens,
    /// US dollars, or null: the provider did not say.
    pub(crate) final_cost_usd: Option<f64>,
}

impl CancelReply {
    pub(crate) fn new(task: &TaskView, partial_saved: bool) -> Self {
        // The engine waits only so long for a task to stop; then the request stands and the task ends by itself.
        let message = match (task.status.is_final(), partial_saved) {
            (false, _) => "The task is asked to stop and has not stopped yet.",
            (true, true) => "The task is stopped; its partial report is kept.",
            (true, false) => "The task is stopped; nothing of it is kept.",
        };
        Self {
            success: true,
            task_id: task.id.to_string(),
            status: status_word(task.status),
            message: message.to_owned(),
            partial_saved,
            tokens_used: task.usage.into(),
            final_cost_usd: task.usage.known_cost().map(Usd::dollars),
        }
    }

    pub(crate) fn markdown(&self) -> String {
        format!(
            "Task {}: {}\n{} Cost: {}\n",
            self.task_id,
            self.status,
            self.message,
            super::dollars(self.final_cost_usd)
        )
    }
}
