//! The last answers to the calls of sessions. A client whose connection broke asks for what it has missed; the protocol library forgets an answer
//! as soon as it has passed it on, also to nobody.

use std::collections::{HashMap, VecDeque};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use futures_util::{Stream, StreamExt};
use rmcp::model::JsonRpcMessage;
use rmcp::transport::common::server_side_http::ServerSseMessage;
use rmcp::transport::streamable_http_server::SessionId;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::core::base::limits;

#[derive(Default)]
pub(super) struct Answers {
    kept: Mutex<VecDeque<(SessionId, ServerSseMessage)>>,
    /// The streams of calls that somebody reads, by how many.
    read: watch::Sender<HashMap<(SessionId, u64), usize>>,
}

impl Answers {
    /// The answer in the stream of this event, if it came after the event.
    ///
    /// The protocol library may have passed it on to a reader that has not come to it yet: that one is waited for.
    pub(super) async fn after(&self, session: &SessionId, event: &str) -> Option<ServerSseMessage> {
        let (last, stream) = place(event)?;
        let of_call = (session.clone(), stream);
        let mut read = self.read.subscribe();
        let is_read = async { read.wait_for(|read| !read.contains_key(&of_call)).await.is_ok() };
        let _read_or_stuck = timeout(limits::HTTP_BODY_TIME, is_read).await;
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
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Says that a stream is read, until it is dropped.
struct Reader {
    answers: Arc<Answers>,
    of_call: (SessionId, u64),
}

impl Reader {
    fn new(answers: &Arc<Answers>, session: &SessionId, stream: u64) -> Self {
        let of_call = (session.clone(), stream);
        answers.read.send_modify(|read| *read.entry(of_call.clone()).or_default() += 1);
        Self { answers: Arc::clone(answers), of_call }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.answers.read.send_modify(|read| {
            if let Some(readers) = read.get_mut(&self.of_call) {
                *readers -= 1;
                if *readers == 0 {
                    read.remove(&self.of_call);
                }
            }
        });
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
    /// Since the first event told which stream it is.
    reader: Option<Reader>,
    session: SessionId,
    answers: Arc<Answers>,
}

impl Attended {
    pub(super) fn new(
        events: impl Stream<Item = ServerSseMessage> + Send + Sync + 'static,
        session: &SessionId,
        answers: &Arc<Answers>,
    ) -> Self {
        let (session, answers) = (session.clone(), Arc::clone(answers));
        Self { events: Box::pin(events), is_over: false, reader: None, session, answers }
    }
}

impl Stream for Attended {
    type Item = ServerSseMessage;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<ServerSseMessage>> {
        let event = ready!(self.events.as_mut().poll_next(context));
        match &event {
            Some(event) => {
                self.answers.keep(&self.session, event);
                if let (None, Some((_, stream))) = (&self.reader, event.event_id.as_deref().and_then(place)) {
                    self.reader = Some(Reader::new(&self.answers, &self.session, stream));
                }
            }
            None => {
                self.is_over = true;
                self.reader = None;
            }
        }
        Poll::Ready(event)
    }
}

impl Drop for Attended {
    fn drop(&mut self) {
        // Outside of the runtime the server is at its end.
        let Ok(runtime) = Handle::try_current() else { return };
        if !self.is_over {
            let mut events = std::mem::replace(&mut self.events, Box::pin(futures_util::stream::empty()));
            let (session, answers, reader) = (self.session.clone(), Arc::clone(&self.answers), self.reader.take());
            runtime.spawn(async move {
                while let Some(event) = events.next().await {
                    answers.keep(&session, &event);
                }
                drop(reader);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::stream;
    use serde_json::json;

    use super::*;

    /// MC-01: an answer that was passed on and that its reader has not come to yet is waited for; what nobody reads is not.
    #[tokio::test]
    async fn mc_01_an_answer_is_waited_for_until_its_reader_has_come_to_it() {
        let answer = serde_json::from_value(json!({"jsonrpc": "2.0", "id": 7, "result": {}})).unwrap();
        let events = [ServerSseMessage::priming("0/3", Duration::from_secs(1)), ServerSseMessage::new("1/3", answer)];
        let (answers, session) = (Arc::<Answers>::default(), SessionId::from("one"));
        let mut attended = Attended::new(stream::iter(events), &session, &answers);
        assert_eq!(attended.next().await.unwrap().event_id.as_deref(), Some("0/3"));
        // Its client has gone: another task reads on, and has not begun.
        drop(attended);
        for _ in 0..2 {
            let found = answers.after(&session, "0/3").await.unwrap();
            assert_eq!(found.event_id.as_deref(), Some("1/3"));
        }
        for (session, event) in [("one", "1/3"), ("one", "0/4"), ("two", "0/3"), ("one", "garbage")] {
            assert!(answers.after(&SessionId::from(session), event).await.is_none(), "{session} {event}");
        }
        assert!(answers.read.borrow().is_empty());
    }
}
