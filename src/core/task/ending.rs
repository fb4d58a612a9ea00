//! How far a task is, and how it ended.

use serde::{Deserialize, Serialize};

use super::{Branch, Status};
use crate::core::base::error::Error;
use crate::core::base::plain::visible;
use crate::core::report::Report;
use crate::core::report::neutral::neutral_error;

/// How far a task is. What is not known is `None`, never guessed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Progress {
    pub(crate) percent: Option<u8>,
    pub(crate) action: String,
    /// The plan as it fills, where there is one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tree: Vec<Branch>,
    /// What whoever waits at a terminal is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) question: Option<String>,
}

impl Progress {
    pub(crate) fn new(percent: Option<u8>, action: String) -> Self {
        Self { percent, action, ..Self::default() }
    }

    /// The same with texts that only show.
    pub(crate) fn neutral(mut self) -> Self {
        self.action = visible(&self.action);
        self.tree.iter_mut().for_each(|branch| branch.title = visible(&branch.title));
        self
    }
}

/// How a task ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ended", rename_all = "snake_case")]
pub(crate) enum Ending {
    Completed { report: Report },
    Failed { error: Error, partial: Option<Report> },
    Cancelled { partial: Option<Report> },
}

impl Ending {
    pub(crate) fn status(&self) -> Status {
        match self {
            Self::Completed { .. } => Status::Completed,
            Self::Failed { .. } => Status::Failed,
            Self::Cancelled { .. } => Status::Cancelled,
        }
    }

    /// The same with texts that only show.
    pub(crate) fn neutral(self) -> Self {
        match self {
            Self::Completed { report } => Self::Completed { report: report.neutral() },
            Self::Failed { error, partial } => {
                Self::Failed { error: neutral_error(error), partial: partial.map(Report::neutral) }
            }
            Self::Cancelled { partial } => Self::Cancelled { partial: partial.map(Report::neutral) },
        }
    }

    pub(crate) fn report(&self) -> Option<&Report> {
        match self {
            Self::Completed { report } => Some(report),
            Self::Failed { partial, .. } | Self::Cancelled { partial } => partial.as_ref(),
        }
    }
}
