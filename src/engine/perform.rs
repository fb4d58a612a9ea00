//! One effect, through the world's adapters. Retries, if any, are the adapters'; what comes back is data.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::Inner;
use crate::core::effect::{Effect, Outcome, PageRef};
use crate::core::error::{Code, Error, Result};
use crate::core::id::TaskId;
use crate::core::report::Problem;
use crate::core::usage::Usage;
use crate::world::library::Library;
use crate::world::store::Store;

/// Does it. An adapter's error becomes an outcome: the method decides what it means.
pub(super) async fn perform(
    inner: &Arc<Inner>,
    store: &Store,
    _task: TaskId,
    effect: &Effect,
    cancel: &CancellationToken,
) -> (Outcome, Usage) {
    let done = match effect {
        Effect::RefreshLibrary { roots } => {
            let (roots, cancel) = (roots.clone(), cancel.clone());
            blocking(inner, move |library| library.refresh(&roots, &|| cancel.is_cancelled()))
                .await
                .map(Outcome::Refreshed)
        }
        Effect::SearchLibrary { query, roots, limit } => {
            let (query, roots, limit) = (query.clone(), roots.clone(), *limit);
            blocking(inner, move |library| library.search(&query, &roots, limit)).await.map(Outcome::Found)
        }
        Effect::ArchivePages { pages } => archive(inner, store, pages).await,
        #[cfg(feature = "scripted")]
        Effect::Script(step) => return super::scripted::perform(&inner.gate, step, _task, cancel).await,
        Effect::Ask(_ask) => Err(Error::new(Code::EngineUnavailable, "no model program")),
        Effect::Wait { ms } => wait(*ms, cancel).await,
        // The run keeps these for itself.
        Effect::Log { .. } | Effect::Progress(_) | Effect::Finish(_) => {
            Err(Error::new(Code::Internal, "not an effect of the world"))
        }
    };
    (done.unwrap_or_else(|error| Outcome::Failed { error }), Usage::ZERO)
}

async fn archive(inner: &Arc<Inner>, store: &Store, pages: &[PageRef]) -> Result<Outcome> {
    let mut archived = Vec::new();
    let mut problems = Vec::new();
    for page in pages {
        let wanted = page.clone();
        match blocking(inner, move |library| library.read(&wanted)).await {
            Ok(read) => {
                store.archive(page.page.clone(), read.text).await?;
                archived.push(page.page.clone());
            }
            Err(error) => problems.push(Problem { subject: page.path.clone(), error }),
        }
    }
    Ok(Outcome::Archived { pages: archived, problems })
}

async fn wait(ms: u64, cancel: &CancellationToken) -> Result<Outcome> {
    tokio::select! {
        () = tokio::time::sleep(Duration::from_millis(ms)) => Ok(Outcome::Waited),
        () = cancel.cancelled() => Err(Error::new(Code::Cancelled, "stopped while waiting")),
    }
}

async fn blocking<T, F>(inner: &Arc<Inner>, work: F) -> Result<T>
where
    T: Send + 'static,
    F: FnOnce(&Library) -> Result<T> + Send + 'static,
{
    let library = Arc::clone(&inner.library);
    let joined = tokio::task::spawn_blocking(move || work(&library));
    joined.await.map_err(|_panicked| Error::new(Code::Internal, "the library has a fault"))?
}
