//! The stream of what no request asked for. A session has one at a time: the newest, because a client that opens another has lost the one before,
//! whether its connection says so or not. The protocol library would tell the oldest for as long as it seems to be there.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker};

use futures_util::Stream;
use rmcp::transport::common::server_side_http::ServerSseMessage;

type Events = Pin<Box<dyn Stream<Item = ServerSseMessage> + Send + Sync>>;

/// A stream whose events can be taken from it and replaced while somebody reads it. It belongs to its connection alone: with that it ends for
/// the library too.
#[derive(Default)]
pub(super) struct Told(Arc<Mutex<Source>>);

/// A stream that may have ended.
pub(super) struct Known(Weak<Mutex<Source>>);

impl Known {
    pub(super) fn still_open(&self) -> Option<Told> {
        self.0.upgrade().map(Told)
    }
}

#[derive(Default)]
struct Source {
    events: Option<Events>,
    reader: Option<Waker>,
}

impl Told {
    pub(super) fn new(events: impl Stream<Item = ServerSseMessage> + Send + Sync + 'static) -> Self {
        let told = Self::default();
        told.put(events);
        told
    }

    pub(super) fn known(&self) -> Known {
        Known(Arc::downgrade(&self.0))
    }

    /// Takes its events away: for the library it is closed.
    pub(super) fn silence(&self) {
        self.source().events = None;
    }

    /// Gives it others.
    pub(super) fn put(&self, events: impl Stream<Item = ServerSseMessage> + Send + Sync + 'static) {
        let mut source = self.source();
        source.events = Some(Box::pin(events));
        if let Some(reader) = source.reader.take() {
            reader.wake();
        }
    }

    fn source(&self) -> MutexGuard<'_, Source> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stream for Told {
    type Item = ServerSseMessage;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<ServerSseMessage>> {
        let mut source = self.source();
        match &mut source.events {
            Some(events) => events.as_mut().poll_next(context),
            None => {
                source.reader = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}
