//! What a page without words shows: a picture, letters that nobody can tell, or nothing at all. Only the last one is a page that was left blank.

use std::collections::BTreeSet;

use pdf_extract::content::{Content, Operation};
use pdf_extract::{Dictionary, Document, Object, ObjectId, Stream};
use serde::{Deserialize, Serialize};

/// Bytes of letters that are no page number and no stray blank.
const LETTER_BYTES: usize = 12;
/// Pictures of fewer dots in all are lines and spacers.
const PICTURE_DOTS: u64 = 1_000;
/// Forms that draw forms, and pages that belong to groups of pages.
const DEPTH: usize = 8;
/// Forms that are looked into on one page.
const FORMS: usize = 200;

/// What is seen on a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Shows {
    #[default]
    Nothing,
    Picture,
    /// Letters are drawn; where none was read, its fonts do not say which.
    Letters,
}

/// What a page shows.
pub(super) fn shown_by(document: &Document, page: ObjectId) -> Shows {
    let Ok(content) = document.get_page_content(page) else { return Shows::Nothing };
    let mut seen = Seen::default();
    seen.look(document, &content, resources_of(document, page), DEPTH);
    if seen.letters >= LETTER_BYTES {
        Shows::Letters
    } else if seen.dots >= PICTURE_DOTS {
        Shows::Picture
    } else {
        Shows::Nothing
    }
}

/// The resources of a page, or of the group of pages that it belongs to.
fn resources_of(document: &Document, page: ObjectId) -> Option<&Dictionary> {
    let mut node = document.get_dictionary(page).ok()?;
    for _ in 0..DEPTH {
        if let Ok(resources) = node.get_deref(b"Resources", document) {
            return resources.as_dict().ok();
        }
        node = node.get_deref(b"Parent", document).ok()?.as_dict().ok()?;
    }
    None
}

#[derive(Default)]
struct Seen {
    letters: usize,
    dots: u64,
    /// Forms that were looked into: each once, however often it is drawn.
    forms: BTreeSet<ObjectId>,
}

impl Seen {
    fn look(&mut self, document: &Document, content: &[u8], resources: Option<&Dictionary>, depth: usize) {
        let Ok(content) = Content::decode(content) else { return };
        for Operation { operator, operands } in &content.operations {
            match operator.as_str() {
                "Tj" | "TJ" | "'" | "\"" => self.letters += operands.iter().map(letters).sum::<usize>(),
                "Do" => {
                    let name = operands.first().and_then(|name| name.as_name().ok());
                    let drawn = name.zip(resources).and_then(|(name, resources)| drawn(document, resources, name));
                    if let Some((id, stream)) = drawn {
                        self.draw(document, (id, stream), resources, depth);
                    }
                }
                // One of a kind that is not understood.
                "BI" if operands.is_empty() => self.dots = self.dots.saturating_add(PICTURE_DOTS),
                "BI" => {
                    let images = operands.iter().filter_map(|image| image.as_stream().ok());
                    self.dots = images.map(dots).fold(self.dots, u64::saturating_add);
                }
                _ => {}
            }
        }
    }

    fn draw(
        &mut self,
        document: &Document,
        (id, stream): (ObjectId, &Stream),
        resources: Option<&Dictionary>,
        depth: usize,
    ) {
        match stream.dict.get(b"Subtype").and_then(Object::as_name) {
            Ok(b"Image") => self.dots = self.dots.saturating_add(dots(stream)),
            Ok(b"Form") if depth > 0 && self.forms.len() < FORMS && self.forms.insert(id) => {
                let own = stream.dict.get_deref(b"Resources", document).and_then(Object::as_dict).ok();
                if let Ok(content) = stream.get_plain_content() {
                    self.look(document, &content, own.or(resources), depth - 1);
                }
            }
            _ => {}
        }
    }
}

/// What a name of the resources draws.
fn drawn<'d>(document: &'d Document, resources: &'d Dictionary, name: &[u8]) -> Option<(ObjectId, &'d Stream)> {
    let id = resources.get_deref(b"XObject", document).ok()?.as_dict().ok()?.get(name).ok()?.as_reference().ok()?;
    Some((id, document.get_object(id).ok()?.as_stream().ok()?))
}

/// The bytes of a text that is shown which are no blanks.
fn letters(text: &Object) -> usize {
    match text {
        Object::String(bytes, _) => bytes.iter().filter(|byte| !matches!(byte, 0 | b' ')).count(),
        Object::Array(parts) => parts.iter().map(letters).sum(),
        _ => 0,
    }
}

/// How many dots a picture has; one in the content itself may name its sides by their first letters.
fn dots(image: &Stream) -> u64 {
    let side = |long: &[u8], short: &[u8]| {
        let told = image.dict.get(long).or_else(|_| image.dict.get(short)).and_then(Object::as_i64);
        told.ok().and_then(|side| u64::try_from(side).ok()).unwrap_or_default()
    };
    side(b"Width", b"W").saturating_mul(side(b"Height", b"H"))
}

#[cfg(test)]
mod tests {
    use pdf_extract::dictionary;

    use super::*;

    #[test]
    fn lb_01_a_page_without_words_is_a_picture_or_blank() {
        let mut document = Document::new();
        let named = |name: &str| Object::Name(name.into());
        let mut drawing = |kind: &str, content: &str, inner: Option<ObjectId>, side: i64| {
            let mut dict = dictionary! { "Subtype" => named(kind), "Width" => side, "Height" => side };
            if let Some(inner) = inner {
                dict.set("Resources", dictionary! { "XObject" => dictionary! { "X" => inner } });
            }
            document.add_object(Stream::new(dict, content.into()))
        };
        let (scan, dot) = (drawing("Image", "", None, 800), drawing("Image", "", None, 2));
        let (form, letters) =
            (drawing("Form", "/X Do", Some(scan), 0), drawing("Form", "(letters of a form) Tj", None, 0));
        let nested = drawing("Form", "/X Do", Some(form), 0);
        let inside = format!("BI /W 40 /H 40 /BPC 1 /IM true ID {} EI", "x".repeat(200));
        for (content, drawn, expected) in [
            (inside.as_str(), None, Shows::Picture),
            ("BI /W 2 /H 2 /BPC 1 /IM true ID xx EI", None, Shows::Nothing),
            ("q 600 0 0 800 0 0 cm /X Do Q", Some(scan), Shows::Picture),
            ("/X Do", Some(nested), Shows::Picture),
            ("/X Do", Some(dot), Shows::Nothing),
            ("/X Do", Some(letters), Shows::Letters),
            // The name of another one.
            ("/Y Do", Some(scan), Shows::Nothing),
            ("", Some(scan), Shows::Nothing),
            ("BI /W 40 /H 40 /BPC 1 /CS /Own ID xxxxxxxx EI", None, Shows::Picture),
            ("<6843753a5e9c66f899289928> Tj [<4e5d> -20 <6642>] TJ", None, Shows::Letters),
            ("(   ) Tj (4) Tj <00030003000300030003000300030003> Tj", None, Shows::Nothing),
            ("0 0 600 800 re f", None, Shows::Nothing),
        ] {
            let content_id = document.add_object(Stream::new(Dictionary::new(), content.into()));
            let mut resources = Dictionary::new();
            if let Some(drawn) = drawn {
                resources.set("XObject", dictionary! { "X" => drawn });
            }
            // Resources are those of the group.
            let group = document.add_object(dictionary! { "Resources" => resources });
            let page = document.add_object(dictionary! { "Contents" => content_id, "Parent" => group });
            assert_eq!(shown_by(&document, page), expected, "{content}");
        }
    }
}
