//! Where a task stands, and the verb it was started with.

use serde::{Deserialize, Serialize};

/// Where a task stands. The last three are final: they never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    Pending,
    Running,
    Completed,
    Failed,
    Cancelled,
}

impl Status {
    pub(crate) const ALL: [Self; 5] = [Self::Pending, Self::Running, Self::Completed, Self::Failed, Self::Cancelled];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Running => "running",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    pub(crate) fn is_final(self) -> bool {
        match self {
            Self::Pending | Self::Running => false,
            Self::Completed | Self::Failed | Self::Cancelled => true,
        }
    }
}

/// The verb a task was started with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Tool {
    Search,
    DeepSearch,
    DeepResearch,
    StartDeepResearch,
    CheckClaims,
    #[cfg(feature = "scripted")]
    Scripted,
}

impl Tool {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::DeepSearch => "deep_search",
            Self::DeepResearch => "deep_research",
            Self::StartDeepResearch => "start_deep_research",
            Self::CheckClaims => "check_claims",
            #[cfg(feature = "scripted")]
            Self::Scripted => "scripted",
        }
    }
}
