//! What lies below a library root.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::file::{self, Stat};
use super::lock::cancelled;
use super::roots::Target;
use crate::core::base::error::{Code, Error, Problem, Result};
use crate::core::base::limits;
use crate::core::text::Format;

/// Folders that hold what tools made of other files.
const SKIPPED_FOLDERS: [&str; 2] = ["node_modules", "target"];

/// A document that was seen.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// Below the root, with `/`; the file's name when the root is a file.
    pub(super) path: String,
    pub(super) full: PathBuf,
    pub(super) format: Format,
    pub(super) stat: Stat,
}

/// Lists the documents of a root in a stable order. Links below the root are not followed, so there are no loops;
/// hidden files and folders are skipped. What cannot be listed is a problem, the rest is listed.
pub(super) fn scan(target: &Target, stop: &dyn Fn() -> bool) -> Result<(Vec<Seen>, Vec<Problem>)> {
    let mut seen = Vec::new();
    let mut problems = Vec::new();
    let walk = WalkDir::new(&target.path).max_depth(limits::LIBRARY_DEPTH).sort_by_file_name();
    for (count, entry) in walk.into_iter().filter_entry(is_wanted).enumerate() {
        if stop() {
            return Err(cancelled());
        }
        if count >= limits::LIBRARY_ENTRIES || seen.len() >= limits::LIBRARY_FILES {
            problems.push(too_many(target));
            break;
        }
        match entry {
            Ok(entry) => look(target, &entry, &mut seen, &mut problems),
            Err(error) => {
                let path = error.path().unwrap_or(&target.path).to_owned();
                let error = error.into_io_error().unwrap_or_else(|| io::Error::other("a loop of links"));
                problems.push(problem(&path, file::unreadable(&path, &error)));
            }
        }
    }
    Ok((seen, problems))
}

fn look(target: &Target, entry: &DirEntry, seen: &mut Vec<Seen>, problems: &mut Vec<Problem>) {
    let full = entry.path();
    if entry.file_type().is_dir() && entry.depth() == limits::LIBRARY_DEPTH {
        let message = format!("`{}` is more than {} folders deep", full.display(), limits::LIBRARY_DEPTH);
        let error = Error::new(Code::LibraryUnreadable, message).hint("add this folder as a library root of its own");
        problems.push(problem(full, error));
    }
    let Some(format) = file::format_of(full).filter(|_| entry.file_type().is_file()) else { return };
    let Some(path) = target.relative(full) else {
        let error = Error::new(Code::LibraryUnreadable, format!("`{}` has a name that is not UTF-8", full.display()));
        problems.push(problem(full, error.hint("rename it")));
        return;
    };
    match entry.metadata() {
        Ok(metadata) => {
            seen.push(Seen { path, full: full.to_owned(), format, stat: Stat::of(&metadata) });
        }
        Err(error) => problems.push(problem(full, file::unreadable(full, &error.into()))),
    }
}

fn is_wanted(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let hidden = name.as_encoded_bytes().starts_with(b".");
    let made = entry.file_type().is_dir() && SKIPPED_FOLDERS.iter().any(|skipped| name == OsStr::new(skipped));
    entry.depth() == 0 || !(hidden || made)
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
