//! Reading a zip archive in memory: its list, and entries one by one.
//!
//! Nothing is believed: what is unpacked is counted, over all entries together, and offsets that lead nowhere are refused.

use std::collections::BTreeMap;
use std::io::Read;

use flate2::read::DeflateDecoder;

use super::super::Unreadable;
use crate::core::base::limits;

/// The signature of the record at the end of an archive, and how long it is without its comment.
const END: &[u8] = b"PK\x05\x06";
const END_BYTES: usize = 22;
/// No comment is longer, in bytes.
const COMMENT_BYTES: usize = 65_535;
/// The length of a record of the list, and of the head in front of an entry, without names.
const LISTED_BYTES: usize = 46;
const LOCAL_BYTES: usize = 30;

/// Of Zip64: the record that says where its own end record stands, right before the usual one, and the end record.
const WIDE_LOCATOR: &[u8] = b"PK\x06\x07";
const WIDE_LOCATOR_BYTES: usize = 20;
const WIDE_END: &[u8] = b"PK\x06\x06";
/// The kind of the extra field with wide numbers, and what stands where a number does not fit.
const WIDE_FIELD: u16 = 1;
const TOO_WIDE: usize = 0xffff_ffff;

const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// An archive and what may still be unpacked of it.
#[derive(Debug)]
pub(super) struct Archive<'b> {
    bytes: &'b [u8],
    /// By name; of several of one name the last, as unpacking leaves it.
    entries: BTreeMap<String, Entry>,
    count: usize,
    /// Bytes that may still be unpacked.
    room: usize,
    /// Bytes that may still go into unpacking and come out of it.
    effort: usize,
}

#[derive(Debug)]
struct Entry {
    encrypted: bool,
    method: u16,
    packed: usize,
    /// Where its head stands.
    at: usize,
}

impl Entry {
    /// An entry of the list from its record, which `extra` belongs to.
    fn of(record: &[u8], extra: &[u8]) -> Option<Self> {
        let mut wide = wide_fields(extra);
        // What does not fit stands in the wide fields, in this order, and only what does not fit.
        let mut number = |at: usize| match u32_at(record, at)? {
            TOO_WIDE => wide.next(),
            fits => Some(fits),
        };
        let _unpacked = number(24)?;
        let (packed, at) = (number(20)?, number(42)?);
        Some(Self { encrypted: u16_at(record, 8)? & 1 == 1, method: u16_at(record, 10)?, packed, at })
    }
}

impl<'b> Archive<'b> {
    pub(super) fn open(bytes: &'b [u8]) -> Result<Self, Unreadable> {
        let damaged = || Unreadable::Damaged("it is no whole zip archive");
        let from = bytes.len().saturating_sub(END_BYTES + COMMENT_BYTES);
        let tail = bytes.get(from..).unwrap_or_default();
        let end = tail.windows(END.len()).rposition(|window| window == END).ok_or_else(damaged)?;
        let (count, mut at) = list_of(bytes, from + end).ok_or_else(damaged)?;
        let mut entries = BTreeMap::new();
        for _ in 0..count.min(limits::ARCHIVE_ENTRIES) {
            let record = bytes.get(at..).filter(|record| record.starts_with(b"PK\x01\x02")).ok_or_else(damaged)?;
            let name_bytes = usize::from(u16_at(record, 28).ok_or_else(damaged)?);
            let extra = usize::from(u16_at(record, 30).ok_or_else(damaged)?);
            let comment = usize::from(u16_at(record, 32).ok_or_else(damaged)?);
            let (name, behind) =
                record.get(LISTED_BYTES..).and_then(|rest| rest.split_at_checked(name_bytes)).ok_or_else(damaged)?;
            let entry = behind.get(..extra).and_then(|extra| Entry::of(record, extra)).ok_or_else(damaged)?;
            entries.insert(String::from_utf8_lossy(name).into_owned(), entry);
            at = at.saturating_add(LISTED_BYTES + name_bytes + extra + comment);
        }
        let (room, effort) = (limits::ARCHIVE_UNPACKED_BYTES, limits::UNPACKING_BYTES);
        Ok(Self { bytes, entries, count, room, effort })
    }

    /// How many entries it says it has.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// The names of its entries, with their size as they are packed.
    pub(super) fn names(&self) -> Vec<(String, usize)> {
        self.entries.iter().map(|(name, entry)| (name.clone(), entry.packed)).collect()
    }

    /// Whether nothing more is unpacked of it.
    pub(super) fn is_used_up(&self) -> bool {
        self.effort == 0
    }

    /// Unpacks an entry; nothing where there is none of this name.
    pub(super) fn entry(&mut self, name: &str) -> Result<Option<Vec<u8>>, Unreadable> {
        let unpacked = self.entry_within(name, self.room)?;
        self.room = self.room.saturating_sub(unpacked.as_ref().map_or(0, Vec::len));
        Ok(unpacked)
    }

    /// The same for an entry of at most so many bytes.
    pub(super) fn entry_within(&mut self, name: &str, room: usize) -> Result<Option<Vec<u8>>, Unreadable> {
        let Some(entry) = self.entries.get(name) else { return Ok(None) };
        if entry.encrypted {
            return Err(Unreadable::Protected);
        }
        let damaged = || Unreadable::Damaged("an entry of its archive is cut off");
        let head = self.bytes.get(entry.at..).filter(|head| head.starts_with(b"PK\x03\x04")).ok_or_else(damaged)?;
        let name_bytes = usize::from(u16_at(head, 26).ok_or_else(damaged)?);
        let extra = usize::from(u16_at(head, 28).ok_or_else(damaged)?);
        let data = head.get(LOCAL_BYTES + name_bytes + extra..).ok_or_else(damaged)?;
        let data = data.get(..entry.packed).ok_or_else(damaged)?;
        if data.len() > self.effort || (entry.method == STORED && data.len() > room) {
            self.effort = self.effort.saturating_sub(data.len());
            return Err(Unreadable::TooLarge);
        }
        self.effort -= data.len();
        let unpacked = match entry.method {
            STORED => data.to_vec(),
            DEFLATED => inflated(data, room, &mut self.effort)?,
            _ => return Err(Unreadable::Damaged("its archive is packed in a way that is not known")),
        };
        Ok(Some(unpacked))
    }

    /// An entry as text.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, Unreadable> {
        Ok(self.entry(name)?.map(|bytes| super::super::decode::page(&bytes, None, true)))
    }

    /// An entry that the file cannot do without.
    pub(super) fn needed(&mut self, name: &str) -> Result<String, Unreadable> {
        self.text(name)?.ok_or(Unreadable::Damaged("its archive lacks the text itself"))
    }
}

/// How many entries the list has and where it begins, by the record at the end.
fn list_of(bytes: &[u8], end: usize) -> Option<(usize, usize)> {
    let record = bytes.get(end..)?;
    let usual = (usize::from(u16_at(record, 10)?), u32_at(record, 16)?);
    let locator = end.checked_sub(WIDE_LOCATOR_BYTES).and_then(|at| bytes.get(at..end));
    let Some(locator) = locator.filter(|locator| locator.starts_with(WIDE_LOCATOR)) else { return Some(usual) };
    let wide = bytes.get(u64_at(locator, 8)?..)?.strip_prefix(WIDE_END)?;
    Some((u64_at(wide, 28)?, u64_at(wide, 44)?))
}

/// The numbers of the wide field among the extra ones.
fn wide_fields(extra: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let mut rest = extra;
    let field = loop {
        let (Some(kind), Some(length)) = (u16_at(rest, 0), u16_at(rest, 2)) else { break &[][..] };
        let (field, behind) = rest.get(4..).unwrap_or_default().split_at_checked(length.into()).unwrap_or_default();
        if kind == WIDE_FIELD {
            break field;
        }
        rest = behind;
    };
    field.as_chunks::<8>().0.iter().filter_map(|bytes| u64_at(bytes, 0))
}

/// Unpacks at most so many bytes, and counts what comes out whether it is kept or not.
fn inflated(data: &[u8], room: usize, effort: &mut usize) -> Result<Vec<u8>, Unreadable> {
    let mut unpacked = Vec::new();
    let room = room.min(*effort);
    let most = u64::try_from(room).unwrap_or(u64::MAX).saturating_add(1);
    let read = DeflateDecoder::new(data).take(most).read_to_end(&mut unpacked);
    *effort = effort.saturating_sub(unpacked.len());
    if unpacked.len() > room {
        return Err(Unreadable::TooLarge);
    }
    match read {
        Ok(_) => Ok(unpacked),
        Err(_broken) => Err(Unreadable::Damaged("an entry of its archive cannot be unpacked")),
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|bytes| u16::from_le_bytes(*bytes))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<usize> {
    let value = bytes.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))?;
    usize::try_from(value).ok()
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    let value = bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))?;
    usize::try_from(value).ok()
}
