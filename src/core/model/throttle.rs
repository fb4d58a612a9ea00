//! How fast the host of a model is asked: as fast as questions come, until it says that this is too fast. Then everybody waits, and they go on one
//! after the other until it is content again.
//!
//! It keeps no clock. Moments are durations since a beginning that the caller chose.

use std::time::Duration;

/// The first gap between questions after a refusal, and the longest.
const FIRST_GAP: Duration = Duration::from_millis(250);
const LONGEST_GAP: Duration = Duration::from_secs(4);

/// The pace of questions to one host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Throttle {
    gap: Duration,
    /// The earliest moment of the next question.
    next: Duration,
    /// Nothing starts before this moment.
    held: Duration,
}

impl Throttle {
    /// Takes the next place and says when it is.
    pub(crate) fn take(&mut self, now: Duration) -> Duration {
        let start = now.max(self.next).max(self.held);
        if !self.gap.is_zero() {
            self.next = start.saturating_add(self.gap);
        }
        start
    }

    /// Whether a place that was given is still good: a refusal may have come after it.
    pub(crate) fn may_start(&self, now: Duration) -> bool {
        self.held <= now
    }

    /// The host has too much to do, and wants to be left alone for a while.
    pub(crate) fn refused(&mut self, now: Duration, wait: Duration) {
        let until = now.saturating_add(wait);
        // Refusals of questions that were under way together are one.
        if self.held <= now {
            self.gap = self.gap.saturating_mul(2).clamp(FIRST_GAP, LONGEST_GAP);
        }
        self.held = self.held.max(until);
        self.next = self.next.max(self.held);
    }

    /// It answered: it can be asked faster again.
    pub(crate) fn answered(&mut self) {
        self.gap /= 2;
        if self.gap < FIRST_GAP / 8 {
            self.gap = Duration::ZERO;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// ST-01: one refusal holds everybody, and they go on one after the other.
    #[test]
    fn a_refusal_slows_everybody() {
        let mut host = Throttle::default();
        assert_eq!([host.take(ms(0)), host.take(ms(0)), host.take(ms(0))], [ms(0); 3], "nobody waits without a reason");
        host.refused(ms(100), ms(1_000));
        host.refused(ms(120), ms(1_000));
        assert!(!host.may_start(ms(500)));
        assert_eq!([host.take(ms(500)), host.take(ms(500))], [ms(1_120), ms(1_370)], "two of one wave count once");
        host.refused(ms(1_200), ms(500));
        assert_eq!([host.take(ms(1_300)), host.take(ms(1_300))], [ms(1_700), ms(2_200)]);
        for _ in 0..6 {
            host.answered();
        }
        let late = ms(9_000);
        assert_eq!([host.take(late), host.take(late)], [late, late], "what is over is over");
    }
}
