//! Work that is shown to whoever asks while it is done.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::{Inner, News};
use crate::core::base::error::Result;
use crate::core::base::limits;
use crate::core::task::Progress;
use crate::world::log;
use crate::world::store::{Claim, Fenced, Store};

/// Says that a task waits for its turn.
pub(super) async fn waits(inner: &Inner, store: &Store, claim: Claim) {
    let action = "waiting for its turn: as many other tasks run as may".to_owned();
    // It only shows.
    // It waits all the same.
    let _ = action_of(inner, store, claim, action).await;
}

/// Shows what a task does now, to whoever listens and to whoever asks.
pub(super) async fn action_of(inner: &Inner, store: &Store, claim: Claim, action: String) -> Result<Fenced<()>> {
    inner.tell(claim.id, News::Progress(Progress::new(None, action.clone())));
    store.action(claim, action).await
}

/// Does some work, and shows what it tells while it is done. Only the newest matters: a slow store must not hold up the work, nor
/// busy work fill the memory.
pub(super) async fn showing<W, T, F>(
    claim: Claim,
    work: W,
    mut told: watch::Receiver<T>,
    every: Duration,
    show: impl Fn(T) -> F,
) -> W::Output
where
    W: Future,
    T: Clone,
    F: Future<Output = Result<Fenced<()>>>,
{
    let shows = async {
        while told.changed().await.is_ok() {
            let news = told.borrow_and_update().clone();
            if let Err(error) = show(news).await {
                log::warn(format!("progress of task {} could not be written: {error}", claim.id));
            }
            tokio::time::sleep(every).await;
        }
    };
    tokio::pin!(work, shows);
    tokio::select! {
        done = &mut work => done,
        () = &mut shows => work.await,
    }
}

/// The progress in the store: not written too often, but the last word always is.
#[derive(Default)]
pub(super) struct ShownProgress {
    written: Option<Instant>,
    /// What is not written yet, and from when on it may be.
    waiting: Option<(Progress, Instant)>,
}

impl ShownProgress {
    pub(super) fn news(&mut self, mut progress: Progress) {
        // Who has no plan to show does not take away what is shown of one.
        if let Some((waiting, _)) = self.waiting.take().filter(|_| progress.tree.is_empty()) {
            progress.tree = waiting.tree;
        }
        let due = self.written.map_or_else(Instant::now, |at| at + limits::PROGRESS_EVERY);
        self.waiting = Some((progress, due));
    }

    /// What waits may be written at once: nothing comes behind it.
    pub(super) fn hurry(&mut self) {
        if let Some((_, due)) = &mut self.waiting {
            *due = Instant::now();
        }
    }

    pub(super) fn due(&self) -> Option<Instant> {
        self.waiting.as_ref().map(|(_, due)| *due)
    }

    pub(super) fn take_due(&mut self) -> Option<Progress> {
        let now = Instant::now();
        let (progress, _) = self.waiting.take_if(|(_, due)| *due <= now)?;
        self.written = Some(now);
        Some(progress)
    }
}
