//! The text of a page in a simple way, for pages that the parser fails on: what is shown, by what the fonts say of their codes. A code of which nothing is
//! known shows nothing.
//!
//! The crate below the parser has such a way as well. It gives the whole page up for one font, and the names of the letters that it knows are a fiftieth of hadal.

use std::collections::{BTreeMap, BTreeSet};

use encoding_rs::{Encoding, MACINTOSH, WINDOWS_1252};
use pdf_extract::content::{Content, Operation};
use pdf_extract::{Dictionary, Document, Object, ObjectId};

use super::unicode_maps;
use crate::core::text::glyph_names;

/// So far apart, in thousandths of the letters' size, are words and not letters: less than the narrowest blank of a full line, more than what pairs of letters
/// are moved by.
const GAP: f32 = -120.0;

/// So many fonts of a page are looked at.
const FONTS: usize = 500;

/// What a page shows, line by line; nothing where its content cannot be read.
pub(super) fn text_of(document: &Document, page: ObjectId) -> Option<String> {
    let content = Content::decode(&document.get_page_content(page).ok()?).ok()?;
    let fonts = fonts(document, page, &content.operations);
    let mut shown = Shown::default();
    let mut font = None;
    for Operation { operator, operands } in &content.operations {
        match (operator.as_str(), operands.as_slice()) {
            ("Tf", [Object::Name(name), ..]) => font = fonts.get(name.as_slice()),
            ("Tj", [Object::String(codes, _)]) => shown.write(font, codes),
            ("TJ", [Object::Array(parts)]) => {
                for part in parts {
                    match part {
                        Object::String(codes, _) => shown.write(font, codes),
                        other => shown.is_apart |= other.as_float().is_ok_and(|by| by < GAP),
                    }
                }
            }
            (operator, operands) => shown.moved(operator, operands),
        }
    }
    Some(shown.text)
}

/// The fonts that a page uses.
fn fonts<'o>(document: &Document, page: ObjectId, operations: &'o [Operation]) -> BTreeMap<&'o [u8], Font> {
    let told = document.get_page_fonts(page).unwrap_or_default();
    let named = operations.iter().filter_map(|operation| match operation.operands.as_slice() {
        [Object::Name(name), ..] if operation.operator == "Tf" => Some(name.as_slice()),
        _ => None,
    });
    let used: BTreeSet<&[u8]> = named.collect();
    let fonts = used.into_iter().take(FONTS).filter_map(|name| Some((name, Font::new(document, told.get(name)?))));
    fonts.collect()
}

/// What has been shown so far, and where.
#[derive(Default)]
struct Shown {
    text: String,
    /// The height of the line that is written, and of the one that was.
    height: f32,
    written: f32,
    /// What comes is another word or another line than what was shown.
    is_apart: bool,
    is_below: bool,
}

impl Shown {
    fn write(&mut self, font: Option<&Font>, codes: &[u8]) {
        let text = font.map(|font| font.text(codes)).unwrap_or_default();
        if text.is_empty() {
            return;
        }
        if self.is_below || (self.height - self.written).abs() > f32::EPSILON {
            self.text.push('\n');
        } else if self.is_apart {
            self.text.push(' ');
        }
        self.text.push_str(&text);
        (self.written, self.is_apart, self.is_below) = (self.height, false, false);
    }

    fn moved(&mut self, operator: &str, operands: &[Object]) {
        let height = operands.last().and_then(|last| last.as_float().ok()).unwrap_or_default();
        match (operator, operands.len()) {
            ("BT", _) => self.height = 0.0,
            ("Td" | "TD", 2) => self.height += height,
            ("Tm", 6) => self.height = height,
            ("T*" | "cm", _) => self.is_below = true,
            _ => return,
        }
        self.is_apart = true;
    }
}

/// What the codes of a font mean.
struct Font {
    bytes: usize,
    meanings: BTreeMap<u32, String>,
}

impl Font {
    fn new(document: &Document, told: &Dictionary) -> Self {
        let is_of_many = told.get(b"Subtype").and_then(Object::as_name).is_ok_and(|kind| kind == b"Type0");
        let mut meanings = if is_of_many { BTreeMap::new() } else { encoded(document, told) };
        let map = told.get_deref(b"ToUnicode", document).and_then(Object::as_stream);
        if let Ok(content) = map.and_then(|map| map.get_plain_content()) {
            meanings.extend(unicode_maps::meanings(&content));
        }
        Self { bytes: if is_of_many { 2 } else { 1 }, meanings }
    }

    fn text(&self, codes: &[u8]) -> String {
        let code = |bytes: &[u8]| bytes.iter().fold(0, |code, byte| code << 8 | u32::from(*byte));
        codes.chunks(self.bytes).filter_map(|bytes| self.meanings.get(&code(bytes))).map(String::as_str).collect()
    }
}

/// What the encoding of a font of single bytes says.
fn encoded(document: &Document, told: &Dictionary) -> BTreeMap<u32, String> {
    let encoding = told.get_deref(b"Encoding", document).ok();
    let own = encoding.and_then(|encoding| encoding.as_dict().ok());
    let base = own.map_or(encoding, |own| own.get_deref(b"BaseEncoding", document).ok());
    let base: Option<&'static Encoding> = match base.and_then(|base| base.as_name().ok()) {
        Some(b"WinAnsiEncoding") => Some(WINDOWS_1252),
        Some(b"MacRomanEncoding") => Some(MACINTOSH),
        _ => None,
    };
    let mut meanings: BTreeMap<u32, String> = (0x20..=u8::MAX).filter_map(|code| based(base, code)).collect();
    let differences = own.and_then(|own| own.get_deref(b"Differences", document).ok()?.as_array().ok());
    let mut code = 0;
    for entry in differences.into_iter().flatten() {
        match entry {
            Object::Name(name) => {
                meanings.remove(&code);
                meanings.extend(
                    std::str::from_utf8(name).ok().and_then(glyph_names::meaning).map(|meaning| (code, meaning)),
                );
                code = code.saturating_add(1);
            }
            other => code = other.as_i64().ok().and_then(|code| u32::try_from(code).ok()).unwrap_or(code),
        }
    }
    meanings
}

/// What a code means in a base encoding; where none is told, beyond ASCII nothing is known.
fn based(base: Option<&'static Encoding>, code: u8) -> Option<(u32, String)> {
    let meaning = match (base, code) {
        (Some(base), _) => base.decode_without_bom_handling(&[code]).0.into_owned(),
        (None, b'\'') => "’".to_owned(),
        (None, b'`') => "‘".to_owned(),
        (None, _) if code.is_ascii() => char::from(code).to_string(),
        (None, _) => return None,
    };
    (!meaning.contains(char::REPLACEMENT_CHARACTER)).then_some((u32::from(code), meaning))
}

#[cfg(test)]
mod tests {
    use pdf_extract::dictionary;

    use super::*;

    #[test]
    fn fonts_tell_what_their_codes_mean() {
        let document = Document::new();
        let named = |name: &str| Object::Name(name.into());
        let differences = vec![Object::Integer(1), named("fi"), named("odieresis"), named("g9"), 97.into(), named("b")];
        for (told, codes, expected) in [
            (dictionary! {}, &b"it's \x93a\x94"[..], "it’s a"),
            (dictionary! { "Encoding" => named("WinAnsiEncoding") }, b"it's \x93a\x94 \xe9", "it's “a” é"),
            (dictionary! { "Encoding" => named("MacRomanEncoding") }, b"\x8e", "é"),
            (dictionary! { "Encoding" => dictionary! { "Differences" => differences } }, b"a\x01\x02\x03c", "bfiöc"),
            (dictionary! { "Subtype" => named("Type0"), "Encoding" => named("Identity-H") }, b"\0a", ""),
        ] {
            assert_eq!(Font::new(&document, &told).text(codes), expected, "{told:?}");
        }
    }
}
