//! GitHub: repositories.

use serde_json::Value;

use super::complaint::Complaint;
use super::{Adapter, Endpoint, Request, hit, hits, keywords, text};
use crate::core::base::error::Code;
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

    /// A search that took too long ends with what it had by then, which can be nothing.
    fn complaint(&self, reply: &[u8]) -> Option<Complaint> {
        let answer: Value = serde_json::from_slice(reply).ok()?;
        let cut = answer.get("incomplete_results").and_then(Value::as_bool) == Some(true);
        let late = || Complaint::new(Code::Timeout, "the search was cut off before it found anything");
        Complaint::in_json(reply).or_else(|| cut.then(late))
    }
}
