//! The tasks this process has in hand, and how each is told to stop.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, watch};

use crate::core::base::id::TaskId;
use crate::core::task::Ending;

/// Why a task is to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Its user said so: it ends.
    Cancel { save_partial: bool },
    /// This process ends: the task goes on elsewhere.
    Shutdown,
    /// Its user stopped waiting: it goes on when asked for. What runs and is paid elsewhere is followed all the same.
    Pause,
}

/// Tells a task that it is to stop.
pub(super) type StopSignal = watch::Receiver<Option<Stop>>;

#[derive(Debug, Default)]
pub(super) struct LiveTasks {
    state: Mutex<LiveState>,
}

#[derive(Debug, Default)]
struct LiveState {
    closed: bool,
    tasks: HashMap<TaskId, watch::Sender<Option<Stop>>>,
    /// Endings that the store could not take yet.
    settled: HashMap<TaskId, Ending>,
    /// How a task is told that its user has said something.
    steered: HashMap<TaskId, Arc<Notify>>,
}

impl LiveTasks {
    /// Takes a task in hand. `None`: it is already, or the process is ending.
    pub(super) fn take(&self, id: TaskId) -> Option<StopSignal> {
        let mut state = self.state();
        if state.closed || state.tasks.contains_key(&id) {
            return None;
        }
        let (sender, receiver) = watch::channel(None);
        state.tasks.insert(id, sender);
        Some(receiver)
    }

    pub(super) fn put_back(&self, id: TaskId) {
        let mut state = self.state();
        state.tasks.remove(&id);
        state.settled.remove(&id);
        state.steered.remove(&id);
    }

    /// Tells a task in hand that its user has said something.
    pub(super) fn steered(&self, id: TaskId) -> Arc<Notify> {
        Arc::clone(self.state().steered.entry(id).or_default())
    }

    /// Tells a task in hand that its user has said something; the store has what.
    pub(super) fn tell(&self, id: TaskId) {
        let state = self.state();
        if let Some(steered) = state.steered.get(&id) {
            steered.notify_one();
        }
    }

    /// Tells a task to stop; `false` when it is not in hand. The first reason stands.
    pub(super) fn stop(&self, id: TaskId, why: Stop) -> bool {
        let state = self.state();
        let Some(sender) = state.tasks.get(&id) else { return false };
        sender.send_if_modified(|stop| stop.is_none() && stop.replace(why).is_none());
        true
    }

    /// Takes nothing more, and tells every task why this process lets go of it.
    pub(super) fn close(&self, why: Stop) {
        let mut state = self.state();
        state.closed = true;
        for sender in state.tasks.values() {
            sender.send_if_modified(|stop| stop.is_none() && stop.replace(why).is_none());
        }
    }

    /// Keeps an ending in memory until the store has it.
    pub(super) fn settle(&self, id: TaskId, ending: Ending) {
        self.state().settled.insert(id, ending);
    }

    pub(super) fn settled(&self, id: TaskId) -> Option<Ending> {
        self.state().settled.get(&id).cloned()
    }

    /// Whether this process has the task in hand, and so tells of its end.
    pub(super) fn holds(&self, id: TaskId) -> bool {
        self.state().tasks.contains_key(&id)
    }

    pub(super) fn ids(&self) -> Vec<TaskId> {
        self.state().tasks.keys().copied().collect()
    }

    pub(super) fn count(&self) -> usize {
        self.state().tasks.len()
    }

    fn state(&self) -> MutexGuard<'_, LiveState> {
        // A panic elsewhere leaves the map whole: every change is one call.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
