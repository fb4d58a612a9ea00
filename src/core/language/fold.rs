//! Words as they are compared: in lower case, without accents.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// The word in lower case, without the accents of Latin letters.
pub(crate) fn folded(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(word.len());
    for c in word.nfc().flat_map(char::to_lowercase) {
        match letters_of(c) {
            Some(letters) => folded.push_str(letters),
            None if is_accent(c) && folded.ends_with(|before: char| before.is_ascii()) => {}
            None => fold_into(&mut folded, c),
        }
    }
    folded
}

/// Whether a text is this one in small letters: `ÜBUNG` is `übung`.
pub(crate) fn is_in_small_letters(text: &str, small: &str) -> bool {
    text.eq_ignore_ascii_case(small) || (!small.is_ascii() && text.to_lowercase() == small)
}

/// An accent that stands behind its letter, as some systems write all of them: a part of the word.
pub(crate) fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// Letters that are more than a letter with an accent.
fn letters_of(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' | 'ǽ' => "ae",
        'œ' => "oe",
        'ø' | 'ǿ' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'þ' => "th",
        'ħ' => "h",
        'ı' => "i",
        'ŧ' => "t",
        'ŋ' => "n",
        _ => return None,
    })
}

/// Appends the ASCII letters that a character is made of; one that is made of others stays what it is.
fn fold_into(folded: &mut String, c: char) {
    let (before, mut is_latin) = (folded.len(), true);
    decompose_compatible(c, |part| match part {
        _ if part.is_ascii_alphanumeric() => folded.push(part.to_ascii_lowercase()),
        _ if is_combining_mark(part) => {}
        _ => is_latin = false,
    });
    if !is_latin || folded.len() == before {
        folded.truncate(before);
        folded.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_and_double_letters_are_folded() {
        for (word, expected) in [
            ("Straße", "strasse"),
            ("ŒUVRE", "oeuvre"),
            ("crème", "creme"),
            ("Ångström", "angstrom"),
            ("Gru\u{308}n", "grun"),
            ("cafe\u{301}s", "cafes"),
            ("İstanbul", "istanbul"),
            ("й", "й"),
            ("пароль", "пароль"),
            ("深海", "深海"),
            ("ABC", "abc"),
            ("", ""),
        ] {
            assert_eq!(folded(word), expected);
        }
    }
}
