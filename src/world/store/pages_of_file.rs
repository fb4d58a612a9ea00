//! The pages of a database file, read without the database: rows that stand on a whole page can be had when the list of tables is
//! damaged. Only what SQLite's file format says about leaves of tables is known here.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rusqlite::types::Value;

use crate::core::base::limits;

/// What a page begins with that holds rows of a table, or the way to such pages.
const LEAF: u8 = 0x0d;
const INTERIOR: u8 = 0x05;
/// Hadal's files have pages of this size where their head does not say.
const USUAL_PAGE: usize = 4_096;

/// A damaged database as a row of pages.
#[derive(Debug)]
pub(super) struct PageFile {
    file: File,
    page: usize,
    /// How many there are. The first is number 1.
    pub(super) count: u32,
    /// Bytes of a page that hold something.
    usable: usize,
}

/// A row as it stands on its page.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) values: Vec<Value>,
}

/// The kind of a value, as the head of a row tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    Integer,
    Real,
    Text,
    Blob,
}

/// What a page is.
#[derive(Debug)]
pub(super) enum Page {
    /// Rows of a table: where each begins.
    Leaf(Vec<usize>),
    /// The pages below it.
    Interior(Vec<u32>),
    Other,
}

impl PageFile {
    pub(super) fn open(path: &Path) -> std::io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        let mut head = [0; 100];
        let read = file.read_at(&mut head, 0)?;
        let told = usize::from(u16::from_be_bytes([head[16], head[17]]));
        let is_size = |size: usize| size.is_power_of_two() && (512..=32_768).contains(&size);
        let is_head = read == head.len() && head.starts_with(b"SQLite format 3\0");
        let page = if is_head && is_size(told) { told } else { USUAL_PAGE };
        let reserved = if is_head { usize::from(head[20]).min(page / 2) } else { 0 };
        let count = u32::try_from(length / page as u64).unwrap_or(u32::MAX);
        Ok(Self { file, page, count, usable: page - reserved })
    }

    /// The bytes of a page; empty where it cannot be read.
    pub(super) fn bytes(&self, number: u32) -> Vec<u8> {
        let Some(before) = number.checked_sub(1).filter(|before| *before < self.count) else { return Vec::new() };
        let mut bytes = vec![0; self.page];
        match self.file.read_exact_at(&mut bytes, u64::from(before) * self.page as u64) {
            Ok(()) => bytes,
            Err(_) => Vec::new(),
        }
    }

    /// What a page is. A page whose places do not fit is none of ours.
    pub(super) fn look(&self, number: u32, bytes: &[u8]) -> Page {
        // The head of the file stands on the first page.
        let start = if number == 1 { 100 } else { 0 };
        let (Some(kind), Some(cells)) = (bytes.get(start), short(bytes, start + 3)) else { return Page::Other };
        let list = start + if *kind == INTERIOR { 12 } else { 8 };
        let places = (0..cells).map_while(|cell| short(bytes, list + 2 * cell));
        let places: Vec<usize> =
            places.filter(|place| *place >= list + 2 * cells && *place + 4 <= self.usable).collect();
        if places.len() != cells || cells == 0 {
            return Page::Other;
        }
        match *kind {
            LEAF => Page::Leaf(places),
            INTERIOR => {
                let below = places.iter().filter_map(|place| long(bytes, *place)).chain(long(bytes, start + 8));
                let below: Vec<u32> = below.filter(|page| (2..=self.count).contains(page)).collect();
                if below.len() == cells + 1 { Page::Interior(below) } else { Page::Other }
            }
            _ => Page::Other,
        }
    }

    /// The kinds of a row's values.
    pub(super) fn kinds(&self, bytes: &[u8], place: usize) -> Option<Vec<Kind>> {
        let (payload, at) = varint(bytes, place)?;
        let (_, at) = varint(bytes, at)?;
        let local = self.local(usize::try_from(payload).ok()?);
        serials(bytes.get(at..(at + local).min(self.usable))?).map(|(all, _)| all.into_iter().map(kind).collect())
    }

    /// The row that begins at a place of a leaf, with what of it stands on other pages.
    pub(super) fn row(&self, bytes: &[u8], place: usize) -> Option<Row> {
        let (payload, at) = varint(bytes, place)?;
        let (_, at) = varint(bytes, at)?;
        let payload = usize::try_from(payload).ok().filter(|payload| *payload <= limits::PAGE_BYTES)?;
        let local = self.local(payload);
        let mut whole = bytes.get(at..at + local)?.to_vec();
        let mut next = if local < payload { long(bytes, at + local)? } else { 0 };
        while whole.len() < payload {
            let page = self.bytes(next);
            next = long(&page, 0)?;
            let part = page.get(4..self.usable)?;
            whole.extend_from_slice(part.get(..part.len().min(payload - whole.len()))?);
        }
        values(&whole).map(|values| Row { values })
    }

    /// How many bytes of a row stand on its own page.
    fn local(&self, payload: usize) -> usize {
        let most = self.usable - 35;
        if payload <= most {
            return payload;
        }
        let least = (self.usable - 12) * 32 / 255 - 23;
        let fitting = least + (payload - least) % (self.usable - 4);
        if fitting <= most { fitting } else { least }
    }
}

fn short(bytes: &[u8], at: usize) -> Option<usize> {
    let two = bytes.get(at..at + 2)?;
    Some(usize::from(*two.first()?) << 8 | usize::from(*two.get(1)?))
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(bytes.get(at..at + 4)?.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

/// A number of one to nine bytes, and where it ends.
fn varint(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let mut number = 0_u64;
    for length in 0..9 {
        let byte = *bytes.get(at + length)?;
        if length == 8 {
            return Some((number << 8 | u64::from(byte), at + 9));
        }
        number = number << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((number, at + length + 1));
        }
    }
    None
}

/// The types of a row's values, as the format numbers them, and where the values begin.
fn serials(row: &[u8]) -> Option<(Vec<u64>, usize)> {
    let (end, mut at) = varint(row, 0)?;
    let end = usize::try_from(end).ok().filter(|end| *end <= row.len() && *end >= at)?;
    let mut found = Vec::new();
    while at < end {
        let (serial, next) = varint(row, at)?;
        found.push(serial);
        at = next;
    }
    (at == end).then_some((found, end))
}

fn kind(serial: u64) -> Kind {
    match serial {
        0 | 10 | 11 => Kind::Null,
        1..=6 | 8 | 9 => Kind::Integer,
        7 => Kind::Real,
        text if text % 2 == 1 => Kind::Text,
        _ => Kind::Blob,
    }
}

fn values(row: &[u8]) -> Option<Vec<Value>> {
    let (serials, mut at) = serials(row)?;
    let mut values = Vec::with_capacity(serials.len());
    for serial in serials {
        let length = match serial {
            0 | 8..=11 => 0,
            1..=4 => usize::try_from(serial).ok()?,
            5 => 6,
            6 | 7 => 8,
            other => usize::try_from((other - 12) / 2).ok()?,
        };
        let bytes = row.get(at..at.checked_add(length)?)?;
        at += length;
        values.push(match kind(serial) {
            Kind::Null => Value::Null,
            Kind::Integer => Value::Integer(match serial {
                8 => 0,
                9 => 1,
                _ => integer(bytes),
            }),
            Kind::Real => Value::Real(f64::from_bits(u64::from_ne_bytes(integer(bytes).to_ne_bytes()))),
            Kind::Text => Value::Text(String::from_utf8(bytes.to_vec()).ok()?),
            Kind::Blob => Value::Blob(bytes.to_vec()),
        });
    }
    Some(values)
}

/// A number with its sign in the first bit.
fn integer(bytes: &[u8]) -> i64 {
    let sign = bytes.first().is_some_and(|byte| byte & 0x80 != 0);
    bytes.iter().fold(if sign { -1 } else { 0 }, |number, byte| number << 8 | i64::from(*byte))
}
