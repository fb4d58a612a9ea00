//! Files that only this user can read.

use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use crate::core::base::error::{Code, Error};

/// The coded error of a file that cannot be made: a full disk may have room again, a closed one stays closed.
pub(super) fn cannot_write(path: &Path, error: &std::io::Error) -> Error {
    let message = format!("cannot write `{}`: {error}", path.display());
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Error::new(Code::DiskFull, message).hint("make room"),
        _ => Error::new(Code::PermissionDenied, message)
            .hint("make the config directory writable, or set `HADAL_HOME` to one that is"),
    }
}

/// A new file that only this user can read.
pub(super) fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())
}
