//! The file of keys on disk: 0600, read at every start, changed by one process at a time.

use std::path::Path;

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::setup::settings::keys::{Kept, keys_file, parse, with, written};
use crate::core::setup::settings::registry::Setting;
use crate::world::{log, own_file, private};

const FILE: u32 = 0o600;

/// The keys of this installation; none if there is no file. One that others could read is closed, and that is said.
pub(crate) fn read(config_dir: &Path) -> Result<Vec<Kept>> {
    let path = keys_file(config_dir);
    let Some(text) = own_file::read(&path, limits::CONFIG_FILE_MAX_BYTES)? else { return Ok(Vec::new()) };
    close(&path)?;
    parse(&path, &text)
}

/// Keeps a key, or with `None` takes it out; whether it was there before.
pub(crate) fn change(config_dir: &Path, setting: &'static Setting, value: Option<String>) -> Result<bool> {
    let fault = |fault: std::io::Error| {
        let path = config_dir.display();
        Error::new(Code::PermissionDenied, format!("`{path}` may not be written: {fault}"))
    };
    let _alone = private::locked(config_dir).map_err(fault)?;
    let kept = read(config_dir)?;
    let was_there = kept.iter().any(|(name, _)| *name == setting.variable);
    if was_there || value.is_some() {
        own_file::replace(&keys_file(config_dir), &written(&with(kept, setting, value)), FILE)?;
    }
    Ok(was_there)
}

/// Takes away what others may do with the file. Keys that stay open to them are not used.
fn close(path: &Path) -> Result<()> {
    let refused = |fault: std::io::Error| {
        let message = format!("`{}` holds keys and is open to other users of this machine: {fault}", path.display());
        Error::new(Code::InvalidConfig, message).hint(format!("run `chmod 600 {}`", path.display()))
    };
    if private::secret_file(path).map_err(refused)? {
        log::warn(format!(
            "`{}` was open to other users of this machine and is not any more; somebody may know its keys",
            path.display()
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::setup::settings::keys::named;

    #[test]
    fn many_at_once_lose_no_key() {
        let dir = tempfile::tempdir().unwrap();
        let names = ["gemini", "brave", "tavily", "exa", "serper", "openai"];
        std::thread::scope(|scope| {
            for name in names {
                scope.spawn(|| change(dir.path(), named(name).unwrap(), Some("value".to_owned())).unwrap());
            }
        });
        assert_eq!(read(dir.path()).unwrap().len(), names.len());
        assert!(change(dir.path(), named("exa").unwrap(), None).unwrap());
        assert!(!change(dir.path(), named("exa").unwrap(), None).unwrap());
        assert_eq!(read(dir.path()).unwrap().len(), names.len() - 1);
    }
}
