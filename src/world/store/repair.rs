//! A damaged database: kept, and what can be read from it saved into a new one, whichever version wrote it.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::salvage::{Saved, salvage};
use super::{connect, fault, lost_schema, schema, spend, texts};
use crate::core::base::error::{Code, Error, Result};
use crate::world::{clock, private};

/// What a repair did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Repaired {
    /// Where the damaged file is now.
    pub(crate) kept: PathBuf,
    /// What could be saved of each table.
    pub(crate) saved: Vec<Saved>,
}

impl Repaired {
    /// What was saved, and what was not, in a line.
    pub(crate) fn summary(&self) -> String {
        let saved: Vec<String> = self
            .saved
            .iter()
            .filter(|table| table.rows > 0)
            .map(|table| format!("{} rows of `{}`", table.rows, table.table))
            .collect();
        let lost: Vec<String> = self
            .saved
            .iter()
            .filter(|table| table.holes + table.strangers > 0)
            .map(|Saved { table, holes, strangers, .. }| {
                format!(
                    "`{table}` has {holes} damaged places, and {strangers} rows that belong to nothing that was saved"
                )
            })
            .collect();
        let listed = |parts: &[String], none: &str| if parts.is_empty() { none.to_owned() } else { parts.join(", ") };
        format!("saved {}; not saved: {}", listed(&saved, "nothing"), listed(&lost, "nothing that is known"))
    }
}

impl super::Store {
    /// Moves a damaged database of a data directory aside and starts a new one with what can be read from it; `None` when it is sound.
    /// To be called when no other hadal uses the directory, and before this process has opened it. The new file is made beside the old
    /// one and takes its place when it is complete, so a repair that fails has changed nothing. Blocking.
    pub(crate) fn repair(data_dir: &Path) -> Result<Option<Repaired>> {
        let path = data_dir.join("hadal.db");
        let at = |error| fault::at(&path, error);
        let old = open_as_it_is(&path).map_err(at)?;
        let version = match examine(&old, &path)? {
            Found::Sound => return Ok(None),
            Found::Damaged { version } => version,
        };
        let new_path = data_dir.join(format!("hadal.db.repair-{}", clock::now_ms()));
        // Whoever opens it tells of a failure.
        let _ = private::file(&new_path);
        let made = if lost_schema::is_lost(&old, version) {
            // Folds the log of the damaged file into it, as far as that goes.
            drop(old);
            lost_schema::find(&path).and_then(|found| {
                let version = if version == 0 { found.version } else { version };
                make(&new_path, version, |new| found.save(new))
            })
        } else {
            let made = make(&new_path, version, |new| salvage(&old, new));
            drop(old);
            made
        };
        if made.is_err() {
            remove(&new_path);
        }
        let saved = made.map_err(at)?;
        let kept = data_dir.join(format!("hadal.db.damaged-{}", clock::now_ms()));
        swap(&path, &new_path, &kept).map_err(|error| {
            Error::new(
                Code::StoreUnavailable,
                format!("cannot put a new database in place of `{}`: {error}", path.display()),
            )
        })?;
        // What the version of the file did not have yet.
        drop(super::open(&path)?);
        Ok(Some(Repaired { kept, saved }))
    }
}

enum Found {
    Sound,
    /// The version is that of its tables; 0 when there are none to be read.
    Damaged {
        version: usize,
    },
}

/// Opens a file and changes nothing about it.
fn open_as_it_is(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    #[expect(clippy::disallowed_methods, reason = "the other opener sets things that a damaged file cannot take")]
    Connection::open_with_flags(path, flags)
}

/// Whether it is damaged. A file of another program and one of a newer version are none of ours to repair.
fn examine(old: &Connection, path: &Path) -> Result<Found> {
    let pragma = |name| old.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (Ok(version), Ok(application)) = (pragma("user_version"), pragma("application_id")) else {
        return Ok(Found::Damaged { version: 0 });
    };
    if version > schema::newest() {
        return Err(fault::newer(path, version, schema::newest()));
    }
    let tables = old.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0)).unwrap_or(0);
    if application != schema::APPLICATION_ID && (application != 0 || version != 0 || tables != 0) {
        return Err(fault::foreign(path));
    }
    let verdict: rusqlite::Result<String> = old.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0));
    Ok(match verdict {
        Ok(verdict) if verdict == "ok" => Found::Sound,
        _ => Found::Damaged { version: usize::try_from(version).unwrap_or(0) },
    })
}

/// Makes a database of the same version with what can be read.
fn make(
    new_path: &Path,
    version: usize,
    save: impl FnOnce(&Connection) -> rusqlite::Result<Vec<Saved>>,
) -> rusqlite::Result<Vec<Saved>> {
    let new = connect(new_path).map_err(|_coded| rusqlite::Error::InvalidPath(new_path.to_owned()))?;
    if version == 0 {
        return Ok(Vec::new());
    }
    schema::make(&new, version)?;
    let saved = save(&new)?;
    if version >= 4 {
        spend::record_missing(&new)?;
    }
    if version >= 5 {
        texts::find_uses(&new)?;
    }
    super::space::fold(&new)?;
    Ok(saved)
}

/// Puts the new file in place of the old one, which is kept under another name. There is a whole file at every moment.
fn swap(path: &Path, new: &Path, kept: &Path) -> std::io::Result<()> {
    if std::fs::hard_link(path, kept).is_err() {
        std::fs::rename(path, kept)?;
    }
    for tail in ["-wal", "-shm"] {
        match std::fs::rename(with_tail(path, tail), with_tail(kept, tail)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    std::fs::rename(new, path)?;
    remove(new);
    Ok(())
}

/// Removes a database that is not wanted, with what stands beside it.
fn remove(path: &Path) {
    for tail in ["", "-wal", "-shm"] {
        let _not_there = std::fs::remove_file(with_tail(path, tail));
    }
}

fn with_tail(path: &Path, tail: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(tail);
    PathBuf::from(name)
}

#[cfg(test)]
#[path = "repair_tests.rs"]
mod tests;
