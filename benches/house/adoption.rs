//! How long a killed process's task is nobody's: from the kill of its owner to the row that names another.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, OptionalExtension};
use serde_json::json;

use crate::Ground;
use crate::figures::Figure;
use crate::server::{Program, Server};

/// A second is promised; this is long after it.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long two servers stand side by side before one is killed, at least.
const SETTLE: Duration = Duration::from_millis(300);

/// Steps by which that time is made longer; twenty of them go over all of the time between two looks.
const PHASE: Duration = Duration::from_millis(13);

/// How often the row is looked at: the grain of the figure.
const LOOK: Duration = Duration::from_millis(1);

pub(crate) fn measure(Ground { effort, programs, home }: Ground<'_>) -> Result<Vec<Figure>, String> {
    leave_task(&programs.scripted, home)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
    let path = home.join("data").join("hadal.db");
    let database = Connection::open_with_flags(path, flags).map_err(|error| format!("the database: {error}"))?;
    let program = Program { name: "hadal serve", path: &programs.scripted, args: &["serve"], home };
    let start = || {
        let mut server = Server::start(&program)?;
        server.greet()?;
        Ok::<_, String>(server)
    };
    let mut servers = vec![start()?, start()?];
    let mut times = Vec::new();
    for number in 0..effort.kills {
        let (_, owner) = wait(|| owned(&database, &servers))?;
        // The other one has just been started. The kills hit all moments between two of its looks.
        std::thread::sleep(PHASE * u32::try_from(number % 20).unwrap_or_default() + SETTLE);
        let mut dead = servers.remove(owner);
        let killed = Instant::now();
        dead.kill()?;
        let (adopted, _) = wait(|| owned(&database, &servers))?;
        times.push(adopted.duration_since(killed).as_secs_f64() * 1e3);
        servers.push(start()?);
    }
    Ok(vec![Figure::of("kill -9 of an owner to the next owner", "ms", &times).p99_at_most(1_000.0)])
}

/// Writes a task that takes an hour, for whoever comes.
fn leave_task(hadal: &Path, home: &Path) -> Result<(), String> {
    let script = home.join("script.json");
    let plan = json!({ "stages": [[{ "key": "long", "act": "work", "ms": 3_600_000 }]] });
    std::fs::write(&script, plan.to_string()).map_err(|error| format!("cannot write the script: {error}"))?;
    let output = Command::new(hadal)
        .args(["scripted", "--start-only"])
        .arg(&script)
        .env("HADAL_HOME", home)
        .env("HADAL_BACKGROUND", "no")
        .output()
        .map_err(|error| format!("cannot start {}: {error}", hadal.display()))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("no task was left: {}", String::from_utf8_lossy(&output.stderr).trim()))
    }
}

/// Which of the servers owns the task and runs it, if one does.
fn owned(database: &Connection, servers: &[Server]) -> Result<Option<usize>, String> {
    // An owner's name begins with its process id; its work has a row in the journal.
    let owner: Option<String> = database
        .query_row(
            "SELECT t.owner FROM research_tasks t JOIN effects e ON e.task_id = t.task_id AND e.fence = t.fence
             WHERE t.owner IS NOT NULL",
            [],
            |row| row.get(0),
        )
        .optional()
        .map_err(|error| format!("the task: {error}"))?;
    let pid = owner.as_deref().and_then(|owner| owner.split('-').next()?.parse().ok());
    Ok(servers.iter().position(|server| Some(server.pid()) == pid))
}

fn wait<T>(mut look: impl FnMut() -> Result<Option<T>, String>) -> Result<(Instant, T), String> {
    let started = Instant::now();
    loop {
        if let Some(found) = look()? {
            return Ok((Instant::now(), found));
        }
        if started.elapsed() > PATIENCE {
            return Err("the task was not taken over".to_owned());
        }
        std::thread::sleep(LOOK);
    }
}
