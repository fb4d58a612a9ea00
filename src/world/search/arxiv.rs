//! arXiv: preprints, as an Atom feed.

use html5gum::{Token, Tokenizer};

use super::{Adapter, Endpoint, Request, keywords};
use crate::core::base::limits;
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
        let mut hits = Vec::new();
        let mut entry: Option<Hit> = None;
        let mut field = String::new();
        for token in Tokenizer::new(text.as_ref()).flatten() {
            match token {
                Token::StartTag(tag) if tag.name.as_slice() == b"entry" => entry = Some(Hit::default()),
                Token::StartTag(_) => field.clear(),
                Token::String(piece) => field.push_str(&String::from_utf8_lossy(&piece)),
                Token::EndTag(tag) => match (tag.name.as_slice(), entry.as_mut()) {
                    (b"entry", Some(_)) => hits.extend(entry.take().filter(|hit| !hit.url.is_empty())),
                    // Its id is its address, and `http` still.
                    (b"id", Some(hit)) => hit.url = field.trim().replacen("http://arxiv.org", "https://arxiv.org", 1),
                    (b"title", Some(hit)) => hit.title = plain(&field),
                    (b"summary", Some(hit)) => hit.snippet = plain(&field),
                    (b"published", Some(hit)) => hit.date = day(&field),
                    _ => {}
                },
                Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
            }
            if hits.len() >= limits::SEARCH_HITS {
                break;
            }
        }
        // An error is an entry as well, titled so.
        (!hits.iter().any(|hit| hit.title == "Error" && hit.url.contains("/api/errors"))).then_some(hits)
    }
}
