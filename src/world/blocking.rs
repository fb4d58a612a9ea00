//! Work that holds a thread up, kept off the async ones.

use crate::core::base::error::{Code, Error, Result};

/// Does the work on a thread of its own. A panic in it is an error that names the work.
pub(crate) async fn blocking<T: Send + 'static>(
    what: &'static str,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let ended = tokio::task::spawn_blocking(work).await;
    ended.map_err(|_panicked| Error::new(Code::Internal, format!("{what} did not end in good order")))?
}
