//! The labels that entries of a list of sources begin with.

use super::numbers::{numbers, superscript};
use crate::core::base::plain::is_digits;

/// The label that an entry begins with: `[1]`, `[^1]:`, `1.`, `1)`, `(1)`, `【1】`, `¹`.
pub(super) fn label(line: &str) -> (Option<String>, &str) {
    for (open, close) in [("\\[", "\\]"), ("[", "]"), ("【", "】"), ("(", ")")] {
        let inner = line.strip_prefix(open).and_then(|rest| rest.split_once(close));
        let Some((inner, rest)) = inner else { continue };
        // `[Title](url)` is no label.
        let linked = rest.starts_with('(') && numbers(inner).is_none();
        let name = inner.trim_start_matches('^').trim_end_matches('^').trim();
        let name = name.split('†').next().unwrap_or(name);
        let plain = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        let is_high = (1..=6).contains(&name.len()) && is_digits(name);
        let is_number = (numbers(plain).is_some() && plain.len() + 8 >= name.len()) || is_high;
        if !linked && (is_number || inner.starts_with('^')) && name.len() <= 40 {
            // `[1](url)` keeps its address.
            let rest = if rest.starts_with('(') { line.get(line.len() - rest.len()..).unwrap_or(rest) } else { rest };
            return (Some(if is_number { plain.to_owned() } else { name.to_owned() }), rest);
        }
    }
    let raised: String = line.chars().map_while(superscript).collect();
    if !raised.is_empty() {
        let length: usize = line.chars().take(raised.chars().count()).map(char::len_utf8).sum();
        return (Some(raised), line.get(length..).unwrap_or_default());
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..).unwrap_or_default();
    let number = (1..=3).contains(&digits) && rest.starts_with(['.', ')', ':', ' ', '\t', ']']);
    if number { (line.get(..digits).map(str::to_owned), rest.get(1..).unwrap_or_default()) } else { (None, line) }
}
