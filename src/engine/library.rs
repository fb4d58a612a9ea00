//! The library's verbs, off the async threads.

use std::path::Path;
use std::sync::Arc;

use super::{Engine, Inner, Root};
use crate::core::base::error::Result;
use crate::core::task::outcome::Refreshed;
use crate::world::blocking;
use crate::world::library::Library;

impl Engine {
    /// Registers a folder or file and indexes it.
    pub(crate) async fn library_add(&self, path: &Path) -> Result<(Root, Refreshed)> {
        let (path, shutdown) = (path.to_owned(), self.inner.shutdown.clone());
        self.inner.library(move |library| library.add(&path, &|| shutdown.is_cancelled())).await
    }

    pub(crate) async fn library_roots(&self) -> Result<Vec<Root>> {
        self.inner.library(Library::roots).await
    }

    /// Takes a root and its index away; the documents stay.
    pub(crate) async fn library_remove(&self, path: &Path) -> Result<Root> {
        let path = path.to_owned();
        self.inner.library(move |library| library.remove(&path)).await
    }
}

impl Inner {
    /// Does some work with the library.
    pub(super) async fn library<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Library) -> Result<T> + Send + 'static,
    {
        let library = Arc::clone(&self.library);
        blocking("work with the library", move || work(&library)).await
    }
}
