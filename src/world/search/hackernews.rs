//! Hacker News: stories, and what was asked there.

use super::{Adapter, DAY_SECONDS, Endpoint, Request, hits, keywords, seconds_of, text};
use crate::core::web::search::{Hit, Query, day, plain};

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
            let (own, id) = (text(story, "/url"), text(story, "/objectID"));
            let url =
                if own.is_empty() { format!("https://news.ycombinator.com/item?id={id}") } else { own.to_owned() };
            Hit {
                url,
                title: plain(text(story, "/title")),
                snippet: plain(text(story, "/story_text")),
                date: day(text(story, "/created_at")),
            }
        })
    }
}
