//! One object per site: its turns, its pace, its `robots.txt`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::web::address::Site;
use crate::core::web::pace::Pace;
use crate::world::turns::Turns;

/// The rules of a site, or why there are none.
#[derive(Debug)]
pub(super) enum Robots {
    Rules(Box<robotxt::Robots>),
    /// The site has rules and does not give them out now; until it does, it is closed.
    Closed(Error),
}

impl Robots {
    fn fresh_for(&self) -> Duration {
        match self {
            Self::Rules(_) => limits::ROBOTS_FRESH,
            Self::Closed(_) => limits::ROBOTS_RETRY,
        }
    }
}

/// All sites that this process knows.
#[derive(Debug)]
pub(super) struct Sites {
    known: Mutex<HashMap<Site, Arc<SiteState>>>,
}

/// What is known of one site.
#[derive(Debug)]
pub(super) struct SiteState {
    turns: Arc<Semaphore>,
    pace: Turns,
    robots: Mutex<(Instant, Arc<OnceCell<Robots>>)>,
}

impl Sites {
    pub(super) fn new() -> Self {
        Self { known: Mutex::default() }
    }

    pub(super) fn of(&self, site: &Site) -> Arc<SiteState> {
        let mut known = lock(&self.known);
        if known.len() >= limits::FETCH_SITES && !known.contains_key(site) {
            // What nobody holds is idle; its pace is forgotten, which costs that site one burst.
            known.retain(|_, state| Arc::strong_count(state) > 1);
        }
        Arc::clone(known.entry(site.clone()).or_insert_with(|| Arc::new(SiteState::new())))
    }
}

impl SiteState {
    fn new() -> Self {
        Self {
            turns: Arc::new(Semaphore::new(limits::FETCH_PER_SITE)),
            pace: Turns::new(Pace::new(limits::FETCH_GAP, limits::FETCH_BURST)),
            robots: Mutex::new((Instant::now(), Arc::default())),
        }
    }

    /// Waits for a place at the site and for its moment.
    pub(super) async fn turn(&self) -> Result<OwnedSemaphorePermit> {
        let turn = Arc::clone(&self.turns).acquire_owned().await;
        let turn = turn.map_err(|_closed| Error::new(Code::ShuttingDown, "no more pages"))?;
        self.pace.next().await;
        Ok(turn)
    }

    /// The site wants to be left alone for a while.
    pub(super) fn hold(&self, wait: Duration) {
        self.pace.hold(wait);
    }

    /// The site wants to be asked more slowly.
    pub(super) fn slow(&self, gap: Duration) {
        self.pace.slow(gap.min(limits::FETCH_GAP_MAX));
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
