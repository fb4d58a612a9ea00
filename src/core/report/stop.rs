//! Why a task ended, in words that machines read.

use serde::{Deserialize, Serialize};

use crate::core::money::budget::Cap;

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
    /// No search provider answered, so nothing is known about what there is to find.
    SearchFailed,
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
    /// Every claim of a report was judged.
    Checked,
    /// A scripted task came to its end.
    #[cfg(feature = "scripted")]
    ScriptEnded,
}

impl StopReason {
    /// Whether the task ended before its method was done: stopped from outside, or because nobody answered it.
    pub(crate) fn is_stop(self) -> bool {
        match self {
            Self::BudgetCost
            | Self::BudgetTokens
            | Self::BudgetTime
            | Self::Cancelled
            | Self::EngineFailed
            | Self::SearchFailed => true,
            Self::AnsweredByContext
            | Self::GoodEnough
            | Self::DiminishingReturns
            | Self::MaxAttempts
            | Self::NothingFound
            | Self::Answered
            | Self::Verified
            | Self::MaxRounds
            | Self::Checked => false,
            #[cfg(feature = "scripted")]
            Self::ScriptEnded => false,
        }
    }

    /// Why a search came to its end.
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Self::AnsweredByContext => "the context that came with the question answers it",
            Self::GoodEnough => "what was found holds enough of the question",
            Self::DiminishingReturns => "the last attempt added hardly anything, or there was nothing new to ask",
            Self::MaxAttempts => "all attempts of the strategy were used",
            Self::NothingFound => "nothing that speaks of the question was found",
            Self::SearchFailed => "no search provider answered",
            Self::BudgetCost => "the cost budget was reached",
            Self::BudgetTokens => "the token budget was reached",
            Self::BudgetTime => "the time budget was reached",
            Self::Cancelled => "the task was cancelled",
            Self::EngineFailed => "the engine stopped working",
            Self::Checked => "every claim was judged",
            Self::Answered | Self::Verified | Self::MaxRounds => "its rounds are done",
            #[cfg(feature = "scripted")]
            Self::ScriptEnded => "its script is done",
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::AnsweredByContext => "answered_by_context",
            Self::GoodEnough => "good_enough",
            Self::DiminishingReturns => "diminishing_returns",
            Self::MaxAttempts => "max_attempts",
            Self::NothingFound => "nothing_found",
            Self::SearchFailed => "search_failed",
            Self::Answered => "answered",
            Self::Verified => "verified",
            Self::MaxRounds => "max_rounds",
            Self::Checked => "checked",
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

impl From<Cap> for StopReason {
    fn from(cap: Cap) -> Self {
        match cap {
            Cap::Cost => Self::BudgetCost,
            Cap::Tokens => Self::BudgetTokens,
            Cap::WallTime => Self::BudgetTime,
        }
    }
}
