//! Snippets and titles as plain text: providers send HTML, entities, or both.

use crate::core::base::{limits, plain};
use crate::core::text::tags::{TagEvent, Tags};

/// Text out of a piece of HTML, on one line, cut to [`limits::SEARCH_SNIPPET_CHARS`].
pub(crate) fn plain(html: &str) -> String {
    let mut text = String::new();
    Tags::of(html).read(&mut |event, _place| {
        match event {
            TagEvent::String { value } => text.push_str(&String::from_utf8_lossy(value)),
            // A break or a new paragraph separates words, a highlight does not.
            TagEvent::OpenStartTag { name } if !INLINE.contains(&name) => text.push(' '),
            _ => {}
        }
        None
    });
    plain::words(&text, limits::SEARCH_SNIPPET_CHARS)
}

const INLINE: [&[u8]; 12] =
    [b"a", b"b", b"code", b"em", b"i", b"mark", b"span", b"strong", b"sub", b"sup", b"u", b"wbr"];
