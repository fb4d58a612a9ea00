//! XML as a flat row of tags and texts.
//!
//! No tree, no recursion, and no entities but the five that XML has by itself and numbers: a document cannot make itself larger than it is. Names come
//! without their prefix; what is broken is read as far as it can be.

use std::borrow::Cow;

/// One step through a document.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    Open(Tag<'t>),
    /// `<br/>`: opened and closed at once.
    Empty(Tag<'t>),
    Close(&'t str),
    Text(Cow<'t, str>),
}

/// A tag that opens an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag<'t> {
    /// Without its prefix.
    pub(super) name: &'t str,
    /// With it.
    pub(super) full: &'t str,
    attributes: &'t str,
}

impl<'t> Tag<'t> {
    /// The value of an attribute: by its whole name where that has a prefix, else by the name behind any prefix.
    pub(super) fn get(&self, name: &str) -> Option<Cow<'t, str>> {
        let is_it = |found: &str| found == name || (!name.contains(':') && local(found) == name);
        // The name as it stands is meant before the one behind a prefix.
        let exact = Attributes(self.attributes).find(|(found, _)| *found == name);
        exact.or_else(|| Attributes(self.attributes).find(|(found, _)| is_it(found))).map(|(_, value)| unescaped(value))
    }

    /// The value as a number.
    pub(super) fn number(&self, name: &str) -> Option<u32> {
        self.get(name)?.trim().parse().ok()
    }
}

struct Attributes<'t>(&'t str);

impl<'t> Iterator for Attributes<'t> {
    type Item = (&'t str, &'t str);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, rest) = self.0.split_once('=')?;
        let rest = rest.trim_start();
        let quote = rest.chars().next().filter(|c| *c == '"' || *c == '\'')?;
        let (value, rest) = rest.get(1..)?.split_once(quote)?;
        self.0 = rest;
        Some((name.trim(), value))
    }
}

/// Goes through a document.
#[derive(Debug)]
pub(super) struct Tokens<'t> {
    rest: &'t str,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { rest: text }
    }

    /// Leaves out the inside of an element that was just opened, and its end.
    pub(super) fn skip_element(&mut self, name: &str) {
        let mut depth = 1_usize;
        for token in self.by_ref() {
            match token {
                Token::Open(tag) if tag.name == name => depth += 1,
                Token::Close(closed) if closed == name => depth -= 1,
                Token::Open(_) | Token::Close(_) | Token::Empty(_) | Token::Text(_) => {}
            }
            if depth == 0 {
                return;
            }
        }
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        loop {
            if self.rest.is_empty() {
                return None;
            }
            let Some(markup) = self.rest.strip_prefix('<') else {
                let end = self.rest.find('<').unwrap_or(self.rest.len());
                let (text, rest) = self.rest.split_at_checked(end)?;
                self.rest = rest;
                return Some(Token::Text(unescaped(text)));
            };
            if let Some(text) = markup.strip_prefix("![CDATA[") {
                let (text, rest) = text.split_once("]]>").unwrap_or((text, ""));
                self.rest = rest;
                return Some(Token::Text(Cow::Borrowed(text)));
            }
            if let Some(hidden) = hidden(markup) {
                self.rest = hidden;
                continue;
            }
            let end = tag_end(markup);
            let inside = markup.get(..end).unwrap_or(markup);
            self.rest = markup.get(end + 1..).unwrap_or_default();
            if let Some(name) = inside.strip_prefix('/') {
                return Some(Token::Close(local(name.trim())));
            }
            let (inside, is_empty) = inside.strip_suffix('/').map_or((inside, false), |inside| (inside, true));
            let name_end = inside.find(|c: char| c.is_whitespace()).unwrap_or(inside.len());
            let (full, attributes) = inside.split_at_checked(name_end).unwrap_or((inside, ""));
            let tag = Tag { name: local(full), full, attributes };
            return Some(if is_empty { Token::Empty(tag) } else { Token::Open(tag) });
        }
    }
}

/// What follows a comment, a declaration or an instruction.
fn hidden(markup: &str) -> Option<&str> {
    let behind = |text: &'_ str, end: &str| text.find(end).map_or(text.len(), |at| at + end.len());
    let end = if markup.starts_with("!--") {
        behind(markup, "-->")
    } else if markup.starts_with('?') {
        behind(markup, "?>")
    } else if markup.starts_with('!') {
        // A document type may hold declarations in brackets.
        let close = markup.find('>').unwrap_or(markup.len());
        let brackets = markup.get(..close).is_some_and(|declaration| declaration.contains('['));
        if brackets { behind(markup, "]>") } else { behind(markup, ">") }
    } else {
        return None;
    };
    Some(markup.get(end..).unwrap_or_default())
}

/// Where a tag ends: at the first `>` that is in no quoted value.
fn tag_end(markup: &str) -> usize {
    let mut quote = None;
    for (at, byte) in markup.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return at,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            (None | Some(_), _) => {}
        }
    }
    markup.len()
}

fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, name)| name)
}

/// Text with its references replaced; those that only a document type could explain stay as they are.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, reference)) = rest.split_once('&') {
        out.push_str(before);
        // No reference that is known is longer.
        let near = reference.get(..reference.floor_char_boundary(12)).unwrap_or_default();
        let known = near.split_once(';').and_then(|(name, _)| Some((character(name)?, name.len() + 1)));
        match known {
            Some((c, length)) => {
                out.push(c);
                rest = reference.get(length..).unwrap_or_default();
            }
            None => {
                out.push('&');
                rest = reference;
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn character(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code).filter(|c| *c != '\0')
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let one = |token: Token<'_>| match token {
            Token::Open(tag) => format!("<{} {:?}>", tag.name, tag.get("a").as_deref().unwrap_or("-")),
            Token::Empty(tag) => format!("<{}/>", tag.name),
            Token::Close(name) => format!("</{name}>"),
            Token::Text(text) => format!("{text:?}"),
        };
        Tokens::new(text).map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn documents_are_read_flat() {
        let cases = [
            ("<?xml version='1.0'?><w:p w:a='1'>x</w:p>", r#"<p "1"> "x" </p>"#),
            ("<p q:a=\"2\" a='>1&lt;'/>t", r#"<p/> "t""#),
            ("<p q:a=\"2\" a='>1&lt;'>t", r#"<p ">1<"> "t""#),
            ("a &amp; b &#65;&#x42; &nbsp; &", r#""a & b AB &nbsp; &""#),
            ("<!-- <x> --><![CDATA[<y>]]><!DOCTYPE a [<!ENTITY b 'c'>]>z", r#""<y>" "z""#),
            ("<open <p", r#"<open "-">"#),
            ("<!-- never closed", ""),
            ("<a b='never closed", r#"<a "-">"#),
            ("&#0;&#xFFFFFFFF;&#;", r#""&#0;&#xFFFFFFFF;&#;""#),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn entities_of_a_document_are_not_expanded() {
        let laughs = "<!DOCTYPE l [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;'>]><l>&b;</l>";
        assert_eq!(shown(laughs), r#"<l "-"> "&b;" </l>"#);
    }

    #[test]
    fn what_is_skipped_is_skipped_with_what_is_in_it() {
        let mut tokens = Tokens::new("<a><b><a>no</a></b></a>yes");
        tokens.next();
        tokens.skip_element("a");
        assert_eq!(tokens.next(), Some(Token::Text("yes".into())));
    }
}
