//! What the engine must know of an effect before it runs it: one row for each.

use crate::core::money::budget::ReserveAccess;
use crate::core::money::repeat::Repeat;
use crate::core::money::usage::Usage;

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
    pub(super) const fn parses(self) -> Self {
        Self { may_crash_process: true, ..self }
    }

    pub(super) const fn expects(self, expected: Usage) -> Self {
        Self { expected, ..self }
    }
}
