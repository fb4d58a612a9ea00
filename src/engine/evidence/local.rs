//! Documents of this machine that a report cites.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::core::base::error::{Error, Result};
use crate::core::base::limits;
use crate::core::base::plain::shortened;
use crate::core::evidence::checked::{CheckedSource, FileReach, NotVisited, SourceState, Unreachable};
use crate::core::text::page::Raw;
use crate::engine::{Inner, web};
use crate::world::library::{CitedFile, page_hash};
use crate::world::{blocking, clock};

/// A source with what its file says, as it is archived.
pub(super) async fn read(
    inner: &Arc<Inner>,
    source: CheckedSource,
    path: &str,
    (reach, cancel): (&FileReach, &CancellationToken),
) -> (CheckedSource, Option<String>) {
    let (path, reach) = (path.to_owned(), reach.clone());
    let found = inner.library(move |library| library.cited(&path, &reach)).await;
    let read = match found {
        Ok(CitedFile::Document { title, document }) => Ok((title, inner.masks.text(&document.text).into_owned())),
        Ok(CitedFile::Pdf(bytes)) => of_pdf(inner, &bytes, cancel).await.map_err(|error| unreadable(&error)),
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

async fn of_pdf(inner: &Arc<Inner>, bytes: &[u8], cancel: &CancellationToken) -> Result<(String, String)> {
    let raw = Raw { url: "file:///document.pdf", content_type: None, bytes };
    let extracted = inner.reader.read(raw, cancel).await?;
    let masks = inner.masks.clone();
    blocking("reading a document", move || {
        let (title, document) = web::document("", extracted, &masks)?;
        Ok((title, document.text))
    })
    .await
}

/// A file that is there and cannot be read. The message may name its whole path, which nobody asked for.
fn unreadable(_error: &Error) -> SourceState {
    SourceState::Unreachable { why: Unreachable::Unreadable, detail: String::new() }
}
