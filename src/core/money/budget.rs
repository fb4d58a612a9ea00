//! Hard caps of a task and the rule that keeps it inside them.
//!
//! The sum over the journal is the only account: it survives a crash. A part of every cap is held
//! back as a reserve, so that a task that reaches its cap can still write its answer.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::{dates, limits};
use crate::core::money::usage::{Usage, Usd};

/// What a task may use; `None` is no cap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Budget {
    pub(crate) cost: Option<Usd>,
    pub(crate) tokens: Option<u64>,
    pub(crate) wall: Option<Duration>,
    /// The share of cost and tokens, in percent, that only the final answer may use, if it is not expected to need more.
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
    /// The cap that stands in the way of using `next` more after `spent`, if one does. `spent` holds what is finished and what is
    /// promised to effects in flight; `reserve` is what the final answer is expected to use.
    pub(crate) fn refuses(&self, spent: Usage, next: Usage, access: ReserveAccess, reserve: Usage) -> Option<Cap> {
        // What uses nothing is refused by no cap of money or tokens.
        if !next.is_anything() {
            return None;
        }
        let over = |cap: u64, spent: u64, next: u64, reserve: u64| {
            let floor = cap / 100 * u64::from(self.reserve_percent.min(100));
            let limit = match access {
                ReserveAccess::Allowed => cap,
                ReserveAccess::Denied => cap.saturating_sub(reserve.max(floor)),
            };
            // A used-up cap refuses whatever is expected: an expectation can be too small.
            spent >= cap || (next > 0 && spent.saturating_add(next) > limit)
        };
        let cost = |usage: Usage| usage.cost.micros();
        if self.cost.is_some_and(|cap| over(cap.micros(), cost(spent), cost(next), cost(reserve))) {
            return Some(Cap::Cost);
        }
        let tokens = Usage::tokens;
        self.tokens.is_some_and(|cap| over(cap, tokens(spent), tokens(next), tokens(reserve))).then_some(Cap::Tokens)
    }

    /// How long before the end of the wall time a task stops looking, so that it can still write.
    pub(crate) fn wall_reserve(&self) -> Duration {
        self.wall.map_or(Duration::ZERO, |wall| (wall / 4).min(limits::WRITING_TIME))
    }

    /// What is left of the wall time after `active`; `None` is no cap.
    pub(crate) fn wall_left(&self, active: Duration) -> Option<Duration> {
        self.wall.map(|cap| cap.saturating_sub(active))
    }
}

/// Whose call it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Caller {
    /// The user of this machine, whose word counts above the settings.
    User,
    /// Somebody with a token of their own, who spends the user's money: a cap of the settings may be lowered and never raised.
    Guest,
}

impl Caller {
    /// The cap that counts: what the call says, and what the settings say.
    pub(crate) fn cap<T: Ord>(self, asked: Option<T>, set: Option<T>) -> Option<T> {
        match (self, asked, set) {
            (Self::Guest, Some(asked), Some(set)) => Some(asked.min(set)),
            (Self::User | Self::Guest, asked, set) => asked.or(set),
        }
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

    /// Refuses what would go beyond it, before anything is paid. What the user of the machine spends is no guest's business.
    pub(crate) fn admit(&self, spent: Usd, next: Usd, for_guest: bool) -> Result<()> {
        if spent + next <= self.most {
            return Ok(());
        }
        if for_guest {
            let message = "a spend cap of this server stands in the way; nothing was started";
            return Err(Error::new(Code::BudgetExceeded, message).hint("ask whoever runs the server"));
        }
        let Self { per, most, .. } = self;
        let message = format!(
            "the cap of {most} a {per} stands in the way: {spent} is spent or promised, this research is estimated at {next}"
        );
        Err(Error::new(Code::BudgetExceeded, message)
            .hint(format!("nothing was started; wait for the next {per}, or raise `budget.{per}_usd`")))
    }
}

/// BU-01: a cap in dollars cannot hold for models of which nobody knows what they cost; they are refused before the first question.
pub(crate) fn admit_models(cap: Option<Usd>, without_price: &[&str]) -> Result<()> {
    let Some(cap) = cap.filter(|_| !without_price.is_empty()) else { return Ok(()) };
    let message = format!(
        "there is a cap of {cap}, and no price is known for {}; nothing was asked",
        without_price.iter().map(|model| format!("`{model}`")).collect::<Vec<_>>().join(", ")
    );
    Err(Error::new(Code::PriceUnknown, message)
        .hint(
            "cap tokens instead (`budget_tokens`, or `budget.tokens` in the settings) and leave the cap in dollars out",
        )
        .hint("or use a model with a known price; models of Ollama and llama.cpp on your own machine count as free"))
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
        Usage { tokens_in: tokens, tokens_out: 0, cost: Usd::from_micros(micros), ..Usage::ZERO }
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
                budget.refuses(spent, next, reserve_access, Usage::ZERO),
                want,
                "{spent:?} + {next:?} from {reserve_access:?}"
            );
        }
    }

    /// PR-01: a used-up cap refuses whatever is expected; what the answer is expected to need is kept for it.
    #[test]
    fn pr_01_a_used_up_cap_refuses_and_the_answer_is_kept() {
        let budget = Budget { cost: Some(Usd::from_micros(1_000)), tokens: Some(100), wall: None, reserve_percent: 10 };
        let unpriced = usage(1, 0);
        let answer = usage(30, 600);
        for (spent, next, access, reserve, want) in [
            (usage(0, 1_000), unpriced, ReserveAccess::Allowed, Usage::ZERO, Some(Cap::Cost)),
            (usage(100, 0), usage(0, 1), ReserveAccess::Allowed, Usage::ZERO, Some(Cap::Tokens)),
            (usage(0, 999), usage(1, 1), ReserveAccess::Allowed, Usage::ZERO, None),
            (usage(0, 300), usage(1, 100), ReserveAccess::Denied, answer, None),
            (usage(0, 300), usage(1, 101), ReserveAccess::Denied, answer, Some(Cap::Cost)),
            (usage(0, 300), usage(1, 700), ReserveAccess::Allowed, answer, None),
            (usage(60, 0), usage(10, 0), ReserveAccess::Denied, answer, None),
            (usage(60, 0), usage(11, 0), ReserveAccess::Denied, answer, Some(Cap::Tokens)),
            (usage(0, 0), usage(1, 1), ReserveAccess::Denied, usage(200, 9_000), Some(Cap::Cost)),
            (usage(0, 0), usage(0, 1), ReserveAccess::Denied, usage(200, 0), None),
            (usage(900, 9_000), Usage::ZERO, ReserveAccess::Denied, answer, None),
            (
                usage(0, 1_000),
                Usage { cost_unknown: true, ..Usage::ZERO },
                ReserveAccess::Allowed,
                answer,
                Some(Cap::Cost),
            ),
        ] {
            assert_eq!(
                budget.refuses(spent, next, access, reserve),
                want,
                "{spent:?} + {next:?}, {access:?}, {reserve:?}"
            );
        }
    }

    #[test]
    fn time_for_writing_is_kept() {
        let wall = |seconds| Budget { wall: Some(Duration::from_secs(seconds)), ..Budget::default() }.wall_reserve();
        assert_eq!(
            [wall(8), wall(40), wall(100_000)],
            [Duration::from_secs(2), Duration::from_secs(10), limits::WRITING_TIME]
        );
        assert_eq!(Budget::default().wall_reserve(), Duration::ZERO);
    }

    /// BU-01: the last dollar may be spent, not one more.
    #[test]
    fn caps_over_many_tasks() {
        let usd = Usd::from_micros;
        let caps = SpendCap::at(1_794_733_371_045, Some(usd(10)), Some(usd(100)));
        let [day, month] = caps[..] else { panic!("{caps:?}") };
        assert!(month.since_ms < day.since_ms && day.since_ms <= 1_794_733_371_045);
        assert!(day.admit(usd(4), usd(6), false).is_ok());
        let refused = day.admit(usd(4), usd(7), false).unwrap_err();
        assert_eq!(refused.code, Code::BudgetExceeded);
        assert!(refused.message.contains("a day") && refused.hints.concat().contains("budget.day_usd"), "{refused}");
        assert!(SpendCap::at(0, None, None).is_empty());
        assert!(admit(None, usd(u64::MAX)).is_ok() && admit(Some(usd(5)), usd(5)).is_ok());
        assert_eq!(admit(Some(usd(5)), usd(6)).unwrap_err().code, Code::BudgetExceeded);
    }

    #[test]
    fn no_cap_refuses_nothing() {
        let huge = usage(u64::MAX, u64::MAX);
        assert_eq!(Budget::default().refuses(huge, huge, ReserveAccess::Denied, Usage::ZERO), None);
    }

    #[test]
    fn wall_time_runs_out_but_not_below_zero() {
        let budget = Budget { wall: Some(Duration::from_secs(10)), ..Budget::default() };
        assert_eq!(budget.wall_left(Duration::from_secs(4)), Some(Duration::from_secs(6)));
        assert_eq!(budget.wall_left(Duration::from_secs(40)), Some(Duration::ZERO));
        assert_eq!(Budget::default().wall_left(Duration::MAX), None);
    }

    /// BU-01: a guest lowers caps and never raises them; the user's word counts.
    #[test]
    fn whose_cap_counts() {
        for (asked, set, user, guest) in [
            (Some(5), Some(2), Some(5), Some(2)),
            (Some(1), Some(2), Some(1), Some(1)),
            (Some(5), None, Some(5), Some(5)),
            (None, Some(2), Some(2), Some(2)),
            (None, None, None, None),
        ] {
            assert_eq!((Caller::User.cap(asked, set), Caller::Guest.cap(asked, set)), (user, guest));
        }
    }
}
