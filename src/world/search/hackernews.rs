//! Hacker News: stories, and what was asked there.

use super::{Adapter, DAY_SECONDS, Endpoint, Request, hit, hits, keywords, seconds_of, text};
use crate::core::web::search::{Hit, Query, day};

pub(super) struct HackerNews;

impl Adapter for HackerNews {
    fn request(&self, query: &Query, place: &Endpoint<'_>) -> Option<Request> {
        let mut parameters =
            vec![("query", keywords(query)), ("tags", "story".to_owned()), ("hitsPerPage", query.limit.to_string())];
        let from = query.within.from.as_deref().and_then(seconds_of).map(|from| format!("created_at_i>={from}"));
        let until = query.within.until.as_deref().and_then(seconds_of);
        let until = until.map(|until| format!("created_at_i<{}", until + DAY_SECONDS));
        let range: Vec<String> = from.into_iter().chain(until).collect();
        if !range.is_empty() {
            parameters.push(("numericFilters", range.join(",")));
        }
        Some(Request::get(place.at("/api/v1/search", &parameters)?))
    }

    fn read(&self, reply: &[u8]) -> Option<Vec<Hit>> {
        hits(reply, "/hits", |story| {
            // A question has no address of its own but the one of its discussion.
            let mut found = hit(story, ["/url", "/title", "/story_text"], day(text(story, "/created_at")));
            if found.url.is_empty() {
                found.url = format!("https://news.ycombinator.com/item?id={}", text(story, "/objectID"));
            }
            found
        })
    }
}
