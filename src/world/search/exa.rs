//! Exa: a search by meaning, with the passages that fit.

use serde_json::json;

use super::{Adapter, Endpoint, Request, hit, hits, text};
use crate::core::web::search::{Hit, Query, day, plain};

pub(super) struct Exa;

impl Adapter for Exa {
    fn request(&self, query: &Query, place: &Endpoint<'_>) -> Option<Request> {
        let mut body = json!({
            "query": query.text,
            "type": "auto",
            "numResults": query.limit,
            "contents": {"highlights": true},
        });
        for (name, sites) in [("includeDomains", &query.within.only), ("excludeDomains", &query.within.never)] {
            if !sites.is_empty() {
                body[name] = json!(sites);
            }
        }
        for (name, date, time) in [
            ("startPublishedDate", &query.within.from, "00:00:00.000"),
            ("endPublishedDate", &query.within.until, "23:59:59.999"),
        ] {
            if let Some(date) = date {
                body[name] = json!(format!("{date}T{time}Z"));
            }
        }
        Some(Request { url: place.at("/search", &[])?, headers: place.key("x-api-key", ""), body: Some(body) })
    }

    fn read(&self, reply: &[u8]) -> Option<Vec<Hit>> {
        hits(reply, "/results", |result| {
            let passages = result["highlights"].as_array().into_iter().flatten().filter_map(|passage| passage.as_str());
            let passages: Vec<String> = passages.map(plain).collect();
            let snippet = if passages.is_empty() { plain(text(result, "/text")) } else { passages.join(" … ") };
            Hit { snippet, ..hit(result, ["/url", "/title", ""], day(text(result, "/publishedDate"))) }
        })
    }
}
