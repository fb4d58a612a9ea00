//! Every setting there is, one row each: its key, its variable, its flag, what it may be, how it is read, the field that it fills and what
//! it means. `resolve`, the reference page `docs/configuration.md`, `hadal config` and every message about a bad value come from here.

mod google;
mod models;
mod tasks;
mod web;

use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::LazyLock;

use super::file::Raw;
use super::{LogLevel, Settings};
use crate::core::base::error::{Code, Error};
use crate::core::base::plain;
use crate::core::base::secrets::{KeySetting, Secret};
use crate::core::money::usage::Usd;

/// One setting.
pub(crate) struct Setting {
    /// The key in `hadal.toml` and the setting's name everywhere.
    pub(crate) key: &'static str,
    /// Whether the file may set it: not where the file itself lies, and no secrets, so that it can be shared.
    pub(crate) in_file: bool,
    pub(crate) variable: &'static str,
    pub(crate) flag: Option<&'static str>,
    pub(crate) allowed: Allowed,
    /// Written as a user would write it; `None` is explained in `meaning`.
    pub(crate) default: Option<&'static str>,
    pub(crate) meaning: String,
    fill: Fill,
}

/// Reads a value and puts it into its field. `None` is a value that is not allowed.
type Fill = Box<dyn Fn(&mut Settings, &Raw) -> Option<()> + Send + Sync>;

impl Setting {
    fn new(
        key: &'static str,
        variable: &'static str,
        allowed: Allowed,
        fill: impl Fn(&mut Settings, &Raw) -> Option<()> + Send + Sync + 'static,
    ) -> Self {
        let (flag, default, meaning) = (None, None, String::new());
        Self { key, in_file: true, variable, flag, allowed, default, meaning, fill: Box::new(fill) }
    }

    /// A text that `parse` makes the value of.
    fn parsed<T>(
        key: &'static str,
        variable: &'static str,
        allowed: Allowed,
        parse: impl Fn(&str) -> Option<T> + Send + Sync + 'static,
        put: impl Fn(&mut Settings, T) + Send + Sync + 'static,
    ) -> Self {
        Self::new(key, variable, allowed, move |settings, raw| {
            put(settings, parse(raw.text()?)?);
            Some(())
        })
    }

    fn text(key: &'static str, variable: &'static str, put: fn(&mut Settings, String)) -> Self {
        Self::parsed(key, variable, Allowed::Text, |text| Some(text.to_owned()), put)
    }

    fn path(key: &'static str, variable: &'static str, put: fn(&mut Settings, PathBuf)) -> Self {
        let path = |text: &str| (!text.is_empty() && !text.contains('\0')).then(|| PathBuf::from(text));
        Self::parsed(key, variable, Allowed::Path, path, put)
    }

    /// One of two words, of which `no` or `never` is one and the other means yes.
    fn yes_or_no(
        key: &'static str,
        variable: &'static str,
        names: &'static [&'static str; 2],
        put: fn(&mut Settings, bool),
    ) -> Self {
        let yes = |word: &str| names.contains(&word).then_some(!matches!(word, "no" | "never"));
        Self::parsed(key, variable, Allowed::OneOf(names), yes, put)
    }

    /// A key of a service. It goes into a header, which takes visible characters only; a line break at its end is a slip of copying.
    fn secret(names: KeySetting, put: impl Fn(&mut Settings, Secret) + Send + Sync + 'static) -> Self {
        let secret = |text: &str| is_header(text.trim()).then(|| Secret::new(text.trim().to_owned()));
        Self::parsed(names.key, names.variable, Allowed::Secret, secret, put).not_in_file().means(names.meaning)
    }

    /// A whole number, both ends included.
    fn whole(
        key: &'static str,
        variable: &'static str,
        range: RangeInclusive<u64>,
        put: fn(&mut Settings, u64),
    ) -> Self {
        let allowed = Allowed::Whole { min: *range.start(), max: *range.end() };
        Self::new(key, variable, allowed, move |settings, raw| {
            let number = raw.whole().and_then(|whole| u64::try_from(whole).ok());
            put(settings, number.filter(|number| range.contains(number))?);
            Some(())
        })
    }

    fn dollars(key: &'static str, variable: &'static str, put: fn(&mut Settings, Usd)) -> Self {
        const MAX: u32 = 1_000_000;
        Self::new(key, variable, Allowed::Dollars { max: MAX }, move |settings, raw| {
            let number = raw.number().filter(|number| *number <= f64::from(MAX))?;
            put(settings, Usd::from_dollars(number)?);
            Some(())
        })
    }

    fn flag(self, flag: &'static str) -> Self {
        Self { flag: Some(flag), ..self }
    }

    fn default(self, default: &'static str) -> Self {
        Self { default: Some(default), ..self }
    }

    fn not_in_file(self) -> Self {
        Self { in_file: false, ..self }
    }

    fn means(self, meaning: impl Into<String>) -> Self {
        Self { meaning: meaning.into(), ..self }
    }

    /// Puts a value into its field; `None` when it is not allowed.
    pub(super) fn fill(&self, settings: &mut Settings, raw: &Raw) -> Option<()> {
        (self.fill)(settings, raw)
    }
}

impl fmt::Debug for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key)
    }
}

/// What a setting may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Allowed {
    OneOf(&'static [&'static str]),
    /// A whole number, both ends included.
    Whole {
        min: u64,
        max: u64,
    },
    /// A whole number; a smaller one than `min` is taken for `min`.
    AtLeast {
        min: u32,
        max: u32,
    },
    /// US dollars from 0, with decimals.
    Dollars {
        max: u32,
    },
    Path,
    Text,
    /// Text of a form that is told in words.
    Form(String),
    /// Where a service is. A password in it is never shown.
    Address,
    /// What can stand in a header, never shown.
    Secret,
    /// Any text: that it is set is what counts.
    Presence,
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OneOf(names) => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                write!(f, "one of {}", names.join(", "))
            }
            Self::Whole { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::AtLeast { min, max } => write!(f, "a whole number up to {max}; below {min} it counts as {min}"),
            Self::Dollars { max } => write!(f, "US dollars from 0 to {max}"),
            Self::Path => f.write_str("a path"),
            Self::Text => f.write_str("text"),
            Self::Form(words) => f.write_str(words),
            Self::Address => f.write_str("an address that begins with `http://` or `https://`"),
            Self::Secret => f.write_str("text without spaces and control characters (secret)"),
            Self::Presence => f.write_str("anything"),
        }
    }
}

/// All settings, in the order of the reference page.
pub(crate) static REGISTRY: LazyLock<Vec<Setting>> = LazyLock::new(|| {
    let mut rows = tasks::rows();
    rows.extend(google::rows());
    rows.extend(web::rows());
    rows.extend(models::rows());
    let level = |name: &str| LogLevel::ALL.into_iter().find(|level| level.name() == name);
    rows.push(
        Setting::parsed("log", "HADAL_LOG", Allowed::OneOf(&["error", "warn", "info"]), level, |s, log| s.log = log)
            .default("info")
            .means("The least important line that stderr still gets."),
    );
    rows.push(
        Setting::parsed("no_color", "NO_COLOR", Allowed::Presence, |_| Some(false), |s, color| s.color = color)
            .not_in_file()
            .means("When it is set, terminals get no colours."),
    );
    rows
});

/// The variable and the flag that name the directory of all files; they are read before any other.
pub(crate) const HOME_VARIABLE: &str = "HADAL_HOME";
pub(crate) const HOME_FLAG: &str = "--home";

fn is_header(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// A variable that begins like this is meant for us.
const OURS: &str = "HADAL_";
/// The mark that every descendant of a child inherits: ours, but no setting. A hadal that such a child starts has it too.
pub(crate) const CHILD_MARK: &str = "HADAL_CHILD";
/// Below this similarity (Jaro-Winkler, 0 to 1) a known name is no help to whoever mistyped one.
const SIMILAR: f64 = 0.75;
/// So many characters of a name from outside are looked at and shown.
const NAME_CHARS: usize = 60;

/// The name of `known` that `name` was probably meant to be.
pub(crate) fn nearest(name: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let plain = |name: &str| name.strip_prefix(OURS).unwrap_or(name).chars().take(NAME_CHARS).collect::<String>();
    let name = plain(name);
    // What all names have in common says nothing about them.
    let likeness = |known: &&str| strsim::jaro_winkler(&plain(known), &name);
    let best = known.max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(&best) >= SIMILAR).then_some(best)
}

/// A variable that is meant for us and is none of ours is a slip: it would be silently without effect.
pub(crate) fn unknown_variable(name: &str) -> Option<Error> {
    let known = || REGISTRY.iter().map(|setting| setting.variable);
    if !name.starts_with(OURS) || name == CHILD_MARK || known().any(|variable| variable == name) {
        return None;
    }
    let shown = plain::line(name, NAME_CHARS);
    let error = Error::new(Code::InvalidConfig, format!("unknown environment variable `{shown}`"));
    Some(match nearest(name, known()) {
        Some(known) => error.hint(format!("did you mean `{known}`?")),
        None => error.hint("`hadal config` lists every setting; unset what is none"),
    })
}
