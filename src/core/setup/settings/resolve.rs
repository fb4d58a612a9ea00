//! Flag, environment, file, default: the first that has a value gives it. The result is plain values, each with its origin.

mod models;
mod web;

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::directories::{Directories, config_file};
use super::file::{Entry, Raw};
use super::registry::{self, Allowed, Setting};
use super::{ChildEnv, Hosted, LogLevel, Settings};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::secrets::{MASK, Secret, without_password};
use crate::core::money::budget::Budget;
use crate::core::money::usage::Usd;
use crate::core::setup::ladder::EngineSetting;

/// Everything that was found, still as text.
#[derive(Debug)]
pub(crate) struct Inputs {
    /// Values by the name of the flag.
    pub(crate) flags: Vec<(&'static str, String)>,
    /// Values by the name of the variable; empty ones were left out.
    pub(crate) variables: Vec<(&'static str, String)>,
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
#[derive(Clone, Debug, PartialEq)]
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
    File { path: PathBuf, line: usize },
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(name) => write!(f, "flag {name}"),
            Self::Variable(name) => write!(f, "environment variable {name}"),
            Self::File { path, line } => write!(f, "{}, line {line}", path.display()),
            Self::Default => f.write_str("default"),
        }
    }
}

/// Puts the sources in order and checks every value. The struct literal names every field, so a new setting cannot be
/// forgotten here.
pub(crate) fn resolve(inputs: Inputs) -> Result<Resolved> {
    let mut taken = Resolver { inputs: &inputs, values: Vec::new() };
    taken.path(&registry::HOME)?;
    let fetch;
    let search;
    let mut settings = Settings {
        engine: taken.one_of(&registry::ENGINE, EngineSetting::parse)?,
        max_tasks: usize::try_from(taken.whole_or_default(&registry::MAX_TASKS)?).unwrap_or(usize::MAX),
        linger: Duration::from_secs(taken.whole_or_default(&registry::LINGER)?),
        call_window: taken.whole(&registry::CALL_WINDOW)?.map(Duration::from_secs),
        budget: Budget {
            cost: taken.dollars(&registry::BUDGET_COST)?,
            tokens: taken.whole(&registry::BUDGET_TOKENS)?,
            wall: taken.whole(&registry::BUDGET_SECONDS)?.map(Duration::from_secs),
            reserve_percent: u8::try_from(taken.whole_or_default(&registry::BUDGET_RESERVE)?).unwrap_or(u8::MAX),
        },
        library_max_file_bytes: taken.whole_or_default(&registry::LIBRARY_MAX_FILE)?.saturating_mul(1 << 20),
        reports_dir: taken.path(&registry::REPORTS_DIR)?,
        gemini_api_key: taken.text_that(&registry::GEMINI_API_KEY, is_header)?.map(Secret::new),
        hosted: hosted(&mut taken)?,
        gemini_cli_path: taken.path(&registry::GEMINI_CLI_PATH)?,
        gemini_model: taken.text(&registry::GEMINI_MODEL)?,
        gemini_correction_model: {
            let alias = taken.text(&registry::SECONDARY_GEMINI_MODEL)?;
            taken.text(&registry::GEMINI_CORRECTION_MODEL)?.or(alias)
        },
        gemini_timeout: Duration::from_millis(taken.whole_or_default(&registry::GEMINI_SEARCH_TIMEOUT)?),
        gemini_idle: Duration::from_secs(taken.whole_or_default(&registry::GEMINI_CLI_IDLE)?),
        resolve_redirects: taken.one_of(&registry::RESOLVE_REDIRECTS, yes_or_no)?,
        max_rounds: taken.rounds(&registry::DEEP_SEARCH_MAX_ITERATIONS)?,
        fetch: {
            (fetch, search) = taken.web()?;
            fetch
        },
        search,
        models: taken.models()?,
        gemini_env: inputs.gemini_env.clone(),
        log: taken.one_of(&registry::LOG, |name| LogLevel::ALL.into_iter().find(|level| level.name() == name))?,
        color: taken.text(&registry::NO_COLOR)?.is_none(),
        config_dir: inputs.directories.config.clone(),
        data_dir: inputs.directories.data.clone(),
        search_path: inputs.search_path.clone(),
    };
    settings.models.know_gemini(settings.gemini_api_key.as_ref(), &settings.hosted.model);
    Ok(Resolved { settings, values: taken.values })
}

fn hosted(taken: &mut Resolver<'_>) -> Result<Hosted> {
    use registry::hosted;
    let text = |taken: &mut Resolver<'_>, setting| taken.text(setting)?.ok_or_else(|| no_default(setting));
    Ok(Hosted {
        base_url: taken
            .text_that(&hosted::GEMINI_BASE_URL, is_address)?
            .ok_or_else(|| no_default(&hosted::GEMINI_BASE_URL))?,
        version: taken
            .one_of(&hosted::GEMINI_API_VERSION, |word| matches!(word, "v1" | "v1beta").then(|| word.to_owned()))?,
        model: text(taken, &hosted::GEMINI_API_MODEL)?,
        requests_per_second: u32::try_from(taken.whole_or_default(&hosted::PROVIDER_RPS)?).unwrap_or(u32::MAX),
        agent: text(taken, &hosted::AGENT)?,
        poll: Duration::from_millis(taken.whole_or_default(&hosted::POLL)?),
        retry_uncertain: taken.one_of(&hosted::RETRY_UNCERTAIN, |word| match word {
            "once" => Some(true),
            "no" => Some(false),
            _ => None,
        })?,
        delete: taken.one_of(&hosted::DELETE, yes_or_no)?,
        day: taken.dollars(&hosted::BUDGET_DAY)?,
        month: taken.dollars(&hosted::BUDGET_MONTH)?,
        notifications: taken.one_of(&hosted::NOTIFICATIONS, yes_or_no)?,
    })
}

fn is_header(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())
}

fn is_address(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/')) && is_header(text)
}

fn yes_or_no(word: &str) -> Option<bool> {
    match word {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

/// The values taken so far.
struct Resolver<'a> {
    inputs: &'a Inputs,
    values: Vec<Effective>,
}

impl Resolver<'_> {
    /// The first source that has a value.
    fn raw(&self, setting: &Setting) -> Option<(Raw, Origin)> {
        if let Some(flag) = setting.flag
            && let Some((_, text)) = self.inputs.flags.iter().find(|(name, _)| *name == flag)
        {
            return Some((Raw::Text(text.clone()), Origin::Flag(flag)));
        }
        if let Some((_, text)) = self.inputs.variables.iter().find(|(name, _)| *name == setting.variable) {
            return Some((Raw::Text(text.clone()), Origin::Variable(setting.variable)));
        }
        if let Some(entry) = self.inputs.file.iter().find(|entry| entry.key == setting.key) {
            let path = config_file(&self.inputs.directories.config);
            return Some((entry.raw.clone(), Origin::File { path, line: entry.line }));
        }
        setting.default.map(|text| (Raw::Text(text.to_owned()), Origin::Default))
    }

    /// Takes a setting's value, if it has one, through `read`.
    fn take<T>(&mut self, setting: &'static Setting, read: impl Fn(&Raw) -> Option<T>) -> Result<Option<T>> {
        let Some((raw, origin)) = self.raw(setting) else {
            self.values.push(Effective { setting, shown: None, origin: Origin::Default });
            return Ok(None);
        };
        let value = read(&raw).ok_or_else(|| refused(setting, &raw, &origin))?;
        self.values.push(Effective { setting, shown: Some(shown(setting, &raw)), origin });
        Ok(Some(value))
    }

    fn text(&mut self, setting: &'static Setting) -> Result<Option<String>> {
        self.take(setting, |raw| match raw {
            Raw::Text(text) | Raw::FileText(text) => Some(text.clone()),
            Raw::FileWhole(_) | Raw::FileNumber(_) | Raw::FileOther(_) => None,
        })
    }

    /// A text that is as wanted, without the blanks around it: a line break at the end of a key is easily got.
    fn text_that(&mut self, setting: &'static Setting, wanted: impl Fn(&str) -> bool) -> Result<Option<String>> {
        self.take(setting, |raw| match raw {
            Raw::Text(text) | Raw::FileText(text) => Some(text.trim()).filter(|text| wanted(text)).map(str::to_owned),
            Raw::FileWhole(_) | Raw::FileNumber(_) | Raw::FileOther(_) => None,
        })
    }

    fn path(&mut self, setting: &'static Setting) -> Result<Option<PathBuf>> {
        self.take(setting, |raw| match raw {
            Raw::Text(text) | Raw::FileText(text) if !text.is_empty() && !text.contains('\0') => {
                Some(PathBuf::from(text))
            }
            Raw::Text(_) | Raw::FileText(_) | Raw::FileWhole(_) | Raw::FileNumber(_) | Raw::FileOther(_) => None,
        })
    }

    fn one_of<T>(&mut self, setting: &'static Setting, parse: impl Fn(&str) -> Option<T>) -> Result<T> {
        let value = self.take(setting, |raw| match raw {
            Raw::Text(name) | Raw::FileText(name) => parse(name),
            Raw::FileWhole(_) | Raw::FileNumber(_) | Raw::FileOther(_) => None,
        })?;
        value.ok_or_else(|| no_default(setting))
    }

    fn whole(&mut self, setting: &'static Setting) -> Result<Option<u64>> {
        let Allowed::Whole { min, max } = setting.allowed else { return Err(no_default(setting)) };
        self.take(setting, |raw| {
            let number = match raw {
                Raw::Text(text) => text.trim().parse().ok(),
                Raw::FileWhole(whole) => u64::try_from(*whole).ok(),
                Raw::FileText(_) | Raw::FileNumber(_) | Raw::FileOther(_) => None,
            };
            number.filter(|number| (min..=max).contains(number))
        })
    }

    /// DS-08: any whole number; one below the smallest number of rounds becomes that number.
    fn rounds(&mut self, setting: &'static Setting) -> Result<u32> {
        let Allowed::AtLeast { min, max } = setting.allowed else { return Err(no_default(setting)) };
        let value = self.take(setting, |raw| {
            let number: i64 = match raw {
                Raw::Text(text) => text.trim().parse().ok()?,
                Raw::FileWhole(whole) => *whole,
                Raw::FileText(_) | Raw::FileNumber(_) | Raw::FileOther(_) => return None,
            };
            u32::try_from(number.max(i64::from(min))).ok().filter(|number| *number <= max)
        })?;
        value.ok_or_else(|| no_default(setting))
    }

    fn whole_or_default(&mut self, setting: &'static Setting) -> Result<u64> {
        self.whole(setting)?.ok_or_else(|| no_default(setting))
    }

    fn dollars(&mut self, setting: &'static Setting) -> Result<Option<Usd>> {
        let Allowed::Dollars { max } = setting.allowed else { return Err(no_default(setting)) };
        self.take(setting, |raw| {
            let number = match raw {
                Raw::Text(text) => text.trim().parse().ok()?,
                Raw::FileWhole(whole) => f64::from(u32::try_from(*whole).ok()?),
                Raw::FileNumber(number) => *number,
                Raw::FileText(_) | Raw::FileOther(_) => return None,
            };
            Usd::from_dollars(number).filter(|_| number <= f64::from(max))
        })
    }
}

/// A fault of the registry, not of the user; a test walks every setting, so nobody sees it.
fn no_default(setting: &Setting) -> Error {
    Error::new(Code::Internal, format!("the setting `{}` is registered wrongly", setting.key))
}

fn refused(setting: &Setting, raw: &Raw, origin: &Origin) -> Error {
    let place = match origin {
        Origin::Flag(name) => format!("flag `{name}`"),
        Origin::Variable(name) => format!("environment variable `{name}`"),
        Origin::File { path, line } => format!("`{}`, line {line}: `{}`", path.display(), setting.key),
        Origin::Default => format!("default of `{}`", setting.key),
    };
    let message = format!("{place}: {} is not allowed; allowed: {}", quoted(setting, raw), setting.allowed);
    Error::new(Code::InvalidConfig, message)
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
    let mut short: String =
        text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).take(SHOWN_CHARS).collect();
    if text.chars().nth(SHOWN_CHARS).is_some() {
        short.push('…');
    }
    short
}
