//! Telling a user that a research is over: a desktop notification, and where there is no desktop a line.

use std::sync::Arc;

use super::Inner;
use crate::core::base::id::TaskId;
use crate::core::method::TaskSpec;
use crate::core::task::{Ending, Status};
use crate::world::log;
use crate::world::notify::{Desktop, Note, Urgency};

/// Shows it, without holding anything up. Whoever comes here has the claim to do so, which nobody else gets.
pub(super) fn tell(inner: &Arc<Inner>, id: TaskId, spec: Option<&TaskSpec>, ending: &Ending) {
    let query = spec.map(|spec| spec.query.clone()).unwrap_or_default();
    let (title, urgency) = match ending.status() {
        Status::Completed | Status::Pending | Status::Running => ("Research completed", Urgency::Normal),
        Status::Cancelled => ("Research cancelled", Urgency::Normal),
        Status::Failed => ("Research failed", Urgency::Critical),
    };
    let note = Note { title: title.to_owned(), body: query, task_id: id, urgency };
    let desktop = Desktop::new(&inner.settings.gemini_env, &inner.gate);
    inner.tasks.spawn(async move {
        if let Err(why) = desktop.show(&note).await {
            log::info(format!("{}: {} (task {id}; no desktop notification: {why})", note.title, note.body));
        }
    });
}
