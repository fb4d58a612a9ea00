//! Files of the config directory that take the place of something that hadal ships. One that is there but cannot be
//! read is an error: nothing is done with half of it, or silently without it.

use std::io::{ErrorKind, Read};
use std::path::Path;

use crate::core::base::error::{Code, Error, Result};

/// The text of a file of at most `limit` bytes; `None` if there is no such file. `what` and `hint` are for the error.
/// Blocking.
pub(crate) fn read(path: &Path, limit: u64, what: &str, hint: &str) -> Result<Option<String>> {
    let unreadable = |fault: &dyn std::fmt::Display| {
        Error::new(Code::InvalidConfig, format!("{what} `{}` cannot be read: {fault}", path.display())).hint(hint)
    };
    match std::fs::metadata(path) {
        // Opening a pipe would wait for its other end for ever.
        Ok(metadata) if !metadata.is_file() => return Err(unreadable(&"it is not a file")),
        Ok(_) => {}
        Err(fault) if fault.kind() == ErrorKind::NotFound => return Ok(None),
        Err(fault) => return Err(unreadable(&fault)),
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|fault| unreadable(&fault))?;
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|fault| unreadable(&fault))?;
    if bytes.len() as u64 > limit {
        return Err(unreadable(&format!("it is larger than {limit} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|error| unreadable(&error.utf8_error()))?;
    Ok(Some(text))
}
