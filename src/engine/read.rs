//! Reading pages for one question of a study: of the web, of the library, or on in what is archived.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures_util::future::try_join_all;
use futures_util::stream::{self, StreamExt};
use tokio_util::sync::CancellationToken;

use super::{Inner, web};
use crate::core::base::error::{Code, Error, Problem, Result};
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::core::evidence::excerpt::{self, PageFacts, PageLink, ReadReply, SeenPart, ShownRoom, WantedPage};
use crate::core::evidence::passage::{PageHash, PageRef};
use crate::core::evidence::place::location;
use crate::core::task::outcome::Outcome;
use crate::core::text::shingles::Shingles;
use crate::core::text::{Document, Format, extract};
use crate::world::blocking;
use crate::world::fetch::{Bounds, Page};
use crate::world::library::page_hash;
use crate::world::store::Store;

/// What is to be read, for whom.
pub(super) struct Asked<'a> {
    pub(super) question: &'a str,
    pub(super) pages: &'a [WantedPage],
    pub(super) seen: &'a [SeenPart],
    pub(super) room: ShownRoom,
}

/// Reads the pages side by side and chooses what is shown of them, in the order in which they were asked for.
pub(super) async fn read(
    inner: &Arc<Inner>,
    store: &Store,
    task: TaskId,
    asked: Asked<'_>,
    cancel: &CancellationToken,
) -> Result<Outcome> {
    let (wanted, mut problems) = fetched(inner, asked.pages, cancel).await?;
    let question = asked.question;
    let reading = wanted.into_iter().map(|(wanted, page)| async move {
        match (wanted, page) {
            (WantedPage::Web { url }, Some(page)) => Some((url, of_web(inner, page, question, cancel).await)),
            // Why it did not come is among the problems.
            (WantedPage::Web { .. }, None) => None,
            (WantedPage::Library(page), _) => Some((page.path.clone(), of_library(inner, page).await)),
            (WantedPage::Archived(facts), _) => Some((facts.location.clone(), of_archive(store, facts).await)),
        }
    });
    let results: Vec<_> = stream::iter(reading).buffered(limits::READ_AT_ONCE).collect().await;
    // A page that was cut off is not dead.
    if cancel.is_cancelled() {
        return Err(web::stopped());
    }
    let mut read: Vec<(PageFacts, Document)> = Vec::new();
    let mut links: BTreeMap<PageHash, Vec<PageLink>> = BTreeMap::new();
    let mut texts = seen_texts(store, asked.seen).await?;
    for (subject, result) in results.into_iter().flatten() {
        match result {
            // Two addresses can lead to one page.
            Ok(page) if read.iter().any(|(known, _)| known.hash == page.facts.hash) => {}
            Ok(page) => {
                let text = Shingles::of(&page.document.text);
                let is_new = !texts.contains_key(&page.facts.hash);
                // A copy of what the reader has seen is no second source.
                if is_new && texts.values().any(|known| text.adds_nothing_to(known)) {
                    continue;
                }
                texts.insert(page.facts.hash.clone(), text);
                links.insert(page.facts.hash.clone(), page.links);
                read.push((page.facts, page.document));
            }
            Err(error) => problems.push(Problem { subject, error }),
        }
    }
    // Together, so that they are one commit.
    let archive = store.archive(task);
    try_join_all(read.iter().map(|(facts, document)| archive.keep(facts.hash.clone(), document.text.clone()))).await?;
    let (question, seen, room) = (asked.question.to_owned(), asked.seen.to_vec(), asked.room);
    let choosing = move || {
        let mut pages = excerpt::choose(&question, read, &seen, room);
        for page in &mut pages {
            page.links = excerpt::telling_links(&question, links.remove(&page.facts.hash).unwrap_or_default());
        }
        Ok(pages)
    };
    let pages = blocking("choosing what is shown of pages", choosing).await?;
    Ok(Outcome::Read(Box::new(ReadReply { pages, problems })))
}

/// Each wanted page with what the web answered to it, and what went wrong.
async fn fetched(
    inner: &Inner,
    pages: &[WantedPage],
    cancel: &CancellationToken,
) -> Result<(Vec<(WantedPage, Option<Page>)>, Vec<Problem>)> {
    let url = |page: &WantedPage| match page {
        WantedPage::Web { url } => Some(url.clone()),
        WantedPage::Library(_) | WantedPage::Archived(_) => None,
    };
    let urls: Vec<String> = pages.iter().filter_map(url).collect();
    let (mut fetched, problems) = match urls.is_empty() {
        true => (Vec::new(), Vec::new()),
        false => inner.fetcher().await?.fetch_many(&urls, Bounds::default(), cancel).await,
    };
    let with_page = |wanted: &WantedPage| {
        let is_it = |page: &Page| matches!(wanted, WantedPage::Web { url } if *url == page.url);
        let page = fetched.iter().position(is_it).map(|at| fetched.swap_remove(at));
        (wanted.clone(), page)
    };
    Ok((pages.iter().map(with_page).collect(), problems))
}

/// A page as it was read.
struct ReadOne {
    facts: PageFacts,
    document: Document,
    links: Vec<PageLink>,
}

/// The texts of pages of which the reader has seen something, to be compared with.
async fn seen_texts(store: &Store, seen: &[SeenPart]) -> Result<BTreeMap<PageHash, Shingles>> {
    let hashes: BTreeSet<&PageHash> = seen.iter().map(|part| &part.hash).collect();
    let mut texts = BTreeMap::new();
    for hash in hashes {
        if let Some(text) = store.page(hash.clone()).await? {
            texts.insert(hash.clone(), Shingles::of(&text));
        }
    }
    Ok(texts)
}

async fn of_web(inner: &Inner, page: Page, question: &str, cancel: &CancellationToken) -> Result<ReadOne> {
    let (asked, url) = (page.url.clone(), page.final_url.clone());
    let extracted = web::extracted(inner, page, question, cancel).await?;
    let masks = inner.masks.clone();
    blocking("reading a page", move || {
        let (date, author) = (extracted.date.clone(), extracted.author.clone());
        let links = extracted.links.iter().map(|link| PageLink { url: link.url.clone(), text: link.text.clone() });
        let links: Vec<PageLink> = links.collect();
        let (title, mut document) = web::document(&url, extracted, &masks)?;
        excerpt::without_link_lists(&mut document, &links);
        let hash = page_hash(&document.text);
        let asked = (asked != url).then_some(asked);
        Ok(ReadOne { facts: PageFacts { location: url, asked, title, hash, date, author }, document, links })
    })
    .await
}

async fn of_library(inner: &Inner, page: PageRef) -> Result<ReadOne> {
    let wanted = page.clone();
    let document = inner.library(move |library| library.document(&wanted)).await?;
    let facts = PageFacts {
        location: location(&page.root, &page.path),
        asked: None,
        title: page.title,
        hash: page.page,
        date: None,
        author: None,
    };
    Ok(ReadOne { facts, document, links: Vec::new() })
}

async fn of_archive(store: &Store, facts: PageFacts) -> Result<ReadOne> {
    let gone = || Error::new(Code::PageUnavailable, "the archived text of this page is gone");
    let text = store.page(facts.hash.clone()).await?.ok_or_else(gone)?;
    blocking("reading an archived page", move || {
        let document = extract(Format::Markdown, text.into_bytes())
            .map_err(|_not_text| Error::new(Code::PageUnreadable, "the archived page holds no text"))?;
        Ok(ReadOne { facts, document, links: Vec::new() })
    })
    .await
}
