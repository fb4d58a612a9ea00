//! Waiting for tasks, and what running ones tell.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OnceCell, broadcast};
use tokio::time::Instant;

use super::Engine;
use crate::core::base::error::Result;
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::core::task::{Progress, Status, TaskView};

/// What a running task tells its watchers.
#[derive(Clone, Debug)]
pub(crate) struct TaskEvent {
    pub(crate) task: TaskId,
    pub(crate) news: News,
    /// How the task stood when the first of them looked.
    seen: OnceCell<Status>,
}

impl TaskEvent {
    pub(super) fn new(task: TaskId, news: News) -> Self {
        Self { task, news, seen: OnceCell::new() }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum News {
    Progress(Progress),
    /// The process that had the task has let go of it; its row says how it stands.
    Ended,
    /// It was deleted in this process, by this principal.
    Deleted(Option<Arc<str>>),
}

/// How somebody who waits for a task learns that its row may be as wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wakes {
    /// The end of a task is told once it can be read.
    ByEnd,
    /// Everything else is written before or after it is told.
    ByNews,
    /// As by its end; nobody waits for an answer meanwhile.
    AtLeisure,
}

impl Wakes {
    /// How long until the next look at a task that tells nothing. Tasks of other processes send fewer events, and later.
    fn pace(self, in_hand: bool) -> Duration {
        match self {
            Self::ByEnd if !in_hand => limits::TICK,
            Self::ByEnd | Self::AtLeisure => limits::TOLD_TICK,
            Self::ByNews => limits::TICK,
        }
    }
}

/// Waits for news of the task, or for a gap in the news.
async fn told(events: &mut broadcast::Receiver<Arc<TaskEvent>>, id: TaskId, wakes: Wakes) {
    let is_other =
        |event: &TaskEvent| event.task != id || (wakes != Wakes::ByNews && matches!(event.news, News::Progress(_)));
    while events.recv().await.is_ok_and(|event| is_other(&event)) {}
}

impl Engine {
    /// Whether this principal is told of what another one has deleted.
    pub(crate) fn hears_of(&self, principal: Option<&str>) -> bool {
        self.principal.is_none() || self.principal.as_deref() == principal
    }

    /// How the task of an event stands, where this principal may see it. A thousand sessions that hear of one end read its row once; guests, of whom
    /// there are few, look for themselves.
    pub(crate) async fn status_after(&self, event: &TaskEvent) -> Option<Status> {
        let read = || async { self.task(event.task).await.map(|view| view.status) };
        match self.principal {
            Some(_) => read().await.ok(),
            None => event.seen.get_or_try_init(read).await.ok().copied(),
        }
    }

    /// What happens from now on. Tasks of other processes are looked at when something was committed.
    pub(crate) fn watch(&self) -> broadcast::Receiver<Arc<TaskEvent>> {
        self.inner.events.subscribe()
    }

    /// Waits until the task is over or the window has passed (`None` = for ever), and returns its row.
    pub(crate) async fn wait(&self, id: TaskId, window: Option<Duration>) -> Result<TaskView> {
        self.wait_until(id, window, Wakes::ByEnd, |view| view.status.is_final()).await
    }

    /// Waits until the task is over, for somebody who only follows it.
    pub(crate) async fn follow(&self, id: TaskId) -> Result<TaskView> {
        self.wait_until(id, None, Wakes::AtLeisure, |view| view.status.is_final()).await
    }

    /// Waits until a task's row is as wanted, or the window has passed.
    pub(super) async fn wait_until(
        &self,
        id: TaskId,
        window: Option<Duration>,
        wakes: Wakes,
        wanted: impl Fn(&TaskView) -> bool,
    ) -> Result<TaskView> {
        let deadline = window.map(|window| Instant::now() + window);
        loop {
            // Registered before the look, so that an end between the two is not missed.
            let mut events = self.watch();
            let view = self.task(id).await?;
            if wanted(&view) || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Ok(view);
            }
            let next_look = Instant::now() + wakes.pace(self.inner.live.holds(id));
            let until = deadline.map_or(next_look, |deadline| deadline.min(next_look));
            let _told_or_looked = tokio::time::timeout_at(until, told(&mut events, id, wakes)).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MC-01: who waits for the end of a task of this process leaves the store alone until it is told.
    #[test]
    fn mc_01_the_end_of_a_task_in_hand_is_not_looked_for() {
        assert!(Wakes::ByEnd.pace(true) >= 20 * Wakes::ByEnd.pace(false));
        assert_eq!(Wakes::ByNews.pace(true), limits::TICK);
        assert_eq!(
            Wakes::AtLeisure.pace(false),
            Wakes::AtLeisure.pace(true),
            "many may follow a task of another process"
        );
    }

    #[tokio::test]
    async fn only_the_end_wakes_who_waits_for_it() {
        let (tell, mut events) = broadcast::channel(8);
        let (id, other) = (TaskId::from_random(1), TaskId::from_random(2));
        let progress = || News::Progress(Progress::new(None, "reading".to_owned()));
        for (task, news) in [(id, progress()), (other, News::Ended), (id, News::Ended), (id, progress())] {
            tell.send(Arc::new(TaskEvent::new(task, news))).unwrap();
        }
        told(&mut events, id, Wakes::ByEnd).await;
        assert_eq!(events.len(), 1, "what comes after the end is not read");
        told(&mut events, id, Wakes::ByNews).await;
        assert!(events.is_empty());
    }
}
