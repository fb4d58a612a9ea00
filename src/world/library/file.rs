//! Reading one document from disk, as it is at one moment.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::evidence::passage::PageHash;
use crate::core::text::format::{self, NameSays};
use crate::core::text::{Document, Format};
use crate::world::documents::Documents;

/// What tells whether a file may have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stat {
    pub(super) size: u64,
    /// When it was changed, in nanoseconds since 1970: its text, or what the system keeps of it. Programs set the first back after a change, but cannot
    /// set the second; file systems that do not have the second tell the first.
    pub(super) changed_ns: i64,
    /// Whether the file has other names, by which it may be changed from elsewhere.
    pub(super) is_linked: bool,
}

impl Stat {
    pub(super) fn of(metadata: &Metadata) -> Self {
        let ns = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
        let written = ns(metadata.mtime(), metadata.mtime_nsec());
        let changed_ns = written.max(ns(metadata.ctime(), metadata.ctime_nsec()));
        Self { size: metadata.size(), changed_ns, is_linked: metadata.nlink() > 1 }
    }
}

/// Reads a file of at most `max_bytes`. One that changes meanwhile is read once more, then given up; of a text that only grows the lines that were
/// there at first are taken.
pub(super) fn read(path: &Path, max_bytes: u64) -> Result<(Vec<u8>, Stat)> {
    read_watched(path, max_bytes, &mut || {})
}

/// A file that changes while it is read is read again.
const TRIES: usize = 2;

/// [`read`], telling when the file is open and looked at, before its bytes are read.
pub(super) fn read_watched(path: &Path, max_bytes: u64, opened: &mut dyn FnMut()) -> Result<(Vec<u8>, Stat)> {
    let mut first: Option<(Vec<u8>, Stat)> = None;
    for _ in 0..TRIES {
        let file = open(path).map_err(|error| unreadable(path, &error))?;
        let before = stat(path, &file)?;
        check_size(path, before.size, max_bytes)?;
        opened();
        let mut bytes = Vec::new();
        // One byte more than was seen is enough to notice that the file grows.
        let read = (&file).take(before.size.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|error| unreadable(path, &error))?;
        if stat(path, &file)? == before && u64::try_from(bytes.len()) == Ok(before.size) {
            return Ok((bytes, before));
        }
        match &first {
            None => first = Some((bytes, before)),
            Some((earlier, stat)) => {
                let lines = grows(path).then(|| whole_lines(earlier, &bytes)).flatten();
                if let Some(lines) = lines {
                    let size = u64::try_from(lines.len()).unwrap_or(u64::MAX);
                    return Ok((lines.to_vec(), Stat { size, ..*stat }));
                }
            }
        }
    }
    Err(Error::new(Code::LibraryChanged, format!("`{}` changes while it is read", path.display()))
        .hint("it is looked at again with the next search; stop whatever writes it"))
}

/// Whether files of this name are texts to whose end more is written, as it is to a log.
pub(super) fn grows(path: &Path) -> bool {
    match kind_of(path) {
        NameSays::Format(format) => format.grows_at_its_end(),
        NameSays::Nothing => true,
        NameSays::NotRead(_) => false,
    }
}

/// The whole lines of a text that were there at a first look and still are at a later one.
fn whole_lines<'a>(earlier: &'a [u8], later: &[u8]) -> Option<&'a [u8]> {
    let end = earlier.iter().rposition(|byte| *byte == b'\n')? + 1;
    let lines = earlier.get(..end)?;
    (later.starts_with(lines) && std::str::from_utf8(lines).is_ok()).then_some(lines)
}

/// What was indexed of a text, if the file still begins with it and a line ends there: whatever was written to its end since changes none of its lines.
pub(super) fn still_begins_with(path: &Path, size: u64, content: &str) -> Option<Vec<u8>> {
    let mut bytes = beginning(path, size.checked_add(1)?).ok()?;
    let behind = bytes.get(usize::try_from(size).ok()?).copied();
    bytes.truncate(usize::try_from(size).ok()?);
    let ends_line = bytes.ends_with(b"\n") || matches!(behind, None | Some(b'\n' | b'\r'));
    let is_it = u64::try_from(bytes.len()) == Ok(size) && ends_line && std::str::from_utf8(&bytes).is_ok();
    (is_it && hash(&bytes) == content).then_some(bytes)
}

/// The first bytes of a file, never waiting: a pipe is no file.
pub(super) fn beginning(path: &Path, most: u64) -> Result<Vec<u8>> {
    let file = open(path).map_err(|error| unreadable(path, &error))?;
    stat(path, &file)?;
    let mut bytes = Vec::new();
    (&file).take(most).read_to_end(&mut bytes).map_err(|error| unreadable(path, &error))?;
    Ok(bytes)
}

/// Larger files are not even opened when the folder listing shows their size.
pub(super) fn check_size(path: &Path, size: u64, max_bytes: u64) -> Result<()> {
    if size <= max_bytes {
        return Ok(());
    }
    let message = format!("`{}` has {size} bytes, more than the {max_bytes} of a library file", path.display());
    Err(Error::new(Code::LibraryUnreadable, message).hint("split it, or raise the limit for library files"))
}

/// Never waits and never follows: a pipe or a link may have taken the file's place since it was listed.
fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
}

fn stat(path: &Path, file: &File) -> Result<Stat> {
    let metadata = file.metadata().map_err(|error| unreadable(path, &error))?;
    if !metadata.is_file() {
        return Err(Error::new(Code::LibraryUnreadable, format!("`{}` is not a file", path.display())));
    }
    Ok(Stat::of(&metadata))
}

pub(super) fn unreadable(path: &Path, error: &io::Error) -> Error {
    match error.kind() {
        ErrorKind::NotFound => Error::new(Code::LibraryNotFound, format!("`{}` is not there any more", path.display())),
        _ => Error::new(Code::LibraryUnreadable, format!("`{}` cannot be read: {error}", path.display()))
            .hint("check its permissions"),
    }
}

/// What a file's name says of its kind.
pub(super) fn kind_of(path: &Path) -> NameSays {
    path.file_name().map_or(NameSays::Nothing, |name| format::of_name(&name.to_string_lossy()))
}

/// How a file is counted that is not read for its name, or for its first bytes where its ending is unknown. Of such a file nothing else is read.
pub(super) fn unread_kind(path: &Path, size: u64) -> Result<Option<String>> {
    if let NameSays::NotRead(kind) = kind_of(path) {
        return Ok(Some(kind));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some(kind) = format::unknown_ending(&name) else { return Ok(None) };
    let is_small = size <= limits::UNKNOWN_FILE_BYTES;
    let is_text = is_small && format::is_text_of_unknown_kind(size, &beginning(path, format::HEAD_BYTES as u64)?);
    Ok((!is_text).then_some(kind))
}

/// The document in a file's bytes.
pub(super) fn extract(
    documents: &Documents,
    path: &Path,
    bytes: Vec<u8>,
    stop: &CancellationToken,
) -> Result<Document> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    documents.read(&path.display().to_string(), &name, bytes, stop)
}

/// What the document is called where it says nothing itself.
pub(super) fn title(document: &Document, path: &Path) -> String {
    let named = match kind_of(path) {
        NameSays::Format(Format::Code | Format::Json | Format::Settings | Format::Log) => path.file_name(),
        // A number or an unknown ending is a part of the name: `ANNOUNCE-3.1.1`, `crontab.db1`. What is packed has it before its ending.
        NameSays::Nothing if !is_packed(path) && (ends_in_number(path) || has_unknown_ending(path)) => path.file_name(),
        NameSays::Format(_) | NameSays::Nothing | NameSays::NotRead(_) => path.file_stem(),
    };
    let name = || named.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    document.title.clone().unwrap_or_else(name)
}

fn has_unknown_ending(path: &Path) -> bool {
    path.file_name().is_some_and(|name| format::unknown_ending(&name.to_string_lossy()).is_some())
}

fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|last| last.eq_ignore_ascii_case("gz"))
}

fn ends_in_number(path: &Path) -> bool {
    path.file_name().is_some_and(|name| format::is_numbered(&name.to_string_lossy()))
}

/// The name under which a text is archived.
pub(crate) fn page_hash(text: &str) -> PageHash {
    PageHash(hash(text.as_bytes()))
}

/// SHA-256 in lower-case hexadecimal.
pub(super) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut hex, byte| {
        for nibble in [byte >> 4, byte & 15] {
            hex.push(char::from_digit(u32::from(nibble), 16).unwrap_or_default());
        }
        hex
    })
}
