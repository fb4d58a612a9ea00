//! Research that somebody else's agent does: starting it, following it, telling its user.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::showing::showing;
use super::waiting::Wakes;
use super::{Engine, Inner, News};
use crate::core::agent::estimate::Past;
use crate::core::agent::{Create, Follow, FollowEnd, RunProgress, Snapshot};
use crate::core::base::error::{Code, Result};
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::core::method::TaskSpec;
use crate::core::money::price::{self, Tokens};
use crate::core::money::usage::Usage;
use crate::core::task::outcome::Outcome;
use crate::core::task::{HostedStart, Progress, TaskView};
use crate::world::store::{Claim, Store};
use crate::world::{clock, gemini_api};

impl Engine {
    /// Writes the task's row with its estimate, unless a spend cap stands in the way, and runs it.
    pub(crate) async fn start_hosted(&self, spec: TaskSpec, start: HostedStart) -> Result<TaskId> {
        if !self.inner.api.has_key() {
            return Err(gemini_api::no_key());
        }
        self.write_and_run(spec, Some(start)).await
    }

    /// Refuses a start whose research runs or is over already, as [`Engine::start_hosted`] would.
    pub(crate) async fn refuse_same(&self, query: &str, start: &HostedStart) -> Result<()> {
        self.store().await?.refuse_same(query, start).await
    }

    /// Waits until the run exists at the provider, the task is over, or the window has passed.
    pub(crate) async fn wait_started(&self, id: TaskId, window: Duration) -> Result<TaskView> {
        self.wait_until(id, Some(window), Wakes::ByNews, TaskView::has_started).await
    }

    /// What earlier runs of an agent came to, newest first.
    pub(crate) async fn past(&self, agent: &str) -> Result<Vec<Past>> {
        self.inner.open().await?.store.past(agent).await
    }
}

/// Starts a run. This is the one effect that is not stopped half-way: its reply has the id of something paid.
pub(super) async fn create(inner: &Inner, claim: Claim, create: &Create) -> (Outcome, Usage) {
    let _paying = inner.paying.token();
    let created = inner.api.create(create, claim.id).await;
    let usage = match &created {
        // What a run that is over used may be told later, to whoever follows it.
        Ok(run) => {
            run.tokens.filter(|_| run.status.is_over()).map_or(Usage::ZERO, |due| booked(create.worker.name(), due))
        }
        Err(error) if error.code == Code::PaidRunUncertain => UNKNOWN,
        Err(_nothing_started) => Usage::ZERO,
    };
    (seen(created), usage)
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
    let known = known(store, claim).await;
    let (tell, told) = watch::channel(RunProgress::default());
    let following = inner.api.follow(follow, known.unwrap_or_default(), cancel, move |live| {
        tell.send_replace(live.clone());
    });
    let show = |live: RunProgress| {
        let live = inner.masks.value(live).unwrap_or_default();
        let action = live.action();
        inner.tell(claim.id, News::Progress(Progress::new(None, action.clone())));
        store.live(claim, live, action)
    };
    match showing(claim, following, told, limits::LIVE_EVERY, show).await {
        Ok(followed) => {
            // One that is stopped for its cost is booked with its cancel.
            let usage = match (&followed.verdict, followed.last.tokens) {
                (FollowEnd::OverBudget, _) => Usage::ZERO,
                (_, Some(due)) => booked(&follow.worker, due),
                (_, None) => UNKNOWN,
            };
            (Outcome::Followed(Box::new(followed)), usage)
        }
        Err(error) => (Outcome::Failed { error }, Usage::ZERO),
    }
}

/// Stops a run at the provider. What it cost until then is billed; where the provider does not say it, what was seen of it before.
pub(super) async fn cancel(
    inner: &Inner,
    store: &Store,
    claim: Claim,
    interaction: &str,
    worker: &str,
) -> (Outcome, Usage) {
    let cancelled = inner.api.cancel(interaction).await;
    let told = cancelled.as_ref().ok().and_then(|run| run.tokens);
    let due = match told {
        Some(due) => Some(due),
        None => known(store, claim).await.and_then(|progress| progress.tokens()),
    };
    (seen(cancelled), due.map_or(UNKNOWN, |due| booked(worker, due)))
}

/// Has a run deleted at the provider.
pub(super) async fn delete(inner: &Inner, interaction: &str) -> Result<Outcome> {
    inner.api.delete(interaction).await.map(|()| Outcome::Waited)
}

/// What an earlier owner or an earlier poll saw of a run.
async fn known(store: &Store, claim: Claim) -> Option<RunProgress> {
    store.task(claim.id).await.ok().flatten()?.hosted?.live
}

fn seen(run: Result<Snapshot>) -> Outcome {
    run.map_or_else(|error| Outcome::Failed { error }, |run| Outcome::Run(Box::new(run)))
}

/// A run that is paid for and of which nobody told what it used.
const UNKNOWN: Usage = Usage { cost_unknown: true, ..Usage::ZERO };

/// What the provider's count comes to.
fn booked(worker: &str, due: Tokens) -> Usage {
    price::usage(worker, clock::now_ms(), due)
}
