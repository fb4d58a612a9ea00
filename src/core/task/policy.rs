//! What the engine must know of an effect before it runs it: one row for each.

use super::effect::Effect;
use crate::core::money::budget::ReserveAccess;
use crate::core::money::repeat::Repeat;
use crate::core::money::usage::{Usage, Usd};

/// The rules of one effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Policy {
    /// The word for it in the journal and in messages.
    pub(crate) name: &'static str,
    /// What may be done when it was started and its end is unknown.
    pub(crate) repeat: Repeat,
    /// Doing it can end our own process: it takes foreign bytes apart in here. What waits, asks another program or a far server
    /// cannot, however often a process died around it.
    pub(crate) may_crash_process: bool,
    /// The most it is expected to use; admitted against the budget before it runs.
    pub(crate) expected: Usage,
    pub(crate) reserve: ReserveAccess,
}

impl Policy {
    /// Free, harmless, and run again when its end is unknown.
    pub(crate) const fn free(name: &'static str) -> Self {
        Self {
            name,
            repeat: Repeat::Again,
            may_crash_process: false,
            expected: Usage::ZERO,
            reserve: ReserveAccess::Denied,
        }
    }

    /// Takes foreign bytes apart in this process.
    const fn parses(self) -> Self {
        Self { may_crash_process: true, ..self }
    }

    const fn expects(self, expected: Usage) -> Self {
        Self { expected, ..self }
    }
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
            Self::Chat(chat) => Policy { reserve: chat.reserve_access(), ..free("chat").expects(chat.expected()) },
            Self::CheckClaims { .. } => free("check_claims").parses(),
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
