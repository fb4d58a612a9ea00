//! The room that the file takes, and giving back what it no longer needs.

use std::path::Path;

use rusqlite::Connection;

use super::{Store, connect, fault};
use crate::core::base::error::Result;
use crate::core::base::limits;
use crate::world::log;

impl Store {
    /// Gives the room of deleted rows back to the disk. A file that an earlier version made, and one of which much is free, is written
    /// anew if the disk has room for that; of another one the free pages are cut off. Blocking.
    pub(crate) fn reclaim(&self) -> Result<()> {
        self.reclaim_if(|_| true)
    }

    /// The same, where that is worth keeping others from writing for a moment. Blocking.
    pub(crate) fn reclaim_much(&self) -> Result<()> {
        self.reclaim_if(|space| !space.shrinks || space.free * space.page_bytes >= limits::RECLAIM_BYTES)
    }

    fn reclaim_if(&self, is_worth_it: impl Fn(&Space) -> bool) -> Result<()> {
        let path = &self.inner.path;
        let connection = connect(path)?;
        let reclaim = || {
            let space = Space::of(&connection)?;
            if !is_worth_it(&space) {
                return Ok(());
            }
            give_back(&connection, &space, path)?;
            fold(&connection)
        };
        fault::retry_busy(reclaim).map_err(|error| fault::at(path, error))
    }

    /// Folds the log into the file, as the last process to use it should. Blocking.
    pub(crate) fn fold(&self) -> Result<()> {
        let connection = connect(&self.inner.path)?;
        fold(&connection).map_err(|error| fault::at(&self.inner.path, error))
    }

    /// Bytes of the database and of what is not folded into it yet.
    pub(crate) fn bytes(&self) -> u64 {
        let size = |tail: &str| {
            let mut name = self.inner.path.clone().into_os_string();
            name.push(tail);
            std::fs::metadata(name).map_or(0, |file| file.len())
        };
        size("") + size("-wal")
    }
}

#[derive(Clone, Copy)]
pub(super) struct Space {
    pub(super) pages: u64,
    pub(super) free: u64,
    pub(super) page_bytes: u64,
    /// Whether free pages can be cut off.
    pub(super) shrinks: bool,
}

impl Space {
    fn of(connection: &Connection) -> rusqlite::Result<Self> {
        let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        let count = |name| pragma(name).map(|value| u64::try_from(value).unwrap_or(0));
        Ok(Self {
            pages: count("page_count")?,
            free: count("freelist_count")?,
            page_bytes: count("page_size")?,
            shrinks: pragma("auto_vacuum")? != 0,
        })
    }

    pub(super) fn is_wasted(&self) -> bool {
        !self.shrinks || self.free * 100 >= self.pages * limits::VACUUM_FREE_PERCENT
    }

    /// Writing anew takes a copy beside the file and one in its log, and something must be left for others.
    pub(super) fn needed(&self) -> u64 {
        (self.pages - self.free.min(self.pages)) * self.page_bytes * 2 + limits::STORE_BALLAST_ROOM_BYTES
    }
}

fn give_back(connection: &Connection, space: &Space, path: &Path) -> rusqlite::Result<()> {
    if !space.is_wasted() {
        return cut_off(connection, space);
    }
    if fault::room(path).is_none_or(|room| room > space.needed()) {
        return rewrite(connection);
    }
    log::warn(format!(
        "the database could be smaller, but writing it anew needs {} MB of free disk space",
        space.needed() >> 20
    ));
    cut_off(connection, space)
}

/// Writes the file anew, without gaps.
fn rewrite(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("PRAGMA auto_vacuum=INCREMENTAL; VACUUM")
}

fn cut_off(connection: &Connection, space: &Space) -> rusqlite::Result<()> {
    if !space.shrinks || space.free == 0 {
        return Ok(());
    }
    // It frees a page with each step.
    let mut statement = connection.prepare("PRAGMA incremental_vacuum")?;
    let mut rows = statement.query([])?;
    while rows.next()?.is_some() {}
    Ok(())
}

/// Folds the log into the file and empties it, unless somebody is just reading.
pub(super) fn fold(connection: &Connection) -> rusqlite::Result<()> {
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}
