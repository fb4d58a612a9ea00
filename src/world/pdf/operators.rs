//! Text that is shown on the next line, in operators that the parser knows.
//!
//! PDF can show a text and go to the next line in one (`'`, and `"`, which also sets the space between letters and words). The parser passes both by, and
//! with them their text. They are therefore spelt out before it looks.

use pdf_extract::content::{Content, Operation};
use pdf_extract::{Dictionary, Document, Object, ObjectId, Stream};

/// Spells them out in a page.
pub(super) fn spell_out(document: &mut Document, page: ObjectId) {
    let spelt = document.get_page_content(page).ok().and_then(|content| spelt_out(&content));
    if let Some(content) = spelt {
        let stream = document.add_object(Stream::new(Dictionary::new(), content));
        if let Ok(page) = document.get_object_mut(page).and_then(Object::as_dict_mut) {
            page.set("Contents", stream);
        }
    }
}

/// Spells them out in all that pages may draw.
pub(super) fn spell_out_forms(document: &mut Document) {
    for object in document.objects.values_mut() {
        let Object::Stream(stream) = object else { continue };
        let is_form = stream.dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|name| name == b"Form");
        let content = is_form.then(|| stream.get_plain_content().ok()).flatten();
        if let Some(content) = content.and_then(|content| spelt_out(&content)) {
            stream.set_plain_content(content);
        }
    }
}

/// The same content without these operators; nothing where it has none, or cannot be read.
fn spelt_out(content: &[u8]) -> Option<Vec<u8>> {
    if !may_have_any(content) {
        return None;
    }
    let read = Content::decode(content).ok()?;
    let mut operations = Vec::with_capacity(read.operations.len());
    let mut has_any = false;
    for operation in read.operations {
        let Operation { operator, mut operands } = operation;
        match (operator.as_str(), operands.len()) {
            ("'", 1) | ("\"", 3) => {
                has_any = true;
                let text = operands.pop().into_iter().collect();
                let spaces = operands.into_iter().zip(["Tw", "Tc"]);
                operations.extend(spaces.map(|(space, set)| Operation::new(set, vec![space])));
                operations.push(Operation::new("T*", Vec::new()));
                operations.push(Operation::new("Tj", text));
            }
            _ => operations.push(Operation { operator, operands }),
        }
    }
    has_any.then(|| Content { operations }.encode().ok()).flatten()
}

/// Whether one of them may stand behind a string; to read all of a page to find out takes much longer.
fn may_have_any(content: &[u8]) -> bool {
    let mut last = 0;
    content.iter().any(|byte| {
        let is_operator = matches!(byte, b'\'' | b'"') && matches!(last, b')' | b'>');
        if !byte.is_ascii_whitespace() {
            last = *byte;
        }
        is_operator
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_on_the_next_line_is_spelt_out() {
        for (content, want) in [
            ("(a) Tj 12 TL (b) '", Some("(a) Tj\n12 TL\nT*\n(b) Tj")),
            ("(a)'", Some("T*\n(a) Tj")),
            ("1 2 (a) \"", Some("1 Tw\n2 Tc\nT*\n(a) Tj")),
            ("<61> '", Some("T*\n<61> Tj")),
            // In a text it is a letter.
            ("(it's) Tj", None),
            ("(a \\) 'b') Tj", None),
            ("[(a)] TJ", None),
            // Nobody knows what is meant.
            ("1 (a) '", None),
            ("", None),
        ] {
            let spelt = spelt_out(content.as_bytes()).map(|bytes| String::from_utf8(bytes).unwrap());
            assert_eq!(spelt.as_deref(), want, "{content}");
        }
    }

    #[test]
    fn pages_and_what_they_draw_have_none_left() {
        let mut document = Document::new();
        let mut form = Dictionary::new();
        form.set("Subtype", Object::Name(b"Form".to_vec()));
        let form = document.add_object(Stream::new(form, b"(b) '".to_vec()));
        let parts =
            [b"(a)".to_vec(), b"'".to_vec()].map(|part| document.add_object(Stream::new(Dictionary::new(), part)));
        let mut page = Dictionary::new();
        page.set("Contents", parts.map(Object::Reference).to_vec());
        let page = document.add_object(page);
        spell_out(&mut document, page);
        spell_out_forms(&mut document);
        assert_eq!(document.get_page_content(page).unwrap(), b"T*\n(a) Tj\n");
        assert_eq!(document.get_object(form).unwrap().as_stream().unwrap().content, b"T*\n(b) Tj");
    }
}
