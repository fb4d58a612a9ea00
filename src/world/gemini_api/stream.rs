//! The stream of a run, for live progress and for hearing at once that it is over. It may be cut, hang, lie about its
//! end or never come: looking at the run does without it.

use reqwest::Method;
use tokio::sync::mpsc;

use super::{GeminiApi, Haste, Request};
use crate::core::agent::google::Events;
use crate::core::agent::{Frames, Snapshot, StreamNews};
use crate::core::base::limits;

/// What a listener hears.
#[derive(Debug)]
pub(super) enum StreamMessage {
    News(Box<Snapshot>),
    /// The run may be over.
    Over,
}

impl GeminiApi {
    /// Listens to a run until it may be over, as long as that brings anything. Ends when nobody hears it any more.
    pub(super) async fn listen(self, id: String, hear: mpsc::Sender<StreamMessage>) {
        // Without a place it is only looked at.
        let Ok(_place) = self.inner.streams.clone().try_acquire_owned() else { return };
        let mut fold = Events::default();
        let mut idle = 0;
        while idle < limits::STREAM_TRIES && !hear.is_closed() {
            let before = fold.last_event.clone();
            match self.stream_once(&id, &mut fold, &hear).await {
                StreamEnd::Over | StreamEnd::Unheard => return,
                StreamEnd::Cut if fold.last_event == before => idle += 1,
                StreamEnd::Cut => idle = 0,
            }
            // A stream that is cut again and again is not begged for.
            tokio::time::sleep(self.inner.interval.min(limits::STREAM_IDLE) / 2).await;
        }
    }

    async fn stream_once(&self, id: &str, fold: &mut Events, hear: &mpsc::Sender<StreamMessage>) -> StreamEnd {
        let path = match &fold.last_event {
            Some(event) => format!("interactions/{id}?stream=true&last_event_id={}", escape(event)),
            None => format!("interactions/{id}?stream=true"),
        };
        let request = Request { haste: Haste::Patient, ..Request::new(Method::GET, &path, limits::STREAM_IDLE) };
        let Ok(prepared) = self.prepare(&request).await else { return StreamEnd::Cut };
        let opening = prepared.header(reqwest::header::ACCEPT, "text/event-stream").send();
        let Ok(Ok(mut reply)) = tokio::time::timeout(limits::STREAM_IDLE, opening).await else { return StreamEnd::Cut };
        if !reply.status().is_success() {
            return StreamEnd::Cut;
        }
        let mut frames = Frames::default();
        while let Ok(Ok(Some(bytes))) = tokio::time::timeout(limits::STREAM_IDLE, reply.chunk()).await {
            for event in frames.push(&bytes) {
                let heard = match fold.take(&event) {
                    StreamNews::Nothing => continue,
                    StreamNews::News => StreamMessage::News(Box::new(fold.seen.clone())),
                    StreamNews::Over | StreamNews::End => StreamMessage::Over,
                };
                let over = matches!(heard, StreamMessage::Over);
                if hear.send(heard).await.is_err() {
                    return StreamEnd::Unheard;
                }
                if over {
                    return StreamEnd::Over;
                }
            }
        }
        StreamEnd::Cut
    }
}

/// How one connection came to its end.
enum StreamEnd {
    Over,
    Cut,
    Unheard,
}

/// An event's id inside a query.
fn escape(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}
