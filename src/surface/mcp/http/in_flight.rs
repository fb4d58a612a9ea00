//! The requests of sessions that are being answered. The protocol library tells answers apart by session and id, so of two requests with
//! the same one would wait for ever.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::RequestId;
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::core::base::limits;

#[derive(Default)]
pub(super) struct InFlight {
    /// There are at most as many as places for requests.
    requests: Mutex<HashSet<Key>>,
    freed: Notify,
}

/// The session and the id.
type Key = (String, RequestId);

/// A request that is being answered, until it is dropped.
pub(super) struct Flight {
    all: Arc<InFlight>,
    key: Key,
}

impl InFlight {
    /// Takes the request in, or `None` while another one with its id is being answered. A client may have an answer a moment
    /// before its end is noticed here, so that moment is waited for.
    pub(super) async fn take(all: &Arc<Self>, key: Key) -> Option<Flight> {
        let taken = async {
            loop {
                let freed = all.freed.notified();
                let mut freed = std::pin::pin!(freed);
                // Before the look, so that an end between the two is not missed.
                freed.as_mut().enable();
                if all.requests().insert(key.clone()) {
                    return Flight { all: Arc::clone(all), key: key.clone() };
                }
                freed.await;
            }
        };
        timeout(limits::HTTP_SAME_ID_TIME, taken).await.ok()
    }

    fn requests(&self) -> MutexGuard<'_, HashSet<Key>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.all.requests().remove(&self.key);
        self.all.freed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MC-01: of two requests with one id the second is refused, unless the first is over in a moment.
    #[tokio::test(start_paused = true)]
    async fn mc_01_an_id_is_in_use_once() {
        let all = Arc::<InFlight>::default();
        let key = |session: &str, id| (session.to_owned(), RequestId::Number(id));
        let first = InFlight::take(&all, key("a", 1)).await.unwrap();
        assert!(InFlight::take(&all, key("a", 1)).await.is_none());
        assert!(InFlight::take(&all, key("a", 2)).await.is_some());
        assert!(InFlight::take(&all, key("b", 1)).await.is_some());
        let (second, ()) = tokio::join!(InFlight::take(&all, key("a", 1)), async { drop(first) });
        assert!(second.is_some());
        drop(second);
        assert!(all.requests().is_empty());
    }
}
