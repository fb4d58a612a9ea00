//! Temporary files with output that is to be corrected: made with care, swept up after a crash.

use std::path::{Path, PathBuf};

use super::private_file::{cannot_write, write};
use crate::core::base::error::Result;
use crate::world::{clock, log, random};

const PREFIX: &str = "temp-invalid-output-";
const SUFFIX: &str = ".txt";

/// JR-02: writes the output to a file of its own. The name has the time, and then this process and a random number, so
/// that it never meets another's.
pub(super) fn keep(config_dir: &Path, text: &str) -> Result<PathBuf> {
    let name =
        format!("{PREFIX}{}-{}-{:08x}{SUFFIX}", clock::now_ms() / 1_000, std::process::id(), random::bits128() >> 96);
    let path = config_dir.join(name);
    write(&path, text).map_err(|error| cannot_write(&path, &error))?;
    Ok(path)
}

/// JR-06: deletes what crashed processes left behind; files of live ones stay. Blocking.
pub(crate) fn sweep(config_dir: &Path) {
    let entries = match std::fs::read_dir(config_dir) {
        Ok(entries) => entries,
        Err(error) => {
            let dir = config_dir.display();
            return log::warn(format!("cannot look for orphaned temporary files in `{dir}`: {error}"));
        }
    };
    let mut swept = 0;
    for orphan in entries.flatten().filter(|entry| entry.file_name().to_str().is_some_and(is_orphan)) {
        match std::fs::remove_file(orphan.path()) {
            Ok(()) => swept += 1,
            // Another process that starts now sweeps, too.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => {
                let path = orphan.path();
                log::warn(format!("orphaned temporary file `{}` could not be deleted: {error}", path.display()));
            }
        }
    }
    log::info(format!("Cleaned up {swept} orphaned temporary files"));
    for entry in std::fs::read_dir(config_dir.join("gemini-cli")).into_iter().flatten().flatten() {
        if entry
            .file_name()
            .to_str()
            .and_then(|name| name.strip_prefix("run-"))
            .is_some_and(|rest| is_gone(rest.split('-').next()))
        {
            // The next sweep tries again.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether a file name is of our pattern and its process is gone. A name without a process is nobody's.
fn is_orphan(name: &str) -> bool {
    let Some(middle) = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX)) else { return false };
    is_gone(middle.split('-').nth(1))
}

fn is_gone(pid: Option<&str>) -> bool {
    let process = pid.and_then(|pid| pid.parse().ok()).and_then(rustix::process::Pid::from_raw);
    // A process of another user may not be signalled, but it is there.
    process.is_none_or(|pid| rustix::process::test_kill_process(pid) == Err(rustix::io::Errno::SRCH))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// JR-02: names never collide, and only the user can read them.
    #[test]
    fn jr_02_names_never_meet_and_files_are_private() {
        let dir = tempfile::tempdir().unwrap();
        let paths: std::collections::BTreeSet<PathBuf> = (0..200).map(|_| keep(dir.path(), "x").unwrap()).collect();
        assert_eq!(paths.len(), 200);
        let mode = std::fs::metadata(paths.first().unwrap()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    /// JR-06: orphans go, files of live processes and of others stay; no directory is only a warning.
    #[test]
    fn jr_06_orphans_are_swept_up() {
        let dir = tempfile::tempdir().unwrap();
        let mine = keep(dir.path(), "x").unwrap();
        let gone = ["temp-invalid-output-1700000000.txt", "temp-invalid-output-1700000000-4194305-ab.txt"];
        let stays = ["notes.txt", "temp-invalid-output-x", "hadal.toml"];
        for name in gone.iter().chain(&stays) {
            std::fs::write(dir.path().join(name), "x").unwrap();
        }
        sweep(dir.path());
        assert!(mine.exists());
        assert!(gone.iter().all(|name| !dir.path().join(name).exists()));
        assert!(stays.iter().all(|name| dir.path().join(name).exists()));
        sweep(&dir.path().join("not there"));
    }
}
