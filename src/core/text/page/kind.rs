//! What kind of page it is: by its bytes where they are plain, then by its header, then by its address.

use super::Raw;
use crate::core::base::error::{Code, Error, Result};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Html,
    Pdf,
    Text,
    Markdown,
    Json,
    Feed,
}

/// How far into a page its kind is looked for, in bytes.
const LOOKED_AT: usize = 1_024;

/// The kind of a page; an error for what is no text (pictures, archives).
pub(crate) fn of(raw: &Raw<'_>) -> Result<Kind> {
    let head = raw.bytes.get(..LOOKED_AT).unwrap_or(raw.bytes);
    let said = raw.content_type.unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if is_pdf(head, said.starts_with("text/")) {
        return Ok(Kind::Pdf);
    }
    let start: String = String::from_utf8_lossy(head).chars().filter(|c| *c != '\0').collect::<String>().to_lowercase();
    let start = start.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == '\u{fffd}');
    let path = raw.url.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    let kind = match said.as_str() {
        "application/rss+xml" | "application/atom+xml" | "application/feed+json" => Kind::Feed,
        "application/pdf" => Kind::Pdf,
        "text/markdown" | "text/x-markdown" => Kind::Markdown,
        "text/html" | "application/xhtml+xml" if is_feed(start) => Kind::Feed,
        "text/html" | "application/xhtml+xml" => Kind::Html,
        "text/plain" if path.ends_with(".md") || path.ends_with(".markdown") => Kind::Markdown,
        // Servers say `text/plain` of what they do not know; a page that begins like HTML is HTML.
        "text/plain" if start.starts_with("<!doctype html") || start.starts_with("<html") => Kind::Html,
        "text/plain" => Kind::Text,
        said if said == "application/json" || said.ends_with("+json") => Kind::Json,
        said if said.ends_with("/xml") || said.ends_with("+xml") => guess(start, &path),
        said if said.starts_with("text/") => Kind::Text,
        "" | "application/octet-stream" | "binary/octet-stream" => guess(start, &path),
        said => return Err(no_text(said)),
    };
    if matches!(said.as_str(), "" | "application/octet-stream" | "binary/octet-stream") && is_binary(raw.bytes) {
        return Err(no_text("unknown bytes"));
    }
    Ok(kind)
}

/// Whether a page begins as a PDF does: with its version on a line of its own. Other bytes may stand before it, but not in what is called a text, which may
/// speak of such a line.
fn is_pdf(head: &[u8], is_called_text: bool) -> bool {
    let begins = |bytes: &[u8]| {
        matches!(bytes, [b'%', b'P', b'D', b'F', b'-', major, b'.', minor, rest @ ..]
            if major.is_ascii_digit() && minor.is_ascii_digit() && rest.first().is_none_or(|next| next.is_ascii_whitespace() || *next == b'%'))
    };
    if is_called_text {
        return begins(head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start());
    }
    (0..head.len()).any(|at| head.get(at) == Some(&b'%') && head.get(at..).is_some_and(begins))
}

fn no_text(what: &str) -> Error {
    let what: String = what.chars().take(80).collect();
    Error::new(Code::PageUnreadable, format!("the page is no text but `{what}`"))
}

fn guess(start: &str, path: &str) -> Kind {
    if is_feed(start) {
        Kind::Feed
    } else if start.starts_with('<') {
        Kind::Html
    } else if start.starts_with('{') || start.starts_with('[') {
        Kind::Json
    } else if path.ends_with(".md") || path.ends_with(".markdown") {
        Kind::Markdown
    } else {
        Kind::Text
    }
}

fn is_feed(start: &str) -> bool {
    ["<rss", "<feed", "<rdf:rdf"].iter().any(|root| start.contains(root)) && !start.contains("<html")
}

/// More NUL and control bytes than a text in any encoding has; UTF-16 has a byte order mark.
fn is_binary(bytes: &[u8]) -> bool {
    let head = bytes.get(..LOOKED_AT).unwrap_or(bytes);
    let marked = head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]);
    let strange = head.iter().filter(|b| **b < 9 || (14..27).contains(*b)).count();
    !marked && strange * 20 > head.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_bytes_header_and_address() {
        type Case<'a> = (&'a str, Option<&'a str>, &'a [u8], Option<Kind>);
        let cases: [Case<'_>; 23] = [
            ("https://x.org/", Some("text/html; charset=utf-8"), b"<p>hello", Some(Kind::Html)),
            ("https://x.org/", Some("text/html"), b"\n%PDF-1.7", Some(Kind::Pdf)),
            ("https://x.org/a.pdf", Some("application/pdf"), b"broken", Some(Kind::Pdf)),
            ("https://x.org/", Some("text/plain"), b"A file that begins with %PDF-1.7\nis a PDF.", Some(Kind::Text)),
            ("https://x.org/", Some("text/plain"), b"%PDF- is how it begins", Some(Kind::Text)),
            ("https://x.org/", Some("text/html"), b"<p>Magic bytes:\n%PDF-1.7\n", Some(Kind::Html)),
            ("https://x.org/", Some("text/plain"), b"%PDF-1.4\n%\xe2\xe3\n1 0 obj", Some(Kind::Pdf)),
            ("https://x.org/", None, b"junk\n%PDF-1.4\r%\xe2\xe3", Some(Kind::Pdf)),
            ("https://x.org/", None, b"  <!DOCTYPE html><p>", Some(Kind::Html)),
            ("https://x.org/", None, b"<?xml version='1.0'?><rss version='2.0'>", Some(Kind::Feed)),
            ("https://x.org/", Some("text/xml"), b"<feed xmlns='http://www.w3.org/2005/Atom'>", Some(Kind::Feed)),
            ("https://x.org/", Some("text/html"), b"<rss><channel>", Some(Kind::Feed)),
            ("https://x.org/", Some("application/xml"), b"<html>", Some(Kind::Html)),
            ("https://x.org/README.md?raw=1", Some("text/plain"), b"# A", Some(Kind::Markdown)),
            ("https://x.org/", Some("text/plain"), b"# A", Some(Kind::Text)),
            ("https://x.org/", Some("text/plain"), b"<!doctype html>", Some(Kind::Html)),
            ("https://x.org/", Some("application/ld+json"), b"{}", Some(Kind::Json)),
            ("https://x.org/", None, b"{\"a\":1}", Some(Kind::Json)),
            ("https://x.org/", None, b"plain words", Some(Kind::Text)),
            ("https://x.org/", Some("text/csv"), b"a,b", Some(Kind::Text)),
            ("https://x.org/", Some("image/png"), b"\x89PNG", None),
            ("https://x.org/", None, b"\x00\x01\x02\x03\x00\x01", None),
            ("https://x.org/", None, b"\xff\xfea\x00b\x00", Some(Kind::Text)),
        ];
        for (url, content_type, bytes, expected) in cases {
            let found = of(&Raw { url, content_type, bytes });
            assert_eq!(found.as_ref().ok(), expected.as_ref(), "{url} {content_type:?} {bytes:?}");
        }
    }
}
