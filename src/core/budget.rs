//! Hard caps of a task and the rule that keeps it inside them.
//!
//! The sum over the journal is the only account: it survives a crash. A part of every cap is held
//! back as a reserve, so that a task that reaches its cap can still write its answer.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::usage::{Usage, Usd};

/// What a task may use; `None` is no cap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Budget {
    pub(crate) cost: Option<Usd>,
    pub(crate) tokens: Option<u64>,
    pub(crate) wall: Option<Duration>,
    /// The share of cost and tokens, in percent, that only the final answer may use.
    pub(crate) reserve_percent: u8,
}

/// Which cap was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Cap {
    Cost,
    Tokens,
    WallTime,
}

/// Whether an effect may draw on the reserve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purse {
    Ordinary,
    Reserve,
}

impl Budget {
    /// The cap that stands in the way of using `next` more after `spent`, if one does. `spent` holds what
    /// is finished and what is promised to effects in flight.
    pub(crate) fn refuses(&self, spent: Usage, next: Usage, purse: Purse) -> Option<Cap> {
        let total = spent + next;
        let limit = |cap: u64| match purse {
            Purse::Reserve => cap,
            Purse::Ordinary => cap - cap / 100 * u64::from(self.reserve_percent.min(100)),
        };
        // An effect that uses nothing is refused by no cap of money or tokens.
        if next.cost > Usd::default() && self.cost.is_some_and(|cap| total.cost.micros() > limit(cap.micros())) {
            return Some(Cap::Cost);
        }
        if next.tokens() > 0 && self.tokens.is_some_and(|cap| total.tokens() > limit(cap)) {
            return Some(Cap::Tokens);
        }
        None
    }

    /// What is left of the wall time after `active`; `None` is no cap.
    pub(crate) fn wall_left(&self, active: Duration) -> Option<Duration> {
        self.wall.map(|cap| cap.saturating_sub(active))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(tokens: u64, micros: u64) -> Usage {
        Usage { tokens_in: tokens, tokens_out: 0, cost: Usd::from_micros(micros) }
    }

    /// BU-01: caps refuse, the reserve is kept for the final answer, free effects always pass.
    #[test]
    fn caps_and_reserve() {
        let budget = Budget { cost: Some(Usd::from_micros(1_000)), tokens: Some(100), wall: None, reserve_percent: 10 };
        for (spent, next, purse, want) in [
            (usage(0, 0), usage(50, 500), Purse::Ordinary, None),
            (usage(50, 500), usage(0, 400), Purse::Ordinary, None),
            (usage(50, 500), usage(0, 401), Purse::Ordinary, Some(Cap::Cost)),
            (usage(50, 500), usage(0, 401), Purse::Reserve, None),
            (usage(50, 500), usage(0, 501), Purse::Reserve, Some(Cap::Cost)),
            (usage(80, 0), usage(15, 0), Purse::Ordinary, Some(Cap::Tokens)),
            (usage(80, 0), usage(15, 0), Purse::Reserve, None),
            (usage(900, 9_000), usage(0, 0), Purse::Ordinary, None),
        ] {
            assert_eq!(budget.refuses(spent, next, purse), want, "{spent:?} + {next:?} from {purse:?}");
        }
    }

    #[test]
    fn no_cap_refuses_nothing() {
        let huge = usage(u64::MAX, u64::MAX);
        assert_eq!(Budget::default().refuses(huge, huge, Purse::Ordinary), None);
    }

    #[test]
    fn wall_time_runs_out_but_not_below_zero() {
        let budget = Budget { wall: Some(Duration::from_secs(10)), ..Budget::default() };
        assert_eq!(budget.wall_left(Duration::from_secs(4)), Some(Duration::from_secs(6)));
        assert_eq!(budget.wall_left(Duration::from_secs(40)), Some(Duration::ZERO));
        assert_eq!(Budget::default().wall_left(Duration::MAX), None);
    }
}
