//! Documents of this machine that a report cites.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::core::base::error::Error;
use crate::core::base::limits;
use crate::core::base::plain::shortened;
use crate::core::evidence::checked::{CheckedSource, FileReach, NotVisited, SourceState, Unreachable};
use crate::engine::Inner;
use crate::world::clock;
use crate::world::library::{CitedFile, page_hash};

/// A source with what its file says, as it is archived.
pub(super) async fn read(
    inner: &Arc<Inner>,
    source: CheckedSource,
    path: &str,
    (reach, cancel): (&FileReach, &CancellationToken),
) -> (CheckedSource, Option<String>) {
    let (path, reach, stop) = (path.to_owned(), reach.clone(), cancel.clone());
    let found = inner.library(move |library| library.cited(&path, &reach, &stop)).await;
    let read = match found {
        Ok(CitedFile::Document { title, document }) => Ok((title, inner.masks.text(&document.text).into_owned())),
        Ok(CitedFile::Missing) => {
            Err(SourceState::Unreachable { why: Unreachable::Dead, detail: "there is no such file".to_owned() })
        }
        Ok(CitedFile::NotAllowed) => Err(SourceState::NotVisited { why: NotVisited::NotAllowed }),
        Err(error) => Err(unreadable(&error)),
    };
    match read {
        Err(state) => (CheckedSource { state, ..source }, None),
        Ok((title, text)) => {
            let read = CheckedSource {
                title: Some(shortened(&title, limits::LABEL_CHARS)),
                read_ms: Some(clock::now_ms()),
                page: Some(page_hash(&text)),
                state: SourceState::Read,
                ..source
            };
            (read, Some(text))
        }
    }
}

/// A file that is there and cannot be read. The message may name its whole path, which nobody asked for.
fn unreadable(_error: &Error) -> SourceState {
    SourceState::Unreachable { why: Unreachable::Unreadable, detail: String::new() }
}
