//! Stack Exchange: questions of Stack Overflow.

use std::time::Duration;

use serde_json::Value;

use super::complaint::Complaint;
use super::{Adapter, DAY_SECONDS, Endpoint, Request, hit, hits, keywords, seconds_of, text};
use crate::core::web::search::{Hit, Query, day_of_seconds};

pub(super) struct StackExchange;

impl Adapter for StackExchange {
    fn request(&self, query: &Query, place: &Endpoint<'_>) -> Option<Request> {
        let mut parameters = vec![
            ("q", keywords(query)),
            ("site", "stackoverflow".to_owned()),
            ("order", "desc".to_owned()),
            ("sort", "relevance".to_owned()),
            ("filter", "withbody".to_owned()),
            ("pagesize", query.limit.to_string()),
        ];
        let from = query.within.from.as_deref().and_then(seconds_of);
        // The last second of the last day, which counts whole.
        let until = query.within.until.as_deref().and_then(seconds_of).map(|begin| begin + DAY_SECONDS - 1);
        let days = [("fromdate", from), ("todate", until)];
        parameters.extend(days.into_iter().filter_map(|(name, at)| Some((name, at?.to_string()))));
        Some(Request::get(place.at("/2.3/search/advanced", &parameters)?))
    }

    fn read(&self, reply: &[u8]) -> Option<Vec<Hit>> {
        hits(reply, "/items", |question| {
            hit(question, ["/link", "/title", "/body"], question["creation_date"].as_i64().and_then(day_of_seconds))
        })
    }

    fn wait(&self, reply: &[u8]) -> Option<Duration> {
        let reply: Value = serde_json::from_slice(reply).ok()?;
        reply.get("backoff")?.as_u64().map(Duration::from_secs)
    }

    /// A throttled address is told in words for how long: `… more requests available in 4520 seconds`.
    fn complaint(&self, reply: &[u8]) -> Option<Complaint> {
        let complaint = Complaint::in_json(reply)?;
        let answer: Value = serde_json::from_slice(reply).ok()?;
        let words = text(&answer, "/error_message").split_once("available in ").map_or("", |(_, rest)| rest);
        let wait = words.split(' ').next().and_then(|seconds| seconds.parse().ok()).map(Duration::from_secs);
        Some(Complaint { wait, ..complaint })
    }
}
