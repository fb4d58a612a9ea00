//! The letters of RTF: bytes in the code page of their font, and numbers of characters with what stands for them in old programs.

use std::collections::BTreeMap;

use encoding_rs::{
    BIG5, EUC_KR, Encoding, GBK, IBM866, KOI8_R, MACINTOSH, SHIFT_JIS, UTF_8, WINDOWS_874, WINDOWS_1250, WINDOWS_1251,
    WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257, WINDOWS_1258,
};

/// Code pages by the number that `\ansicpg` and `\cpg` name them with; others are taken for the usual one.
const CODE_PAGES: [(i32, &Encoding); 19] = [
    (866, IBM866),
    (874, WINDOWS_874),
    (932, SHIFT_JIS),
    (936, GBK),
    (949, EUC_KR),
    (950, BIG5),
    (1250, WINDOWS_1250),
    (1251, WINDOWS_1251),
    (1252, WINDOWS_1252),
    (1253, WINDOWS_1253),
    (1254, WINDOWS_1254),
    (1255, WINDOWS_1255),
    (1256, WINDOWS_1256),
    (1257, WINDOWS_1257),
    (1258, WINDOWS_1258),
    (1361, EUC_KR),
    (10_000, MACINTOSH),
    (20_866, KOI8_R),
    (65_001, UTF_8),
];
/// The code pages of the character sets that `\fcharset` names.
const CHARACTER_SETS: [(i32, i32); 16] = [
    (0, 1252),
    (77, 10_000),
    (128, 932),
    (129, 949),
    (130, 1361),
    (134, 936),
    (136, 950),
    (161, 1253),
    (162, 1254),
    (163, 1258),
    (177, 1255),
    (178, 1256),
    (186, 1257),
    (204, 1251),
    (222, 874),
    (238, 1250),
];
/// Fonts of signs: their letters are pictures.
const SYMBOLS: i32 = 2;
/// Fonts that are told apart; a file of more has those of the last ones read as the document is.
const FONTS: usize = 10_000;

/// How the bytes of a run are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Letters {
    CodePage(&'static Encoding),
    /// Pictures, of which dots before items are known.
    Symbols,
}

impl Letters {
    fn of_page(page: i32) -> Option<Self> {
        let known = CODE_PAGES.iter().find(|(number, _)| *number == page);
        known.map(|(_, encoding)| Self::CodePage(encoding))
    }

    fn of_set(set: i32) -> Option<Self> {
        if set == SYMBOLS {
            return Some(Self::Symbols);
        }
        CHARACTER_SETS.iter().find(|(number, _)| *number == set).and_then(|(_, page)| Self::of_page(*page))
    }

    /// The text of bytes that follow each other: those of Chinese and Japanese are pairs.
    pub(super) fn text(self, bytes: &[u8]) -> String {
        match self {
            Self::CodePage(encoding) => encoding.decode_without_bom_handling(bytes).0.into_owned(),
            Self::Symbols => bytes.iter().filter_map(|byte| symbol(*byte)).collect(),
        }
    }
}

fn symbol(byte: u8) -> Option<char> {
    match byte {
        0xb7 | 0xa7 | 0xa8 | 0xd8 | 0xfc => Some('•'),
        byte if byte.is_ascii() => Some(char::from(byte)),
        _ => None,
    }
}

/// The fonts of a document, as far as they tell how bytes are read.
#[derive(Debug)]
pub(super) struct Fonts {
    /// How bytes are read where no font tells.
    page: Letters,
    by_number: BTreeMap<i32, Letters>,
    /// The font that is being told.
    told: i32,
}

impl Default for Fonts {
    fn default() -> Self {
        Self { page: Letters::CodePage(WINDOWS_1252), by_number: BTreeMap::new(), told: 0 }
    }
}

impl Fonts {
    /// The code page of the whole document.
    pub(super) fn set_page(&mut self, page: Option<i32>) {
        self.page = page.and_then(Letters::of_page).unwrap_or(self.page);
    }

    /// A control word of the list of fonts.
    pub(super) fn tell(&mut self, word: &str, number: Option<i32>) {
        let letters = match (word, number) {
            ("f", Some(font)) => {
                self.told = font;
                return;
            }
            ("fcharset", Some(set)) => Letters::of_set(set),
            ("cpg", Some(page)) => Letters::of_page(page),
            _ => None,
        };
        if let Some(letters) = letters.filter(|_| self.by_number.len() < FONTS) {
            self.by_number.insert(self.told, letters);
        }
    }

    pub(super) fn letters(&self, font: Option<i32>) -> Letters {
        font.and_then(|font| self.by_number.get(&font).copied()).unwrap_or(self.page)
    }
}

/// Characters that are written by their numbers, of which some need two.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Numbered {
    /// The first half of a character that needs two.
    first: Option<u16>,
}

impl Numbered {
    /// The character of `\uN`; a negative number is one above 32767.
    pub(super) fn character(&mut self, number: i32) -> Option<char> {
        let value = if number < 0 { number.checked_add(0x1_0000)? } else { number };
        let value = u32::try_from(value).ok()?;
        let first = self.first.take();
        match u16::try_from(value) {
            Ok(unit @ 0xd800..=0xdbff) => {
                self.first = Some(unit);
                None
            }
            Ok(unit @ 0xdc00..=0xdfff) => char::decode_utf16([first?, unit]).next()?.ok(),
            // Fonts of signs have them here.
            Ok(unit @ 0xf000..=0xf0ff) => symbol(u8::try_from(unit & 0xff).ok()?),
            Ok(_) | Err(_) => char::from_u32(value).filter(|c| !c.is_control()),
        }
    }
}

/// The sign that a control word stands for.
pub(super) fn sign(word: &str) -> Option<&'static str> {
    Some(match word {
        "emdash" => "—",
        "endash" => "–",
        "lquote" => "‘",
        "rquote" => "’",
        "ldblquote" => "“",
        "rdblquote" => "”",
        "bullet" => "•",
        "tab" | "emspace" | "enspace" | "qmspace" => " ",
        "line" | "lbr" | "page" | "column" => "\n",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lb_01_bytes_are_read_in_the_code_page_of_their_font() {
        let mut fonts = Fonts::default();
        let told = [
            ("f", 1),
            ("fcharset", 204),
            ("f", 2),
            ("fcharset", 128),
            ("f", 3),
            ("fcharset", 2),
            ("f", 4),
            ("cpg", 1250),
        ];
        told.into_iter().for_each(|(word, number)| fonts.tell(word, Some(number)));
        let cases: [(Option<i32>, &[u8], &str); 7] = [
            (None, b"caf\xe9 \x80", "café €"),
            (Some(1), b"\xcf\xf0\xe8\xeb\xe8\xe2", "Прилив"),
            // The second byte of a pair may be a letter.
            (Some(2), b"\x92\xaa\x83A", "潮ア"),
            (Some(3), b"\xb7\xf1", "•"),
            (Some(4), b"\xb3\xf3d\x9f", "łódź"),
            (Some(9), b"\xe9", "é"),
            (None, b"", ""),
        ];
        for (font, bytes, expected) in cases {
            assert_eq!(fonts.letters(font).text(bytes), expected, "{font:?}");
        }
        fonts.set_page(Some(1253));
        assert_eq!(fonts.letters(None).text(b"\xe1"), "α");
        fonts.set_page(Some(4));
        assert_eq!(fonts.letters(None).text(b"\xe1"), "α", "an unknown page changes nothing");
    }

    #[test]
    fn lb_01_characters_are_read_by_their_numbers() {
        let mut numbered = Numbered::default();
        for (number, expected) in [
            (233, Some('é')),
            (-10_179, None),
            (-8_704, Some('😀')),
            (-8_704, None),
            (-3_913, Some('•')),
            (128_512, Some('😀')),
            (0, None),
            (i32::MIN, None),
            (i32::MAX, None),
        ] {
            assert_eq!(numbered.character(number), expected, "{number}");
        }
    }
}
