//! The little of TOML that is read and written by hand.

use std::ops::Range;

/// The number of the line in which something stands; the first one for what has no place.
pub(super) fn line_of(text: &str, span: Option<Range<usize>>) -> usize {
    1 + text.bytes().take(span.map_or(0, |span| span.start)).filter(|byte| *byte == b'\n').count()
}

/// A text as TOML writes it.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}
