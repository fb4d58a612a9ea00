//! What a server costs that has nothing to do: memory, and processor time for looking around, with 10,000 tasks stored and
//! after it has answered a question.

use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::Ground;
use crate::figures::Figure;
use crate::inside;
use crate::server::{Program, Server};

/// A thousandth of a core, in milliseconds per minute: nobody's battery notices.
const CPU_MS_PER_MINUTE: f64 = 60.0;

/// The work of the question itself is over by then.
const SETTLE: Duration = Duration::from_secs(2);

pub(crate) fn measure(ground: Ground<'_>) -> Result<Vec<Figure>, String> {
    let Ground { effort, programs, home } = ground;
    let stored = inside::stored_tasks(&programs.scripted, home)?;
    let count = end_all(&stored.join("hadal.db")).map_err(|error| format!("the stored tasks: {error}"))?;
    let house = home.join("house");
    std::fs::create_dir(&house)
        .and_then(|()| std::fs::rename(&stored, house.join("data")))
        .map_err(|error| format!("cannot move the stored tasks: {error}"))?;

    let mut server =
        Server::start(&Program { name: "hadal serve", path: &programs.shipped, args: &["serve"], home: &house })?;
    server.greet()?;
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let question = json!({ "query": "How does hadal survive a crash?", "library": [docs], "engine": "extractive" });
    server.call("deep_research", &question)?;
    std::thread::sleep(SETTLE);
    let before = server.cpu_ms();
    std::thread::sleep(effort.idle);
    let cpu = before.zip(server.cpu_ms()).map(|(before, after)| (after - before) * 60.0 / effort.idle.as_secs_f64());
    let named = |what: &str| format!("hadal serve: {what}, {count} tasks stored, after a question");
    Ok(vec![
        Figure::of(&named("memory when idle"), "MB", &Vec::from_iter(server.rss_mb())).at_most(25.0),
        Figure::of(&named("CPU per idle minute"), "ms", &Vec::from_iter(cpu)).at_most(CPU_MS_PER_MINUTE),
    ])
}

/// The measurement that stored the tasks leaves some of them alive; a server with those would not be idle.
fn end_all(database: &Path) -> rusqlite::Result<i64> {
    let connection = rusqlite::Connection::open(database)?;
    connection.execute(
        "UPDATE research_tasks SET status = 'cancelled', owner = NULL WHERE status IN ('pending', 'running')",
        [],
    )?;
    connection.query_row("SELECT count(*) FROM research_tasks", [], |row| row.get(0))
}
