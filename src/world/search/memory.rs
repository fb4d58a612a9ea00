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
