//! GitHub: repositories.

use super::{Adapter, Endpoint, Request, hit, hits, keywords, text};
use crate::core::web::search::{Hit, Query, day};

pub(super) struct GitHub;

impl Adapter for GitHub {
    fn request(&self, query: &Query, place: &Endpoint<'_>) -> Option<Request> {
        let mut search = keywords(query);
        let days = [(">=", &query.within.from), ("<=", &query.within.until)];
        for (sign, day) in days {
            if let Some(day) = day {
                search.push_str(&format!(" pushed:{sign}{day}"));
            }
        }
        let parameters = [("q", search), ("per_page", query.limit.to_string())];
        let headers = vec![("accept", "application/vnd.github+json".to_owned())];
        Some(Request { headers, ..Request::get(place.at("/search/repositories", &parameters)?) })
    }

    fn read(&self, reply: &[u8]) -> Option<Vec<Hit>> {
        hits(reply, "/items", |repository| {
            hit(repository, ["/html_url", "/full_name", "/description"], day(text(repository, "/pushed_at")))
        })
    }
}
