//! What users say to running studies: it waits here until the owner of the task takes it into the journal.

use rusqlite::{Connection, OptionalExtension, params};

use super::journal::event;
use super::tasks::json;
use super::{Claim, Fenced, Store};
use crate::core::base::error::Result;
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::core::journal::Body;
use crate::world::clock;

/// What became of a word to a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Steer {
    Kept,
    /// The task is over, or there is none.
    Over,
    /// The task is none that can be steered.
    NoStudy,
    /// It was steered as often as it may be.
    TooOften,
}

impl Store {
    /// Leaves a word for the owner of a study.
    pub(crate) async fn request_steer(&self, id: TaskId, message: String) -> Result<Steer> {
        self.write(move |connection| {
            let task = id.to_string();
            let study = connection
                .prepare_cached(
                    "SELECT CASE WHEN json_valid(spec_json) THEN json_extract(spec_json, '$.plan.method') = 'study' END
                     FROM research_tasks WHERE task_id = ?1 AND status IN ('pending', 'running')",
                )?
                .query_row([&task], |row| row.get::<_, Option<bool>>(0))
                .optional()?;
            match study {
                None => return Ok(Steer::Over),
                Some(Some(true)) => {}
                Some(_) => return Ok(Steer::NoStudy),
            }
            if said(connection, &task)? >= limits::STEERS {
                return Ok(Steer::TooOften);
            }
            connection
                .prepare_cached("INSERT INTO steers (task_id, message, said_at) VALUES (?1, ?2, ?3)")?
                .execute(params![task, message, clock::now_ms()])?;
            Ok(Steer::Kept)
        })
        .await
    }

    /// Tasks of this owner to which something was said that it has not heard.
    pub(crate) async fn steered(&self, me: &str) -> Result<Vec<TaskId>> {
        let me = me.to_owned();
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT DISTINCT task_id FROM steers JOIN research_tasks USING (task_id)
                 WHERE owner = ?1 AND status IN ('pending', 'running')",
            )?;
            let ids = statement.query_map([me], |row| row.get::<_, String>(0))?;
            ids.map(|id| TaskId::parse(&id?)).collect()
        })
        .await
    }

    /// The oldest word to a task that its owner has not heard, with its number.
    pub(crate) async fn next_steer(&self, id: TaskId) -> Result<Option<(i64, String)>> {
        self.read(move |connection| {
            let mut statement =
                connection.prepare_cached("SELECT id, message FROM steers WHERE task_id = ?1 ORDER BY id LIMIT 1")?;
            Ok(statement.query_row([id.to_string()], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
        })
        .await
    }

    /// Writes a word into the journal, at its place in the order of events, and takes it off the waiting ones.
    pub(crate) async fn steer(
        &self,
        claim: Claim,
        (no, order): (u32, u32),
        (said, message): (i64, String),
        active_ms: u64,
    ) -> Result<Fenced<()>> {
        let body = json(&Body::Steer { message })?;
        self.write(move |connection| {
            if !event(connection, claim, (no, order), &body, active_ms)? {
                return Ok(Fenced::Lost);
            }
            connection.execute("DELETE FROM steers WHERE id = ?1", [said])?;
            Ok(Fenced::Applied(()))
        })
        .await
    }
}

/// How often a task was spoken to, heard or not.
fn said(connection: &Connection, task: &str) -> Result<usize> {
    let said: i64 = connection
        .prepare_cached(
            "SELECT (SELECT count(*) FROM steers WHERE task_id = ?1) + (SELECT count(*) FROM effects WHERE task_id = ?1
             AND CASE WHEN json_valid(body_json) THEN json_extract(body_json, '$.row') = 'steer' END)",
        )?
        .query_row([task], |row| row.get(0))?;
    Ok(usize::try_from(said).unwrap_or(usize::MAX))
}
