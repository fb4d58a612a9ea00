//! The only SQL of the program: one SQLite file that several hadal processes share.
//!
//! Writes go through one thread, which commits whatever is waiting with a single `fsync`; reads use a few
//! connections of their own, off the async threads. Every commit is `synchronous=FULL`: a row that
//! stands for money spent must survive a power cut. Nothing here decides what a task does.

mod archive;
#[cfg(feature = "scripted")]
pub(crate) mod bench;
mod disk_reserve;
mod elsewhere;
mod fault;
mod forget;
mod hosted;
mod journal;
mod lost_schema;
mod pages_of_file;
mod repair;
mod salvage;
mod schema;
mod space;
mod spend;
mod steer;
mod tasks;
mod texts;
mod writer;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use tokio::sync::Semaphore;

use crate::core::base::error::{Code, Result};
use crate::core::base::limits;
use crate::world::{blocking, private};
pub(crate) use archive::Archive;
use disk_reserve::DiskReserve;
pub(crate) use forget::{Worked, still_running};
pub(crate) use repair::Repaired;
pub(crate) use steer::Steer;
pub(crate) use tasks::{Claim, NotifyUser, Orphan, Release, Stored};
use writer::Writer;

/// The shared state of all tasks. A cheap handle.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    inner: Arc<Inner>,
    /// Who looks: one that sees only the tasks that it has started. `None` is the user of this machine, who sees all.
    principal: Option<Arc<str>>,
}

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    writer: Writer,
    readers: Mutex<Vec<Connection>>,
    /// Whose turn it is to read: a thousand callers at once are not a thousand threads, each with a connection.
    turns: Arc<Semaphore>,
}

/// Whether a write reached the task. A write with an old fence changes nothing: another process owns the
/// task now, or it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) enum Fenced<T> {
    Applied(T),
    Lost,
}

impl Store {
    /// The same store for a principal: what it starts is its own, and it finds nothing else.
    pub(crate) fn seen_by(&self, principal: Option<Arc<str>>) -> Self {
        Self { inner: Arc::clone(&self.inner), principal }
    }

    /// Opens the database of a data directory, making and migrating it as needed. Blocking.
    pub(crate) fn open(data_dir: &Path) -> Result<Self> {
        fault::assert_version()?;
        private::folder(data_dir).map_err(|error| fault::directory(data_dir, &error))?;
        let path = data_dir.join("hadal.db");
        // The files that SQLite makes beside it get its mode. What stands in the way of it here is told when it is opened.
        // Whoever opens it tells of a failure.
        let _ = private::file(&path);
        let disk_reserve = DiskReserve::beside(&path);
        let connection = match open(&path) {
            // What is stored can be read again once there is room for the files that readers share.
            Err(error) if error.code == Code::StoreFull && disk_reserve.drop_it() => open(&path)?,
            opened => opened?,
        };
        disk_reserve.lay();
        let writer = Writer::start(connection, path.clone(), disk_reserve)?;
        let turns = Arc::new(Semaphore::new(limits::STORE_READERS));
        let inner = Arc::new(Inner { path, writer, readers: Mutex::new(Vec::new()), turns });
        Ok(Self { inner, principal: None })
    }

    /// Whether a database stands in this data directory.
    pub(crate) fn exists(data_dir: &Path) -> bool {
        data_dir.join("hadal.db").exists()
    }

    /// Runs one write. It is committed, durably, when this returns.
    async fn write<T, F>(&self, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        self.inner.writer.run(job).await
    }

    /// Runs one read on a connection of its own, when it is its turn.
    async fn read<T, F>(&self, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let inner = Arc::clone(&self.inner);
        let turn = Arc::clone(&inner.turns).acquire_owned().await;
        let read = move || {
            // Given back when the read is over, also one that nobody waits for any more.
            let _turn = turn;
            let connection = inner.reader()?;
            let answer = job(&connection);
            inner.keep(connection);
            answer
        };
        blocking("a database read", read).await
    }

    /// A number that changes whenever another connection has committed. Blocking, a few microseconds.
    pub(crate) fn watch(&self) -> Result<Watch> {
        Ok(Watch { connection: connect(&self.inner.path)? })
    }

    /// Reads the whole file for damage. Slow on a large one; blocking.
    pub(crate) fn check(&self) -> Result<()> {
        let connection = connect(&self.inner.path)?;
        let verdict: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if verdict == "ok" { Ok(()) } else { Err(fault::corrupt(&self.inner.path, &verdict)) }
    }
}

impl Inner {
    fn reader(&self) -> Result<Connection> {
        let idle = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match idle {
            Some(connection) => Ok(connection),
            None => connect(&self.path),
        }
    }

    fn keep(&self, connection: Connection) {
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        if readers.len() < limits::STORE_READERS {
            readers.push(connection);
        }
    }
}

/// The version of the database library.
pub(crate) fn sqlite_version() -> &'static str {
    rusqlite::version()
}

/// Notices commits of other connections and processes.
#[derive(Debug)]
pub(crate) struct Watch {
    connection: Connection,
}

impl Watch {
    pub(crate) fn version(&self) -> Result<i64> {
        Ok(self.connection.query_row("PRAGMA data_version", [], |row| row.get(0))?)
    }
}

fn open(path: &Path) -> Result<Connection> {
    let connection = connect(path)?;
    schema::migrate(&connection, path)?;
    Ok(connection)
}

/// The one opener.
fn connect(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    #[expect(clippy::disallowed_methods, reason = "this is the gate")]
    let connection = Connection::open_with_flags(path, flags).map_err(|error| fault::at(path, error))?;
    let set_up = || -> rusqlite::Result<()> {
        connection.busy_timeout(Duration::from_millis(250))?;
        // The free pages of a new file can be cut off. In a file that has something in it this would be a write.
        let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
        if pages == 0 {
            connection.execute_batch("PRAGMA auto_vacuum=INCREMENTAL")?;
        }
        let mode: String = connection.query_row("PRAGMA journal_mode=WAL", [], |row| row.get(0))?;
        debug_assert_eq!(mode, "wal");
        connection.execute_batch(
            "PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF;
             PRAGMA secure_delete=ON;",
        )?;
        connection.set_prepared_statement_cache_capacity(64);
        Ok(())
    };
    fault::retry_busy(set_up).map_err(|error| fault::at(path, error))?;
    Ok(connection)
}
