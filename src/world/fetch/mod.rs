//! The only HTTP client that follows addresses which others wrote: pages, redirects, links out of models.
//!
//! Each address is judged three times (`core::web::address`): by its text, when its name is resolved, and again at every redirect; a
//! connection goes only to an address that was judged. Every size, time and count has a limit, also after unpacking. It honours
//! `robots.txt` and `Retry-After`, asks no site faster than its pace, and says who it is. It reads bytes and never
//! what they mean: that is for `extract`.

mod answer;
mod body;
mod cache;
mod forget;
mod resolver;
mod robots;
mod site;
#[cfg(test)]
mod tests;
mod time;
mod walk;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT, ACCEPT_ENCODING, HeaderMap, HeaderValue};
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::core::base::error::{Code, Error, Problem, Result};
use crate::core::base::{limits, plain};
use crate::core::setup::settings::Settings;
use crate::core::setup::settings::web::FetchSettings;
use crate::core::web::address::{self, Address, Rules};
use crate::world::http;
pub(crate) use answer::status_of;
use body::SharedBytes;
use cache::Cache;
pub(crate) use forget::{Stale, forget};
use resolver::Resolver;
use site::Sites;
use time::PageTime;

/// A page as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    /// As it was asked for.
    pub(crate) url: String,
    /// Where it was, after redirects.
    pub(crate) final_url: String,
    pub(crate) status: u16,
    /// The header, with its parameters. It may lie.
    pub(crate) content_type: Option<String>,
    /// Unpacked.
    pub(crate) bytes: Vec<u8>,
    pub(crate) from_cache: bool,
    pub(crate) hops: Vec<Hop>,
}

/// One redirect on the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hop {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) status: u16,
    /// It led from an encrypted page to one that anybody on the way can change.
    pub(crate) downgraded: bool,
}

/// How much one call may fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) at_once: usize,
    /// All pages together.
    pub(crate) bytes: usize,
    pub(crate) time: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { at_once: limits::FETCH_AT_ONCE, bytes: limits::FETCH_MANY_BYTES, time: limits::FETCH_MANY }
    }
}

/// The fetcher of a process. Clones share everything.
#[derive(Clone, Debug)]
pub(crate) struct Fetcher {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    client: reqwest::Client,
    rules: Rules,
    resolver: Arc<Resolver>,
    sites: Sites,
    cache: Option<Cache>,
    turns: Semaphore,
    timeout: Duration,
    max_page_bytes: usize,
}

impl Fetcher {
    pub(crate) fn new(settings: &Settings) -> Result<Self> {
        let cache_dir = Cache::below(&settings.data_dir);
        Self::with(&settings.fetch, Arc::new(Resolver::new(&settings.fetch)), cache_dir)
    }

    fn with(settings: &FetchSettings, resolver: Arc<Resolver>, cache_dir: std::path::PathBuf) -> Result<Self> {
        let inner = Inner {
            client: client(settings, Arc::clone(&resolver))?,
            rules: settings.rules.clone(),
            resolver,
            sites: Sites::new(),
            cache: (settings.cache_bytes > 0).then(|| Cache::new(cache_dir, settings.cache_bytes)),
            turns: Semaphore::new(limits::FETCH_AT_ONCE),
            timeout: settings.timeout,
            max_page_bytes: settings.max_page_bytes,
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Fetches one page.
    #[cfg(test)]
    pub(crate) async fn fetch(&self, url: &str, cancel: &CancellationToken) -> Result<Page> {
        let room = SharedBytes::new(self.inner.max_page_bytes);
        let fetched = self.inner.page(url, &room);
        match cancel.run_until_cancelled(fetched).await {
            Some(page) => page,
            None => Err(Error::new(Code::Cancelled, format!("`{}` was no longer wanted", shown(url)))),
        }
    }

    /// A page that was fetched before, however long ago. Nobody is asked.
    pub(crate) async fn cached_page(&self, url: &str) -> Result<Option<Page>> {
        let address = address::check(url, &self.inner.rules).map_err(|refusal| refusal.of(url))?;
        let Some(cache) = &self.inner.cache else { return Ok(None) };
        let kept = cache.load(address.url.as_str()).await;
        Ok(kept.map(|kept| Page { url: url.to_owned(), ..kept.page() }))
    }

    /// Fetches many pages, some at once, each once. What was fetched comes in the order in which it was asked for; what was not is a
    /// problem, also what was cut off by a limit or by the cancel.
    pub(crate) async fn fetch_many(
        &self,
        urls: &[String],
        bounds: Bounds,
        cancel: &CancellationToken,
    ) -> (Vec<Page>, Vec<Problem>) {
        let (wanted, mut problems) = distinct(urls);
        let room = SharedBytes::new(bounds.bytes);
        let deadline = Instant::now() + bounds.time;
        let mut waiting = site_by_site(&wanted).into_iter().filter_map(|n| Some((n, wanted.get(n)?)));
        let mut under_way = JoinSet::new();
        let mut fetched: Vec<Option<Result<Page>>> = wanted.iter().map(|_| None).collect();
        let why = loop {
            while under_way.len() < bounds.at_once.max(1) {
                let Some((n, url)) = waiting.next() else { break };
                let (inner, url, room) = (Arc::clone(&self.inner), url.clone(), room.clone());
                under_way.spawn(async move { (n, inner.page(&url, &room).await) });
            }
            let next = timeout_at(deadline, under_way.join_next());
            match cancel.run_until_cancelled(next).await {
                Some(Ok(Some(Ok((n, page))))) => put(&mut fetched, n, page),
                // A page whose reading panicked is told below as one that did not come.
                Some(Ok(Some(Err(_panicked)))) => {}
                Some(Ok(None)) => break Code::Internal,
                Some(Err(_too_late)) => break Code::Timeout,
                None => break Code::Cancelled,
            }
        };
        // What came at the same moment counts; dropping the set ends what is still under way.
        while let Some(Ok((n, page))) = under_way.try_join_next() {
            put(&mut fetched, n, page);
        }
        drop(under_way);
        let mut pages = Vec::new();
        for (url, result) in wanted.into_iter().zip(fetched) {
            match result.unwrap_or_else(|| Err(Error::new(why, format!("`{}` did not come in time", shown(&url))))) {
                Ok(page) => pages.push(page),
                Err(error) => problems.push(Problem { subject: url, error }),
            }
        }
        (pages, problems)
    }
}

impl Inner {
    /// One page within its time, from the cache or from its site.
    async fn page(&self, url: &str, room: &SharedBytes) -> Result<Page> {
        let address = address::check(url, &self.rules).map_err(|refusal| refusal.of(url))?;
        let late = || {
            let seconds = self.timeout.as_secs();
            Error::new(Code::Timeout, format!("`{}` did not come within {seconds} s", shown(url)))
        };
        let time = PageTime::new();
        let page = async {
            let turn = time.uncounted(self.turns.acquire()).await;
            let _turn = turn.map_err(|_closed| Error::new(Code::ShuttingDown, "no more pages"))?;
            self.cached_or_walked(address, room, &time).await
        };
        let page = tokio::select! {
            page = page => page?,
            () = time.run_out(self.timeout) => return Err(late()),
        };
        Ok(Page { url: url.to_owned(), ..page })
    }

    async fn cached_or_walked(&self, address: Address, room: &SharedBytes, time: &PageTime) -> Result<Page> {
        let Some(cache) = &self.cache else { return Ok(self.walk(address, room, None, time).await?.page) };
        let known = cache.load(address.url.as_str()).await;
        if let Some(kept) = known.as_ref().filter(|kept| kept.is_fresh()) {
            room.take(kept.body.len(), self.max_page_bytes)?;
            return Ok(kept.page());
        }
        let key = address.url.to_string();
        let walked = self.walk(address, room, known, time).await?;
        cache.store(&key, &walked).await;
        Ok(walked.page)
    }
}

fn put(fetched: &mut [Option<Result<Page>>], n: usize, page: Result<Page>) {
    if let Some(place) = fetched.get_mut(n) {
        *place = Some(page);
    }
}

/// The places of addresses in the order in which they are asked for: the first of every site, then the second of every site. So a slow site
/// with many pages holds up nobody else.
fn site_by_site(urls: &[String]) -> Vec<usize> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut order: Vec<(usize, usize)> = Vec::with_capacity(urls.len());
    for (n, url) in urls.iter().enumerate() {
        let site = url.splitn(4, '/').nth(2).unwrap_or(url);
        let turn = seen.entry(site).or_default();
        order.push((*turn, n));
        *turn += 1;
    }
    order.sort_unstable();
    order.into_iter().map(|(_, n)| n).collect()
}

/// The addresses to fetch, each page once, and a problem for those beyond the limit.
fn distinct(urls: &[String]) -> (Vec<String>, Vec<Problem>) {
    let mut seen = HashSet::new();
    let once = urls.iter().filter(|url| seen.insert(address::canonical(url).unwrap_or_else(|| (*url).clone())));
    let mut wanted: Vec<String> = once.cloned().collect();
    let beyond = wanted.split_off(wanted.len().min(limits::FETCH_MANY_PAGES));
    let problem = |url: String| {
        let message =
            format!("`{}` was not fetched: {} pages are the most of one call", shown(&url), limits::FETCH_MANY_PAGES);
        Problem { subject: url, error: Error::new(Code::OutputTooLarge, message) }
    };
    (wanted, beyond.into_iter().take(limits::PROBLEMS).map(problem).collect())
}

fn client(settings: &FetchSettings, resolver: Arc<Resolver>) -> Result<reqwest::Client> {
    let agent = match &settings.contact {
        Some(contact) => format!("{} (+{contact})", http::USER_AGENT),
        None => http::USER_AGENT.to_owned(),
    };
    let mut headers = HeaderMap::new();
    headers.insert(
        ACCEPT,
        HeaderValue::from_static("text/html,application/xhtml+xml,application/pdf,text/*;q=0.9,*/*;q=0.5"),
    );
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip, br, zstd"));
    let builder = http::builder()
        .user_agent(agent)
        .default_headers(headers)
        // Unpacking is done here, where its result is counted.
        .no_gzip()
        .no_brotli()
        .no_zstd()
        .no_deflate()
        .referer(false)
        .dns_resolver(resolver)
        .read_timeout(limits::FETCH_IDLE)
        .pool_max_idle_per_host(limits::FETCH_PER_SITE)
        // A proxy out of the environment would look names up behind our back.
        .no_proxy();
    let builder = match &settings.proxy {
        Some(proxy) => builder.proxy(reqwest::Proxy::all(proxy.reveal()).map_err(|_may_show_a_password| bad_proxy())?),
        None => builder,
    };
    builder.build().map_err(|fault| Error::new(Code::Internal, format!("no HTTP client could be made: {fault}")))
}

fn bad_proxy() -> Error {
    Error::new(Code::InvalidConfig, "`fetch.proxy` (`HADAL_FETCH_PROXY`) is not the address of a proxy")
}

/// Foreign text for a message.
fn shown(url: &str) -> String {
    plain::marked(url, limits::ECHO_CHARS)
}
