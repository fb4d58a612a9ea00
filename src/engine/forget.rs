//! Deleting tasks, and the hourly upkeep: what is over long enough is deleted, and nothing is kept that nobody needs.

use std::sync::Arc;
use std::time::Duration;

use super::{Engine, Inner, News, blocking};
use crate::core::base::error::{Problem, Result};
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::world::fetch::{self, Stale};
use crate::world::store::{Store, Worked, still_running};
use crate::world::{clock, gemini_api, log, owner};

/// What became of tasks that were to be deleted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deletion {
    pub(crate) deleted: Vec<TaskId>,
    /// Deleted here; their runs stay at the provider, because a kept task goes on from them.
    pub(crate) kept_at_provider: Vec<TaskId>,
    /// Those that the provider did not delete. They are still here: only their rows have the ids of the runs.
    pub(crate) problems: Vec<Problem>,
}

/// Whether runs of hosted agents are also deleted at the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtProvider {
    Delete,
    Leave,
}

/// What a prune did, or would do.
#[derive(Clone, Debug)]
pub(crate) struct Pruned {
    pub(crate) tasks: u64,
    /// The first of them.
    pub(crate) ids: Vec<TaskId>,
    /// Bytes of the database before and after.
    pub(crate) bytes: (u64, u64),
}

impl Engine {
    /// Deletes tasks that are over, all of them or none; only what the provider refuses to delete is left out.
    pub(crate) async fn delete(&self, ids: Vec<TaskId>, at_provider: AtProvider) -> Result<Deletion> {
        let store = &self.inner.open().await?.store;
        for id in &ids {
            // What is not there for this principal is not deleted by it.
            self.task(*id).await?;
        }
        let mut deletion = Deletion { deleted: ids, ..Deletion::default() };
        if at_provider == AtProvider::Delete {
            self.delete_at_provider(store, &mut deletion).await?;
        }
        let worked = store.delete(deletion.deleted.clone()).await?;
        for id in &deletion.deleted {
            self.inner.tell(*id, News::Deleted(self.principal.clone()));
        }
        self.inner.clear(worked).await?;
        Ok(deletion)
    }

    async fn delete_at_provider(&self, store: &Store, deletion: &mut Deletion) -> Result<()> {
        let mut runs = Vec::new();
        for id in &deletion.deleted {
            let task = self.task(*id).await?;
            // Told before anything is asked of the provider.
            if !task.status.is_final() {
                return Err(still_running(*id));
            }
            runs.extend(task.hosted.and_then(|hosted| hosted.interaction).map(|interaction| (*id, interaction)));
        }
        if !runs.is_empty() && !self.inner.api.has_key() {
            return Err(gemini_api::no_key());
        }
        for (id, interaction) in runs {
            if store.goes_on_from(&interaction, &deletion.deleted).await? {
                deletion.kept_at_provider.push(id);
            } else if let Err(error) = self.inner.api.delete(&interaction).await {
                deletion.deleted.retain(|deleted| *deleted != id);
                deletion.problems.push(Problem { subject: id.to_string(), error });
            }
        }
        Ok(())
    }

    /// Deletes every task that ended longer ago than this.
    pub(crate) async fn prune(&self, older_than: Duration) -> Result<Pruned> {
        let store = self.inner.open().await?.store.clone();
        let before = store.bytes();
        let ids = store.ended_before(cutoff(older_than), limits::PRUNE_SHOWN).await?;
        let tasks = self.inner.prune(&store, older_than).await?;
        Ok(Pruned { tasks, ids, bytes: (before, store.bytes()) })
    }

    /// What a prune would delete.
    pub(crate) async fn would_prune(&self, older_than: Duration) -> Result<Pruned> {
        let store = &self.inner.open().await?.store;
        let (before_ms, bytes) = (cutoff(older_than), store.bytes());
        let ids = store.ended_before(before_ms, limits::PRUNE_SHOWN).await?;
        Ok(Pruned { tasks: store.count_ended_before(before_ms).await?, ids, bytes: (bytes, bytes) })
    }
}

impl Inner {
    /// Deletes in transactions of many tasks; each task goes wholly or not at all, whenever the process ends.
    async fn prune(&self, store: &Store, older_than: Duration) -> Result<u64> {
        let before_ms = cutoff(older_than);
        let mut worked = Vec::new();
        while !self.shutdown.is_cancelled() {
            let ids = store.ended_before(before_ms, limits::DELETE_TASKS).await?;
            if ids.is_empty() {
                break;
            }
            worked.extend(store.delete(ids).await?);
        }
        let tasks = worked.len() as u64;
        self.clear(worked).await?;
        Ok(tasks)
    }

    /// Removes what deleted tasks have left outside of the database, and gives the room in it back.
    async fn clear(&self, worked: Vec<Worked>) -> Result<()> {
        let Some(open) = self.open.get() else { return Ok(()) };
        let within_ms = worked.iter().map(|task| (task.from_ms, task.until_ms)).collect();
        let stale = Stale { within_ms, ..Stale::by_age() };
        let (data_dir, store) = (self.settings.data_dir.clone(), open.store.clone());
        blocking("clearing away", move || {
            fetch::forget(&data_dir, &stale);
            owner::sweep(&data_dir.join("owners"));
            // What was deleted is deleted; the room comes back another time.
            let reclaimed = if worked.is_empty() { store.reclaim_much() } else { store.reclaim() };
            if let Err(error) = reclaimed {
                log::warn(format!("the room of what was deleted is not given back yet: {error}"));
            }
            Ok(())
        })
        .await
    }
}

/// The hourly upkeep, if it is due and nobody else is at it.
pub(super) async fn upkeep(inner: Arc<Inner>) {
    let Some(open) = inner.open.get() else { return };
    if let Err(error) = look_after(&inner, &open.store).await {
        log::warn(format!("what is no longer needed could not be cleared away: {error}"));
    }
}

async fn look_after(inner: &Inner, store: &Store) -> Result<()> {
    if !store.upkeep_is_due().await? {
        return Ok(());
    }
    while !inner.shutdown.is_cancelled() && store.shrink_some().await? {}
    store.remove_unused_texts().await?;
    let pruned = match inner.settings.retention {
        Some(retention) => inner.prune(store, retention).await?,
        None => 0,
    };
    if pruned > 0 {
        log::info(format!("deleted {pruned} tasks that ended longer ago than `retention` says"));
        return Ok(());
    }
    inner.clear(Vec::new()).await
}

fn cutoff(older_than: Duration) -> i64 {
    clock::now_ms().saturating_sub(i64::try_from(older_than.as_millis()).unwrap_or(i64::MAX))
}
