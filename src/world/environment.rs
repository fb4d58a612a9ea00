//! The only reader of environment variables and of `hadal.toml`. It reads what the registry of settings names,
//! once, at start-up, and hands it to `core::setup::settings`, which decides what it means.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::model::gemini_cli::PASSED;
use crate::core::setup::settings::ChildEnv;
use crate::core::setup::settings::directories::{Places, Platform, config_file, directories};
use crate::core::setup::settings::file::{self, Entry};
use crate::core::setup::settings::registry::{HOME_FLAG, HOME_VARIABLE, REGISTRY, unknown_variable};
use crate::core::setup::settings::resolve::{Inputs, Resolved, resolve};

/// The settings that the command line names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flags {
    /// `--home`.
    pub(crate) home: Option<PathBuf>,
    /// The other flags, by name.
    pub(crate) others: Vec<(&'static str, String)>,
}

/// Gathers flags, environment and file, and resolves them.
pub(crate) fn settings(flags: Flags) -> Result<Resolved> {
    #[expect(clippy::disallowed_methods, reason = "this is the gate")]
    let environment = std::env::vars_os().collect();
    gather(flags, &environment)
}

fn gather(flags: Flags, environment: &BTreeMap<OsString, OsString>) -> Result<Resolved> {
    // An empty variable is one that somebody could not unset.
    let is_set = |value: &&OsString| !value.is_empty();
    let variable = |name: &str| environment.get(OsStr::new(name)).filter(is_set).cloned();
    for (name, _) in environment.iter().filter(|(_, value)| is_set(value)) {
        if let Some(error) = unknown_variable(&name.to_string_lossy()) {
            return Err(error);
        }
    }
    let mut variables = Vec::new();
    for setting in REGISTRY.iter() {
        if let Some(value) = variable(setting.variable) {
            variables.push((setting.variable, utf8(setting.variable, value)?));
        }
    }
    let named = flags.home.clone().or_else(|| variable(HOME_VARIABLE).map(PathBuf::from));
    let path = |name: &str| variable(name).map(PathBuf::from);
    let places = Places {
        hadal_home: named.map(|home| absolute(&home)).transpose()?,
        home: path("HOME"),
        xdg_config: path("XDG_CONFIG_HOME"),
        xdg_data: path("XDG_DATA_HOME"),
    };
    let directories = directories(platform(), &places)?;
    let file = read_file(&config_file(&directories.config))?;
    let mut others = flags.others;
    if let Some(home) = flags.home {
        others.push((HOME_FLAG, home.display().to_string()));
    }
    let gemini_env = PASSED.iter().filter_map(|name| Some((OsString::from(name), variable(name)?))).collect();
    resolve(Inputs {
        flags: others,
        variables,
        file,
        directories,
        search_path: variable("PATH").unwrap_or_default(),
        gemini_env: ChildEnv(gemini_env),
    })
}

fn platform() -> Platform {
    if cfg!(target_os = "macos") { Platform::MacOs } else { Platform::Xdg }
}

fn utf8(name: &str, value: OsString) -> Result<String> {
    value.into_string().map_err(|_not_shown| {
        Error::new(Code::InvalidConfig, format!("environment variable `{name}` is not valid UTF-8"))
    })
}

fn absolute(home: &Path) -> Result<PathBuf> {
    std::path::absolute(home).map_err(|fault| {
        let place = format!("`{HOME_VARIABLE}` or `--home`");
        Error::new(Code::InvalidConfig, format!("{place}: `{}` is no directory: {fault}", home.display()))
    })
}

/// The entries of the file; a file that is not there has none.
fn read_file(path: &Path) -> Result<Vec<Entry>> {
    let refused = |what: String| Error::new(Code::InvalidConfig, format!("`{}` {what}", path.display()));
    let unreadable = |fault: std::io::Error| refused(format!("cannot be read: {fault}"));
    match std::fs::metadata(path) {
        // Opening a pipe would wait for its other end for ever.
        Ok(metadata) if !metadata.is_file() => return Err(refused("is not a file".into())),
        Ok(_) => {}
        Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(fault) => {
            let hint = format!("`{HOME_VARIABLE}` (or `--home`) names the directory in which hadal keeps its files");
            return Err(unreadable(fault).hint(hint));
        }
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(unreadable)?;
    file.take(limits::CONFIG_FILE_MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > limits::CONFIG_FILE_MAX_BYTES {
        return Err(refused(format!("is larger than {} bytes", limits::CONFIG_FILE_MAX_BYTES)));
    }
    let text = String::from_utf8(bytes).map_err(|fault| {
        let before = fault.as_bytes().iter().take(fault.utf8_error().valid_up_to());
        refused(format!("is not valid UTF-8 in line {}", 1 + before.filter(|byte| **byte == b'\n').count()))
    })?;
    file::parse(path, &text)
}

#[cfg(test)]
mod tests;
