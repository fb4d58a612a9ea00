//! Turns: how many tasks run in this process at once, and how many of them guests may have.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use futures_util::FutureExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::core::setup::http::GuestTurns;

#[derive(Debug)]
pub(super) struct Slots {
    all: Arc<Semaphore>,
    of_guests: Arc<Semaphore>,
    most_of_one: usize,
    /// The turns of each guest who has or wants one.
    of_each: Mutex<HashMap<String, Weak<Semaphore>>>,
}

/// It is the task's turn until this is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    _places: Vec<OwnedSemaphorePermit>,
}

impl Slots {
    pub(super) fn new(most: usize) -> Self {
        let guests = GuestTurns::of(most);
        Self {
            all: Arc::new(Semaphore::new(most)),
            of_guests: Arc::new(Semaphore::new(guests.all)),
            most_of_one: guests.each,
            of_each: Mutex::default(),
        }
    }

    /// Waits for a turn of this guest, or of the user, and says so where there is none at once. There are turns for as long as this exists.
    pub(super) async fn turn(&self, guest: Option<&str>, waits: impl Future<Output = ()>) -> Option<Turn> {
        let mut turn = pin!(self.next_turn(guest));
        if let Some(turn) = turn.as_mut().now_or_never() {
            return turn;
        }
        waits.await;
        turn.await
    }

    async fn next_turn(&self, guest: Option<&str>) -> Option<Turn> {
        // The common places last: who waits for its own keeps none that others could have.
        let of_guest = guest.map(|name| [self.of(name), Arc::clone(&self.of_guests)]);
        let mut places = Vec::new();
        for wanted in of_guest.into_iter().flatten().chain([Arc::clone(&self.all)]) {
            places.push(wanted.acquire_owned().await.ok()?);
        }
        Some(Turn { _places: places })
    }

    fn of(&self, guest: &str) -> Arc<Semaphore> {
        let mut each = self.of_each.lock().unwrap_or_else(PoisonError::into_inner);
        each.retain(|_, turns| turns.strong_count() > 0);
        each.get(guest).and_then(Weak::upgrade).unwrap_or_else(|| {
            let turns = Arc::new(Semaphore::new(self.most_of_one));
            each.insert(guest.to_owned(), Arc::downgrade(&turns));
            turns
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MC-01: one guest has at most half of the turns, all of them together leave some to the user, and what is given back is had again.
    #[test]
    fn mc_01_guests_leave_turns_to_others() {
        for (most, of_one, of_two) in [(1, 1, 1), (2, 1, 1), (3, 1, 2), (4, 2, 3), (8, 4, 6), (32, 16, 24)] {
            let slots = Slots::new(most);
            let take = |guest: Option<&'static str>| slots.next_turn(guest).now_or_never().flatten();
            let all = |guest| std::iter::from_fn(|| take(guest)).collect::<Vec<_>>();
            let (ann, bob) = (all(Some("ann")), all(Some("bob")));
            assert_eq!((ann.len(), ann.len() + bob.len()), (of_one, of_two), "{most}");
            let user = all(None);
            assert_eq!(ann.len() + bob.len() + user.len(), most);
            drop(ann);
            assert_eq!(all(Some("ann")).len(), of_one, "{most}");
            assert!(take(None).is_some(), "{most}");
            drop((bob, user));
            let user = all(None);
            assert_eq!(user.len(), most, "the user may have all");
            assert!(take(Some("ann")).is_none());
        }
    }
}
