//! The effects of the web: search, pages, chat models, and the ledger over archived pages.

use std::borrow::Cow;
use std::sync::Arc;

use futures_util::future::try_join_all;
use futures_util::stream::{self, StreamExt};
use tokio_util::sync::CancellationToken;

use super::Inner;
use crate::core::base::error::{Code, Error, Problem, Result};
use crate::core::base::masks::Masks;
use crate::core::base::{dates, limits};
use crate::core::evidence::claim::{Claim, Verdict};
use crate::core::evidence::ledger::{CitedClaim, Lookup};
use crate::core::evidence::passage::NumberedPage;
use crate::core::evidence::rank::{self, FetchReply, ReadPage, WebPage};
use crate::core::model::ask::{Ask, AskReply, Role};
use crate::core::model::chat::{Chat, Model};
use crate::core::model::shown::shown;
use crate::core::money::usage::Usage;
use crate::core::setup::settings::Settings;
use crate::core::task::outcome::Outcome;
use crate::core::text::page::{Blocked, Extracted, Raw, is_asked_for};
use crate::core::text::{Document, Format, extract};
use crate::core::web::search::{Provider, Query};
use crate::world::fetch::{Bounds, Fetcher, Page};
use crate::world::library::page_hash;
use crate::world::search::Search;
use crate::world::stoppable;
use crate::world::store::{Archive, Store};
use crate::world::{blocking, clock};

impl super::Engine {
    /// The chat models that can be asked, best first.
    pub(crate) async fn chat_models(&self) -> Vec<Model> {
        let mut models = self.inner.models.available().await;
        // A server that lists its models is outside text too; a name with a key in it is none that can be asked.
        models.retain(|model| matches!(self.inner.masks.text(&model.name), Cow::Borrowed(_)));
        models
    }

    /// The fewest tokens that one of some models takes with its answer, where it is known of any.
    pub(crate) async fn window(&self, models: &[String]) -> Option<u32> {
        if models.is_empty() { None } else { self.inner.models.window(models).await }
    }
}

/// Searches the web. What it cost is told also when a provider failed.
pub(super) async fn search(
    inner: &Inner,
    query: &Query,
    providers: &[Provider],
    cancel: &CancellationToken,
) -> (Outcome, Usage) {
    match inner.search().await {
        Ok(search) => {
            let searched = search.search(query, providers, cancel).await;
            let usage = searched.usage;
            // What was cut off is not what the providers said; it is asked again, unless something of it is paid.
            if cancel.is_cancelled() && usage == Usage::ZERO {
                return (Outcome::Failed { error: stopped() }, usage);
            }
            (Outcome::WebFound(Box::new(searched)), usage)
        }
        Err(error) => (Outcome::Failed { error }, Usage::ZERO),
    }
}

/// Fetches pages, archives what they say, and ranks their passages against the query. A page that takes long to read does not hold up a cancel.
pub(super) async fn fetch(
    inner: &Arc<Inner>,
    archive: &Archive,
    query: &str,
    urls: &[String],
    limit: u32,
    cancel: &CancellationToken,
) -> Result<Outcome> {
    stoppable(cancel, fetch_and_read(inner, archive, query, urls, limit, cancel)).await
}

async fn fetch_and_read(
    inner: &Arc<Inner>,
    archive: &Archive,
    query: &str,
    urls: &[String],
    limit: u32,
    cancel: &CancellationToken,
) -> Result<Outcome> {
    let fetcher = inner.fetcher().await?;
    let (pages, mut problems) = fetcher.fetch_many(urls, Bounds::default(), cancel).await;
    let reading = pages.into_iter().map(|page| async {
        // As it was asked for: that is how the method knows it.
        let url = page.url.clone();
        (url, read_page(inner, page, query, cancel).await)
    });
    let results: Vec<_> = stream::iter(reading).buffered(limits::READ_AT_ONCE).collect().await;
    // A page that was cut off is not dead.
    if cancel.is_cancelled() {
        return Err(stopped());
    }
    let mut read: Vec<ReadPage> = Vec::new();
    for (url, result) in results {
        match result {
            // Two addresses can lead to one page.
            Ok(page) if read.iter().any(|known| known.about.page == page.about.page) => {}
            Ok(page) => read.push(page),
            Err(error) => problems.push(Problem { subject: url, error }),
        }
    }
    // Together, so that they are one commit.
    let archiving = read.iter().map(|page| archive.keep(page.about.page.clone(), page.document.text.clone()));
    try_join_all(archiving).await?;
    let query = query.to_owned();
    let ranked = blocking("ranking passages", move || {
        let mut found = rank::rank(&query, &read, limit);
        found.problems = problems;
        Ok(FetchReply { pages: read.into_iter().map(|page| page.about).collect(), found })
    });
    let fetched = ranked.await?;
    Ok(Outcome::Fetched(Box::new(fetched)))
}

pub(super) fn stopped() -> Error {
    Error::new(Code::Cancelled, "stopped while the web was asked")
}

/// A page of the web as it is archived, with what it says of itself.
async fn read_page(inner: &Inner, page: Page, query: &str, cancel: &CancellationToken) -> Result<ReadPage> {
    let url = page.final_url.clone();
    let extracted = extracted(inner, page, query, cancel).await?;
    let age_days = extracted.date.as_deref().and_then(|date| dates::days_since(date, clock::now_ms()));
    let (title, document) = blocking("reading a page", {
        let (url, masks) = (url.clone(), inner.masks.clone());
        move || document(&url, extracted, &masks)
    })
    .await?;
    let page = page_hash(&document.text);
    Ok(ReadPage { about: WebPage { url, title, page, age_days }, document })
}

/// What a page holds, unless something else stands in its place.
pub(super) async fn extracted(inner: &Inner, page: Page, query: &str, cancel: &CancellationToken) -> Result<Extracted> {
    let raw = Raw { url: &page.final_url, content_type: page.content_type.as_deref(), bytes: &page.bytes };
    let extracted = inner.reader.read(raw, cancel).await?;
    if let Some(blocked) = extracted.blocked.filter(|_| !is_asked_for(&extracted, query)) {
        return Err(Error::new(Code::PageUnavailable, format!("{} in the place of the page", named(blocked))));
    }
    Ok(extracted)
}

/// A page's title and its text as it is archived and cut into passages.
pub(super) fn document(url: &str, extracted: Extracted, masks: &Masks) -> Result<(String, Document)> {
    let mut text = rank::without_links(&masks.text(&extracted.markdown));
    text.truncate(text.floor_char_boundary(limits::WEB_PAGE_TEXT_BYTES));
    let document = extract(Format::Markdown, text.into_bytes())
        .map_err(|_not_text| Error::new(Code::PageUnreadable, "the page holds no text"))?;
    if document.passages.is_empty() {
        return Err(Error::new(Code::PageUnreadable, "the page holds no text"));
    }
    let title = extracted.title.or_else(|| document.title.clone()).unwrap_or_else(|| url.to_owned());
    Ok((title, document))
}

fn named(blocked: Blocked) -> &'static str {
    match blocked {
        Blocked::Captcha => "a captcha stands",
        Blocked::Denied => "a refusal stands",
        Blocked::NotFound => "a notice that it is gone stands",
        Blocked::Consent => "a consent wall stands",
        Blocked::Login => "a log-in stands",
        Blocked::NeedsScript => "a page that needs scripts stands",
    }
}

pub(super) async fn chat(inner: &Inner, chat: &Chat, cancel: &CancellationToken) -> (Outcome, Usage) {
    let (reply, usage) = inner.models.chat(chat, cancel).await;
    (reply.map_or_else(|error| Outcome::Failed { error }, Outcome::Chatted), usage)
}

/// A round without a model program: search, read, ask. What the search cost counts also when the model fails.
pub(super) async fn ask(
    inner: &Arc<Inner>,
    archive: &Archive,
    ask: &Ask,
    cancel: &CancellationToken,
) -> (Result<AskReply>, Usage) {
    let mut usage = Usage::ZERO;
    let asked = ask_counted(inner, archive, ask, cancel, &mut usage).await;
    (asked, usage)
}

async fn ask_counted(
    inner: &Arc<Inner>,
    archive: &Archive,
    ask: &Ask,
    cancel: &CancellationToken,
    usage: &mut Usage,
) -> Result<AskReply> {
    let Some(native) = &ask.native else {
        return Err(Error::new(Code::Internal, "a native round without its models"));
    };
    let mut asked = AskReply::default();
    let mut passages = Vec::new();
    if ask.role == Role::Research {
        let (query, before) = Ask::search(native, ask.round);
        let searched = inner.search().await?.search(&query, &native.providers, cancel).await;
        *usage += searched.usage;
        if cancel.is_cancelled() {
            return Err(stopped());
        }
        if searched.asked.is_empty() {
            let why = searched.problems.first().map_or("none is set up", |problem| problem.error.message.as_str());
            let message = format!("no search provider answered this round: {why}");
            return Err(Error::new(Code::SearchFailed, message));
        }
        asked.queries.push(query.text.clone());
        asked.problems.extend(searched.problems);
        let all: Vec<String> = searched.results.into_iter().map(|result| result.hit.url).collect();
        let limit = u32::try_from(limits::REPORT_PASSAGES).unwrap_or(u32::MAX);
        for urls in Ask::pages(&all, before) {
            let Outcome::Fetched(fetched) = fetch(inner, archive, &query.text, &urls, limit, cancel).await? else {
                continue;
            };
            asked.sources.extend(fetched.pages.into_iter().map(|page| page.url));
            asked.problems.extend(fetched.found.problems);
            passages = fetched.found.passages;
            if !passages.is_empty() {
                break;
            }
        }
        if passages.is_empty() {
            return Err(Error::new(Code::ExecutionError, "the search of this round found no page that could be read"));
        }
    }
    let shown = shown(passages.iter());
    asked.shown = shown.iter().map(|page| page.location.clone()).collect();
    let chat = ask.chat(native, &shown);
    let (chatted, used) = inner.models.chat(&chat, cancel).await;
    *usage += used;
    let chatted = chatted?;
    asked.text = chatted.text;
    asked.model = Some(chatted.model);
    asked.problems.extend(chatted.problems);
    Ok(asked)
}

/// Looks every claim up in the archived text of the page it cites.
pub(super) async fn check(store: &Store, claims: &[CitedClaim], pages: &[NumberedPage]) -> Result<Outcome> {
    let mut texts = Vec::new();
    for NumberedPage { number, page } in pages {
        if claims.iter().any(|claim| claim.source == *number)
            && let Some(text) = store.page(page.clone()).await?
        {
            texts.push((*number, text));
        }
    }
    let (claims, pages) = (claims.to_vec(), pages.to_vec());
    let checking = move || Ok(Outcome::Checked { claims: checked(claims, &pages, &texts) });
    blocking("looking claims up", checking).await
}

fn checked(claims: Vec<CitedClaim>, pages: &[NumberedPage], texts: &[(u32, String)]) -> Vec<Claim> {
    let lookups: Vec<(u32, Lookup)> = texts.iter().map(|(number, text)| (*number, Lookup::new(text))).collect();
    let verdict = |claim: &CitedClaim| {
        let known = pages.iter().any(|page| page.number == claim.source);
        let lookup = lookups.iter().find(|(number, _)| *number == claim.source).map(|(_, lookup)| lookup);
        match (known, lookup) {
            (false, _) => (Verdict::NotVisited, None),
            (true, None) => (Verdict::Unreachable, None),
            (true, Some(lookup)) => lookup.check(&claim.text),
        }
    };
    let judged = claims.into_iter().map(|claim| {
        let (verdict, span) = verdict(&claim);
        Claim { text: claim.text, source: claim.source, verdict, span }
    });
    judged.collect()
}

impl Inner {
    /// Made with the first need of it: reading the system's certificates takes a while.
    pub(super) async fn fetcher(&self) -> Result<&Fetcher> {
        self.fetcher.get_or_try_init(|| made(Arc::clone(&self.settings), Fetcher::new)).await
    }

    async fn search(&self) -> Result<&Search> {
        self.search.get_or_try_init(|| made(Arc::clone(&self.settings), Search::new)).await
    }
}

/// A client, made on a thread that may wait.
async fn made<T: Send + 'static>(settings: Arc<Settings>, make: fn(&Settings) -> Result<T>) -> Result<T> {
    blocking("making an HTTP client", move || make(&settings)).await
}
