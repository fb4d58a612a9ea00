//! Small text files that are read whole and replaced whole: settings, keys, the configuration of clients.
//!
//! A file is replaced in one step: it is written under a temporary name beside the old one, synced, and then takes its name. Whoever reads
//! sees the old text or the new one.

use std::fs::{File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::core::base::error::{Code, Error, Result};
use crate::world::random;

/// Links that lead to links; systems follow as many.
const MAX_LINKS: usize = 40;

/// The text of a file of at most `max_bytes`; `None` if it is not there.
pub(crate) fn read(path: &Path, max_bytes: u64) -> Result<Option<String>> {
    let refused = |what: String| Error::new(Code::InvalidConfig, format!("`{}` {what}", path.display()));
    let unreadable = |fault: io::Error| refused(format!("cannot be read: {fault}"));
    match std::fs::metadata(path) {
        // Opening a pipe would wait for its other end for ever.
        Ok(metadata) if !metadata.is_file() => return Err(refused("is not a file".into())),
        Ok(_) => {}
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(fault) => return Err(unreadable(fault)),
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(max_bytes + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > max_bytes {
        return Err(refused(format!("is larger than {max_bytes} bytes")));
    }
    String::from_utf8(bytes).map(Some).map_err(|fault| {
        let before = fault.as_bytes().iter().take(fault.utf8_error().valid_up_to());
        refused(format!("is not valid UTF-8 in line {}", 1 + before.filter(|byte| **byte == b'\n').count()))
    })
}

/// Gives the file this text. A file that is there keeps its mode, and a link stays a link; a new one gets `mode`.
pub(crate) fn replace(path: &Path, text: &str, mode: u32) -> Result<()> {
    write(path, text, mode).map_err(|fault| refused(path, &fault))
}

/// Whether the file may be given another text, without trying it.
pub(crate) fn may_be_replaced(path: &Path) -> Result<()> {
    match mode(path) {
        Some(mode) => writable(mode).map_err(|fault| refused(path, &fault)),
        None => Ok(()),
    }
}

/// What may be done with the file; `None` if it is not there.
pub(crate) fn mode(path: &Path) -> Option<u32> {
    std::fs::metadata(path).ok().map(|there| there.permissions().mode() & 0o777)
}

fn writable(mode: u32) -> io::Result<()> {
    // A folder that can be written would let it be replaced; its owner said that it is not to be.
    if mode & 0o222 == 0 { Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only")) } else { Ok(()) }
}

fn write(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let place = behind_links(path)?;
    let mode = self::mode(&place).unwrap_or(mode);
    writable(mode)?;
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let temporary = Temporary(folder.join(format!(".hadal-{:032x}.tmp", random::bits128())));
    let mut file = File::options().write(true).create_new(true).mode(mode).open(&temporary.0)?;
    // The umask has taken away from the mode what the old file may have.
    file.set_permissions(Permissions::from_mode(mode))?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(&temporary.0, &place)?;
    // The file is whole under its name; only the name may be lost in a power cut.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// What a link leads to is replaced, not the link, also where nothing is at its end yet.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut place = path.to_owned();
    for _ in 0..MAX_LINKS {
        match std::fs::read_link(&place) {
            // An absolute target takes the place of all that is before it.
            Ok(target) => place = place.parent().unwrap_or(Path::new(".")).join(target),
            Err(fault) if matches!(fault.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidInput) => {
                return Ok(place);
            }
            Err(fault) => return Err(fault),
        }
    }
    Err(io::Error::other("its links have no end"))
}

/// A file under a name that nobody looks for; it goes away unless it is renamed.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _renamed_already = std::fs::remove_file(&self.0);
    }
}

fn refused(path: &Path, fault: &io::Error) -> Error {
    let path = path.display();
    match fault.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Error::new(Code::DiskFull, format!("no room for `{path}`")).hint("free some space")
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            Error::new(Code::PermissionDenied, format!("`{path}` may not be written: {fault}"))
        }
        _ => Error::new(Code::SaveFailed, format!("`{path}` could not be written: {fault}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_file_is_replaced_with_its_mode_and_its_link() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("real"), dir.path().join("link"));
        replace(&file, "one", 0o600).unwrap();
        assert_eq!((mode(&file), read(&file, 3).unwrap().as_deref()), (0o600, Some("one")));
        std::fs::set_permissions(&file, Permissions::from_mode(0o664)).unwrap();
        std::os::unix::fs::symlink("real", &link).unwrap();
        replace(&link, "two", 0o600).unwrap();
        assert_eq!((mode(&file), read(&file, 3).unwrap().as_deref()), (0o664, Some("two")));
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2, "no temporary file is left");
    }

    #[test]
    fn a_link_to_nothing_stays_a_link() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::create_dir(at("dotfiles")).unwrap();
        for (link, target) in [("a", "b"), ("b", "dotfiles/file"), ("round", "round"), ("away", "no/file")] {
            std::os::unix::fs::symlink(target, at(link)).unwrap();
        }
        replace(&at("a"), "new", 0o600).unwrap();
        assert_eq!(std::fs::read_to_string(at("dotfiles/file")).unwrap(), "new");
        for link in ["round", "away"] {
            assert_eq!(replace(&at(link), "new", 0o600).unwrap_err().code, Code::SaveFailed);
        }
        for link in ["a", "b", "round", "away"] {
            assert!(std::fs::symlink_metadata(at(link)).unwrap().is_symlink(), "{link}");
        }
    }

    #[test]
    fn what_may_not_be_written_stays() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        std::fs::write(&file, "old").unwrap();
        std::fs::set_permissions(&file, Permissions::from_mode(0o444)).unwrap();
        assert_eq!(replace(&file, "new", 0o600).unwrap_err().code, Code::PermissionDenied);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "old");
        assert_eq!(replace(&dir.path().join("no/file"), "new", 0o600).unwrap_err().code, Code::SaveFailed);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_no_small_text_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        assert_eq!(read(&file, 9).unwrap(), None);
        for (bytes, says) in [(&b"0123456789"[..], "is larger than 9 bytes"), (b"a\n\xff", "not valid UTF-8 in line 2")]
        {
            std::fs::write(&file, bytes).unwrap();
            assert!(read(&file, 9).unwrap_err().message.contains(says), "{says}");
        }
        assert!(read(dir.path(), 9).unwrap_err().message.ends_with("is not a file"));
    }
}
