//! Passages as they are stored: some kilobytes of one file together, packed.
//!
//! In front stands what is known of each passage, as JSON, then their texts one after the other: only the text that is asked for is
//! looked at.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use zstd::bulk::Compressor;

use super::fault::Fault;
use crate::core::base::limits;
use crate::core::text::spans::{PartPlace, PlaceInFile, Span};
use crate::core::text::{Document, Piece};

/// The level that takes least time; passages are small and read often.
const COMPRESSION_LEVEL: i32 = 1;
/// Bytes that say how long the JSON is.
const HEAD: usize = 4;

/// What is stored of a passage beside its text, which is as long as its span.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Stored<'a> {
    pub(super) headings: Cow<'a, [String]>,
    pub(super) lines: PlaceInFile,
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub(super) parts: Cow<'a, [PartPlace]>,
    pub(super) span: Span,
    /// Whether it begins inside a block of code.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) fenced: bool,
    /// The head of the table it begins in the middle of.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(super) table_head: Cow<'a, str>,
    /// What stands before it and belongs to no passage (a heading, a blank line), and behind the last one: with them the text is whole.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(super) before: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(super) behind: Cow<'a, str>,
    /// Whether its document says of itself that it holds no longer: stored with each passage, so that whoever ranks it knows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) of_superseded: bool,
}

/// A document's passages in runs that are stored together.
pub(super) fn chunked(document: &Document) -> Vec<&[Piece]> {
    let mut chunks = Vec::new();
    let mut rest = document.passages.as_slice();
    while !rest.is_empty() {
        let mut bytes = 0;
        let fits = |piece: &&Piece| {
            let (before, behind) = around(document, piece);
            // The headings are stored with each passage.
            bytes += piece.span.len() + piece.headings.iter().map(String::len).sum::<usize>();
            bytes += before.len() + behind.len() + piece.table_head.as_deref().map_or(0, str::len);
            bytes <= limits::LIBRARY_CHUNK_BYTES
        };
        let (chunk, others) = rest.split_at(rest.iter().take_while(fits).count().max(1));
        chunks.push(chunk);
        rest = others;
    }
    chunks
}

/// What stands around a passage and in no other one; nothing of what is too long to be kept.
fn around<'d>(document: &'d Document, piece: &Piece) -> (&'d str, &'d str) {
    let place = document.passages.partition_point(|other| other.span.start < piece.span.start);
    let end_before = place.checked_sub(1).and_then(|place| document.passages.get(place)).map_or(0, |one| one.span.end);
    let is_last = place + 1 == document.passages.len();
    let end = if is_last { document.text.len() } else { piece.span.end };
    let kept = |span: std::ops::Range<usize>| {
        document.text.get(span).filter(|text| text.len() <= limits::LIBRARY_GAP_BYTES).unwrap_or_default()
    };
    (kept(end_before..piece.span.start), kept(piece.span.end..end))
}

/// Packs chunks, one after the other.
pub(super) struct Packer {
    compressor: Compressor<'static>,
}

impl Packer {
    pub(super) fn new() -> Result<Self, Fault> {
        Ok(Self { compressor: Compressor::new(COMPRESSION_LEVEL).map_err(|error| damaged(&error))? })
    }

    pub(super) fn pack(&mut self, document: &Document, pieces: &[Piece]) -> Result<Vec<u8>, Fault> {
        let stored = pieces.iter().map(|piece| {
            let (before, behind) = around(document, piece);
            Stored {
                headings: Cow::Borrowed(&piece.headings),
                lines: piece.lines.clone(),
                parts: Cow::Borrowed(&piece.parts),
                span: Span { start: offset(piece.span.start), end: offset(piece.span.end) },
                fenced: piece.fenced,
                table_head: Cow::Borrowed(piece.table_head.as_deref().unwrap_or_default()),
                before: Cow::Borrowed(before),
                behind: Cow::Borrowed(behind),
                of_superseded: document.is_superseded,
            }
        });
        let mut plain = vec![0; HEAD];
        serde_json::to_writer(&mut plain, &stored.collect::<Vec<_>>()).map_err(|error| damaged(&error))?;
        let json = u32::try_from(plain.len() - HEAD).map_err(|error| damaged(&error))?;
        plain.splice(..HEAD, json.to_le_bytes());
        pieces.iter().for_each(|piece| plain.extend_from_slice(document.passage_text(piece).as_bytes()));
        self.compressor.compress(&plain).map_err(|error| damaged(&error))
    }
}

/// A chunk that was read.
#[derive(Debug)]
pub(super) struct Unpacked {
    stored: Vec<Stored<'static>>,
    /// All texts, one after the other.
    texts: Vec<u8>,
}

impl Unpacked {
    pub(super) fn of(data: &[u8]) -> Result<Self, Fault> {
        let unpacked = zstd::bulk::decompress(data, limits::LIBRARY_UNPACKED_BYTES);
        let mut plain = unpacked.map_err(|error| damaged(&error))?;
        let split = plain.split_first_chunk::<HEAD>().and_then(|(head, rest)| {
            let json = usize::try_from(u32::from_le_bytes(*head)).ok()?;
            Some((rest.get(..json)?, HEAD + json))
        });
        let (json, begin) = split.ok_or_else(|| damaged(&"a chunk is too short"))?;
        let stored = serde_json::from_slice(json).map_err(|error| damaged(&error))?;
        Ok(Self { stored, texts: plain.split_off(begin) })
    }

    /// A passage and its text.
    pub(super) fn passage(&self, place: usize) -> Option<(&Stored<'static>, &str)> {
        let length = |stored: &Stored<'_>| usize::try_from(stored.span.end.checked_sub(stored.span.start)?).ok();
        let stored = self.stored.get(place)?;
        let before: Option<usize> = self.stored.iter().take(place).map(length).sum();
        let text = self.texts.get(before?..)?.get(..length(stored)?)?;
        Some((stored, std::str::from_utf8(text).ok()?))
    }
}

fn damaged(error: &dyn std::fmt::Display) -> Fault {
    Fault::Damaged(error.to_string())
}

fn offset(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}
