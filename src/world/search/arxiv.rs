//! arXiv: preprints, as an Atom feed.

use super::complaint::Complaint;
use super::{Adapter, Endpoint, Request, keywords};
use crate::core::base::error::Code;
use crate::core::base::limits;
use crate::core::text::page::feed::{self, Entry};
use crate::core::web::search::{Hit, Query, day, plain};

pub(super) struct Arxiv;

impl Adapter for Arxiv {
    fn request(&self, query: &Query, place: &Endpoint<'_>) -> Option<Request> {
        // It knows no free text: a phrase in `all:` would have to stand there literally.
        let words: Vec<String> = keywords(query).split(' ').map(|word| format!("all:{word}")).collect();
        let mut search = words.join(" AND ");
        if query.within.from.is_some() || query.within.until.is_some() {
            let moment = |day: &Option<String>, other: &str| day.as_deref().unwrap_or(other).replace('-', "");
            let (from, until) = (moment(&query.within.from, "1991-01-01"), moment(&query.within.until, "2100-01-01"));
            search = format!("({search}) AND submittedDate:[{from}0000 TO {until}2359]");
        }
        let parameters = [
            ("search_query", search),
            ("start", "0".to_owned()),
            ("max_results", query.limit.to_string()),
            ("sortBy", "relevance".to_owned()),
        ];
        Some(Request::get(place.at("/api/query", &parameters)?))
    }

    fn read(&self, reply: &[u8]) -> Option<Vec<Hit>> {
        let text = String::from_utf8_lossy(reply);
        if !text.contains("<feed") {
            return None;
        }
        let hit = |entry: Entry| Hit {
            // Its id is its address, and `http` still.
            url: entry.id.trim().replacen("http://arxiv.org", "https://arxiv.org", 1),
            title: plain(&entry.title),
            snippet: plain(&entry.content),
            date: day(&entry.date),
        };
        let entries = feed::entries(&text).1.into_iter().filter(|entry| !entry.id.trim().is_empty());
        let hits: Vec<Hit> = entries.take(limits::SEARCH_HITS).map(hit).collect();
        // An error is an entry as well, titled so.
        (!hits.iter().any(|hit| hit.title == "Error" && hit.url.contains("/api/errors"))).then_some(hits)
    }

    /// Under load it sends feeds that count results and hold none of them.
    fn complaint(&self, reply: &[u8]) -> Option<Complaint> {
        let text = String::from_utf8_lossy(reply);
        if text.contains("<entry") {
            return None;
        }
        let (_, counted) = text.split_once("totalResults")?;
        let total: u64 = counted.split_once('>')?.1.split_once('<')?.0.trim().parse().ok()?;
        (total > 0).then(|| Complaint::new(Code::FetchFailed, &format!("it counts {total} results and sent none")))
    }
}
