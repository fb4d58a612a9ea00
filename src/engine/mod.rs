//! What we run: one owner of live tasks. It executes effects, writes the journal, enforces budgets, cancels and
//! recovers. It decides nothing about research.

mod doctor;
mod files;
mod setup;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast;

use crate::core::effect::Refreshed;
use crate::core::error::{Code, Error, Result};
use crate::core::id::TaskId;
use crate::core::settings::Settings;
use crate::core::task::{Ending, Progress, Status, TaskSpec, TaskView};
// Surfaces never touch the world; what they need of it is handed on here.
pub(crate) use crate::world::clock::now_ms;
pub(crate) use crate::world::library::Root;
pub(crate) use crate::world::log;
pub(crate) use doctor::Examination;
pub(crate) use files::SaveRequest;
pub(crate) use setup::{Flags, settings, warden};

/// The engine. A cheap handle: clones share one engine.
#[derive(Clone, Debug)]
pub(crate) struct Engine {}

/// What a running task tells its watchers.
#[derive(Clone, Debug)]
pub(crate) struct TaskEvent {
    pub(crate) task: TaskId,
    pub(crate) news: News,
}

#[derive(Clone, Debug)]
pub(crate) enum News {
    Progress(Progress),
    /// The task is over; its row says how.
    Ended(Status),
}

/// Whether this engine also takes over tasks whose owner died.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Adopt {
    /// A server: every task of a dead process.
    All,
    /// A single command: only what it is asked for.
    Nothing,
}

/// Which tasks to list, newest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct ListFilter {
    pub(crate) status: Option<Status>,
    pub(crate) limit: Option<u32>,
}

fn later<T>() -> Result<T> {
    Err(Error::new(Code::Internal, "not built"))
}

impl Engine {
    /// Makes the engine. Nothing is opened: a store that cannot be opened is the error of the first call that needs
    /// it. Must be called inside the runtime.
    pub(crate) fn new(_settings: &Settings, _adopt: Adopt) -> Self {
        Self {}
    }

    /// Writes the task's row, then runs it. The id can be looked up before it is handed out.
    pub(crate) async fn start(&self, _spec: TaskSpec) -> Result<TaskId> {
        later()
    }

    /// Asks for a task to be stopped, in whichever process it runs, and waits (bounded) until it is. A finished task is
    /// an error that says how it ended.
    pub(crate) async fn cancel(&self, _id: TaskId, _save_partial: bool) -> Result<TaskView> {
        later()
    }

    pub(crate) async fn task(&self, _id: TaskId) -> Result<TaskView> {
        later()
    }

    /// The task and, when it is over, how it ended.
    pub(crate) async fn ending(&self, _id: TaskId) -> Result<(TaskView, Option<Ending>)> {
        later()
    }

    pub(crate) async fn list(&self, _filter: ListFilter) -> Result<Vec<TaskView>> {
        later()
    }

    /// Waits until the task is over or the window has passed (`None` = for ever), and returns its row.
    pub(crate) async fn wait(&self, _id: TaskId, _window: Option<Duration>) -> Result<TaskView> {
        later()
    }

    /// Takes a task without a live owner over into this process; a task that is owned or over is left alone.
    pub(crate) async fn resume(&self, _id: TaskId) -> Result<()> {
        later()
    }

    /// What happens from now on, in this process.
    pub(crate) fn watch(&self) -> broadcast::Receiver<Arc<TaskEvent>> {
        broadcast::channel(1).1
    }

    /// The number of tasks this process has in hand.
    pub(crate) fn live(&self) -> usize {
        0
    }

    pub(crate) async fn library_add(&self, _path: &Path) -> Result<(Root, Refreshed)> {
        later()
    }

    pub(crate) async fn library_roots(&self) -> Result<Vec<Root>> {
        later()
    }

    pub(crate) async fn library_remove(&self, _path: &Path) -> Result<Root> {
        later()
    }

    /// Takes no more work, stops what runs (it is resumed later, by whoever comes), and returns within
    /// [`crate::core::limits::SHUTDOWN`].
    pub(crate) async fn shutdown(&self) {}
}
