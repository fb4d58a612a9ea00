//! What lies below a library root.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::file::{self, Stat};
use super::lock::cancelled;
use super::roots::{Choice, Target};
use super::unpack;
use crate::core::base::error::{Code, Error, Problem, Result};
use crate::core::base::globs::IgnoreList;
use crate::core::base::limits;
use crate::core::task::skipped::{IGNORED, LINK, OWN, SOURCE_OF_PAGE, SPECIAL, SkippedFiles, left_out};
use crate::core::text::format::{self, NameSays, SECRETS};
use crate::core::text::secret_files::{is_folder_of_secrets, is_in_folder_of_secrets};
use crate::core::text::unknown_endings::original_of;

/// The file that says what of a folder is not to be kept.
const IGNORE_FILE: &str = ".gitignore";

/// A document that was seen.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// Below the root, with `/`; the file's name when the root is a file.
    pub(super) path: String,
    pub(super) full: PathBuf,
    pub(super) stat: Stat,
}

/// What was seen below a root.
#[derive(Debug, Default)]
pub(super) struct Scanned {
    pub(super) seen: Vec<Seen>,
    pub(super) problems: Vec<Problem>,
    pub(super) skipped: SkippedFiles,
}

/// Lists the documents of a root in a stable order. Links below the root are not followed, so there are no loops. What cannot be listed is a
/// problem, what is not read is counted, the rest is listed.
pub(super) fn scan(target: &Target, choice: &Choice, stop: &dyn Fn() -> bool) -> Result<Scanned> {
    let mut scanned = Scanned::default();
    let mut filter = Filter::new(target, choice);
    let mut skipped = SkippedFiles::default();
    let walk = WalkDir::new(&target.path).max_depth(limits::LIBRARY_DEPTH).sort_by_file_name();
    let wanted = |entry: &DirEntry| {
        let is_folder = entry.file_type().is_dir();
        let Some(why) = filter.left_out(entry.path(), entry.depth(), is_folder) else { return true };
        if is_folder {
            skipped.count_folder(why)
        } else {
            skipped.count(why)
        }
        false
    };
    for (count, entry) in walk.into_iter().filter_entry(wanted).enumerate() {
        if stop() {
            return Err(cancelled());
        }
        if count >= limits::LIBRARY_ENTRIES || scanned.seen.len() >= limits::LIBRARY_FILES {
            scanned.problems.push(too_many(target));
            break;
        }
        match entry {
            Ok(entry) => look(target, &entry, &mut scanned),
            Err(error) => {
                let path = error.path().unwrap_or(&target.path).to_owned();
                let error = error.into_io_error().unwrap_or_else(|| io::Error::other("a loop of links"));
                scanned.problems.push(problem(&path, file::unreadable(&path, &error)));
            }
        }
    }
    scanned.skipped.add(skipped);
    leave_out_twins(&mut scanned);
    leave_out_copies(&mut scanned);
    Ok(scanned)
}

/// Hands out every folder that [`scan`] would list, until one is refused.
pub(super) fn folders(
    target: &Target,
    choice: &Choice,
    stop: &dyn Fn() -> bool,
    take: &mut dyn FnMut(&Path) -> bool,
) -> Result<()> {
    let mut filter = Filter::new(target, choice);
    let walk = WalkDir::new(&target.path).max_depth(limits::LIBRARY_DEPTH);
    let entries = walk.into_iter().filter_entry(|entry| {
        entry.file_type().is_dir() && filter.left_out(entry.path(), entry.depth(), true).is_none()
    });
    for entry in entries.filter_map(std::result::Result::ok).take(limits::LIBRARY_ENTRIES) {
        if stop() {
            return Err(cancelled());
        }
        if !take(entry.path()) {
            break;
        }
    }
    Ok(())
}

fn look(target: &Target, entry: &DirEntry, scanned: &mut Scanned) {
    let full = entry.path();
    let kind = entry.file_type();
    if kind.is_dir() {
        if entry.depth() == limits::LIBRARY_DEPTH {
            let message = format!("`{}` is more than {} folders deep", full.display(), limits::LIBRARY_DEPTH);
            let error =
                Error::new(Code::LibraryUnreadable, message).hint("add this folder as a library root of its own");
            scanned.problems.push(problem(full, error));
        }
        return;
    }
    if !kind.is_file() {
        scanned.skipped.count(if kind.is_symlink() { LINK } else { SPECIAL });
        return;
    }
    if let (NameSays::NotRead(kind), None) = (file::kind_of(full), unpack::kind_of(full)) {
        scanned.skipped.count(&kind);
        return;
    }
    let Some(path) = target.relative(full) else {
        let error = Error::new(
            Code::LibraryUnreadable,
            format!("`{}` has a name that is not UTF-8, and another file has it written out", full.display()),
        );
        scanned.problems.push(problem(full, error.hint("rename it")));
        return;
    };
    match entry.metadata() {
        Ok(metadata) => scanned.seen.push(Seen { path, full: full.to_owned(), stat: Stat::of(&metadata) }),
        Err(error) => scanned.problems.push(problem(full, file::unreadable(full, &error.into()))),
    }
}

/// Leaves out the source of a page where the page is there: generators of documentation put one copy of it below `_sources`.
fn leave_out_twins(scanned: &mut Scanned) {
    const SOURCES: &str = "_sources/";
    if !scanned.seen.iter().any(|seen| seen.path.contains(SOURCES)) {
        return;
    }
    let pages: BTreeSet<String> =
        scanned.seen.iter().filter_map(|seen| seen.path.strip_suffix(".html")).map(str::to_owned).collect();
    let skipped = &mut scanned.skipped;
    scanned.seen.retain(|seen| {
        let Some((before, after)) = seen.path.split_once(SOURCES) else { return true };
        let source = after.strip_suffix(".txt").unwrap_or(after);
        let stem = source.rsplit_once('.').map_or(source, |(stem, _)| stem);
        let is_twin = (before.is_empty() || before.ends_with('/')) && pages.contains(&format!("{before}{stem}"));
        if is_twin {
            skipped.count(SOURCE_OF_PAGE);
        }
        !is_twin
    });
}

/// Leaves out what programs keep of a file once more (`fstab.orig`) where the file is there: an earlier state would answer beside it.
fn leave_out_copies(scanned: &mut Scanned) {
    let original = |path: &str| {
        let (folder, name) = path.split_at(path.rfind('/').map_or(0, |at| at + 1));
        let original = original_of(name)?;
        Some((format!("{folder}{original}"), format::unknown_ending(name)?))
    };
    let copies: BTreeMap<String, (String, String)> =
        scanned.seen.iter().filter_map(|seen| original(&seen.path).map(|found| (seen.path.clone(), found))).collect();
    if copies.is_empty() {
        return;
    }
    let all: BTreeSet<String> = scanned.seen.iter().map(|seen| seen.path.clone()).collect();
    let skipped = &mut scanned.skipped;
    scanned.seen.retain(|seen| match copies.get(&seen.path) {
        Some((original, kind)) if all.contains(original) => {
            skipped.count(kind);
            false
        }
        _ => true,
    });
}

/// Whether a file below a root is one of those that a walk over the root leaves out.
pub(super) fn leaves_out(target: &Target, choice: &Choice, file: &Path) -> bool {
    let mut filter = Filter::new(target, choice);
    let mut way: Vec<&Path> = file.ancestors().take_while(|path| path.starts_with(&target.path)).collect();
    way.reverse();
    let is_left_out = |(depth, path): (usize, &&Path)| filter.left_out(path, depth, *path != file).is_some();
    way.len() > limits::LIBRARY_DEPTH + 1 || way.iter().enumerate().any(is_left_out)
}

/// Whether a walk over a root comes to a folder, and no list of what is left out that lies above the folder has a word on what is in it.
pub(super) fn reads_folder(target: &Target, choice: &Choice, folder: &Path) -> bool {
    let mut filter = Filter::new(target, choice);
    let mut way: Vec<&Path> = folder.ancestors().take_while(|path| path.starts_with(&target.path)).collect();
    way.reverse();
    let is_read = way.iter().enumerate().all(|(depth, path)| filter.left_out(path, depth, true).is_none());
    is_read && filter.ignored.iter().all(|(depth, _, _)| depth + 1 == way.len())
}

/// What is not wanted of a root.
struct Filter<'a> {
    target: &'a Target,
    hidden: bool,
    excluded: IgnoreList,
    /// The lists of the folders on the way to where the walk is: the depth of each, its path, its list.
    ignored: Vec<(usize, PathBuf, IgnoreList)>,
}

impl<'a> Filter<'a> {
    fn new(target: &'a Target, choice: &Choice) -> Self {
        let excluded = IgnoreList::of_patterns(&choice.exclude);
        Self { target, hidden: choice.hidden, excluded, ignored: Vec::new() }
    }

    /// Why an entry is left out, if it is. Entries come in the order of a walk: the folders above it before it.
    fn left_out(&mut self, path: &Path, depth: usize, is_folder: bool) -> Option<&'static str> {
        // Whoever names such a folder as a whole gets no secrets either.
        if depth == 0 && is_folder && is_folder_of_secrets(&path.to_string_lossy()) {
            return Some(SECRETS);
        }
        if is_folder && is_own_data(path) {
            return Some(OWN);
        }
        if depth > 0 {
            let below = path.strip_prefix(&self.target.path).unwrap_or(path).to_string_lossy();
            if let Some(why) = left_out(&below, is_folder, self.hidden, &self.excluded) {
                return Some(why);
            }
            if self.is_ignored(path, depth, is_folder) {
                return Some(IGNORED);
            }
        }
        if !is_folder && self.is_in_root_of_secrets(path) {
            return Some(SECRETS);
        }
        if is_folder {
            let list = ignore_list(&path.join(IGNORE_FILE));
            self.ignored.truncate(self.ignored.partition_point(|(above, _, _)| *above < depth));
            if !list.is_empty() {
                self.ignored.push((depth, path.to_owned(), list));
            }
        }
        None
    }

    /// Whether the root itself is a folder of secrets, or lies in one if it is a file, and this is one of those in it.
    fn is_in_root_of_secrets(&self, path: &Path) -> bool {
        let folder = if self.target.is_file() { self.target.path.parent() } else { Some(self.target.path.as_path()) };
        let below = folder.and_then(Path::parent).and_then(|above| path.strip_prefix(above).ok());
        below.is_some_and(|below| is_in_folder_of_secrets(&below.to_string_lossy()))
    }

    fn is_ignored(&self, path: &Path, depth: usize, is_folder: bool) -> bool {
        // The list of the nearest folder that speaks of it decides.
        let above = self.ignored.iter().rev().filter(|(above, _, _)| *above < depth);
        let said = above.filter_map(|(_, folder, list)| {
            list.leaves_out(&path.strip_prefix(folder).ok()?.to_string_lossy(), is_folder)
        });
        said.into_iter().next() == Some(true)
    }
}

/// Whether a folder is a data directory of hadal, this one's or that of another home: it has the database, and something else that hadal makes.
fn is_own_data(folder: &Path) -> bool {
    folder.join("hadal.db").is_file() && ["ballast", "index", "owners"].iter().any(|name| folder.join(name).exists())
}

/// The list in a file, as far as it is there and no longer than such lists are.
fn ignore_list(path: &Path) -> IgnoreList {
    match file::beginning(path, limits::IGNORE_FILE_BYTES) {
        Ok(text) => IgnoreList::of_text(&String::from_utf8_lossy(&text)),
        Err(_none) => IgnoreList::default(),
    }
}

fn too_many(target: &Target) -> Problem {
    let message = format!(
        "`{}` holds more than {} documents or {} files; the rest is left out",
        target.text,
        limits::LIBRARY_FILES,
        limits::LIBRARY_ENTRIES
    );
    let error = Error::new(Code::LibraryUnreadable, message).hint("add the folders that matter one by one");
    problem(&target.path, error)
}

pub(super) fn problem(path: &Path, error: Error) -> Problem {
    Problem { subject: path.display().to_string(), error }
}
