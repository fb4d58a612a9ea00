//! What became of an effect, and what a method is told.

use serde::{Deserialize, Serialize};

use super::effect::Effect;
use super::skipped::SkippedFiles;
use crate::core::agent::{FollowReply, Snapshot};
use crate::core::base::error::{Code, Error, Problem};
use crate::core::base::limits;
use crate::core::base::problems::omitted;
use crate::core::evidence::checked::{CheckedSource, Evidence, OpenClaim};
use crate::core::evidence::claim::Claim;
use crate::core::evidence::excerpt::ReadReply;
use crate::core::evidence::passage::{FoundPassages, PageHash};
use crate::core::evidence::rank::FetchReply;
use crate::core::model::ask::AskReply;
use crate::core::model::chat::ChatReply;
use crate::core::money::budget::Cap;
use crate::core::web::search::SearchReply;

/// What became of an effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub(crate) enum Outcome {
    Refreshed(Refreshed),
    Found(FoundPassages),
    Archived {
        pages: Vec<PageHash>,
        problems: Vec<Problem>,
    },
    WebFound(Box<SearchReply>),
    Fetched(Box<FetchReply>),
    /// What a reader gets to see of pages.
    Read(Box<ReadReply>),
    Chatted(ChatReply),
    Checked {
        claims: Vec<Claim>,
    },
    /// A report with its links.
    ReportRead {
        text: String,
    },
    /// What became of the pages of sources.
    Gathered {
        sources: Vec<CheckedSource>,
    },
    Judged {
        evidence: Box<Evidence>,
        /// What a second opinion could be asked of.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        open: Vec<OpenClaim>,
    },
    Asked(AskReply),
    /// A hosted run as it was seen.
    Run(Box<Snapshot>),
    /// What following it came to.
    Followed(Box<FollowReply>),
    Waited,
    #[cfg(feature = "scripted")]
    Scripted {
        value: String,
    },
    /// It did not work, and its own retries are over.
    Failed {
        error: Error,
    },
    /// It was started once and its end was lost; it may have happened.
    Uncertain,
}

impl Outcome {
    /// Why an effect did not bring what it was asked for.
    pub(crate) fn failure(self) -> Error {
        match self {
            Self::Failed { error } => error,
            Self::Uncertain => Error::new(Code::ExecutionError, "it was interrupted and its end is not known"),
            _ => Error::new(Code::Internal, "an outcome that does not belong to the effect"),
        }
    }

    /// The provider's id of a run that now exists.
    pub(crate) fn interaction(&self) -> Option<&str> {
        match self {
            Self::Run(snapshot) => snapshot.id.as_deref(),
            _ => None,
        }
    }
}

/// What bringing the index up to date did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Refreshed {
    pub(crate) added: u32,
    pub(crate) changed: u32,
    pub(crate) removed: u32,
    pub(crate) unchanged: u32,
    pub(crate) problems: Vec<Problem>,
    /// How many more there were.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) more_problems: u64,
    /// Files that are not read, by kind.
    #[serde(default, skip_serializing_if = "SkippedFiles::is_empty")]
    pub(crate) skipped: SkippedFiles,
    /// How many files could not be read: damaged, not permitted, too large. Each is one of the problems; what was read in part is another.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) unread: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Refreshed {
    /// Keeps the list of problems short; the others are counted.
    #[must_use]
    pub(crate) fn bounded(mut self) -> Self {
        self.more_problems = omitted(self.problems.len(), self.more_problems, limits::LIBRARY_PROBLEMS);
        self.problems.truncate(limits::LIBRARY_PROBLEMS);
        self
    }
}

/// What a method is told.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "one event lives for one step, on the stack")]
pub(crate) enum Event {
    /// The first event of every task.
    Begin,
    /// An effect has ended.
    Done(Effect, Outcome),
    /// A cap is reached: nothing more is admitted but what draws on the reserve. The method ends the task,
    /// at the latest with its next effects.
    Cap(Cap),
    /// The user said something to the task.
    Steer(String),
}
