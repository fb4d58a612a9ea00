//! The configuration files of clients on this machine: where they lie, and how they are changed.

use std::path::{Path, PathBuf};

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::setup::connect::{Client, ClientPlaces};
use crate::world::{environment, own_file};

/// A configuration may hold keys of others.
const NEW_FILE: u32 = 0o600;

/// A client's configuration of the user, and its text; an absent file has none.
pub(crate) fn read(client: Client) -> Result<(PathBuf, Option<String>)> {
    let places = environment::client_places();
    let path = client.file(environment::platform(), &places).ok_or_else(no_home)?;
    let text = own_file::read(&path, limits::CLIENT_FILE_MAX_BYTES)?;
    Ok((path, text))
}

/// The text of a configuration before hadal changed it for the first time, if that was kept.
pub(crate) fn before(path: &Path) -> Result<Option<String>> {
    own_file::read(&backup_of(path), limits::CLIENT_FILE_MAX_BYTES)
}

/// Gives a configuration back the text that it had before hadal; the copy of it has done its service.
pub(crate) fn restore(path: &Path, before: &str) -> Result<()> {
    own_file::replace(path, before, NEW_FILE)?;
    // A copy that stays is harmless: it says the same.
    let _the_same_text = std::fs::remove_file(backup_of(path));
    Ok(())
}

/// Takes a configuration away that hadal made and that holds nothing else; says whether it could. A link is left to whoever made it.
pub(crate) fn take_away(path: &Path) -> Result<bool> {
    if std::fs::symlink_metadata(path).is_ok_and(|there| there.is_symlink()) {
        return Ok(false);
    }
    own_file::may_be_replaced(path)?;
    Ok(std::fs::remove_file(path).is_ok())
}

fn backup_of(path: &Path) -> PathBuf {
    let mut backup = path.as_os_str().to_owned();
    backup.push(".before-hadal");
    PathBuf::from(backup)
}

/// Gives a configuration its new text. What its user had in it (`old`) before the first change is kept beside it under the name that is returned; what
/// has that name already is never written to, so later changes do not take the original away.
pub(crate) fn write(path: &Path, old: Option<&str>, new: &str) -> Result<Option<PathBuf>> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|fault| {
            let message = format!("`{}` may not be written: {fault}", folder.display());
            Error::new(Code::PermissionDenied, message)
        })?;
    }
    let backup = backup_of(path);
    let there = |backup: &Path| std::fs::symlink_metadata(backup).ok();
    if let Some(old) = old
        && there(&backup).is_none()
    {
        let mode = own_file::mode(path).unwrap_or(NEW_FILE);
        // One that may not be written is found before anything is left beside it.
        own_file::may_be_replaced(path)?;
        own_file::replace(&backup, old, mode)?;
    }
    own_file::replace(path, new, NEW_FILE)?;
    Ok(there(&backup).filter(std::fs::Metadata::is_file).map(|_| backup))
}

/// How a client is to start this program: by the name in the search path if that is it, so that an update keeps the place.
pub(crate) fn program(search_path: &std::ffi::OsStr) -> PathBuf {
    let Ok(here) = std::env::current_exe() else { return PathBuf::from("hadal") };
    let named = std::env::split_paths(search_path).filter(|dir| dir.is_absolute()).map(|dir| dir.join("hadal"));
    let mut same = named.filter(|named| std::fs::canonicalize(named).is_ok_and(|there| there == here));
    same.next().unwrap_or(here)
}

fn no_home() -> Error {
    Error::new(Code::InvalidConfig, "the home directory is unknown: `HOME` is not set to an absolute path")
}

/// The places of an environment.
pub(crate) fn places(path: impl Fn(&str) -> Option<PathBuf>) -> ClientPlaces {
    let absolute = |name: &str| path(name).filter(|path| path.is_absolute());
    ClientPlaces {
        home: absolute("HOME"),
        xdg_config: absolute("XDG_CONFIG_HOME"),
        claude_config: absolute("CLAUDE_CONFIG_DIR"),
        codex_home: absolute("CODEX_HOME"),
        gemini_home: absolute("GEMINI_CLI_HOME"),
    }
}
