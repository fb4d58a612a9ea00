//! A document that a report cites by its path: read only from folders that the reader of the report has chosen.

use std::fs;
use std::path::{Component, Path, PathBuf};

use tokio_util::sync::CancellationToken;

use super::{Library, file};
use crate::core::base::error::{Code, Error, Result};
use crate::core::evidence::checked::FileReach;
use crate::core::text::format::NameSays;
use crate::core::text::{Document, Format};

/// What a path in a report leads to.
#[derive(Debug)]
pub(crate) enum CitedFile {
    Document {
        title: String,
        document: Document,
    },
    /// The bytes of a PDF, which is read by a child.
    Pdf(Vec<u8>),
    /// There is none in the folders that may be read.
    Missing,
    /// It lies outside of them, or is hidden in them.
    NotAllowed,
}

impl Library {
    /// Reads a document by the path that a report has for it: absolute, or relative to one of the folders.
    pub(crate) fn cited(&self, path: &str, reach: &FileReach) -> Result<CitedFile> {
        let mut roots: Vec<PathBuf> = reach.folders.iter().map(PathBuf::from).collect();
        if reach.registered {
            roots.extend(self.roots()?.into_iter().map(|root| PathBuf::from(root.path)));
        }
        let roots: Vec<PathBuf> = roots.iter().filter_map(|root| fs::canonicalize(root).ok()).collect();
        let wanted = Path::new(path);
        let mut outside = false;
        for root in &roots {
            // A root that is a single file is its own document.
            let names = [root.join(wanted), root.parent().map(|above| above.join(wanted)).unwrap_or_default()];
            let found =
                names.iter().take(if root.is_file() { 2 } else { 1 }).find_map(|name| fs::canonicalize(name).ok());
            let Some(found) = found else { continue };
            if roots.iter().any(|root| is_open(root, &found)) {
                return self.open_cited(&found);
            }
            outside = true;
        }
        let nowhere = roots.is_empty() || (wanted.is_absolute() && !roots.iter().any(|root| wanted.starts_with(root)));
        Ok(if outside || nowhere { CitedFile::NotAllowed } else { CitedFile::Missing })
    }

    fn open_cited(&self, path: &Path) -> Result<CitedFile> {
        if matches!(file::kind_of(path), NameSays::NotRead(_)) {
            return Ok(CitedFile::NotAllowed);
        }
        let (bytes, _) = match file::read(path, self.max_file_bytes) {
            Err(error) if error.code == Code::LibraryNotFound => return Ok(CitedFile::Missing),
            read => read?,
        };
        if bytes.starts_with(b"%PDF-") || file::kind_of(path) == NameSays::Format(Format::Pdf) {
            return Ok(CitedFile::Pdf(bytes));
        }
        let document = file::extract(&self.documents, path, bytes, &CancellationToken::new())?;
        if document.text.trim().is_empty() {
            return Err(Error::new(Code::PageUnreadable, "the file holds no text"));
        }
        Ok(CitedFile::Document { title: file::title(&document, path), document })
    }
}

/// Whether a file lies in a folder, or is it, and nothing on the way is hidden.
fn is_open(root: &Path, file: &Path) -> bool {
    let is_hidden = |part: Component<'_>| part.as_os_str().to_string_lossy().starts_with('.');
    file.strip_prefix(root).is_ok_and(|below| !below.components().any(is_hidden))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EV-03: only documents in the chosen folders are read, by whatever path a report has for them.
    #[test]
    fn only_chosen_folders_are_read() {
        let home = tempfile::tempdir().unwrap();
        let (open, closed) = (home.path().join("open"), home.path().join("closed"));
        for folder in [open.join(".git"), open.join("docs"), closed.clone()] {
            fs::create_dir_all(folder).unwrap();
        }
        for name in ["open/docs/a.md", "open/.git/b.md", "open/key.pem", "closed/c.md"] {
            fs::write(home.path().join(name), "The dam is high.").unwrap();
        }
        std::os::unix::fs::symlink(closed.join("c.md"), open.join("link.md")).unwrap();
        let library = Library::new(&home.path().join("index"), 1 << 20);
        let folder = |path: &Path| FileReach { folders: vec![path.to_str().unwrap().to_owned()], registered: false };
        let reach = folder(&open);
        let absolute = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
        for (path, want) in [
            ("docs/a.md".to_owned(), "document"),
            ("./docs/../docs/a.md".to_owned(), "document"),
            (absolute("open/docs/a.md"), "document"),
            ("docs/none.md".to_owned(), "missing"),
            ("../closed/c.md".to_owned(), "not allowed"),
            (absolute("closed/c.md"), "not allowed"),
            (absolute("closed/none.md"), "not allowed"),
            ("link.md".to_owned(), "not allowed"),
            (".git/b.md".to_owned(), "not allowed"),
            ("key.pem".to_owned(), "not allowed"),
        ] {
            let found = match library.cited(&path, &reach).unwrap() {
                CitedFile::Document { document, .. } => {
                    assert_eq!(document.text, "The dam is high.");
                    "document"
                }
                CitedFile::Pdf(_) => "pdf",
                CitedFile::Missing => "missing",
                CitedFile::NotAllowed => "not allowed",
            };
            assert_eq!(found, want, "{path}");
        }
        let single = folder(&closed.join("c.md"));
        assert!(matches!(library.cited("c.md", &single).unwrap(), CitedFile::Document { .. }));
        assert!(matches!(library.cited("docs/a.md", &FileReach::default()).unwrap(), CitedFile::NotAllowed));
    }
}
