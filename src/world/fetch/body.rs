//! The bytes of an answer, unpacked and counted while they come: nothing is unpacked that would not be kept.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use reqwest::header::{CONTENT_ENCODING, CONTENT_LENGTH};

use super::{answer, shown};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::web::address::Address;

/// zstd's window for the web (RFC 8878 asks for 8 MB at least and lets a reader refuse more).
const ZSTD_WINDOW_LOG: u32 = 23;
/// What the unpacker of brotli keeps before it writes.
const BROTLI_BUFFER: usize = 16 * 1024;

/// SharedBytes for bytes that several pages share.
#[derive(Clone, Debug)]
pub(super) struct SharedBytes {
    left: Arc<AtomicUsize>,
    /// Whether a body that is too long is cut rather than refused.
    cut: bool,
}

impl SharedBytes {
    pub(super) fn new(bytes: usize) -> Self {
        Self { left: Arc::new(AtomicUsize::new(bytes)), cut: false }
    }

    pub(super) fn cutting(self) -> Self {
        Self { cut: true, ..self }
    }

    /// Takes room for a whole page, of at most `most` bytes.
    pub(super) fn take(&self, bytes: usize, most: usize) -> Result<()> {
        let error = |what| Error::new(Code::OutputTooLarge, format!("a kept page of {bytes} bytes {what}"));
        if bytes > most {
            return Err(error("is larger than a page may be"));
        }
        if self.grow(bytes) { Ok(()) } else { Err(error("has no room beside the others of its call")) }
    }

    fn grow(&self, bytes: usize) -> bool {
        let less = |left: usize| left.checked_sub(bytes);
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }

    fn give_back(&self, bytes: usize) {
        self.left.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// Reads an answer to its end.
pub(super) async fn read(
    mut response: reqwest::Response,
    at: &Address,
    room: &SharedBytes,
    most: usize,
) -> Result<Vec<u8>> {
    let url = shown(at.url.as_str());
    let length = response.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if let Some(length) = length.filter(|length| *length > most as u64 && !room.cut) {
        return Err(Excess::Page(most).told(&url).hint(format!("it says that it has {length} bytes")));
    }
    let encoding = response.headers().get(CONTENT_ENCODING).map(|value| value.to_str().unwrap_or("?").to_owned());
    let broken = |why: String| Error::new(Code::FetchFailed, format!("`{url}` sent a broken answer: {why}"));
    let packed = Arc::new(AtomicU64::new(0));
    let sink = UnpackedBytes { bytes: Vec::new(), room: room.clone(), most, packed: Arc::clone(&packed) };
    let mut unpacking = Unpacking::new(encoding.as_deref(), sink).map_err(broken)?;
    loop {
        let chunk = response.chunk().await.map_err(|fault| answer::unreachable(at, &fault))?;
        let Some(chunk) = chunk else { break };
        packed.fetch_add(chunk.len() as u64, Ordering::Relaxed);
        match unpacking.write(&chunk) {
            Ok(()) => {}
            Err(fault) => match excess(&fault) {
                Some(_) if room.cut => return Ok(std::mem::take(&mut unpacking.sink().bytes)),
                Some(excess) => return Err(excess.told(&url)),
                None => return Err(broken(format!("it cannot be unpacked ({fault})"))),
            },
        }
    }
    let sink = unpacking.finish().map_err(|fault| match excess(&fault) {
        Some(excess) => excess.told(&url),
        None => broken(format!("it ends too early ({fault})")),
    })?;
    Ok(sink.into_bytes())
}

/// Which limit an answer broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum Excess {
    #[error("a page may have {0} bytes")]
    Page(usize),
    #[error("it unpacks to more than {} times its size", limits::FETCH_RATIO)]
    Ratio,
    #[error("there is no room beside the other pages of its call")]
    SharedBytes,
}

impl Excess {
    fn told(self, url: &str) -> Error {
        Error::new(Code::OutputTooLarge, format!("`{url}` is too large: {self}"))
    }
}

fn excess(fault: &io::Error) -> Option<Excess> {
    fault.get_ref()?.downcast_ref::<Excess>().copied()
}

/// Where unpacked bytes go. It refuses the first one too many, so that an unpacker stops in the middle of a bomb.
struct UnpackedBytes {
    bytes: Vec<u8>,
    room: SharedBytes,
    most: usize,
    packed: Arc<AtomicU64>,
}

impl UnpackedBytes {
    /// The bytes, whose room stays taken: the page is in memory as long as its call.
    fn into_bytes(mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }
}

impl Drop for UnpackedBytes {
    fn drop(&mut self) {
        self.room.give_back(self.bytes.len());
    }
}

impl Write for UnpackedBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let size = self.bytes.len() + bytes.len();
        let fair = limits::FETCH_RATIO_FREE + limits::FETCH_RATIO * self.packed.load(Ordering::Relaxed);
        let excess = if size > self.most {
            Some(Excess::Page(self.most))
        } else if size as u64 > fair {
            Some(Excess::Ratio)
        } else if !self.room.grow(bytes.len()) {
            Some(Excess::SharedBytes)
        } else {
            None
        };
        match excess {
            Some(excess) => Err(io::Error::other(excess)),
            None => {
                self.bytes.extend_from_slice(bytes);
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

enum Unpacking {
    Plain(UnpackedBytes),
    Gzip(Box<flate2::write::MultiGzDecoder<UnpackedBytes>>),
    Brotli(Box<brotli_decompressor::DecompressorWriter<UnpackedBytes>>),
    Zstd(Box<zstd::stream::write::Decoder<'static, UnpackedBytes>>),
}

impl Unpacking {
    fn new(encoding: Option<&str>, sink: UnpackedBytes) -> Result<Self, String> {
        let name = encoding.unwrap_or_default().trim().to_ascii_lowercase();
        match name.as_str() {
            "" | "identity" => Ok(Self::Plain(sink)),
            "gzip" | "x-gzip" => Ok(Self::Gzip(Box::new(flate2::write::MultiGzDecoder::new(sink)))),
            "br" => Ok(Self::Brotli(Box::new(brotli_decompressor::DecompressorWriter::new(sink, BROTLI_BUFFER)))),
            "zstd" => {
                let decoder = zstd::stream::write::Decoder::new(sink).and_then(|mut decoder| {
                    decoder.window_log_max(ZSTD_WINDOW_LOG)?;
                    Ok(decoder)
                });
                decoder.map(|decoder| Self::Zstd(Box::new(decoder))).map_err(|fault| fault.to_string())
            }
            _ => Err(format!("it is packed as `{}`, which was not asked for", shown(&name))),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Plain(sink) => sink.write_all(bytes),
            Self::Gzip(decoder) => decoder.write_all(bytes),
            Self::Brotli(decoder) => decoder.write_all(bytes),
            Self::Zstd(decoder) => decoder.write_all(bytes),
        }
    }

    fn sink(&mut self) -> &mut UnpackedBytes {
        match self {
            Self::Plain(sink) => sink,
            Self::Gzip(decoder) => decoder.get_mut(),
            Self::Brotli(decoder) => decoder.get_mut(),
            Self::Zstd(decoder) => decoder.get_mut(),
        }
    }

    fn finish(self) -> io::Result<UnpackedBytes> {
        let cut_short = || io::Error::from(io::ErrorKind::UnexpectedEof);
        match self {
            Self::Plain(sink) => Ok(sink),
            Self::Gzip(decoder) => decoder.finish(),
            Self::Brotli(decoder) => decoder.into_inner().map_err(|_sink| cut_short()),
            Self::Zstd(decoder) => decoder.finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pack(encoding: &str, text: &[u8]) -> Vec<u8> {
        match encoding {
            "gzip" => {
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
                encoder.write_all(text).unwrap();
                encoder.finish().unwrap()
            }
            "br" => {
                let mut encoder = brotli::CompressorWriter::new(Vec::new(), 4096, 5, 22);
                encoder.write_all(text).unwrap();
                encoder.into_inner()
            }
            "zstd" => zstd::bulk::compress(text, 3).unwrap(),
            _ => text.to_vec(),
        }
    }

    /// Unpacks in pieces of `step` bytes.
    fn unpack(encoding: &str, packed: &[u8], step: usize, most: usize) -> Result<Vec<u8>, io::Error> {
        let count = Arc::new(AtomicU64::new(0));
        let sink =
            UnpackedBytes { bytes: Vec::new(), room: SharedBytes::new(1 << 30), most, packed: Arc::clone(&count) };
        let mut unpacking = Unpacking::new(Some(encoding), sink).unwrap();
        for piece in packed.chunks(step) {
            count.fetch_add(piece.len() as u64, Ordering::Relaxed);
            unpacking.write(piece)?;
        }
        Ok(unpacking.finish()?.into_bytes())
    }

    #[test]
    fn what_was_packed_comes_out_in_any_pieces() {
        let text: Vec<u8> = (0..5_000_u32).flat_map(|n| format!("line {n}, ").into_bytes()).collect();
        for encoding in ["identity", "gzip", "br", "zstd"] {
            let packed = pack(encoding, &text);
            for step in [1, 7, 1_000, packed.len()] {
                assert_eq!(unpack(encoding, &packed, step, 1 << 20).unwrap(), text, "{encoding} by {step}");
            }
        }
    }

    #[test]
    fn bombs_end_at_their_limit() {
        let blanks = vec![b' '; 16 << 20];
        for encoding in ["gzip", "br", "zstd"] {
            let packed = pack(encoding, &blanks);
            let fault = unpack(encoding, &packed, 64, 1 << 30).unwrap_err();
            assert_eq!(excess(&fault), Some(Excess::Ratio), "{encoding}: {fault}");
            let fault = unpack(encoding, &packed, 1 << 20, 100_000).unwrap_err();
            assert_eq!(excess(&fault), Some(Excess::Page(100_000)), "{encoding}: {fault}");
        }
    }

    #[test]
    fn what_ends_too_early_or_is_garbage_is_a_fault() {
        let text: Vec<u8> = (0..5_000_u32).flat_map(|n| format!("line {n}, ").into_bytes()).collect();
        for encoding in ["gzip", "br", "zstd"] {
            let packed = pack(encoding, &text);
            let half = packed.get(..packed.len() / 2).unwrap();
            for broken in [half, b"garbage in the place of an answer", &[0xff; 64]] {
                let fault = unpack(encoding, broken, 100, 1 << 20);
                assert!(fault.is_err(), "{encoding}, {} bytes", broken.len());
            }
        }
    }

    #[test]
    fn room_is_shared_and_given_back() {
        let room = SharedBytes::new(100);
        let sink = |room: &SharedBytes| UnpackedBytes {
            bytes: Vec::new(),
            room: room.clone(),
            most: 1_000,
            packed: Arc::default(),
        };
        let mut first = sink(&room);
        first.write_all(&[0; 60]).unwrap();
        let fault = sink(&room).write_all(&[0; 60]).unwrap_err();
        assert_eq!(excess(&fault), Some(Excess::SharedBytes));
        drop(first);
        let mut second = sink(&room);
        second.write_all(&[0; 60]).unwrap();
        assert_eq!(second.into_bytes().len(), 60);
        assert!(room.take(41, 1_000).is_err() && room.take(40, 39).is_err() && room.take(40, 1_000).is_ok());
    }
}
