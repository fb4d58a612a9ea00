//! Clients that follow tasks: updates of the resources of a running task, changes of the list of reports, and log messages about ends.
//!
//! A session of the older revisions subscribes and is told over its own stream; a request of the newest one listens until it is cancelled. What
//! follows a task only looks: it ends with its session, its request or the server.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::join_all;
use rmcp::RoleServer;
use rmcp::model::{ResourceUpdatedNotificationParam, SubscriptionFilter};
use rmcp::service::{Peer, SubscriptionContext, SubscriptionSink};
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::calls::{Calls, next_progress};
use super::logging::LogLevel;
use super::resources;
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::engine::{News, TaskEvent};
use crate::surface::verbs::App;

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
    begun: AtomicBool,
    running: Mutex<JoinSet<()>>,
    subscribed: Mutex<BTreeMap<String, tokio::task::AbortHandle>>,
    pub(super) level: Arc<LogLevel>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Followers {
    /// From its first request on a session is told when a report is there. The word that it is ready may come before anybody listens.
    pub(super) fn begin(&self, app: &App, peer: &Peer<RoleServer>) {
        if self.begun.swap(true, Ordering::Relaxed) {
            return;
        }
        // Watching begins before the session hears anything more.
        let news = app.engine.watch();
        let (app, peer, level) = (app.clone(), peer.clone(), Arc::clone(&self.level));
        locked(&self.running).spawn(async move { reports(&app, news, &Listener::Session(peer), &level).await });
    }

    pub(super) async fn subscribe(&self, app: &App, uri: String, peer: &Peer<RoleServer>) -> Result<()> {
        let id = resources::task_of(&uri)?;
        app.engine.task(id).await?;
        let mut subscribed = locked(&self.subscribed);
        subscribed.retain(|_, follower| !follower.is_finished());
        if subscribed.len() >= limits::MCP_SUBSCRIPTIONS {
            return Err(Error::new(
                Code::TooManyRequests,
                format!("{} resources are followed already", subscribed.len()),
            )
            .hint("end some subscriptions first"));
        }
        let (app, listener, named) = (app.clone(), Listener::Session(peer.clone()), uri.clone());
        let follower = locked(&self.running).spawn(async move { task(&app, id, &named, &listener).await });
        if let Some(before) = subscribed.insert(uri, follower) {
            before.abort();
        }
        Ok(())
    }

    pub(super) fn unsubscribe(&self, uri: &str) {
        if let Some(follower) = locked(&self.subscribed).remove(uri) {
            follower.abort();
        }
    }
}

/// What of a wish to listen can be had. Tasks of others are left out when it begins.
pub(super) fn accepted(requested: &SubscriptionFilter) -> SubscriptionFilter {
    let mut accepted = SubscriptionFilter::new();
    accepted.resources_list_changed = requested.resources_list_changed;
    accepted.resource_subscriptions = requested.resource_subscriptions.as_ref().map(|uris| {
        let known = uris.iter().filter(|uri| resources::task_of(uri).is_ok());
        known.take(limits::MCP_SUBSCRIPTIONS).cloned().collect()
    });
    accepted
}

/// One request that listens, until it is cancelled or the server ends.
pub(super) async fn listen(calls: &Calls, context: SubscriptionContext) {
    let app = &calls.app;
    let listener = Listener::Request(context.sink().clone());
    let level = LogLevel::default();
    let followed = context.accepted().resource_subscriptions.iter().flatten();
    let tasks = join_all(followed.map(|uri| async {
        let Ok(id) = resources::task_of(uri) else { return };
        // What is somebody else's is not there: nothing is ever told of it.
        if app.engine.task(id).await.is_ok() {
            task(app, id, uri, &listener).await;
        }
    }));
    let lists = async {
        if context.accepted().resources_list_changed == Some(true) {
            reports(app, app.engine.watch(), &listener, &level).await;
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        // A stream whose tasks are all over stays open: its client ends it.
        _ = async { tokio::join!(tasks, lists) } => {}
        () = calls.given_up(context.request_context()) => {}
    }
}

/// Tells of a task until it is over, wherever it runs; not of every step of a burst.
async fn task(app: &App, id: TaskId, uri: &str, listener: &Listener) {
    let mut news = app.engine.watch();
    let mut over = std::pin::pin!(app.engine.wait(id, None));
    let mut told: Option<Instant> = None;
    loop {
        tokio::select! {
            biased;
            _ended_or_gone = &mut over => return listener.updated(uri).await,
            _progress = next_progress(&mut news, id) => {
                if told.is_none_or(|told| told.elapsed() >= limits::MCP_PROGRESS_GAP) {
                    listener.updated(uri).await;
                    told = Some(Instant::now());
                }
            }
        }
    }
}

/// Tells of the reports of tasks that end in this process.
async fn reports(app: &App, mut news: broadcast::Receiver<Arc<TaskEvent>>, listener: &Listener, level: &LogLevel) {
    loop {
        match news.recv().await {
            Ok(event) => {
                let News::Ended = event.news else { continue };
                // Whoever may not see a task is told nothing of it.
                let Ok(view) = app.engine.task(event.task).await else { continue };
                if view.status.is_final() {
                    listener.list_changed().await;
                    if let Listener::Session(peer) = listener {
                        level.ended(peer, event.task, view.status).await;
                    }
                }
            }
            Err(RecvError::Lagged(_)) => listener.list_changed().await,
            Err(RecvError::Closed) => return,
        }
    }
}
