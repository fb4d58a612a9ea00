//! A question to a model program, and what it brought back.

use serde::{Deserialize, Serialize};

use super::report::Problem;
use super::task::EngineName;

/// What a run of the model program is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    /// Research with web tools.
    Research,
    /// Bring invalid output into form; reads one file, searches nothing.
    Correct,
}

/// One run of a model program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ask {
    pub(crate) role: Role,
    /// Who is asked.
    #[serde(default = "cli")]
    pub(crate) engine: EngineName,
    /// The whole prompt. For a correction it still has the hole `{{invalid_output_path}}`, which the adapter fills
    /// once it knows where the file is.
    pub(crate) prompt: String,
    pub(crate) model: Option<String>,
    /// The output to be corrected; the adapter hands it over in a file.
    pub(crate) invalid_output: Option<String>,
    /// Which round and cycle it belongs to, for messages.
    pub(crate) round: u32,
    pub(crate) cycle: u32,
}

/// Journals of the first version name no engine: there was one.
pub(crate) fn cli() -> EngineName {
    EngineName::GeminiCli
}

/// What a run brought back. Whether its text is an answer is for the method to say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Asked {
    pub(crate) text: String,
    /// The model that answered, when the program told.
    pub(crate) model: Option<String>,
    /// Addresses the program really searched up or read, in order.
    pub(crate) sources: Vec<String>,
    /// Queries it really searched for, in order.
    pub(crate) queries: Vec<String>,
    /// Searches and pages that failed inside the run.
    pub(crate) problems: Vec<Problem>,
}
