//! The roots of the library: which there are, and where their indexes lie.
//!
//! Each root has a directory named after its path, with a marker file that says what it is. Markers are
//! replaced as a whole, so any number of processes may read them at any time.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::fault::own_io;
use super::watch::Watching;
use super::{Root, disks, file, index, kept, odd_names, unpack};
use crate::core::base::error::{Code, Error, Problem, Result};
use crate::core::base::sorting::sort_by;
use crate::core::base::{globs, limits};
use crate::core::task::skipped::SkippedFiles;
use crate::world::private;

/// Counted up when indexes of before cannot be used any more; they are then built again.
const FORMAT: u32 = 45;

/// Letters of the name of a root's directory.
const PLACE_LETTERS: usize = 32;

/// A folder or file on disk that can be a root.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// Canonical.
    pub(super) path: PathBuf,
    /// The same as text.
    pub(super) text: String,
    is_file: bool,
}

impl Target {
    /// Finds a root on disk and checks that it can be read.
    pub(super) fn resolve(path: &Path) -> Result<Self> {
        let canonical = fs::canonicalize(path).map_err(|error| refused(path, &error))?;
        let metadata = fs::metadata(&canonical).map_err(|error| refused(path, &error))?;
        let Some(text) = canonical.to_str().map(str::to_owned) else {
            return Err(invalid(path, "has a name that is not UTF-8").hint("rename it"));
        };
        if metadata.is_dir() {
            fs::read_dir(&canonical).map_err(|error| refused(path, &error))?;
        } else if !metadata.is_file() {
            return Err(invalid(path, "is neither a folder nor a file").hint("name a folder, or a document in it"));
        } else if let (Ok(Some(kind)), None) =
            (file::unread_kind(&canonical, metadata.len()), unpack::kind_of(&canonical))
        {
            let message = format!("is not a document hadal can read: its kind is `{kind}`");
            return Err(invalid(path, &message).hint("docs/library.md lists the kinds of file that are read"));
        } else {
            File::open(&canonical).map_err(|error| refused(path, &error))?;
        }
        Ok(Self { path: canonical, text, is_file: metadata.is_file() })
    }

    pub(super) fn is_file(&self) -> bool {
        self.is_file
    }

    /// A document's path below the root, with `/`.
    pub(super) fn relative(&self, full: &Path) -> Option<String> {
        if self.is_file {
            return full.file_name()?.to_str().map(str::to_owned);
        }
        let below = full.strip_prefix(&self.path).ok()?;
        let path = odd_names::written(below);
        // Another file may be called as this one is written.
        (below.to_str().is_some() || !self.path.join(&path).exists()).then_some(path)
    }

    /// The document at a path below the root; nothing outside of it.
    pub(super) fn document(&self, path: &str) -> Result<PathBuf> {
        if self.is_file {
            return Ok(self.path.clone());
        }
        let mut parts = Path::new(path).components();
        let inside = !path.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)));
        if !inside {
            return Err(invalid(Path::new(path), "leads out of its library root"));
        }
        let full = self.path.join(path);
        let odd = odd_names::read(path).map(|path| self.path.join(path));
        Ok(odd.filter(|odd| !full.exists() && odd.exists()).unwrap_or(full))
    }
}

fn invalid(path: &Path, what: &str) -> Error {
    Error::new(Code::InvalidArgument, format!("`{}` {what}", path.display()))
}

/// Why a path cannot be a root.
fn refused(path: &Path, error: &io::Error) -> Error {
    let shown = path.display();
    if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) {
        return Error::new(Code::LibraryUnreadable, format!("`{shown}` is a link that leads back to itself"))
            .hint("name the folder itself instead of the link");
    }
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            Error::new(Code::LibraryNotFound, format!("there is no folder or file `{shown}`"))
                .hint("check the path; `hadal library list` shows what is registered")
        }
        ErrorKind::InvalidInput | ErrorKind::InvalidFilename => invalid(path, "is not a path"),
        _ => Error::new(Code::LibraryUnreadable, format!("`{shown}` cannot be read: {error}"))
            .hint("give yourself the right to read it, or name another folder"),
    }
}

/// What of a root is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Choice {
    /// Patterns of paths that are left out, as `.gitignore` has them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) exclude: Vec<String>,
    /// Whether files and folders are read whose names begin with a dot.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) hidden: bool,
}

impl Choice {
    /// What is said anew, and for the rest what was chosen before.
    pub(super) fn or(self, before: Self) -> Self {
        let exclude = if self.exclude.is_empty() { before.exclude } else { self.exclude };
        Self { exclude, hidden: self.hidden || before.hidden }
    }

    pub(super) fn check(&self) -> Result<()> {
        for pattern in &self.exclude {
            if let Err(why) = globs::check(pattern) {
                let message = format!("the pattern `{pattern}` cannot be read: {why}");
                return Err(Error::new(Code::InvalidArgument, message).hint("patterns are those of .gitignore"));
            }
        }
        let long = self.exclude.iter().find(|pattern| pattern.len() > limits::LIBRARY_EXCLUDE_BYTES);
        if long.is_some() || self.exclude.len() > limits::LIBRARY_EXCLUDES {
            let message = format!(
                "at most {} patterns of {} bytes can be excluded",
                limits::LIBRARY_EXCLUDES,
                limits::LIBRARY_EXCLUDE_BYTES
            );
            return Err(Error::new(Code::InvalidArgument, message));
        }
        Ok(())
    }
}

/// What the library knows of a root.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Marker {
    format: u32,
    pub(super) path: String,
    /// Named by the user with `add`; the others were only visited.
    pub(super) registered: bool,
    pub(super) files: u64,
    pub(super) passages: u64,
    pub(super) indexed_ms: i64,
    #[serde(default)]
    pub(super) choice: Choice,
    /// What was not read at the last look.
    #[serde(default)]
    pub(super) skipped: SkippedFiles,
    /// How many files could not be read at the last look: damaged, not permitted, too large.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) unread: u64,
    /// Its index is being brought up to date, or was when the process ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) updating: bool,
    /// The folders of it where disks with documents were mounted at the last look.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) disks: Vec<String>,
    /// Why the last process that tried could not watch it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    not_watched: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Marker {
    pub(super) fn new(path: &str) -> Self {
        Self {
            format: FORMAT,
            path: path.to_owned(),
            registered: false,
            files: 0,
            passages: 0,
            indexed_ms: 0,
            choice: Choice::default(),
            skipped: SkippedFiles::default(),
            unread: 0,
            updating: false,
            disks: Vec::new(),
            not_watched: None,
        }
    }

    pub(super) fn is_current(&self) -> bool {
        self.format == FORMAT
    }

    /// Whether it says the same but for when the look was taken.
    pub(super) fn says_same(&self, other: &Self) -> bool {
        let said = |marker: &Self| (marker.format, marker.registered, marker.files, marker.passages);
        said(self) == said(other) && self.choice == other.choice && self.skipped == other.skipped
    }

    /// Takes down whether the root can be watched, as far as a look has told.
    pub(super) fn note(&mut self, watching: &Watching) {
        match watching {
            Watching::Untried => {}
            Watching::Begun(_) => self.not_watched = None,
            Watching::Impossible(why) => self.not_watched = Some(why.clone()),
        }
    }

    pub(super) fn made_current(self) -> Self {
        Self { format: FORMAT, ..self }
    }

    /// What is told of it, by what is mounted at the moment.
    pub(super) fn root(&self, mounted: Option<&[u8]>) -> Root {
        let path = Path::new(&self.path);
        // A folder in which nothing was found may be empty.
        let absent = kept::absence(path).filter(|_| self.files > 0 || !path.exists());
        let mounted = mounted.filter(|_| absent.is_none());
        Root {
            path: self.path.clone(),
            files: self.files,
            passages: self.passages,
            indexed_ms: self.indexed_ms,
            choice: self.choice.clone(),
            skipped: self.skipped.clone(),
            unread: self.unread,
            updating: self.updating,
            not_watched: self.not_watched.clone(),
            absent,
            disks_away: disks::away_now(path, &self.disks, mounted),
            within: None,
            covers: Vec::new(),
        }
    }
}

/// Where a root's data lies.
#[derive(Clone, Debug)]
pub(super) struct Place {
    dir: PathBuf,
    lock: PathBuf,
}

/// Where an index is brought up to date.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) dir: PathBuf,
    /// Beside the one that is used.
    is_next: bool,
}

impl Place {
    pub(super) fn of(library: &Path, root: &str) -> Self {
        let name: String = file::hash(root.as_bytes()).chars().take(PLACE_LETTERS).collect();
        Self { dir: library.join(&name), lock: library.join(format!("{name}.lock")) }
    }

    /// Makes the directories, which must exist before the lock file can.
    pub(super) fn create(&self) -> Result<()> {
        // All of what is read is in the index: the folder above is closed as well, for what an earlier hadal made.
        let made = self.dir.parent().map_or(Ok(()), private::folder).and_then(|()| private::folder(&self.dir));
        made.map_err(|error| own_io(&self.dir, &error))
    }

    pub(super) fn is_in(&self, dir: &str) -> bool {
        self.dir == Path::new(dir)
    }

    pub(super) fn lock(&self) -> &Path {
        &self.lock
    }

    pub(super) fn index(&self) -> PathBuf {
        self.dir.join("index")
    }

    /// What is known of the root, if it was ever looked at.
    pub(super) fn marker(&self) -> Result<Option<Marker>> {
        read_marker(&self.dir)
    }

    /// Replaces the marker as a whole. The caller holds the lock, so there is one temporary file at most.
    pub(super) fn write_marker(&self, marker: &Marker) -> Result<()> {
        let temporary = self.dir.join("root.json.tmp");
        let write = || {
            let bytes = serde_json::to_vec(marker)?;
            let mut file = private::new_file().truncate(true).open(&temporary)?;
            file.write_all(&bytes)?;
            file.sync_all()?;
            fs::rename(&temporary, self.dir.join("root.json"))
        };
        write().map_err(|error| own_io(&self.dir, &error))
    }

    /// Where an index is to be brought up to date. One that an earlier version made stays in use until the new one is whole; what was
    /// begun of the new one is gone on with.
    pub(super) fn site(&self, marker: Option<&Marker>) -> Site {
        let next = self.dir.join(format!("index-{FORMAT}.next"));
        let is_used = marker.is_some_and(|marker| !marker.is_current())
            && (index::file_of(&self.index()).is_some() || index::file_of(&next).is_some());
        if is_used { Site { dir: next, is_next: true } } else { Site { dir: self.index(), is_next: false } }
    }

    /// Puts an index that is whole in the place of the one that was used so far. The caller holds the lock.
    pub(super) fn finish(&self, site: &Site) -> Result<()> {
        if site.is_next {
            self.wipe_index()?;
            fs::rename(&site.dir, self.index()).map_err(|error| own_io(&site.dir, &error))?;
        }
        let is_left = |path: &Path| path.extension().is_some_and(|extension| extension == "next");
        let entries = fs::read_dir(&self.dir).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
        entries.filter(|path| is_left(path)).try_for_each(|left| remove_dir(&left))
    }

    /// Takes the index away; the marker stays. The caller holds the lock.
    pub(super) fn wipe_index(&self) -> Result<()> {
        remove_dir(&self.index())
    }

    /// Takes the root away, the marker first: what is left of an interrupted removal is no root any more. The caller holds the lock.
    pub(super) fn remove(&self) -> Result<()> {
        remove_dir(&self.set_aside()?)
    }

    /// Takes the root away but for its files, which lie in the folder that is handed out: removing them takes time, and needs no lock.
    pub(super) fn set_aside(&self) -> Result<PathBuf> {
        let marker = self.dir.join("root.json");
        match fs::remove_file(&marker) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(own_io(&marker, &error)),
            Ok(()) | Err(_) => {}
        }
        let aside = self.dir.with_extension("removed");
        remove_dir(&aside)?;
        match fs::rename(&self.dir, &aside) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(own_io(&self.dir, &error)),
            Ok(()) | Err(_) => Ok(aside),
        }
    }
}

pub(super) fn remove_dir(dir: &Path) -> Result<()> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(own_io(dir, &error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// What lies in the library's directory.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// By path.
    pub(super) markers: Vec<Marker>,
    /// Roots whose markers are there and cannot be read. Nobody knows which folders they are of, nor that they were only visited, so they
    /// count as registered: a question to them is no question without a library.
    pub(super) unreadable: Vec<Problem>,
}

/// Every root of the library.
pub(super) fn known(library: &Path) -> Result<Known> {
    let entries = match fs::read_dir(library) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Known::default()),
        Err(error) => return Err(own_io(library, &error)),
    };
    let mut known = Known::default();
    for entry in entries {
        let dir = entry.map_err(|error| own_io(library, &error))?.path();
        if !is_place(&dir) {
            continue;
        }
        match read_marker(&dir) {
            Ok(marker) => known.markers.extend(marker),
            Err(error) => known.unreadable.push(Problem { subject: dir.display().to_string(), error }),
        }
    }
    sort_by(&mut known.markers, |a, b| a.path.cmp(&b.path));
    sort_by(&mut known.unreadable, |a, b| a.subject.cmp(&b.subject));
    Ok(known)
}

/// Whether a directory is named as those of roots are; beside them lie locks and what is being removed.
fn is_place(dir: &Path) -> bool {
    let name = dir.file_name().unwrap_or_default().as_encoded_bytes();
    name.len() == PLACE_LETTERS && name.iter().all(u8::is_ascii_hexdigit)
}

/// The marker in the directory of a root. One that is not there is none: a removal takes it away first, and a root that is new has none yet.
fn read_marker(dir: &Path) -> Result<Option<Marker>> {
    let path = dir.join("root.json");
    let unreadable = |code, why: &dyn std::fmt::Display| {
        let message = format!("a folder is registered in `{}`, which cannot be read: {why}", path.display());
        Error::new(code, message)
    };
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        Err(error) => {
            let code = own_io(&path, &error).code;
            let hint = format!(
                "give `{}` and all in it to the user that hadal runs as, such as with `chown -R`",
                dir.display()
            );
            return Err(unreadable(code, &error).hint(hint));
        }
    };
    let marker = serde_json::from_slice(&bytes).map_err(|error| {
        unreadable(Code::IndexDamaged, &error)
            .hint("register the folder again: `hadal library add DIR`, with its `--exclude` and `--hidden`")
            .hint(format!("if it is not wanted any more, delete `{}`", dir.display()))
    })?;
    Ok(Some(marker))
}
