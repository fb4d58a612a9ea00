//! What only hosted runs have in their rows: the agent, the estimate, live progress.

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::tasks::{from_json, json};
use super::{Claim, Fenced, Store};
use crate::core::agent::RunProgress;
use crate::core::base::error::Result;
use crate::core::base::id::TaskId;
use crate::core::money::usage::Usd;
use crate::core::task::{HostedStart, HostedView, SameResearch, Status};

impl Store {
    /// Shows how far a run is.
    pub(crate) async fn live(&self, claim: Claim, live: RunProgress, action: String) -> Result<Fenced<()>> {
        let values = vec![json(&live)?.into(), action.into()];
        self.show(claim, "live_json = ?4, current_action = ?5", values).await
    }

    /// Refuses what [`Store::create`] would refuse because the same research runs or is over, before anybody is asked about it.
    pub(crate) async fn refuse_same(&self, query: &str, start: &HostedStart) -> Result<()> {
        let (query, start, principal) = (query.to_owned(), start.clone(), self.principal.clone());
        self.read(move |connection| refuse_same(connection, &query, &start, principal.as_deref())).await
    }
}

/// Refuses a start when the same research runs, or completed lately. What its user has asked to stop does not stand in the way.
pub(super) fn refuse_same(
    connection: &Connection,
    query: &str,
    start: &HostedStart,
    principal: Option<&str>,
) -> Result<()> {
    let Some(same) = &start.unless else { return Ok(()) };
    let earlier = connection
        .prepare_cached(
            "SELECT task_id, status FROM research_tasks
             WHERE agent = ?1 AND query = ?2 AND (?6 IS NULL OR principal = ?6)
               AND (status IN ('pending', 'running') AND cancel_requested IS NULL OR status = 'completed' AND completed_at >= ?3)
               AND CASE WHEN json_valid(spec_json) THEN json_extract(spec_json, '$.plan.create.previous') END IS ?4
               AND CASE WHEN json_valid(spec_json) THEN coalesce(json_extract(spec_json, '$.plan.create.plan_only'), 0) END = ?5
             ORDER BY created_at DESC LIMIT 1",
        )?
        .query_row(
            params![start.agent, query, same.completed_since_ms, same.previous, same.plan_only, principal],
            |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)),
        )
        .optional()?;
    match earlier {
        Some((id, status)) => {
            Err(SameResearch::refuse(TaskId::parse(&id)?, Status::parse(&status).unwrap_or(Status::Running)))
        }
        None => Ok(()),
    }
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

pub(super) fn unsigned(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}
