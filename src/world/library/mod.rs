//! Local documents and their full-text index.

use std::path::{Path, PathBuf};

use crate::core::effect::{Found, PageRef, Refreshed};
use crate::core::error::{Code, Error, Result};

/// The library below a data directory. Cheap to make; nothing is opened before it is needed.
#[derive(Debug)]
pub(crate) struct Library {
    dir: PathBuf,
    max_file_bytes: u64,
}

/// A registered root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Root {
    /// The canonical path of a folder or a single file.
    pub(crate) path: String,
    pub(crate) files: u64,
    pub(crate) passages: u64,
    /// Milliseconds since 1970.
    pub(crate) indexed_ms: i64,
}

/// The extracted text of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PageText {
    pub(crate) page: PageRef,
    pub(crate) text: String,
}

impl Library {
    pub(crate) fn new(dir: &Path, max_file_bytes: u64) -> Self {
        Self { dir: dir.to_owned(), max_file_bytes }
    }

    /// Registers a folder or file and brings its index up to date. Blocking, like everything here.
    pub(crate) fn add(&self, _path: &Path, _stop: &dyn Fn() -> bool) -> Result<(Root, Refreshed)> {
        Err(Error::new(Code::Internal, format!("{:?} {}", self.dir, self.max_file_bytes)))
    }

    pub(crate) fn roots(&self) -> Result<Vec<Root>> {
        Ok(Vec::new())
    }

    /// Takes a root and its index away. The documents themselves are not touched.
    pub(crate) fn remove(&self, _path: &Path) -> Result<Root> {
        Err(Error::new(Code::Internal, ""))
    }

    /// Brings the index of these roots (none = every registered one) up to date. A root that is not registered is
    /// indexed too, without being registered (`--library DIR`).
    pub(crate) fn refresh(&self, _roots: &[String], _stop: &dyn Fn() -> bool) -> Result<Refreshed> {
        Ok(Refreshed::default())
    }

    pub(crate) fn search(&self, _query: &str, _roots: &[String], _limit: u32) -> Result<Found> {
        Ok(Found::default())
    }

    /// Reads a document again and gives its text if it is still what was searched.
    pub(crate) fn read(&self, _page: &PageRef) -> Result<PageText> {
        Err(Error::new(Code::Internal, ""))
    }
}
