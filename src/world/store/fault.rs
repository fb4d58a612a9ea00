//! What can go wrong with a database file, as coded errors that say what to do.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Error as Sql, ErrorCode, ffi};

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;

/// An older library has a bug that can corrupt a WAL file shared by several connections.
const SQLITE_NEEDED: i32 = 3_051_003;

pub(super) fn assert_version() -> Result<()> {
    let version = rusqlite::version_number();
    if version >= SQLITE_NEEDED {
        return Ok(());
    }
    Err(Error::new(Code::StoreUnavailable, format!("this build has SQLite {version}, which can corrupt shared files"))
        .hint("build hadal with its bundled SQLite"))
}

impl From<Sql> for Error {
    fn from(error: Sql) -> Self {
        let code = code(&error);
        let coded = Self::new(code, format!("the database answered: {error}"));
        match code {
            Code::StoreFull => coded.hint("free some disk space; research in progress is kept and goes on"),
            Code::StoreReadOnly => coded.hint("make the data directory writable, or set `HADAL_HOME` to one that is"),
            Code::StoreLocked => coded.hint("another program holds the database; try again when it is done"),
            Code::StoreCorrupt => coded.hint(
                "`hadal doctor --repair` keeps the damaged file, saves what can be read from it and starts a new one",
            ),
            _ => coded.hint("`hadal doctor` shows the state of the data directory"),
        }
    }
}

fn code(error: &Sql) -> Code {
    let Some(code) = error.sqlite_error_code() else { return Code::StoreUnavailable };
    match code {
        ErrorCode::DiskFull => Code::StoreFull,
        ErrorCode::ReadOnly
        | ErrorCode::PermissionDenied
        | ErrorCode::CannotOpen
        | ErrorCode::AuthorizationForStatementDenied => Code::StoreReadOnly,
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed => Code::StoreLocked,
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => Code::StoreCorrupt,
        _ => Code::StoreUnavailable,
    }
}

/// The same, with the file's name.
pub(super) fn at(path: &Path, error: Sql) -> Error {
    // SQLite says "disk I/O error" when there is no room for the small file that its readers share.
    let error = match error.sqlite_error_code() {
        Some(ErrorCode::SystemIoFailure) if room(path).is_some_and(|bytes| bytes < limits::STORE_ROOM_BYTES) => {
            Sql::SqliteFailure(ffi::Error::new(ffi::SQLITE_FULL), Some("the disk is full".to_owned()))
        }
        _ => error,
    };
    let mut coded = Error::from(error);
    coded.message = format!("{} (file `{}`)", coded.message, path.display());
    coded
}

/// Bytes that may still be written on the disk of a file, if the system tells.
pub(super) fn room(path: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(path.parent()?).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

pub(super) fn corrupt(path: &Path, verdict: &str) -> Error {
    at(path, Sql::SqliteFailure(ffi::Error::new(ffi::SQLITE_CORRUPT), Some(verdict.to_owned())))
}

pub(super) fn newer(path: &Path, found: i64, known: i64) -> Error {
    Error::new(Code::StoreNewer, format!("`{}` has schema {found}; this hadal knows up to {known}", path.display()))
        .hint("update hadal, or set `HADAL_HOME` to another directory")
}

pub(super) fn foreign(path: &Path) -> Error {
    Error::new(Code::StoreCorrupt, format!("`{}` is a database of another program", path.display()))
        .hint("set `HADAL_HOME` to a directory of its own")
}

pub(super) fn directory(path: &Path, error: &io::Error) -> Error {
    let code = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Code::StoreFull,
        _ => Code::StoreReadOnly,
    };
    Error::new(code, format!("cannot make the data directory `{}`: {error}", path.display()))
        .hint("make its parent writable, or set `HADAL_HOME` to a directory that is")
}

/// Runs something again while another connection is in the way, up to [`limits::STORE_BUSY`]. SQLite's own
/// busy handler is not called in every case (it would risk a deadlock), so this stands around it.
pub(super) fn retry_busy<T>(mut work: impl FnMut() -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    let start = Instant::now();
    loop {
        match work() {
            Err(error) if code(&error) == Code::StoreLocked && start.elapsed() < limits::STORE_BUSY => {
                std::thread::sleep(Duration::from_millis(20));
            }
            answer => return answer,
        }
    }
}
