//! What can go wrong with an index on disk, and the barrier around the code that reads it.

use std::any::Any;
use std::io::{self, ErrorKind};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use tantivy::TantivyError;
use tantivy::directory::error::{OpenDirectoryError, OpenReadError, OpenWriteError};

use crate::core::base::error::{Code, Error};

/// A failure of the index.
#[derive(Debug)]
pub(super) enum Fault {
    /// What is on disk cannot be used. It is derived data: it is built again.
    Damaged(String),
    /// Building it again would fail in the same way.
    Other(Error),
}

impl From<TantivyError> for Fault {
    fn from(error: TantivyError) -> Self {
        let io = match &error {
            TantivyError::IoError(io)
            | TantivyError::OpenDirectoryError(OpenDirectoryError::IoError { io_error: io, .. })
            | TantivyError::OpenReadError(OpenReadError::IoError { io_error: io, .. })
            | TantivyError::OpenWriteError(OpenWriteError::IoError { io_error: io, .. }) => Some(io),
            TantivyError::LockFailure(..) => {
                return Self::Other(Error::new(Code::LibraryBusy, "another process is writing the index"));
            }
            _ => None,
        };
        match io.map(|io| (io.kind(), storage_code(io.kind()))) {
            Some((kind, Some(code))) => Self::Other(Error::new(code, format!("the index cannot be written: {kind}"))),
            Some((_, None)) | None => Self::Damaged(brief(&error.to_string())),
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}

/// Runs code that reads or writes an index. tantivy panics on some damaged files.
pub(super) fn guard<T>(work: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(Fault::Damaged(brief(&panic_text(&*panic)))))
}

/// The beginning of a message: tantivy's quote whole files.
fn brief(message: &str) -> String {
    message.chars().take(160).collect()
}

pub(super) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panic").to_owned()
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
