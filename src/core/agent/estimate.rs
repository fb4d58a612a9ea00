//! HR-10: what a hosted research will take, before it is started. No model is asked and nothing is spent.
//!
//! It begins with what the provider publishes for its agents and is corrected by the runs that finished here: by the
//! median of how far they were from that beginning, so that one odd run moves little. Runs of the same complexity count
//! most; runs of another one tell how far the published figures are off in general.

mod complexity;

use serde::{Deserialize, Serialize};

pub(crate) use self::complexity::{Complexity, complexity};
use crate::core::base::limits;
use crate::core::money::usage::Usd;

/// A finished run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Past {
    pub(crate) complexity: Complexity,
    /// Nothing is taken as not known.
    pub(crate) actual: Usd,
    /// Nothing is taken as not known.
    pub(crate) duration_ms: u64,
    /// What was told before it was started.
    pub(crate) estimated: Option<Usd>,
    pub(crate) estimated_ms: Option<u64>,
}

/// `min <= likely <= max`, always.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Range<T> {
    pub(crate) min: T,
    pub(crate) likely: T,
    pub(crate) max: T,
}

/// What a run will take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Estimate {
    pub(crate) complexity: Complexity,
    pub(crate) duration_ms: Range<u64>,
    pub(crate) cost: Range<Usd>,
    /// Finished runs that the estimate rests on.
    pub(crate) runs: u32,
    /// Those among them of the same complexity.
    pub(crate) runs_alike: u32,
    /// How far earlier estimates of cost were off, in percent of the actual cost: the median.
    pub(crate) cost_error_percent: Option<u32>,
    /// The same for durations.
    pub(crate) duration_error_percent: Option<u32>,
}

/// The estimate for a question to an agent. `past` are runs of that agent, newest first.
pub(crate) fn estimate(query: &str, agent: &str, past: &[Past]) -> Estimate {
    let complexity = complexity(query);
    let past = past.get(..limits::PAST_RUNS as usize).unwrap_or(past);
    let usable = |run: &&Past| run.actual > Usd::default() || run.duration_ms > 0;
    let alike = |run: &&Past| run.complexity == complexity;
    let count = |runs: usize| u32::try_from(runs).unwrap_or(u32::MAX);
    let micros = corrected(complexity, past, |of| published_cost(agent, of), |run| run.actual.micros());
    Estimate {
        complexity,
        duration_ms: corrected(complexity, past, published_time, |run| run.duration_ms),
        cost: Range {
            min: Usd::from_micros(micros.min),
            likely: Usd::from_micros(micros.likely),
            max: Usd::from_micros(micros.max),
        },
        runs: count(past.iter().filter(usable).count()),
        runs_alike: count(past.iter().filter(usable).filter(alike).count()),
        cost_error_percent: error_percent(past.iter().map(|run| (run.estimated.map(Usd::micros), run.actual.micros()))),
        duration_error_percent: error_percent(past.iter().map(|run| (run.estimated_ms, run.duration_ms))),
    }
}

/// How long a run that has taken `elapsed_ms` will still take. `None`: it rests on no run, or this one takes longer than
/// any estimate, and then nobody knows.
pub(crate) fn eta_ms(estimate: &Estimate, elapsed_ms: u64) -> Option<u64> {
    let Range { likely, max, .. } = estimate.duration_ms;
    if estimate.runs == 0 || elapsed_ms > max {
        return None;
    }
    // A run that has taken its likely time is not about to end: half of the way to the longest is left on average.
    let late = ((max - likely) / 2).min(likely);
    let share = |part: u64, of: u64, whole: u64| {
        let exact = u128::from(part) * u128::from(whole) / u128::from(of.max(1));
        u64::try_from(exact).unwrap_or(u64::MAX)
    };
    Some(if elapsed_ms < likely {
        late + share(likely - elapsed_ms, likely, likely - late)
    } else {
        share(max - elapsed_ms, max - likely, late)
    })
}

impl Estimate {
    /// Whether a call that waits for `window_ms` will likely get a task id instead of the report. The hosted agents only
    /// run in the background and take minutes, so this is true unless the runs that finished here say otherwise.
    pub(crate) fn will_likely_go_async(&self, window_ms: u64) -> bool {
        self.duration_ms.likely > window_ms
    }
}

/// What to make of an estimate, for people.
pub(crate) fn recommendation(estimate: &Estimate) -> String {
    let Estimate { complexity, duration_ms, cost, runs, runs_alike, cost_error_percent, duration_error_percent: _ } =
        estimate;
    let minutes = |ms: u64| ms.saturating_add(30_000) / 60_000;
    let mut text = format!(
        "A {} question: about {} min ({} to {}) and ${:.2} (${:.2} to ${:.2}). The agent runs in the background: a \
         task id comes back at once, and the report is kept with the task.",
        complexity.name(),
        minutes(duration_ms.likely),
        minutes(duration_ms.min),
        minutes(duration_ms.max),
        cost.likely.dollars(),
        cost.min.dollars(),
        cost.max.dollars(),
    );
    text.push_str(&match (runs, runs_alike) {
        (0, _) => " No run has finished here yet; the figures are the provider's published ranges.".to_owned(),
        (1, alike) => format!(" This rests on one finished run, {alike} of this complexity."),
        (runs, alike) => format!(" This rests on {runs} finished runs, {alike} of this complexity."),
    });
    if let Some(percent) = cost_error_percent {
        text.push_str(&format!(" Half of the earlier estimates were off by {percent} % of the cost or less."));
    }
    if *complexity == Complexity::Complex {
        text.push_str(" A narrower question is quicker and cheaper; a budget caps what it may cost.");
    }
    text
}

const MINUTE: u64 = 60_000;
const CENT: u64 = 10_000;

/// Milliseconds. The provider says: most runs take less than 20 minutes, none more than 60.
fn published_time(complexity: Complexity) -> Range<u64> {
    let (min, likely, max) = match complexity {
        Complexity::Simple => (4, 6, 10),
        Complexity::Medium => (8, 12, 20),
        Complexity::Complex => (15, 25, 45),
    };
    Range { min: min * MINUTE, likely: likely * MINUTE, max: max * MINUTE }
}

/// Micro-dollars. The provider says: $1 to $3 a run, and $3 to $7 with the larger agent.
fn published_cost(agent: &str, complexity: Complexity) -> Range<u64> {
    let (min, likely, max) = match (agent.contains("max"), complexity) {
        (false, Complexity::Simple) => (100, 130, 200),
        (false, Complexity::Medium) => (130, 200, 300),
        (false, Complexity::Complex) => (180, 250, 300),
        (true, Complexity::Simple) => (300, 350, 500),
        (true, Complexity::Medium) => (300, 400, 600),
        (true, Complexity::Complex) => (350, 500, 700),
    };
    Range { min: min * CENT, likely: likely * CENT, max: max * CENT }
}

/// The published figure counts as much as this many runs that spread as widely as it says.
const PUBLISHED_RUNS: f64 = 3.0;

/// Runs as natural logarithms of how far they were from the published figure of their complexity.
struct Ratios(Vec<f64>);

impl Ratios {
    fn new(mut ratios: Vec<f64>) -> Self {
        ratios.sort_by(f64::total_cmp);
        Self(ratios)
    }

    #[expect(clippy::cast_precision_loss, reason = "a few hundred at most")]
    fn count(&self) -> f64 {
        self.0.len() as f64
    }

    /// The ratio below which `percent` of all are; nothing for none.
    fn quantile(&self, percent: usize) -> f64 {
        let last = self.0.len().saturating_sub(1);
        let at = |index: usize| self.0.get(index).copied().unwrap_or(0.0);
        let (below, above) = (last * percent / 100, (last * percent).div_ceil(100));
        f64::midpoint(at(below), at(above))
    }

    /// The median, drawn to `beginning` as far as the runs are few or spread more widely than `width`. Runs that
    /// agree with each other are believed soon.
    fn centre(&self, beginning: f64, width: f64) -> f64 {
        let count = self.count();
        if count == 0.0 {
            return beginning;
        }
        let median = self.quantile(50);
        let spread = (self.quantile(90) - self.quantile(10)) / 2.0;
        let variance = (width * width + (count - 1.0) * spread * spread) / count;
        let weight = PUBLISHED_RUNS * (variance / (width * width)).min(1.0);
        (count * median + weight * beginning) / (count + weight)
    }

    /// How far a range goes to one side, from what is published and what was seen.
    fn side(&self, published: f64, seen: f64) -> f64 {
        let count = self.count();
        ((PUBLISHED_RUNS * published * published + count * seen * seen) / (PUBLISHED_RUNS + count)).sqrt()
    }
}

/// The published range of a complexity, corrected by runs.
fn corrected(
    complexity: Complexity,
    past: &[Past],
    published: impl Fn(Complexity) -> Range<u64>,
    actual: impl Fn(&Past) -> u64,
) -> Range<u64> {
    let ratios = |alike: bool| {
        let runs = past.iter().filter(|run| (run.complexity == complexity) == alike && actual(run) > 0);
        Ratios::new(runs.map(|run| log_ratio(actual(run), published(run.complexity).likely)).collect())
    };
    let (alike, others) = (ratios(true), ratios(false));
    let Range { min, likely, max } = published(complexity);
    let (down, up) = (log_ratio(likely, min), log_ratio(max, likely));
    let width = f64::midpoint(down, up);
    let centre = alike.centre(others.centre(0.0, width), width);
    let down = alike.side(down, alike.quantile(50) - alike.quantile(10));
    let up = alike.side(up, alike.quantile(90) - alike.quantile(50));
    Range { min: scaled(likely, centre - down), likely: scaled(likely, centre), max: scaled(likely, centre + up) }
}

#[expect(clippy::cast_precision_loss, reason = "a ratio of measured amounts")]
fn log_ratio(amount: u64, to: u64) -> f64 {
    (amount.max(1) as f64 / to.max(1) as f64).ln()
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "never negative, and a cast of more than fits gives the most that fits"
)]
fn scaled(amount: u64, by: f64) -> u64 {
    (amount as f64 * by.exp()).round() as u64
}

/// The median of how far estimates were off, in percent of the actual amounts.
fn error_percent(pairs: impl Iterator<Item = (Option<u64>, u64)>) -> Option<u32> {
    let off = pairs.filter_map(|(estimated, actual)| {
        let percent = u128::from(estimated?.abs_diff(actual)) * 100 / u128::from((actual > 0).then_some(actual)?);
        Some(u32::try_from(percent).unwrap_or(u32::MAX))
    });
    let mut off: Vec<u32> = off.collect();
    off.sort_unstable();
    off.get(off.len().saturating_sub(1) / 2).copied()
}

#[cfg(test)]
mod tests;
