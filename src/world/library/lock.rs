//! One writer per index, across threads and processes. The kernel frees the lock when its holder dies.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use super::fault::own_io;
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::world::private;

/// The right to write one index, for as long as it lives. Lock files stay on disk: removing one could give two
/// processes a lock each, on two files of the same name.
#[derive(Debug)]
pub(super) struct WriteLock {
    _file: File,
}

impl WriteLock {
    /// Takes the lock, waiting for another holder no longer than `patience`.
    pub(super) fn take(path: &Path, patience: Duration, stop: &dyn Fn() -> bool) -> Result<Self> {
        let open = private::new_file().truncate(false).open(path);
        let file = open.map_err(|error| own_io(path, &error))?;
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::Error(error)) => return Err(own_io(path, &error)),
                Err(TryLockError::WouldBlock) if stop() => return Err(cancelled()),
                Err(TryLockError::WouldBlock) if start.elapsed() >= patience => return Err(busy()),
                Err(TryLockError::WouldBlock) => std::thread::sleep(limits::LIBRARY_BUSY_POLL),
            }
        }
    }
}

fn busy() -> Error {
    Error::new(Code::LibraryBusy, "another process is indexing these documents").hint("try again when it is done")
}

pub(super) fn cancelled() -> Error {
    Error::new(Code::Cancelled, "indexing was stopped; what was indexed so far is kept")
}
