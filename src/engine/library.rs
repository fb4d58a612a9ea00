//! The library's verbs, off the async threads.

use std::path::Path;
use std::sync::Arc;

use super::{Engine, Inner, Root};
use crate::core::base::error::{Problem, Result};
use crate::core::setup::settings::Settings;
use crate::core::task::outcome::Refreshed;
use crate::world::blocking;
use crate::world::documents::Documents;
use crate::world::library::{Choice, Library};
use crate::world::pdf;

/// The library of these settings. Must be called inside the runtime, which watches over the children that read.
pub(super) fn library(settings: &Settings, reader: pdf::Reader) -> Library {
    let documents = Documents::new(reader, tokio::runtime::Handle::current());
    Library::new(&settings.data_dir.join("index"), settings.library_max_file_bytes)
        .with_documents(documents)
        .with_vectors(settings.library_vectors.clone())
}

impl Engine {
    /// Registers a folder or file and indexes it.
    pub(crate) async fn library_add(&self, path: &Path, choice: Option<Choice>) -> Result<(Root, Refreshed)> {
        let (path, shutdown) = (path.to_owned(), self.inner.shutdown.clone());
        self.inner.library(move |library| library.add(&path, choice, &|| shutdown.is_cancelled())).await
    }

    pub(crate) async fn library_roots(&self) -> Result<Vec<Root>> {
        self.inner.library(Library::roots).await
    }

    /// What is registered and cannot be read.
    pub(crate) async fn library_unreadable(&self) -> Result<Vec<Problem>> {
        self.inner.library(Library::unreadable).await
    }

    /// How many folders and files are registered, also such as cannot be read.
    pub(super) async fn count_library(&self) -> Result<usize> {
        self.inner.library(|library| Ok(library.roots()?.len() + library.unreadable()?.len())).await
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
