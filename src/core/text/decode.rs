//! Bytes to text: byte order mark, header, what the bytes declare themselves, else a guess.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

use super::Unreadable;
use crate::core::base::limits;

/// Of so many characters of UTF-16 one is of the first 256, at least.
const UTF_16_ZEROS: usize = 20;
/// What has fewer lines without NUL is no text with holes in it.
const WHOLE_LINES: usize = 3;

/// Decodes a file. What is broken inside a text becomes U+FFFD; only bytes that are no text at all are refused.
pub(super) fn file(bytes: &[u8], is_html: bool) -> Result<String, Unreadable> {
    let text = if bytes.contains(&0) && Encoding::for_bom(bytes).is_none() {
        utf_16(bytes).or_else(|| without_holes(bytes)).ok_or(Unreadable::NotText)?
    } else {
        decoded(bytes, None, is_html)
    };
    if text.contains('\0') { Err(Unreadable::NotText) } else { Ok(without_unseen(with_line_ends(text))) }
}

/// UTF-16 without a mark has its zeros at one side of its pairs: nearly all of them in English, else at least those of blanks and line ends.
fn utf_16(bytes: &[u8]) -> Option<String> {
    let zeros = |side: usize| bytes.iter().skip(side).step_by(2).filter(|byte| **byte == 0).count();
    let is_plain = |byte: &u8| *byte == 0 || byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let is_english = bytes.iter().all(is_plain);
    let least = if is_english { bytes.len() * 9 / 20 } else { (bytes.len() / 2 / UTF_16_ZEROS).max(2) };
    let encoding = match (zeros(0), zeros(1)) {
        (0, zeros) if zeros >= least => UTF_16LE,
        (zeros, 0) if zeros >= least => UTF_16BE,
        _ => return None,
    };
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    let is_said = |c: char| c.is_alphanumeric() || c.is_whitespace() || c.is_ascii_punctuation();
    let (said, all) = (text.chars().filter(|c| is_said(*c)).count(), text.chars().count());
    (!text.contains(is_control) && said * 5 >= all * 4).then(|| text.into_owned())
}

/// A machine that lost its power leaves NUL where it had not written yet. The lines around it are text as before.
fn without_holes(bytes: &[u8]) -> Option<String> {
    let mut text = String::with_capacity(bytes.len());
    let parts: Vec<&[u8]> = bytes.split(|byte| *byte == 0).filter(|part| !part.is_empty()).collect();
    // A program that adds to a file in UTF-16 leaves a NUL beside each letter.
    let is_letter = |at: Option<usize>| at.and_then(|at| parts.get(at)).is_some_and(|part| part.len() == 1);
    for (at, part) in parts.iter().enumerate() {
        let part = std::str::from_utf8(part).ok().filter(|part| !part.contains(is_control))?;
        let is_hole = !is_letter(Some(at)) || !(is_letter(at.checked_sub(1)) || is_letter(Some(at + 1)));
        if is_hole && !text.is_empty() && !text.ends_with(char::is_whitespace) {
            text.push(' ');
        }
        text.push_str(part);
    }
    let is_whole = |line: &&[u8]| !line.contains(&0) && !line.trim_ascii().is_empty();
    let whole = bytes.split(|byte| *byte == b'\n').filter(is_whole).count();
    (whole >= WHOLE_LINES).then_some(text)
}

fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{c}' | ESCAPE)
}

/// Old files end their lines with a carriage return alone. One inside a line of others is no end of it.
pub(super) fn with_line_ends(text: String) -> String {
    if text.contains('\r') && !text.contains('\n') { text.replace('\r', "\n") } else { text }
}

/// The escape that begins what a terminal obeys, and where a word may be parted: nobody sees either, and both would hide words.
const ESCAPE: char = '\u{1b}';
const SOFT_HYPHEN: char = '\u{ad}';

pub(super) fn without_unseen(text: String) -> String {
    if !text.contains([ESCAPE, SOFT_HYPHEN]) {
        return text;
    }
    let mut seen = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find([ESCAPE, SOFT_HYPHEN]) {
        let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        seen.push_str(before);
        let is_escape = after.starts_with(ESCAPE);
        let after = after.trim_start_matches(|c: char| c == SOFT_HYPHEN || (is_escape && c == ESCAPE));
        rest = match after.strip_prefix('[').filter(|_| is_escape) {
            Some(command) => behind_command(command).unwrap_or(after),
            None => after,
        };
    }
    seen.push_str(rest);
    seen
}

/// What follows a command to the terminal: `31m` of `ESC[31m`. Nothing where it is none.
fn behind_command(command: &str) -> Option<&str> {
    let is_parameter = |c: char| c.is_ascii_digit() || matches!(c, ';' | '?' | ':' | ' ' | '!' | '>' | '=');
    let after = command.trim_start_matches(is_parameter);
    after.strip_prefix(|last: char| ('@'..='~').contains(&last))
}

/// Decodes a page; never fails. What is broken becomes U+FFFD, and NUL is left out.
pub(super) fn page(bytes: &[u8], content_type: Option<&str>, is_markup: bool) -> String {
    let text = decoded(bytes, content_type, is_markup);
    if text.contains('\0') { text.replace('\0', "") } else { text }
}

fn decoded(bytes: &[u8], content_type: Option<&str>, is_markup: bool) -> String {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(bytes.get(mark..).unwrap_or_default()).0.into_owned();
    }
    let is_utf8 = || std::str::from_utf8(bytes).is_ok() || is_cut_utf8(bytes);
    let encoding = match content_type.and_then(of_header) {
        // Text that is valid as UTF-8 is UTF-8, whatever it says; but the Japanese one is ASCII in disguise.
        Some(said) if said == ISO_2022_JP => said,
        _ if is_utf8() => UTF_8,
        Some(said) if said != UTF_8 => said,
        Some(_) | None => is_markup.then(|| declared(bytes)).flatten().unwrap_or_else(|| guess(bytes)),
    };
    encoding.decode_without_bom_handling(bytes).0.into_owned()
}

/// The most likely encoding, by the bytes alone.
fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Allow)
}

/// The encoding of `<meta charset=…>`, `content="…; charset=…"` or `<?xml encoding="…"?>`. A file that calls
/// itself UTF-8 and is not gets a guess instead, and UTF-16 without a byte order mark would hold NUL.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..limits::CHARSET_BYTES).unwrap_or(bytes).to_ascii_lowercase();
    let head = String::from_utf8_lossy(&head);
    let after = ["charset", "encoding"].iter().find_map(|word| head.split_once(word)).map(|(_, after)| after)?;
    let label = after.trim_start().strip_prefix('=')?.trim_start().trim_start_matches(['"', '\'']);
    let label = label.split(|c: char| !c.is_ascii_alphanumeric() && !"-_:.".contains(c)).next()?;
    let found = Encoding::for_label_no_replacement(label.as_bytes())?;
    let usable = found != UTF_8 && found != encoding_rs::UTF_16LE && found != encoding_rs::UTF_16BE;
    usable.then_some(found)
}

fn of_header(content_type: &str) -> Option<&'static Encoding> {
    let (_, label) =
        content_type.to_ascii_lowercase().split_once("charset=").map(|(a, b)| (a.to_owned(), b.to_owned()))?;
    let label =
        label.trim_start_matches(['"', '\'']).split(['"', '\'', ';', ' ']).next().unwrap_or_default().to_owned();
    Encoding::for_label_no_replacement(label.as_bytes())
}

/// UTF-8 that was cut inside a character at its end, or is damaged in a few places, is not another encoding.
fn is_cut_utf8(bytes: &[u8]) -> bool {
    let (mut broken, mut multibyte) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        broken += usize::from(!chunk.invalid().is_empty());
        multibyte += chunk.valid().chars().filter(|c| c.len_utf8() > 1).count();
    }
    broken <= 1 + multibyte / 50 && multibyte > broken * 3
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-01: lines of old files are lines.
    #[test]
    fn lb_01_lines_may_end_with_a_carriage_return_alone() {
        for (bytes, text) in [
            ("name,fee\rAnn,4\r", "name,fee\nAnn,4\n"),
            ("name\r\nAnn\r\n", "name\r\nAnn\r\n"),
            ("10 %\r20 %\nend\n", "10 %\r20 %\nend\n"),
            ("one", "one"),
        ] {
            assert_eq!(file(bytes.as_bytes(), false).unwrap(), text);
        }
    }

    /// LB-01: NUL bytes make a text unreadable only where they are not what is left of an accident or of another encoding.
    #[test]
    fn lb_01_texts_with_nul_are_read_where_they_are_texts() {
        let pairs = |text: &str, is_little: bool| -> Vec<u8> {
            let bytes = |unit: u16| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() };
            text.encode_utf16().flat_map(bytes).collect()
        };
        for text in ["The café is open.\r\n", "Прилив высок. Вода", "潮の高さは 4 m です。\n明日"]
        {
            for is_little in [true, false] {
                assert_eq!(file(&pairs(text, is_little), false).as_deref(), Ok(text), "{is_little}");
            }
        }
        let log = |hole: &[u8]| [b"one\ntwo\nthr", hole, b"five\nsix\n"].concat();
        for (bytes, text) in [
            (log(&[0; 4096]), Some("one\ntwo\nthr five\nsix\n")),
            (log(b"ee\n\0\0\0"), Some("one\ntwo\nthree\nfive\nsix\n")),
            (b"one\ntwo\nthree\n\0\0".to_vec(), Some("one\ntwo\nthree\n")),
            (log(b"\0\x01\0"), None),
            ([b"one\ntwo\nthree\n".to_vec(), pairs("tide\nfour", true)].concat(), Some("one\ntwo\nthree\ntide\nfour")),
            (log(b"\0\xff\0"), None),
            (b"one\n\0two\n".to_vec(), None),
            (b"alpha\0".to_vec(), None),
            (vec![0; 64], None),
            (b"\x01\0\x02\0\x03\0\x04\0".to_vec(), None),
            ([&pairs("text of pairs", true)[..], b"\0a\0b"].concat(), None),
        ] {
            assert_eq!(file(&bytes, false).ok().as_deref(), text, "{bytes:?}");
        }
    }

    /// LB-01: what a terminal obeys and where a word may be parted hides no word.
    #[test]
    fn lb_01_what_nobody_sees_is_left_out() {
        for (bytes, text) in [
            ("\u{1b}[1;31mpayment\u{1b}[0m failed", "payment failed"),
            ("\u{1b}[?25lwait\u{1b}[K", "wait"),
            ("\u{1b}\u{1b}[2Ja\u{1b}", "a"),
            ("Bundes\u{ad}ver\u{ad}\u{ad}fassung", "Bundesverfassung"),
            ("a[31m b", "a[31m b"),
            ("\u{1b}[\u{e9}", "[\u{e9}"),
        ] {
            assert_eq!(file(bytes.as_bytes(), false).unwrap(), text, "{bytes:?}");
        }
    }

    #[test]
    fn charsets_are_found_where_they_stand() {
        let cyrillic = "<meta charset=windows-1251><p>\u{43f}\u{440}\u{438}\u{432}\u{435}\u{442}";
        let cyrillic = encoding_rs::WINDOWS_1251.encode(cyrillic).0.into_owned();
        let (japanese, _, _) = encoding_rs::SHIFT_JIS.encode("\u{65e5}\u{672c}\u{8a9e}\u{306e}\u{6587}\u{7ae0}");
        let cases: [(&[u8], Option<&str>, &str); 9] = [
            (b"caf\xc3\xa9", None, "caf\u{e9}"),
            (
                b"caf\xe9 cr\xe8me br\xfbl\xe9e",
                Some("text/html; charset=iso-8859-1"),
                "caf\u{e9} cr\u{e8}me br\u{fb}l\u{e9}e",
            ),
            (b"caf\xc3\xa9", Some("text/html; charset=ISO-8859-1"), "caf\u{e9}"),
            (b"\xef\xbb\xbfcaf\xc3\xa9", Some("text/html; charset=koi8-r"), "caf\u{e9}"),
            (b"\xff\xfea\x00b\x00", None, "ab"),
            (&cyrillic, Some("text/html"), "<meta charset=windows-1251><p>\u{43f}\u{440}\u{438}\u{432}\u{435}\u{442}"),
            (&japanese, Some("text/html; charset=\"Shift_JIS\""), "\u{65e5}\u{672c}\u{8a9e}\u{306e}\u{6587}\u{7ae0}"),
            (b"a\0b", None, "ab"),
            (
                "\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{20ac}".as_bytes().split_last().unwrap().1,
                None,
                "\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{fffd}",
            ),
        ];
        for (bytes, content_type, expected) in cases {
            assert_eq!(page(bytes, content_type, true), expected, "{bytes:?} {content_type:?}");
        }
    }
}
