//! Labelled documents as a folder, and what questions about them cost.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hadal::eval::Index;
use rustix::time::{ClockId, clock_gettime};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tempfile::TempDir;

#[derive(Debug, Deserialize)]
pub(crate) struct Document {
    pub(crate) id: String,
    title: String,
    text: String,
}

/// A question, and what answers it.
#[derive(Debug, Deserialize)]
pub(crate) struct Query {
    pub(crate) question: String,
    /// How relevant documents are; 0 was judged and is not.
    pub(crate) relevant: BTreeMap<String, f64>,
    /// What the answer is, word for word.
    pub(crate) answer: Option<String>,
}

/// Documents, each a file of its own in a folder that is indexed.
#[derive(Debug)]
pub(crate) struct Shelf {
    pub(crate) documents: Vec<Document>,
    pub(crate) index: Index,
    _dir: TempDir,
}

/// The folder of static vectors with which is measured, if the environment names one.
pub(crate) fn vectors() -> Option<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "a program of its own, with one variable")]
    let named = std::env::var_os("HADAL_LIBRARY_VECTORS");
    named.map(PathBuf::from)
}

impl Shelf {
    pub(crate) fn read(documents: &Path) -> Result<Self, String> {
        Self::of(lines(documents)?)
    }

    pub(crate) fn of(documents: Vec<Document>) -> Result<Self, String> {
        let dir = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
        let folder = dir.path().join("documents");
        write(&folder, &documents).map_err(|error| format!("cannot write {}: {error}", folder.display()))?;
        let index = Index::new(&dir.path().join("library"), &folder, vectors().as_deref())?;
        Ok(Self { documents, index, _dir: dir })
    }

    /// The ids of the documents behind these files, each once, in their order.
    pub(crate) fn ids(&self, files: &[String]) -> Vec<&str> {
        let mut ids: Vec<&str> = Vec::new();
        for file in files {
            let number = file.strip_suffix(".md").and_then(|number| number.parse::<usize>().ok());
            let id = number.and_then(|number| self.documents.get(number)).map(|document| document.id.as_str());
            ids.extend(id.filter(|id| !ids.contains(id)));
        }
        ids
    }
}

/// Writes each document as a Markdown file that is named by its number.
fn write(folder: &Path, documents: &[Document]) -> std::io::Result<()> {
    std::fs::create_dir(folder)?;
    for (number, document) in documents.iter().enumerate() {
        let title = document.title.replace(['\n', '_'], " ");
        std::fs::write(folder.join(format!("{number}.md")), format!("# {title}\n\n{}\n", document.text))?;
    }
    Ok(())
}

pub(crate) fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let parse = |line| serde_json::from_str(line).map_err(|error| format!("{}: {error}", path.display()));
    text.lines().filter(|line| !line.trim().is_empty()).map(parse).collect()
}

/// CPU time of this process.
pub(crate) fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), u32::try_from(time.tv_nsec).unwrap_or_default())
}
