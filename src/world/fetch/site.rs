//! One object per site: its turns, its pace, its `robots.txt`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until};

use super::robots::Robots;
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::web::address::Site;
use crate::core::web::pace::Pace;

/// All sites that this process knows.
#[derive(Debug)]
pub(super) struct Sites {
    known: Mutex<HashMap<Site, Arc<SiteState>>>,
    begin: Instant,
}

/// What is known of one site.
#[derive(Debug)]
pub(super) struct SiteState {
    turns: Arc<Semaphore>,
    pace: Mutex<Pace>,
    robots: Mutex<(Instant, Arc<OnceCell<Robots>>)>,
    begin: Instant,
}

impl Sites {
    pub(super) fn new() -> Self {
        Self { known: Mutex::new(HashMap::new()), begin: Instant::now() }
    }

    pub(super) fn of(&self, site: &Site) -> Arc<SiteState> {
        let mut known = lock(&self.known);
        if known.len() >= limits::FETCH_SITES && !known.contains_key(site) {
            // What nobody holds is idle; its pace is forgotten, which costs that site one burst.
            known.retain(|_, state| Arc::strong_count(state) > 1);
        }
        Arc::clone(known.entry(site.clone()).or_insert_with(|| Arc::new(SiteState::new(self.begin))))
    }
}

impl SiteState {
    fn new(begin: Instant) -> Self {
        Self {
            turns: Arc::new(Semaphore::new(limits::FETCH_PER_SITE)),
            pace: Mutex::new(Pace::new(limits::FETCH_GAP, limits::FETCH_BURST)),
            robots: Mutex::new((begin, Arc::default())),
            begin,
        }
    }

    /// Waits for a place at the site and for its moment.
    pub(super) async fn turn(&self) -> Result<OwnedSemaphorePermit> {
        let turn = Arc::clone(&self.turns).acquire_owned().await;
        let turn = turn.map_err(|_closed| Error::new(Code::ShuttingDown, "no more pages"))?;
        let start = lock(&self.pace).take(self.begin.elapsed());
        sleep_until(self.begin + start).await;
        Ok(turn)
    }

    /// The site wants to be left alone for a while.
    pub(super) fn hold(&self, wait: Duration) {
        lock(&self.pace).hold(self.begin.elapsed().saturating_add(wait));
    }

    /// The site wants to be asked more slowly.
    pub(super) fn slow(&self, gap: Duration) {
        lock(&self.pace).slow(gap.min(limits::FETCH_GAP_MAX));
    }

    /// The cell that holds the site's rules; an old one is replaced by an empty one. All who wait share one request.
    pub(super) fn robots(&self) -> Arc<OnceCell<Robots>> {
        let mut kept = lock(&self.robots);
        let (since, cell) = &mut *kept;
        let fresh = match cell.get() {
            Some(robots) => since.elapsed() < robots.fresh_for(),
            // Somebody is asking.
            None => true,
        };
        if !fresh {
            *cell = Arc::default();
        }
        if cell.get().is_none() {
            *since = Instant::now();
        }
        Arc::clone(cell)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
