//! What was searched a moment ago, so that the same search is paid once.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tokio::time::Instant;

use crate::core::base::limits;
use crate::core::web::search::{Hit, Provider, Query};

#[derive(Debug, Default)]
pub(super) struct Memory {
    kept: Mutex<HashMap<(Provider, Query), Remembered>>,
}

/// When it was found, and what.
type Remembered = (Instant, Vec<Hit>);

impl Memory {
    pub(super) fn get(&self, provider: Provider, query: &Query) -> Option<Vec<Hit>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, hits) = kept.get(&(provider, query.clone()))?;
        (since.elapsed() < limits::SEARCH_FRESH).then(|| hits.clone())
    }

    pub(super) fn put(&self, provider: Provider, query: &Query, hits: &[Hit]) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= limits::SEARCH_CACHED {
            kept.retain(|_, (since, _)| since.elapsed() < limits::SEARCH_FRESH);
        }
        if kept.len() >= limits::SEARCH_CACHED
            && let Some(oldest) = kept.iter().min_by_key(|(_, (since, _))| *since).map(|(key, _)| key.clone())
        {
            kept.remove(&oldest);
        }
        kept.insert((provider, query.clone()), (Instant::now(), hits.to_vec()));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_was_found_is_forgotten_after_its_time() {
        let memory = Memory::default();
        let query = Query { text: "tides".into(), ..Query::default() };
        memory.put(Provider::Exa, &query, &[]);
        let remembered_after = |time: Duration| {
            for (since, _) in memory.kept.lock().unwrap().values_mut() {
                *since = Instant::now().checked_sub(time).unwrap();
            }
            memory.get(Provider::Exa, &query).is_some()
        };
        // Far from the limit on both sides, so that a slow machine does not matter.
        assert!(remembered_after(limits::SEARCH_FRESH / 2));
        assert!(!remembered_after(limits::SEARCH_FRESH));
    }

    /// Where there is no room left, what is too old goes first, and all of it.
    #[test]
    fn what_is_too_old_makes_room() {
        let memory = Memory::default();
        let query = |n: usize| Query { text: n.to_string(), ..Query::default() };
        for n in 0..limits::SEARCH_CACHED {
            memory.put(Provider::Exa, &query(n), &[]);
        }
        for ((_, asked), (since, _)) in memory.kept.lock().unwrap().iter_mut() {
            if *asked != query(0) {
                *since = Instant::now().checked_sub(limits::SEARCH_FRESH).unwrap();
            }
        }
        memory.put(Provider::Exa, &query(limits::SEARCH_CACHED), &[]);
        assert_eq!(memory.kept.lock().unwrap().len(), 2, "the one that is fresh, and the new one");
    }
}
