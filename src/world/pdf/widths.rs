//! The widths of characters in a form that the parser understands.
//!
//! A font may list widths one by one (`3 [500 600]`) or for a range (`16 25 636`). The parser takes a range for nothing, so that every digit that browsers print
//! has no width and every word is torn apart. Ranges are therefore written out before it looks.

use pdf_extract::{Dictionary, Document, Object};

/// Characters of one font; more than two bytes can name are a lie.
const CHARACTERS: i64 = 65_536;

/// Writes out the ranges of all fonts of a document.
pub(super) fn write_out(document: &mut Document) {
    let fonts: Vec<_> = document
        .objects
        .iter()
        .filter_map(|(id, object)| {
            let font = object.as_dict().ok()?;
            let widths = listed(widths(document, font)?)?;
            Some((*id, widths))
        })
        .collect();
    for (id, widths) in fonts {
        if let Ok(font) = document.get_object_mut(id).and_then(Object::as_dict_mut) {
            font.set("W", widths);
        }
    }
}

fn widths<'d>(document: &'d Document, font: &'d Dictionary) -> Option<&'d Vec<Object>> {
    let is_font = font.get(b"Subtype").ok()?.as_name().is_ok_and(|name| name.starts_with(b"CIDFont"));
    let widths = font.get(b"W").ok().filter(|_| is_font)?;
    let widths = match widths {
        Object::Reference(id) => document.get_object(*id).ok()?,
        other => other,
    };
    widths.as_array().ok()
}

/// The same widths without ranges; nothing where there is none, or where it is broken.
fn listed(widths: &[Object]) -> Option<Vec<Object>> {
    let mut list = Vec::new();
    let mut rest = widths;
    let mut changed = false;
    let mut room = CHARACTERS;
    loop {
        rest = match rest {
            [first, Object::Array(each), rest @ ..] => {
                list.extend([first.clone(), Object::Array(each.clone())]);
                rest
            }
            [first, last, width, rest @ ..] => {
                let (first, last) = (first.as_i64().ok()?, last.as_i64().ok()?);
                let count = last.checked_sub(first)?.checked_add(1).filter(|count| (1..=room).contains(count))?;
                room -= count;
                let each = vec![width.clone(); usize::try_from(count).ok()?];
                list.extend([Object::Integer(first), Object::Array(each)]);
                changed = true;
                rest
            }
            [] => return changed.then_some(list),
            [_] | [_, _] => return None,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(numbers: &[i64]) -> Object {
        Object::Array(numbers.iter().copied().map(Object::Integer).collect())
    }

    #[test]
    fn ranges_are_written_out() {
        let number = Object::Integer;
        let cases = [
            (vec![number(3), array(&[500, 600])], None),
            (
                vec![number(3), array(&[500]), number(16), number(18), number(636), number(30), array(&[1])],
                Some(vec![number(3), array(&[500]), number(16), array(&[636, 636, 636]), number(30), array(&[1])]),
            ),
            (vec![number(1), number(2)], None),
            (vec![number(5), number(2), number(9)], None),
            (vec![number(0), number(i64::MAX), number(9)], None),
            (vec![number(i64::MIN), number(i64::MAX), number(9)], None),
        ];
        for (widths, expected) in cases {
            assert_eq!(listed(&widths), expected, "{widths:?}");
        }
    }
}
