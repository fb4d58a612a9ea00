//! Archives of files, and what is attached to mail: their names and bytes, one level deep, in bounds.
//!
//! Nothing is believed: entries, bytes and how much a byte may unpack to are counted. What is an archive inside an archive is not opened.

use std::collections::BTreeMap;
use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::super::Unreadable;
use super::super::format::is_maildir_name;
use super::mail;
use super::zip::Archive;
use crate::core::base::limits;

/// How files are put together in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArchiveKind {
    Zip,
    Tar,
    /// A tar that is packed as a whole.
    TarGz,
    /// A message with its attachments.
    Mail,
    Mailbox,
}

impl ArchiveKind {
    /// Whether it is a document itself, beside the files that are in it.
    pub(crate) fn is_document(self) -> bool {
        match self {
            Self::Zip | Self::Tar | Self::TarGz => false,
            Self::Mail | Self::Mailbox => true,
        }
    }
}

/// What the names of archives end with.
const ENDINGS: [(&str, ArchiveKind); 7] = [
    (".zip", ArchiveKind::Zip),
    (".tar", ArchiveKind::Tar),
    (".tar.gz", ArchiveKind::TarGz),
    (".tgz", ArchiveKind::TarGz),
    (".eml", ArchiveKind::Mail),
    (".emlx", ArchiveKind::Mail),
    (".mbox", ArchiveKind::Mailbox),
];
/// What stands between the name of an archive and that of a file in it.
pub(crate) const INSIDE: char = '!';
const BLOCK: usize = 512;

/// A file in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Packed {
    pub(crate) name: String,
    /// Why it cannot be unpacked, where it cannot.
    pub(crate) bytes: Result<Vec<u8>, Unreadable>,
}

/// The files of an archive that are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Unpacked {
    pub(crate) files: Vec<Packed>,
    /// Whether there are more than are looked at.
    pub(crate) has_more: bool,
    /// Whether it ends in the middle of something.
    pub(crate) cut_off: bool,
}

/// What is to be done with a file of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    Take,
    Leave,
    /// Nothing more is wanted.
    End,
}

/// Says by its name what is to be done with a file.
pub(crate) type Wishes<'a> = &'a mut dyn FnMut(&str) -> Wish;

/// The kind of an archive by its name.
pub(crate) fn kind_of(name: &str) -> Option<ArchiveKind> {
    let lower = name.to_ascii_lowercase();
    let named = ENDINGS.iter().find(|(ending, _)| lower.len() > ending.len() && lower.ends_with(ending));
    let in_maildir = || is_maildir_name(name.rsplit('/').next()?).then_some(ArchiveKind::Mail);
    named.map(|(_, kind)| *kind).or_else(in_maildir)
}

/// The path of a file in an archive as the path of the archive and the name in it.
pub(crate) fn split(path: &str) -> Option<(&str, &str)> {
    let inside = path.match_indices(INSIDE).map(|(at, _)| path.split_at(at));
    let mut inside = inside.map(|(archive, name)| (archive, name.trim_start_matches(INSIDE)));
    inside.find(|(archive, name)| kind_of(archive).is_some() && !name.is_empty())
}

/// The files of an archive whose names are wanted, in the order of the archive or of their names; of several of one name the one that unpacking would leave.
pub(crate) fn unpacked(kind: ArchiveKind, bytes: &[u8], wishes: Wishes<'_>) -> Result<Unpacked, Unreadable> {
    match kind {
        ArchiveKind::Zip => zip(bytes, wishes),
        ArchiveKind::Tar => tar(bytes, wishes),
        ArchiveKind::Mail => Ok(mail::attachments(bytes, false, wishes)),
        ArchiveKind::Mailbox => Ok(mail::attachments(bytes, true, wishes)),
        ArchiveKind::TarGz => {
            let mut whole = Vec::new();
            // More than all files together may have, for what stands between them.
            let most = within_ratio(bytes.len()).min(2 * limits::BUNDLE_BYTES);
            let take = u64::try_from(most).unwrap_or(u64::MAX);
            let read = MultiGzDecoder::new(bytes).take(take).read_to_end(&mut whole);
            let is_full = whole.len() >= most;
            if whole.is_empty() && (is_full || read.is_err()) {
                return Err(Unreadable::Damaged("it cannot be unpacked"));
            }
            let Unpacked { files, has_more, cut_off } = tar(&whole, wishes)?;
            // Where unpacking was ended, the tar ends early as well.
            Ok(Unpacked { files, has_more: has_more || is_full, cut_off: !is_full && (cut_off || read.is_err()) })
        }
    }
}

/// What so many bytes may unpack to; texts of one line a million times are no documents.
fn within_ratio(packed: usize) -> usize {
    packed.saturating_mul(limits::BUNDLE_RATIO).saturating_add(1 << 20)
}

fn zip(bytes: &[u8], wishes: Wishes<'_>) -> Result<Unpacked, Unreadable> {
    let mut archive = Archive::open(bytes)?;
    let mut unpacked = Unpacked { has_more: archive.len() > limits::BUNDLE_ENTRIES, ..Unpacked::default() };
    let mut room = limits::BUNDLE_BYTES;
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for (listed, packed) in archive.names().into_iter().take(limits::BUNDLE_ENTRIES) {
        // Programs of Windows write their own separator.
        let name = plain_name(&listed.replace('\\', "/"));
        match if name.ends_with('/') { Wish::Leave } else { wishes(&name) } {
            Wish::Take => {}
            Wish::Leave => continue,
            Wish::End => break,
        }
        if room == 0 || archive.is_used_up() {
            unpacked.has_more = true;
            break;
        }
        let read = archive.entry_within(&listed, room.min(within_ratio(packed)));
        let bytes = read.and_then(|bytes| bytes.ok_or(Unreadable::Damaged("an entry of its archive is cut off")));
        room = room.saturating_sub(bytes.as_ref().map_or(0, Vec::len));
        put(&mut unpacked.files, &mut places, Packed { name, bytes });
    }
    Ok(unpacked)
}

/// Of several files of one name the last stays, in the place of the first.
fn put(files: &mut Vec<Packed>, places: &mut BTreeMap<String, usize>, file: Packed) {
    match places.get(&file.name).and_then(|place| files.get_mut(*place)) {
        Some(before) => before.bytes = file.bytes,
        None => {
            places.insert(file.name.clone(), files.len());
            files.push(file);
        }
    }
}

/// A name without the parts that lead nowhere: `./a//b` is `a/b`. One that is absolute, goes up or is a folder still shows it.
fn plain_name(name: &str) -> String {
    let root = if name.starts_with('/') { "/" } else { "" };
    let parts: Vec<&str> = name.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    let folder = if name.ends_with('/') || name.ends_with("/.") { "/" } else { "" };
    format!("{root}{}{folder}", parts.join("/"))
}

fn tar(bytes: &[u8], wishes: Wishes<'_>) -> Result<Unpacked, Unreadable> {
    let mut unpacked = Unpacked::default();
    // A file that was put in again stands behind what it was before.
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut room = limits::BUNDLE_BYTES;
    let mut rest = bytes;
    let mut long_name: Option<String> = None;
    for count in 0_usize.. {
        let Some((head, after)) = rest.split_first_chunk::<BLOCK>().filter(|(head, _)| **head != [0; BLOCK]) else {
            // An empty block ends an archive that is whole.
            unpacked.cut_off |= rest.len() < BLOCK && (count > 0 || !rest.is_empty());
            break;
        };
        let size = size_of_entry(head).ok_or(Unreadable::Damaged("it is no whole tar archive"))?;
        if count >= limits::BUNDLE_ENTRIES {
            unpacked.has_more = true;
            break;
        }
        let Some(data) = after.get(..size) else {
            unpacked.cut_off = true;
            break;
        };
        rest = after.get(size.div_ceil(BLOCK) * BLOCK..).unwrap_or_default();
        match head.get(156) {
            // A name that does not fit stands in an entry of its own, in one of two ways.
            Some(b'L') => long_name = Some(field(data)),
            Some(b'x') => long_name = extended_name(data).or(long_name),
            Some(b'0' | b'7' | 0) => {
                let name = long_name.take().unwrap_or_else(|| own_name(head));
                let name = plain_name(&name);
                match if name.ends_with('/') { Wish::Leave } else { wishes(&name) } {
                    Wish::Take => {}
                    Wish::Leave => continue,
                    Wish::End => break,
                }
                let Some(left) = room.checked_sub(size) else {
                    unpacked.has_more = true;
                    break;
                };
                room = left;
                put(&mut unpacked.files, &mut places, Packed { name, bytes: Ok(data.to_vec()) });
            }
            // Folders, links, devices.
            Some(_) | None => long_name = None,
        }
    }
    Ok(unpacked)
}

/// The size of an entry, if its head is sound.
fn size_of_entry(head: &[u8; BLOCK]) -> Option<usize> {
    let said = octal(head.get(148..156)?)?;
    let sum = |range: std::ops::Range<usize>| {
        head.get(range).unwrap_or_default().iter().map(|b| usize::from(*b)).sum::<usize>()
    };
    let is_sound = sum(0..148) + 8 * usize::from(b' ') + sum(156..BLOCK) == said;
    octal(head.get(124..136)?).filter(|_| is_sound)
}

fn octal(field: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(field).ok()?.trim_matches(['\0', ' ']);
    if text.is_empty() { Some(0) } else { usize::from_str_radix(text, 8).ok() }
}

/// The text of a field up to its first NUL.
fn field(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.split(|byte| *byte == 0).next().unwrap_or_default()).into_owned()
}

fn own_name(head: &[u8; BLOCK]) -> String {
    let name = field(head.get(..100).unwrap_or_default());
    let is_posix = head.get(257..262) == Some(b"ustar");
    let folder = field(head.get(345..500).filter(|_| is_posix).unwrap_or_default());
    if folder.is_empty() || head.get(257..265) == Some(b"ustar  \0") { name } else { format!("{folder}/{name}") }
}

/// `31 path=folder/name\n` of an extended head.
fn extended_name(data: &[u8]) -> Option<String> {
    let mut rest = data;
    while let Some(blank) = rest.iter().take(20).position(|byte| *byte == b' ') {
        let length: usize = std::str::from_utf8(rest.get(..blank)?).ok()?.parse().ok()?;
        let record = rest.get(blank + 1..length)?;
        if let Some(name) = record.strip_prefix(b"path=") {
            return Some(String::from_utf8_lossy(name).trim_end_matches('\n').to_owned());
        }
        rest = rest.get(length..)?;
    }
    None
}
