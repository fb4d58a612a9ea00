//! JSON as it is, indented; JSON feeds as feeds.

use serde_json::Value;

use super::address::Address;
use super::feed::{self, Entry};
use super::{Extracted, Kind};
use crate::core::text::one_line;

pub(super) fn read(text: &str, address: &Address) -> Extracted {
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        // Lines of JSON, or broken: it is still text.
        return Extracted { markdown: fenced(text), text: text.to_owned(), ..Extracted::empty(Kind::Json) };
    };
    if value.get("version").and_then(Value::as_str).is_some_and(|version| version.contains("jsonfeed.org")) {
        return json_feed(&value, address);
    }
    // Indenting deep nesting costs its square; what is that deep is left as it came.
    let text = serde_json::to_string_pretty(&value).ok().filter(|pretty| pretty.len() / 4 <= text.len());
    let text = text.unwrap_or_else(|| value.to_string());
    let title = ["title", "name", "headline"].iter().find_map(|key| value.get(*key)?.as_str()).map(one_line);
    Extracted { markdown: fenced(&text), text, title, ..Extracted::empty(Kind::Json) }
}

fn fenced(text: &str) -> String {
    let ticks = if text.contains("```") { "``````" } else { "```" };
    format!("{ticks}json\n{}\n{ticks}", text.trim())
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
