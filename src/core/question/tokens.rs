//! What a single token of a question is by its letters: an id that a program made, an address, the name of a setting.

use std::ops::RangeInclusive;

/// Of a path of names its end, with the colons before it: `::into_transport` of `Error::into_transport`. Addresses have colons, too.
pub(super) fn end_of_path(token: &str) -> &str {
    let is_name = |name: &str| name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    match token.rsplit_once("::") {
        Some((path, name)) if is_name(path) && is_name(name) && !is_address_in_colons(token) => {
            token.get(path.len()..).unwrap_or(token)
        }
        _ => token,
    }
}

/// `2001:db8::1`.
pub(super) fn is_address_in_colons(token: &str) -> bool {
    let is_group = |group: &str| group.len() <= 4 && group.bytes().all(|byte| byte.is_ascii_hexdigit());
    let groups = token.split(':').count();
    token.contains("::") && (3..=8).contains(&groups) && token.split(':').all(is_group) && token.len() > 2
}

/// Characters that an id which a program made has at least, and how often it changes between letters and digits.
const ID_CHARS: usize = 6;
const ID_CHANGES: usize = 3;

/// Whether a token is the id that a program gave to something, in hexadecimal digits: `7be2c0aa`. `sha256sum`, `C6H12O6` and `1920x1080` are names of
/// people's.
pub(super) fn is_made_id(token: &str) -> bool {
    let is_hex = |digit: &u8| digit.is_ascii_digit() || (b'a'..=b'f').contains(digit);
    let is_plain = token.len() >= ID_CHARS
        && (token.bytes().all(|byte| is_hex(&byte))
            || token.bytes().all(|byte| is_hex(&byte.to_ascii_lowercase()) && !byte.is_ascii_lowercase()));
    let pairs = token.as_bytes().windows(2);
    let changes = pairs.filter(|pair| matches!(pair, [one, two] if one.is_ascii_digit() != two.is_ascii_digit()));
    is_plain && changes.count() >= ID_CHANGES
}

/// Characters that the word before a single letter has at least: `ward-B`, not `X-A`.
const BEFORE_LETTER: usize = 2;
/// Small letters that are so joined to a word in a question typed without capitals; others are words of French: `puis-j`, `va-t`, `vas-y`.
const SMALL_LETTERS: RangeInclusive<char> = 'a'..='h';

/// Whether a token is a word and the letter that tells it from its like: `LSM-A`, `ward-B`.
pub(super) fn is_lettered(token: &str, pieces: &[&str]) -> bool {
    let [word, letter] = pieces else { return false };
    let is_word = word.chars().count() >= BEFORE_LETTER && word.chars().all(char::is_alphanumeric);
    let mut letters = letter.chars();
    let is_letter = letters.next().is_some_and(|c| c.is_ascii_uppercase() || SMALL_LETTERS.contains(&c))
        && letters.next().is_none();
    is_word && is_letter && token.contains('-')
}

/// Letters that each word of a name with full stops has at least: `core.autocrlf`, not `e.g`.
const DOTTED_LETTERS: usize = 2;

/// Whether a token without digits that matter is the name of a setting, a function, a file.
pub(super) fn is_identifier(written: &str, token: &str, pieces: &[&str]) -> bool {
    let is_word = |piece: &&str| !piece.is_empty() && piece.chars().all(char::is_alphanumeric);
    let is_long = |piece: &&str| piece.chars().filter(|c| c.is_alphabetic()).count() >= DOTTED_LETTERS;
    let is_dotted = token.contains('.') && pieces.iter().all(is_long);
    // What has its place in a path is a name, too: `Reader::Max-Size`.
    let is_option = written.starts_with("--") || written.starts_with("::");
    let is_variable = written.starts_with('$') && pieces.iter().all(is_long);
    let is_joined = pieces.len() > 1 && (token.contains('_') || is_dotted || is_option);
    pieces.iter().all(is_word) && (is_joined || is_variable)
}
