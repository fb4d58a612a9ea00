//! OpenAlex: scholarly works.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Adapter, Endpoint, Request, days, hit, hits, keywords, text};
use crate::core::base::limits;
use crate::core::web::search::{Hit, Query, day, plain};

pub(super) struct OpenAlex;

impl Adapter for OpenAlex {
    fn request(&self, query: &Query, place: &Endpoint<'_>) -> Option<Request> {
        let mut parameters = vec![("search", keywords(query)), ("per_page", query.limit.to_string())];
        parameters.extend(days(query, "from_publication_date", "to_publication_date").map(|days| ("filter", days)));
        parameters.extend(place.key.map(|key| ("api_key", key.reveal().to_owned())));
        Some(Request::get(place.at("/works", &parameters)?))
    }

    fn read(&self, reply: &[u8]) -> Option<Vec<Hit>> {
        hits(reply, "/results", |work| {
            let places = ["/primary_location/landing_page_url", "/doi", "/id"];
            let place = places.into_iter().find(|place| !text(work, place).is_empty()).unwrap_or("/id");
            let found = hit(work, [place, "/display_name", ""], day(text(work, "/publication_date")));
            Hit { snippet: plain(&unfolded(&work["abstract_inverted_index"])), ..found }
        })
    }
}

/// An abstract out of the index of its words, in which publishers let it be shown.
fn unfolded(index: &Value) -> String {
    let mut words: BTreeMap<u64, &str> = BTreeMap::new();
    for (word, places) in index.as_object().into_iter().flatten() {
        for place in places.as_array().into_iter().flatten().filter_map(Value::as_u64) {
            if words.len() < limits::SEARCH_SNIPPET_CHARS {
                words.insert(place, word);
            }
        }
    }
    words.into_values().collect::<Vec<_>>().join(" ")
}
