//! What the codes of a font mean, in a form that the parser understands.
//!
//! A font may say what its codes are in Unicode (`ToUnicode`). The parser gives up, and with it the page, where a range begins with a ligature of three
//! letters, a list has another length than its range, a letter has half of its bytes, or less is there than was announced. Such a map is therefore written out
//! code by code before it looks; others stay as they are.

use std::fmt::Write;

use pdf_extract::{Document, Object};

/// Codes of one font; more than two bytes can name are a lie.
const CODES: usize = 65_536;
/// UTF-16 of one code: the longest ligatures are short words.
const UNITS: usize = 32;

/// Writes out the maps of all fonts that the parser does not understand.
pub(super) fn write_out(document: &mut Document) {
    let maps: Vec<_> = document
        .objects
        .values()
        .filter_map(|object| object.as_dict().ok()?.get(b"ToUnicode").ok()?.as_reference().ok())
        .collect();
    for id in maps {
        if let Ok(Object::Stream(stream)) = document.get_object_mut(id)
            && let Some(map) = stream.get_plain_content().ok().and_then(|content| written_out(&content))
        {
            stream.set_plain_content(map);
        }
    }
}

/// What codes mean by a map.
pub(super) fn meanings(content: &[u8]) -> impl Iterator<Item = (u32, String)> {
    Map::read(content).codes.into_iter().map(|(code, units)| (code, String::from_utf16_lossy(&units)))
}

/// The same map code by code; nothing where the parser understands it.
fn written_out(content: &[u8]) -> Option<Vec<u8>> {
    let map = Map::read(content);
    if map.is_plain {
        return None;
    }
    let mut out = format!("begincmap\n{} beginbfchar\n", map.codes.len());
    for (code, units) in &map.codes {
        let meaning: String = units.iter().map(|unit| format!("{unit:04X}")).collect();
        // Writing to a string does not fail.
        let _ = writeln!(out, "<{code:04X}> <{meaning}>");
    }
    out.push_str("endbfchar\nendcmap\n");
    Some(out.into_bytes())
}

/// A token of a map, as far as it matters.
#[derive(Debug, PartialEq, Eq)]
enum Token<'c> {
    Hex(Vec<u8>),
    ListBegins,
    ListEnds,
    Word(&'c [u8]),
}

/// What a list of a map holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Codes,
    Ranges,
}

#[derive(Debug)]
struct Map {
    codes: Vec<(u32, Vec<u16>)>,
    /// Whether the parser understands it.
    is_plain: bool,
}

impl Map {
    fn read(content: &[u8]) -> Self {
        let mut map = Self { codes: Vec::new(), is_plain: true };
        let mut section = None;
        let mut announced = 0;
        let mut entries = 0;
        let mut rest = content;
        let mut held: Vec<Vec<u8>> = Vec::new();
        while let Some((token, behind)) = next_token(rest) {
            rest = behind;
            match (token, section) {
                (Token::Word(b"beginbfchar"), _) => (section, entries) = (Some(Section::Codes), 0),
                (Token::Word(b"beginbfrange"), _) => (section, entries) = (Some(Section::Ranges), 0),
                (Token::Word(b"endbfchar" | b"endbfrange"), Some(_)) => {
                    map.is_plain &= held.is_empty() && entries == announced;
                    held.clear();
                    section = None;
                }
                (Token::Word(word), None) => announced = number(word).unwrap_or(announced),
                (Token::Hex(bytes), Some(Section::Codes)) => {
                    held.push(bytes);
                    if let [code, meaning] = held.as_slice() {
                        map.is_plain &= is_whole(meaning);
                        map.put(code_of(code), units(meaning));
                        held.clear();
                        entries += 1;
                    }
                }
                (Token::Hex(bytes), Some(Section::Ranges)) => {
                    held.push(bytes);
                    if let [first, last, meaning] = held.as_slice() {
                        map.put_range(code_of(first), code_of(last), meaning);
                        held.clear();
                        entries += 1;
                    }
                }
                (Token::ListBegins, Some(Section::Ranges)) => {
                    let (list, behind) = list(rest);
                    rest = behind;
                    if let [first, last] = held.as_slice() {
                        map.put_list(code_of(first), code_of(last), &list);
                        entries += 1;
                    }
                    map.is_plain &= held.len() == 2;
                    held.clear();
                }
                // What stands there is no part of a map.
                (Token::Word(_) | Token::ListBegins | Token::ListEnds, Some(_)) => map.is_plain = false,
                (Token::Hex(_) | Token::ListBegins | Token::ListEnds, None) => {}
            }
        }
        map.is_plain &= section.is_none();
        map
    }

    fn put(&mut self, code: u32, units: Vec<u16>) {
        if self.codes.len() < CODES && !units.is_empty() && String::from_utf16(&units).is_ok() {
            self.codes.push((code, units));
        } else {
            self.is_plain &= matches!(units.as_slice(), [0xd800..=0xdfff]);
        }
    }

    /// Codes that follow each other, with meanings that do.
    fn put_range(&mut self, first: u32, last: u32, meaning: &[u8]) {
        let count = last.checked_sub(first).and_then(|count| usize::try_from(count).ok());
        let Some(count) = count.filter(|count| *count < CODES) else {
            self.is_plain = false;
            return;
        };
        let begin = units(meaning);
        let above = begin.last().copied().unwrap_or_default();
        let fits = usize::from(u16::MAX - above) >= count;
        self.is_plain &= fits && matches!(meaning.len(), 2 | 4);
        for (code, step) in (first..=last).zip(0_u16..=u16::MAX) {
            let mut units = begin.clone();
            let Some(end) = units.last_mut().and_then(|unit| unit.checked_add(step).map(|sum| (unit, sum))) else {
                return;
            };
            *end.0 = end.1;
            self.put(code, units);
        }
    }

    /// Codes that follow each other, each with a meaning of its own.
    fn put_list(&mut self, first: u32, last: u32, list: &[Vec<u8>]) {
        let is_as_long = u32::try_from(list.len()).is_ok_and(|length| last.checked_sub(first) == length.checked_sub(1));
        self.is_plain &= is_as_long && list.iter().all(|meaning| is_whole(meaning));
        for (code, meaning) in (first..=last).zip(list) {
            self.put(code, units(meaning));
        }
    }
}

/// The texts of a list, and what stands behind it.
fn list(mut rest: &[u8]) -> (Vec<Vec<u8>>, &[u8]) {
    let mut list = Vec::new();
    while let Some((token, behind)) = next_token(rest) {
        match token {
            Token::Hex(bytes) => list.push(bytes),
            Token::ListEnds => return (list, behind),
            // It was never ended.
            Token::Word(_) | Token::ListBegins => return (list, rest),
        }
        rest = behind;
    }
    (list, rest)
}

/// The next token, and what stands behind it.
fn next_token(content: &[u8]) -> Option<(Token<'_>, &[u8])> {
    let mut rest = content.trim_ascii_start();
    while let Some(comment) = rest.strip_prefix(b"%") {
        let end = comment.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(comment.len());
        rest = comment.get(end..)?.trim_ascii_start();
    }
    let (first, behind) = rest.split_first()?;
    let is_dictionary = rest.starts_with(b"<<");
    match first {
        b'[' => Some((Token::ListBegins, behind)),
        b']' => Some((Token::ListEnds, behind)),
        b'<' if !is_dictionary => {
            let end = behind.iter().position(|byte| *byte == b'>')?;
            Some((Token::Hex(hex(behind.get(..end)?)), behind.get(end + 1..)?))
        }
        _ => {
            let ends = |byte: &u8| byte.is_ascii_whitespace() || b"[]<>%".contains(byte);
            let end = behind.iter().position(ends).map_or(rest.len(), |at| at + 1);
            // The first byte of two angles is taken off with the second.
            let end = if is_dictionary { 2 } else { end };
            Some((Token::Word(rest.get(..end)?), rest.get(end..)?))
        }
    }
}

/// The bytes of a text in hexadecimal; a missing last digit is 0.
fn hex(text: &[u8]) -> Vec<u8> {
    let digits: Vec<u8> = text
        .iter()
        .filter_map(|byte| char::from(*byte).to_digit(16))
        .filter_map(|digit| u8::try_from(digit).ok())
        .collect();
    let bytes = digits.chunks(2).take(2 * UNITS);
    bytes.map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit) << (4 * (2 - pair.len()))).collect()
}

/// UTF-16 in bytes; where one is missing, it is a zero at the beginning that some programs leave away.
fn units(bytes: &[u8]) -> Vec<u16> {
    let unit = |pair: &[u8]| pair.iter().fold(0, |unit, byte| unit << 8 | u16::from(*byte));
    bytes.rchunks(2).rev().map(unit).collect()
}

fn is_whole(meaning: &[u8]) -> bool {
    !meaning.is_empty() && meaning.len().is_multiple_of(2)
}

fn code_of(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |code, byte| code << 8 | u32::from(*byte))
}

fn number(word: &[u8]) -> Option<usize> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use pdf_extract::{Dictionary, Stream};

    use super::*;

    #[test]
    fn maps_that_the_parser_does_not_understand_are_written_out() {
        for (map, want) in [
            ("2 beginbfchar <01> <0041> <02> <00660069> endbfchar", None),
            (
                "/CMapName /x def 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <01> <03> <0041> endbfrange",
                None,
            ),
            ("1 beginbfrange <01><02>[<0041><0042>] endbfrange", None),
            ("", None),
            // A range that begins with a ligature of three letters.
            ("1 beginbfrange <1E> <1F> <006600660069> endbfrange", Some("<001E> <006600660069>|<001F> <00660066006A>")),
            ("1 beginbfrange <1E> <1F> [<0066>] endbfrange", Some("<001E> <0066>")),
            ("1 beginbfchar <20> <20> endbfchar", Some("<0020> <0020>")),
            ("1 beginbfchar <5F> <540068> endbfchar", Some("<005F> <00540068>")),
            ("3 beginbfchar <20> <0020> endbfchar", Some("<0020> <0020>")),
            ("1 beginbfchar <20> <0020>", Some("<0020> <0020>")),
            ("1 beginbfrange <03> <01> <0041> endbfrange", Some("")),
            ("1 beginbfrange <01> <03> <FFFE> endbfrange", Some("<0001> <FFFE>|<0002> <FFFF>")),
            ("1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange", Some("")),
        ] {
            let written = written_out(map.as_bytes()).map(|bytes| String::from_utf8(bytes).unwrap());
            let entries = written.as_deref().map(|text| {
                let lines: Vec<&str> = text.lines().filter(|line| line.starts_with('<')).collect();
                assert!(text.contains(&format!("\n{} beginbfchar\n", lines.len())), "{text}");
                lines.join("|")
            });
            assert_eq!(entries.as_deref(), want, "{map}");
        }
    }

    #[test]
    fn maps_of_fonts_are_replaced_in_their_streams() {
        let mut document = Document::new();
        let content = b"1 beginbfrange <0C> <0C> <006600660069> endbfrange".to_vec();
        let map = document.add_object(Stream::new(Dictionary::new(), content));
        let mut font = Dictionary::new();
        font.set("ToUnicode", map);
        document.add_object(font);
        write_out(&mut document);
        let written = document.get_object(map).unwrap().as_stream().unwrap().content.clone();
        let written = String::from_utf8(written).unwrap();
        assert!(written.contains("<000C> <006600660069>"), "{written}");
    }

    #[test]
    fn damaged_maps_end() {
        let map = "2 beginbfrange <01> <02> [<0041> <0042>] <03> <05> <006600660069> endbfrange 1 beginbfchar <07> <0041> endbfchar";
        for end in 0..map.len() {
            let _ = written_out(&map.as_bytes()[..end]);
            let _ = written_out(&map.as_bytes()[end..]);
        }
        let nested = "[<".repeat(10_000);
        assert!(written_out(format!("1 beginbfrange {nested}").as_bytes()).is_some());
    }
}
