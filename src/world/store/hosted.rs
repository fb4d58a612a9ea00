//! What only hosted runs have in their rows: the agent, the estimate, live progress, spend caps.

use rusqlite::{Connection, Row, params};

use super::tasks::{from_json, json};
use super::{Claim, Fenced, Store};
use crate::core::agent::RunProgress;
use crate::core::agent::estimate::{Complexity, Past};
use crate::core::base::error::Result;
use crate::core::base::limits;
use crate::core::money::usage::Usd;
use crate::core::task::{HostedStart, HostedView};

impl Store {
    /// Shows how far a run is.
    pub(crate) async fn live(&self, claim: Claim, live: RunProgress, action: String) -> Result<Fenced<()>> {
        let values = vec![json(&live)?.into(), action.into()];
        self.show(claim, "live_json = ?4, current_action = ?5", values).await
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

/// Whether the caps over many tasks let a new one begin: what ended counts with its cost, what runs or ended with an unknown cost
/// with the higher of its cost and its estimate.
pub(super) fn admit(connection: &Connection, start: &HostedStart) -> Result<()> {
    for cap in &start.caps {
        let spent: i64 = connection.query_row(
            "SELECT coalesce(sum(CASE WHEN status IN ('pending', 'running') OR cost_unknown
                                      THEN max(cost_micros, coalesce(estimated_micros, 0)) ELSE cost_micros END), 0)
             FROM research_tasks WHERE agent IS NOT NULL AND created_at >= ?1",
            [cap.since_ms],
            |row| row.get(0),
        )?;
        cap.admit(Usd::from_micros(unsigned(spent)), start.estimated)?;
    }
    Ok(())
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
