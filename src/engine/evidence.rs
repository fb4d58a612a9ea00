//! The effects of checking a report: reading it, reading what it cites, and judging its claims.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use futures_util::stream::{self, StreamExt};
use tokio_util::sync::CancellationToken;

mod local;

use super::{Engine, Inner, web};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::base::plain::shortened;
use crate::core::evidence::checked::{
    CheckedSource, FileReach, NotVisited, SourcePage, SourceState, check, open_claims,
};
use crate::core::evidence::passage::PageHash;
use crate::core::task::outcome::Outcome;
use crate::core::text;
use crate::core::text::page::{Raw, is_asked_for};
use crate::world::fetch::{Bounds, Page, status_of};
use crate::world::library::page_hash;
use crate::world::store::{Archive, Store};
use crate::world::{blocking, clock, stoppable};

/// Whether the network may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    Web,
    /// Only pages that were fetched before.
    Cache,
}

impl Reach {
    pub(super) fn of(offline: bool) -> Self {
        if offline { Self::Cache } else { Self::Web }
    }
}

impl Engine {
    /// The archived text of a page.
    pub(crate) async fn page_text(&self, page: PageHash) -> Result<Option<String>> {
        self.inner.open().await?.store.page(page).await
    }

    /// The text of a report in a file or from standard input, of any kind that a library reads.
    pub(crate) async fn report_text(&self, name: &str, bytes: &[u8]) -> Result<String> {
        let (file_name, file_bytes) = (name.to_owned(), bytes.to_vec());
        let packed = blocking("reading a report", move || {
            let unreadable = |why| Error::new(Code::PageUnreadable, format!("the file {why}"));
            text::packed_report(&file_name, file_bytes).map_err(unreadable)
        });
        if let Some(text) = packed.await.map_err(|error| not_a_report(&error))? {
            return Ok(self.inner.masks.text(&text).into_owned());
        }
        // A name is only looked at for its ending.
        let url = format!("file:///{name}");
        let raw = Raw { url: &url, content_type: None, bytes };
        let text =
            self.inner.reader.report(raw, &CancellationToken::new()).await.map_err(|error| not_a_report(&error))?;
        Ok(self.inner.masks.text(&text).into_owned())
    }
}

/// A file that cannot be read as a report is a wrong argument, not a page that failed.
fn not_a_report(error: &Error) -> Error {
    let hint = "give Markdown, text, HTML, DOCX, ODT or a PDF";
    match error.code {
        Code::PageUnreadable => {
            Error::new(Code::InvalidArgument, format!("the report cannot be read: {}", error.message)).hint(hint)
        }
        Code::OutputTooLarge => Error::new(Code::InvalidArgument, error.message.clone()).hint("check it in parts"),
        _ => error.clone(),
    }
}

/// Reads a report of the web.
pub(super) async fn read_report(
    inner: &Arc<Inner>,
    url: &str,
    reach: Reach,
    cancel: &CancellationToken,
) -> Result<Outcome> {
    let reading = async {
        let page = match reach {
            Reach::Web => one_page(inner, url, cancel).await.map_err(in_parts)?,
            Reach::Cache => inner.fetcher().await?.cached_page(url).await?.ok_or_else(|| {
                Error::new(Code::PageUnavailable, "the report is not in the cache, and the network was not to be asked")
                    .hint("leave `--offline` out, or give the report as a file")
            })?,
        };
        let raw = Raw { url: &page.final_url, content_type: page.content_type.as_deref(), bytes: &page.bytes };
        let text = inner.reader.report(raw, cancel).await.map_err(in_parts)?;
        // What stands in the place of the report would be checked as if it were one.
        web::extracted(inner, page, "", cancel).await?;
        Ok(Outcome::ReportRead { text })
    };
    stoppable(cancel, reading).await
}

/// A report that is too large can be taken in pieces.
fn in_parts(error: Error) -> Error {
    if error.code == Code::OutputTooLarge { error.hint("save it as a file and check it in parts") } else { error }
}

async fn one_page(inner: &Arc<Inner>, url: &str, cancel: &CancellationToken) -> Result<Page> {
    let (mut pages, problems) = inner.fetcher().await?.fetch_many(&[url.to_owned()], Bounds::default(), cancel).await;
    if cancel.is_cancelled() {
        return Err(web::stopped());
    }
    let missing = || Error::new(Code::FetchFailed, "the report did not come");
    pages.pop().ok_or_else(|| problems.into_iter().next().map_or_else(missing, |problem| problem.error))
}

/// Reads the pages of sources and archives what they say. A page that does not come is told as what it is.
pub(super) async fn gather(
    inner: &Arc<Inner>,
    archive: &Archive,
    sources: &[CheckedSource],
    (reach, files, within): (Reach, &FileReach, Duration),
    cancel: &CancellationToken,
) -> Result<Outcome> {
    stoppable(cancel, async {
        let is_asked = sources.iter().any(|source| source.fetch_address().is_some());
        let pages = match reach {
            _ if !is_asked => sources.iter().map(|_| Err(SourceState::default())).collect(),
            Reach::Web => fetched(inner, sources, within, cancel).await?,
            Reach::Cache => cached(inner, sources).await?,
        };
        let reading = sources.iter().cloned().zip(pages).map(|(source, page)| async move {
            match (source.local(), page) {
                (Some(place), _) => local::read(inner, source, &place.path, (files, cancel)).await,
                (None, Ok(page)) => read_source(inner, source, page, cancel).await,
                (None, Err(state)) => (CheckedSource { state, ..source }, None),
            }
        });
        let read: Vec<(CheckedSource, Option<String>)> =
            stream::iter(reading).buffered(limits::READ_AT_ONCE).collect().await;
        // A page that was cut off is not dead.
        if cancel.is_cancelled() {
            return Err(web::stopped());
        }
        let keep = |(source, text): &(CheckedSource, Option<String>)| {
            let kept = source.page.clone().zip(text.clone());
            kept.map(|(page, text)| archive.keep(page, text))
        };
        // Together, so that they are one commit.
        try_join_all(read.iter().filter_map(keep)).await?;
        Ok(Outcome::Gathered { sources: read.into_iter().map(|(source, _)| source).collect() })
    })
    .await
}

/// The pages of sources in their order, or why there is none.
async fn fetched(
    inner: &Inner,
    sources: &[CheckedSource],
    within: Duration,
    cancel: &CancellationToken,
) -> Result<Vec<Result<Page, SourceState>>> {
    let urls: Vec<String> = sources.iter().filter_map(CheckedSource::fetch_address).collect();
    let began = Instant::now();
    let bounds = Bounds { time: within, ..Bounds::default() };
    let (pages, problems) = inner.fetcher().await?.fetch_many(&urls, bounds, cancel).await;
    let over = began.elapsed() >= within;
    let found = sources.iter().map(|source| {
        let url = source.fetch_address().unwrap_or_default();
        if let Some(page) = pages.iter().find(|page| page.url == url) {
            return Ok(page.clone());
        }
        let error = problems.iter().find(|problem| problem.subject == url).map(|problem| &problem.error);
        Err(error.map_or_else(SourceState::default, |error| SourceState::of_error(error, status_of(error), over)))
    });
    Ok(found.collect())
}

async fn cached(inner: &Inner, sources: &[CheckedSource]) -> Result<Vec<Result<Page, SourceState>>> {
    let fetcher = inner.fetcher().await?;
    let mut found = Vec::with_capacity(sources.len());
    for source in sources {
        let Some(url) = source.fetch_address() else {
            found.push(Err(source.state.clone()));
            continue;
        };
        found.push(match fetcher.cached_page(&url).await {
            Ok(Some(page)) => Ok(page),
            Ok(None) => Err(SourceState::NotVisited { why: NotVisited::Offline }),
            Err(error) => Err(SourceState::of_error(&error, status_of(&error), false)),
        });
    }
    Ok(found)
}

/// A source with what its page says, as it is archived.
async fn read_source(
    inner: &Arc<Inner>,
    source: CheckedSource,
    page: Page,
    cancel: &CancellationToken,
) -> (CheckedSource, Option<String>) {
    let final_address = (Some(&page.final_url) != source.address.as_ref()).then(|| page.final_url.clone());
    let told =
        |state: SourceState| (CheckedSource { state, final_address: final_address.clone(), ..source.clone() }, None);
    let raw = Raw { url: &page.final_url, content_type: page.content_type.as_deref(), bytes: &page.bytes };
    let extracted = match inner.reader.read(raw, cancel).await {
        Ok(extracted) => extracted,
        Err(error) => return told(SourceState::of_error(&error, status_of(&error), false)),
    };
    let topic = source.title.as_deref().unwrap_or_default();
    if let Some(blocked) = extracted.blocked.filter(|_| !is_asked_for(&extracted, topic)) {
        return told(SourceState::of_block(blocked));
    }
    let (url, masks) = (page.final_url.clone(), inner.masks.clone());
    let document = blocking("reading a page", move || web::document(&url, extracted, &masks)).await;
    match document {
        Err(error) => told(SourceState::of_error(&error, status_of(&error), false)),
        Ok((title, document)) => {
            let read = CheckedSource {
                title: Some(shortened(&title, limits::LABEL_CHARS)),
                final_address: final_address.clone(),
                read_ms: Some(clock::now_ms()),
                page: Some(page_hash(&document.text)),
                state: SourceState::Read,
                ..source.clone()
            };
            (read, Some(document.text))
        }
    }
}

/// Judges every claim by the archived text of what it cites.
pub(super) async fn judge(store: &Store, report: &str, sources: &[CheckedSource], tell_open: bool) -> Result<Outcome> {
    let mut pages = Vec::with_capacity(sources.len());
    let mut room = limits::EVIDENCE_TEXT_BYTES;
    for source in sources {
        let mut page = SourcePage { source: source.clone(), text: None };
        if let Some(hash) = &source.page {
            let text = store.page(hash.clone()).await?;
            let fits = text.as_ref().and_then(|text| room.checked_sub(text.len()));
            page.source.state = match (&text, fits) {
                (None, _) => SourceState::default(),
                (Some(_), None) => SourceState::NotVisited { why: NotVisited::Limit },
                (Some(_), Some(_)) => SourceState::Read,
            };
            room = fits.unwrap_or(room);
            page.text = text.filter(|_| fits.is_some());
        }
        pages.push(page);
    }
    let report = report.to_owned();
    let judging = move || {
        let evidence = Box::new(check(&report, &[], &pages));
        let open = if tell_open { open_claims(&evidence, &pages) } else { Vec::new() };
        Ok(Outcome::Judged { evidence, open })
    };
    blocking("judging the claims of a report", judging).await
}
