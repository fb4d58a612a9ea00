//! What `eval/` measures: one function per thing. Not an API.

pub mod evidence;

use std::path::Path;

use crate::core::text::page::{self, Raw};
use crate::world::library::Library;

/// Files larger than this are not measured with, in bytes.
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// The plain text and the Markdown of an HTML page.
pub fn extract(html: &[u8]) -> Option<(String, String)> {
    let raw = Raw { url: "https://page.invalid/", content_type: Some("text/html"), bytes: html };
    page::extract(raw).ok().map(|page| (page.text, page.markdown))
}

/// The blocks of an HTML page, each with its text and its numbers, as the model is trained with.
pub fn blocks(html: &[u8]) -> Vec<(String, Vec<f32>)> {
    page::measured(Raw { url: "", content_type: Some("text/html"), bytes: html })
}

/// A library of one folder.
#[derive(Debug)]
pub struct Index {
    library: Library,
}

impl Index {
    /// Indexes a folder; everything in it must be readable.
    pub fn new(data: &Path, folder: &Path) -> Result<Self, String> {
        let library = Library::new(data, MAX_FILE_BYTES);
        let (_, refreshed) = library.add(folder, &|| false).map_err(|error| error.to_string())?;
        match refreshed.problems.first() {
            Some(problem) => Err(problem.error.to_string()),
            None => Ok(Self { library }),
        }
    }

    /// The file of each passage that is found, best first.
    pub fn search(&self, question: &str, limit: u32) -> Result<Vec<String>, String> {
        let found = self.library.search(question, &[], limit).map_err(|error| error.to_string())?;
        match found.problems.first() {
            Some(problem) => Err(problem.error.to_string()),
            None => Ok(found.passages.into_iter().map(|passage| passage.path).collect()),
        }
    }
}
