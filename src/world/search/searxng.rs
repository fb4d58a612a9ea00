//! SearXNG: a search of searches on the user's own machine.

use serde_json::Value;

use super::complaint::Complaint;
use super::{Adapter, Endpoint, Request, hit, hits, text, with_sites};
use crate::core::base::error::Code;
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

    /// It asks other search engines and lists those that did not answer it. An empty list beside them says nothing about the web.
    fn complaint(&self, reply: &[u8]) -> Option<Complaint> {
        let answer: Value = serde_json::from_slice(reply).ok()?;
        let silent = answer.get("unresponsive_engines").and_then(Value::as_array).filter(|engines| !engines.is_empty());
        let Some(silent) = silent else { return Complaint::in_json(reply) };
        let engine = |engine: &Value| match (engine.as_str(), text(engine, "/0"), text(engine, "/1")) {
            (Some(name), ..) => name.to_owned(),
            (None, name, "") => name.to_owned(),
            (None, name, why) => format!("{name} ({why})"),
        };
        let named: Vec<String> = silent.iter().take(ENGINES_NAMED).map(engine).collect();
        Some(Complaint::new(Code::SearchBlocked, &format!("its engines did not answer: {}", named.join(", "))))
    }
}

/// The engines that a message names.
const ENGINES_NAMED: usize = 4;
