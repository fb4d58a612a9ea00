//! A document that a report cites by its path: read only from folders that the reader of the report has chosen.

use std::fs;
use std::path::{Component, Path, PathBuf};

use tokio_util::sync::CancellationToken;

use super::roots::{Choice, Target};
use super::scan::leaves_out;
use super::{Library, file, unpack};
use crate::core::base::error::{Code, Error, Result};
use crate::core::evidence::checked::FileReach;
use crate::core::text::format::{self, NameSays};
use crate::core::text::secret_files::is_in_folder_of_secrets;
use crate::core::text::{Document, archive};

/// What a path in a report leads to.
#[derive(Debug)]
pub(crate) enum CitedFile {
    Document {
        title: String,
        document: Document,
    },
    /// There is none in the folders that may be read.
    Missing,
    /// It lies outside of them, or is left out of them.
    NotAllowed,
}

/// A folder or file that may be read.
struct OpenRoot {
    path: PathBuf,
    /// What of a root of the library its user has chosen.
    library: Option<(Target, Choice)>,
}

impl Library {
    /// Reads a document by the path that a report has for it: absolute, or relative to one of the folders.
    pub(crate) fn cited(&self, path: &str, reach: &FileReach, stop: &CancellationToken) -> Result<CitedFile> {
        let named = reach.folders.iter().filter_map(|folder| fs::canonicalize(folder).ok());
        let mut roots: Vec<OpenRoot> = named.map(|path| OpenRoot { path, library: None }).collect();
        if reach.registered {
            // A root that is not there at the moment has nothing to read.
            let there = self.roots()?.into_iter().filter_map(|root| {
                let target = Target::resolve(Path::new(&root.path)).ok()?;
                Some(OpenRoot { path: target.path.clone(), library: Some((target, root.choice)) })
            });
            roots.extend(there);
        }
        // A file may be called like one in an archive.
        let packed = archive::split(path).map(|(archive, name)| (Path::new(archive), Some(name)));
        let mut outside = false;
        for (wanted, inside) in [(Path::new(path), None)].into_iter().chain(packed) {
            for found in roots.iter().filter_map(|root| root.find(wanted)) {
                if roots.iter().any(|root| root.is_open(&found, inside)) {
                    return self.open_cited(&found, inside, stop);
                }
                outside = true;
            }
        }
        let wanted = Path::new(path);
        let nowhere =
            roots.is_empty() || (wanted.is_absolute() && !roots.iter().any(|root| wanted.starts_with(&root.path)));
        Ok(if outside || nowhere { CitedFile::NotAllowed } else { CitedFile::Missing })
    }

    fn open_cited(&self, path: &Path, inside: Option<&str>, stop: &CancellationToken) -> Result<CitedFile> {
        let read = match inside {
            None => {
                let is_unread = matches!(file::kind_of(path), NameSays::NotRead(_));
                if is_unread && unpack::kind_of(path).is_none() {
                    return Ok(CitedFile::NotAllowed);
                }
                match file::read(path, self.max_file_bytes) {
                    // What is called an archive may be an office file.
                    Ok((bytes, _)) if is_unread && format::of_bytes(&bytes).is_none() => {
                        return Ok(CitedFile::NotAllowed);
                    }
                    Ok((bytes, _)) => file::extract(&self.documents, path, bytes, stop),
                    Err(error) => Err(error),
                }
            }
            Some(name) => unpack::inside((path, name), self.max_file_bytes, &self.documents, stop),
        };
        let document = match read {
            Err(error) if error.code == Code::LibraryNotFound => return Ok(CitedFile::Missing),
            read => read?,
        };
        if document.text.trim().is_empty() {
            return Err(Error::new(Code::PageUnreadable, "the file holds no text"));
        }
        Ok(CitedFile::Document { title: file::title(&document, inside.map_or(path, Path::new)), document })
    }
}

impl OpenRoot {
    /// The file that a path leads to from here, wherever it is.
    fn find(&self, wanted: &Path) -> Option<PathBuf> {
        // A root that is a single file is its own document.
        let above = self.path.parent().filter(|_| self.path.is_file()).map(|above| above.join(wanted));
        std::iter::once(self.path.join(wanted)).chain(above).find_map(|name| fs::canonicalize(name).ok())
    }

    /// Whether a file in it is a setting in a folder of secrets, which the root itself may be.
    fn holds_secret(&self, file: &Path) -> bool {
        let below = self.path.parent().and_then(|above| file.strip_prefix(above).ok());
        below.is_some_and(|below| is_in_folder_of_secrets(&below.to_string_lossy()))
    }

    /// Whether a file lies in it, or is it, and is not left out: of the library what its user left out, of a named folder what is hidden. The
    /// same holds for a name inside an archive.
    fn is_open(&self, file: &Path, inside: Option<&str>) -> bool {
        let is_hidden = |part: Component<'_>| part.as_os_str().as_encoded_bytes().starts_with(b".");
        let is_in = file.strip_prefix(&self.path).is_ok_and(|below| match &self.library {
            Some((target, choice)) => !leaves_out(target, choice, file),
            None => !below.components().any(is_hidden) && !self.holds_secret(file),
        });
        let choice = self.library.as_ref().map(|(_, choice)| choice.clone()).unwrap_or_default();
        let below = file.strip_prefix(&self.path).ok().and_then(Path::to_str).unwrap_or_default();
        is_in && inside.is_none_or(|name| !unpack::leaves_out(below, name, &choice))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EV-03: only documents in the chosen folders are read, by whatever path a report has for them.
    #[test]
    fn only_chosen_folders_are_read() {
        let home = tempfile::tempdir().unwrap();
        let (open, closed) = (home.path().join("open"), home.path().join("closed"));
        for folder in [open.join(".git"), open.join("docs"), open.join("secrets"), closed.clone()] {
            fs::create_dir_all(folder).unwrap();
        }
        for name in ["open/docs/a.md", "open/.git/b.md", "open/key.pem", "open/secrets/a.yml", "closed/c.md"] {
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
            ("secrets/a.yml".to_owned(), "not allowed"),
        ] {
            assert_eq!(found(&library, &path, &reach), want, "{path}");
        }
        let single = folder(&closed.join("c.md"));
        assert_eq!(found(&library, "c.md", &single), "document");
        assert_eq!(found(&library, "docs/a.md", &FileReach::default()), "not allowed");
    }

    /// EV-03: hadal's own citations lead into archives; the same folders are open, and the same is left out inside.
    #[test]
    fn files_in_archives_are_read_by_the_same_rules() {
        let home = tempfile::tempdir().unwrap();
        let (open, closed) = (home.path().join("open"), home.path().join("closed"));
        let text = "The dam is high.";
        let files = [("docs/a.md", text), (".git/b.md", text), (".c.md", text), ("key.pem", text), ("out/d.md", text)];
        let bytes = super::super::tests::archives::tar(&files);
        for folder in [&open, &closed] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("notes.tar"), &bytes).unwrap();
        }
        let library = Library::new(&home.path().join("index"), 1 << 20);
        let reach = FileReach { folders: vec![open.to_str().unwrap().to_owned()], registered: true };
        let absolute = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
        let cases = |closed: [&'static str; 4]| {
            [
                ("notes.tar!docs/a.md".to_owned(), "document"),
                (absolute("open/notes.tar!docs/a.md"), "document"),
                ("notes.tar!docs/none.md".to_owned(), "missing"),
                ("none.tar!docs/a.md".to_owned(), "missing"),
                ("notes.tar!../closed/c.md".to_owned(), "not allowed"),
                ("notes.tar!.git/b.md".to_owned(), "not allowed"),
                ("notes.tar!key.pem".to_owned(), "not allowed"),
                ("notes.tar".to_owned(), "not allowed"),
                ("notes.tar!.c.md".to_owned(), "not allowed"),
                (absolute("closed/notes.tar!docs/a.md"), closed[0]),
                (absolute("closed/notes.tar!.c.md"), closed[1]),
                (absolute("closed/notes.tar!.git/b.md"), closed[2]),
                (absolute("closed/notes.tar!out/d.md"), closed[3]),
            ]
        };
        for (path, want) in cases(["not allowed"; 4]) {
            assert_eq!(found(&library, &path, &reach), want, "{path}");
        }
        let choice = Choice { exclude: vec!["out/".to_owned()], hidden: true };
        library.add(&closed.join("notes.tar"), Some(choice), &|| false).unwrap();
        for (path, want) in cases(["document", "document", "not allowed", "not allowed"]).into_iter().skip(9) {
            assert_eq!(found(&library, &path, &reach), want, "{path}");
        }
    }

    fn found(library: &Library, path: &str, reach: &FileReach) -> &'static str {
        match library.cited(path, reach, &CancellationToken::new()).unwrap() {
            CitedFile::Document { document, .. } => {
                assert_eq!(document.text, "The dam is high.");
                "document"
            }
            CitedFile::Missing => "missing",
            CitedFile::NotAllowed => "not allowed",
        }
    }

    /// EV-03: what was left out of the library is not read for a report either; what was taken into it is.
    #[test]
    fn what_a_root_leaves_out_is_not_read() {
        let home = tempfile::tempdir().unwrap();
        let (first, second) = (home.path().join("first"), home.path().join("second"));
        let names = ["a.md", "private/b.md", "x/ignored.md", "x/y/ignored.md", "node_modules/c.md", ".hidden/d.md"];
        for (root, name) in [&first, &second].into_iter().flat_map(|root| names.map(|name| (root, name))) {
            fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            fs::write(root.join(name), "The dam is high.").unwrap();
        }
        fs::write(first.join("x/.gitignore"), "ignored.md\n").unwrap();
        let library = Library::new(&home.path().join("index"), 1 << 20);
        let stays = || false;
        let choice = Choice { exclude: vec!["private/".to_owned()], hidden: false };
        library.add(&first, Some(choice), &stays).unwrap();
        library.add(&second, Some(Choice { exclude: Vec::new(), hidden: true }), &stays).unwrap();
        let reach = FileReach { folders: Vec::new(), registered: true };
        for (root, open) in [(&first, &names[..1]), (&second, &[names[0], names[1], names[2], names[3], names[5]])] {
            for name in names {
                let want = if open.contains(&name) { "document" } else { "not allowed" };
                assert_eq!(found(&library, root.join(name).to_str().unwrap(), &reach), want, "{name}");
            }
        }
    }
}
