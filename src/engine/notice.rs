//! Telling a user that a research is over: a desktop notification, and where there is no desktop a line.

use std::sync::Arc;

use super::Inner;
use crate::core::id::TaskId;
use crate::core::task::{Ending, TaskSpec};
use crate::world::log;

/// Shows it, without holding anything up. Whoever comes here has the claim to do so, which nobody else gets.
pub(super) fn tell(_inner: &Arc<Inner>, id: TaskId, spec: Option<&TaskSpec>, ending: &Ending) {
    let query = spec.map(|spec| spec.query.clone()).unwrap_or_default();
    log::info(format!("research {}: {query} (task {id})", ending.status().name()));
}
