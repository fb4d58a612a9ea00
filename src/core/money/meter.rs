//! What the requests of one effect used together, where each may end without a word about it.

use super::usage::Usage;
use crate::core::base::error::Code;

/// A sum that a request enters with what it is expected to use when it leaves, and that is set right when more is known. A request
/// that breaks off, times out or is cancelled in the middle stays in it with the expectation: it may be on the bill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Meter {
    known: Usage,
    open: Usage,
}

impl Meter {
    /// A request leaves. One that left before and of which nothing more was heard keeps its expectation.
    pub(crate) fn sent(&mut self, expected: Usage) {
        self.known += self.open;
        self.open = expected;
    }

    /// The far side told what the last request used.
    pub(crate) fn told(&mut self, used: Usage) {
        self.known += used;
        self.open = Usage::ZERO;
    }

    /// The last request failed; whether that may be on the bill is in its code.
    pub(crate) fn failed(&mut self, code: Code) {
        if !may_be_billed(code) {
            self.open = Usage::ZERO;
        }
    }

    pub(crate) fn total(self) -> Usage {
        self.known + self.open
    }
}

/// Whether a question that failed so may have been answered and billed: its end is not known. A refusal, a missing key or a
/// server out of reach costs nothing.
pub(crate) fn may_be_billed(code: Code) -> bool {
    matches!(code, Code::Timeout | Code::Cancelled | Code::ExecutionError | Code::OutputTooLarge | Code::Internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(tokens_in: u64) -> Usage {
        Usage { tokens_in, ..Usage::ZERO }
    }

    /// PR-01: what was told counts, what was lost counts as expected, what was refused counts nothing.
    #[test]
    fn pr_01_every_request_is_counted_once() {
        let mut meter = Meter::default();
        meter.sent(tokens(100));
        assert_eq!(meter.total(), tokens(100), "in the middle");
        meter.failed(Code::QuotaExceeded);
        assert_eq!(meter.total(), Usage::ZERO, "refused");
        meter.sent(tokens(100));
        meter.failed(Code::Timeout);
        meter.sent(tokens(100));
        assert_eq!(meter.total(), tokens(200), "a lost one and one in the middle");
        meter.told(tokens(7));
        assert_eq!(meter.total(), tokens(107));
        meter.told(tokens(1));
        assert_eq!(meter.total(), tokens(108));
    }

    #[test]
    fn a_refusal_costs_nothing() {
        for (code, billed) in [
            (Code::Timeout, true),
            (Code::Cancelled, true),
            (Code::ExecutionError, true),
            (Code::NotAuthenticated, false),
            (Code::QuotaExceeded, false),
            (Code::ProviderRefused, false),
            (Code::ProviderUnreachable, false),
            (Code::ModelNotFound, false),
            (Code::CliNotFound, false),
        ] {
            assert_eq!(may_be_billed(code), billed, "{code}");
        }
    }
}
