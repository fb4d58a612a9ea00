//! The replies of `delete_research` and `hadal prune`.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Problem;
use crate::core::base::plain;
use crate::engine::{Deletion, Pruned};

/// What `delete_research` takes.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct DeleteArgs {
    /// Tasks that are over.
    #[cfg_attr(test, schemars(length(min = 1, max = 100), example = ["6e1f0f7c-9a53-4a0e-8d0c-0c9d6b1f2a34"]))]
    pub(crate) task_ids: Vec<String>,
}

/// What was deleted.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct DeleteReply {
    pub(crate) success: bool,
    /// Task ids.
    pub(crate) deleted: Vec<String>,
    /// Only on the command line: deleted here; their runs stay at Google, where kept follow-ups rest on them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(skip))]
    pub(crate) kept_at_provider: Vec<String>,
    /// Only on the command line: not deleted, because Google did not delete their runs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(skip))]
    pub(crate) problems: Vec<Problem>,
    pub(crate) message: String,
}

impl DeleteReply {
    pub(crate) fn new(deletion: &Deletion) -> Self {
        let ids = |ids: &[crate::core::base::id::TaskId]| ids.iter().map(ToString::to_string).collect::<Vec<_>>();
        let deleted = ids(&deletion.deleted);
        let tasks = if deleted.len() == 1 { "task" } else { "tasks" };
        Self {
            success: deletion.problems.is_empty(),
            message: format!("Deleted {} {tasks}. What they cost stays counted.", deleted.len()),
            deleted,
            kept_at_provider: ids(&deletion.kept_at_provider),
            problems: deletion.problems.iter().map(Problem::from).collect(),
        }
    }

    pub(crate) fn markdown(&self) -> String {
        let mut text = format!("{}\n", self.message);
        for id in &self.kept_at_provider {
            text.push_str(&format!("The run of {id} stays at Google: a kept task goes on from it.\n"));
        }
        for problem in &self.problems {
            text.push_str(&format!("Not deleted: {}: {}\n", problem.subject, problem.message));
        }
        plain::lines(&text)
    }
}

/// What `hadal prune` did, or would do.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PruneReply {
    pub(crate) success: bool,
    /// Nothing was deleted; this is what would be.
    pub(crate) dry_run: bool,
    pub(crate) tasks: u64,
    /// The first hundred of them.
    pub(crate) task_ids: Vec<String>,
    pub(crate) database_bytes_before: u64,
    pub(crate) database_bytes: u64,
}

impl PruneReply {
    pub(crate) fn new(pruned: &Pruned, dry_run: bool) -> Self {
        let (before, after) = pruned.bytes;
        Self {
            success: true,
            dry_run,
            tasks: pruned.tasks,
            task_ids: pruned.ids.iter().map(ToString::to_string).collect(),
            database_bytes_before: before,
            database_bytes: after,
        }
    }

    pub(crate) fn markdown(&self) -> String {
        let Self { tasks, database_bytes_before: before, database_bytes: after, .. } = self;
        let tasks = format!("{tasks} {}", if *tasks == 1 { "task" } else { "tasks" });
        if self.dry_run {
            return format!("Would delete {tasks}.\n");
        }
        format!("Deleted {tasks}. The database had {} KB and has {} KB.\n", before >> 10, after >> 10)
    }
}
