//! HTML as readable text, from its tokens alone.
//!
//! There is no tree and no recursion, so nesting costs nothing and garbage ends where the file
//! ends. What a reader does not see (scripts, styles, navigation, hidden elements) is left out; lists, tables and
//! code keep their lines.

mod page;

use html5gum::{DefaultEmitter, EndTag, StartTag, State, Token, Tokenizer, naive_next_state};

use super::lines::LineMap;
use super::{Extracted, one_line};
use page::Page;

/// Elements whose content is not shown or is not what the page is about.
const DROPPED: [&str; 20] = [
    "audio", "button", "canvas", "datalist", "dialog", "footer", "iframe", "map", "nav", "noembed", "noframes",
    "noscript", "object", "script", "select", "style", "svg", "template", "textarea", "video",
];

/// Elements that never have content, so that a `hidden` one hides nothing.
const VOID: [&str; 14] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];

/// Elements whose end tag may be missing: the next of its kind ends them.
const END_OPTIONAL: [&str; 8] = ["dd", "dt", "li", "option", "p", "td", "th", "tr"];

pub(super) fn extract(html: &str) -> Extracted {
    // Positions are counted without carriage returns by the tokenizer; line ends stay what they are.
    let html = html.replace("\r\n", "\n").replace('\r', " ");
    match read(&html, usize::MAX) {
        Ok(extracted) => extracted,
        // A hidden element was never closed and took the rest of the file with it: show everything from there on.
        Err(unclosed_at) => match read(&html, unclosed_at) {
            Ok(extracted) => extracted,
            Err(_) => Page::default().finish(None),
        },
    }
}

/// Whether a reader would see a word.
pub(super) fn has_text(html: &str) -> bool {
    extract(html).text.contains(char::is_alphanumeric)
}

/// Reads a page. Elements that begin at `show_from` or later are not left out, but for those that hold no HTML
/// (scripts). The error is where an element that was left out and never closed begins.
fn read(html: &str, show_from: usize) -> Result<Extracted, usize> {
    let lines = LineMap::of(html);
    let mut reader = Reader { page: Page::default(), title: None, in_title: false, dropping: None, show_from };
    let mut tokens = Tokenizer::new_with_emitter(html, DefaultEmitter::<usize>::new_with_span());
    while let Some(Ok(token)) = tokens.next() {
        match token {
            Token::StartTag(tag) => {
                // `<script/>` of XHTML is empty, so it switches nothing.
                if let Some(state) = naive_next_state(&tag.name).filter(|_| !tag.self_closing) {
                    // Nothing ends plain text; it is shown as what it is.
                    tokens.set_state(if tag.name.0 == b"plaintext" { State::Data } else { state });
                }
                reader.start(&tag);
            }
            Token::EndTag(tag) => reader.end(&tag),
            Token::String(text) => {
                let first = lines.line(text.span.start);
                reader.text(&String::from_utf8_lossy(&text.value), first, lines.line(text.span.end));
            }
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    match reader.dropping {
        Some(Dropping { at, raw: false, .. }) if at < show_from => Err(at),
        Some(_) | None => Ok(reader.page.finish(reader.title.map(|title| one_line(&title)))),
    }
}

/// An element that is being left out.
#[derive(Debug)]
struct Dropping {
    name: Vec<u8>,
    /// Elements of the same name inside it, and itself.
    open: usize,
    at: usize,
    /// It holds no HTML.
    raw: bool,
}

struct Reader {
    page: Page,
    title: Option<String>,
    in_title: bool,
    dropping: Option<Dropping>,
    show_from: usize,
}

impl Reader {
    fn start(&mut self, tag: &StartTag<usize>) {
        let name = tag.name.0.as_slice();
        if let Some(dropping) = &mut self.dropping {
            let ends = ends_by_start(&dropping.name, name);
            if dropping.name == name && !ends && !tag.self_closing {
                dropping.open += 1;
            }
            if !ends {
                return;
            }
            self.dropping = None;
        }
        let has_content = !tag.self_closing && !is_in(&VOID, name);
        let raw = naive_next_state(name).is_some();
        if has_content && (raw || tag.span.start < self.show_from) && (is_in(&DROPPED, name) || is_hidden(tag)) {
            self.dropping = Some(Dropping { name: name.to_vec(), open: 1, at: tag.span.start, raw });
        } else if name == b"title" {
            self.in_title = has_content;
        } else {
            self.page.open(name);
        }
    }

    fn end(&mut self, tag: &EndTag<usize>) {
        let name = tag.name.0.as_slice();
        if let Some(dropping) = &mut self.dropping {
            if dropping.name == name {
                dropping.open -= 1;
                if dropping.open == 0 {
                    self.dropping = None;
                }
            }
        } else if name == b"title" {
            self.in_title = false;
        } else {
            self.page.close(name);
        }
    }

    fn text(&mut self, text: &str, first_line: u32, last_line: u32) {
        if self.dropping.is_some() {
        } else if self.in_title {
            // The first title counts; drawings have titles too.
            self.title.get_or_insert_with(|| text.to_owned());
        } else {
            self.page.text(text, first_line, last_line);
        }
    }
}

/// Whether a start tag ends an element that is open without an end tag.
fn ends_by_start(open: &[u8], name: &[u8]) -> bool {
    is_in(&END_OPTIONAL, open) && (open == name || (open == b"p" && page::is_block(name)))
}

fn is_hidden(tag: &StartTag<usize>) -> bool {
    let value = |name: &[u8]| tag.attributes.get(name).map(|value| value.value.0.to_ascii_lowercase());
    let style: Vec<u8> = value(b"style").unwrap_or_default().into_iter().filter(|b| !b.is_ascii_whitespace()).collect();
    let role = value(b"role").unwrap_or_default();
    tag.attributes.contains_key(b"hidden".as_slice())
        || value(b"aria-hidden").is_some_and(|value| value == b"true")
        || style.windows(12).any(|window| window == b"display:none")
        || [b"navigation".as_slice(), b"search", b"contentinfo"].contains(&role.as_slice())
}

fn is_in(names: &[&str], name: &[u8]) -> bool {
    names.iter().any(|known| known.as_bytes() == name)
}
