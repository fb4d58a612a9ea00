//! Tavily: a search made for models, with the passages that answer.

use serde_json::json;

use super::{Adapter, Endpoint, Request, hit, hits, text};
use crate::core::web::search::{Depth, Hit, Query, day};

pub(super) struct Tavily;

impl Adapter for Tavily {
    fn request(&self, query: &Query, place: &Endpoint<'_>) -> Option<Request> {
        let depth = match query.depth {
            Depth::Basic => "basic",
            Depth::Advanced => "advanced",
        };
        let mut body = json!({
            "query": query.text,
            "search_depth": depth,
            "max_results": query.limit,
            // It would choose the depth itself, which doubles the price.
            "auto_parameters": false,
            "include_usage": true,
        });
        for (name, sites) in [("include_domains", &query.within.only), ("exclude_domains", &query.within.never)] {
            if !sites.is_empty() {
                body[name] = json!(sites);
            }
        }
        for (name, date) in [("start_date", &query.within.from), ("end_date", &query.within.until)] {
            if let Some(date) = date {
                body[name] = json!(date);
            }
        }
        let headers = place.key("authorization", "Bearer ");
        Some(Request { url: place.at("/search", &[])?, headers, body: Some(body) })
    }

    fn read(&self, reply: &[u8]) -> Option<Vec<Hit>> {
        hits(reply, "/results", |result| {
            hit(result, ["/url", "/title", "/content"], day(text(result, "/published_date")))
        })
    }
}
