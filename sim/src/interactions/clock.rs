//! The clock of the simulation: real time times a speed, and whatever it was moved by hand.

use std::time::{Duration, Instant};

/// Slack for sums of seconds that are not exact in binary.
const SLACK: f64 = 1e-6;

#[derive(Debug)]
pub(super) struct Clock {
    /// Simulated seconds at `since`.
    base: f64,
    since: Instant,
    speed: f64,
}

impl Clock {
    pub(super) fn start(speed: f64) -> Self {
        Self { base: 0.0, since: Instant::now(), speed }
    }

    /// Simulated seconds since the start.
    pub(super) fn now(&self) -> f64 {
        self.base + self.since.elapsed().as_secs_f64() * self.speed
    }

    pub(super) fn advance(&mut self, seconds: f64) {
        self.base += seconds;
    }

    pub(super) fn set_speed(&mut self, speed: f64) {
        *self = Self { base: self.now(), since: Instant::now(), speed };
    }

    /// Whether a moment has come.
    pub(super) fn is_past(&self, at: f64) -> bool {
        at <= self.now() + SLACK
    }

    /// The real time until a moment, but no more than `most`.
    pub(super) fn until(&self, at: f64, most: Duration) -> Duration {
        let seconds = (at - self.now()) / self.speed;
        if seconds.is_finite() { most.min(Duration::from_secs_f64(seconds.max(0.0))) } else { most }
    }
}

/// Whether `at` comes no later than `limit`.
pub(super) fn reached(at: f64, limit: f64) -> bool {
    at <= limit + SLACK
}
