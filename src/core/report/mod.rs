//! What a task hands back: the report, its sources, its ledger and what went wrong on the way.

pub(crate) mod answer;
mod blocks;
mod cells;
mod conditions;
mod dated;
mod doubt;
mod entries;
mod equals;
pub(crate) mod evidence;
pub(crate) mod explain;
mod extracts;
mod fields;
mod labelled;
mod leaning;
mod lists;
mod narrow;
pub(crate) mod neutral;
pub(crate) mod passages;
pub(crate) mod quotes;
mod reasons;
pub(crate) mod replies;
mod siblings;
pub(crate) mod sources;
#[cfg(test)]
mod sources_tests;
mod stop;
mod titles;
mod units;
mod unknown;

pub(crate) use stop::StopReason;

use serde::{Deserialize, Serialize};

use crate::core::base::engine::EngineChoice;
use crate::core::base::error::{Error, Problem};
use crate::core::evidence::checked::Evidence;
use crate::core::evidence::claim::Claim;
use crate::core::evidence::passage::PageHash;
use crate::core::report::explain::Explain;
use crate::core::text::spans::PlaceInFile;

/// Something a report cites.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Source {
    /// The `[n]` of the report.
    pub(crate) number: u32,
    pub(crate) title: String,
    /// A path or a URL.
    pub(crate) location: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lines: Option<PlaceInFile>,
    /// The archived text behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) page: Option<PageHash>,
    /// The model names it, and nothing shows that it was visited.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) claimed: bool,
}

impl Source {
    /// A page of which only the address is known.
    pub(crate) fn link(number: u32, title: String, location: String) -> Self {
        Self { number, title, location, lines: None, page: None, claimed: false }
    }
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

/// The result of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) markdown: String,
    pub(crate) sources: Vec<Source>,
    pub(crate) claims: Vec<Claim>,
    pub(crate) rounds: Vec<Round>,
    pub(crate) problems: Vec<Problem>,
    /// How many more there were, which are not kept.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) problems_beyond: u64,
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
    /// Arguments of the call that had no effect on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) ignored_arguments: Vec<String>,
    /// How the method came to its end, where it weighs that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) explain: Option<Explain>,
    /// Every claim beside what it cites. Where it is there, `claims` is empty; earlier versions wrote only that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) evidence: Option<Box<Evidence>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Report {
    /// A text and why it ends; a method adds what it knows beside.
    pub(crate) fn new(markdown: String, stop_reason: StopReason) -> Self {
        Self {
            markdown,
            sources: Vec::new(),
            claims: Vec::new(),
            rounds: Vec::new(),
            problems: Vec::new(),
            problems_beyond: 0,
            stop_reason,
            verified: false,
            partial: stop_reason.is_stop(),
            model: None,
            engine: None,
            strategy: None,
            note: None,
            ignored_arguments: Vec::new(),
            explain: None,
            evidence: None,
        }
    }
}
