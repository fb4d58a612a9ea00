//! What one process reads of the tasks of others.

use super::Store;
use super::tasks::tree;
use crate::core::base::error::{Error, Result};
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::core::task::Progress;

#[derive(Debug)]
pub(crate) struct Others {
    /// The newest that are not over and not this process's.
    pub(crate) live: Vec<LiveElsewhere>,
    /// The newest that began lately and are over, whoever did them.
    pub(crate) short: Vec<TaskId>,
}

#[derive(Debug)]
pub(crate) struct LiveElsewhere {
    pub(crate) id: TaskId,
    pub(crate) updated_ms: i64,
    pub(crate) progress: Progress,
}

impl Store {
    /// The tasks of other owners than `me`, and those begun since then that are over.
    pub(crate) async fn elsewhere(&self, me: &str, since_ms: i64) -> Result<Others> {
        let me = me.to_owned();
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT task_id, updated_at, progress, current_action, tree_json FROM research_tasks
                 WHERE status IN ('pending', 'running') AND owner IS NOT ?1 ORDER BY created_at DESC LIMIT ?2",
            )?;
            let rows = statement.query_map((me, limits::ELSEWHERE_TASKS), |row| {
                let progress =
                    Progress { percent: row.get(2)?, action: row.get(3)?, tree: tree(row.get(4)?), question: None };
                Ok((row.get::<_, String>(0)?, row.get(1)?, progress))
            })?;
            let live = rows.map(|row| {
                let (id, updated_ms, progress) = row.map_err(Error::from)?;
                Ok(LiveElsewhere { id: TaskId::parse(&id)?, updated_ms, progress: progress.neutral() })
            });
            let live = live.collect::<Result<_>>()?;
            let mut statement = connection.prepare_cached(
                "SELECT task_id FROM research_tasks
                 WHERE created_at >= ?1 AND status NOT IN ('pending', 'running') ORDER BY created_at DESC LIMIT ?2",
            )?;
            let rows = statement.query_map((since_ms, limits::ELSEWHERE_TASKS), |row| row.get::<_, String>(0))?;
            let short = rows.map(|id| TaskId::parse(&id.map_err(Error::from)?)).collect::<Result<_>>()?;
            Ok(Others { live, short })
        })
        .await
    }
}
