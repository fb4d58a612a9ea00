//! The reply of `list_research`.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::{excerpt, status_word};
use crate::core::base::dates::rfc3339;
use crate::core::base::limits;
use crate::core::base::plain;
use crate::core::task::{Status, TaskView};

/// Tasks, newest first.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct ListReply {
    pub(crate) success: bool,
    pub(crate) tasks: Vec<ListedTask>,
    /// Older ones are listed with `after`.
    pub(crate) more: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tasks_omitted: Option<usize>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct ListedTask {
    pub(crate) task_id: String,
    pub(crate) status: &'static str,
    /// Somebody works on it now.
    pub(crate) worked_on: bool,
    /// Cut when long.
    pub(crate) query: String,
    pub(crate) tool: String,
    pub(crate) engine: String,
    pub(crate) created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) completed_at: Option<String>,
    /// US dollars, or null: unknown.
    pub(crate) cost_usd: Option<f64>,
}

impl ListReply {
    pub(crate) fn new(tasks: &[TaskView], more: bool) -> Self {
        Self { success: true, tasks: tasks.iter().map(ListedTask::from).collect(), more, tasks_omitted: None }
    }

    pub(crate) fn markdown(&self) -> String {
        if self.tasks.is_empty() {
            return "No tasks.\n".to_owned();
        }
        let mut text = "| task | status | started | question |\n|---|---|---|---|\n".to_owned();
        for task in &self.tasks {
            let query = task.query.replace('|', "\\|");
            let paused = if task.status == status_word(Status::Running) && !task.worked_on { ", paused" } else { "" };
            text.push_str(&format!("| {} | {}{paused} | {} | {query} |\n", task.task_id, task.status, task.created_at));
        }
        if let Some(last) = self.tasks.last().filter(|_| self.more) {
            text.push_str(&format!("\nOlder ones: `hadal list --after {}`\n", last.task_id));
        }
        plain::lines(&text)
    }
}

impl From<&TaskView> for ListedTask {
    fn from(task: &TaskView) -> Self {
        Self {
            task_id: task.id.to_string(),
            status: status_word(task.status),
            worked_on: task.is_worked_on(),
            query: excerpt(&task.query, limits::LIST_QUERY_CHARS),
            tool: task.tool.clone(),
            engine: task.engine.clone(),
            created_at: rfc3339(task.created_ms),
            completed_at: task.completed_ms.map(rfc3339),
            cost_usd: super::status::cost(task),
        }
    }
}
