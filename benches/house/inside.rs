//! What only the program itself can measure: `hadal __bench NAME` prints one JSON object per line,
//! `{"name", "unit", "n", "p50", "p99", "max"}`. The command is there with the feature `scripted` only.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::Ground;
use crate::figures::Figure;

/// The measurements, and the p99 that is asked of them in milliseconds.
const NAMES: [(&str, Option<f64>); 3] = [
    // With 10,000 tasks stored, 1,000 of them live.
    ("status-read", Some(1.0)),
    ("journal-append-full", None),
    ("journal-append-normal", None),
];

#[derive(Deserialize)]
struct Line {
    name: String,
    unit: String,
    n: u64,
    p50: f64,
    p99: f64,
    max: f64,
}

pub(crate) fn measure(Ground { programs, home, .. }: Ground<'_>) -> Result<Vec<Figure>, String> {
    let mut figures = Vec::new();
    for (name, most) in NAMES {
        let lines = lines(&programs.scripted, name, home)?;
        for Line { name, unit, n, p50, p99, max } in lines {
            let figure = Figure::from_parts(&name, &unit, n, [p50, p99, max]);
            let per_ms = match unit.as_str() {
                "ms" => 1.0,
                "us" | "µs" => 1e3,
                "ns" => 1e6,
                other => return Err(format!("`{name}` is measured in `{other}`, not in ms, us or ns")),
            };
            let most = most.map(|ms| ms * per_ms);
            figures.push(if let Some(most) = most { figure.p99_at_most(most) } else { figure });
        }
    }
    Ok(figures)
}

/// A data directory with 10,000 tasks, which a measurement leaves behind.
pub(crate) fn stored_tasks(hadal: &Path, home: &Path) -> Result<PathBuf, String> {
    lines(hadal, "status-read", home)?;
    Ok(home.join("status-read").join("data").join("status-read"))
}

fn lines(hadal: &Path, name: &str, home: &Path) -> Result<Vec<Line>, String> {
    let output = Command::new(hadal)
        .args(["__bench", name])
        .env("HADAL_HOME", home.join(name))
        .output()
        .map_err(|error| format!("cannot start {}: {error}", hadal.display()))?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`hadal __bench {name}` ended with {}: {}", output.status, reason.trim()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let parsed: Result<Vec<Line>, _> = text.lines().map(serde_json::from_str).collect();
    let lines =
        parsed.map_err(|error| format!("`hadal __bench {name}` printed no figure: {error}: {}", text.trim()))?;
    if lines.is_empty() { Err(format!("`hadal __bench {name}` printed nothing")) } else { Ok(lines) }
}
