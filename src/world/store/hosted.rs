//! What only hosted runs have in their rows: the agent, the estimate, live progress, spend caps.

use rusqlite::{Connection, Row, params};

use super::tasks::{from_json, json, signed};
use super::{Claim, Fenced, Store};
use crate::core::error::{Code, Error, Result};
use crate::core::estimate::{Complexity, Past};
use crate::core::hosted::Live;
use crate::core::id::TaskId;
use crate::core::limits;
use crate::core::task::{HostedStart, HostedView, SpendCap, TaskSpec};
use crate::core::usage::Usd;
use crate::world::clock;

impl Store {
    /// Writes a new hosted task, unless a cap over many tasks stands in the way. Checking and writing are one
    /// transaction: two starts at the same moment cannot both take the last dollar.
    pub(crate) async fn create_hosted(
        &self,
        id: TaskId,
        spec: &TaskSpec,
        start: HostedStart,
        owner: &str,
    ) -> Result<Claim> {
        let (tool, engine, reason) = (spec.tool.name(), spec.engine.name.name(), spec.engine.reason.clone());
        let (query, spec_json, owner) = (spec.query.clone(), json(spec)?, owner.to_owned());
        self.write(move |connection| {
            for cap in &start.caps {
                refuse_beyond(connection, cap, start.estimated)?;
            }
            connection
                .prepare_cached(
                    "INSERT INTO research_tasks
                     (task_id, query, tool, engine, engine_reason, spec_json, owner, fence, created_at, updated_at,
                      agent, enable_notifications, complexity, estimated_micros, estimated_ms)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 1, ?8, ?8, ?9, ?10, ?11, ?12, ?13)",
                )?
                .execute(params![
                    id.to_string(),
                    query,
                    tool,
                    engine,
                    reason,
                    spec_json,
                    owner,
                    clock::now_ms(),
                    start.agent,
                    start.notify,
                    start.complexity,
                    signed(start.estimated.micros()),
                    signed(start.estimated_ms)
                ])?;
            Ok(Claim { id, fence: 1 })
        })
        .await
    }

    /// Shows how far a run is.
    pub(crate) async fn live(&self, claim: Claim, live: Live, action: String) -> Result<Fenced<()>> {
        let live = json(&live)?;
        self.write(move |connection| {
            let changed = connection
                .prepare_cached(
                    "UPDATE research_tasks SET live_json = ?3, current_action = ?4, updated_at = ?5
                     WHERE task_id = ?1 AND fence = ?2 AND status IN ('pending', 'running')",
                )?
                .execute(params![claim.id.to_string(), claim.fence, live, action, clock::now_ms()])?;
            Ok(if changed == 1 { Fenced::Applied(()) } else { Fenced::Lost })
        })
        .await
    }

    /// What earlier runs of an agent cost and took beside what they were thought to, newest first.
    pub(crate) async fn past(&self, agent: &str) -> Result<Vec<Past>> {
        let agent = agent.to_owned();
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT complexity, actual_micros, actual_ms, estimated_micros, estimated_ms FROM calibration
                 WHERE agent = ?1 ORDER BY finished_at DESC LIMIT ?2",
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

/// What was spent since the cap began, what runs with the higher of its cost and its estimate, and the new one.
fn refuse_beyond(connection: &Connection, cap: &SpendCap, next: Usd) -> Result<()> {
    let spent: i64 = connection.query_row(
        "SELECT coalesce(sum(CASE WHEN status IN ('pending', 'running') THEN max(cost_micros, coalesce(estimated_micros, 0))
                                  ELSE cost_micros END), 0)
         FROM research_tasks WHERE agent IS NOT NULL AND created_at >= ?1",
        [cap.since_ms],
        |row| row.get(0),
    )?;
    let spent = Usd::from_micros(unsigned(spent));
    if spent + next <= cap.most {
        return Ok(());
    }
    let message = format!(
        "the cap of {} a {} stands in the way: {spent} is spent or promised, this research is estimated at {next}",
        cap.most, cap.per
    );
    Err(Error::new(Code::BudgetExceeded, message)
        .hint(format!("nothing was started; wait for the next {}, or raise `budget.{}_usd`", cap.per, cap.per)))
}

pub(super) fn view(row: &Row<'_>, first: usize) -> Result<Option<HostedView>> {
    let Some(agent) = row.get::<_, Option<String>>(first)? else { return Ok(None) };
    let live: Option<String> = row.get(first + 5)?;
    Ok(Some(HostedView {
        agent,
        interaction: row.get(first + 1)?,
        complexity: row.get(first + 2)?,
        estimated: row.get::<_, Option<i64>>(first + 3)?.map(|micros| Usd::from_micros(unsigned(micros))),
        estimated_ms: row.get::<_, Option<i64>>(first + 4)?.map(unsigned),
        live: live.map(|text| from_json(&text)).transpose()?,
    }))
}

fn unsigned(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}
