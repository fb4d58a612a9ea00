//! The sessions of one principal, of which there are only so many. Whether there is room is decided where a session is made: two requests that
//! come at once cannot both take the last place, and a request that opens none is not refused for want of one.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::{Stream, StreamExt, stream};
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::common::server_side_http::ServerSseMessage;
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError, SessionConfig,
};
use rmcp::transport::streamable_http_server::{SessionId, SessionManager};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::answers::{self, Answers, Attended};
use super::newest::{Known, Told};
use crate::core::base::limits;

tokio::task_local! {
    /// Set when a request was refused here: the protocol library knows only one kind of failure, and takes events that are gone for none.
    static REFUSAL: Cell<Option<Refusal>>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// There is no room for another session.
    NoRoom,
    /// What came after an event is not known here any more, or never was.
    EventsGone,
}

/// Answers a request, and says why it was refused here, if it was.
pub(super) async fn noting_refusals<T>(answer: impl Future<Output = T>) -> (T, Option<Refusal>) {
    REFUSAL
        .scope(Cell::new(None), async {
            let answer = answer.await;
            (answer, REFUSAL.with(Cell::get))
        })
        .await
}

fn note(refusal: Refusal) {
    // There is none outside of a request.
    let _ = REFUSAL.try_with(|noted| noted.set(Some(refusal)));
}

pub(super) struct Sessions {
    local: LocalSessionManager,
    room: Arc<Semaphore>,
    /// The places of open sessions. Each session ends with `close_session`, however it ends.
    places: Mutex<HashMap<SessionId, Place>>,
    answers: Arc<Answers>,
}

struct Place {
    _permit: OwnedSemaphorePermit,
    /// When its client last asked for something. What the server tells it is no sign of a client.
    last: Instant,
    /// The newest stream of what no request asked for.
    newest: Option<Known>,
}

impl Sessions {
    pub(super) fn new(most: usize) -> Self {
        let mut local = LocalSessionManager::default();
        // A call may be silent for as long as it waits. The library's own clock starts anew with everything that the server says.
        let mut config = SessionConfig::default();
        config.keep_alive = Some(limits::HTTP_SESSION_IDLE);
        local.session_config = config;
        Self { local, room: Arc::new(Semaphore::new(most)), places: Mutex::default(), answers: Arc::default() }
    }

    fn places(&self) -> MutexGuard<'_, HashMap<SessionId, Place>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes the stream that was told so far, so that the next one is.
    fn take_over(&self, id: &SessionId) -> Option<Told> {
        let before = self.places().get_mut(id)?.newest.take()?.still_open()?;
        before.silence();
        Some(before)
    }

    /// The stream before is told again: there is no other.
    async fn give_back(&self, id: &SessionId, before: Option<Told>) {
        if let (Some(before), Ok(events)) = (before, self.local.create_standalone_stream(id).await) {
            before.put(events);
            if let Some(place) = self.places().get_mut(id) {
                place.newest = Some(before.known());
            }
        }
    }

    /// The stream that is told from now on. The one before stays open and silent: a client that has both would else open them in turns for ever.
    async fn told(
        &self,
        id: &SessionId,
        events: impl Stream<Item = ServerSseMessage> + Send + Sync + 'static,
        before: Option<Told>,
    ) -> Result<Told, SessionsError> {
        let told = Told::new(events);
        if let Some(before) = before {
            before.put(self.local.create_standalone_stream(id).await?);
        }
        if let Some(place) = self.places().get_mut(id) {
            place.newest = Some(told.known());
        }
        Ok(told)
    }

    /// Ends the sessions whose clients have asked for nothing for too long.
    async fn end_silent(&self) {
        let now = Instant::now();
        let is_silent = |place: &mut Place| now.duration_since(place.last) >= limits::HTTP_SESSION_IDLE;
        let silent: Vec<SessionId> = self.places().extract_if(|_, place| is_silent(place)).map(|(id, _)| id).collect();
        if !silent.is_empty() {
            let mut sessions = self.local.sessions.write().await;
            for id in &silent {
                // A session ends when its handle is dropped; nobody waits for one whose stream is full.
                sessions.remove(id);
                self.answers.forget(id);
            }
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub(super) enum SessionsError {
    #[error("too many sessions are open")]
    NoRoom,
    #[error(transparent)]
    Local(#[from] LocalSessionManagerError),
}

impl SessionManager for Sessions {
    type Error = SessionsError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        self.end_silent().await;
        let Ok(permit) = Arc::clone(&self.room).try_acquire_owned() else {
            note(Refusal::NoRoom);
            return Err(SessionsError::NoRoom);
        };
        let (id, transport) = self.local.create_session().await?;
        self.places().insert(id.clone(), Place { _permit: permit, last: Instant::now(), newest: None });
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        Ok(self.local.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        if let Some(place) = self.places().get_mut(id) {
            place.last = Instant::now();
        }
        Ok(self.local.has_session(id).await?)
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        let closed = self.local.close_session(id).await;
        self.places().remove(id);
        self.answers.forget(id);
        Ok(closed?)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let is_call = matches!(&message, JsonRpcMessage::Request(asked) if matches!(asked.request, ClientRequest::CallToolRequest(_)));
        let events = self.local.create_stream(id, message).await?;
        Ok(if is_call { Attended::new(events, id, &self.answers).left_stream() } else { events.right_stream() })
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Self::Error> {
        Ok(self.local.accept_message(id, message).await?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let before = self.take_over(id);
        let events = self.local.create_standalone_stream(id).await?;
        self.told(id, events, before).await
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        // Those of a session as a whole are not read when nobody listens: they wait for the next client.
        let of_call = answers::place(&last_event_id).is_some();
        let before = if of_call { None } else { self.take_over(id) };
        match self.local.resume(id, last_event_id.clone()).await {
            Ok(events) if of_call => Ok(Attended::new(events, id, &self.answers).left_stream()),
            Ok(events) => Ok(self.told(id, events, before).await?.left_stream().right_stream()),
            Err(fault) if before.is_some() => {
                self.give_back(id, before).await;
                note(Refusal::EventsGone);
                Err(fault.into())
            }
            Err(fault) => match self.answers.after(id, &last_event_id).await {
                Some(answer) => Ok(stream::iter([answer]).right_stream().right_stream()),
                None => {
                    note(Refusal::EventsGone);
                    Err(fault.into())
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MC-01: a session whose client asks for nothing gives up its place, whatever it is told meanwhile; one that is used keeps it.
    #[tokio::test(start_paused = true)]
    async fn mc_01_abandoned_sessions_give_up_their_places() {
        let sessions = Sessions::new(1);
        let (first, _told) = sessions.create_session().await.unwrap();
        for _ in 0..3 {
            tokio::time::advance(limits::HTTP_SESSION_IDLE / 2).await;
            assert!(matches!(sessions.create_session().await, Err(SessionsError::NoRoom)), "it is in use");
            assert!(sessions.has_session(&first).await.unwrap());
        }
        tokio::time::advance(limits::HTTP_SESSION_IDLE).await;
        let (second, _told) = sessions.create_session().await.unwrap();
        assert!(!sessions.has_session(&first).await.unwrap());
        assert!(sessions.has_session(&second).await.unwrap());
        assert!(matches!(sessions.create_session().await, Err(SessionsError::NoRoom)), "there is one place");
    }
}
