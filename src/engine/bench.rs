//! Measurements that need the inside of the engine: `hadal __bench`. One JSON object a line, times in microseconds.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::{Adopt, Engine};
use crate::core::base::engine::{EngineChoice, EngineName};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::method::scripted::ScriptedPlan as Script;
use crate::core::method::{Plan, TaskSpec};
use crate::core::money::budget::Budget;
use crate::core::setup::settings::Settings;
use crate::core::task::Tool;
use crate::core::task::outcome::Outcome;
use crate::core::task::scripted::{Act, Step};
use crate::world::blocking;
use crate::world::store::bench::{Sync, append};

const STORED: usize = 10_000;
const LIVE: usize = 1_000;
const READS: usize = 20_000;
const APPENDS: usize = 2_000;
const PAGE_RUNS: usize = 5;

/// A distribution of times.
#[derive(Debug, Serialize)]
pub(crate) struct Figure {
    name: &'static str,
    unit: &'static str,
    n: usize,
    p50: f64,
    p99: f64,
    max: f64,
}

impl Figure {
    fn new(name: &'static str, mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let at = |share: usize| {
            let place = (times.len() * share / 100).min(times.len().saturating_sub(1));
            times.get(place).map_or(0.0, |time| time.as_secs_f64() * 1e6)
        };
        Self { name, unit: "us", n: times.len(), p50: at(50), p99: at(99), max: at(100) }
    }
}

/// One measurement, in the data directory of the settings.
pub(crate) async fn run(settings: &Settings, name: &str) -> Result<Figure> {
    let dir = settings.data_dir.join(name);
    match name {
        "web-pages" => web_pages(settings, &dir).await,
        "status-read" => status_read(settings, &dir).await,
        "journal-append-full" => journal_append("journal-append-full", dir, Sync::Full).await,
        "journal-append-normal" => journal_append("journal-append-normal", dir, Sync::Normal).await,
        _ => Err(Error::new(Code::InvalidArgument, format!("there is no measurement `{name}`"))),
    }
}

async fn journal_append(name: &'static str, dir: PathBuf, sync: Sync) -> Result<Figure> {
    Ok(Figure::new(name, blocking("a measurement", move || append(&dir, sync, APPENDS)).await?))
}

/// Fetching, extracting, archiving and ranking the pages that the file `pages` beside the data names, one address a
/// line, with nothing kept from the run before.
async fn web_pages(settings: &Settings, dir: &Path) -> Result<Figure> {
    let unreadable = |error: std::io::Error| Error::new(Code::InvalidArgument, format!("no list of pages: {error}"));
    let list = std::fs::read_to_string(settings.data_dir.with_file_name("pages")).map_err(unreadable)?;
    let urls: Vec<String> = list.lines().map(str::to_owned).collect();
    let mut times = Vec::new();
    for run in 0..PAGE_RUNS {
        let settings = Settings { data_dir: dir.join(run.to_string()), ..settings.clone() };
        let engine = Engine::new(&settings, Adopt::Nothing);
        let store = engine.inner.open().await?.store.clone();
        let cancel = CancellationToken::new();
        let task = start_all(&engine, 1, vec![vec![Step::new("long", Act::Work { ms: 3_600_000 })]]).await?;
        let Some(task) = task.first() else { continue };
        let archive = store.archive(*task);
        let start = Instant::now();
        let outcome = super::web::fetch(&engine.inner, &archive, "deep sea tides", &urls, 20, &cancel).await?;
        times.push(start.elapsed());
        match outcome {
            Outcome::Fetched(fetched) if fetched.pages.len() * 10 >= urls.len() * 9 => {}
            other => return Err(Error::new(Code::Internal, format!("not all pages were read: {other:?}"))),
        }
        engine.shutdown().await;
    }
    Ok(Figure::new("web-pages", times))
}

/// A status read with many tasks stored and many of them live.
async fn status_read(settings: &Settings, dir: &Path) -> Result<Figure> {
    let settings = Settings { data_dir: dir.to_owned(), max_tasks: LIVE, ..settings.clone() };
    let engine = Engine::new(&settings, Adopt::Nothing);
    let over = start_all(&engine, STORED - LIVE, vec![]).await?;
    for id in &over {
        engine.wait(*id, None).await?;
    }
    let long = Step::new("long", Act::Work { ms: 3_600_000 });
    let live = start_all(&engine, LIVE, vec![vec![long]]).await?;
    let ids: Vec<TaskId> = over.into_iter().chain(live).collect();
    let mut times = Vec::with_capacity(READS);
    for n in 0..READS {
        // A stride that is coprime to the number of tasks visits them all, in no order the cache knows.
        let Some(id) = ids.get(n * 7_919 % ids.len()) else { break };
        let start = Instant::now();
        engine.task(*id).await?;
        times.push(start.elapsed());
    }
    engine.shutdown().await;
    Ok(Figure::new("status-read", times))
}

async fn start_all(engine: &Engine, count: usize, stages: Vec<Vec<Step>>) -> Result<Vec<TaskId>> {
    let spec = Arc::new(TaskSpec {
        evidence: crate::core::base::engine::EvidenceMode::Off,
        opinion: None,
        tool: Tool::Scripted,
        query: "a measured task".into(),
        engine: EngineChoice { name: EngineName::Extractive, reason: "measurement".into() },
        budget: Budget::default(),
        plan: Plan::Scripted(Script { stages }),
    });
    let mut ids = Vec::with_capacity(count);
    let mut starting = tokio::task::JoinSet::new();
    for n in 0..count {
        let (engine, spec) = (engine.clone(), Arc::clone(&spec));
        starting.spawn(async move { engine.start(TaskSpec::clone(&spec)).await });
        // In groups, as many callers would.
        if starting.len() == 256 || n + 1 == count {
            while let Some(started) = starting.join_next().await {
                ids.push(started.map_err(|_panicked| Error::new(Code::Internal, "a start did not end"))??);
            }
        }
    }
    Ok(ids)
}
