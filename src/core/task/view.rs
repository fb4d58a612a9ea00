//! A task as the store knows it, without its report.

use crate::core::agent::RunProgress;
use crate::core::base::error::{Code, Error};
use crate::core::base::id::TaskId;
use crate::core::money::budget::SpendCap;
use crate::core::money::usage::{Usage, Usd};
use crate::core::report::neutral::neutral_error;
use crate::core::task::{Progress, Status};

/// A task as the store knows it, without its report.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TaskView {
    pub(crate) id: TaskId,
    pub(crate) tool: String,
    pub(crate) query: String,
    pub(crate) engine: String,
    /// Why this engine was taken.
    pub(crate) engine_reason: String,
    pub(crate) status: Status,
    pub(crate) progress: Progress,
    pub(crate) usage: Usage,
    pub(crate) error: Option<Error>,
    /// Milliseconds since 1970.
    pub(crate) created_ms: i64,
    pub(crate) updated_ms: i64,
    pub(crate) completed_ms: Option<i64>,
    pub(crate) cancel_requested: bool,
    pub(crate) hands: Hands,
    /// What is known besides of a run that somebody else's agent does.
    pub(crate) hosted: Option<HostedView>,
}

/// In whose hands a task is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Hands {
    /// A process of this name has it. Whether that one lives, its lock tells.
    Owner(String),
    /// Nobody works on it; the next hadal that comes by goes on with it.
    #[default]
    Nobody,
    /// Its user stopped waiting for it: it goes on when somebody asks for it.
    Paused,
}

impl Hands {
    /// The word that stands in place of an owner. It is no name that an owner can have.
    pub(crate) const PAUSED: &str = "paused";

    /// Reads what stands for the owner.
    pub(crate) fn of(owner: Option<String>) -> Self {
        match owner {
            None => Self::Nobody,
            Some(owner) if owner == Self::PAUSED => Self::Paused,
            Some(owner) => Self::Owner(owner),
        }
    }
}

impl TaskView {
    /// Whether a process works on it now.
    pub(crate) fn is_worked_on(&self) -> bool {
        !self.status.is_final() && matches!(self.hands, Hands::Owner(_))
    }

    /// The same with texts that only show: what it does now, and why it failed.
    pub(crate) fn neutral(mut self) -> Self {
        self.progress = self.progress.neutral();
        self.error = self.error.map(neutral_error);
        self
    }

    /// Whether there is nothing left to wait for at a start: the run exists, or the task is over. A run that is over when it is
    /// seen first is worth waiting for; only its cost is missing.
    pub(crate) fn has_started(&self) -> bool {
        self.status.is_final()
            || self.hosted.as_ref().is_some_and(|hosted| {
                let over = hosted.live.as_ref().is_some_and(|live| live.last.status.is_over());
                hosted.interaction.is_some() && !over
            })
    }

    /// The interaction that a further question goes on from, or why there is none.
    pub(crate) fn to_go_on_from(&self) -> Result<&str, Error> {
        let interaction = self.hosted.as_ref().and_then(|hosted| hosted.interaction.as_deref());
        let id = self.id;
        match (self.status, interaction) {
            (Status::Completed, Some(interaction)) => Ok(interaction),
            (Status::Completed, None) => Err(Error::new(
                Code::InvalidArgument,
                format!("`follow_up_to`: task `{id}` was not done by a hosted agent, so it cannot be gone on with"),
            )
            .hint("put what is known into the question instead")),
            (status, _) => {
                let word = status.name();
                let message =
                    format!("`follow_up_to`: task `{id}` is {word}, and only a completed one can be gone on with");
                // What is over stays what it is.
                Err(if status.is_final() { Error::new(Code::ResultNotFound, message) } else { self.not_over(message) })
            }
        }
    }

    /// What is wanted of the task can be had once it is over.
    pub(crate) fn not_over(&self, message: String) -> Error {
        let hint = format!("wait for it with `hadal results --wait {}`", self.id);
        Error::new(Code::ResearchNotCompleted, message).hint(hint)
    }

    pub(crate) fn still_runs(&self) -> Error {
        self.not_over(format!("the task `{}` is still {}", self.id, self.status.name()))
    }
}

/// The part of a task's row that only hosted runs have.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct HostedView {
    pub(crate) agent: String,
    /// The provider's id; `None` until the run exists.
    pub(crate) interaction: Option<String>,
    pub(crate) complexity: Option<String>,
    pub(crate) estimated: Option<Usd>,
    pub(crate) estimated_ms: Option<u64>,
    pub(crate) live: Option<RunProgress>,
}

/// What a hosted task is written down with besides its inputs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HostedStart {
    pub(crate) agent: String,
    pub(crate) notify: bool,
    pub(crate) complexity: &'static str,
    pub(crate) estimated: Usd,
    pub(crate) estimated_ms: u64,
    pub(crate) caps: Vec<SpendCap>,
    /// Which earlier research stands in the way; `None` when its user wants it once more.
    pub(crate) unless: Option<SameResearch>,
}

/// Research with the same question and agent is the same when this is equal, too. What only says how long or for how much it is waited for
/// makes no other research.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SameResearch {
    /// What completed before this moment does not count.
    pub(crate) completed_since_ms: i64,
    /// The run that it goes on from.
    pub(crate) previous: Option<String>,
    pub(crate) plan_only: bool,
}

impl SameResearch {
    /// The refusal that names the earlier task.
    pub(crate) fn refuse(earlier: TaskId, status: Status) -> Error {
        let what = if status.is_final() { "completed within the last hour" } else { "is running" };
        Error::new(
            Code::ResearchAlreadyStarted,
            format!("the same research {what}: task {earlier}; nothing was started"),
        )
        .hint(format!("use task {earlier}; only to pay for it once more, start it with `again`"))
    }
}
