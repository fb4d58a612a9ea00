//! SearXNG: a search of searches on the user's own machine.

use super::{Adapter, Endpoint, Request, hit, hits, text, with_sites};
use crate::core::web::search::{Hit, Query, day};

pub(super) struct Searxng;

impl Adapter for Searxng {
    fn request(&self, query: &Query, place: &Endpoint<'_>) -> Option<Request> {
        // It takes no number of results and no range of days; both are seen to afterwards.
        let parameters =
            [("q", with_sites(query)), ("format", "json".to_owned()), ("categories", "general".to_owned())];
        Some(Request::get(place.at("/search", &parameters)?))
    }

    fn read(&self, reply: &[u8]) -> Option<Vec<Hit>> {
        hits(reply, "/results", |result| {
            hit(result, ["/url", "/title", "/content"], day(text(result, "/publishedDate")))
        })
    }
}
