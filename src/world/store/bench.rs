//! How long a journal row takes, with the durability we use and with the weaker one we do not.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::params;

use super::Store;
use crate::core::base::error::Result;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Sync {
    Full,
    Normal,
}

/// The time of each of `rows` single appends, each its own transaction. Blocking.
pub(crate) fn append(dir: &Path, sync: Sync, rows: usize) -> Result<Vec<Duration>> {
    drop(Store::open(dir)?);
    let connection = super::connect(&dir.join("hadal.db"))?;
    connection.pragma_update(None, "synchronous", format!("{sync:?}").to_uppercase())?;
    connection.execute(
        "INSERT INTO research_tasks (task_id, query, tool, engine, spec_json, fence, created_at, updated_at)
         VALUES ('t', 'q', 'bench', 'bench', '{}', 1, 0, 0)",
        [],
    )?;
    let mut times = Vec::with_capacity(rows);
    for no in 0..rows {
        let start = Instant::now();
        connection.execute_batch("BEGIN IMMEDIATE")?;
        connection
            .prepare_cached(
                "INSERT INTO effects (task_id, no, body_json, paid, tries, fence, started_at) VALUES ('t', ?1, ?2, 1, 1, 1, 0)",
            )?
            .execute(params![
                super::tasks::signed(no as u64),
                r#"{"row":"effect","effect":"archive_pages","pages":[]}"#
            ])?;
        connection.execute_batch("COMMIT")?;
        times.push(start.elapsed());
    }
    Ok(times)
}
