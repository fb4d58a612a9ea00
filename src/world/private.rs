//! Files and folders of hadal's own: readable by their user alone. What a user named (a folder for reports, a library) keeps its
//! mode and does not go through here.

use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::fs::FlockOperation;

use crate::world::log;

const FOLDER: u32 = 0o700;
const FILE: u32 = 0o600;

/// Makes a folder of ours, with those above it. One that others can look into is closed, and that is said.
pub(crate) fn folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER).create(path)?;
    if tighten(path, FOLDER)? {
        log::info(format!("`{}` was open to other users of this machine; it is not any more", path.display()));
    }
    Ok(())
}

/// A folder of ours, held for whoever changes a file in it: two that read and write at once would lose what one of them wrote.
pub(crate) fn locked(path: &Path) -> io::Result<File> {
    folder(path)?;
    let held = File::open(path)?;
    rustix::fs::flock(&held, FlockOperation::LockExclusive)?;
    Ok(held)
}

/// How a new file of ours is made.
pub(crate) fn new_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(true).mode(FILE);
    options
}

/// Makes sure that a file of ours is there, for a library that opens it by its name, and that nobody else can read it.
pub(crate) fn file(path: &Path) -> io::Result<()> {
    let _made: File = new_file().truncate(false).open(path)?;
    tighten(path, FILE).map(|_| ())
}

/// Takes away what others may do; whether they could do anything before. Somebody else's file is left alone: it cannot be changed, and
/// whoever owns it decided so.
fn tighten(path: &Path, most: u32) -> io::Result<bool> {
    match close(path, most) {
        Err(error) if matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem) => {
            Ok(false)
        }
        closed => closed,
    }
}

/// The same for what may not stay open to others.
fn close(path: &Path, most: u32) -> io::Result<bool> {
    let mode = std::fs::metadata(path)?.permissions().mode() & 0o777;
    let open = mode & !most != 0;
    if open {
        std::fs::set_permissions(path, Permissions::from_mode(mode & most))?;
    }
    Ok(open)
}

/// Closes a file with secrets; whether it was open to others. One that stays open is an error.
pub(crate) fn secret_file(path: &Path) -> io::Result<bool> {
    close(path, FILE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    /// PR-02: new ones are private, open ones are closed, and what is stricter stays so.
    #[test]
    fn pr_02_what_is_ours_is_private() {
        let dir = tempfile::tempdir().unwrap();
        let made = dir.path().join("a/b");
        folder(&made).unwrap();
        assert_eq!((mode(&made), mode(&dir.path().join("a"))), (0o700, 0o700));
        std::fs::set_permissions(&made, Permissions::from_mode(0o755)).unwrap();
        folder(&made).unwrap();
        assert_eq!(mode(&made), 0o700);
        let own = made.join("file");
        std::fs::write(&own, "kept").unwrap();
        std::fs::set_permissions(&own, Permissions::from_mode(0o644)).unwrap();
        file(&own).unwrap();
        assert_eq!((mode(&own), std::fs::read_to_string(&own).unwrap().as_str()), (0o600, "kept"));
        std::fs::set_permissions(&own, Permissions::from_mode(0o400)).unwrap();
        assert!(!tighten(&own, FILE).unwrap());
        assert_eq!(mode(&own), 0o400);
        let new = made.join("new");
        file(&new).unwrap();
        assert_eq!(mode(&new), 0o600);
    }
}
