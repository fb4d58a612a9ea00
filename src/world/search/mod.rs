//! Searching the web: one file per provider, which knows its request and its reply, and around all of them one client with pace,
//! retries, a memory and the fusing of their results.
//!
//! A provider that fails is a problem and never an empty list: a block page, a captcha and a refused key are told as what they are.
//! What is paid is counted with every answer that was billed, also when it could not be read, and with every request that was cut off.

mod arxiv;
mod ask;
mod brave;
mod complaint;
mod crossref;
mod exa;
mod github;
mod hackernews;
mod memory;
mod openalex;
mod searxng;
mod serper;
mod stackexchange;
mod tavily;
#[cfg(test)]
mod tests;
mod wikipedia;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::Value;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::core::base::error::{Code, Error, Problem, Result};
use crate::core::base::limits;
use crate::core::base::secrets::Secret;
use crate::core::base::sorting::sort_by_key;
use crate::core::language::words::informative;
use crate::core::money::usage::Usd;
use crate::core::setup::settings::Settings;
use crate::core::setup::settings::web::SearchSettings;
use crate::core::web::address::Rules;
use crate::core::web::search::{Hit, Provider, Query, SearchReply, allowed, fuse, plain};
use crate::world::http;
use crate::world::turns::Turns;
use complaint::Complaint;
use memory::Memory;

/// What a provider knows of itself: how it is asked, and how its answer is read.
trait Adapter: Send + Sync {
    fn request(&self, query: &Query, place: &Endpoint<'_>) -> Option<Request>;

    /// The results in the provider's order. `None` is an answer that is none.
    fn read(&self, reply: &[u8]) -> Option<Vec<Hit>>;

    /// Why the provider did not look, when its reply says so. It is asked of replies without any result, whatever their status: HTTP 200
    /// with an error inside is not an empty list.
    fn complaint(&self, reply: &[u8]) -> Option<Complaint> {
        Complaint::in_json(reply)
    }

    /// How long the provider wants to be left alone after this answer.
    fn wait(&self, _reply: &[u8]) -> Option<Duration> {
        None
    }
}

/// Where and as whom a provider is asked.
#[derive(Clone, Copy, Debug)]
struct Endpoint<'a> {
    url: &'a str,
    key: Option<&'a Secret>,
    contact: Option<&'a str>,
}

impl Endpoint<'_> {
    /// An address below the provider's own, with these parameters.
    fn at(&self, path: &str, parameters: &[(&str, String)]) -> Option<Url> {
        let mut url = Url::parse(&format!("{}{path}", self.url)).ok()?;
        if !parameters.is_empty() {
            url.query_pairs_mut().extend_pairs(parameters);
        }
        Some(url)
    }

    /// The key as a header.
    fn key(&self, name: &'static str, prefix: &str) -> Vec<(&'static str, String)> {
        self.key.map(|key| (name, format!("{prefix}{}", key.reveal()))).into_iter().collect()
    }
}

/// One request, still as data. It may hold a key, so it is never shown.
struct Request {
    url: Url,
    headers: Vec<(&'static str, String)>,
    /// A body makes it a POST.
    body: Option<Value>,
}

impl Request {
    fn get(url: Url) -> Self {
        Self { url, headers: Vec::new(), body: None }
    }
}

/// The searcher of a process. Clones share everything.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    client: reqwest::Client,
    settings: SearchSettings,
    rules: Rules,
    turns: HashMap<Provider, Turns>,
    memory: Memory,
}

/// What one provider was paid, in millionths of a dollar. It is written before a request is sent and taken back when the answer says that
/// nothing was billed; so what a cancel or a time limit cuts off counts as paid.
#[derive(Clone, Debug, Default)]
struct Bill(Arc<AtomicU64>);

impl Bill {
    fn add(&self, price: Usd) {
        self.0.fetch_add(price.micros(), Ordering::Relaxed);
    }

    fn take_back(&self, price: Usd) {
        self.0.fetch_sub(price.micros(), Ordering::Relaxed);
    }

    fn sum(&self) -> Usd {
        Usd::from_micros(self.0.load(Ordering::Relaxed))
    }
}

impl Search {
    pub(crate) fn new(settings: &Settings) -> Result<Self> {
        let agent = match &settings.search.contact {
            Some(contact) => format!("{} (+{contact})", http::USER_AGENT),
            None => http::USER_AGENT.to_owned(),
        };
        let inner = Inner {
            client: http::client(http::builder().user_agent(agent).timeout(limits::SEARCH_REQUEST))?,
            settings: settings.search.clone(),
            rules: settings.fetch.rules.clone(),
            turns: Provider::ALL
                .into_iter()
                .map(|provider| (provider, Turns::new(settings.search.pace(provider))))
                .collect(),
            memory: Memory::default(),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The providers that can be asked, best first.
    #[cfg(test)]
    pub(crate) fn providers(&self) -> Vec<Provider> {
        self.inner.settings.active()
    }

    /// Asks these providers at once and fuses what they found. Who fails is a problem; who succeeds counts.
    pub(crate) async fn search(
        &self,
        query: &Query,
        providers: &[Provider],
        cancel: &CancellationToken,
    ) -> SearchReply {
        let mut asking = JoinSet::new();
        let mut bills = Vec::new();
        for (place, provider) in providers.iter().copied().enumerate() {
            let (inner, query, bill) = (Arc::clone(&self.inner), query.clone(), Bill::default());
            bills.push(bill.clone());
            asking.spawn(async move { (place, provider, inner.provider(provider, &query, &bill).await) });
        }
        let mut answers = Vec::new();
        while let Some(Some(ended)) = cancel.run_until_cancelled(asking.join_next()).await {
            answers.extend(ended.ok());
        }
        // Dropping the set ends what is still under way.
        drop(asking);
        sort_by_key(&mut answers, |(place, ..)| *place);
        let mut searched = SearchReply::default();
        searched.usage.cost = bills.iter().map(Bill::sum).fold(Usd::default(), |sum, cost| sum + cost);
        for provider in providers.iter().filter(|provider| !answers.iter().any(|(_, of, _)| of == *provider)) {
            let error = Error::new(Code::Cancelled, "the search was no longer wanted");
            searched.problems.push(Problem { subject: provider.name().to_owned(), error });
        }
        let mut lists = Vec::new();
        for (_, provider, hits) in answers {
            match hits {
                Ok(hits) => {
                    searched.asked.push(provider);
                    let kept = hits.into_iter().filter(|hit| allowed(hit, query, &self.inner.rules));
                    // Not every provider takes a number.
                    lists.push((provider, kept.take(asked(provider, query).limit as usize).collect()));
                }
                Err(error) => searched.problems.push(Problem { subject: provider.name().to_owned(), error }),
            }
        }
        searched.results = fuse(lists);
        searched
    }
}

impl Inner {
    /// One provider, from memory or with its retries.
    async fn provider(&self, provider: Provider, query: &Query, bill: &Bill) -> Result<Vec<Hit>> {
        let query = &asked(provider, query);
        if let Some(hits) = self.memory.get(provider, query) {
            return Ok(hits);
        }
        let hits = timeout(limits::SEARCH_PROVIDER, self.with_retries(provider, query, bill)).await;
        let hits = hits.unwrap_or_else(|_late| {
            let seconds = limits::SEARCH_PROVIDER.as_secs();
            Err(Error::new(Code::Timeout, format!("{} did not answer within {seconds} s", provider.name())))
        });
        if let Ok(hits) = &hits {
            self.memory.put(provider, query, hits);
        }
        hits
    }
}

/// The query as a provider takes it: plain, on one line, not too long, with a number of results that it has.
fn asked(provider: Provider, query: &Query) -> Query {
    let text = crate::core::base::plain::words(&query.text, limits::SEARCH_QUERY_CHARS);
    Query { text, limit: query.limit.clamp(1, provider.row().most), ..query.clone() }
}

fn adapter(provider: Provider) -> &'static dyn Adapter {
    match provider {
        Provider::Tavily => &tavily::Tavily,
        Provider::Brave => &brave::Brave,
        Provider::Exa => &exa::Exa,
        Provider::Serper => &serper::Serper,
        Provider::Searxng => &searxng::Searxng,
        Provider::Wikipedia => &wikipedia::Wikipedia,
        Provider::OpenAlex => &openalex::OpenAlex,
        Provider::Crossref => &crossref::Crossref,
        Provider::Arxiv => &arxiv::Arxiv,
        Provider::StackExchange => &stackexchange::StackExchange,
        Provider::HackerNews => &hackernews::HackerNews,
        Provider::GitHub => &github::GitHub,
    }
}

/// A text below a value; anything else is an empty one.
fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// The list below an answer, each element made a result; those without an address are left out.
fn hits(reply: &[u8], pointer: &str, read: impl Fn(&Value) -> Hit) -> Option<Vec<Hit>> {
    let reply: Value = serde_json::from_slice(reply).ok()?;
    let list = reply.pointer(pointer)?.as_array()?;
    Some(list.iter().map(read).filter(|hit| !hit.url.is_empty()).take(limits::SEARCH_HITS).collect())
}

/// A result out of the texts at three places: its address, its title and what is shown of it.
fn hit(result: &Value, [url, title, snippet]: [&str; 3], date: Option<String>) -> Hit {
    let shown = |place| plain(text(result, place));
    Hit { url: text(result, url).to_owned(), title: shown(title), snippet: shown(snippet), date }
}

/// The words of a question that a provider must all find; the whole question stands on no page.
fn keywords(query: &Query) -> String {
    informative(&query.text).into_iter().take(limits::SEARCH_KEYWORDS).collect::<Vec<_>>().join(" ")
}

/// A query with the sites as words that search engines know: `tides (site:a.org OR site:b.org) -site:c.org`.
fn with_sites(query: &Query) -> String {
    let mut words = vec![query.text.clone()];
    let only: Vec<String> = query.within.only.iter().map(|site| format!("site:{site}")).collect();
    if !only.is_empty() {
        words.push(format!("({})", only.join(" OR ")));
    }
    words.extend(query.within.never.iter().map(|site| format!("-site:{site}")));
    words.join(" ")
}

/// The same for a provider that takes no longer query than this: sites have at most half of the room, and the words of the question what is left.
/// Sites that are left out of it are seen to afterwards.
fn with_sites_within(query: &Query, words: usize, chars: usize) -> String {
    let count = |text: &str| (text.split_whitespace().count(), text.chars().count());
    let mut short = Query { text: String::new(), ..query.clone() };
    let sites = loop {
        let sites = with_sites(&short).trim().to_owned();
        let (site_words, site_chars) = count(&sites);
        let within = &mut short.within;
        let longer = if within.never.len() > within.only.len() { &mut within.never } else { &mut within.only };
        if (site_words * 2 <= words && site_chars * 2 <= chars) || longer.pop().is_none() {
            break sites;
        }
    };
    let (site_words, site_chars) = count(&sites);
    let mut text = String::new();
    for word in query.text.split_whitespace().take(words.saturating_sub(site_words)) {
        if text.chars().count() + word.chars().count() + site_chars + 2 > chars {
            break;
        }
        text = format!("{text} {word}");
    }
    format!("{text} {sites}").trim().to_owned()
}

/// The days of a query as the filter that libraries know: `from:2026-01-31,to:2026-11-15`.
fn days(query: &Query, from: &str, until: &str) -> Option<String> {
    let days = [(from, &query.within.from), (until, &query.within.until)];
    let days: Vec<String> =
        days.into_iter().filter_map(|(name, day)| Some(format!("{name}:{}", day.as_ref()?))).collect();
    (!days.is_empty()).then(|| days.join(","))
}

/// The length of a day, so that the last one of a range counts whole.
const DAY_SECONDS: i64 = 86_400;

/// The seconds since 1970 at which a day begins.
fn seconds_of(day: &str) -> Option<i64> {
    let mut parts = day.split('-');
    let year = parts.next()?.parse().ok()?;
    let month = time::Month::try_from(parts.next()?.parse::<u8>().ok()?).ok()?;
    let date = time::Date::from_calendar_date(year, month, parts.next()?.parse().ok()?).ok()?;
    Some(date.midnight().assume_utc().unix_timestamp())
}
