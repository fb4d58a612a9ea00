//! The settings of a running hadal: plain values, resolved once.

use std::path::PathBuf;
use std::time::Duration;

use super::budget::Budget;

/// What the program runs with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    /// Where `hadal.toml`, prompts and templates live.
    pub(crate) config_dir: PathBuf,
    /// Where the database, archived pages and indexes live.
    pub(crate) data_dir: PathBuf,
    /// Tasks this process runs at once; more wait their turn.
    pub(crate) max_tasks: usize,
    /// How long `serve` goes on with its tasks after its client has gone.
    pub(crate) linger: Duration,
    /// How long a tool call waits for its task; `None` is by the client's name.
    pub(crate) call_window: Option<Duration>,
    /// The caps of a task whose call names none.
    pub(crate) budget: Budget,
    /// Larger library files are skipped.
    pub(crate) library_max_file_bytes: u64,
}

#[cfg(test)]
impl Settings {
    /// The defaults, with everything below one directory.
    pub(crate) fn in_dir(home: &std::path::Path) -> Self {
        Self {
            config_dir: home.join("config"),
            data_dir: home.join("data"),
            max_tasks: 16,
            linger: Duration::from_secs(60),
            call_window: None,
            budget: Budget::default(),
            library_max_file_bytes: 16 << 20,
        }
    }
}
