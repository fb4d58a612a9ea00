//! Studies with a model that answers at once, over pages that are 50 ms away on forty hosts: how long they take, and what they use.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use sim::chat::{Chat, MODEL, Received, Say};
use sim::field::Field;
use sim::field::model::{Temper, answer};
use sim::search::SearchApi;
use sim::web::Web;

use crate::Ground;
use crate::figures::Figure;

const LATENCY: Duration = Duration::from_millis(50);
/// Paragraphs that say nothing on each page: a page then has about six kilobytes of text.
const FILLER: usize = 14;
/// How often a running study is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// A level of studies, and what it may use.
struct Level {
    name: &'static str,
    scope: &'static str,
    tokens: f64,
}

const LEVELS: [Level; 3] = [
    Level { name: "quick", scope: "tiny", tokens: 30_000.0 },
    Level { name: "medium", scope: "normal", tokens: 150_000.0 },
    Level { name: "deep", scope: "large", tokens: 450_000.0 },
];

pub(crate) fn measure(Ground { programs, home, .. }: Ground<'_>) -> Result<Vec<Figure>, String> {
    let no = |what: &'static str| move |error: std::io::Error| format!("no simulated {what}: {error}");
    let field = Field::with_filler(2_026, FILLER);
    let web = Web::of(&field, LATENCY).map_err(no("web"))?;
    let search = SearchApi::of(&field).map_err(no("search"))?;
    let said = |asked: &Received| Say::Text(answer(&asked.prompt, Temper::Honest));
    let chat = Chat::start(said).map_err(no("model"))?;
    let mut figures = Vec::new();
    for Level { name, scope, tokens } in LEVELS {
        let (home, told) = (home.join(name), home.join(format!("{name}.json")));
        let started = Instant::now();
        let mut child = Command::new(&programs.shipped)
            .args(["--json", "deep-research", &field.question(), "--task-scope", scope, "--engine", "native"])
            .env_clear()
            .env("HADAL_HOME", &home)
            .env("HADAL_BACKGROUND", "no")
            .env("HADAL_MODEL", MODEL)
            .env("HADAL_MODEL_BASE_URL", chat.url())
            .env("HADAL_SEARCH_URLS", search.urls())
            .env("HADAL_SEARCH_PROVIDERS", "tavily")
            .env("HADAL_SEARCH_PER_SECOND", "1000")
            .env("TAVILY_API_KEY", "tvly-bench")
            .env("HADAL_FETCH_HOSTS", web.hosts())
            .env("HADAL_FETCH_ALLOW_PRIVATE", "yes")
            .env("HADAL_FIND_LOCAL_MODELS", "no")
            .stdout(std::fs::File::create(&told).map_err(no("file"))?)
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot start hadal: {error}"))?;
        let (memory, journal) = watched(&mut child, &home);
        let seconds = started.elapsed().as_secs_f64();
        let reply = std::fs::read(&told).map_err(no("file"))?;
        let reply: Value = serde_json::from_slice(&reply).map_err(|error| format!("no report: {error}"))?;
        let used = ["input", "output"].map(|kind| reply["metadata"]["tokens_used"][kind].as_f64().unwrap_or(f64::NAN));
        let one = |what: &str, unit: &str, figure: f64| Figure::of(&format!("{name} study: {what}"), unit, &[figure]);
        figures.push(one("tokens", "tokens", used.iter().sum()).at_most(tokens));
        figures.push(one("time", "s", seconds).at_most(5.0));
        figures.push(one("memory", "MB", memory).at_most(150.0));
        figures.push(one("journal", "MB", journal).at_most(2.0));
    }
    Ok(figures)
}

/// The most memory that a child used until it ended, and the most that its journal had, in megabytes. A journal goes with the end of its task.
fn watched(child: &mut Child, home: &Path) -> (f64, f64) {
    let (mut memory, mut journal): (f64, f64) = (0.0, 0.0);
    while let Ok(None) = child.try_wait() {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
        memory = memory.max(kilobytes.unwrap_or(0.0) / 1024.0);
        journal = journal.max(journal_mb(home).unwrap_or(0.0));
        std::thread::sleep(LOOK);
    }
    (memory, journal)
}

/// The bytes of the journal of the only task: its effects and outcomes, and the texts that stand beside them, archived pages included.
fn journal_mb(home: &Path) -> rusqlite::Result<f64> {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let store = rusqlite::Connection::open_with_flags(home.join("data/hadal.db"), flags)?;
    let rows = "SELECT coalesce(sum(length(body_json) + coalesce(length(outcome_json), 0)), 0) FROM effects";
    let texts = "SELECT coalesce(sum(length(text_zstd)), 0) FROM pages";
    let sum = |query: &str| store.query_row(query, [], |row| row.get::<_, i64>(0));
    Ok((sum(rows)? + sum(texts)?) as f64 / 1e6)
}
