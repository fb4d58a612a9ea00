//! Lines of cards and calendars: a name, parameters and a value, folded over lines of the file (RFC 5545 and 6350, and vCard 2.1).

use std::borrow::Cow;

use super::super::{Unreadable, decode};
use super::mime::quoted_printable;

/// One line as it was before it was folded.
#[derive(Debug)]
pub(super) struct ContentLine<'t> {
    /// What it is a part of, in the cards of some programs: `item1`.
    pub(super) group: &'t str,
    /// In capitals.
    pub(super) name: String,
    /// Names in capitals; what has no name is a type, as in old cards.
    parameters: Vec<(String, &'t str)>,
    value: &'t str,
    /// Where it stands in the file.
    pub(super) first: u32,
    pub(super) last: u32,
}

/// The text of a file without its folds, and the lines of the file that each of its lines stands in.
#[derive(Debug)]
pub(super) struct Unfolded {
    text: String,
    places: Vec<(u32, u32)>,
}

impl Unfolded {
    /// Folds are taken out of bytes: some programs fold inside a character.
    pub(super) fn of(bytes: &[u8]) -> Result<Self, Unreadable> {
        // What has zeros is of another encoding, or no text.
        let decoded = if bytes.contains(&0) { Some(decode::file(bytes, false)?) } else { None };
        let bytes = decoded.as_ref().map_or(bytes, String::as_bytes);
        let mut joined = Vec::with_capacity(bytes.len());
        let mut places: Vec<(u32, u32)> = Vec::new();
        // Whether a value goes on in the next line because this one ends with `=`.
        let mut goes_on = false;
        let end = if bytes.contains(&b'\n') { b'\n' } else { b'\r' };
        for (line, number) in bytes.split(|byte| *byte == end).zip(1..) {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let unfolded = line.strip_prefix(b" ").or_else(|| line.strip_prefix(b"\t"));
            // Behind such a `=` a blank is the text's own.
            let folded = unfolded.filter(|_| !places.is_empty() && !goes_on);
            let begins = folded.is_none() && !goes_on;
            if begins {
                joined.extend((!places.is_empty()).then_some(b'\n'));
                places.push((number, number));
            } else {
                places.last_mut().into_iter().for_each(|place| place.1 = number);
            }
            joined.extend(folded.unwrap_or(line));
            let is_quoted = if begins { is_quoted_printable(line) } else { goes_on };
            goes_on = is_quoted && joined.ends_with(b"=");
            if goes_on {
                joined.pop();
            }
        }
        Ok(Self { text: decode::file(&joined, false)?, places })
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = ContentLine<'_>> {
        let lines = self.text.split('\n').zip(&self.places);
        lines.filter_map(|(line, place)| ContentLine::of(line, *place))
    }
}

/// Whether the head of a line says that its value is written so.
fn is_quoted_printable(line: &[u8]) -> bool {
    let head = line.split(|byte| *byte == b':').next().unwrap_or_default();
    let head = head.get(..head.len().min(HEAD_BYTES)).unwrap_or_default().to_ascii_uppercase();
    head.windows(QUOTED_PRINTABLE.len()).any(|part| part == QUOTED_PRINTABLE.as_bytes())
}

const QUOTED_PRINTABLE: &str = "QUOTED-PRINTABLE";
/// Names and parameters take no more.
const HEAD_BYTES: usize = 4_096;

impl<'t> ContentLine<'t> {
    fn of(line: &'t str, (first, last): (u32, u32)) -> Option<Self> {
        let near = line.get(..line.floor_char_boundary(HEAD_BYTES))?;
        let mut quoted = false;
        let colon = near.char_indices().find(|(_, c)| {
            quoted ^= *c == '"';
            *c == ':' && !quoted
        });
        // A sign of a quote that is never closed hides no value.
        let colon = colon.map(|(at, _)| at).or_else(|| near.find(':'))?;
        let (head, value) = (line.get(..colon)?, line.get(colon + 1..)?);
        let mut parts = split_outside_quotes(head);
        let name = parts.next()?.trim();
        let (group, name) = name.rsplit_once('.').unwrap_or(("", name));
        let parameter = |part: &'t str| match part.split_once('=') {
            Some((name, value)) => (name.trim().to_ascii_uppercase(), value),
            None => ("TYPE".to_owned(), part),
        };
        let parameters = parts.map(parameter).collect();
        Some(Self { group, name: name.to_ascii_uppercase(), parameters, value, first, last })
    }

    /// The value of a parameter, as it stands, without quotes.
    pub(super) fn parameter(&self, name: &str) -> Option<&'t str> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.trim().trim_matches('"'))
    }

    /// All types that are said of it, in lower case.
    pub(super) fn types(&self) -> impl Iterator<Item = String> {
        let said = self.parameters.iter().filter(|(name, _)| name == "TYPE").flat_map(|(_, value)| value.split(','));
        said.map(|one| one.trim().trim_matches('"').to_ascii_lowercase())
    }

    /// The value before its escapes are taken out.
    pub(super) fn raw(&self) -> Cow<'t, str> {
        let said = |name: &str| self.parameter(name).unwrap_or_default();
        let is_quoted = self.parameters.iter().any(|(_, value)| value.trim().eq_ignore_ascii_case(QUOTED_PRINTABLE));
        if !is_quoted {
            return Cow::Borrowed(self.value);
        }
        let charset = format!("text/plain; charset={}", said("CHARSET"));
        let value = decode::page(&quoted_printable(self.value.as_bytes(), false), Some(&charset), false);
        Cow::Owned(value.replace('\r', ""))
    }

    /// Whether its value is this word, in any case.
    pub(super) fn raw_is(&self, word: &str) -> bool {
        self.raw().trim().eq_ignore_ascii_case(word)
    }

    pub(super) fn text(&self) -> String {
        unescaped(&self.raw())
    }

    /// The parts of a value that are separated by a sign, also those that are empty.
    pub(super) fn parts(&self, separator: char) -> Vec<String> {
        let raw = self.raw();
        let parts = split_unescaped(&raw, separator).map(|part| unescaped(part).trim().to_owned());
        parts.collect()
    }
}

fn split_outside_quotes(head: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    head.split(move |c: char| {
        quoted ^= c == '"';
        c == ';' && !quoted
    })
}

fn split_unescaped(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut is_escaped = false;
    text.split(move |c: char| {
        let escaped = std::mem::take(&mut is_escaped);
        is_escaped = c == '\\' && !escaped;
        c == separator && !escaped
    })
}

/// `a\, b\nc` as it was meant.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n' | 'N') => out.push('\n'),
                Some(c @ (',' | ';' | '\\' | ':' | '"')) => out.push(c),
                // A path of Windows in a card of a program that escapes nothing.
                Some(c) => out.extend(['\\', c]),
                None => out.push('\\'),
            },
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-01: a line is one however it was folded, stands where it stood, and means what was meant.
    #[test]
    fn lb_01_folded_lines_are_one_and_stand_where_they_did() {
        let file = b"BEGIN:VCARD\r\nNOTE:one \r\n two\\, th\xc3\r\n \xa9\r\nitem1.TEL;TYPE=WORK,voice;PREF=1:1\r\n\
            ADR;X=\"a:b;c\":;;Way 1\\; back\r\nN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCl=\r\nler;=\r\nAnn=\r\n Mary\r\nTEL;CELL:2\nno colon\r\n"
            .to_vec();
        let unfolded = Unfolded::of(&file).unwrap();
        let lines: Vec<_> = unfolded.lines().collect();
        let shown: Vec<_> = lines.iter().map(|line| (line.name.as_str(), line.text(), line.first, line.last)).collect();
        let expected = [
            ("BEGIN", "VCARD", 1, 1),
            ("NOTE", "one two, thé", 2, 4),
            ("TEL", "1", 5, 5),
            ("ADR", ";;Way 1; back", 6, 6),
            // Behind a soft end of a line a blank is one of the text.
            ("N", "Müller;Ann Mary", 7, 10),
            ("TEL", "2", 11, 11),
        ];
        let expected = expected.map(|(name, text, first, last)| (name, text.to_owned(), first, last));
        assert_eq!(shown, expected);
        assert_eq!(
            (lines[2].group, lines[2].types().collect::<Vec<_>>()),
            ("item1", vec!["work".into(), "voice".into()])
        );
        assert_eq!(lines[3].parameter("X"), Some("a:b;c"));
        assert_eq!(lines[3].parts(';'), ["", "", "Way 1; back"]);
        assert_eq!(lines[5].types().collect::<Vec<_>>(), ["cell"]);
    }

    #[test]
    fn lb_01_lines_in_other_encodings_are_read() {
        let utf_16: Vec<u8> = "\u{feff}FN:Żółw\r\nNOTE:a\r\n b".encode_utf16().flat_map(u16::to_le_bytes).collect();
        for (bytes, expected) in
            [(&utf_16[..], &["Żółw", "ab"][..]), (b"FN:M\xfcller\n", &["Müller"]), (b"FN:a\rNOTE:b\r c", &["a", "bc"])]
        {
            let unfolded = Unfolded::of(bytes).unwrap();
            assert_eq!(unfolded.lines().map(|line| line.text()).collect::<Vec<_>>(), expected);
        }
        assert!(Unfolded::of(b"\0\x01\x02\xff\0").is_err());
    }
}
