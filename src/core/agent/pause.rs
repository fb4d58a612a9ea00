//! The wait before the next poll of a run, and before the next try of a refused create.

use std::time::Duration;

use crate::core::base::limits;

/// How a run is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PollPace {
    /// Now and then.
    Calm,
    /// A stream tells the end, so looks are only for the case that it lies.
    Streaming,
    /// It is over or nearly so.
    Hurried,
}

/// The wait before the next look at a run: short at first, the interval from then on, longer while looking fails, and
/// never the same for two runs. `dice` is any number.
pub(crate) fn pause(age: Duration, interval: Duration, pace: PollPace, failures: u32, dice: u64) -> Duration {
    let calm = match pace {
        PollPace::Calm => (age / 4).clamp(interval / 10, interval),
        PollPace::Streaming => (age / 4).clamp(interval / 10, interval * 3),
        PollPace::Hurried => interval / 10,
    };
    let wait =
        if failures == 0 { calm } else { (interval * 2_u32.saturating_pow(failures.min(8))).min(longest(interval)) };
    // Between 80 and 120 percent: runs that were started together drift apart.
    let share = 80 + u32::try_from(dice % 41).unwrap_or(20);
    wait * share / 100
}

fn longest(interval: Duration) -> Duration {
    limits::POLL_LONGEST.max(interval)
}

/// The wait before the next try of a create that was refused without a word about when.
pub(crate) fn backoff(refused: u32) -> Duration {
    Duration::from_secs(2_u64.saturating_pow(refused.clamp(1, 6) - 1).min(60))
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERVAL: Duration = Duration::from_secs(10);

    /// HR-14: looks go on for ever, ever less often, and not in step with each other.
    #[test]
    fn the_pause_grows_with_age_and_failures_within_its_bounds() {
        let secs =
            |age, failures, dice| pause(Duration::from_secs(age), INTERVAL, PollPace::Calm, failures, dice).as_millis();
        for (age, failures, least, most) in [
            (0, 0, 800, 1_200),
            (12, 0, 2_400, 3_600),
            (3_600, 0, 8_000, 12_000),
            (3_600, 1, 16_000, 24_000),
            (3_600, 2, 32_000, 48_000),
            (3_600, 40, 48_000, 72_000),
        ] {
            for dice in [0, 20, 40, 41, u64::MAX] {
                let pause = secs(age, failures, dice);
                assert!((least..=most).contains(&pause), "{age} s, {failures} failures, dice {dice}: {pause}");
            }
            assert_ne!(secs(age, failures, 0), secs(age, failures, 40));
        }
    }

    #[test]
    fn a_short_interval_is_kept_short() {
        let tiny = Duration::from_millis(20);
        assert!(pause(Duration::from_secs(60), tiny, PollPace::Calm, 0, 40) <= tiny * 120 / 100);
        assert!(pause(Duration::ZERO, tiny, PollPace::Calm, 0, 0) > Duration::ZERO);
        let old = Duration::from_secs(3_600);
        let paces = [PollPace::Hurried, PollPace::Calm, PollPace::Streaming]
            .map(|pace| pause(old, INTERVAL, pace, 0, 20).as_secs());
        assert_eq!(paces, [1, 10, 30]);
    }

    #[test]
    fn backoff_doubles_up_to_a_minute() {
        let waits: Vec<u64> = (1..9).map(|n| backoff(n).as_secs()).collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 32, 32]);
    }
}
