//! The engines by name, and which one a task has.

use serde::{Deserialize, Serialize};

/// Who does the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum EngineName {
    GeminiCli,
    GeminiApi,
    Native,
    Extractive,
}

impl EngineName {
    /// The ladder, best rung first.
    pub(crate) const LADDER: [Self; 4] = [Self::GeminiCli, Self::GeminiApi, Self::Native, Self::Extractive];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::GeminiCli => "gemini-cli",
            Self::GeminiApi => "gemini-api",
            Self::Native => "native",
            Self::Extractive => "extractive",
        }
    }
}

/// The engine of a task, and why it was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EngineChoice {
    pub(crate) name: EngineName,
    pub(crate) reason: String,
}

/// Whether what a report cites is read, and its claims judged, before its task ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EvidenceMode {
    Auto,
    /// Tasks of earlier versions say nothing of it.
    #[default]
    Off,
}

impl EvidenceMode {
    pub(crate) fn parse(word: &str) -> Option<Self> {
        match word {
            "auto" => Some(Self::Auto),
            "off" => Some(Self::Off),
            _ => None,
        }
    }

    pub(crate) fn is_off(&self) -> bool {
        *self == Self::Off
    }
}
