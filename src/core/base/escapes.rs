//! Bytes without one layer of the escapes of addresses (`%2F`), of JSON (`\/`, `\u002f`) and of HTML (`&sol;`, `&#47;`), with the way back to where each came from.

use std::borrow::Cow;
use std::ops::Range;

/// A text without some layers of escapes.
#[derive(Debug)]
pub(crate) struct Unescaped<'t> {
    pub(crate) bytes: Cow<'t, [u8]>,
    /// Where each byte begins in the text itself, and the end of the text. `None`: nothing was escaped so far.
    starts: Option<Vec<usize>>,
}

impl<'t> Unescaped<'t> {
    /// A text as it is.
    pub(crate) fn of(text: &'t [u8]) -> Self {
        Self { bytes: Cow::Borrowed(text), starts: None }
    }

    fn start(&self, at: usize) -> usize {
        self.starts.as_ref().map_or(at, |starts| starts.get(at).or(starts.last()).copied().unwrap_or_default())
    }

    /// Where a range stands in the text itself.
    pub(crate) fn source(&self, range: Range<usize>) -> Range<usize> {
        self.start(range.start)..self.start(range.end)
    }
}

/// The same without one more layer; `None` where nothing is escaped.
pub(crate) fn unescaped(layer: &Unescaped<'_>) -> Option<Unescaped<'static>> {
    let text = &*layer.bytes;
    if !text.iter().any(|byte| matches!(byte, b'%' | b'\\' | b'&')) {
        return None;
    }
    let (mut bytes, mut starts) = (Vec::with_capacity(text.len()), Vec::with_capacity(text.len() + 1));
    let (mut at, mut changed) = (0, false);
    while let Some(byte) = text.get(at) {
        let start = layer.start(at);
        let rest = text.get(at..).unwrap_or_default();
        match escape(rest) {
            Some((character, length)) => {
                let mut room = [0; 4];
                let plain = match character {
                    Escape::Byte(byte) => {
                        room = [byte, 0, 0, 0];
                        &room[..1]
                    }
                    Escape::Char(c) => c.encode_utf8(&mut room).as_bytes(),
                };
                bytes.extend_from_slice(plain);
                starts.extend(plain.iter().map(|_| start));
                at += length;
                changed = true;
            }
            None => {
                bytes.push(*byte);
                starts.push(start);
                at += 1;
            }
        }
    }
    starts.push(layer.start(text.len()));
    changed.then_some(Unescaped { bytes: Cow::Owned(bytes), starts: Some(starts) })
}

enum Escape {
    Byte(u8),
    Char(char),
}

/// The escape that a text begins with, and its length.
fn escape(text: &[u8]) -> Option<(Escape, usize)> {
    match text {
        [b'%', high, low, ..] => Some((Escape::Byte(u8::try_from(hex(&[*high, *low])?).ok()?), 3)),
        [b'\\', b'u', digits @ ..] => Some((Escape::Char(char::from_u32(hex(digits.get(..4)?)?)?), 6)),
        [b'\\', b'x', high, low, ..] => Some((Escape::Byte(u8::try_from(hex(&[*high, *low])?).ok()?), 4)),
        [b'&', rest @ ..] => entity(rest).map(|(character, length)| (character, length + 1)),
        [b'\\', b'n', ..] => Some((Escape::Byte(b'\n'), 2)),
        [b'\\', b'r', ..] => Some((Escape::Byte(b'\r'), 2)),
        [b'\\', b't', ..] => Some((Escape::Byte(b'\t'), 2)),
        [b'\\', plain @ (b'"' | b'\\' | b'/'), ..] => Some((Escape::Byte(*plain), 2)),
        _ => None,
    }
}

/// The longest reference that is looked at: `&#0000047;`.
const REFERENCE_BYTES: usize = 10;

/// Names of the characters that keys have beside letters and digits, and of those that HTML must escape.
const NAMES: [(&[u8], u8); 14] = [
    (b"amp", b'&'),
    (b"lt", b'<'),
    (b"gt", b'>'),
    (b"quot", b'"'),
    (b"apos", b'\''),
    (b"sol", b'/'),
    (b"bsol", b'\\'),
    (b"plus", b'+'),
    (b"equals", b'='),
    (b"lowbar", b'_'),
    (b"period", b'.'),
    (b"colon", b':'),
    (b"tilde", b'~'),
    (b"dollar", b'$'),
];

/// The character reference of HTML behind an ampersand, and its length with the semicolon.
fn entity(text: &[u8]) -> Option<(Escape, usize)> {
    let end = text.iter().take(REFERENCE_BYTES).position(|byte| *byte == b';')?;
    let code = |digits: &[u8], base| {
        let value = digits
            .iter()
            .try_fold(0_u32, |value, digit| value.checked_mul(base)?.checked_add(char::from(*digit).to_digit(base)?));
        value.filter(|_| !digits.is_empty()).and_then(char::from_u32).map(Escape::Char)
    };
    let character = match text.get(..end)? {
        [b'#', b'x' | b'X', digits @ ..] => code(digits, 16),
        [b'#', digits @ ..] => code(digits, 10),
        name => NAMES.iter().find(|(known, _)| *known == name).map(|(_, byte)| Escape::Byte(*byte)),
    };
    character.map(|character| (character, end + 1))
}

fn hex(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |value, digit| Some(value * 16 + char::from(*digit).to_digit(16)?))
}
