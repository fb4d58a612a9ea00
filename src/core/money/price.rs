//! What tokens and searches cost: list prices as data with dates, and exact arithmetic over them.
//!
//! A figure made here is what the list says, not a bill: the searches that are free every month are counted at full
//! price, because they are shared by everything else that the same project does. It must not read a clock; the moment of
//! the use decides the price, so that a cost is the same whenever it is added up.

mod table;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use self::table::{ROWS, Row};
use crate::core::money::usage::{Usage, Usd};

/// What one run used, as the provider counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Tokens {
    /// The prompt, with what came from the cache.
    pub(crate) input: u64,
    /// The part of `input` that came from the cache.
    pub(crate) cached: u64,
    /// The answer, without thoughts.
    pub(crate) output: u64,
    pub(crate) thought: u64,
    /// What tools put into the prompt; not in `input`.
    pub(crate) tool_use: u64,
    pub(crate) searches: u64,
}

impl Tokens {
    /// All of them, as a cap of tokens counts them.
    pub(crate) fn total(self) -> u64 {
        [self.output, self.thought, self.tool_use].into_iter().fold(self.input, u64::saturating_add)
    }
}

/// A cost, and whether the table knows the name it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Quote {
    pub(crate) cost: Usd,
    /// `false`: there is no row for that name, and the row with the most similar name was taken.
    pub(crate) known: bool,
}

/// What `tokens` cost with the model or agent `name` at `at_ms` (milliseconds since 1970). Rounded once, half up.
pub(crate) fn cost(name: &str, at_ms: i64, tokens: Tokens) -> Quote {
    let (row, known) = row(name, day(at_ms));
    Quote { cost: row.cost(tokens), known }
}

/// Whether the table has a price of its own for the model or agent `name`.
pub(crate) fn is_known(name: &str) -> bool {
    ROWS.iter().any(|row| row.names.contains(&bare(name)))
}

/// The most that `tokens` ever cost with the model `name`; nothing when the table does not know it.
pub(crate) fn most(name: &str, tokens: Tokens) -> Usd {
    let own = ROWS.iter().filter(|row| row.names.contains(&bare(name)));
    own.map(|row| row.cost(tokens)).max().unwrap_or_default()
}

/// The most that `tokens` are expected to cost with the model or agent `name`; of a name that is not in the table, what the most
/// similar one costs, as when it is booked.
pub(crate) fn expected(name: &str, tokens: Tokens) -> Usage {
    let cost = if is_known(name) { most(name, tokens) } else { row(name, day(i64::MAX)).0.cost(tokens) };
    Usage { cost, ..usage(name, 0, tokens) }
}

/// Tokens and money in the form that the journal adds up.
pub(crate) fn usage(name: &str, at_ms: i64, tokens: Tokens) -> Usage {
    Usage {
        tokens_in: tokens.input.saturating_add(tokens.tool_use),
        tokens_out: tokens.output.saturating_add(tokens.thought),
        cost: cost(name, at_ms, tokens).cost,
        ..Usage::ZERO
    }
}

/// Rates are for so many tokens.
const PER: u128 = 1_000_000;

/// Year, month and day in UTC, which sort as they follow each other.
type Day = (i32, u8, u8);

fn day(at_ms: i64) -> Day {
    let beyond = if at_ms < 0 { (i32::MIN, 1, 1) } else { (i32::MAX, 12, 31) };
    OffsetDateTime::from_unix_timestamp(at_ms.div_euclid(1_000)).map_or(beyond, |moment| {
        let (year, month, day) = moment.to_calendar_date();
        (year, month.into(), day)
    })
}

fn bare(name: &str) -> &str {
    name.trim().trim_start_matches("models/").trim_start_matches("agents/")
}

/// The row for a name at a day, and whether it is that name's own. Of rows with equally similar names the dearest is
/// taken: a cap on spending must not be passed because a name is new.
fn row(name: &str, day: Day) -> (&'static Row, bool) {
    let name = bare(name);
    let valid = || ROWS.iter().filter(|row| row.holds(day));
    let own = valid().find(|row| row.names.contains(&name)).map(|row| (row, true));
    let nearest = || valid().max_by_key(|row| (row.likeness(name), row.rates.output)).map(|row| (row, false));
    // Every day has rows: the tests of the table see to it.
    own.or_else(nearest).unwrap_or((&ROWS[0], false))
}

impl Row {
    fn cost(&self, tokens: Tokens) -> Usd {
        let rates = match self.above {
            Some((prompt, rates)) if tokens.input > prompt => rates,
            _ => self.rates,
        };
        let cached = tokens.cached.min(tokens.input);
        // 128 bits hold every sum of products of 64-bit counts and 32-bit rates: nothing overflows before the end.
        let wide = |count: u64| u128::from(count);
        let millionths = (wide(tokens.input - cached) + wide(tokens.tool_use)) * u128::from(rates.input)
            + wide(cached) * u128::from(rates.cached)
            + (wide(tokens.output) + wide(tokens.thought)) * u128::from(rates.output)
            + wide(tokens.searches) * u128::from(self.search) * PER;
        let micros = (millionths + PER / 2) / PER;
        Usd::from_micros(u64::try_from(micros).unwrap_or(u64::MAX))
    }

    fn holds(&self, day: Day) -> bool {
        self.from.is_none_or(|from| from <= day) && self.until.is_none_or(|until| day <= until)
    }

    /// How many characters the beginning of `name` shares with the most similar name of the row.
    fn likeness(&self, name: &str) -> usize {
        let common = |own: &&str| own.chars().zip(name.chars()).take_while(|(a, b)| a == b).count();
        self.names.iter().map(common).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests;
