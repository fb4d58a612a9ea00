//! What an effect used: tokens and money. Money is a whole number of micro-dollars, so that a
//! sum over the journal is exact.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

/// An amount of US dollars, in millionths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Usd(u64);

impl Usd {
    pub(crate) const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// Rounds to the nearest millionth. Negative and non-finite amounts are refused.
    pub(crate) fn from_dollars(dollars: f64) -> Option<Self> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be in range")]
        (dollars.is_finite() && (0.0..=1e9).contains(&dollars)).then(|| Self((dollars * 1e6).round() as u64))
    }

    pub(crate) fn micros(self) -> u64 {
        self.0
    }

    pub(crate) fn dollars(self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "for display; sums stay whole")]
        let micros = self.0 as f64;
        micros / 1e6
    }
}

impl Add for Usd {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl fmt::Display for Usd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${:.4}", self.dollars())
    }
}

/// Tokens and money of one effect, or of many together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Usage {
    pub(crate) tokens_in: u64,
    pub(crate) tokens_out: u64,
    pub(crate) cost: Usd,
    /// There is a cost besides `cost` that nobody told and no price list knows. It is never shown as zero.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) cost_unknown: bool,
}

impl Usage {
    /// Tokens and dollars, for people.
    pub(crate) fn in_words(self) -> String {
        let tokens = self.tokens_in.saturating_add(self.tokens_out);
        match self.known_cost() {
            Some(cost) => format!("{tokens} tokens, ${:.4}", cost.dollars()),
            None => format!("{tokens} tokens, cost unknown"),
        }
    }

    pub(crate) const ZERO: Self = Self { tokens_in: 0, tokens_out: 0, cost: Usd(0), cost_unknown: false };

    /// The cost as it may be shown: nothing at all when it is not known.
    pub(crate) fn known_cost(self) -> Option<Usd> {
        (!self.cost_unknown).then_some(self.cost)
    }

    /// Whether it uses anything that a cap of money or tokens counts.
    pub(crate) fn is_anything(self) -> bool {
        self.tokens() > 0 || self.cost > Usd(0) || self.cost_unknown
    }

    pub(crate) fn tokens(self) -> u64 {
        self.tokens_in.saturating_add(self.tokens_out)
    }
}

impl Add for Usage {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            tokens_in: self.tokens_in.saturating_add(other.tokens_in),
            tokens_out: self.tokens_out.saturating_add(other.tokens_out),
            cost: self.cost + other.cost,
            cost_unknown: self.cost_unknown || other.cost_unknown,
        }
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Usage {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_exact() {
        let tenth = Usd::from_dollars(0.1).unwrap();
        let sum = (0..10).fold(Usd::default(), |sum, _| sum + tenth);
        assert_eq!(sum, Usd::from_dollars(1.0).unwrap());
        assert_eq!(sum.to_string(), "$1.0000");
    }

    #[test]
    fn impossible_money_is_refused() {
        for dollars in [-0.01, f64::NAN, f64::INFINITY, 1e12] {
            assert_eq!(Usd::from_dollars(dollars), None);
        }
    }
}
