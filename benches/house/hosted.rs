//! Hosted research with a thousand runs under way: memory, what the free tools take, and what hadal adds to the time of
//! the provider's own reply to a start.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sim::interactions::{Plan, Run, Service};

use crate::Ground;
use crate::figures::Figure;
use crate::server::{Program, Server};

/// The time the simulated provider takes for every reply.
const REPLY: Duration = Duration::from_millis(20);

pub(crate) fn measure(ground: Ground<'_>) -> Result<Vec<Figure>, String> {
    let Ground { effort, programs, home } = ground;
    let fault = |error: std::io::Error| format!("no simulated provider: {error}");
    let done = Run { sync: true, ..Run::default() };
    let plan = Plan {
        speed: 0.0,
        runs: vec![("at once".to_owned(), done)],
        reply_delay_ms: u64::try_from(REPLY.as_millis()).unwrap_or(0),
        ..Plan::default()
    };
    let api = Service::start(plan).map_err(fault)?;
    let env = [
        ("GEMINI_API_KEY", "bench"),
        ("GOOGLE_GEMINI_BASE_URL", api.url()),
        ("HADAL_GEMINI_API_RPS", "200"),
        ("HADAL_NOTIFICATIONS", "no"),
        // What simulated runs cite is on no web that can be asked.
        ("HADAL_EVIDENCE", "off"),
    ];
    let program = Program { name: "hadal serve", path: &programs.shipped, args: &["serve"], home };
    let mut server = Server::start_with(&program, &env)?;
    server.greet()?;
    let mut starts = Vec::new();
    let first =
        timed(&mut server, "start_deep_research", &json!({"query": "At once: how deep is the sea, at once?"}))?.1;
    for n in 0..effort.hosted {
        let query = format!("Question {n}: how deep is the sea?");
        let (ms, _) = timed(&mut server, "start_deep_research", &json!({ "query": query }))?;
        starts.push(ms - REPLY.as_secs_f64() * 1e3);
    }
    let id = first["task_id"].as_str().unwrap_or_default();
    let listed = server.call("list_research", &json!({"status": "running_async", "limit": 1}))?;
    let running = listed["tasks"][0]["task_id"].as_str().unwrap_or_default().to_owned();
    let calls = [
        ("check_research_status", json!({"task_id": running})),
        ("get_research_results", json!({"task_id": id})),
        ("estimate_research_cost", json!({"query": "How deep is the sea?"})),
        ("save_research_to_markdown", json!({"task_id": id, "output_dir": home.join("reports")})),
    ];
    let named = |what: &str| format!("hosted, {} runs: {what}", effort.hosted);
    let mut figures = vec![
        Figure::of(&named("start, beyond the provider's own time"), "ms", &starts).p99_at_most(50.0),
        Figure::of(&named("memory"), "MB", &Vec::from_iter(server.rss_mb())).at_most(150.0),
    ];
    for (tool, arguments) in calls {
        let mut times = Vec::new();
        for n in 0..200 {
            let mut arguments = arguments.clone();
            if tool == "save_research_to_markdown" {
                // A hundred reports with the same name in a second are refused.
                arguments["filename_prefix"] = json!(format!("n{n}"));
            }
            times.push(timed(&mut server, tool, &arguments)?.0);
        }
        figures.push(Figure::of(&named(tool), "ms", &times).p99_at_most(5.0));
    }
    Ok(figures)
}

/// A call, and the milliseconds it took.
fn timed(server: &mut Server, tool: &str, arguments: &Value) -> Result<(f64, Value), String> {
    let since = Instant::now();
    let reply = server.call(tool, arguments)?;
    Ok((since.elapsed().as_secs_f64() * 1e3, reply))
}
