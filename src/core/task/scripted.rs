//! One scripted effect, as data; only with the feature `scripted`.

use serde::{Deserialize, Serialize};

use super::policy::Policy;
use crate::core::money::budget::ReserveAccess;
use crate::core::money::repeat::Repeat;
use crate::core::money::usage::{Usage, Usd};

/// One scripted effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Step {
    /// Unique within the script.
    pub(crate) key: String,
    /// Whether it may draw on the reserve of the budget.
    #[serde(default)]
    pub(crate) reserve: bool,
    #[serde(flatten)]
    pub(crate) act: Act,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub(crate) enum Act {
    /// Free work: wait, then answer with the key.
    Work { ms: u64 },
    /// A paid create: a line on the invoice, a wait, then the answer. Never repeated by the engine.
    Paid { ms: u64, micros: u64, tokens: u64, invoice: String },
    /// Ask the invoice whether the paid step of this key happened.
    Reconcile { micros: u64, tokens: u64, invoice: String, ms: u64 },
    /// A child process, through the process gate; answers with what it printed.
    Child { program: String, args: Vec<String> },
    /// A fault in our own code.
    Panic,
    /// A fault in the method: it panics when it hears of the end of this step.
    Fault,
    /// The end of the whole process, as by a fault in foreign code.
    Abort,
}

impl Step {
    pub(crate) fn new(key: &str, act: Act) -> Self {
        Self { key: key.to_owned(), reserve: false, act }
    }

    /// What it is billed with when it happens.
    pub(crate) fn price(&self) -> Usage {
        match self.act {
            Act::Paid { micros, tokens, .. } | Act::Reconcile { micros, tokens, .. } => {
                Usage { tokens_in: tokens, tokens_out: 0, cost: Usd::from_micros(micros), ..Usage::ZERO }
            }
            Act::Work { .. } | Act::Child { .. } | Act::Panic | Act::Fault | Act::Abort => Usage::ZERO,
        }
    }

    pub(crate) fn policy(&self) -> Policy {
        let policy = match self.act {
            Act::Work { .. } => Policy::free("work"),
            Act::Paid { .. } => Policy { repeat: Repeat::Never, expected: self.price(), ..Policy::free("paid") },
            // Asking is free; what it finds is booked.
            Act::Reconcile { .. } => Policy::free("reconcile"),
            Act::Child { .. } => Policy::free("child"),
            Act::Fault => Policy::free("fault"),
            Act::Panic => Policy { may_crash_process: true, ..Policy::free("panic") },
            Act::Abort => Policy { may_crash_process: true, ..Policy::free("abort") },
        };
        let reserve = if self.reserve { ReserveAccess::Allowed } else { ReserveAccess::Denied };
        Policy { reserve, ..policy }
    }
}
