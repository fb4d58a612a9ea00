//! Research that somebody else's agent does: starting it, following it, telling its user.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{Engine, Inner, News, shutting_down};
use crate::core::effect::Outcome;
use crate::core::error::{Code, Error, Result};
use crate::core::estimate::Past;
use crate::core::hosted::{Create, Follow, Live};
use crate::core::id::TaskId;
use crate::core::limits;
use crate::core::price;
use crate::core::task::{HostedStart, Progress, TaskSpec, TaskView};
use crate::core::usage::Usage;
use crate::world::store::{Claim, Store};
use crate::world::{clock, gemini_api, log, random};

impl Engine {
    /// Writes the task's row with its estimate, unless a spend cap stands in the way, and runs it.
    pub(crate) async fn start_hosted(&self, spec: TaskSpec, start: HostedStart) -> Result<TaskId> {
        if !self.inner.api.has_key() {
            return Err(gemini_api::no_key());
        }
        let open = self.inner.open().await?;
        let id = TaskId::from_random(random::bits128());
        let stop = self.inner.live.take(id).ok_or_else(shutting_down)?;
        match open.store.create_hosted(id, &spec, start, open.owner.name()).await {
            Ok(claim) => {
                self.inner.spawn(claim, stop);
                Ok(id)
            }
            Err(error) => {
                self.inner.live.put_back(id);
                Err(error)
            }
        }
    }

    /// Waits until the run exists at the provider, the task is over, or the window has passed. A run that is over when it
    /// is seen first is waited for: only its cost is missing.
    pub(crate) async fn wait_started(&self, id: TaskId, window: Duration) -> Result<TaskView> {
        let deadline = Instant::now() + window;
        loop {
            let mut events = self.watch();
            let view = self.task(id).await?;
            let exists = view.hosted.as_ref().is_some_and(|hosted| {
                let over = hosted.live.as_ref().is_some_and(|live| live.last.status.is_over());
                hosted.interaction.is_some() && !over
            });
            if exists || view.status.is_final() || Instant::now() >= deadline {
                return Ok(view);
            }
            let until = deadline.min(Instant::now() + limits::TICK);
            let news = async {
                // Events were missed, or the engine is gone: look at the row.
                while events.recv().await.is_ok_and(|event| event.task != id) {}
            };
            let _told_or_looked = tokio::time::timeout_at(until, news).await;
        }
    }

    /// What earlier runs of an agent came to, newest first.
    pub(crate) async fn past(&self, agent: &str) -> Result<Vec<Past>> {
        self.inner.open().await?.store.past(agent).await
    }
}

/// Starts a run. This is the one effect that is not stopped half-way: its reply has the id of something paid.
pub(super) async fn create(inner: &Inner, create: &Create) -> (Outcome, Usage) {
    inner.paying.fetch_add(1, Ordering::SeqCst);
    let created = inner.api.create(create).await;
    inner.paying.fetch_sub(1, Ordering::SeqCst);
    match created {
        Ok(snapshot) => {
            let tokens = snapshot.tokens.filter(|_| snapshot.status.is_over());
            let usage =
                tokens.map_or(Usage::ZERO, |tokens| price::usage(create.worker.name(), clock::now_ms(), tokens));
            (Outcome::Run(Box::new(snapshot)), usage)
        }
        Err(error) => (Outcome::Failed { error }, Usage::ZERO),
    }
}

/// Follows a run and shows what it does while it does it.
pub(super) async fn follow(
    inner: &Arc<Inner>,
    store: &Store,
    claim: Claim,
    follow: &Follow,
    cancel: &CancellationToken,
) -> (Outcome, Usage) {
    // What an earlier owner saw of it: the provider may have forgotten the run by now.
    let known = store.task(claim.id).await.ok().flatten().and_then(|view| view.hosted).and_then(|hosted| hosted.live);
    // Only the newest matters: a slow store must not hold up the following, nor a busy run fill the memory.
    let (tell, mut told) = tokio::sync::watch::channel(Live::default());
    let following = inner.api.follow(follow, known.unwrap_or_default(), cancel, move |live| {
        tell.send_replace(live.clone());
    });
    let showing = async {
        while told.changed().await.is_ok() {
            let live = told.borrow_and_update().clone();
            let action = live.action();
            inner.tell(claim.id, News::Progress(Progress { percent: None, action: action.clone() }));
            if let Err(error) = store.live(claim, live, action).await {
                log::warn(format!("progress of task {} could not be written: {error}", claim.id));
            }
            tokio::time::sleep(limits::LIVE_EVERY).await;
        }
        std::future::pending().await
    };
    let followed = tokio::select! {
        followed = following => followed,
        () = showing => Err(Error::new(Code::Internal, "progress ended before the run")),
    };
    match followed {
        Ok(followed) => {
            let tokens = followed.last.tokens;
            let usage = tokens.map_or(Usage::ZERO, |tokens| price::usage(&follow.worker, clock::now_ms(), tokens));
            // A run that is stopped for its cost is paid for by its cancel.
            let paid_later = followed.verdict == crate::core::hosted::Verdict::OverBudget;
            (Outcome::Followed(Box::new(followed)), if paid_later { Usage::ZERO } else { usage })
        }
        Err(error) => (Outcome::Failed { error }, Usage::ZERO),
    }
}

/// Stops a run at the provider. What it cost until then is billed.
pub(super) async fn cancel(inner: &Inner, interaction: &str, worker: &str) -> (Outcome, Usage) {
    match inner.api.cancel(interaction).await {
        Ok(snapshot) => {
            let usage = snapshot.tokens.map_or(Usage::ZERO, |tokens| price::usage(worker, clock::now_ms(), tokens));
            (Outcome::Run(Box::new(snapshot)), usage)
        }
        Err(error) => (Outcome::Failed { error }, Usage::ZERO),
    }
}
