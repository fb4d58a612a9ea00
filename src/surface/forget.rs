//! The verbs that delete.

use std::time::Duration;

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::base::{age, limits};
use crate::engine::AtProvider;
use crate::surface::app::{App, invalid};
use crate::surface::wire::{DeleteArgs, DeleteReply, PruneReply};

impl App {
    /// Deletes tasks that are over.
    pub(crate) async fn delete(&self, args: DeleteArgs, at_provider: AtProvider) -> Result<DeleteReply> {
        let given = args.task_ids.len();
        if given == 0 || given > limits::DELETE_TASKS {
            return Err(invalid("task_ids", &format!("must have 1 to {} entries", limits::DELETE_TASKS), given));
        }
        let mut ids: Vec<TaskId> = Vec::new();
        for id in &args.task_ids {
            let id = TaskId::parse(id)?;
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        Ok(DeleteReply::new(&self.engine.delete(ids, at_provider).await?))
    }

    /// Deletes what ended longer ago than an age, by default that of the settings; or only tells what that would be.
    pub(crate) async fn prune(&self, older_than: Option<&str>, dry_run: bool) -> Result<PruneReply> {
        let age = self.age(older_than)?;
        let pruned = if dry_run { self.engine.would_prune(age).await? } else { self.engine.prune(age).await? };
        Ok(PruneReply::new(&pruned, dry_run))
    }

    fn age(&self, older_than: Option<&str>) -> Result<Duration> {
        match older_than {
            Some(text) => age::parse(text)
                .ok_or_else(|| invalid("--older-than", "must be an age such as `90d`, `12h` or `8w`", text)),
            None => self.settings.retention.ok_or_else(|| {
                Error::new(Code::InvalidArgument, "`--older-than` is missing, and `retention` is not set")
                    .hint("say how old, as in `hadal prune --older-than 90d`")
            }),
        }
    }
}
