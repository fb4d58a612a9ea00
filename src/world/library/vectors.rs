//! The static vectors that the user names: read at the first question, and again when a file of theirs has changed.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::file::{self, Stat};
use crate::core::base::error::{Code, Error, Problem, Result};
use crate::core::base::limits;
use crate::core::evidence::vectors::StaticVectors;

#[derive(Debug, Default)]
pub(super) struct Vectors {
    folder: Option<PathBuf>,
    read: Mutex<Option<Read>>,
}

/// What two files held.
#[derive(Debug)]
struct Read {
    files: [Stat; 2],
    vectors: Arc<StaticVectors>,
}

impl Vectors {
    pub(super) fn in_folder(folder: Option<PathBuf>) -> Self {
        Self { folder, read: Mutex::default() }
    }

    /// The vectors, if any are named. Those that cannot be used are a problem: questions are answered without them.
    pub(super) fn get(&self, problems: &mut Vec<Problem>) -> Option<Arc<StaticVectors>> {
        let folder = self.folder.as_deref()?;
        let read = self.fresh(folder).map_err(|error| {
            let why =
                format!("`library.vectors` cannot be used, passages are ranked by words alone: {}", error.message);
            let error = Error::new(Code::LibraryUnreadable, why);
            problems.push(Problem { subject: folder.display().to_string(), error });
        });
        read.ok()
    }

    fn fresh(&self, folder: &Path) -> Result<Arc<StaticVectors>> {
        let paths = [found(folder, "tokenizer.json")?, found(folder, "model.safetensors")?];
        let [tokenizer, tensors] = &paths;
        let files = [seen(tokenizer)?, seen(tensors)?];
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read.as_ref().filter(|known| known.files == files) {
            return Ok(Arc::clone(&known.vectors));
        }
        let (tokenizer, first) = file::read(tokenizer, limits::VECTORS_BYTES)?;
        let (tensors, second) = file::read(tensors, limits::VECTORS_BYTES)?;
        let vectors = StaticVectors::read(&tokenizer, &tensors).map_err(|why| {
            Error::new(Code::LibraryUnreadable, format!("`{}` holds no static vectors: {why}", folder.display()))
        })?;
        let vectors = Arc::new(vectors);
        *read = Some(Read { files: [first, second], vectors: Arc::clone(&vectors) });
        Ok(vectors)
    }
}

/// Downloaded models are often links to a store.
fn found(folder: &Path, name: &str) -> Result<PathBuf> {
    let path = folder.join(name);
    std::fs::canonicalize(&path).map_err(|error| file::unreadable(&path, &error))
}

fn seen(path: &Path) -> Result<Stat> {
    std::fs::metadata(path).map(|metadata| Stat::of(&metadata)).map_err(|error| file::unreadable(path, &error))
}
