//! JSON as it is, indented; JSON feeds as feeds.

use std::io::{self, Write};

use serde_json::Value;

use super::address::Address;
use super::feed::{self, Entry};
use super::{Extracted, Kind};
use crate::core::text::one_line;
use crate::core::text::quoting::fence_around;

pub(super) fn read(text: &str, address: &Address) -> Extracted {
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        // Lines of JSON, or broken: it is still text.
        return Extracted { markdown: fenced(text), text: text.to_owned(), ..Extracted::empty(Kind::Json) };
    };
    if value.get("version").and_then(Value::as_str).is_some_and(|version| version.contains("jsonfeed.org")) {
        return json_feed(&value, address);
    }
    let text = indented(&value, text.len().saturating_mul(4)).unwrap_or_else(|| value.to_string());
    let title = ["title", "name", "headline"].iter().find_map(|key| value.get(*key)?.as_str()).map(one_line);
    Extracted { markdown: fenced(&text), text, title, ..Extracted::empty(Kind::Json) }
}

fn fenced(text: &str) -> String {
    let fence = fence_around(text);
    format!("{fence}json\n{}\n{fence}", text.trim())
}

/// The value with its parts below each other, where that takes no more than so many bytes: to indent what is nested deep takes a multiple of it.
fn indented(value: &Value, most: usize) -> Option<String> {
    let mut out = Bounded { bytes: Vec::new(), most };
    serde_json::to_writer_pretty(&mut out, value).ok()?;
    String::from_utf8(out.bytes).ok()
}

/// Takes so many bytes and refuses more.
struct Bounded {
    bytes: Vec<u8>,
    most: usize,
}

impl Write for Bounded {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        if self.bytes.len().saturating_add(part.len()) > self.most {
            return Err(io::ErrorKind::WriteZero.into());
        }
        self.bytes.extend_from_slice(part);
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn json_feed(value: &Value, address: &Address) -> Extracted {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned).unwrap_or_default();
    let entry = |item: &Value| {
        let html = text(item, "content_html");
        let plain = text(item, "content_text");
        Entry {
            id: String::new(),
            title: text(item, "title"),
            link: text(item, "url"),
            date: text(item, "date_published"),
            author: String::new(),
            content: if html.is_empty() { plain } else { html },
        }
    };
    let items = value.get("items").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    feed::write(&text(value, "title"), items.iter().map(entry), address)
}
