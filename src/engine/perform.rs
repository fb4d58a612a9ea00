//! One effect, through the world's adapters. Retries, if any, are the adapters'; what comes back is data.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::evidence::{self, Reach};
use super::showing::{action_of, showing};
use super::{Inner, hosted, read, web};
use crate::core::base::engine::EngineName;
use crate::core::base::error::{Code, Error, Problem, Result};
use crate::core::base::limits;
use crate::core::evidence::passage::{self, PageRef};
use crate::core::model::ask::{Ask, AskReply};
use crate::core::money::meter::may_be_billed;
use crate::core::money::usage::Usage;
use crate::core::task::effect::Effect;
use crate::core::task::outcome::Outcome;
use crate::world::redirects;
use crate::world::stoppable;
use crate::world::store::{Archive, Claim, Store};

/// Does it. What comes back passes the one place that hides our keys: whoever was asked with one may repeat it.
pub(super) async fn perform(
    inner: &Arc<Inner>,
    store: &Store,
    claim: Claim,
    effect: &Effect,
    cancel: &CancellationToken,
) -> (Outcome, Usage) {
    let (outcome, usage) = perform_unmasked(inner, store, claim, effect, cancel).await;
    let masked = inner.masks.value(outcome).unwrap_or_else(|_unreadable| {
        let message = format!("what `{}` brought cannot be read once keys are masked in it", effect.name());
        Outcome::Failed { error: Error::new(Code::Internal, message).hint("set a key that is no common word") }
    });
    (masked, usage)
}

/// An adapter's error becomes an outcome: the method decides what it means.
async fn perform_unmasked(
    inner: &Arc<Inner>,
    store: &Store,
    claim: Claim,
    effect: &Effect,
    cancel: &CancellationToken,
) -> (Outcome, Usage) {
    let done = match effect {
        Effect::RefreshLibrary { roots } => {
            let (roots, stop) = (roots.clone(), cancel.clone());
            let work = inner.library(move |library| library.refresh(&roots, &|| stop.is_cancelled()));
            stoppable(cancel, work).await.map(Outcome::Refreshed)
        }
        Effect::SearchLibrary { query, roots, limit, reach } => {
            stoppable(cancel, search(inner, query, roots, (*limit, *reach), cancel)).await
        }
        Effect::ArchivePages { pages } => stoppable(cancel, archive(inner, &store.archive(claim.id), pages)).await,
        #[cfg(feature = "scripted")]
        Effect::Script(step) => return super::scripted::perform(&inner.gate, step, claim.id, cancel).await,
        Effect::WebSearch { query, providers } => return web::search(inner, query, providers, cancel).await,
        Effect::FetchPages { query, urls, limit } => {
            web::fetch(inner, &store.archive(claim.id), query, urls, *limit, cancel).await
        }
        Effect::ReadPages { question, pages, seen, room, place: _ } => {
            let asked = read::Asked { question, pages, seen, room: *room };
            stoppable(cancel, read::read(inner, store, claim.id, asked, cancel)).await
        }
        Effect::Chat(chat) => return web::chat(inner, chat, cancel).await,
        Effect::CheckClaims { claims, pages } => stoppable(cancel, web::check(store, claims, pages)).await,
        Effect::ReadReport { url, offline } => evidence::read_report(inner, url, Reach::of(*offline), cancel).await,
        Effect::GatherPages { sources, offline, within_ms, files } => {
            let archive = store.archive(claim.id);
            let within = Duration::from_millis(*within_ms);
            evidence::gather(inner, &archive, sources, (Reach::of(*offline), files, within), cancel).await
        }
        Effect::JudgeReport { report, sources, tell_open } => {
            stoppable(cancel, evidence::judge(store, report, sources, *tell_open)).await
        }
        Effect::Ask(ask) => {
            let (asked, usage) = match ask.engine {
                EngineName::GeminiApi => inner.api.ask(ask, cancel).await,
                EngineName::Native => web::ask(inner, &store.archive(claim.id), ask, cancel).await,
                EngineName::GeminiCli => match ask_gemini(inner, store, claim, ask, cancel).await {
                    Ok((asked, usage)) => (Ok(asked), usage),
                    Err(error) if may_be_billed(error.code) => (Err(error), ask.expected()),
                    Err(error) => (Err(error), Usage::ZERO),
                },
                EngineName::Extractive => {
                    let error = Error::new(Code::Internal, "the engine `extractive` has no model to ask");
                    (Err(error.hint("please report this with the question")), Usage::ZERO)
                }
            };
            return (asked.map_or_else(|error| Outcome::Failed { error }, Outcome::Asked), usage);
        }
        Effect::CreateRun(create) => return hosted::create(inner, claim, create).await,
        Effect::FollowRun(follow) => return hosted::follow(inner, store, claim, follow, cancel).await,
        Effect::CancelRun { interaction, worker } => {
            return hosted::cancel(inner, store, claim, interaction, worker).await;
        }
        Effect::DeleteRun { interaction } => hosted::delete(inner, interaction).await,
        Effect::Wait { ms } => wait(*ms, cancel).await,
        // The run keeps these for itself.
        Effect::Log { .. } | Effect::Progress(_) | Effect::Finish(_) => {
            Err(Error::new(Code::Internal, "not an effect of the world"))
        }
    };
    (done.unwrap_or_else(|error| Outcome::Failed { error }), Usage::ZERO)
}

async fn search(
    inner: &Arc<Inner>,
    query: &str,
    roots: &[String],
    wanted: (u32, passage::Reach),
    cancel: &CancellationToken,
) -> Result<Outcome> {
    let (query, roots, stop) = (query.to_owned(), roots.to_owned(), cancel.clone());
    let work = inner.library(move |library| library.search_mended(&query, &roots, wanted, &|| stop.is_cancelled()));
    work.await.map(Outcome::Found)
}

/// Runs the program and shows what it does while it does it.
async fn ask_gemini(
    inner: &Arc<Inner>,
    store: &Store,
    claim: Claim,
    ask: &Ask,
    cancel: &CancellationToken,
) -> Result<(AskReply, Usage)> {
    let (tell, told) = watch::channel(String::new());
    let asking = inner.gemini.ask(&inner.gate, ask, cancel, move |new| {
        tell.send_replace(new);
    });
    let asking = async {
        let (mut asked, usage) = asking.await?;
        if inner.settings.resolve_redirects {
            redirects::resolve(&mut asked.text, &mut asked.sources).await;
        }
        Ok((asked, usage))
    };
    let show = |action: String| {
        let action = inner.masks.text(&action).into_owned();
        action_of(inner, store, claim, action)
    };
    showing(claim, asking, told, limits::PROGRESS_EVERY, show).await
}

async fn archive(inner: &Arc<Inner>, archive: &Archive, pages: &[PageRef]) -> Result<Outcome> {
    let mut archived = Vec::new();
    let mut problems = Vec::new();
    for page in pages {
        let wanted = page.clone();
        match inner.library(move |library| library.read(&wanted)).await {
            Ok(read) => {
                archive.keep(page.page.clone(), read.text).await?;
                archived.push(page.page.clone());
            }
            Err(error) => problems.push(Problem { subject: page.path.clone(), error }),
        }
    }
    Ok(Outcome::Archived { pages: archived, problems })
}

async fn wait(ms: u64, cancel: &CancellationToken) -> Result<Outcome> {
    tokio::select! {
        () = tokio::time::sleep(Duration::from_millis(ms)) => Ok(Outcome::Waited),
        () = cancel.cancelled() => Err(Error::new(Code::Cancelled, "stopped while waiting")),
    }
}
