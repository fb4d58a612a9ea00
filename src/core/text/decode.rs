//! Bytes to text: byte order mark, UTF-8, what an HTML file declares, else a guess.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;

use super::NotText;
use crate::core::base::limits;

/// Decodes a file. What is broken inside a text becomes U+FFFD; only bytes that are no text at all are refused.
pub(super) fn decode(bytes: Vec<u8>, is_html: bool) -> Result<String, NotText> {
    let text = match Encoding::for_bom(&bytes) {
        Some((encoding, mark)) => {
            let body = bytes.get(mark..).unwrap_or_default();
            encoding.decode_without_bom_handling(body).0.into_owned()
        }
        None if bytes.contains(&0) => return Err(NotText),
        None => match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(not_utf8) => {
                let bytes = not_utf8.as_bytes();
                let declared = if is_html { declared(bytes) } else { None };
                declared.unwrap_or_else(|| guess(bytes)).decode_without_bom_handling(bytes).0.into_owned()
            }
        },
    };
    if text.contains('\0') { Err(NotText) } else { Ok(text) }
}

/// The most likely encoding, by the bytes alone.
pub(crate) fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Allow)
}

/// The encoding of `<meta charset=…>`, `content="…; charset=…"` or `<?xml encoding="…"?>`. A file that calls
/// itself UTF-8 and is not gets a guess instead, and UTF-16 without a byte order mark would hold NUL.
pub(crate) fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..limits::CHARSET_BYTES).unwrap_or(bytes).to_ascii_lowercase();
    let head = String::from_utf8_lossy(&head);
    let after = ["charset", "encoding"].iter().find_map(|word| head.split_once(word)).map(|(_, after)| after)?;
    let label = after.trim_start().strip_prefix('=')?.trim_start().trim_start_matches(['"', '\'']);
    let label = label.split(|c: char| !c.is_ascii_alphanumeric() && !"-_:.".contains(c)).next()?;
    let found = Encoding::for_label_no_replacement(label.as_bytes())?;
    let usable = found != encoding_rs::UTF_8 && found != encoding_rs::UTF_16LE && found != encoding_rs::UTF_16BE;
    usable.then_some(found)
}
