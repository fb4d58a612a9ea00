//! What letters are called in fonts, and what such a name means: `eacute`, `uni00E9`.

use unicode_normalization::UnicodeNormalization;

/// What names of letters mean that do not say it by themselves.
const NAMES: &str = "exclam ! quotedbl \" numbersign # dollar $ percent % ampersand & quotesingle ' quoteright ’ parenleft ( parenright ) asterisk * \
    plus + comma , hyphen - minus − period . slash / zero 0 one 1 two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9 colon : semicolon ; \
    less < equal = greater > question ? at @ bracketleft [ backslash \\ bracketright ] underscore _ quoteleft ‘ braceleft { bar | braceright } \
    asciitilde ~ quotedblleft “ quotedblright ” quotedblbase „ quotesinglbase ‚ guillemotleft « guillemotright » guilsinglleft ‹ guilsinglright › \
    endash – emdash — bullet • ellipsis … dagger † daggerdbl ‡ section § paragraph ¶ degree ° plusminus ± multiply × divide ÷ mu µ periodcentered · \
    onehalf ½ onequarter ¼ threequarters ¾ cent ¢ sterling £ yen ¥ Euro € copyright © registered ® trademark ™ exclamdown ¡ questiondown ¿ \
    germandbls ß ae æ AE Æ oe œ OE Œ oslash ø Oslash Ø lslash ł Lslash Ł eth ð Eth Ð thorn þ Thorn Þ dotlessi ı ff ff fi fi fl fl ffi ffi ffl ffl";
/// What stands behind the letter in the name of one with an accent.
const ACCENTS: [(&str, char); 14] = [
    ("acute", '\u{301}'),
    ("breve", '\u{306}'),
    ("caron", '\u{30c}'),
    ("cedilla", '\u{327}'),
    ("circumflex", '\u{302}'),
    ("commaaccent", '\u{326}'),
    ("dieresis", '\u{308}'),
    ("dotaccent", '\u{307}'),
    ("grave", '\u{300}'),
    ("hungarumlaut", '\u{30b}'),
    ("macron", '\u{304}'),
    ("ogonek", '\u{328}'),
    ("ring", '\u{30a}'),
    ("tilde", '\u{303}'),
];

/// What a letter of this name means: `eacute`, `uni00E9`, `f_f_i`, `a.alt`.
pub(crate) fn meaning(name: &str) -> Option<String> {
    let name = name.split_once('.').map_or(name, |(name, _)| name);
    name.split('_').map(single).collect()
}

fn single(name: &str) -> Option<String> {
    let mut letters = name.chars();
    if let (Some(letter), None) = (letters.next(), letters.next()) {
        return Some(letter.to_string());
    }
    if matches!(name, "space" | "nbspace") {
        return Some(" ".to_owned());
    }
    let mut named = NAMES.split_ascii_whitespace();
    while let (Some(known), Some(meaning)) = (named.next(), named.next()) {
        if known == name {
            return Some(meaning.to_owned());
        }
    }
    let accented = ACCENTS.iter().find_map(|(accent, mark)| {
        let letter = name.strip_suffix(accent).filter(|letter| letter.len() == 1)?;
        Some([letter, mark.encode_utf8(&mut [0; 4])].concat().nfc().collect())
    });
    accented.or_else(|| {
        let digits = name.strip_prefix("uni").or_else(|| name.strip_prefix('u'))?;
        let is_code = digits.len() >= 4 && digits.chars().all(|c| matches!(c, '0'..='9' | 'A'..='F'));
        u32::from_str_radix(digits, 16).ok().filter(|_| is_code).and_then(char::from_u32).map(String::from)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_letters_tell_what_they_mean() {
        for (name, expected) in [
            ("A", Some("A")),
            ("space", Some(" ")),
            ("seven", Some("7")),
            ("eacute", Some("é")),
            ("Scaron", Some("Š")),
            ("germandbls", Some("ß")),
            ("f_f_i", Some("ffi")),
            ("ffl", Some("ffl")),
            ("a.alt", Some("a")),
            ("uni20AC", Some("€")),
            ("u1F600", Some("😀")),
            ("uniD800", None),
            ("uface", None),
            ("g17", None),
            ("a28", None),
            ("acute", None),
            (".notdef", None),
            ("", None),
        ] {
            assert_eq!(meaning(name).as_deref(), expected, "{name}");
        }
    }
}
