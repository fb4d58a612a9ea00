//! Clients that follow tasks: updates of the resources of a running task, changes of the list of reports, and log messages about ends.
//!
//! A session of the older revisions subscribes and is told over its own stream; a request of the newest one listens until it is cancelled. What
//! follows a task only looks: it ends with its session, its request or the server.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use futures_util::future::join_all;
use rmcp::RoleServer;
use rmcp::model::{ResourceUpdatedNotificationParam, SubscriptionFilter};
use rmcp::service::{Peer, SubscriptionContext, SubscriptionSink};
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::task::AbortOnDropHandle;

use super::calls::{Calls, next_progress};
use super::logging::LogLevel;
use super::resources;
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::core::task::Status;
use crate::engine::{Engine, News, TaskEvent};

/// Who is told.
#[derive(Clone)]
enum Listener {
    Session(Peer<RoleServer>),
    Request(SubscriptionSink),
}

impl Listener {
    /// A client that does not listen is no error.
    async fn updated(&self, uri: &str) {
        match self {
            Self::Session(peer) => {
                let _ = peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await;
            }
            Self::Request(sink) => {
                let _ = sink.notify_resource_updated(uri).await;
            }
        }
    }

    async fn list_changed(&self) {
        match self {
            Self::Session(peer) => {
                let _ = peer.notify_resource_list_changed().await;
            }
            Self::Request(sink) => {
                let _ = sink.notify_resource_list_changed().await;
            }
        }
    }
}

/// What follows tasks for one session. Dropped with the session, it ends.
#[derive(Default)]
pub(super) struct Followers {
    reports: OnceLock<AbortOnDropHandle<()>>,
    subscribed: Mutex<BTreeMap<TaskId, Follower>>,
    pub(super) level: Arc<LogLevel>,
}

/// One look at a task, for all of its resources that a session follows.
struct Follower {
    uris: Arc<Uris>,
    running: AbortOnDropHandle<()>,
}

/// The resources of one task that somebody follows.
type Uris = Mutex<BTreeSet<String>>;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Followers {
    /// From its handshake on a session is told when a report is there.
    pub(super) fn begin(&self, engine: &Engine, peer: &Peer<RoleServer>) {
        self.reports.get_or_init(|| {
            // Watching begins before the session hears anything more.
            let news = engine.watch();
            let (engine, peer, level) = (engine.clone(), peer.clone(), Arc::clone(&self.level));
            let told = async move { reports(&engine, news, &Listener::Session(peer), &level).await };
            AbortOnDropHandle::new(tokio::spawn(told))
        });
    }

    pub(super) async fn subscribe(&self, engine: &Engine, uri: String, peer: &Peer<RoleServer>) -> Result<()> {
        let (id, _) = resources::parsed(&uri)?;
        engine.task(id).await?;
        let mut subscribed = locked(&self.subscribed);
        subscribed.retain(|_, follower| !follower.running.is_finished());
        let is_new = !subscribed.get(&id).is_some_and(|follower| locked(&follower.uris).contains(&uri));
        let followed: usize = subscribed.values().map(|follower| locked(&follower.uris).len()).sum();
        if is_new && followed >= limits::MCP_SUBSCRIPTIONS {
            let message = format!("{followed} resources are followed already");
            return Err(Error::new(Code::TooManyRequests, message).hint("end some subscriptions first"));
        }
        let follower = subscribed.entry(id).or_insert_with(|| {
            let (engine, listener, uris) = (engine.clone(), Listener::Session(peer.clone()), Arc::<Uris>::default());
            let shared = Arc::clone(&uris);
            let running = tokio::spawn(async move { task(&engine, id, &shared, &listener).await });
            Follower { uris, running: AbortOnDropHandle::new(running) }
        });
        locked(&follower.uris).insert(uri);
        Ok(())
    }

    pub(super) fn unsubscribe(&self, uri: &str) {
        let Ok((id, _)) = resources::parsed(uri) else { return };
        let mut subscribed = locked(&self.subscribed);
        let Some(follower) = subscribed.get(&id) else { return };
        let mut uris = locked(&follower.uris);
        let is_last = uris.remove(uri) && uris.is_empty();
        drop(uris);
        if is_last {
            subscribed.remove(&id);
        }
    }
}

/// What of a wish to listen can be had. Tasks of others are left out when it begins.
pub(super) fn accepted(requested: &SubscriptionFilter) -> SubscriptionFilter {
    let mut accepted = SubscriptionFilter::new();
    accepted.resources_list_changed = requested.resources_list_changed;
    accepted.resource_subscriptions = requested.resource_subscriptions.as_ref().map(|uris| {
        let known = uris.iter().filter(|uri| resources::parsed(uri).is_ok());
        known.take(limits::MCP_SUBSCRIPTIONS).cloned().collect()
    });
    accepted
}

/// One request that listens, until it is cancelled or the server ends.
pub(super) async fn listen(calls: &Calls, context: SubscriptionContext) {
    let engine = &calls.app.engine;
    let listener = Listener::Request(context.sink().clone());
    let level = LogLevel::default();
    let mut followed: BTreeMap<TaskId, Uris> = BTreeMap::new();
    for uri in context.accepted().resource_subscriptions.iter().flatten() {
        if let Ok((id, _)) = resources::parsed(uri) {
            locked(followed.entry(id).or_default()).insert(uri.clone());
        }
    }
    let tasks = join_all(followed.iter().map(|(id, uris)| async {
        let seen = engine.task(*id).await;
        // What is somebody else's is not there: nothing is ever told of it.
        if !seen.is_err_and(|error| error.code == Code::TaskNotFound) {
            task(engine, *id, uris, &listener).await;
        }
    }));
    let lists = async {
        if context.accepted().resources_list_changed == Some(true) {
            reports(engine, engine.watch(), &listener, &level).await;
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        // A stream whose tasks are all over stays open: its client ends it.
        _ = async { tokio::join!(tasks, lists) } => {}
        () = calls.given_up(context.request_context()) => {}
    }
}

/// Tells of a task until it is over or gone, wherever it runs; not of every step of a burst.
async fn task(engine: &Engine, id: TaskId, uris: &Uris, listener: &Listener) {
    let mut news = engine.watch();
    let mut over = std::pin::pin!(over(|| engine.follow(id)));
    let mut told: Option<Instant> = None;
    loop {
        tokio::select! {
            biased;
            () = &mut over => break,
            _progress = next_progress(&mut news, id) => {
                if told.is_none_or(|told| told.elapsed() >= limits::MCP_PROGRESS_GAP) {
                    let followed = locked(uris).clone();
                    for uri in &followed {
                        // It may have been left meanwhile.
                        if locked(uris).contains(uri) {
                            listener.updated(uri).await;
                        }
                    }
                    told = Some(Instant::now());
                }
            }
        }
    }
    // Also what is followed while the others are told.
    while let Some(uri) = next_of(uris) {
        listener.updated(&uri).await;
    }
}

fn next_of(uris: &Uris) -> Option<String> {
    locked(uris).pop_first()
}

/// Until a task is over or not there any more. A store that cannot be asked now is asked again later.
async fn over<T, W: Future<Output = Result<T>>>(wait: impl Fn() -> W) {
    while let Err(error) = wait().await {
        if error.code == Code::TaskNotFound {
            return;
        }
        sleep(limits::TOLD_TICK).await;
    }
}

/// When the list of reports is told to have changed: at once, then again after a gap for all that changed meanwhile.
#[derive(Default)]
struct ListNews {
    told: Option<Instant>,
    is_due: bool,
}

impl ListNews {
    async fn due(&self) {
        match self.told {
            _ if !self.is_due => std::future::pending().await,
            Some(told) => sleep_until(told + limits::MCP_LIST_GAP).await,
            None => {}
        }
    }

    fn tell(&mut self) {
        *self = Self { told: Some(Instant::now()), is_due: false };
    }
}

/// Tells of reports that come and go, and of tasks that end.
async fn reports(
    engine: &Engine,
    mut news: broadcast::Receiver<Arc<TaskEvent>>,
    listener: &Listener,
    level: &LogLevel,
) {
    let mut list = ListNews::default();
    loop {
        tokio::select! {
            () = list.due() => {
                list.tell();
                listener.list_changed().await;
            }
            event = news.recv() => list.is_due |= match event {
                Ok(event) => match &event.news {
                    News::Progress(_) => false,
                    News::Deleted(by) => engine.hears_of(by.as_deref()),
                    News::Ended => ended(engine, &event, listener, level).await,
                },
                Err(RecvError::Lagged(_)) => true,
                Err(RecvError::Closed) => return,
            },
        }
    }
}

/// Says how a task ended, and whether the list has changed with it: it has finished reports alone.
async fn ended(engine: &Engine, event: &TaskEvent, listener: &Listener, level: &LogLevel) -> bool {
    // Whoever may not see a task is told nothing of it.
    let Some(status) = engine.status_after(event).await else { return false };
    if let Listener::Session(peer) = listener
        && status.is_final()
    {
        level.ended(peer, event.task, status).await;
    }
    status == Status::Completed
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use tokio::time::timeout_at;

    use super::*;

    /// MC-01: the first change of the list is told at once, those that come close behind it together, once.
    #[tokio::test(start_paused = true)]
    async fn mc_01_a_burst_of_reports_is_told_twice() {
        let (begun, mut list, mut told) = (Instant::now(), ListNews::default(), Vec::new());
        for change in 0..100 {
            list.is_due |= change % 2 == 0;
            let next = begun + limits::MCP_LIST_GAP * change / 50;
            while timeout_at(next, list.due()).await.is_ok() {
                list.tell();
                told.push(begun.elapsed());
            }
        }
        assert_eq!(told, [Duration::ZERO, limits::MCP_LIST_GAP]);
    }

    /// MC-01: a store that fails for a while loses no follower; a task that is gone ends it.
    #[tokio::test(start_paused = true)]
    async fn mc_01_a_follower_outlasts_a_failing_store() {
        for (fails, code, waits) in [(3, Code::StoreLocked, 4), (1, Code::TaskNotFound, 1)] {
            let asked = Cell::new(0);
            let begun = Instant::now();
            over(|| async {
                asked.set(asked.get() + 1);
                if asked.get() <= fails { Err(Error::new(code, "no")) } else { Ok(()) }
            })
            .await;
            assert_eq!(asked.get(), waits, "{code:?}");
            assert_eq!(begun.elapsed(), limits::TOLD_TICK * (waits - 1), "not as fast as it can");
        }
    }
}
