//! Operators that the parser does not know, in those that it knows.
//!
//! PDF can show a text and go to the next line in one (`'`, and `"`, which also sets the space between letters and words). The parser passes both by, and
//! with them their text; and of the ways to paint a path it knows two, and passes by those that Word rules its tables in. They are therefore spelt out
//! before it looks.

use std::ops::Range;

use pdf_extract::content::{Content, Operation};
use pdf_extract::{Dictionary, Document, Object, ObjectId, Stream};

/// Spells them out in a page.
pub(super) fn spell_out(document: &mut Document, page: ObjectId) {
    let spelt =
        document.get_page_content(page).ok().and_then(|content| spelt_out(&content).or_else(|| painted(content)));
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
        if let Some(content) = content.and_then(|content| spelt_out(&content).or_else(|| painted(content))) {
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
            _ => {
                let known = known_paint(operator.as_bytes()).and_then(|known| str::from_utf8(known).ok());
                operations.push(Operation {
                    operator: known.map_or(operator, |known| known.trim_end().to_owned()),
                    operands,
                });
            }
        }
    }
    has_any.then(|| Content { operations }.encode().ok()).flatten()
}

/// What paints the same lines, as long as what is asked for.
fn known_paint(operator: &[u8]) -> Option<&'static [u8]> {
    Some(match operator {
        b"f*" => b"f ",
        b"B*" | b"b*" => b"S ",
        b"B" | b"b" | b"s" => b"S",
        _ => return None,
    })
}

/// The same content with paths that are painted as the parser knows it; nothing where all are. To read all of a page takes much longer, so these
/// operators are known by what stands before them: the end of a path, which in a text stands there by chance alone.
fn painted(mut content: Vec<u8>) -> Option<Vec<u8>> {
    let mut has_any = false;
    let (mut before, mut last) = (0..0, 0..0);
    let mut at = 0;
    while at < content.len() {
        let is_blank = |byte: &u8| byte.is_ascii_whitespace();
        let rest = content.get(at..).unwrap_or_default();
        let start = at + rest.iter().take_while(|byte| is_blank(byte)).count();
        let end = start + content.get(start..).unwrap_or_default().iter().take_while(|byte| !is_blank(byte)).count();
        let token = |place: &Range<usize>| content.get(place.clone()).unwrap_or_default();
        let number = |place: &Range<usize>| token(place).last().is_some_and(u8::is_ascii_digit);
        let is_path = |place: &Range<usize>| matches!(token(place), b"l" | b"c" | b"v" | b"y" | b"re");
        let ends_path = (is_path(&last) && number(&before)) || (token(&last) == b"h" && is_path(&before));
        let known = known_paint(token(&(start..end))).filter(|_| ends_path);
        if let Some((known, place)) = known.zip(content.get_mut(start..end)) {
            place.copy_from_slice(known);
            has_any = true;
        }
        (before, last, at) = (last, start..end, end);
    }
    has_any.then_some(content)
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
    fn paths_are_painted_as_the_parser_knows_it() {
        for (content, want) in [
            ("1 2 3 4 re\nf*\n(f*) Tj", Some("1 2 3 4 re\nf \n(f*) Tj")),
            ("1 2 m 3 4 l h B* 1 2 m 3 4 l s", Some("1 2 m 3 4 l h S  1 2 m 3 4 l S")),
            ("1 2 3 4 re f", None),
            // Letters of a text.
            ("(so f* and h B and 5 x b) Tj", None),
            ("", None),
        ] {
            let painted = painted(content.as_bytes().to_vec()).map(|bytes| String::from_utf8(bytes).unwrap());
            assert_eq!(painted.as_deref(), want, "{content}");
        }
        let both = spelt_out(b"(a) ' 1 2 3 4 re f*").map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(both.as_deref(), Some("T*\n(a) Tj\n1 2 3 4 re\nf"));
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
