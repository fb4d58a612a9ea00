//! One pace for each host of models: a host that has too much to do is left alone by every question, not only by the one that it refused.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::core::model::throttle::Throttle;

/// The paces of all hosts that were asked.
#[derive(Debug)]
pub(super) struct Lanes {
    begin: Instant,
    of_host: Mutex<BTreeMap<String, Throttle>>,
}

impl Default for Lanes {
    fn default() -> Self {
        Self { begin: Instant::now(), of_host: Mutex::default() }
    }
}

impl Lanes {
    /// Waits until a host may be asked.
    pub(super) async fn turn(&self, host: &str) {
        loop {
            let start = self.hosts().entry(host.to_owned()).or_default().take(self.begin.elapsed());
            sleep_until(self.begin + start).await;
            // Somebody may have been refused in the meantime.
            let now = self.begin.elapsed();
            if self.hosts().get(host).is_none_or(|lane| lane.may_start(now)) {
                return;
            }
        }
    }

    pub(super) fn refused(&self, host: &str, wait: Duration) {
        let now = self.begin.elapsed();
        self.hosts().entry(host.to_owned()).or_default().refused(now, wait);
    }

    pub(super) fn answered(&self, host: &str) {
        self.hosts().entry(host.to_owned()).or_default().answered();
    }

    /// Whether nobody may be asked there now.
    #[cfg(test)]
    pub(super) fn is_held(&self, host: &str) -> bool {
        let now = self.begin.elapsed();
        self.hosts().get(host).is_some_and(|lane| !lane.may_start(now))
    }

    /// There are as many hosts as settings name.
    fn hosts(&self) -> MutexGuard<'_, BTreeMap<String, Throttle>> {
        self.of_host.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
