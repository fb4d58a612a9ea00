//! Crossref: what publishers register.

use serde_json::Value;

use super::{Adapter, Endpoint, Request, days, hit, hits};
use crate::core::web::search::{Hit, Query, day};

pub(super) struct Crossref;

impl Adapter for Crossref {
    fn request(&self, query: &Query, place: &Endpoint<'_>) -> Option<Request> {
        let mut parameters = vec![
            ("query.bibliographic", query.text.clone()),
            ("rows", query.limit.to_string()),
            ("select", "DOI,URL,title,abstract,issued".to_owned()),
        ];
        parameters.extend(days(query, "from-pub-date", "until-pub-date").map(|days| ("filter", days)));
        // Those who say who they are get better servers.
        parameters.extend(place.contact.map(|contact| ("mailto", contact.to_owned())));
        Some(Request::get(place.at("/works", &parameters)?))
    }

    fn read(&self, reply: &[u8]) -> Option<Vec<Hit>> {
        hits(reply, "/message/items", |work| hit(work, ["/URL", "/title/0", "/abstract"], issued(work)))
    }
}

/// The day in `[[2020, 5, 4]]`, of which month and day may be missing.
fn issued(work: &Value) -> Option<String> {
    let parts = work.pointer("/issued/date-parts/0")?.as_array()?;
    let parts: Option<Vec<String>> = parts.iter().map(|part| Some(format!("{:02}", part.as_u64()?))).collect();
    day(&parts?.join("-"))
}
