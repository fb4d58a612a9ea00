//! Deleting tasks, and what is done now and then so that nothing is kept for ever.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};

use super::{Store, journal, spend, texts};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::core::task::Status;
use crate::world::clock;

/// When a deleted task was worked on, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Worked {
    pub(crate) from_ms: i64,
    pub(crate) until_ms: i64,
}

impl Store {
    /// Deletes tasks that are over: their rows, journals and results, and the texts that no other task uses. All of them or, when one
    /// of them runs or does not exist, none. What they cost stays.
    pub(crate) async fn delete(&self, ids: Vec<TaskId>) -> Result<Vec<Worked>> {
        self.write(move |connection| ids.iter().map(|id| delete(connection, *id)).collect()).await
    }

    /// Tasks that ended before a moment, oldest first.
    pub(crate) async fn ended_before(&self, before_ms: i64, limit: usize) -> Result<Vec<TaskId>> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT task_id FROM research_tasks
                 WHERE status IN ('completed', 'failed', 'cancelled') AND completed_at < ?1 ORDER BY created_at LIMIT ?2",
            )?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let ids = statement.query_map(params![before_ms, limit], |row| row.get::<_, String>(0))?;
            ids.map(|id| TaskId::parse(&id?)).collect()
        })
        .await
    }

    /// How many tasks ended before a moment.
    pub(crate) async fn count_ended_before(&self, before_ms: i64) -> Result<u64> {
        self.read(move |connection| {
            let count: i64 = connection.query_row(
                "SELECT count(*) FROM research_tasks
                 WHERE status IN ('completed', 'failed', 'cancelled') AND completed_at < ?1",
                [before_ms],
                |row| row.get(0),
            )?;
            Ok(u64::try_from(count).unwrap_or(0))
        })
        .await
    }

    /// Whether a task other than these goes on from a run at the provider.
    pub(crate) async fn goes_on_from(&self, interaction: &str, but: &[TaskId]) -> Result<bool> {
        let (interaction, but) = (interaction.to_owned(), but.to_vec());
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT task_id FROM research_tasks WHERE agent IS NOT NULL
                 AND CASE WHEN json_valid(spec_json) THEN json_extract(spec_json, '$.plan.create.previous') END = ?1",
            )?;
            let ids = statement.query_map([interaction], |row| row.get::<_, String>(0))?;
            for id in ids {
                if !but.contains(&TaskId::parse(&id?)?) {
                    return Ok(true);
                }
            }
            Ok(false)
        })
        .await
    }

    /// Whether the hourly upkeep is due. Who gets yes does it: nobody else is told so for an hour.
    pub(crate) async fn upkeep_is_due(&self) -> Result<bool> {
        const LAST: &str = "SELECT at FROM upkeep WHERE name = 'hourly'";
        let due = |last: Option<i64>| {
            let now = clock::now_ms();
            // A moment in the future was written under a wrong clock.
            last.is_none_or(|last| last > now || last <= now.saturating_sub(ms(limits::UPKEEP)))
        };
        // Looking costs no flush.
        let last = self.read(|connection| Ok(connection.query_row(LAST, [], |row| row.get(0)).optional()?)).await?;
        if !due(last) {
            return Ok(false);
        }
        self.write(move |connection| {
            let last = connection.query_row(LAST, [], |row| row.get(0)).optional()?;
            let mine = due(last);
            if mine {
                connection
                    .execute("INSERT OR REPLACE INTO upkeep (name, at) VALUES ('hourly', ?1)", [clock::now_ms()])?;
            }
            Ok(mine)
        })
        .await
    }

    /// Shrinks the journals of a few tasks that an earlier version ended; `false` when none are left. What such tasks cost is
    /// counted.
    pub(crate) async fn shrink_some(&self) -> Result<bool> {
        // Looking first: a write that changes nothing would still keep others from writing.
        let ids = self
            .read(|connection| {
                let mut statement = connection.prepare_cached(
                    "SELECT DISTINCT task_id FROM research_tasks JOIN effects USING (task_id)
                     WHERE status IN ('completed', 'failed', 'cancelled') AND outcome_json IS NOT NULL LIMIT ?1",
                )?;
                let ids = statement.query_map([limits::SHRINK_BATCH], |row| row.get::<_, String>(0))?;
                Ok(ids.collect::<rusqlite::Result<Vec<String>>>()?)
            })
            .await?;
        if ids.is_empty() {
            return Ok(false);
        }
        self.write(move |connection| {
            for id in &ids {
                journal::shrink(connection, id)?;
                spend::record(connection, id)?;
            }
            Ok(true)
        })
        .await
    }

    /// Takes texts away that no task uses, and that are no longer new.
    pub(crate) async fn remove_unused_texts(&self) -> Result<()> {
        let old = clock::now_ms().saturating_sub(ms(limits::UNUSED_TEXT));
        let hashes = self
            .read(move |connection| {
                let mut statement = connection.prepare(
                    "SELECT hash FROM pages WHERE archived_at < ?1
                     AND NOT EXISTS (SELECT 1 FROM text_uses WHERE text_uses.hash = pages.hash)
                     AND NOT EXISTS (SELECT 1 FROM sources WHERE sources.page = pages.hash)",
                )?;
                let hashes = statement.query_map([old], |row| row.get(0))?;
                Ok(hashes.collect::<rusqlite::Result<Vec<String>>>()?)
            })
            .await?;
        if hashes.is_empty() {
            return Ok(());
        }
        self.write(move |connection| texts::remove_unused(connection, &hashes)).await
    }
}

/// Why a task that is not over is not deleted.
pub(crate) fn still_running(id: TaskId) -> Error {
    Error::new(Code::ResearchNotCompleted, format!("task `{id}` is still running; nothing was deleted"))
        .hint("cancel it first, then delete it")
}

fn delete(connection: &Connection, id: TaskId) -> Result<Worked> {
    let task = id.to_string();
    let row = connection
        .prepare_cached(
            "SELECT status, created_at, coalesce(completed_at, updated_at) FROM research_tasks WHERE task_id = ?1",
        )?
        .query_row([&task], |row| Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let Some((status, from_ms, until_ms)) = row else {
        return Err(Error::new(Code::TaskNotFound, format!("no task has the id `{id}`; nothing was deleted"))
            .hint("`hadal list` shows all tasks"));
    };
    if !Status::parse(&status).is_some_and(Status::is_final) {
        return Err(still_running(id));
    }
    // A task that an earlier version began may have no row yet.
    spend::record(connection, &task)?;
    let mut used = connection.prepare_cached(
        "SELECT hash FROM text_uses WHERE task_id = ?1 UNION SELECT page FROM sources WHERE task_id = ?1 AND page IS NOT NULL",
    )?;
    let hashes = used.query_map([&task], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
    // Children before their parent.
    for table in
        ["steers", "text_uses", "sources", "claims", "calibration", "research_results", "effects", "research_tasks"]
    {
        connection.prepare_cached(&format!("DELETE FROM {table} WHERE task_id = ?1"))?.execute([&task])?;
    }
    texts::remove_unused(connection, &hashes)?;
    Ok(Worked { from_ms, until_ms })
}

fn ms(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
#[path = "forget_tests.rs"]
mod tests;
