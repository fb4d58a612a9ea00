//! Flag, environment, file of keys, file, default: the first that has a value gives it. The result is plain values, each with its origin.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use super::directories::{Directories, config_file};
use super::file::{Entry, Raw};
use super::keys::{Kept, keys_file};
use super::registry::{Allowed, REGISTRY, Setting};
use super::{ChildEnv, Settings};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::plain;
use crate::core::base::secrets::{MASK, without_password};

/// Everything that was found, still as text.
#[derive(Debug)]
pub(crate) struct Inputs {
    /// Values by the name of the flag.
    pub(crate) flags: Vec<(&'static str, String)>,
    /// Values by the name of the variable; empty ones were left out.
    pub(crate) variables: Vec<(&'static str, String)>,
    /// What the file of keys holds, by the name of the variable.
    pub(crate) keys: Vec<Kept>,
    pub(crate) file: Vec<Entry>,
    pub(crate) directories: Directories,
    pub(crate) search_path: OsString,
    pub(crate) gemini_env: ChildEnv,
}

/// The settings, and where each came from.
#[derive(Clone, Debug)]
pub(crate) struct Resolved {
    pub(crate) settings: Settings,
    pub(crate) values: Vec<Effective>,
}

/// One effective value, fit to be shown.
#[derive(Clone, Debug)]
pub(crate) struct Effective {
    pub(crate) setting: &'static Setting,
    /// `None` when it is not set and has no default.
    pub(crate) shown: Option<String>,
    pub(crate) origin: Origin,
}

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Flag(&'static str),
    Variable(&'static str),
    /// The file of keys.
    Keys {
        path: PathBuf,
    },
    File {
        path: PathBuf,
        line: usize,
    },
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(name) => write!(f, "flag {name}"),
            Self::Variable(name) => write!(f, "environment variable {name}"),
            Self::Keys { path } => write!(f, "key file {}", path.display()),
            Self::File { path, line } => write!(f, "{}, line {line}", path.display()),
            Self::Default => f.write_str("default"),
        }
    }
}

/// Puts the sources in order and checks every value.
pub(crate) fn resolve(inputs: Inputs) -> Result<Resolved> {
    let mut settings = Settings { color: true, ..Settings::default() };
    let mut values = Vec::with_capacity(REGISTRY.len());
    for setting in REGISTRY.iter() {
        let Some((raw, origin)) = inputs.raw(setting) else {
            values.push(Effective { setting, shown: None, origin: Origin::Default });
            continue;
        };
        setting.fill(&mut settings, &raw).ok_or_else(|| refused(setting, &raw, &origin))?;
        values.push(Effective { setting, shown: Some(shown(setting, &raw)), origin });
    }
    settings.models.complete(settings.gemini_api_key.as_ref(), &settings.hosted.model);
    let Inputs { directories: Directories { config, data }, search_path, gemini_env, .. } = inputs;
    settings = Settings { config_dir: config, data_dir: data, search_path, gemini_env, ..settings };
    Ok(Resolved { settings, values })
}

impl Inputs {
    /// The first source that has a value.
    fn raw(&self, setting: &Setting) -> Option<(Raw, Origin)> {
        if let Some(flag) = setting.flag
            && let Some((_, text)) = self.flags.iter().find(|(name, _)| *name == flag)
        {
            return Some((Raw::Text(text.clone()), Origin::Flag(flag)));
        }
        if let Some((_, text)) = self.variables.iter().find(|(name, _)| *name == setting.variable) {
            return Some((Raw::Text(text.clone()), Origin::Variable(setting.variable)));
        }
        if let Some((_, text)) = self.keys.iter().find(|(name, _)| *name == setting.variable) {
            return Some((Raw::Text(text.clone()), Origin::Keys { path: keys_file(&self.directories.config) }));
        }
        if let Some(entry) = self.file.iter().find(|entry| entry.key == setting.key) {
            let path = config_file(&self.directories.config);
            return Some((entry.raw.clone(), Origin::File { path, line: entry.line }));
        }
        setting.default.map(|text| (Raw::Text(text.to_owned()), Origin::Default))
    }
}

fn refused(setting: &Setting, raw: &Raw, origin: &Origin) -> Error {
    let place = match origin {
        Origin::Flag(name) => format!("flag `{name}`"),
        Origin::Variable(name) => format!("environment variable `{name}`"),
        Origin::Keys { path } => format!("`{}`: `{}`", path.display(), setting.variable),
        Origin::File { path, line } => format!("`{}`, line {line}: `{}`", path.display(), setting.key),
        Origin::Default => format!("default of `{}`", setting.key),
    };
    let message = format!("{place}: {} is not allowed; allowed: {}", quoted(setting, raw), setting.allowed);
    // A flag is an argument of this one call; the others stay as they are until somebody mends them.
    let code = if matches!(origin, Origin::Flag(_)) { Code::InvalidArgument } else { Code::InvalidConfig };
    Error::new(code, message)
}

fn quoted(setting: &Setting, raw: &Raw) -> String {
    match raw {
        Raw::FileOther(name) => format!("a value of the type {name}"),
        Raw::FileText(_)
            if matches!(setting.allowed, Allowed::Whole { .. } | Allowed::AtLeast { .. } | Allowed::Dollars { .. }) =>
        {
            format!("the quoted text `{}`", shown(setting, raw))
        }
        Raw::Text(_) | Raw::FileText(_) | Raw::FileWhole(_) | Raw::FileNumber(_) => {
            format!("`{}`", shown(setting, raw))
        }
    }
}

/// The value for people: secrets masked, garbage cut.
fn shown(setting: &Setting, raw: &Raw) -> String {
    if setting.allowed == Allowed::Secret {
        return MASK.to_owned();
    }
    let text = match raw {
        Raw::Text(text) | Raw::FileText(text) if setting.allowed == Allowed::Address => without_password(text),
        Raw::Text(text) | Raw::FileText(text) => text.clone(),
        Raw::FileWhole(whole) => whole.to_string(),
        Raw::FileNumber(number) => number.to_string(),
        Raw::FileOther(name) => (*name).to_owned(),
    };
    // Long enough for any path that is worth reading, short enough for one message.
    const SHOWN_CHARS: usize = 200;
    let mut short = plain::marked(&text, SHOWN_CHARS);
    if text.chars().nth(SHOWN_CHARS).is_some() {
        short.push('…');
    }
    short
}
