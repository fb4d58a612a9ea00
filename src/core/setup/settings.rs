//! The settings of a running hadal: plain values, resolved once at start-up.
//!
//! [`registry`] lists every setting there is, [`file`](mod@file) reads the text of `hadal.toml`, [`resolve`] puts flags, environment,
//! file and defaults in order. Nothing here reads the environment or a file: `world::environment` does, and hands
//! over what it found.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::core::base::engine::EvidenceMode;
use crate::core::base::secrets::Secret;
use crate::core::money::budget::Budget;
use crate::core::money::usage::Usd;
use crate::core::setup::http::HttpSettings;
use crate::core::setup::ladder::EngineSetting;

pub(crate) mod directories;
pub(crate) mod file;
pub(crate) mod keys;
pub(crate) mod models;
pub(crate) mod registry;
pub(crate) mod resolve;
mod secrets;
pub(crate) mod web;

/// What the program runs with. Its `Default` is blank: the registry has the defaults of settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Settings {
    /// Where `hadal.toml`, prompts and templates live.
    pub(crate) config_dir: PathBuf,
    /// Where the database, archived pages and indexes live.
    pub(crate) data_dir: PathBuf,
    /// The engine of a task whose call names none.
    pub(crate) engine: EngineSetting,
    /// Tasks this process runs at once; more wait their turn.
    pub(crate) max_tasks: usize,
    /// Whether a process of its own goes on with what the last hadal leaves behind.
    pub(crate) background: bool,
    /// Without that: how long `serve` goes on with its tasks after its client has gone.
    pub(crate) linger: Duration,
    /// Tasks that ended longer ago are deleted; `None` keeps them.
    pub(crate) retention: Option<Duration>,
    /// How long a tool call waits for its task; `None` is by the client's name.
    pub(crate) call_window: Option<Duration>,
    /// The caps of a task whose call names none.
    pub(crate) budget: Budget,
    /// Larger library files are skipped.
    pub(crate) library_max_file_bytes: u64,
    /// The folder of static vectors by which passages are also ranked.
    pub(crate) library_vectors: Option<PathBuf>,
    /// Registered documents may be shown to models beyond this machine.
    pub(crate) library_to_model: bool,
    /// Whether the web is searched where nothing else is set up.
    pub(crate) web: bool,
    pub(crate) second_opinion: bool,
    /// Where saved reports go; `None` is `./research_reports`, or below the data directory when the working
    /// directory cannot be written.
    pub(crate) reports_dir: Option<PathBuf>,
    pub(crate) gemini_api_key: Option<Secret>,
    pub(crate) hosted: Hosted,
    /// The program file of Gemini CLI; `None` looks for `gemini` in the search path.
    pub(crate) gemini_cli_path: Option<PathBuf>,
    /// The model of research rounds, and that of corrections; `None` lets the CLI choose.
    pub(crate) gemini_model: Option<String>,
    pub(crate) gemini_correction_model: Option<String>,
    /// The longest one run of Gemini CLI may take, and the longest it may be silent.
    pub(crate) gemini_timeout: Duration,
    pub(crate) gemini_idle: Duration,
    /// Whether what a report cites is read and compared with it.
    pub(crate) evidence: EvidenceMode,
    /// Whether Google's links are asked where they lead.
    pub(crate) resolve_redirects: bool,
    /// What Gemini CLI gets of our environment.
    pub(crate) gemini_env: ChildEnv,
    /// Rounds of a deep search whose call names none.
    pub(crate) max_rounds: u32,
    pub(crate) models: models::ModelSettings,
    pub(crate) fetch: web::FetchSettings,
    pub(crate) search: web::SearchSettings,
    pub(crate) http: HttpSettings,
    /// The least important line that stderr still gets.
    pub(crate) log: LogLevel,
    /// Whether a terminal may get colours.
    pub(crate) color: bool,
    /// The directories in which programs are looked for, as `PATH` has them.
    pub(crate) search_path: OsString,
}

/// The Gemini API, and the research that Google's agents do over it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Hosted {
    pub(crate) base_url: String,
    /// The version in the API's path.
    pub(crate) version: String,
    /// The model of research rounds.
    pub(crate) model: String,
    pub(crate) requests_per_second: u32,
    /// The agent of a call that names none.
    pub(crate) agent: String,
    /// Between two looks at a run.
    pub(crate) poll: Duration,
    pub(crate) retry_uncertain: bool,
    /// Whether a collected run is deleted at the provider.
    pub(crate) delete: bool,
    /// What all hosted tasks of a day and of a month may cost.
    pub(crate) day: Option<Usd>,
    pub(crate) month: Option<Usd>,
    pub(crate) notifications: bool,
    /// Whether a client's user is asked before a paid start.
    pub(crate) confirm: bool,
}

#[cfg(test)]
impl Settings {
    /// The defaults, with every directory below `home`: for tests of whatever needs settings.
    pub(crate) fn defaults(home: &std::path::Path) -> Self {
        let directories = directories::Directories { config: home.join("config"), data: home.join("data") };
        let inputs = resolve::Inputs {
            flags: Vec::new(),
            variables: Vec::new(),
            keys: Vec::new(),
            file: Vec::new(),
            directories,
            search_path: OsString::new(),
            gemini_env: ChildEnv::default(),
        };
        resolve::resolve(inputs).unwrap().settings
    }
}

/// Variables for a child process. They may hold keys, so only their names are shown.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct ChildEnv(pub(crate) Vec<(OsString, OsString)>);

impl ChildEnv {
    pub(crate) fn get(&self, name: &str) -> Option<&OsStr> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_os_str())
    }
}

impl fmt::Debug for ChildEnv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

/// How important a line on stderr is, most important first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LogLevel {
    Error,
    Warn,
    #[default]
    Info,
}

impl LogLevel {
    pub(crate) const ALL: [Self; 3] = [Self::Error, Self::Warn, Self::Info];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
        }
    }
}

#[cfg(test)]
mod tests;
