//! In which passages a term stands and how often, as bytes.
//!
//! Passages are numbered from 0 within a segment. A list holds the distance from one passage to the next together with two
//! bits that say what follows, so that most entries are one or two bytes.

use std::ops::Range;

/// The parts of a passage that are searched.
pub(super) const FIELDS: usize = 3;
pub(super) const TEXT: usize = 0;
pub(super) const HEADINGS: usize = 1;
/// The title of the document and its path.
pub(super) const TITLE: usize = 2;

/// One number per field.
pub(super) type PerField<T> = [T; FIELDS];

/// The low bits of an entry: once in the text and nowhere else; a number of times in the text; a number for each field.
const ONCE: u64 = 0;
const IN_TEXT: u64 = 1;
const IN_FIELDS: u64 = 2;

/// The bytes of a list end in the middle of an entry, or say what no writer wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Malformed;

/// A list that is being written.
#[derive(Debug, Default)]
pub(super) struct List {
    /// In how many passages the term stands, by field.
    containing: PerField<u32>,
    /// The passage whose occurrences are being counted.
    passage: u32,
    counts: PerField<u32>,
    /// The passage before it.
    previous: u32,
    bytes: Vec<u8>,
}

impl List {
    /// Counts one occurrence. Passages come in ascending order.
    pub(super) fn count(&mut self, passage: u32, field: usize) {
        if passage != self.passage {
            self.end_passage();
            self.passage = passage;
        }
        if let Some(count) = self.counts.get_mut(field) {
            *count = count.saturating_add(1);
        }
    }

    /// Puts a passage in whose occurrences are known.
    pub(super) fn push(&mut self, passage: u32, counts: PerField<u32>) {
        self.end_passage();
        (self.passage, self.counts) = (passage, counts);
        self.end_passage();
    }

    /// Bytes of the passages that are complete.
    pub(super) fn size(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The complete list, and in how many passages the term stands, by field.
    pub(super) fn finish(&mut self) -> (&[u8], PerField<u32>) {
        self.end_passage();
        (&self.bytes, self.containing)
    }

    fn end_passage(&mut self) {
        let counts = std::mem::take(&mut self.counts);
        if counts == [0; FIELDS] {
            return;
        }
        for (containing, count) in self.containing.iter_mut().zip(counts) {
            *containing += u32::from(count > 0);
        }
        let distance = u64::from(self.passage.wrapping_sub(self.previous)) << 2;
        self.previous = self.passage;
        match counts {
            [1, 0, 0] => put(&mut self.bytes, distance | ONCE),
            [in_text, 0, 0] => {
                put(&mut self.bytes, distance | IN_TEXT);
                put(&mut self.bytes, u64::from(in_text));
            }
            all => {
                put(&mut self.bytes, distance | IN_FIELDS);
                all.iter().for_each(|count| put(&mut self.bytes, u64::from(*count)));
            }
        }
    }
}

/// Reads a list: each passage with its counts.
pub(super) fn read(bytes: &[u8]) -> Entries<'_> {
    Entries { bytes, passage: 0 }
}

#[derive(Clone, Debug)]
pub(super) struct Entries<'a> {
    bytes: &'a [u8],
    passage: u32,
}

impl Entries<'_> {
    fn entry(&mut self) -> Option<(u32, PerField<u32>)> {
        let head = take(&mut self.bytes)?;
        self.passage = self.passage.checked_add(u32::try_from(head >> 2).ok()?)?;
        let mut number = || u32::try_from(take(&mut self.bytes)?).ok();
        let counts = match head & 3 {
            ONCE => [1, 0, 0],
            IN_TEXT => [number()?, 0, 0],
            IN_FIELDS => [number()?, number()?, number()?],
            _ => return None,
        };
        Some((self.passage, counts))
    }
}

impl Iterator for Entries<'_> {
    type Item = Result<(u32, PerField<u32>), Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.bytes.is_empty() {
            return None;
        }
        let entry = self.entry().ok_or(Malformed);
        if entry.is_err() {
            // Nothing after a malformed entry can be told apart.
            self.bytes = &[];
        }
        Some(entry)
    }
}

/// In how many passages outside of these places a term stands, by field. The places are in their order, as the passages of a list are.
pub(super) fn containing_outside(bytes: &[u8], places: &[Range<u32>]) -> Result<PerField<u32>, Malformed> {
    let mut places = places.iter().peekable();
    let mut containing = [0; FIELDS];
    for entry in read(bytes) {
        let (passage, counts) = entry?;
        while places.next_if(|place| place.end <= passage).is_some() {}
        if places.peek().is_none_or(|place| passage < place.start) {
            containing.iter_mut().zip(counts).for_each(|(sum, count)| *sum += u32::from(count > 0));
        }
    }
    Ok(containing)
}

/// Appends a number, seven bits a byte, the lowest first.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes the first number off; at most five bytes long, because what is written has at most 34 bits.
fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in [0, 7, 14, 21, 28] {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let written = [
            (0, [1, 0, 0]),
            (1, [1, 0, 0]),
            (40, [300, 0, 0]),
            (41, [0, 0, 2]),
            (5_000, [2, 1, 70_000]),
            (u32::MAX, [1, 1, 0]),
        ];
        let (mut pushed, mut counted) = (List::default(), List::default());
        for (passage, counts) in written {
            pushed.push(passage, counts);
            for (field, count) in counts.into_iter().enumerate() {
                (0..count).for_each(|_| counted.count(passage, field));
            }
        }
        let (bytes, containing) = pushed.finish();
        assert_eq!((bytes, containing), counted.finish());
        assert_eq!(containing, [5, 2, 2]);
        let entries: Result<Vec<_>, _> = read(bytes).collect();
        assert_eq!(entries, Ok(written.to_vec()));
    }

    #[test]
    fn passages_at_dead_places_are_not_counted() {
        let mut list = List::default();
        for (passage, counts) in [(0, [1, 0, 0]), (3, [2, 1, 0]), (4, [0, 0, 1]), (9, [1, 1, 1])] {
            list.push(passage, counts);
        }
        let (bytes, all) = list.finish();
        for (dead, want) in [
            (&[][..], all),
            (&[0..1, 1..2][..], [2, 2, 2]),
            (&[1..3, 5..9][..], all),
            (&[0..4, 9..10][..], [0, 0, 1]),
            (&[3..4, 4..5][..], [2, 1, 1]),
            (&[0..5, 5..10][..], [0, 0, 0]),
        ] {
            assert_eq!(containing_outside(bytes, dead), Ok(want), "{dead:?}");
        }
        assert_eq!(containing_outside(&[3], &[]), Err(Malformed));
    }

    #[test]
    fn malformed_lists_end() {
        let table: [(&[u8], usize); 6] =
            [(&[], 0), (&[3], 1), (&[0x80], 1), (&[1], 1), (&[0, 2, 1, 1], 2), (&[0xff; 9], 1)];
        for (bytes, length) in table {
            let entries: Vec<_> = read(bytes).take(9).collect();
            assert_eq!(entries.len(), length, "{bytes:?}");
            assert_eq!(entries.last().is_some_and(Result::is_err), length > 0, "{bytes:?}");
        }
    }
}
