//! What each provider asks for and how it answers, down to the fields that hadal does not read.

use std::collections::BTreeMap;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::Fault;
use crate::http::{Answer, Request};
use crate::web::Page;

/// The answer, and what it costs in millionths of a dollar.
pub(super) fn answer(
    provider: &str,
    path: &str,
    request: &Request,
    body: &Value,
    shared: &super::Shared,
    fault: Option<&Fault>,
) -> (Answer, u64) {
    let empty = fault == Some(&Fault::Empty);
    let found = |query: &str, limit: usize| if empty { Vec::new() } else { super::found(query, limit, shared) };
    let number = |value: Option<u64>, default| usize::try_from(value.unwrap_or(default)).unwrap_or(10);
    let asked = |name: &str| request.parameter(name).unwrap_or_default();
    let count = |name: &str| number(asked(name).parse().ok(), 10);
    let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
    let key = |header: &str| request.header(header).is_some_and(|value| !value.is_empty());
    match (provider, request.method.as_str(), path) {
        ("tavily", "POST", "/search") => {
            if !request.header("authorization").is_some_and(|value| value.starts_with("Bearer ")) {
                return refused("Unauthorized: missing or invalid API key.");
            }
            let credits = if body["search_depth"] == "advanced" { 2 } else { 1 };
            let pages = found(&text("query"), number(body["max_results"].as_u64(), 5));
            (Answer::json(200, &tavily(&text("query"), &pages, credits)), 8_000 * credits)
        }
        ("brave", "GET", "/res/v1/web/search") if too_long(&asked("q")) => (query_refused(), 0),
        ("brave", "GET", "/res/v1/web/search") if key("x-subscription-token") => {
            (Answer::json(200, &brave(&asked("q"), &found(&asked("q"), count("count")))), 5_000)
        }
        ("exa", "POST", "/search") if key("x-api-key") => {
            let wanted = number(body["numResults"].as_u64(), 10);
            let extra = u64::try_from(wanted.saturating_sub(10)).unwrap_or(0);
            (Answer::json(200, &exa(&found(&text("query"), wanted))), 7_000 + 1_000 * extra)
        }
        ("serper", "POST", "/search") if key("x-api-key") => {
            let wanted = number(body["num"].as_u64(), 10);
            let credits = if wanted > 10 { 2 } else { 1 };
            (Answer::json(200, &serper(&text("q"), &found(&text("q"), wanted), credits)), 1_000 * credits)
        }
        ("openalex", "GET", "/works") if !asked("api_key").is_empty() => {
            (Answer::json(200, &openalex(&found(&asked("search"), count("per_page")))), 1_000)
        }
        ("brave" | "exa" | "serper" | "openalex", ..) => refused("a key is needed"),
        ("searxng", "GET", "/search") if asked("format") == "json" => {
            (Answer::json(200, &searxng(&asked("q"), &found(&asked("q"), 20))), 0)
        }
        ("wikipedia", "GET", "/w/api.php") => {
            (Answer::json(200, &wikipedia(&found(&asked("gsrsearch"), count("gsrlimit")))), 0)
        }
        ("crossref", "GET", "/works") => {
            (Answer::json(200, &crossref(&found(&asked("query.bibliographic"), count("rows")))), 0)
        }
        ("arxiv", "GET", "/api/query") => {
            let body = arxiv(&found(&asked("search_query"), count("max_results")));
            let answer =
                Answer { body, content_type: "application/atom+xml; charset=utf-8", ..Answer::json(200, &json!(0)) };
            (answer, 0)
        }
        ("stackexchange", "GET", "/2.3/search/advanced") => {
            (stackexchange(&found(&asked("q"), count("pagesize")), fault), 0)
        }
        ("hackernews", "GET", "/api/v1/search") => {
            (Answer::json(200, &hackernews(&found(&asked("query"), count("hitsPerPage")))), 0)
        }
        ("github", "GET", "/search/repositories") => {
            (Answer::json(200, &github(&found(&asked("q"), count("per_page")))), 0)
        }
        _ => (Answer::json(404, &json!({"error": format!("{provider} {path} is not simulated")})), 0),
    }
}

/// Brave takes 50 words and 400 characters.
fn too_long(query: &str) -> bool {
    query.split_whitespace().count() > 50 || query.chars().count() > 400
}

fn query_refused() -> Answer {
    Answer::json(422, &json!({"type": "ErrorResponse", "error": {"code": "VALIDATION", "status": 422}}))
}

fn refused(why: &str) -> (Answer, u64) {
    (Answer::json(401, &json!({"detail": {"error": why}, "message": why})), 0)
}

fn list(pages: &[Page], each: impl Fn(usize, &Page) -> Value) -> Value {
    pages.iter().enumerate().map(|(n, page)| each(n, page)).collect()
}

/// A word in the way that providers mark what was searched for.
fn marked(text: &str, tag: &str) -> String {
    text.replacen("survey", &format!("<{tag}>survey</{tag}>"), 1).replace('&', "&amp;")
}

fn tavily(query: &str, pages: &[Page], credits: u64) -> Value {
    let results = list(pages, |n, page| {
        json!({"url": page.url, "title": page.title, "content": page.text, "score": 0.99 / (n + 1) as f64, "raw_content": null,
            "published_date": page.date, "favicon": null})
    });
    json!({"query": query, "follow_up_questions": null, "answer": null, "images": [], "results": results, "response_time": 0.52,
        "usage": {"credits": credits}, "request_id": "123e4567-e89b-12d3-a456-426614174111"})
}

fn brave(query: &str, pages: &[Page]) -> Value {
    let results = list(pages, |_, page| {
        json!({"type": "search_result", "subtype": "generic", "title": page.title, "url": page.url, "is_source_local": false,
            "description": marked(&page.text, "strong"), "page_age": format!("{}T08:30:00", page.date), "age": "March 7, 2026",
            "language": "en", "family_friendly": true, "profile": {"name": "x", "url": page.url},
            "meta_url": {"scheme": "http", "netloc": "sim.test"}, "extra_snippets": ["One more snippet of the page."]})
    });
    let mut answer = json!({"type": "search", "query": {"original": query, "more_results_available": false},
        "mixed": {"type": "mixed", "main": []}});
    // Without any result there is no `web` at all.
    if !pages.is_empty() {
        answer["web"] = json!({"type": "search", "results": results, "family_friendly": true});
    }
    answer
}

fn exa(pages: &[Page]) -> Value {
    let results = list(pages, |n, page| {
        json!({"id": page.url, "title": page.title, "url": page.url, "publishedDate": format!("{}T00:00:00.000Z", page.date),
            "author": null, "score": 0.3 / (n + 1) as f64, "text": page.text, "highlights": [page.text], "highlightScores": [0.4]})
    });
    json!({"requestId": "b5947044c4b78efa9552a7c89b306d95", "resolvedSearchType": "neural", "searchType": "auto", "results": results,
        "costDollars": {"total": 0.007, "search": {"neural": 0.007}}})
}

fn serper(query: &str, pages: &[Page], credits: u64) -> Value {
    let results = list(pages, |n, page| {
        json!({"title": page.title, "link": page.url, "snippet": page.text, "date": american(&page.date), "position": n + 1,
            "sitelinks": []})
    });
    json!({"searchParameters": {"q": query, "type": "search", "engine": "google"}, "organic": results, "relatedSearches": [],
        "credits": credits})
}

/// `Mar 7, 2026`.
fn american(date: &str) -> String {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let mut parts = date.split('-').map(|part| part.parse::<usize>().unwrap_or(1));
    let (year, month, day) = (parts.next().unwrap_or(1), parts.next().unwrap_or(1), parts.next().unwrap_or(1));
    format!("{} {day}, {year}", MONTHS[(month - 1) % 12])
}

fn searxng(query: &str, pages: &[Page]) -> Value {
    let results = list(pages, |n, page| {
        json!({"url": page.url, "title": page.title, "content": page.text, "publishedDate": null, "thumbnail": "", "engine": "brave",
            "engines": ["brave", "mojeek"], "positions": [n + 1], "score": 1.0 / (n + 1) as f64, "category": "general",
            "template": "default.html", "parsed_url": ["http", "sim.test", "/", "", "", ""]})
    });
    json!({"query": query, "number_of_results": 0, "results": results, "answers": [], "corrections": [], "infoboxes": [],
        "suggestions": [], "unresponsive_engines": if pages.is_empty() { json!([]) } else { json!([["google", "CAPTCHA"]]) }})
}

fn wikipedia(pages: &[Page]) -> Value {
    let mut results = list(pages, |n, page| {
        json!({"pageid": 1000 + n, "ns": 0, "title": page.title, "index": n + 1, "contentmodel": "wikitext", "pagelanguage": "en",
            "touched": format!("{}T09:00:00Z", page.date), "fullurl": page.url, "canonicalurl": page.url, "extract": page.text})
    });
    if pages.is_empty() {
        return json!({"batchcomplete": true});
    }
    // The real service gives them by page id; `index` is the order of the search.
    if let Some(results) = results.as_array_mut() {
        results.reverse();
    }
    json!({"batchcomplete": true, "continue": {"gsroffset": 10, "continue": "gsroffset||"}, "query": {"pages": results}})
}

fn openalex(pages: &[Page]) -> Value {
    let results = list(pages, |n, page| {
        let mut index: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, word) in page.text.split_whitespace().enumerate() {
            index.entry(word).or_default().push(place);
        }
        json!({"id": format!("https://openalex.org/W{n}"), "doi": null, "title": page.title, "display_name": page.title,
            "relevance_score": 100.0, "publication_year": 2020, "publication_date": page.date, "language": "en", "type": "article",
            "primary_location": {"is_oa": true, "landing_page_url": page.url, "pdf_url": null, "source": null},
            "open_access": {"is_oa": true, "oa_url": null}, "abstract_inverted_index": index})
    });
    json!({"meta": {"count": pages.len(), "db_response_time_ms": 12, "page": 1, "per_page": 25}, "results": results, "group_by": []})
}

fn crossref(pages: &[Page]) -> Value {
    let items = list(pages, |n, page| {
        let date: Vec<u32> = page.date.split('-').filter_map(|part| part.parse().ok()).collect();
        json!({"DOI": format!("10.5555/sim.{n}"), "URL": page.url, "type": "journal-article", "score": 21.5, "title": [page.title],
            "abstract": format!("<jats:title>Abstract</jats:title><jats:p>{}</jats:p>", page.text),
            "issued": {"date-parts": [date]}, "publisher": "Sim", "is-referenced-by-count": 3})
    });
    json!({"status": "ok", "message-type": "work-list", "message-version": "1.0.0",
        "message": {"facets": {}, "total-results": pages.len(), "items": items, "items-per-page": 20}})
}

fn arxiv(pages: &[Page]) -> Vec<u8> {
    let mut feed = "<?xml version='1.0' encoding='UTF-8'?>\n<feed xmlns:opensearch=\"http://a9.com/-/spec/opensearch/1.1/\" \
         xmlns:arxiv=\"http://arxiv.org/schemas/atom\" xmlns=\"http://www.w3.org/2005/Atom\">\n  <id>https://arxiv.org/api/x</id>\n  \
         <title>arXiv Query: search_query=x</title>\n  <updated>2026-11-15T00:00:00Z</updated>\n  \
         <link href=\"https://arxiv.org/api/query\" type=\"application/atom+xml\"/>\n"
        .to_owned();
    feed.push_str(&format!("  <opensearch:totalResults>{}</opensearch:totalResults>\n", pages.len()));
    for page in pages {
        feed.push_str(&format!(
            "  <entry>\n    <id>{url}</id>\n    <title>{title}\n  &amp; more</title>\n    <updated>{date}T10:00:00Z</updated>\n    \
             <link href=\"{url}\" rel=\"alternate\" type=\"text/html\"/>\n    <link href=\"{url}.pdf\" rel=\"related\" \
             type=\"application/pdf\" title=\"pdf\"/>\n    <summary>{text}</summary>\n    <category term=\"cs.DB\"/>\n    \
             <published>{date}T09:00:00Z</published>\n    <author>\n      <name>A. Author</name>\n    </author>\n  </entry>\n",
            url = page.url,
            title = page.title,
            date = page.date,
            text = page.text,
        ));
    }
    feed.push_str("</feed>\n");
    feed.into_bytes()
}

/// The real service always packs its answers.
fn stackexchange(pages: &[Page], fault: Option<&Fault>) -> Answer {
    let items = list(pages, |n, page| {
        json!({"tags": ["sim"], "is_answered": true, "view_count": 10, "answer_count": 2, "score": 5, "question_id": n,
            "creation_date": 1_600_000_000 + n * 86_400, "last_activity_date": 1_700_000_000, "link": page.url,
            "title": format!("{} &amp; &#39;why&#39;", page.title), "body": format!("<p>{}</p>\n<pre><code>x</code></pre>", page.text)})
    });
    let mut body = json!({"items": items, "has_more": false, "quota_max": 300, "quota_remaining": 297});
    if let Some(Fault::Backoff(seconds)) = fault {
        body["backoff"] = json!(seconds);
    }
    let body = body.to_string();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // A vector takes everything.
    let _never_fails = encoder.write_all(body.as_bytes());
    let mut answer = Answer::json(200, &json!(null));
    answer.headers.push(("content-encoding", "gzip".to_owned()));
    Answer { body: encoder.finish().unwrap_or_default(), ..answer }
}

fn hackernews(pages: &[Page]) -> Value {
    let hits = list(pages, |n, page| {
        // A question to the community has a text and no address of its own.
        let url = if n == 1 { Value::Null } else { json!(page.url) };
        json!({"objectID": format!("{}", 4_000_000 + n), "title": page.title, "url": url, "author": "x", "points": 120,
            "num_comments": 4, "created_at": format!("{}T11:00:00Z", page.date), "created_at_i": 1_600_000_000,
            "story_text": page.text, "_tags": ["story"], "_highlightResult": {}})
    });
    json!({"hits": hits, "nbHits": pages.len(), "page": 0, "nbPages": 1, "hitsPerPage": 20, "processingTimeMS": 1})
}

fn github(pages: &[Page]) -> Value {
    let items = list(pages, |n, page| {
        json!({"id": n, "name": "sim", "full_name": format!("sim/{n}"), "private": false, "html_url": page.url, "fork": false,
            "description": if n == 2 { Value::Null } else { json!(page.text) }, "stargazers_count": 7, "language": "Rust",
            "pushed_at": format!("{}T12:00:00Z", page.date), "score": 1.0})
    });
    json!({"total_count": pages.len(), "incomplete_results": false, "items": items})
}
