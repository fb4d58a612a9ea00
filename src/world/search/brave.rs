//! Brave Search: an index of its own.

use super::{Adapter, Endpoint, Request, hit, hits, text, with_sites_within};
use crate::core::web::search::{Hit, Query, day, plain};

pub(super) struct Brave;

/// The longest query it takes; words added for sites count too.
const WORDS: usize = 50;
const CHARS: usize = 400;

impl Adapter for Brave {
    fn request(&self, query: &Query, place: &Endpoint<'_>) -> Option<Request> {
        let mut parameters = vec![
            ("q", with_sites_within(query, WORDS, CHARS)),
            ("count", query.limit.to_string()),
            ("extra_snippets", "true".to_owned()),
        ];
        if query.within.from.is_some() || query.within.until.is_some() {
            let from = query.within.from.as_deref().unwrap_or("1970-01-01");
            parameters
                .push(("freshness", format!("{from}to{}", query.within.until.as_deref().unwrap_or("2100-01-01"))));
        }
        let url = place.at("/res/v1/web/search", &parameters)?;
        Some(Request { url, headers: place.key("x-subscription-token", ""), body: None })
    }

    fn read(&self, reply: &[u8]) -> Option<Vec<Hit>> {
        // Without any result the answer has no `web` at all.
        let empty = || {
            let reply: serde_json::Value = serde_json::from_slice(reply).ok()?;
            (reply.get("type")? == "search" && reply.get("web").is_none()).then(Vec::new)
        };
        let found = hits(reply, "/web/results", |result| {
            let mut snippet = plain(text(result, "/description"));
            for more in result["extra_snippets"].as_array().into_iter().flatten().filter_map(|more| more.as_str()) {
                snippet.push(' ');
                snippet.push_str(&plain(more));
            }
            Hit { snippet, ..hit(result, ["/url", "/title", ""], day(text(result, "/page_age"))) }
        });
        found.or_else(empty)
    }
}
