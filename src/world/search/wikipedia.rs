//! Wikipedia: articles with their beginnings, by the site's own search.

use serde_json::Value;

use super::{Adapter, Endpoint, Request, hit, keywords, text};
use crate::core::base::limits;
use crate::core::base::sorting::sort_by_key;
use crate::core::web::search::{Hit, Query};

pub(super) struct Wikipedia;

impl Adapter for Wikipedia {
    fn request(&self, query: &Query, place: &Endpoint<'_>) -> Option<Request> {
        let parameters = [
            ("action", "query".to_owned()),
            ("format", "json".to_owned()),
            ("formatversion", "2".to_owned()),
            ("generator", "search".to_owned()),
            ("gsrsearch", keywords(query)),
            ("gsrlimit", query.limit.to_string()),
            ("prop", "extracts|info".to_owned()),
            ("inprop", "url".to_owned()),
            ("exintro", "1".to_owned()),
            ("explaintext", "1".to_owned()),
            ("exlimit", "max".to_owned()),
        ];
        Some(Request::get(place.at("/w/api.php", &parameters)?))
    }

    fn read(&self, reply: &[u8]) -> Option<Vec<Hit>> {
        let reply: Value = serde_json::from_slice(reply).ok()?;
        // Nothing found is an answer without `query`; an error has its own field.
        let Some(pages) = reply.pointer("/query/pages").and_then(Value::as_array) else {
            return (reply.get("batchcomplete").is_some() && reply.get("error").is_none()).then(Vec::new);
        };
        let mut pages: Vec<&Value> = pages.iter().filter(|page| !text(page, "/fullurl").is_empty()).collect();
        // They come by page id; this is the order of the search.
        sort_by_key(&mut pages, |page| page["index"].as_u64().unwrap_or(u64::MAX));
        // The day of the last edit says nothing about the article.
        let article = |page: &&Value| hit(page, ["/fullurl", "/title", "/extract"], None);
        Some(pages.iter().map(article).take(limits::SEARCH_HITS).collect())
    }
}
