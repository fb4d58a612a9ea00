//! The only writer of files that people asked for. A file is either there whole or not there: it is written
//! under a temporary name in its folder, synced, and then given its name. Nothing is ever overwritten.
//!
//! The folder is opened once and everything below is done relative to it, so that a symbolic link that appears in
//! between leads nowhere.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::saved::file_name::FileName;
use crate::world::random;

/// Writes `text` as a new file to its folder below `dir` and gives its path. Blocking.
pub(crate) fn write_new(dir: &Path, name: &FileName, text: &str) -> Result<PathBuf> {
    let folder_path = dir.join(&name.folder);
    let coded = |path: &Path, fault: io::Error| refused(path, text.len(), &fault);
    std::fs::create_dir_all(dir).map_err(|fault| coded(dir, fault))?;
    let folder = open_folder(dir, &name.folder).map_err(|fault| coded(&folder_path, fault))?;
    let temporary = Temporary::create(&folder).map_err(|fault| coded(&folder_path, fault))?;
    temporary.fill(text).map_err(|fault| coded(&folder_path, fault))?;
    for number in 1..=limits::FILE_NAME_TRIES {
        let again = if number == 1 { String::new() } else { format!("-{number}") };
        let file = format!("{}{again}.{}", name.stem, name.extension);
        match temporary.rename(&file) {
            Ok(()) => {
                // The file is complete; a folder that cannot be synced is no reason to say that it is not.
                // Only the name may be lost in a power cut.
                let _ = rustix::fs::fsync(&folder);
                let path = folder_path.join(file);
                return Ok(std::path::absolute(&path).unwrap_or(path));
            }
            Err(Errno::EXIST) => {}
            Err(fault) => return Err(coded(&folder_path.join(file), fault.into())),
        }
    }
    let message = format!("every name for `{}` is taken in `{}`", name.stem, folder_path.display());
    Err(Error::new(Code::SaveFailed, message).hint("try again in a second, or choose another prefix"))
}

/// Whether files can be made in `dir`, which is created if it is not there.
pub(crate) fn probe(dir: &Path) -> Result<()> {
    let made = std::fs::create_dir_all(dir).and_then(|()| {
        let folder = open(dir)?;
        Temporary::create(&folder)?.fill("probe")
    });
    made.map_err(|fault| refused(dir, 0, &fault))
}

fn open(dir: &Path) -> io::Result<OwnedFd> {
    Ok(rustix::fs::open(dir, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?)
}

/// Opens (and creates) one folder below `dir`, which must be a real folder and no link to elsewhere.
fn open_folder(dir: &Path, folder: &str) -> io::Result<OwnedFd> {
    let parent = open(dir)?;
    match rustix::fs::mkdirat(&parent, folder, Mode::RWXU | Mode::RWXG | Mode::RWXO) {
        Ok(()) | Err(Errno::EXIST) => {}
        Err(fault) => return Err(fault.into()),
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(rustix::fs::openat(&parent, folder, flags, Mode::empty())?)
}

/// A file under a name nobody looks for; it goes away unless it is renamed.
struct Temporary<'a> {
    folder: &'a OwnedFd,
    name: String,
    file: File,
}

impl<'a> Temporary<'a> {
    fn create(folder: &'a OwnedFd) -> io::Result<Self> {
        let name = format!(".hadal-{:032x}.tmp", random::bits128());
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        // The umask takes away what the user does not want others to have.
        let mode = Mode::RUSR | Mode::WUSR | Mode::RGRP | Mode::ROTH;
        let file = File::from(rustix::fs::openat(folder, &name, flags, mode)?);
        Ok(Self { folder, name, file })
    }

    fn fill(&self, text: &str) -> io::Result<()> {
        (&self.file).write_all(text.as_bytes())?;
        self.file.sync_all()
    }

    /// Gives the file its name, unless that is taken.
    fn rename(&self, name: &str) -> Result<(), Errno> {
        let folder = self.folder.as_fd();
        match rustix::fs::renameat_with(folder, &self.name, folder, name, RenameFlags::NOREPLACE) {
            // The file system cannot; a second name for the same file does not replace anything either. The
            // temporary name goes away with `self`.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                rustix::fs::linkat(folder, &self.name, folder, name, AtFlags::empty())
            }
            other => other,
        }
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        let _renamed_already = rustix::fs::unlinkat(self.folder, &self.name, AtFlags::empty());
    }
}

fn refused(path: &Path, bytes: usize, fault: &io::Error) -> Error {
    let path = path.display();
    match fault.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            let needed = if bytes == 0 { String::new() } else { format!(": {bytes} bytes are needed") };
            Error::new(Code::DiskFull, format!("no room for `{path}`{needed}"))
                .hint("free some space, or choose another folder")
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            Error::new(Code::PermissionDenied, format!("`{path}` may not be written: {fault}"))
                .hint("choose another folder, or change its permissions")
        }
        _ => Error::new(Code::SaveFailed, format!("`{path}` could not be written: {fault}")),
    }
}

#[cfg(test)]
mod tests;
