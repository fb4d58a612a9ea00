//! The only reader of environment variables and of `hadal.toml`; `keys` reads the file of keys for it. It reads what the registry of settings names,
//! once, at start-up, and hands it to `core::setup::settings`, which decides what it means.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::model::gemini_cli::PASSED;
use crate::core::setup::connect::{ClientPlaces, is_unfilled};
use crate::core::setup::settings::ChildEnv;
use crate::core::setup::settings::directories::{Places, Platform, config_file, directories};
use crate::core::setup::settings::file::{self, Entry};
use crate::core::setup::settings::registry::{HOME_FLAG, HOME_VARIABLE, REGISTRY, unknown_variable};
use crate::core::setup::settings::resolve::{Inputs, Resolved, resolve};
use crate::world::{clients, keys, own_file};

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
    // A client that does not fill a variable in passes its name on in the place of its value.
    let is_filled = |name: &str, value: &OsString| !value.to_str().is_some_and(|value| is_unfilled(name, value));
    let variable =
        |name: &str| environment.get(OsStr::new(name)).filter(is_set).filter(|value| is_filled(name, value)).cloned();
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
    let keys = keys::read(&directories.config)?;
    // A kept key is for its service, whoever asks it.
    let kept = |name: &str| keys.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value));
    let passed = |name: &&str| Some((OsString::from(name), variable(name).or_else(|| kept(name))?));
    let gemini_env = PASSED.iter().filter_map(passed).collect();
    resolve(Inputs {
        flags: others,
        variables,
        keys,
        file,
        directories,
        search_path: variable("PATH").unwrap_or_default(),
        gemini_env: ChildEnv(gemini_env),
    })
}

/// Where clients look for their configuration.
pub(crate) fn client_places() -> ClientPlaces {
    #[expect(clippy::disallowed_methods, reason = "this is the gate")]
    let path = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    clients::places(path)
}

pub(crate) fn platform() -> Platform {
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
    let text = own_file::read(path, limits::CONFIG_FILE_MAX_BYTES).map_err(|error| {
        if !error.message.contains("cannot be read") {
            return error;
        }
        error.hint(format!("`{HOME_VARIABLE}` (or `--home`) names the directory in which hadal keeps its files"))
    })?;
    text.map_or(Ok(Vec::new()), |text| file::parse(path, &text))
}

#[cfg(test)]
mod tests;
