//! Who owns what: a lock file per process, held from its first task to its end.
//!
//! The kernel frees the lock the moment the process dies, however it dies, and does not while it is only paused.
//! A task's row names its owner's lock file and carries a fence number, which every write checks.
//! A sign of life inside the file, counted up now and then, tells a hung owner from a paused observer.

use std::fs::{File, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::{clock, private, random};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;

/// This process as an owner. The lock goes with the value.
#[derive(Debug)]
pub(crate) struct Owner {
    name: String,
    path: PathBuf,
    file: Mutex<(File, u64)>,
}

/// What can be said of another owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    /// Its lock is free, or its file is gone: nobody holds its tasks.
    Dead,
    /// Its lock is held; this is its newest sign of life.
    Held(u64),
}

impl Owner {
    /// Becomes an owner, under a name no other process has or had.
    pub(crate) fn new(dir: &Path) -> Result<Self> {
        let failed = |error: std::io::Error| {
            Error::new(Code::StoreReadOnly, format!("cannot make a lock file in `{}`: {error}", dir.display()))
                .hint("make the data directory writable, or set `HADAL_HOME` to one that is")
        };
        private::folder(dir).map_err(failed)?;
        let name = format!("{}-{:032x}", std::process::id(), random::bits128());
        let path = dir.join(&name);
        let file = private::new_file().create_new(true).open(&path).map_err(failed)?;
        file.try_lock().map_err(|error| failed(error.into()))?;
        Ok(Self { name, path, file: Mutex::new((file, 0)) })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Takes the lock file away: whatever this process still has is free to be taken over.
    pub(crate) fn leave(&self) {
        // A missing file means dead, like a free lock.
        let _already_gone = std::fs::remove_file(&self.path);
    }

    /// Shows a sign of life.
    pub(crate) fn beat(&self) {
        let Ok(mut guard) = self.file.lock() else { return };
        let (file, count) = &mut *guard;
        *count += 1;
        let text = format!("{count:020}");
        // A full disk must not end an owner; the lock itself says that it lives.
        let _lock_still_held = file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(text.as_bytes()));
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Looks at another owner. When it is dead its file is taken away.
pub(crate) fn life_of(dir: &Path, name: &str) -> Life {
    // Names come from the database: one that is not a plain file name is nobody's.
    if name.is_empty() || !name.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-') {
        return Life::Dead;
    }
    let path = dir.join(name);
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Life::Dead,
        // Not readable is not dead: rather leave a task alone than run it twice.
        Err(_) => return Life::Held(0),
    };
    match file.try_lock() {
        Ok(()) => {
            // Another may be faster.
            let _ = std::fs::remove_file(&path);
            Life::Dead
        }
        Err(TryLockError::WouldBlock) => Life::Held(count(&path)),
        Err(TryLockError::Error(_)) => Life::Held(0),
    }
}

/// Takes the files of dead owners away, also of those that no task names any more. A young file is left alone: its owner may be
/// about to lock it. A living owner writes a sign of life into its file again and again.
pub(crate) fn sweep(dir: &Path) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        if clock::file_age(&entry.path()).is_some_and(|age| age >= limits::UPKEEP_GRACE)
            && let Some(name) = entry.file_name().to_str()
        {
            // It takes the file away if its owner is dead.
            let _alive_or_not = life_of(dir, name);
        }
    }
}

fn count(path: &Path) -> u64 {
    std::fs::read_to_string(path).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_lock_is_alive_and_a_dropped_one_is_dead() {
        let dir = tempfile::tempdir().unwrap();
        let owner = Owner::new(dir.path()).unwrap();
        assert_eq!(life_of(dir.path(), owner.name()), Life::Held(0));
        owner.beat();
        owner.beat();
        assert_eq!(life_of(dir.path(), owner.name()), Life::Held(2));
        let name = owner.name().to_owned();
        drop(owner);
        assert_eq!(life_of(dir.path(), &name), Life::Dead);
    }

    #[test]
    fn a_free_lock_is_dead_and_swept_away() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("1-ab"), "7").unwrap();
        assert_eq!(life_of(dir.path(), "1-ab"), Life::Dead);
        assert!(!dir.path().join("1-ab").exists());
    }

    /// A young file may not be locked yet, and an old one may be held by somebody who was paused.
    #[test]
    fn a_sweep_takes_old_files_of_the_dead() {
        let dir = tempfile::tempdir().unwrap();
        let paused = Owner::new(dir.path()).unwrap();
        for name in ["1-ab", "2-cd"] {
            std::fs::write(dir.path().join(name), "7").unwrap();
        }
        let aged = |name: &str| {
            let file = File::options().write(true).open(dir.path().join(name)).unwrap();
            let old = file.metadata().unwrap().modified().unwrap() - limits::UPKEEP_GRACE * 2;
            file.set_modified(old).unwrap();
        };
        aged("2-cd");
        aged(paused.name());
        sweep(dir.path());
        let there = |name: &str| dir.path().join(name).exists();
        assert_eq!((there("1-ab"), there("2-cd"), there(paused.name())), (true, false, true));
    }

    /// What cannot be opened may belong to somebody. A link to itself cannot be opened by anyone, not even by root.
    #[test]
    fn an_unreadable_lock_is_not_a_dead_owner() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("1-ab");
        std::os::unix::fs::symlink(&file, &file).unwrap();
        assert_eq!(life_of(dir.path(), "1-ab"), Life::Held(0));
        assert!(file.symlink_metadata().is_ok(), "it was taken away");
    }

    #[test]
    fn a_name_that_is_a_path_is_nobody() {
        let dir = tempfile::tempdir().unwrap();
        let outside = dir.path().join("precious");
        std::fs::write(&outside, "x").unwrap();
        for name in ["../precious", "", "/", "..", "precious"] {
            assert_eq!(life_of(&dir.path().join("owners"), name), Life::Dead, "{name}");
        }
        assert!(outside.exists());
    }
}
