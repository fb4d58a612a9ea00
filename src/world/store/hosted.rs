//! What only hosted runs have in their rows: the agent, the estimate, live progress.

use rusqlite::Row;

use super::tasks::{from_json, json};
use super::{Claim, Fenced, Store};
use crate::core::agent::RunProgress;
use crate::core::base::error::Result;
use crate::core::money::usage::Usd;
use crate::core::task::HostedView;

impl Store {
    /// Shows how far a run is.
    pub(crate) async fn live(&self, claim: Claim, live: RunProgress, action: String) -> Result<Fenced<()>> {
        let values = vec![json(&live)?.into(), action.into()];
        self.show(claim, "live_json = ?4, current_action = ?5", values).await
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
