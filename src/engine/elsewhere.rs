//! What tasks of other processes tell by their rows: one look for all who watch, whenever something was committed.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tokio::sync::broadcast::{self, error::TryRecvError};

use super::{Inner, News, Open, TaskEvent};
use crate::core::base::error::Result;
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::world::clock;

/// What was seen of others while somebody here watches.
#[derive(Debug)]
pub(super) struct Elsewhere {
    /// What this process tells itself: its own tasks need no look.
    own: broadcast::Receiver<Arc<TaskEvent>>,
    /// The tasks of others that were not over at the last look, and when each had changed; `None` before the first.
    live: Option<HashMap<TaskId, i64>>,
    /// Those that were begun lately and were over at the last look.
    short: HashSet<TaskId>,
    /// What began before is not looked for among the tasks that are over.
    since_ms: i64,
}

impl Elsewhere {
    /// Begins to look when somebody begins to watch, and ends with the last who does.
    pub(super) fn attended(inner: &Inner, before: Option<Self>) -> Option<Self> {
        let watchers = inner.events.receiver_count() - usize::from(before.is_some());
        if watchers == 0 {
            return None;
        }
        let begun =
            || Self { own: inner.events.subscribe(), live: None, short: HashSet::new(), since_ms: clock::now_ms() };
        Some(before.unwrap_or_else(begun))
    }

    pub(super) fn has_looked(&self) -> bool {
        self.live.is_some()
    }

    /// Tells those who watch here what has become of the tasks of others since the last look.
    pub(super) async fn look(&mut self, inner: &Inner, open: &Open) -> Result<()> {
        let now_ms = clock::now_ms();
        let rows = open.store.elsewhere(open.owner.name(), self.since_ms).await?;
        let live: HashMap<TaskId, i64> = rows.live.iter().map(|row| (row.id, row.updated_ms)).collect();
        let before = self.live.take().unwrap_or_default();
        for row in rows.live {
            if before.get(&row.id).is_some_and(|seen| *seen != row.updated_ms) {
                inner.tell(row.id, News::Progress(row.progress));
            }
        }
        let mut over: HashSet<TaskId> = before.into_keys().filter(|id| !live.contains_key(id)).collect();
        over.extend(rows.short.iter().filter(|id| !self.short.contains(id)));
        let own = self.ended_here();
        for id in over.into_iter().filter(|id| !own.contains(id) && !inner.live.holds(*id)) {
            inner.tell(id, News::Ended);
        }
        (self.live, self.short) = (Some(live), rows.short.into_iter().collect());
        // A row is committed a moment after its time.
        self.since_ms = self.since_ms.max(now_ms - limits::ELSEWHERE_BACK_MS);
        Ok(())
    }

    /// The tasks that were told to be over since the last look, so that none is told twice.
    fn ended_here(&mut self) -> HashSet<TaskId> {
        let mut ended = HashSet::new();
        loop {
            match self.own.try_recv() {
                Ok(event) if matches!(event.news, News::Ended) => {
                    ended.insert(event.task);
                }
                Ok(_) | Err(TryRecvError::Lagged(_)) => {}
                Err(TryRecvError::Empty | TryRecvError::Closed) => return ended,
            }
        }
    }
}
