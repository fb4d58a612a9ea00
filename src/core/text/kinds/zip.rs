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

const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// An archive and what may still be unpacked of it.
#[derive(Debug)]
pub(super) struct Archive<'b> {
    bytes: &'b [u8],
    /// By name; of several of one name the first.
    entries: BTreeMap<String, Entry>,
    count: usize,
    /// Bytes that may still be unpacked.
    room: usize,
}

#[derive(Debug)]
struct Entry {
    encrypted: bool,
    method: u16,
    packed: usize,
    /// Where its head stands.
    at: usize,
}

impl<'b> Archive<'b> {
    pub(super) fn open(bytes: &'b [u8]) -> Result<Self, Unreadable> {
        let damaged = || Unreadable::Damaged("it is no whole zip archive");
        let from = bytes.len().saturating_sub(END_BYTES + COMMENT_BYTES);
        let tail = bytes.get(from..).unwrap_or_default();
        let end = tail.windows(END.len()).rposition(|window| window == END).ok_or_else(damaged)?;
        let end = tail.get(end..).unwrap_or_default();
        let count = usize::from(u16_at(end, 10).ok_or_else(damaged)?);
        let mut at = u32_at(end, 16).ok_or_else(damaged)?;
        let mut entries = BTreeMap::new();
        for _ in 0..count.min(limits::ARCHIVE_ENTRIES) {
            let record = bytes.get(at..).filter(|record| record.starts_with(b"PK\x01\x02")).ok_or_else(damaged)?;
            let name_bytes = usize::from(u16_at(record, 28).ok_or_else(damaged)?);
            let extra = usize::from(u16_at(record, 30).ok_or_else(damaged)?);
            let comment = usize::from(u16_at(record, 32).ok_or_else(damaged)?);
            let name = record.get(LISTED_BYTES..LISTED_BYTES + name_bytes).ok_or_else(damaged)?;
            let entry = Entry {
                encrypted: u16_at(record, 8).ok_or_else(damaged)? & 1 == 1,
                method: u16_at(record, 10).ok_or_else(damaged)?,
                packed: u32_at(record, 20).ok_or_else(damaged)?,
                at: u32_at(record, 42).ok_or_else(damaged)?,
            };
            entries.entry(String::from_utf8_lossy(name).into_owned()).or_insert(entry);
            at = at.saturating_add(LISTED_BYTES + name_bytes + extra + comment);
        }
        Ok(Self { bytes, entries, count, room: limits::ARCHIVE_UNPACKED_BYTES })
    }

    /// How many entries it says it has.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// The names of its entries, with their size as they are packed.
    pub(super) fn names(&self) -> Vec<(String, usize)> {
        self.entries.iter().map(|(name, entry)| (name.clone(), entry.packed)).collect()
    }

    /// Unpacks an entry; nothing where there is none of this name.
    pub(super) fn entry(&mut self, name: &str) -> Result<Option<Vec<u8>>, Unreadable> {
        let unpacked = self.entry_within(name, self.room)?;
        self.room = self.room.saturating_sub(unpacked.as_ref().map_or(0, Vec::len));
        Ok(unpacked)
    }

    /// The same for an entry of at most so many bytes.
    pub(super) fn entry_within(&self, name: &str, room: usize) -> Result<Option<Vec<u8>>, Unreadable> {
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
        let unpacked = match entry.method {
            STORED if data.len() > room => return Err(Unreadable::TooLarge),
            STORED => data.to_vec(),
            DEFLATED => inflated(data, room)?,
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

/// Unpacks at most so many bytes.
fn inflated(data: &[u8], room: usize) -> Result<Vec<u8>, Unreadable> {
    let mut unpacked = Vec::new();
    let most = u64::try_from(room).unwrap_or(u64::MAX).saturating_add(1);
    let read = DeflateDecoder::new(data).take(most).read_to_end(&mut unpacked);
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

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    let value = bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))?;
    usize::try_from(value).ok()
}
