//! Streams that unpack to more than any page has.
//!
//! The parser unpacks a stream as a whole before it looks at it, and then needs many times its size. What would not fit into the memory of the child is found
//! before that, without keeping what is unpacked.

use std::collections::BTreeSet;
use std::io::{self, Read};

use flate2::read::ZlibDecoder;
use pdf_extract::{Document, Object, ObjectId};

use crate::core::base::limits;

/// No byte that is packed by deflate becomes more.
const MOST_TIMES: u64 = 1_032;
/// Bytes that are unpacked to look for such streams; a document of nothing but them is left to the other bounds.
const LOOK_BYTES: u64 = 16 * limits::PDF_STREAM_BYTES;
/// Packed more often than that, a stream is no text.
const PACKED_TIMES: usize = 3;

/// The streams that were too large, and how they matter.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Bombs {
    streams: BTreeSet<ObjectId>,
    /// One of them is drawn by pages that do not say so themselves.
    pub(super) has_forms: bool,
}

impl Bombs {
    /// Whether a page is made of one of them.
    pub(super) fn make(&self, document: &Document, page: ObjectId) -> bool {
        !self.streams.is_empty() && document.get_page_contents(page).iter().any(|id| self.streams.contains(id))
    }
}

/// Empties streams that unpack to more than [`limits::PDF_STREAM_BYTES`].
pub(super) fn emptied(document: &mut Document) -> Bombs {
    let mut bombs = Bombs::default();
    let mut room = LOOK_BYTES;
    for (id, object) in &mut document.objects {
        let Object::Stream(stream) = object else { continue };
        let is_kind =
            |kind: &[u8]| stream.dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|name| name == kind);
        let packed =
            stream.filters().map_or(0, |filters| filters.iter().filter(|name| **name == b"FlateDecode").count());
        // Pictures are not unpacked by who looks for text.
        if packed == 0 || is_kind(b"Image") {
            continue;
        }
        let size = unpacked(&stream.content, packed, room);
        room = room.saturating_sub(size);
        if size > limits::PDF_STREAM_BYTES || packed > PACKED_TIMES {
            bombs.has_forms |= is_kind(b"Form");
            bombs.streams.insert(*id);
            stream.dict.remove(b"Filter");
            stream.content.clear();
        }
    }
    bombs
}

/// How much a stream is when it is unpacked so many times; nothing where it cannot be too much, and not much more than the limit in any case.
fn unpacked(content: &[u8], times: usize, room: u64) -> u64 {
    let length = u64::try_from(content.len()).unwrap_or(u64::MAX);
    if times == 1 && length.saturating_mul(MOST_TIMES) <= limits::PDF_STREAM_BYTES {
        return 0;
    }
    let most = room.min(limits::PDF_STREAM_BYTES + 1);
    let packed: Box<dyn Read + '_> = Box::new(content);
    let plain = (0..times.min(PACKED_TIMES)).fold(packed, |inner, _| Box::new(ZlibDecoder::new(inner)));
    let mut counted = Counted(0);
    // What is damaged counts as far as it goes.
    let _damaged = io::copy(&mut plain.take(most), &mut counted);
    counted.0
}

/// Counts what is written and keeps nothing.
struct Counted(u64);

impl io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;
    use pdf_extract::{Dictionary, Stream};

    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    }

    #[test]
    fn streams_are_measured_before_they_are_unpacked() {
        let most = limits::PDF_STREAM_BYTES;
        let large = packed(&vec![b' '; usize::try_from(most).unwrap() + 10]);
        let cases = [
            (packed(b"short"), 1, 0),
            (packed(&packed(b"short")), 2, 5),
            (large.clone(), 1, most + 1),
            (packed(&large), 2, most + 1),
            (vec![7; large.len()], 1, 0),
        ];
        for (content, times, expected) in cases {
            assert_eq!(unpacked(&content, times, LOOK_BYTES), expected);
        }
        assert_eq!(unpacked(&large, 1, 100), 100, "no more than there is room for");
    }

    #[test]
    fn only_streams_that_are_too_large_are_emptied() {
        let large = packed(&vec![b' '; usize::try_from(limits::PDF_STREAM_BYTES).unwrap() + 10]);
        let mut document = Document::new();
        let mut stream = |kind: Option<&str>, filters: usize, content: &[u8]| {
            let mut dict = Dictionary::new();
            if let Some(kind) = kind {
                dict.set("Subtype", Object::Name(kind.as_bytes().to_vec()));
            }
            dict.set("Filter", Object::Array(vec![Object::Name(b"FlateDecode".to_vec()); filters]));
            document.add_object(Stream::new(dict, content.to_vec()))
        };
        let (short, page) = (stream(None, 1, &packed(b"short")), stream(None, 1, &large));
        let (picture, packed_often) = (stream(Some("Image"), 1, &large), stream(None, PACKED_TIMES + 1, b"x"));
        let bombs = emptied(&mut document);
        assert_eq!(bombs, Bombs { streams: BTreeSet::from([page, packed_often]), has_forms: false });
        let length = |id| document.get_object(id).and_then(Object::as_stream).unwrap().content.len();
        assert!(length(short) > 0 && length(picture) > 0);
        assert_eq!((length(page), length(packed_often)), (0, 0));
        let mut dict = Dictionary::new();
        dict.set("Subtype", Object::Name(b"Form".to_vec()));
        dict.set("Filter", Object::Name(b"FlateDecode".to_vec()));
        document.add_object(Stream::new(dict, large));
        assert!(emptied(&mut document).has_forms);
    }
}
