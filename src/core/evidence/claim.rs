//! A claim of a report, the source it cites, and what the archived page says to it.

use serde::{Deserialize, Serialize};

use crate::core::text::spans::Span;

/// What the ledger says of a claim. By words, figures and names: most contradictions it cannot see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    Supported,
    Partial,
    Unsupported,
    Unreachable,
    NotVisited,
    /// It cites nothing.
    #[default]
    Uncited,
    /// Not a sentence of the report but a piece of the source: it stands there word for word, and nobody judged what it says.
    Quoted,
}

impl Verdict {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Partial => "partial",
            Self::Unsupported => "unsupported",
            Self::Unreachable => "unreachable",
            Self::NotVisited => "not_visited",
            Self::Uncited => "uncited",
            Self::Quoted => "quoted",
        }
    }
}

/// A claim of the report, bound to the source it cites.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Claim {
    pub(crate) text: String,
    pub(crate) source: u32,
    pub(crate) verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) span: Option<Span>,
}
