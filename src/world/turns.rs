//! Waiting for one's turn at somebody else's server: a pace with a clock.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::core::web::pace::Pace;

/// The turns at one server.
#[derive(Debug)]
pub(crate) struct Turns {
    pace: Mutex<Pace>,
    begin: Instant,
}

impl Turns {
    pub(crate) fn new(pace: Pace) -> Self {
        Self { pace: Mutex::new(pace), begin: Instant::now() }
    }

    /// Takes the next turn and waits for it.
    pub(crate) async fn next(&self) {
        let start = self.pace().take(self.begin.elapsed());
        sleep_until(self.begin + start).await;
    }

    /// The same for callers that come one after the other and keep their distance also from one that woke up late.
    pub(crate) async fn next_apart(&self) {
        self.next().await;
        self.pace().used(self.begin.elapsed());
    }

    /// The server wants to be left alone for a while.
    pub(crate) fn hold(&self, wait: Duration) {
        self.pace().hold(self.begin.elapsed().saturating_add(wait));
    }

    /// The server wants to be asked more slowly.
    pub(crate) fn slow(&self, gap: Duration) {
        self.pace().slow(gap);
    }

    /// When the next turn would be, counted from the beginning.
    #[cfg(test)]
    pub(crate) fn first_start(&self) -> Duration {
        self.pace().clone().take(Duration::ZERO)
    }

    fn pace(&self) -> MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
