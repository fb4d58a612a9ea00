//! Letters that data writes by their numbers: `\u00f6` for `ö`. Programs write JSON so by default, and nobody searches for the numbers.

use crate::core::base::plain::{acts, is_empty};

/// The text with such letters as they are read. What would end a value or a line, and what nobody sees, stays as it is written, so lines are those of
/// the file.
pub(super) fn letters(text: String) -> String {
    if !text.contains("\\u") {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, escaped)) = rest.split_once('\\') {
        out.push_str(before);
        if let Some((c, behind)) = letter(escaped).filter(|(c, _)| is_shown(*c)) {
            out.push(c);
            rest = behind;
            continue;
        }
        // Whatever is escaped escapes nothing itself: `\\u00f6` is a backslash and letters.
        out.push('\\');
        let mut behind = escaped.chars();
        out.extend(behind.next());
        rest = behind.as_str();
    }
    out.push_str(rest);
    out
}

/// The letter that a backslash begins, and what follows it; two halves are one where they belong together.
fn letter(escaped: &str) -> Option<(char, &str)> {
    let (first, behind) = number(escaped)?;
    if let Some(c) = char::from_u32(first) {
        return Some((c, behind));
    }
    let (second, behind) = number(behind.strip_prefix('\\')?)?;
    let is_pair = (0xd800..0xdc00).contains(&first) && (0xdc00..0xe000).contains(&second);
    let code = is_pair.then(|| 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00))?;
    Some((char::from_u32(code)?, behind))
}

fn number(escaped: &str) -> Option<(u32, &str)> {
    let (digits, behind) = escaped.strip_prefix('u')?.split_at_checked(4)?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    Some((u32::from_str_radix(digits, 16).ok().filter(|_| is_number)?, behind))
}

fn is_shown(c: char) -> bool {
    !(acts(c) || is_empty(c) || matches!(c, '\u{ad}' | '"' | '\\'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-01: a letter that data writes by its number is found as the letter.
    #[test]
    fn lb_01_letters_are_read_that_are_written_by_their_numbers() {
        for (written, read) in [
            (r"K\u00f6ln, Z\u00FCrich", "Köln, Zürich"),
            (r"\u6771\u4eac \ud83d\ude00!", "東京 😀!"),
            (r"a\nb\u000ac\u0022d\u005c\u2028\u202e\u200b", r"a\nb\u000ac\u0022d\u005c\u2028\u202e\u200b"),
            // Letters that only programs see; how letters are joined is a part of the word.
            (r"\udb40\udc41 \u0645\u200c", "\\udb40\\udc41 م\u{200c}"),
            (r"\\u00f6 \\\u00f6", r"\\u00f6 \\ö"),
            (r"\ud83d \ude00 \ud83dx \ud83d\u00f6", r"\ud83d \ude00 \ud83dx \ud83dö"),
            (r"\u00f \u+0f6 \u00fö \u", r"\u00f \u+0f6 \u00fö \u"),
            (r"C:\users \", r"C:\users \"),
        ] {
            assert_eq!(letters(written.to_owned()), read, "{written}");
        }
    }
}
