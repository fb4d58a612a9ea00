//! Files inside archives and attached to mail: each is a document of its own, called `a.zip!docs/x.md`. One level deep.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use tokio_util::sync::CancellationToken;

use super::file;
use super::index::{Inside, Refusal, Row};
use super::lock::cancelled;
use super::read::{Read, Reading, document_of};
use super::roots::{Choice, Target};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::globs::IgnoreList;
use crate::core::base::limits;
use crate::core::task::skipped::{OUTSIDE, SkippedFiles, left_out_on_the_way};
use crate::core::text::archive::{self, ArchiveKind, INSIDE, Packed, Wish};
use crate::core::text::format::{self, NameSays};
use crate::core::text::{Document, Unreadable};
use crate::world::documents::Documents;

/// What was read of an archive, or of what is attached to mail.
pub(super) struct Unpacked {
    /// The row of the archive itself.
    pub(super) row: Row,
    pub(super) files: Vec<Inner>,
}

/// A file of an archive, or an attachment.
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
    archive::kind_of(&path.file_name()?.to_string_lossy())
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
    let mut wishes = |name: &str| match left_out((&row.path, name), reading.choice.hidden, &excluded) {
        _ if reading.stopped.is_cancelled() => Wish::End,
        Some(why) => {
            skipped.count(&why);
            Wish::Leave
        }
        None => Wish::Take,
    };
    let unpacked = archive::unpacked(kind, bytes, &mut wishes).map_err(|why| damaged(full, why))?;
    let mut row = row;
    let mut files = Vec::new();
    for Packed { name, bytes } in unpacked.files {
        if reading.stopped.is_cancelled() {
            return Err(cancelled());
        }
        let inner = inner_row(&row.path, &name, bytes.as_deref().unwrap_or_default());
        let (path, shown) = (inner.path.clone(), PathBuf::from(format!("{}{INSIDE}{name}", full.display())));
        let read = match (known.get(&inner.path), bytes) {
            (Some(known), Ok(_)) if known.content == inner.content => Ok(Read::Same(known.clone())),
            (_, Ok(bytes)) => document_of(inner, &shown, Path::new(&name), bytes, reading),
            (_, Err(why)) => Ok(Read::Refused(Row { refused: Some(Refusal::Failed(damaged(&shown, why))), ..inner })),
        };
        match &read {
            Err(error) if error.code == Code::Cancelled => return Err(error.clone()),
            // The machine failed at one of its files: the archive is looked at again, though it stays as it is.
            Err(_) => (row.content, row.changed_ns) = (String::new(), None),
            Ok(_) => {}
        }
        files.push(Inner { path, shown, read });
    }
    let (has_more, cut_off, choice) = (unpacked.has_more, unpacked.cut_off, reading.choice.clone());
    row.inside = Some(Inside { skipped, has_more, cut_off, choice });
    Ok(Unpacked { row, files })
}

/// That an archive is larger than what is looked at.
pub(super) fn has_more(full: &Path) -> Error {
    let (files, size) = (limits::BUNDLE_ENTRIES, limits::BUNDLE_BYTES >> 20);
    let message = format!("`{}` is indexed without what follows its first {files} files or {size} MB", full.display());
    Error::new(Code::LibraryUnreadable, message).hint("unpack it into a folder")
}

/// That an archive ends early.
pub(super) fn cut_off(full: &Path) -> Error {
    let message = format!("`{}` is cut off or damaged: it is indexed without what follows that place", full.display());
    Error::new(Code::LibraryUnreadable, message).hint("get the whole file again")
}

/// The document at a path of a root, which may lead into an archive.
pub(super) fn document(target: &Target, path: &str, most: u64, documents: &Documents) -> Result<Document> {
    let stop = CancellationToken::new();
    let whole = target.document(path)?;
    let packed = archive::split(path).filter(|_| target.is_file() || !whole.exists());
    let Some((outer, name)) = packed else {
        let (bytes, _) = file::read(&whole, most)?;
        return file::extract(documents, &whole, bytes, &stop);
    };
    inside((&target.document(outer)?, name), most, documents, &stop)
}

/// The document of this name in an archive.
pub(super) fn inside(
    (full, name): (&Path, &str),
    most: u64,
    documents: &Documents,
    stop: &CancellationToken,
) -> Result<Document> {
    let (bytes, _) = file::read(full, most)?;
    let kind = kind_of(full).ok_or_else(|| damaged(full, Unreadable::UnknownKind))?;
    let mut wishes = |entry: &str| match entry == name {
        _ if stop.is_cancelled() => Wish::End,
        true => Wish::Take,
        false => Wish::Leave,
    };
    let unpacked = archive::unpacked(kind, &bytes, &mut wishes).map_err(|why| damaged(full, why))?;
    let shown = format!("{}{INSIDE}{name}", full.display());
    let gone = || {
        let message = format!("`{shown}` is not there any more");
        Error::new(Code::LibraryNotFound, message).hint("ask again; the new archive is indexed first")
    };
    let packed = unpacked.files.into_iter().next().ok_or_else(gone)?;
    let bytes = packed.bytes.map_err(|why| damaged(Path::new(&shown), why))?;
    documents.read(&shown, &file_name(Path::new(name)), bytes, stop)
}

pub(super) fn file_name(path: &Path) -> Cow<'_, str> {
    path.file_name().map(OsStr::to_string_lossy).unwrap_or_default()
}

fn inner_row(archive: &str, name: &str, bytes: &[u8]) -> Row {
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    Row::new(format!("{archive}{INSIDE}{name}"), size, file::hash(bytes))
}

/// Whether a file of the archive at this path is one of those that are not read.
pub(super) fn leaves_out(archive: &str, name: &str, choice: &Choice) -> bool {
    left_out((archive, name), choice.hidden, &IgnoreList::of_patterns(&choice.exclude)).is_some()
}

/// Why a file of an archive is not read, if it is not: by its name in it, or by the one that it is cited by.
fn left_out((archive, name): (&str, &str), hidden: bool, excluded: &IgnoreList) -> Option<String> {
    let mut parts = Path::new(name).components().peekable();
    if parts.peek().is_none() || parts.any(|part| !matches!(part, Component::Normal(_))) {
        return Some(OUTSIDE.to_owned());
    }
    let cited = format!("{archive}{INSIDE}{name}");
    if let Some(why) = [name, &cited].into_iter().find_map(|name| left_out_on_the_way(name, hidden, excluded)) {
        return Some(why.to_owned());
    }
    match format::of_name(&file_name(Path::new(name))) {
        NameSays::NotRead(kind) => Some(kind),
        // What is packed is taken by its name alone: looking at what may be anything would use up what may be unpacked.
        NameSays::Format(_) | NameSays::Nothing => format::unknown_ending(&file_name(Path::new(name))),
    }
}

fn damaged(path: &Path, why: Unreadable) -> Error {
    Error::new(Code::LibraryUnreadable, format!("`{}` {why}", path.display()))
}
