//! Every setting there is: its key, its variable, its flag, what it may be and what it means. The reference page
//! `docs/configuration.md`, `hadal config` and every message about a bad value come from here.

pub(crate) mod hosted;
pub(crate) mod models;
pub(crate) mod web;

use std::fmt;

use crate::core::base::error::{Code, Error};
use crate::core::base::limits;

/// One setting.
#[derive(Debug, PartialEq, Eq)]
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
    pub(crate) meaning: &'static str,
}

/// What a setting may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    Form(&'static str),
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
pub(crate) const REGISTRY: &[&Setting] = &[
    &HOME,
    &ENGINE,
    &MAX_TASKS,
    &LINGER,
    &CALL_WINDOW,
    &BUDGET_COST,
    &BUDGET_TOKENS,
    &BUDGET_SECONDS,
    &BUDGET_RESERVE,
    &LIBRARY_MAX_FILE,
    &REPORTS_DIR,
    &GEMINI_API_KEY,
    &hosted::GEMINI_BASE_URL,
    &hosted::GEMINI_API_VERSION,
    &hosted::GEMINI_API_MODEL,
    &hosted::PROVIDER_RPS,
    &hosted::AGENT,
    &hosted::POLL,
    &hosted::RETRY_UNCERTAIN,
    &hosted::DELETE,
    &hosted::BUDGET_DAY,
    &hosted::BUDGET_MONTH,
    &hosted::NOTIFICATIONS,
    &GEMINI_CLI_PATH,
    &GEMINI_MODEL,
    &SECONDARY_GEMINI_MODEL,
    &GEMINI_CORRECTION_MODEL,
    &GEMINI_SEARCH_TIMEOUT,
    &GEMINI_CLI_IDLE,
    &RESOLVE_REDIRECTS,
    &DEEP_SEARCH_MAX_ITERATIONS,
    &web::FETCH_ALLOW_PRIVATE,
    &web::FETCH_PORTS,
    &web::FETCH_HOSTS,
    &web::FETCH_PROXY,
    &web::FETCH_TIMEOUT,
    &web::FETCH_MAX_PAGE,
    &web::FETCH_CACHE,
    &web::CONTACT,
    &web::SEARCH_PROVIDERS,
    &web::SEARCH_URLS,
    &web::SEARXNG_URL,
    &web::TAVILY_API_KEY,
    &web::BRAVE_API_KEY,
    &web::EXA_API_KEY,
    &web::SERPER_API_KEY,
    &models::MODEL,
    &models::BASE_URL,
    &models::API_KEY,
    &models::OPENAI,
    &models::ANTHROPIC,
    &models::GROQ,
    &models::DEEPSEEK,
    &models::MISTRAL,
    &models::XAI,
    &models::OPENROUTER,
    &models::OLLAMA_HOST,
    &models::LOCAL,
    &models::TIMEOUT,
    &LOG,
    &NO_COLOR,
];

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
    let shown: String = name.chars().filter(|c| !c.is_control()).take(NAME_CHARS).collect();
    let error = Error::new(Code::InvalidConfig, format!("unknown environment variable `{shown}`"));
    Some(match nearest(name, known()) {
        Some(known) => error.hint(format!("did you mean `{known}`?")),
        None => error.hint("`hadal config` lists every setting; unset what is none"),
    })
}

pub(crate) const HOME: Setting = Setting {
    key: "home",
    in_file: false,
    variable: "HADAL_HOME",
    flag: Some("--home"),
    allowed: Allowed::Path,
    default: None,
    meaning: "The directory that holds `config/` and `data/`. Without it they go where the platform puts such files: \
              `$XDG_CONFIG_HOME/hadal` and `$XDG_DATA_HOME/hadal` on Linux (`~/.config/hadal` and \
              `~/.local/share/hadal`), `~/Library/Application Support/hadal` on macOS.",
};

pub(crate) const ENGINE: Setting = Setting {
    key: "engine",
    in_file: true,
    variable: "HADAL_ENGINE",
    flag: Some("--engine"),
    allowed: Allowed::OneOf(&["auto", "gemini-cli", "gemini-api", "native", "extractive"]),
    default: Some("auto"),
    meaning: "Who does the research. `auto` takes the best engine that is available; a named engine is never replaced \
              by another.",
};

pub(crate) const MAX_TASKS: Setting = Setting {
    key: "max_tasks",
    in_file: true,
    variable: "HADAL_MAX_TASKS",
    flag: None,
    allowed: Allowed::Whole { min: 1, max: 1_000 },
    default: Some("8"),
    meaning: "Tasks one process runs at once; more wait their turn.",
};

pub(crate) const LINGER: Setting = Setting {
    key: "linger",
    in_file: true,
    variable: "HADAL_LINGER_SECONDS",
    flag: None,
    allowed: Allowed::Whole { min: 0, max: 86_400 },
    default: Some("1800"),
    meaning: "Seconds for which `hadal serve` goes on with its tasks after its client has gone.",
};

pub(crate) const CALL_WINDOW: Setting = Setting {
    key: "call_window",
    in_file: true,
    variable: "HADAL_CALL_WINDOW_SECONDS",
    flag: None,
    allowed: Allowed::Whole { min: 1, max: 3_600 },
    default: None,
    meaning: "Seconds a tool call waits for its task before it hands back the task id. Without it the client's name \
              decides; a terminal waits for ever.",
};

pub(crate) const BUDGET_COST: Setting = Setting {
    key: "budget.cost_usd",
    in_file: true,
    variable: "HADAL_BUDGET_USD",
    flag: Some("--budget-usd"),
    allowed: Allowed::Dollars { max: 1_000_000 },
    default: None,
    meaning: "The most one task may cost. Without it there is no cap.",
};

pub(crate) const BUDGET_TOKENS: Setting = Setting {
    key: "budget.tokens",
    in_file: true,
    variable: "HADAL_BUDGET_TOKENS",
    flag: Some("--budget-tokens"),
    allowed: Allowed::Whole { min: 1, max: 1_000_000_000_000 },
    default: None,
    meaning: "The most tokens one task may use, in and out together. Without it there is no cap.",
};

pub(crate) const BUDGET_SECONDS: Setting = Setting {
    key: "budget.seconds",
    in_file: true,
    variable: "HADAL_BUDGET_SECONDS",
    flag: Some("--budget-seconds"),
    allowed: Allowed::Whole { min: 1, max: limits::BUDGET_SECONDS_MAX },
    default: None,
    meaning: "The longest one task may run, in seconds. Without it there is no cap.",
};

pub(crate) const BUDGET_RESERVE: Setting = Setting {
    key: "budget.reserve_percent",
    in_file: true,
    variable: "HADAL_BUDGET_RESERVE_PERCENT",
    flag: None,
    allowed: Allowed::Whole { min: 0, max: 90 },
    default: Some("10"),
    meaning: "The share of the cost and token caps that is kept for writing the final answer.",
};

pub(crate) const LIBRARY_MAX_FILE: Setting = Setting {
    key: "library.max_file_mb",
    in_file: true,
    variable: "HADAL_LIBRARY_MAX_FILE_MB",
    flag: None,
    allowed: Allowed::Whole { min: 1, max: 1_024 },
    default: Some("16"),
    meaning: "Library files larger than this many megabytes (of 1,048,576 bytes) are skipped.",
};

pub(crate) const REPORTS_DIR: Setting = Setting {
    key: "reports_dir",
    in_file: true,
    variable: "HADAL_REPORTS_DIR",
    flag: None,
    allowed: Allowed::Path,
    default: None,
    meaning: "Where `hadal save` puts reports, relative to the working directory. Without it `./research_reports`, or \
              `reports` in the data directory when the working directory cannot be written.",
};

pub(crate) const GEMINI_API_KEY: Setting = Setting {
    key: "gemini_api_key",
    in_file: false,
    variable: "GEMINI_API_KEY",
    flag: None,
    allowed: Allowed::Secret,
    default: None,
    meaning: "The key for the Gemini API. It is never shown or written anywhere.",
};

pub(crate) const GEMINI_CLI_PATH: Setting = Setting {
    key: "gemini_cli.path",
    in_file: true,
    variable: "GEMINI_CLI_PATH",
    flag: None,
    allowed: Allowed::Path,
    default: None,
    meaning: "The program file of Gemini CLI. Without it `gemini` is looked for on `PATH`.",
};

pub(crate) const GEMINI_MODEL: Setting = Setting {
    key: "gemini_cli.model",
    in_file: true,
    variable: "GEMINI_MODEL",
    flag: None,
    allowed: Allowed::Text,
    default: None,
    meaning: "The model of research rounds with Gemini CLI. Without it the CLI chooses.",
};

pub(crate) const SECONDARY_GEMINI_MODEL: Setting = Setting {
    key: "gemini_cli.secondary_model",
    in_file: true,
    variable: "SECONDARY_GEMINI_MODEL",
    flag: None,
    allowed: Allowed::Text,
    default: None,
    meaning: "Another name of `GEMINI_CORRECTION_MODEL`, which wins when both are set.",
};

pub(crate) const GEMINI_CORRECTION_MODEL: Setting = Setting {
    key: "gemini_cli.correction_model",
    in_file: true,
    variable: "GEMINI_CORRECTION_MODEL",
    flag: None,
    allowed: Allowed::Text,
    default: None,
    meaning: "The model that brings invalid output into form. Without it the CLI chooses.",
};

pub(crate) const GEMINI_SEARCH_TIMEOUT: Setting = Setting {
    key: "gemini_cli.timeout_ms",
    in_file: true,
    variable: "GEMINI_SEARCH_TIMEOUT",
    flag: None,
    allowed: Allowed::Whole { min: 100, max: 86_400_000 },
    default: Some("600000"),
    meaning: "Milliseconds that one run of Gemini CLI may take before it is stopped.",
};

pub(crate) const GEMINI_CLI_IDLE: Setting = Setting {
    key: "gemini_cli.idle_seconds",
    in_file: true,
    variable: "GEMINI_CLI_IDLE_SECONDS",
    flag: None,
    allowed: Allowed::Whole { min: 1, max: 86_400 },
    default: Some("180"),
    meaning: "Seconds that Gemini CLI may be silent before it is stopped: it can hang in an endless loop.",
};

pub(crate) const RESOLVE_REDIRECTS: Setting = Setting {
    key: "resolve_redirects",
    in_file: true,
    variable: "HADAL_RESOLVE_REDIRECTS",
    flag: None,
    allowed: Allowed::OneOf(&["yes", "no"]),
    default: Some("yes"),
    meaning: "Whether the links that Google's search gives as sources, which expire, are asked where they lead.",
};

pub(crate) const DEEP_SEARCH_MAX_ITERATIONS: Setting = Setting {
    key: "deep_search.max_iterations",
    in_file: true,
    variable: "DEEP_SEARCH_MAX_ITERATIONS",
    flag: None,
    allowed: Allowed::AtLeast { min: 2, max: 100 },
    default: Some("5"),
    meaning: "The most rounds of a deep search: one draft, the rest verification.",
};

pub(crate) const LOG: Setting = Setting {
    key: "log",
    in_file: true,
    variable: "HADAL_LOG",
    flag: None,
    allowed: Allowed::OneOf(&["error", "warn", "info"]),
    default: Some("info"),
    meaning: "The least important line that stderr still gets.",
};

pub(crate) const NO_COLOR: Setting = Setting {
    key: "no_color",
    in_file: false,
    variable: "NO_COLOR",
    flag: None,
    allowed: Allowed::Presence,
    default: None,
    meaning: "When it is set, terminals get no colours.",
};
