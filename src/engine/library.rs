//! The library's verbs, off the async threads.

use std::path::Path;
use std::sync::Arc;

use super::{Engine, Root};
use crate::core::base::error::{Code, Error, Result};
use crate::core::task::outcome::Refreshed;
use crate::world::library::Library;

impl Engine {
    /// Registers a folder or file and indexes it.
    pub(crate) async fn library_add(&self, path: &Path) -> Result<(Root, Refreshed)> {
        let (path, shutdown) = (path.to_owned(), self.inner.shutdown.clone());
        self.library(move |library| library.add(&path, &|| shutdown.is_cancelled())).await
    }

    pub(crate) async fn library_roots(&self) -> Result<Vec<Root>> {
        self.library(Library::roots).await
    }

    /// Takes a root and its index away; the documents stay.
    pub(crate) async fn library_remove(&self, path: &Path) -> Result<Root> {
        let path = path.to_owned();
        self.library(move |library| library.remove(&path)).await
    }

    async fn library<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Library) -> Result<T> + Send + 'static,
    {
        let library = Arc::clone(&self.inner.library);
        let joined = tokio::task::spawn_blocking(move || work(&library));
        joined.await.map_err(|_panicked| Error::new(Code::Internal, "the library did not answer"))?
    }
}
