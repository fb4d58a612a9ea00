//! Waiting for a store that is in trouble.

use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::core::base::error::{Error, Kind, Result};

/// Writes again while the store is in trouble that may pass (full, locked), for a while. A `Fenced` answer is an answer.
pub(super) async fn retry_while_busy<T, W, F>(patience: Duration, cancel: &CancellationToken, mut write: W) -> Result<T>
where
    W: FnMut() -> F,
    F: Future<Output = Result<T>>,
{
    let since = Instant::now();
    let mut wait = Duration::from_millis(50);
    loop {
        match write().await {
            Err(error) if error.code.retryable() && since.elapsed() < patience => {
                tokio::select! {
                    () = cancel.cancelled() => return Err(error),
                    () = tokio::time::sleep(wait) => wait = (wait * 2).min(Duration::from_secs(5)),
                }
            }
            answer => return answer,
        }
    }
}

/// Whether work that is not paid may go on without the store.
pub(super) fn goes_on(error: &Error) -> bool {
    error.code.kind() == Kind::Storage
}
