//! Effects and outcomes: everything a method can ask of the world, as data.

use serde::{Deserialize, Serialize};

#[cfg(feature = "scripted")]
use super::scripted;
use crate::core::agent::{Create, Follow, FollowReply, Snapshot};
use crate::core::base::error::{Error, Problem};
use crate::core::evidence::claim::Claim;
use crate::core::evidence::ledger::CitedClaim;
use crate::core::evidence::passage::{FoundPassages, NumberedPage, PageHash, PageRef};
use crate::core::evidence::rank::FetchReply;
use crate::core::model::ask::{Ask, AskReply};
use crate::core::model::chat::{Chat, ChatReply};
use crate::core::money::budget::{Cap, ReserveAccess};
use crate::core::money::repeat::Repeat;
use crate::core::money::usage::{Usage, Usd};
use crate::core::task::{Ending, Progress};
use crate::core::web::search::{Provider, Query, SearchReply};

/// One thing to be done. All but `Log`, `Progress` and `Finish` are journalled and answered by an [`Outcome`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "effect", rename_all = "snake_case")]
pub(crate) enum Effect {
    /// Bring the full-text index of these library roots (none = every registered one) up to date.
    RefreshLibrary { roots: Vec<String> },
    /// Find passages in these library roots (none = every registered one).
    SearchLibrary { query: String, roots: Vec<String>, limit: u32 },
    /// Keep the text of these pages, so that what the report cites can be checked for ever.
    ArchivePages { pages: Vec<PageRef> },
    /// Search the web.
    WebSearch { query: Query, providers: Vec<Provider> },
    /// Fetch these pages, archive their text, and find the passages that speak of the query.
    FetchPages { query: String, urls: Vec<String>, limit: u32 },
    /// Ask a chat model.
    Chat(Chat),
    /// Look claims up in the archived pages that they cite.
    CheckClaims { claims: Vec<CitedClaim>, pages: Vec<NumberedPage> },
    /// Run a model program.
    Ask(Ask),
    /// Start a run of a hosted agent. It is paid for once it exists.
    CreateRun(Create),
    /// Look at a hosted run until it is over.
    FollowRun(Follow),
    /// Stop a hosted run, and see what there is of it.
    CancelRun { interaction: String, worker: String },
    /// Have the provider delete a run that was collected, as far as it does that.
    DeleteRun { interaction: String },
    /// Let time pass before the next try.
    Wait { ms: u64 },
    #[cfg(feature = "scripted")]
    Script(scripted::Step),
    /// A line for people, on stderr.
    Log { level: LogLevel, line: String },
    /// Tell whoever watches how far the task is.
    Progress(Progress),
    /// End the task.
    Finish(Box<Ending>),
}

/// How much a line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LogLevel {
    Info,
    Warn,
    Error,
}

impl Effect {
    pub(crate) fn repeat(&self) -> Repeat {
        match self {
            #[cfg(feature = "scripted")]
            Self::Script(step) => step.repeat(),
            Self::CreateRun(_) => Repeat::Never,
            Self::FollowRun(_)
            | Self::CancelRun { .. }
            | Self::DeleteRun { .. }
            | Self::RefreshLibrary { .. }
            | Self::SearchLibrary { .. }
            | Self::ArchivePages { .. }
            | Self::WebSearch { .. }
            | Self::FetchPages { .. }
            | Self::Chat(_)
            | Self::CheckClaims { .. }
            | Self::Ask(_)
            | Self::Wait { .. }
            | Self::Log { .. }
            | Self::Progress(_)
            | Self::Finish(_) => Repeat::Again,
        }
    }

    /// Whether doing it can end our own process: it takes foreign bytes apart in here. What waits, asks another program
    /// or a far server cannot, however often a process died around it.
    pub(crate) fn may_crash_process(&self) -> bool {
        match self {
            Self::RefreshLibrary { .. }
            | Self::SearchLibrary { .. }
            | Self::ArchivePages { .. }
            | Self::FetchPages { .. }
            | Self::CheckClaims { .. } => true,
            #[cfg(feature = "scripted")]
            Self::Script(step) => step.may_crash_process(),
            Self::Ask(_)
            | Self::WebSearch { .. }
            | Self::Chat(_)
            | Self::CreateRun(_)
            | Self::FollowRun(_)
            | Self::CancelRun { .. }
            | Self::DeleteRun { .. }
            | Self::Wait { .. }
            | Self::Log { .. }
            | Self::Progress(_)
            | Self::Finish(_) => false,
        }
    }

    /// The most it is expected to use; admitted against the budget before it runs.
    pub(crate) fn expected(&self) -> Usage {
        match self {
            #[cfg(feature = "scripted")]
            Self::Script(step) => step.expected(),
            Self::Chat(chat) => chat.expected(),
            Self::Ask(ask) => ask.expected(),
            Self::WebSearch { query, providers } => {
                let cost = providers.iter().map(|provider| provider.price(query)).fold(Usd::default(), |a, b| a + b);
                Usage { cost, ..Usage::ZERO }
            }
            Self::CreateRun(_)
            | Self::FollowRun(_)
            | Self::CancelRun { .. }
            | Self::DeleteRun { .. }
            | Self::RefreshLibrary { .. }
            | Self::SearchLibrary { .. }
            | Self::ArchivePages { .. }
            | Self::FetchPages { .. }
            | Self::CheckClaims { .. }
            | Self::Wait { .. }
            | Self::Log { .. }
            | Self::Progress(_)
            | Self::Finish(_) => Usage::ZERO,
        }
    }

    pub(crate) fn reserve_access(&self) -> ReserveAccess {
        match self {
            #[cfg(feature = "scripted")]
            Self::Script(step) => step.reserve_access(),
            Self::Chat(chat) => chat.reserve_access(),
            Self::CreateRun(_)
            | Self::FollowRun(_)
            | Self::CancelRun { .. }
            | Self::DeleteRun { .. }
            | Self::RefreshLibrary { .. }
            | Self::SearchLibrary { .. }
            | Self::ArchivePages { .. }
            | Self::WebSearch { .. }
            | Self::FetchPages { .. }
            | Self::CheckClaims { .. }
            | Self::Ask(_)
            | Self::Wait { .. }
            | Self::Log { .. }
            | Self::Progress(_)
            | Self::Finish(_) => ReserveAccess::Denied,
        }
    }

    /// Whether it may be done after its method was stopped: the engine asks for it then, not the method.
    pub(crate) fn is_on_cancel(&self) -> bool {
        matches!(self, Self::CancelRun { .. })
    }

    /// The word for it in the journal and in messages.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::RefreshLibrary { .. } => "refresh_library",
            Self::SearchLibrary { .. } => "search_library",
            Self::ArchivePages { .. } => "archive_pages",
            Self::WebSearch { .. } => "web_search",
            Self::FetchPages { .. } => "fetch_pages",
            Self::Chat(_) => "chat",
            Self::CheckClaims { .. } => "check_claims",
            Self::Ask(_) => "ask",
            Self::CreateRun(_) => "create_run",
            Self::FollowRun(_) => "follow_run",
            Self::CancelRun { .. } => "cancel_run",
            Self::DeleteRun { .. } => "delete_run",
            Self::Wait { .. } => "wait",
            Self::Log { .. } => "log",
            #[cfg(feature = "scripted")]
            Self::Script(step) => step.name(),
            Self::Progress(_) => "progress",
            Self::Finish(_) => "finish",
        }
    }
}

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
    Chatted(ChatReply),
    Checked {
        claims: Vec<Claim>,
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
}
