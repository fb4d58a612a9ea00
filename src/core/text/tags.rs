//! HTML, and what is written like it, as tags and text: the one place where the tokenizer is called.
//!
//! It goes from one quoted value of a tag to the next by calling itself, so that a tag of some thousands of them would end hadal; an attribute without
//! a value ends its calls. And it is compiled anew for each kind of reader: 100 KB of the binary.

use std::borrow::Cow;

use html5gum::emitters::callback::CallbackEmitter;
pub(crate) use html5gum::emitters::callback::CallbackEvent as TagEvent;
use html5gum::{Span, Tokenizer};
pub(crate) use html5gum::{State, naive_next_state};

/// What is done with each event; the answer is the state that the tokenizer must go on in, if it is another.
pub(crate) type Reader<'r> = dyn FnMut(TagEvent<'_>, Span<usize>) -> Option<State> + 'r;

/// A text with tags.
#[derive(Debug)]
pub(crate) struct Tags<'h> {
    html: Cow<'h, str>,
}

impl<'h> Tags<'h> {
    pub(crate) fn of(html: impl Into<Cow<'h, str>>) -> Self {
        Self { html: with_pauses(html.into()) }
    }

    /// The text to which the places of events belong.
    pub(crate) fn html(&self) -> &str {
        &self.html
    }

    /// Hands each event to a reader.
    pub(crate) fn read(&self, reader: &mut Reader<'_>) {
        let emitter = CallbackEmitter::new(reader);
        let mut tokens = Tokenizer::new_with_emitter(&*self.html, emitter);
        while let Some(Ok(state)) = tokens.next() {
            tokens.set_state(state);
        }
    }
}

/// Quoted values of one tag that are read in one go. Tags seen in the wild have a dozen.
const IN_ONE_GO: usize = 64;
/// What is written between them: an attribute that means nothing.
const PAUSE: &str = " x ";

/// The same page with a pause behind every [`IN_ONE_GO`] values of a tag; hardly any page has such a tag.
fn with_pauses(html: Cow<'_, str>) -> Cow<'_, str> {
    let pauses = pauses(&html);
    if pauses.is_empty() {
        return html;
    }
    let mut out = String::with_capacity(html.len() + pauses.len() * PAUSE.len());
    let mut done = 0;
    for at in pauses {
        out.push_str(html.get(done..at).unwrap_or_default());
        out.push_str(PAUSE);
        done = at;
    }
    out.push_str(html.get(done..).unwrap_or_default());
    Cow::Owned(out)
}

/// Where pauses are to be made. What looks like a tag in a script or a comment is taken for one: nothing of it is shown.
fn pauses(html: &str) -> Vec<usize> {
    let mut pauses = Vec::new();
    let bytes = html.as_bytes();
    let mut at = 0;
    while let Some(opened) = find(bytes, at, b"<") {
        at = opened + 1;
        if !bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        let mut values = 0_usize;
        loop {
            // Behind the last of these signs no tag has a value.
            let Some(sign) = find(bytes, at, b"\"'>") else { return pauses };
            at = sign + 1;
            let quote = bytes.get(sign).copied().unwrap_or_default();
            if quote == b'>' {
                break;
            }
            // Elsewhere it is a letter: `title=it's`.
            if !bytes.get(..sign).unwrap_or_default().trim_ascii_end().ends_with(b"=") {
                continue;
            }
            let Some(end) = find(bytes, at, &[quote]) else { return pauses };
            at = end + 1;
            values += 1;
            if values.is_multiple_of(IN_ONE_GO) {
                pauses.push(at);
            }
        }
    }
    pauses
}

/// The next of these signs from a place on.
fn find(bytes: &[u8], from: usize, signs: &[u8]) -> Option<usize> {
    let at = bytes.get(from..)?.iter().position(|byte| signs.contains(byte))?;
    Some(from + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lb_01_only_tags_of_many_attributes_have_pauses() {
        let tag = |count: usize| format!("<p {}>it's \"so\"</p>", "a=\"1>2\" ".repeat(count));
        for html in [
            tag(IN_ONE_GO - 1),
            "a \"b\" ".repeat(IN_ONE_GO),
            format!("<p a=it's>{}", "don't x=\"y\" ".repeat(200)),
            "<p a=\"b".to_owned(),
            String::new(),
        ] {
            assert!(matches!(with_pauses(Cow::Borrowed(&html)), Cow::Borrowed(_)), "{html}");
        }
        assert_eq!(with_pauses(Cow::Borrowed(&tag(2 * IN_ONE_GO))).matches(PAUSE).count(), 2);
    }

    /// LB-01: a tag of very many attributes takes nothing down, and what stands in it is read with those that mean something.
    #[test]
    fn lb_01_tags_of_many_attributes_are_read() {
        for attribute in ["a=\"b\" ", "a = \"b\" ", "a=\"b\"", "a='b' ", "a=b ", "a ", "a=\"b\"/"] {
            let html = format!("<p {}lang=\"de\">The tide goes.</p>", attribute.repeat(100_000));
            let (mut said, mut language, mut name) = (String::new(), String::new(), Vec::new());
            Tags::of(&*html).read(&mut |event, _place| {
                match event {
                    TagEvent::AttributeName { name: own } => name = own.to_owned(),
                    TagEvent::AttributeValue { value } if name == b"lang" => {
                        language.push_str(&String::from_utf8_lossy(value));
                    }
                    TagEvent::String { value } => said.push_str(&String::from_utf8_lossy(value)),
                    _ => {}
                }
                None
            });
            assert_eq!((said.as_str(), language.as_str()), ("The tide goes.", "de"), "{attribute}");
        }
    }
}
