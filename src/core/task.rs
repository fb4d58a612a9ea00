//! A task: what was asked, how it is done, and how far it is.

use serde::{Deserialize, Serialize};

use super::adaptive;
use super::budget::{Budget, SpendCap};
use super::error::{Code, Error};
use super::hosted;
use super::id::TaskId;
use super::report::Report;
use super::rounds;
#[cfg(feature = "scripted")]
use super::scripted;
use super::usage::{Usage, Usd};

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
            #[cfg(feature = "scripted")]
            Self::Scripted => "scripted",
        }
    }
}

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

/// The method of a task, with its inputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "there is one for each task")]
pub(crate) enum Plan {
    Adaptive(adaptive::Plan),
    Rounds(rounds::Plan),
    Hosted(hosted::Plan),
    #[cfg(feature = "scripted")]
    Scripted(scripted::Plan),
}

/// Everything needed to run a task from the beginning, on any machine that has the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TaskSpec {
    pub(crate) tool: Tool,
    pub(crate) query: String,
    pub(crate) engine: EngineChoice,
    pub(crate) budget: Budget,
    pub(crate) plan: Plan,
}

impl TaskSpec {
    /// Whether the work is done elsewhere, and only followed here.
    pub(crate) fn is_hosted(&self) -> bool {
        matches!(self.plan, Plan::Hosted(_))
    }
}

/// How far a task is. What is not known is `None`, never guessed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Progress {
    pub(crate) percent: Option<u8>,
    pub(crate) action: String,
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

    pub(crate) fn report(&self) -> Option<&Report> {
        match self {
            Self::Completed { report } => Some(report),
            Self::Failed { partial, .. } | Self::Cancelled { partial } => partial.as_ref(),
        }
    }
}

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
    /// What is known besides of a run that somebody else's agent does.
    pub(crate) hosted: Option<HostedView>,
}

impl TaskView {
    /// A task that is over, as its row would show it if the store could take it.
    pub(crate) fn of_ended(id: TaskId, spec: &TaskSpec, ending: &Ending, now_ms: i64) -> Self {
        Self {
            id,
            tool: spec.tool.name().to_owned(),
            query: spec.query.clone(),
            engine: spec.engine.name.name().to_owned(),
            engine_reason: spec.engine.reason.clone(),
            status: ending.status(),
            progress: Progress::default(),
            usage: Usage::ZERO,
            error: match ending {
                Ending::Failed { error, .. } => Some(error.clone()),
                Ending::Completed { .. } | Ending::Cancelled { .. } => None,
            },
            created_ms: now_ms,
            updated_ms: now_ms,
            completed_ms: Some(now_ms),
            cancel_requested: false,
            hosted: None,
        }
    }
}

impl TaskView {
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
                let status = status.name();
                let message =
                    format!("`follow_up_to`: task `{id}` is {status}, and only a completed one can be gone on with");
                Err(Error::new(Code::ResearchNotCompleted, message))
            }
        }
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
    pub(crate) live: Option<hosted::Live>,
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
}
