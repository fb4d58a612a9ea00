//! Strategy, scores and stop as data: why a research call did what it did. The rules that make them are the method's.

use serde::{Deserialize, Serialize};

/// Strategy, scores and stop: why a research call did what it did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Explain {
    pub(crate) strategy: Strategy,
    pub(crate) attempts: Vec<ScoredAttempt>,
    /// How much of the question stands in what is quoted as its answer, 0..1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) answer_share: Option<f32>,
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

/// What one research call may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Strategy {
    pub(crate) level: Level,
    /// Searches, at least one unless the level is `none`.
    pub(crate) max_attempts: u32,
    /// Passages taken from one attempt.
    pub(crate) max_results: u32,
    /// Pages read in one attempt.
    pub(crate) top_pages: u32,
    pub(crate) search_depth: SearchDepth,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Level {
    None,
    Shallow,
    Medium,
    Deep,
}

/// How thoroughly a provider is asked to search; one without such a setting ignores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SearchDepth {
    Basic,
    Advanced,
}

impl Level {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Shallow => "shallow",
            Self::Medium => "medium",
            Self::Deep => "deep",
        }
    }
}

/// The score after an attempt, over everything kept so far; all figures 0..1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Quality {
    /// How much of the goal the best single passage holds.
    pub(crate) relevance: f32,
    /// How much of the goal all passages hold together.
    pub(crate) coverage: f32,
    /// How much of the goal a passage holds on average.
    pub(crate) confidence: f32,
    /// How much of the goal stands in two pages or more.
    pub(crate) support: f32,
    /// Pages per passage.
    pub(crate) diversity: f32,
    /// How new the sources are, when they are dated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) recency: Option<f32>,
    /// Whether sources contradict each other, when somebody judged that. Matching words cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) conflicts: Option<bool>,
    pub(crate) passages: usize,
}
