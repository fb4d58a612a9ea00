//! Snippets and titles as plain text: providers send HTML, entities, or both.

use html5gum::{Token, Tokenizer};

use crate::core::base::{limits, plain};

/// Text out of a piece of HTML, on one line, cut to [`limits::SEARCH_SNIPPET_CHARS`].
pub(crate) fn plain(html: &str) -> String {
    let mut text = String::new();
    for token in Tokenizer::new(html).flatten() {
        match token {
            Token::String(piece) => text.push_str(&String::from_utf8_lossy(&piece)),
            // A break or a new paragraph separates words, a highlight does not.
            Token::StartTag(tag) if !INLINE.contains(&tag.name.as_slice()) => text.push(' '),
            Token::StartTag(_) | Token::EndTag(_) | Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    plain::words(&text, limits::SEARCH_SNIPPET_CHARS)
}

const INLINE: [&[u8]; 12] =
    [b"a", b"b", b"code", b"em", b"i", b"mark", b"span", b"strong", b"sub", b"sup", b"u", b"wbr"];
