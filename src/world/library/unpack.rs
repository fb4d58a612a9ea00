//! Files inside archives: each is a document of its own, called `a.zip!docs/x.md`. One level deep.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use tokio_util::sync::CancellationToken;

use super::file;
use super::index::{Refusal, Row};
use super::read::{Read, Reading, document_of};
use super::roots::{Choice, Target};
use super::scan::SKIPPED_FOLDERS;
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::globs::IgnoreList;
use crate::core::base::limits;
use crate::core::task::skipped::{EXCLUDED, HIDDEN, MADE_BY_TOOLS, SPECIAL, SkippedFiles};
use crate::core::text::archive::{self, ArchiveKind, INSIDE, Packed};
use crate::core::text::format::{self, NameSays};
use crate::core::text::{Document, Unreadable};
use crate::world::documents::Documents;

/// Where the program that packs on a Mac puts what is no file.
const MAC_FOLDER: &str = "__MACOSX";

/// What was read of an archive.
pub(super) struct Unpacked {
    /// The row of the archive itself; written last, so that an archive which was taken in by half is read again.
    pub(super) row: Row,
    pub(super) files: Vec<Inner>,
}

/// A file of an archive.
pub(super) struct Inner {
    /// Below the root.
    pub(super) path: String,
    /// How it is called where people read it.
    pub(super) shown: PathBuf,
    /// An error that passes is one of the machine.
    pub(super) read: Result<Read>,
}

/// The kind of a file that is an archive.
pub(super) fn kind_of(path: &Path) -> Option<ArchiveKind> {
    archive::kind_of(path.file_name()?.to_str()?)
}

/// The rows of the files that are in an archive.
pub(super) fn inner_rows(known: &mut BTreeMap<String, Row>, archive: &str) -> BTreeMap<String, Row> {
    let (first, behind) = (format!("{archive}{INSIDE}"), format!("{archive}\""));
    let paths: Vec<String> = known.range(first..behind).map(|(path, _)| path.clone()).collect();
    paths.into_iter().filter_map(|path| known.remove_entry(&path)).collect()
}

/// Reads the files of an archive; those whose bytes are known are not read again.
pub(super) fn read(
    (row, full): (Row, &Path),
    kind: ArchiveKind,
    bytes: &[u8],
    known: &BTreeMap<String, Row>,
    reading: &Reading<'_>,
) -> Result<Unpacked> {
    let mut skipped = SkippedFiles::default();
    let excluded = IgnoreList::of_patterns(&reading.choice.exclude);
    let mut wanted = |name: &str| match left_out(name, reading.choice, &excluded) {
        Some(why) => {
            skipped.count(&why);
            false
        }
        None => true,
    };
    let unpacked = archive::unpacked(kind, bytes, &mut wanted).map_err(|why| damaged(full, why))?;
    let mut row = row;
    let mut files = Vec::new();
    for Packed { name, bytes } in unpacked.files {
        let inner = inner_row(&row.path, &name, bytes.as_deref().unwrap_or_default());
        let (path, shown) = (inner.path.clone(), PathBuf::from(format!("{}{INSIDE}{name}", full.display())));
        let read = match (known.get(&inner.path), bytes) {
            (Some(known), Ok(_)) if known.content == inner.content => Ok(Read::Same(known.clone())),
            (_, Ok(bytes)) => document_of(inner, &shown, Path::new(&name), bytes, reading),
            (_, Err(why)) => Ok(Read::Refused(Row { refused: Some(Refusal::Failed(damaged(&shown, why))), ..inner })),
        };
        match &read {
            Err(error) if error.code == Code::Cancelled => return Err(error.clone()),
            // The machine failed at one of its files: the archive is looked at again.
            Err(_) => row.content = String::new(),
            Ok(_) => {}
        }
        files.push(Inner { path, shown, read });
    }
    row.refused = Some(Refusal::Archive { skipped, has_more: unpacked.has_more });
    Ok(Unpacked { row, files })
}

/// That an archive is larger than what is looked at.
pub(super) fn has_more(full: &Path) -> Error {
    let (files, size) = (limits::BUNDLE_ENTRIES, limits::BUNDLE_BYTES >> 20);
    let message = format!("`{}` is indexed without what follows its first {files} files or {size} MB", full.display());
    Error::new(Code::LibraryUnreadable, message).hint("unpack it into a folder")
}

/// The document at a path of a root, which may lead into an archive.
pub(super) fn document(target: &Target, path: &str, most: u64, documents: &Documents) -> Result<Document> {
    let stop = CancellationToken::new();
    let whole = target.document(path)?;
    let inside = archive::split(path).filter(|_| target.is_file() || !whole.exists());
    let Some((outer, name)) = inside else {
        let (bytes, _) = file::read(&whole, most)?;
        return file::extract(documents, &whole, bytes, &stop);
    };
    let full = target.document(outer)?;
    let (bytes, _) = file::read(&full, most)?;
    let kind = archive::kind_of(outer).ok_or_else(|| damaged(&full, Unreadable::UnknownKind))?;
    let unpacked = archive::unpacked(kind, &bytes, &mut |entry| entry == name).map_err(|why| damaged(&full, why))?;
    let gone = || {
        let message = format!("`{}` is not there any more", whole.display());
        Error::new(Code::LibraryNotFound, message).hint("ask again; the new archive is indexed first")
    };
    let packed = unpacked.files.into_iter().next().ok_or_else(gone)?;
    let bytes = packed.bytes.map_err(|why| damaged(&whole, why))?;
    documents.read(&whole.display().to_string(), file_name(Path::new(name)), bytes, &stop)
}

pub(super) fn file_name(path: &Path) -> &str {
    path.file_name().and_then(OsStr::to_str).unwrap_or_default()
}

fn inner_row(archive: &str, name: &str, bytes: &[u8]) -> Row {
    Row {
        path: format!("{archive}{INSIDE}{name}"),
        size: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
        mtime_ns: None,
        content: file::hash(bytes),
        passages: 0,
        refused: None,
    }
}

/// Why a file of an archive is not read, if it is not.
fn left_out(name: &str, choice: &Choice, excluded: &IgnoreList) -> Option<String> {
    let parts: Vec<Component<'_>> = Path::new(name).components().collect();
    let names = || parts.iter().map(|part| part.as_os_str());
    if parts.is_empty() || parts.iter().any(|part| !matches!(part, Component::Normal(_))) {
        return Some(SPECIAL.to_owned());
    }
    let is_made = |part: &OsStr| part == MAC_FOLDER || SKIPPED_FOLDERS.iter().any(|folder| part == OsStr::new(folder));
    if names().take(parts.len() - 1).any(is_made) {
        return Some(MADE_BY_TOOLS.to_owned());
    }
    if !choice.hidden && names().any(|part| part.as_encoded_bytes().starts_with(b".")) {
        return Some(HIDDEN.to_owned());
    }
    let folders = name.match_indices('/').filter_map(|(at, _)| name.get(..at));
    let mut above = folders.map(|folder| excluded.leaves_out(folder, true) == Some(true));
    if above.any(|is_excluded| is_excluded) || excluded.leaves_out(name, false) == Some(true) {
        return Some(EXCLUDED.to_owned());
    }
    match format::of_name(file_name(Path::new(name))) {
        NameSays::NotRead(kind) => Some(kind),
        NameSays::Format(_) | NameSays::Nothing => None,
    }
}

fn damaged(path: &Path, why: Unreadable) -> Error {
    Error::new(Code::LibraryUnreadable, format!("`{}` {why}", path.display()))
}
