//! A hundred pages of twenty sites, 50 ms away: fetched, extracted, archived and ranked.

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use sim::web::Web;

use crate::Ground;
use crate::figures::Figure;

const LATENCY: Duration = Duration::from_millis(50);
const PAGES: usize = 100;

pub(crate) fn measure(Ground { programs, home, .. }: Ground<'_>) -> Result<Vec<Figure>, String> {
    let web = Web::start(LATENCY).map_err(|error| format!("no simulated web: {error}"))?;
    let sites = sim::web::sites();
    let urls = sim::web::all_urls();
    let of = |site: &String| urls.iter().filter(|url| url.contains(&format!("//{site}/"))).collect::<Vec<_>>();
    let lists: Vec<Vec<&String>> = sites.iter().map(of).collect();
    let places = (0..PAGES).map(|n| lists.get(n % lists.len()).and_then(|list| list.get(n / lists.len())));
    let list: Option<Vec<String>> = places.map(|url| url.map(|url| (*url).clone())).collect();
    let list = list.ok_or("the simulated web has too few pages")?;
    std::fs::write(home.join("pages"), list.join("\n")).map_err(|error| format!("no list of pages: {error}"))?;
    let child = Command::new(&programs.scripted)
        .args(["__bench", "web-pages"])
        .env("HADAL_HOME", home)
        .env("HADAL_BACKGROUND", "no")
        .env("HADAL_FETCH_ALLOW_PRIVATE", "yes")
        .env("HADAL_FETCH_HOSTS", web.hosts())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start hadal: {error}"))?;
    let output = child.wait_with_output().map_err(|error| format!("hadal does not end: {error}"))?;
    let line: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("no figure: {error}"))?;
    let ms = |name: &str| line[name].as_f64().unwrap_or(f64::NAN) / 1e3;
    let name = format!("{PAGES} pages, {} sites, {} ms away: read and ranked", sites.len(), LATENCY.as_millis());
    Ok(vec![
        Figure::from_parts(&name, "ms", line["n"].as_u64().unwrap_or(0), [ms("p50"), ms("p99"), ms("max")])
            .at_most(1_500.0),
    ])
}
