//! Serper: Google's results.

use serde_json::json;

use super::{Adapter, Endpoint, Request, hit, hits, text, with_sites};
use crate::core::web::search::{Hit, Query, day_in_words};

pub(super) struct Serper;

impl Adapter for Serper {
    fn request(&self, query: &Query, place: &Endpoint<'_>) -> Option<Request> {
        let mut body = json!({"q": with_sites(query), "num": query.limit});
        if query.within.from.is_some() || query.within.until.is_some() {
            let american = |date: &Option<String>| {
                let date = date.as_deref()?;
                let (year, rest) = date.split_once('-')?;
                let (month, day) = rest.split_once('-')?;
                Some(format!("{month}/{day}/{year}"))
            };
            let mut range = "cdr:1".to_owned();
            for (name, date) in [("cd_min", american(&query.within.from)), ("cd_max", american(&query.within.until))] {
                if let Some(date) = date {
                    range.push_str(&format!(",{name}:{date}"));
                }
            }
            body["tbs"] = json!(range);
        }
        Some(Request { url: place.at("/search", &[])?, headers: place.key("x-api-key", ""), body: Some(body) })
    }

    fn read(&self, reply: &[u8]) -> Option<Vec<Hit>> {
        hits(reply, "/organic", |result| {
            hit(result, ["/link", "/title", "/snippet"], day_in_words(text(result, "/date")))
        })
    }
}
