//! A measured figure, the table and the JSON file.

use std::fmt::Write;
use std::path::Path;

use serde_json::{Value, json};

/// One line of the table.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) unit: String,
    pub(crate) n: u64,
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    pub(crate) max: f64,
    target: Option<Target>,
}

/// What the project asks for.
#[derive(Clone, Copy, Debug)]
struct Target {
    stat: Stat,
    most: f64,
}

#[derive(Clone, Copy, Debug)]
enum Stat {
    P50,
    P99,
}

impl Figure {
    /// The figure of these samples; none gives NaN, which misses every target.
    pub(crate) fn of(name: &str, unit: &str, samples: &[f64]) -> Self {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        // Nearest rank: a percentile is a sample that was measured.
        let at = |percent: usize| {
            let rank = (sorted.len() * percent).div_ceil(100).max(1);
            sorted.get(rank - 1).copied().unwrap_or(f64::NAN)
        };
        Self::from_parts(name, unit, sorted.len() as u64, [at(50), at(99), at(100)])
    }

    /// A figure that was measured elsewhere: p50, p99, max.
    pub(crate) fn from_parts(name: &str, unit: &str, n: u64, [p50, p99, max]: [f64; 3]) -> Self {
        Self { name: name.to_owned(), unit: unit.to_owned(), n, p50, p99, max, target: None }
    }

    /// Asks for a median of at most this much.
    pub(crate) fn at_most(mut self, most: f64) -> Self {
        self.target = Some(Target { stat: Stat::P50, most });
        self
    }

    /// Asks for 99 of 100 samples of at most this much.
    pub(crate) fn p99_at_most(mut self, most: f64) -> Self {
        self.target = Some(Target { stat: Stat::P99, most });
        self
    }

    pub(crate) fn misses(&self) -> bool {
        self.target.is_some_and(|Target { stat, most }| match stat {
            Stat::P50 => self.p50.is_nan() || self.p50 > most,
            Stat::P99 => self.p99.is_nan() || self.p99 > most,
        })
    }

    fn verdict(&self) -> String {
        let Some(Target { stat, most }) = self.target else { return String::new() };
        let stat = match stat {
            Stat::P50 => "p50",
            Stat::P99 => "p99",
        };
        format!("{stat} ≤ {most}  {}", if self.misses() { "MISSED" } else { "ok" })
    }

    fn json(&self) -> Value {
        let target = self.target.map(|target| {
            let stat = match target.stat {
                Stat::P50 => "p50",
                Stat::P99 => "p99",
            };
            json!({ "stat": stat, "at_most": target.most, "met": !self.misses() })
        });
        json!({
            "name": self.name, "unit": self.unit, "n": self.n,
            "p50": self.p50, "p99": self.p99, "max": self.max, "target": target,
        })
    }
}

/// The table for people.
pub(crate) fn table(figures: &[Figure]) -> String {
    let widest = figures.iter().map(|figure| figure.name.chars().count()).max().unwrap_or(0).max(7);
    let mut text =
        format!("{:widest$}  unit {:>7} {:>11} {:>11} {:>11}  target\n", "measure", "n", "p50", "p99", "max");
    for figure in figures {
        let Figure { name, unit, n, p50, p99, max, .. } = figure;
        let verdict = figure.verdict();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:widest$}  {unit:4} {n:>7} {p50:>11.3} {p99:>11.3} {max:>11.3}  {verdict}");
    }
    text
}

/// The file for machines, with what must be known to compare two of them.
pub(crate) fn write(path: &Path, figures: &[Figure], missing: &[String]) -> Result<(), String> {
    let load = std::fs::read_to_string("/proc/loadavg").ok();
    let value = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "os": std::env::consts::OS,
        "arch": std::env::consts::ARCH,
        "cores": std::thread::available_parallelism().map_or(0, usize::from),
        "load": load.as_deref().map(str::trim),
        "figures": figures.iter().map(Figure::json).collect::<Vec<_>>(),
        "missing": missing,
    });
    let folder = path.parent().ok_or("the file has no folder")?;
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, format!("{value:#}\n")))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}
