//! The time that one page may take. Waiting for a turn at its site is not the page's fault and does not count.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep};

/// Counts the time of one page while nobody holds it up.
#[derive(Debug)]
pub(super) struct PageTime {
    waits: watch::Sender<bool>,
}

impl PageTime {
    pub(super) fn new() -> Self {
        Self { waits: watch::Sender::new(false) }
    }

    /// Does something whose time does not count.
    pub(super) async fn uncounted<T>(&self, work: impl Future<Output = T>) -> T {
        self.waits.send_replace(true);
        let done = work.await;
        self.waits.send_replace(false);
        done
    }

    /// Ends when so much time was counted.
    pub(super) async fn run_out(&self, whole: Duration) {
        let mut waits = self.waits.subscribe();
        let mut left = whole;
        loop {
            if *waits.borrow_and_update() {
                // The sender is `self`, so that there always is another change to wait for.
                let _changed = waits.changed().await;
                continue;
            }
            let began = Instant::now();
            tokio::select! {
                () = sleep(left) => return,
                _changed = waits.changed() => left = left.saturating_sub(began.elapsed()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// WS-02: a page that waits for its turn is not late, and one that is asked for has the same time as if it had never waited.
    #[tokio::test(start_paused = true)]
    async fn waiting_does_not_count() {
        let time = PageTime::new();
        let began = Instant::now();
        let page = async {
            sleep(Duration::from_secs(4)).await;
            time.uncounted(sleep(Duration::from_secs(100))).await;
            sleep(Duration::from_secs(4)).await;
            time.uncounted(sleep(Duration::from_secs(100))).await;
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = page => unreachable!("it never ends"),
            () = time.run_out(Duration::from_secs(10)) => {}
        }
        assert_eq!(began.elapsed().as_secs(), 210);
    }
}
