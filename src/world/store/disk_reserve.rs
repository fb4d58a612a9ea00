//! Room kept for a full disk.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::fault;
use crate::core::base::limits;
use crate::world::{log, private};

/// A file that takes a little room while there is some, so that a full disk can be given room back: enough to
/// write down the results of what is running, and to read what is stored.
#[derive(Debug)]
pub(super) struct DiskReserve {
    path: PathBuf,
}

impl DiskReserve {
    const BYTES: usize = 1 << 20;

    /// The reserve beside the database at `path`.
    pub(super) fn beside(path: &Path) -> Self {
        Self { path: path.with_file_name("ballast") }
    }

    /// Lays it where there is room for more than it: on a full disk it would take what it is there to give.
    pub(super) fn lay(&self) {
        let room = fault::room(&self.path).is_none_or(|bytes| bytes > limits::STORE_BALLAST_ROOM_BYTES);
        let write = || private::new_file().open(&self.path)?.write_all(&vec![0x42; Self::BYTES]);
        if room && !self.path.exists() && write().is_err() {
            // No room for a reserve: then there is none, and a half-written one must not stay.
            self.drop_it();
        }
    }

    /// Gives the room back; whether there was any to give.
    pub(super) fn drop_it(&self) -> bool {
        let dropped = std::fs::remove_file(&self.path).is_ok();
        if dropped {
            log::warn("STORE_FULL: the disk is full; gave back the reserve kept for this");
        }
        dropped
    }
}
