//! Hard caps of a task and the rule that keeps it inside them.
//!
//! The sum over the journal is the only account: it survives a crash. A part of every cap is held
//! back as a reserve, so that a task that reaches its cap can still write its answer.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::core::base::dates;
use crate::core::base::error::{Code, Error, Result};
use crate::core::money::usage::{Usage, Usd};

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
pub(crate) enum ReserveAccess {
    Denied,
    Allowed,
}

impl Budget {
    /// The cap that stands in the way of using `next` more after `spent`, if one does. `spent` holds what
    /// is finished and what is promised to effects in flight.
    pub(crate) fn refuses(&self, spent: Usage, next: Usage, reserve_access: ReserveAccess) -> Option<Cap> {
        let total = spent + next;
        let limit = |cap: u64| match reserve_access {
            ReserveAccess::Allowed => cap,
            ReserveAccess::Denied => cap - cap / 100 * u64::from(self.reserve_percent.min(100)),
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

/// A cap over many tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SpendCap {
    /// "day" or "month".
    pub(crate) per: &'static str,
    /// When it began, in milliseconds since 1970.
    pub(crate) since_ms: i64,
    pub(crate) most: Usd,
}

impl SpendCap {
    /// The caps that count at a moment: of its day and of its month, in UTC.
    pub(crate) fn at(now_ms: i64, day: Option<Usd>, month: Option<Usd>) -> Vec<Self> {
        let day = day.map(|most| Self { per: "day", since_ms: dates::day_start(now_ms), most });
        let month = month.map(|most| Self { per: "month", since_ms: dates::month_start(now_ms), most });
        day.into_iter().chain(month).collect()
    }

    /// Refuses what would go beyond it, before anything is paid.
    pub(crate) fn admit(&self, spent: Usd, next: Usd) -> Result<()> {
        if spent + next <= self.most {
            return Ok(());
        }
        let Self { per, most, .. } = self;
        let message = format!(
            "the cap of {most} a {per} stands in the way: {spent} is spent or promised, this research is estimated at {next}"
        );
        Err(Error::new(Code::BudgetExceeded, message)
            .hint(format!("nothing was started; wait for the next {per}, or raise `budget.{per}_usd`")))
    }
}

/// BU-01: what is estimated to cost more than it may is not begun.
pub(crate) fn admit(cap: Option<Usd>, estimated: Usd) -> Result<()> {
    match cap {
        Some(cap) if estimated > cap => Err(Error::new(
            Code::BudgetExceeded,
            format!("the research is estimated at {estimated}, and its budget is {cap}; nothing was started"),
        )
        .hint("raise `budget_usd` (or `budget.cost_usd` in the settings), or ask a narrower question")),
        _ => Ok(()),
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
        for (spent, next, reserve_access, want) in [
            (usage(0, 0), usage(50, 500), ReserveAccess::Denied, None),
            (usage(50, 500), usage(0, 400), ReserveAccess::Denied, None),
            (usage(50, 500), usage(0, 401), ReserveAccess::Denied, Some(Cap::Cost)),
            (usage(50, 500), usage(0, 401), ReserveAccess::Allowed, None),
            (usage(50, 500), usage(0, 501), ReserveAccess::Allowed, Some(Cap::Cost)),
            (usage(80, 0), usage(15, 0), ReserveAccess::Denied, Some(Cap::Tokens)),
            (usage(80, 0), usage(15, 0), ReserveAccess::Allowed, None),
            (usage(900, 9_000), usage(0, 0), ReserveAccess::Denied, None),
        ] {
            assert_eq!(
                budget.refuses(spent, next, reserve_access),
                want,
                "{spent:?} + {next:?} from {reserve_access:?}"
            );
        }
    }

    /// BU-01: the last dollar may be spent, not one more.
    #[test]
    fn caps_over_many_tasks() {
        let usd = Usd::from_micros;
        let caps = SpendCap::at(1_794_733_371_045, Some(usd(10)), Some(usd(100)));
        let [day, month] = caps[..] else { panic!("{caps:?}") };
        assert!(month.since_ms < day.since_ms && day.since_ms <= 1_794_733_371_045);
        assert!(day.admit(usd(4), usd(6)).is_ok());
        let refused = day.admit(usd(4), usd(7)).unwrap_err();
        assert_eq!(refused.code, Code::BudgetExceeded);
        assert!(refused.message.contains("a day") && refused.hints.concat().contains("budget.day_usd"), "{refused}");
        assert!(SpendCap::at(0, None, None).is_empty());
        assert!(admit(None, usd(u64::MAX)).is_ok() && admit(Some(usd(5)), usd(5)).is_ok());
        assert_eq!(admit(Some(usd(5)), usd(6)).unwrap_err().code, Code::BudgetExceeded);
    }

    #[test]
    fn no_cap_refuses_nothing() {
        let huge = usage(u64::MAX, u64::MAX);
        assert_eq!(Budget::default().refuses(huge, huge, ReserveAccess::Denied), None);
    }

    #[test]
    fn wall_time_runs_out_but_not_below_zero() {
        let budget = Budget { wall: Some(Duration::from_secs(10)), ..Budget::default() };
        assert_eq!(budget.wall_left(Duration::from_secs(4)), Some(Duration::from_secs(6)));
        assert_eq!(budget.wall_left(Duration::from_secs(40)), Some(Duration::ZERO));
        assert_eq!(Budget::default().wall_left(Duration::MAX), None);
    }
}
