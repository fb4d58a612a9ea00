//! What a task hands back: the report, its sources, its ledger and what went wrong on the way.

use serde::{Deserialize, Serialize};

use super::error::Error;
use super::quality::Quality;
use super::strategy::Strategy;
use super::task::EngineChoice;

/// The SHA-256 of an archived page's text, in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct PageHash(pub(crate) String);

/// A place in a page's archived text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Span {
    pub(crate) start: u64,
    pub(crate) end: u64,
}

/// Lines of a file, from 1, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Lines {
    pub(crate) first: u32,
    pub(crate) last: u32,
}

/// A piece of a local document that may answer a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Passage {
    /// The library folder (or single file) the document belongs to.
    pub(crate) root: String,
    /// The document's path below `root`, with `/`; the file's own name when `root` is a file.
    pub(crate) path: String,
    /// The document's title: its first heading or `<title>`, else its file name.
    pub(crate) title: String,
    /// The headings above the passage, outermost first.
    pub(crate) headings: Vec<String>,
    pub(crate) text: String,
    /// Where it stands in the file on disk.
    pub(crate) lines: Lines,
    /// Where it stands in the document's extracted text.
    pub(crate) span: Span,
    /// The hash of that extracted text.
    pub(crate) page: PageHash,
    /// BM25, comparable within one search.
    pub(crate) score: f32,
    /// Which of the search's terms stand in the passage or its headings, as indices.
    pub(crate) matched: Vec<u16>,
}

/// A term of a search after stemming, and how much finding it says: its inverse document frequency,
/// which is highest for a term that stands nowhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Term {
    pub(crate) text: String,
    pub(crate) weight: f32,
}

/// Something a report cites.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Source {
    /// The `[n]` of the report.
    pub(crate) number: u32,
    pub(crate) title: String,
    /// A path or a URL.
    pub(crate) location: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lines: Option<Lines>,
    /// The archived text behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) page: Option<PageHash>,
}

/// What the ledger says of a claim. Lexical: it cannot see a contradiction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    Supported,
    Partial,
    Unsupported,
    Unreachable,
    NotVisited,
}

impl Verdict {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Partial => "partial",
            Self::Unsupported => "unsupported",
            Self::Unreachable => "unreachable",
            Self::NotVisited => "not_visited",
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

/// One round or attempt, as the result shows it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Round {
    pub(crate) round_number: u32,
    pub(crate) sources_visited: Vec<String>,
    pub(crate) search_queries: Vec<String>,
    pub(crate) intermediate_result_summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Error>,
}

/// A source or step that failed. It is data: the task goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Problem {
    /// The path, address or step it is about.
    pub(crate) subject: String,
    pub(crate) error: Error,
}

/// Why a task ended, for machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StopReason {
    /// The context given with the question already answers it; nothing was searched.
    AnsweredByContext,
    GoodEnough,
    DiminishingReturns,
    MaxAttempts,
    NothingFound,
    /// One round was asked for and answered.
    Answered,
    /// A verification round stands by the report.
    Verified,
    MaxRounds,
    /// The engine stopped working after something was found.
    EngineFailed,
    BudgetCost,
    BudgetTokens,
    BudgetTime,
    Cancelled,
    /// A scripted task came to its end.
    #[cfg(feature = "scripted")]
    ScriptEnded,
}

impl StopReason {
    /// Whether the task was stopped from outside its method, rather than being done.
    pub(crate) fn is_stop(self) -> bool {
        match self {
            Self::BudgetCost | Self::BudgetTokens | Self::BudgetTime | Self::Cancelled | Self::EngineFailed => true,
            Self::AnsweredByContext
            | Self::GoodEnough
            | Self::DiminishingReturns
            | Self::MaxAttempts
            | Self::NothingFound
            | Self::Answered
            | Self::Verified
            | Self::MaxRounds => false,
            #[cfg(feature = "scripted")]
            Self::ScriptEnded => false,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::AnsweredByContext => "answered_by_context",
            Self::GoodEnough => "good_enough",
            Self::DiminishingReturns => "diminishing_returns",
            Self::MaxAttempts => "max_attempts",
            Self::NothingFound => "nothing_found",
            Self::Answered => "answered",
            Self::Verified => "verified",
            Self::MaxRounds => "max_rounds",
            Self::EngineFailed => "engine_failed",
            Self::BudgetCost => "budget_cost",
            Self::BudgetTokens => "budget_tokens",
            Self::BudgetTime => "budget_time",
            Self::Cancelled => "cancelled",
            #[cfg(feature = "scripted")]
            Self::ScriptEnded => "script_ended",
        }
    }
}

/// The result of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) markdown: String,
    pub(crate) sources: Vec<Source>,
    pub(crate) claims: Vec<Claim>,
    pub(crate) rounds: Vec<Round>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) stop_reason: StopReason,
    /// A model's own word for it; measured figures stand in `claims`.
    pub(crate) verified: bool,
    /// Ended before its method was done.
    pub(crate) partial: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    /// Who made the report, when it was not the engine that the task was given to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) engine: Option<EngineChoice>,
    /// The research strategy, where the method has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) strategy: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    /// How the method came to its end, where it weighs that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) explain: Option<Explain>,
}

/// Strategy, scores and stop: why a research call did what it did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Explain {
    pub(crate) strategy: Strategy,
    pub(crate) attempts: Vec<ScoredAttempt>,
    /// Why it stopped, in words.
    pub(crate) stopped: String,
}

/// One attempt and the score after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ScoredAttempt {
    pub(crate) query: String,
    /// `None` when the attempt was lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) score: Option<Quality>,
}
