//! The last answers to the calls of sessions. A client whose connection broke asks for what it has missed; the protocol library forgets an answer
//! as soon as it has passed it on, also to nobody.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use futures_util::{Stream, StreamExt};
use rmcp::model::JsonRpcMessage;
use rmcp::transport::common::server_side_http::ServerSseMessage;
use rmcp::transport::streamable_http_server::SessionId;
use tokio::runtime::Handle;

use crate::core::base::limits;

#[derive(Default)]
pub(super) struct Answers(Mutex<VecDeque<(SessionId, ServerSseMessage)>>);

impl Answers {
    /// The answer in the stream of this event, if it came after the event.
    pub(super) fn after(&self, session: &SessionId, event: &str) -> Option<ServerSseMessage> {
        let (last, stream) = place(event)?;
        let is_wanted = |answer: &ServerSseMessage| {
            answer.event_id.as_deref().and_then(place).is_some_and(|(index, of)| of == stream && index > last)
        };
        let kept = self.kept();
        kept.iter().find(|(of, answer)| of == session && is_wanted(answer)).map(|(_, answer)| answer.clone())
    }

    pub(super) fn forget(&self, session: &SessionId) {
        self.kept().retain(|(of, _)| of != session);
    }

    fn keep(&self, session: &SessionId, event: &ServerSseMessage) {
        if matches!(event.message.as_deref(), Some(JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_))) {
            let mut kept = self.kept();
            if kept.len() >= limits::HTTP_ANSWERS_KEPT {
                kept.pop_front();
            }
            kept.push_back((session.clone(), event.clone()));
        }
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<(SessionId, ServerSseMessage)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The number of an event in its stream, and that of its stream. Events that answer no request have no stream of their own.
pub(super) fn place(event: &str) -> Option<(u64, u64)> {
    let (index, stream) = event.split_once('/')?;
    Some((index.parse().ok()?, stream.parse().ok()?))
}

/// The events of one call. They are read to their end, also when their client has gone, so that the answer is kept.
pub(super) struct Attended {
    events: Pin<Box<dyn Stream<Item = ServerSseMessage> + Send + Sync>>,
    is_over: bool,
    session: SessionId,
    answers: Arc<Answers>,
}

impl Attended {
    pub(super) fn new(
        events: impl Stream<Item = ServerSseMessage> + Send + Sync + 'static,
        session: &SessionId,
        answers: &Arc<Answers>,
    ) -> Self {
        Self { events: Box::pin(events), is_over: false, session: session.clone(), answers: Arc::clone(answers) }
    }
}

impl Stream for Attended {
    type Item = ServerSseMessage;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<ServerSseMessage>> {
        let event = ready!(self.events.as_mut().poll_next(context));
        match &event {
            Some(event) => self.answers.keep(&self.session, event),
            None => self.is_over = true,
        }
        Poll::Ready(event)
    }
}

impl Drop for Attended {
    fn drop(&mut self) {
        // Outside of the runtime the server is at its end.
        let Ok(runtime) = Handle::try_current() else { return };
        if !self.is_over {
            let events = std::mem::replace(&mut self.events, Box::pin(futures_util::stream::empty()));
            let (session, answers) = (self.session.clone(), Arc::clone(&self.answers));
            runtime.spawn(events.for_each(move |event| {
                answers.keep(&session, &event);
                std::future::ready(())
            }));
        }
    }
}
