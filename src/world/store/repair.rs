//! A damaged database: kept, and what can be read from it saved into a new one.

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::{Store, connect, fault};
use crate::core::base::error::{Code, Error, Result};
use crate::world::clock;

/// What a repair did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Repaired {
    /// Where the damaged file is now.
    pub(crate) kept: PathBuf,
    /// Rows that could be saved, over all tables.
    pub(crate) rows: usize,
}

/// Parents before children, so that references hold.
const TABLES: &[&str] = &["research_tasks", "research_results", "effects", "pages", "sources", "claims", "spend"];

impl Store {
    /// Moves the database of a data directory aside and starts a new one with what can be read from it. To be called
    /// when no other hadal uses the directory. Blocking.
    pub(crate) fn repair(data_dir: &Path) -> Result<Repaired> {
        let path = data_dir.join("hadal.db");
        let kept = data_dir.join(format!("hadal.db.damaged-{}", clock::now_ms()));
        for tail in ["", "-wal", "-shm"] {
            let from = PathBuf::from(format!("{}{tail}", path.display()));
            let to = PathBuf::from(format!("{}{tail}", kept.display()));
            match std::fs::rename(&from, &to) {
                Ok(()) => {}
                Err(error) if error.kind() == std::io::ErrorKind::NotFound && !tail.is_empty() => {}
                Err(error) => {
                    return Err(Error::new(
                        Code::StoreUnavailable,
                        format!("cannot move `{}`: {error}", from.display()),
                    ));
                }
            }
        }
        drop(Self::open(data_dir)?);
        let rows = salvage(&connect(&path)?, &kept).map_err(|error| fault::at(&path, error))?;
        Ok(Repaired { kept, rows })
    }
}

/// Copies row by row: one that cannot be read costs itself, not the rest. A file that is no database at all gives none.
fn salvage(new: &Connection, old: &Path) -> rusqlite::Result<usize> {
    let mut saved = 0;
    if new.execute("ATTACH DATABASE ?1 AS old", [old.display().to_string()]).is_err() {
        return Ok(0);
    }
    for table in TABLES {
        let ids: Vec<i64> = match new.prepare(&format!("SELECT rowid FROM old.{table}")) {
            // The ids up to the first damaged page, and whatever the other end gives.
            Ok(mut statement) => {
                statement.query_map([], |row| row.get(0))?.map_while(std::result::Result::ok).collect()
            }
            Err(_) => continue,
        };
        let mut copy =
            new.prepare(&format!("INSERT OR IGNORE INTO main.{table} SELECT * FROM old.{table} WHERE rowid = ?1"))?;
        for id in ids {
            saved += copy.execute([id]).unwrap_or(0);
        }
    }
    saved += super::spend::record_missing(new)?;
    Ok(saved)
}
