//! How fast somebody else's server is asked: a burst, then one request per gap.
//!
//! It keeps no clock. Moments are durations since a beginning that the caller chose.

use std::time::Duration;

/// The pace of requests to one server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pace {
    gap: Duration,
    burst: u32,
    /// When the requests taken so far would all have been sent, one per gap.
    due: Duration,
    /// Nothing starts before this moment.
    held: Duration,
}

impl Pace {
    /// One request per `gap`; after a pause, `burst` of them at once.
    pub(crate) fn new(gap: Duration, burst: u32) -> Self {
        Self { gap, burst: burst.max(1), due: Duration::ZERO, held: Duration::ZERO }
    }

    /// Takes the next place and says when it is.
    pub(crate) fn take(&mut self, now: Duration) -> Duration {
        let at_once = self.gap.saturating_mul(self.burst.saturating_sub(1));
        let start = now.max(self.due.saturating_sub(at_once)).max(self.held);
        self.due = self.due.max(start).saturating_add(self.gap);
        start
    }

    /// The last place was used later than it was given: the next one keeps its distance from that.
    pub(crate) fn used(&mut self, now: Duration) {
        self.due = self.due.max(now.saturating_add(self.gap));
    }

    /// Lets nothing start before `until`: the server asked for it.
    pub(crate) fn hold(&mut self, until: Duration) {
        self.held = self.held.max(until);
    }

    /// Goes on no faster than one request per `gap`, without bursts.
    pub(crate) fn slow(&mut self, gap: Duration) {
        if gap > self.gap {
            *self = Self { gap, burst: 1, ..*self };
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// HR-17: a place that was used late moves the next one, one that was used in time does not.
    #[test]
    fn late_ones_keep_their_distance() {
        let ms = Duration::from_millis;
        let mut pace = Pace::new(ms(10), 1);
        assert_eq!(pace.take(ms(0)), ms(0));
        pace.used(ms(0));
        assert_eq!(pace.take(ms(1)), ms(10));
        pace.used(ms(17));
        assert_eq!(pace.take(ms(18)), ms(27));
    }

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_burst_then_one_per_gap() {
        let mut pace = Pace::new(ms(100), 3);
        let starts: Vec<Duration> = (0..5).map(|_| pace.take(ms(1_000))).collect();
        assert_eq!(starts, [ms(1_000), ms(1_000), ms(1_000), ms(1_100), ms(1_200)]);
        assert_eq!(pace.take(ms(9_000)), ms(9_000), "a pause brings the burst back");
        assert_eq!(pace.take(ms(9_000)), ms(9_000));
    }

    #[test]
    fn a_server_can_ask_for_more_time() {
        let mut pace = Pace::new(ms(100), 2);
        pace.hold(ms(5_000));
        assert_eq!([pace.take(ms(0)), pace.take(ms(0)), pace.take(ms(0))], [ms(5_000), ms(5_000), ms(5_100)]);
        pace.slow(ms(1_000));
        let first = pace.take(ms(20_000));
        assert_eq!((first, pace.take(ms(20_000))), (ms(20_000), ms(21_000)));
        pace.slow(ms(10));
        assert_eq!(pace.take(ms(20_000)), ms(22_000), "a wish to be faster is none");
    }

    proptest! {
        /// In no stretch of time start more than a burst and one per gap.
        #[test]
        fn no_stretch_is_fuller_than_allowed(gap in 1..200_u64, burst in 1..6_u32, waits in prop::collection::vec(0..300_u64, 1..40)) {
            let mut pace = Pace::new(ms(gap), burst);
            let mut now = 0;
            let starts: Vec<u64> = waits.iter().map(|wait| {
                now += wait;
                let start = pace.take(ms(now));
                u64::try_from(start.as_millis()).unwrap()
            }).collect();
            for (i, from) in starts.iter().enumerate() {
                for (j, to) in starts.iter().enumerate().skip(i) {
                    prop_assert!((j - i) as u64 <= u64::from(burst) + (to - from) / gap, "{:?}", starts);
                }
            }
        }
    }
}
