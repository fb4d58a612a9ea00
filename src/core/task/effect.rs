//! Effects and outcomes: everything a method can ask of the world, as data.

use serde::{Deserialize, Serialize};

use super::policy::Policy;
#[cfg(feature = "scripted")]
use super::scripted;
use crate::core::agent::{Create, Follow};
use crate::core::evidence::checked::{CheckedSource, FileReach};
use crate::core::evidence::excerpt::{SeenPart, ShownRoom, WantedPage};
use crate::core::evidence::ledger::CitedClaim;
use crate::core::evidence::passage::{NumberedPage, PageRef, Reach};
use crate::core::model::ask::Ask;
use crate::core::model::chat::{Chat, RoundPlace};
use crate::core::money::repeat::Repeat;
use crate::core::money::usage::{Usage, Usd};
use crate::core::task::{Ending, Progress};
use crate::core::web::search::{Provider, Query};

/// One thing to be done. All but `Log`, `Progress` and `Finish` are journalled and answered by an [`Outcome`](super::outcome::Outcome).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "effect", rename_all = "snake_case")]
pub(crate) enum Effect {
    /// Bring the full-text index of these library roots (none = every registered one) up to date.
    RefreshLibrary { roots: Vec<String> },
    /// Find passages in these library roots (none = every registered one).
    SearchLibrary {
        query: String,
        roots: Vec<String>,
        limit: u32,
        #[serde(default, skip_serializing_if = "Reach::is_words")]
        reach: Reach,
    },
    /// Keep the text of these pages, so that what the report cites can be checked for ever.
    ArchivePages { pages: Vec<PageRef> },
    /// Search the web.
    WebSearch { query: Query, providers: Vec<Provider> },
    /// Fetch these pages, archive their text, and find the passages that speak of the query.
    FetchPages { query: String, urls: Vec<String>, limit: u32 },
    /// Read these pages, archive their text, and choose what of it is shown to a reader of the question, who has seen some of it.
    ReadPages { question: String, pages: Vec<WantedPage>, seen: Vec<SeenPart>, room: ShownRoom, place: RoundPlace },
    /// Ask a chat model.
    Chat(Chat),
    /// Look claims up in the archived pages that they cite.
    CheckClaims { claims: Vec<CitedClaim>, pages: Vec<NumberedPage> },
    /// Read a report of the web, with its links.
    ReadReport {
        url: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        offline: bool,
    },
    /// Read the pages of these sources and archive their text. What does not come in time was not visited.
    GatherPages {
        sources: Vec<CheckedSource>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        offline: bool,
        within_ms: u64,
        /// Where documents of this machine may be read that the report cites.
        #[serde(default, skip_serializing_if = "FileReach::is_none")]
        files: FileReach,
    },
    /// Judge every claim of a report by the archived pages of its sources.
    JudgeReport {
        report: String,
        sources: Vec<CheckedSource>,
        /// Whether the passages of what stays open are told too.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        tell_open: bool,
    },
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

impl Effect {
    pub(crate) fn policy(&self) -> Policy {
        let free = Policy::free;
        match self {
            Self::RefreshLibrary { .. } => free("refresh_library").parses(),
            Self::SearchLibrary { .. } => free("search_library").parses(),
            Self::ArchivePages { .. } => free("archive_pages").parses(),
            Self::WebSearch { query, providers } => {
                let cost = providers.iter().map(|provider| provider.price(query)).fold(Usd::default(), |a, b| a + b);
                free("web_search").expects(Usage { cost, ..Usage::ZERO })
            }
            Self::FetchPages { .. } => free("fetch_pages").parses(),
            Self::ReadPages { .. } => free("read_pages").parses(),
            Self::Chat(chat) => Policy { reserve: chat.reserve_access(), ..free("chat").expects(chat.expected()) },
            Self::CheckClaims { .. } => free("check_claims").parses(),
            Self::ReadReport { .. } => free("read_report").parses(),
            Self::GatherPages { .. } => free("gather_pages").parses(),
            Self::JudgeReport { .. } => free("judge_report").parses(),
            Self::Ask(ask) => free("ask").expects(ask.expected()),
            Self::CreateRun(_) => Policy { repeat: Repeat::Never, ..free("create_run") },
            Self::FollowRun(_) => free("follow_run"),
            Self::CancelRun { .. } => free("cancel_run"),
            Self::DeleteRun { .. } => free("delete_run"),
            Self::Wait { .. } => free("wait"),
            Self::Log { .. } => free("log"),
            #[cfg(feature = "scripted")]
            Self::Script(step) => step.policy(),
            Self::Progress(_) => free("progress"),
            Self::Finish(_) => free("finish"),
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.policy().name
    }

    pub(crate) fn repeat(&self) -> Repeat {
        self.policy().repeat
    }

    pub(crate) fn expected(&self) -> Usage {
        self.policy().expected
    }

    /// Whether it may be done after its method was stopped: the engine asks for it then, not the method.
    pub(crate) fn is_on_cancel(&self) -> bool {
        matches!(self, Self::CancelRun { .. })
    }
}

/// How much a line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LogLevel {
    Info,
    Warn,
    Error,
}
