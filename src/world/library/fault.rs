//! What can go wrong with an index on disk.

use std::io::{self, ErrorKind};
use std::path::Path;

use rusqlite::ErrorCode;

use crate::core::base::error::{Code, Error};

/// A failure of the index.
#[derive(Debug)]
pub(super) enum Fault {
    /// What is on disk cannot be used. It is derived data: it is built again.
    Damaged(String),
    /// Building it again would fail in the same way.
    Other(Error),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        let code = match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Code::DiskFull,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => Code::PermissionDenied,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed) => {
                Code::LibraryBusy
            }
            Some(_) | None => return Self::Damaged(error.to_string()),
        };
        let hint = match code {
            Code::DiskFull => {
                "make room on the disk that holds the data directory, or name another one in `HADAL_HOME`"
            }
            Code::LibraryBusy => "another process uses the index: ask again in a moment",
            _ => "check that the data directory and all in it are yours and may be written",
        };
        Self::Other(Error::new(code, format!("the index cannot be used: {error}")).hint(hint))
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}

/// The code of a disk that is full or may not be written; other failures have no code of their own.
fn storage_code(kind: ErrorKind) -> Option<Code> {
    match kind {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Some(Code::DiskFull),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Some(Code::PermissionDenied),
        _ => None,
    }
}

/// A failure in the library's own directory.
pub(super) fn own_io(path: &Path, error: &io::Error) -> Error {
    let code = storage_code(error.kind()).unwrap_or(Code::StoreUnavailable);
    Error::new(code, format!("the library's data cannot be kept in `{}`: {error}", path.display()))
        .hint("check that the data directory exists, is yours and has room")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every failure of the disk says what to do.
    #[test]
    fn failures_of_the_disk_have_hints() {
        for (code, expected) in
            [(13, Code::DiskFull), (8, Code::PermissionDenied), (14, Code::PermissionDenied), (5, Code::LibraryBusy)]
        {
            let fault = Fault::from(rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None));
            let Fault::Other(error) = fault else { panic!("{fault:?}") };
            assert_eq!((error.code, error.hints.len()), (expected, 1));
        }
    }
}
