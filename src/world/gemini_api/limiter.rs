//! Requests one after the other at a fixed distance, so that a provider never sees more of them in a second than it
//! should, however many tasks there are.

use std::time::Duration;

use tokio::sync::Mutex;

use crate::core::web::pace::Pace;
use crate::world::turns::Turns;

#[derive(Debug)]
pub(super) struct RequestLimiter {
    turns: Turns,
    /// One at a time: who wakes up late moves everybody behind.
    gate: Mutex<()>,
    /// What can wait stands in line here, and only its first at the gate above: what cannot wait has at most one before it.
    patient: Mutex<()>,
}

/// Whether somebody waits for the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Haste {
    Urgent,
    Patient,
}

impl RequestLimiter {
    pub(super) fn new(per_second: u32) -> Self {
        let pace = Pace::new(Duration::from_secs(1) / per_second.max(1), 1);
        Self { turns: Turns::new(pace), gate: Mutex::new(()), patient: Mutex::new(()) }
    }

    /// Waits for a place.
    pub(super) async fn turn(&self, haste: Haste) {
        let _line = match haste {
            Haste::Urgent => None,
            Haste::Patient => Some(self.patient.lock().await),
        };
        let _alone = self.gate.lock().await;
        self.turns.next_apart().await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::time::Instant;

    use super::*;

    /// HR-17: the distance holds for everybody together, and what is urgent does not wait behind a crowd.
    #[tokio::test]
    async fn the_gap_holds_and_urgent_ones_go_first() {
        let limiter = Arc::new(RequestLimiter::new(200));
        let start = Instant::now();
        let served = Arc::new(AtomicUsize::new(0));
        let mut crowd = tokio::task::JoinSet::new();
        for _ in 0..50 {
            let (limiter, served) = (Arc::clone(&limiter), Arc::clone(&served));
            crowd.spawn(async move {
                limiter.turn(Haste::Patient).await;
                served.fetch_add(1, Ordering::SeqCst);
            });
        }
        tokio::task::yield_now().await;
        let before = served.load(Ordering::SeqCst);
        limiter.turn(Haste::Urgent).await;
        assert!(served.load(Ordering::SeqCst) <= before + 2, "one may stand at the gate, not the crowd");
        while crowd.join_next().await.is_some() {}
        assert!(start.elapsed() >= Duration::from_millis(5 * 50), "{:?}", start.elapsed());
    }
}
