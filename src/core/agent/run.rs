//! A run of somebody else's agent: how it is created and followed, and what following it came to.

use serde::{Deserialize, Serialize};

use super::Snapshot;
use crate::core::base::error::{Code, Error};
use crate::core::money::usage::Usd;

/// What a run is created with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Create {
    pub(crate) worker: Worker,
    pub(crate) input: String,
    /// The interaction it goes on from.
    pub(crate) previous: Option<String>,
    /// Only make a plan, to be approved.
    pub(crate) plan_only: bool,
}

/// Who does the work at the provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Worker {
    Agent(String),
    Model(String),
}

impl Worker {
    /// By the name: research agents have names of their own, everything of `gemini-` is a model.
    pub(crate) fn named(name: &str) -> Self {
        if name.starts_with("gemini-") { Self::Model(name.to_owned()) } else { Self::Agent(name.to_owned()) }
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Agent(name) | Self::Model(name) => name,
        }
    }
}

/// A run to be followed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Follow {
    pub(crate) interaction: String,
    pub(crate) worker: String,
    pub(crate) deadline_ms: i64,
    pub(crate) cost_cap: Option<Usd>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) token_cap: Option<u64>,
}

/// Why a run is no longer followed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FollowEnd {
    /// It is over at the provider; the snapshot says how.
    Over,
    /// The provider does not know it any more.
    Expired,
    /// The user's patience is over; it may still be running.
    Deadline,
    /// It is known to have cost more than it may.
    OverBudget,
    /// The provider will not talk about it.
    Refused(Error),
}

/// What following a run came to, with the last that was seen of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FollowReply {
    pub(crate) verdict: FollowEnd,
    pub(crate) last: Snapshot,
}

/// The state of a task whose paid run may or may not exist, and the choice that is left.
pub(crate) fn uncertain(why: &str) -> Error {
    Error::new(Code::PaidRunUncertain, format!("{why}: a paid run may exist at Google, and its id is lost"))
        .hint("nothing is started again by itself; look at your usage in Google AI Studio first if you want to be sure")
        .hint("to run it (again), start it once more yourself: it may then be paid twice")
}
