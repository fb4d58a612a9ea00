//! Finds what a child left behind, also where it left the child's process group, by a mark in the environment that every
//! descendant inherits.
//!
//! The mark is `HADAL_CHILD=<family>-<run>`: the family is random and one per gate, the run is one per child. Only Linux shows the
//! environment of a process; elsewhere nothing is found and the process group has to do. A process that was started with
//! a cleared environment of its own is not found either.

use std::collections::BTreeSet;
use std::ffi::OsString;

use crate::core::setup::settings::registry::CHILD_MARK;

/// The variable that carries the mark.
pub(super) const MARK: &str = CHILD_MARK;

/// The random name of all children of one gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Family(String);

impl Family {
    /// Length of the name in bytes.
    pub(super) const BYTES: usize = 32;

    pub(super) fn new() -> Self {
        Self(format!("{:032x}", crate::world::random::bits128()))
    }

    /// Reads a name back; `None` when it cannot be one.
    pub(super) fn parse(name: &[u8]) -> Option<Self> {
        let well_formed = name.len() == Self::BYTES && name.iter().all(u8::is_ascii_hexdigit);
        well_formed.then(|| Self(String::from_utf8_lossy(name).into_owned()))
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// The value of [`MARK`] for one child.
    pub(super) fn mark(&self, run: u64) -> OsString {
        format!("{}-{run}", self.0).into()
    }

    /// The run whose mark stands in an environment (entries that each end with a NUL), if it is of this family.
    fn run_in(&self, environ: &[u8]) -> Option<u64> {
        let prefix = format!("{MARK}={}-", self.0);
        let mark = environ.split(|byte| *byte == 0).find_map(|entry| entry.strip_prefix(prefix.as_bytes()))?;
        std::str::from_utf8(mark).ok()?.parse().ok()
    }
}

/// Kills every process that carries the mark of a doomed run, and returns the runs that had any. A killed process shows up
/// until the kernel has taken it down, so an empty answer means that they are gone.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn kill_marked(family: &Family, doomed: impl Fn(u64) -> bool) -> BTreeSet<u64> {
    use rustix::io::Errno;
    use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};

    let mut found = BTreeSet::new();
    let mut environ = Vec::new();
    let Ok(table) = std::fs::read_dir("/proc") else { return found };
    for entry in table.flatten() {
        let name = entry.file_name();
        let Some(pid) = name.to_str().and_then(|name| name.parse().ok()).filter(|pid| *pid > 1).and_then(Pid::from_raw)
        else {
            continue;
        };
        // The handle is taken before the environment is read: the signal then reaches the process that was looked at or nobody,
        // never one that got the same number since.
        let handle = pidfd_open(pid, PidfdFlags::empty());
        if matches!(handle, Err(Errno::SRCH)) || !read_environ(&entry.path(), &mut environ) {
            continue;
        }
        let Some(run) = family.run_in(&environ).filter(|run| doomed(*run)) else { continue };
        found.insert(run);
        let _already_gone = match handle {
            Ok(handle) => pidfd_send_signal(handle, Signal::KILL),
            Err(_kernel_older_than_5_3) => kill_process(pid, Signal::KILL),
        };
    }
    found
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn read_environ(process: &std::path::Path, environ: &mut Vec<u8>) -> bool {
    use std::io::Read;

    environ.clear();
    // Processes of other users and those that have just ended cannot be read; neither is ours.
    std::fs::File::open(process.join("environ"))
        .and_then(|file| file.take(crate::core::base::limits::ENVIRON_BYTES).read_to_end(environ))
        .is_ok_and(|bytes| bytes > 0)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn kill_marked(_family: &Family, _doomed: impl Fn(u64) -> bool) -> BTreeSet<u64> {
    BTreeSet::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_read_back_from_an_environment() {
        let family = Family::new();
        let other = Family::new();
        let environ = |family: &Family, run| {
            let mut bytes = b"A=1\0".to_vec();
            bytes.extend_from_slice(format!("{MARK}={}\0Z=\0", family.mark(run).display()).as_bytes());
            bytes
        };
        assert_eq!(family.run_in(&environ(&family, 0)), Some(0));
        assert_eq!(family.run_in(&environ(&family, 120)), Some(120));
        assert_eq!(family.run_in(&environ(&other, 12)), None);
        assert_eq!(family.run_in(b""), None);
        let inner = format!("X={MARK}={}\0", family.mark(3).display());
        assert_eq!(family.run_in(inner.as_bytes()), None, "the mark inside another value is no mark");
        let garbled = format!("{MARK}={}x\0", family.mark(3).display());
        assert_eq!(family.run_in(garbled.as_bytes()), None);
    }

    #[test]
    fn a_family_is_read_back_or_refused() {
        let family = Family::new();
        assert_eq!(Family::parse(family.as_bytes()), Some(family));
        assert_eq!(Family::parse(b""), None);
        assert_eq!(Family::parse(&[b'/'; Family::BYTES]), None);
        assert_eq!(Family::parse(&[b'a'; Family::BYTES + 1]), None);
    }
}
