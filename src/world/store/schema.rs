//! The tables, and how an older file becomes a newer one.

use std::path::Path;

use rusqlite::Connection;

use super::fault;
use crate::core::base::error::Result;

/// "hadl", so that no other program's database is taken for ours.
pub(super) const APPLICATION_ID: i64 = 0x6861_646c;

/// One step each; a step, once released, never changes. `user_version` counts those applied.
const MIGRATIONS: &[&str] = &[
    include_str!("schema/1.sql"),
    include_str!("schema/2.sql"),
    include_str!("schema/3.sql"),
    include_str!("schema/4.sql"),
    include_str!("schema/5.sql"),
    include_str!("schema/6.sql"),
    include_str!("schema/7.sql"),
];

/// Brings the file to this version's schema. A newer file is refused untouched.
pub(super) fn migrate(connection: &Connection, path: &Path) -> Result<()> {
    let (version, application) =
        fault::retry_busy(|| Ok((pragma(connection, "user_version")?, pragma(connection, "application_id")?)))
            .map_err(|error| fault::at(path, error))?;
    let known = newest();
    if version == known && application == APPLICATION_ID {
        return Ok(());
    }
    if version > known {
        return Err(fault::newer(path, version, known));
    }
    fault::retry_busy(|| apply(connection))
        .map_err(|error| fault::at(path, error))?
        .then_some(())
        .ok_or_else(|| fault::foreign(path))
}

/// Whether the file is ours now. All steps are one transaction: another process sees none or all.
fn apply(connection: &Connection) -> rusqlite::Result<bool> {
    let transaction = rusqlite::Transaction::new_unchecked(connection, rusqlite::TransactionBehavior::Immediate)?;
    // Another process may have been first.
    let version = pragma(&transaction, "user_version")?;
    let tables: i64 = transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let application = pragma(&transaction, "application_id")?;
    if application != APPLICATION_ID && (application != 0 || version != 0 || tables != 0) {
        return Ok(false);
    }
    for step in MIGRATIONS.iter().skip(usize::try_from(version).unwrap_or(0)) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", newest())?;
    transaction.commit()?;
    Ok(true)
}

fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

/// The version that this hadal makes.
pub(super) fn newest() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

/// Makes the tables as a version had them, in a file without any.
pub(super) fn make(connection: &Connection, version: usize) -> rusqlite::Result<()> {
    for step in MIGRATIONS.iter().take(version) {
        connection.execute_batch(step)?;
    }
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", i64::try_from(version).unwrap_or(i64::MAX))
}
