//! What was spent: the rows that caps over many tasks and estimates read. They stay when their tasks are deleted.

use rusqlite::{Connection, params};

use super::Store;
use super::hosted::unsigned;
use crate::core::agent::estimate::{Complexity, Past};
use crate::core::base::error::Result;
use crate::core::base::limits;
use crate::core::money::usage::Usd;
use crate::core::task::HostedStart;

impl Store {
    /// What earlier runs of an agent cost and took beside what they were thought to, newest first.
    pub(crate) async fn past(&self, agent: &str) -> Result<Vec<Past>> {
        let agent = agent.to_owned();
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT complexity, cost_micros, actual_ms, estimated_micros, estimated_ms FROM spend
                 WHERE agent = ?1 AND calibrates ORDER BY finished_at DESC LIMIT ?2",
            )?;
            let rows = statement.query_map(params![agent, limits::PAST_RUNS], |row| {
                let count = |column| row.get::<_, Option<i64>>(column).map(|value| value.map(unsigned));
                Ok((
                    row.get::<_, Option<String>>(0)?,
                    count(1)?.unwrap_or(0),
                    count(2)?.unwrap_or(0),
                    count(3)?,
                    count(4)?,
                ))
            })?;
            let mut past = Vec::new();
            for row in rows {
                let (complexity, actual, duration_ms, estimated, estimated_ms) = row?;
                let Some(complexity) = complexity.as_deref().and_then(Complexity::parse) else { continue };
                let (actual, estimated) = (Usd::from_micros(actual), estimated.map(Usd::from_micros));
                past.push(Past { complexity, actual, duration_ms, estimated, estimated_ms });
            }
            Ok(past)
        })
        .await
    }
}

/// Whether the caps over many tasks let a new one begin: what ended counts with its cost, what runs or ended with an unknown cost
/// with the higher of its cost and its estimate.
pub(super) fn admit(connection: &Connection, start: &HostedStart, for_guest: bool) -> Result<()> {
    for cap in &start.caps {
        let spent: i64 = connection.query_row(
            "SELECT coalesce(sum(charged_micros), 0) FROM spend WHERE agent IS NOT NULL AND created_at >= ?1",
            [cap.since_ms],
            |row| row.get(0),
        )?;
        cap.admit(Usd::from_micros(unsigned(spent)), start.estimated, for_guest)?;
    }
    Ok(())
}

/// Brings the row of a task up to what its own row says now. To be called in each transaction that changes an estimate, a cost or
/// the status of a task. What costs nothing has no row. Estimates learn from whole runs whose cost is known; a plan is no such run.
pub(super) fn record(connection: &Connection, id: &str) -> Result<()> {
    connection.prepare_cached(&format!("{RECORD} AND task_id = ?1 {UPDATE}"))?.execute([id])?;
    Ok(())
}

/// Makes the rows that are missing, as after a repair that could not read them. Those that are there stay as they are.
pub(super) fn record_missing(connection: &Connection) -> rusqlite::Result<usize> {
    connection.execute(&format!("{RECORD} ON CONFLICT (task_id) DO NOTHING"), [])
}

const RECORD: &str =
    "INSERT INTO spend (task_id, tool, engine, agent, complexity, created_at, finished_at, estimated_micros,
                   estimated_ms, cost_micros, cost_unknown, charged_micros, actual_ms, calibrates)
     SELECT task_id, tool, engine, agent, complexity, created_at, completed_at, estimated_micros,
            estimated_ms, cost_micros, cost_unknown,
            CASE WHEN status IN ('pending', 'running') OR cost_unknown
                 THEN max(cost_micros, coalesce(estimated_micros, 0)) ELSE cost_micros END,
            completed_at - created_at,
            status = 'completed' AND agent IS NOT NULL AND NOT cost_unknown
                AND CASE WHEN json_valid(spec_json) THEN NOT coalesce(json_extract(spec_json, '$.plan.create.plan_only'), 0) ELSE 0 END
     FROM research_tasks WHERE (agent IS NOT NULL OR cost_micros > 0 OR cost_unknown)";

const UPDATE: &str = "ON CONFLICT (task_id) DO UPDATE SET finished_at = excluded.finished_at,
         cost_micros = excluded.cost_micros, cost_unknown = excluded.cost_unknown,
         charged_micros = excluded.charged_micros, actual_ms = excluded.actual_ms, calibrates = excluded.calibrates";

#[cfg(test)]
#[path = "spend_tests.rs"]
mod tests;
