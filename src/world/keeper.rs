//! The keeper of a data directory, as files and a process: the lock that only one of them holds, how one is started, and how it is
//! asked to leave.

use std::ffi::OsString;
use std::fs::{File, Metadata, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::private;
use super::process::{Detached, WardenProgram, start_detached};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::setup::settings::registry::HOME_VARIABLE;

/// The hidden subcommand by which hadal starts itself as the keeper.
pub(crate) const COMMAND: &str = "__keeper";
/// Held by the keeper while it lives. It says which version holds it.
const LOCK: &str = "keeper.lock";
/// There while the keeper is asked to leave.
const LEAVE: &str = "keeper.leave";
/// What the keeper has to say.
const LOG: &str = "keeper.log";

/// The right to keep a data directory. It goes with the value, and with the process.
#[derive(Debug)]
pub(crate) struct KeeperLock {
    file: File,
    dir: PathBuf,
    program: Option<ProgramFile>,
}

/// Why a keeper is to leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Leave {
    Asked,
    /// There is nothing any more that could be kept.
    DirectoryGone,
    /// Another program stands where its own was: that one goes on.
    NewProgram(PathBuf),
}

impl KeeperLock {
    /// Takes the lock; `None` while somebody else has it.
    pub(crate) fn take(dir: &Path) -> Result<Option<Self>> {
        let path = dir.join(LOCK);
        let failed = |error: std::io::Error| {
            Error::new(Code::StoreReadOnly, format!("cannot take the lock `{}`: {error}", path.display()))
        };
        private::folder(dir).map_err(failed)?;
        let mut file = private::new_file().read(true).truncate(false).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        // Whoever asked for an earlier one to leave has what it wanted.
        let _none_was_asked = std::fs::remove_file(dir.join(LEAVE));
        let said = file.set_len(0).and_then(|()| file.seek(SeekFrom::Start(0)));
        // Without room for these words the lock still is the lock.
        let _unsaid = said.and_then(|_| writeln!(file, "{} {}", env!("CARGO_PKG_VERSION"), std::process::id()));
        Ok(Some(Self { file, dir: dir.to_owned(), program: ProgramFile::of_this_process() }))
    }

    /// Gives the lock up. What was left behind in the meantime is looked for after that.
    pub(crate) fn give_up(self) {
        drop(self.file);
    }

    /// Whether there is a reason to leave.
    pub(crate) fn reason_to_leave(&self) -> Option<Leave> {
        if !self.dir.join(LOCK).exists() {
            return Some(Leave::DirectoryGone);
        }
        if self.dir.join(LEAVE).exists() {
            return Some(Leave::Asked);
        }
        self.program.as_ref().and_then(ProgramFile::replaced).map(Leave::NewProgram)
    }

    /// Cuts the log where it has grown too long.
    pub(crate) fn bound_log(&self) {
        let path = self.dir.join(LOG);
        if std::fs::metadata(&path).is_ok_and(|log| log.len() > limits::KEEPER_LOG_BYTES) {
            let _next_time = File::options().write(true).open(path).and_then(|log| log.set_len(0));
        }
    }
}

/// Asks the keeper, if there is one, to leave.
pub(crate) fn ask_to_leave(dir: &Path) -> Result<()> {
    let path = dir.join(LEAVE);
    private::file(&path).map_err(|error| {
        Error::new(Code::StoreReadOnly, format!("cannot ask the keeper to leave by `{}`: {error}", path.display()))
    })
}

/// Whether the lock is held by an older version than this one.
pub(crate) fn is_older(dir: &Path) -> bool {
    let mut text = String::new();
    let read = File::open(dir.join(LOCK)).and_then(|file| file.take(100).read_to_string(&mut text));
    let held = text.split(' ').next().and_then(version);
    read.is_ok() && held.is_some() && held < version(env!("CARGO_PKG_VERSION"))
}

fn version(text: &str) -> Option<Vec<u32>> {
    text.split('.').map(|number| number.parse().ok()).collect()
}

/// Starts a keeper of these directories: this program, or the one that has taken its place. One that finds the lock taken leaves
/// at once.
pub(crate) fn start(data_dir: &Path, config_dir: &Path, program: Option<PathBuf>) -> Result<u32> {
    let failed = |error: std::io::Error| {
        Error::new(Code::ExecutionError, format!("research cannot go on in the background: {error}"))
            .hint("it is paused until hadal runs again")
    };
    private::folder(data_dir).map_err(failed)?;
    let path = data_dir.join(LOG);
    private::file(&path).map_err(failed)?;
    let log = File::options().append(true).open(path).map_err(failed)?;
    let program = program.unwrap_or_else(|| WardenProgram::this_binary().program().to_owned());
    // A home that was given as a flag; the rest of the settings is in the environment, which goes along.
    let home = data_dir.parent().filter(|home| data_dir.ends_with("data") && config_dir == home.join("config"));
    let env = home.map(|home| (OsString::from(HOME_VARIABLE), home.as_os_str().to_owned())).into_iter().collect();
    start_detached(&Detached { program, args: vec![COMMAND.into()], env }, log).map_err(failed)
}

/// The file of the running program, as it was at its start.
#[derive(Debug)]
struct ProgramFile {
    path: PathBuf,
    was: (u64, u64, i64),
}

impl ProgramFile {
    fn of_this_process() -> Option<Self> {
        let path = std::env::current_exe().ok()?;
        // One that is replaced already has another name; it is not looked for.
        let was = identity(&std::fs::metadata(&path).ok()?);
        Some(Self { path, was })
    }

    /// The path, when another file stands there now.
    fn replaced(&self) -> Option<PathBuf> {
        let now = std::fs::metadata(&self.path).ok()?;
        (identity(&now) != self.was && now.mode() & 0o111 != 0).then(|| self.path.clone())
    }
}

fn identity(file: &Metadata) -> (u64, u64, i64) {
    (file.ino(), file.len(), file.mtime())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_keeper_at_a_time_and_it_leaves_when_asked() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("data");
        let lock = KeeperLock::take(&dir).unwrap().unwrap();
        assert!(KeeperLock::take(&dir).unwrap().is_none(), "two hold it");
        assert_eq!(lock.reason_to_leave(), None);
        ask_to_leave(&dir).unwrap();
        assert_eq!(lock.reason_to_leave(), Some(Leave::Asked));
        lock.give_up();
        let next = KeeperLock::take(&dir).unwrap().unwrap();
        assert_eq!(next.reason_to_leave(), None, "the next one was not asked");
        std::fs::remove_dir_all(&dir).unwrap();
        assert_eq!(next.reason_to_leave(), Some(Leave::DirectoryGone));
    }

    #[test]
    fn an_older_version_is_told_from_the_same() {
        let home = tempfile::tempdir().unwrap();
        assert!(!is_older(home.path()), "there is none");
        let lock = KeeperLock::take(home.path()).unwrap();
        assert!(lock.is_some() && !is_older(home.path()));
        for (held, older) in [("0.0.9 12", true), ("999.0.0 12", false), ("", false), ("x 1", false)] {
            std::fs::write(home.path().join(LOCK), held).unwrap();
            assert_eq!(is_older(home.path()), older, "{held}");
        }
    }

    #[test]
    fn another_program_in_its_place_is_noticed() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("program");
        let program = |text: &str| {
            use std::os::unix::fs::PermissionsExt;
            let new = home.path().join("new");
            std::fs::write(&new, text).unwrap();
            std::fs::set_permissions(&new, std::fs::Permissions::from_mode(0o700)).unwrap();
            std::fs::rename(new, &path).unwrap();
        };
        program("old");
        let file = ProgramFile { was: identity(&std::fs::metadata(&path).unwrap()), path: path.clone() };
        assert_eq!(file.replaced(), None);
        program("newer");
        assert_eq!(file.replaced(), Some(path.clone()));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(file.replaced(), None, "in the middle of an update there is none");
    }
}
