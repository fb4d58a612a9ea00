//! HTML extraction: word F1 and speed on labelled pages.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

use crate::others::{Extractor, others};
use crate::pages::{self, Page};
use crate::score::Score;

/// Measures and prints; the last line is one JSON object with the same figures.
pub(crate) fn run(dir: &Path, compare: bool) -> Result<(), String> {
    let others = if compare { others()? } else { Vec::new() };
    let pages = pages::read(dir)?;
    let ours: Extractor = |html| hadal::eval::extract(html).map(|(text, _)| text).unwrap_or_default();
    let mut all = serde_json::Map::new();
    for (name, extractor) in std::iter::once(("hadal", ours)).chain(others) {
        all.insert(name.to_owned(), measure(name, extractor, &pages));
    }
    println!("{}", json!({ "extraction": all }));
    Ok(())
}

/// Prints a line of JSON for each block of each page.
pub(crate) fn features(dir: &Path) -> Result<(), String> {
    for page in pages::read(dir)? {
        for (text, numbers) in hadal::eval::blocks(&page.html) {
            println!("{}", json!({ "id": page.truth.id, "text": text, "numbers": numbers }));
        }
    }
    Ok(())
}

fn measure(name: &str, extractor: Extractor, pages: &[Page]) -> Value {
    // Once for what is built at the first use.
    if let Some(page) = pages.first() {
        extractor(&page.html);
    }
    let mut kinds: BTreeMap<&str, Vec<Score>> = BTreeMap::new();
    let (mut total, mut longest, mut lost) = (Duration::ZERO, Duration::ZERO, Vec::new());
    let mut worst = Vec::new();
    for page in pages {
        let before = cpu();
        let text = extractor(&page.html);
        let took = cpu().saturating_sub(before);
        total += took;
        longest = longest.max(took);
        let truth = &page.truth;
        if text.trim().is_empty() && !truth.main_content.trim().is_empty() {
            lost.push(truth.id.as_str());
        }
        let score = Score::of(&text, truth);
        kinds.entry(&truth.page_type).or_default().push(score);
        worst.push((score.f1, truth.id.as_str()));
    }
    let everything: Vec<Score> = kinds.values().flatten().copied().collect();
    let per_second = pages.len() as f64 / total.as_secs_f64().max(f64::MIN_POSITIVE);
    println!(
        "{name}\n  {:<14} {:>5} {:>6} {:>6} {:>6} {:>6} {:>8}",
        "kind", "pages", "F1", "P", "R", "must", "must not"
    );
    let mut figures = serde_json::Map::new();
    for (kind, scores) in kinds.iter().map(|(kind, scores)| (*kind, scores)).chain([("all", &everything)]) {
        let Score { f1, precision, recall, must, must_not } = Score::mean(scores);
        let count = scores.len();
        println!("  {kind:<14} {count:>5} {f1:>6.3} {precision:>6.3} {recall:>6.3} {must:>6.3} {must_not:>8.3}");
        let line = json!({ "pages": count, "f1": round(f1), "precision": round(precision), "recall": round(recall),
            "must": round(must), "must_not": round(must_not) });
        figures.insert(kind.to_owned(), line);
    }
    worst.sort_by(|a, b| a.0.total_cmp(&b.0));
    let worst: Vec<String> = worst.iter().take(8).map(|(f1, id)| format!("{id} ({f1:.2})")).collect();
    println!("  {per_second:.0} pages per CPU second, longest {} ms, lost {}", longest.as_millis(), lost.len());
    println!("  worst: {}\n", worst.join(", "));
    json!({ "kinds": figures, "pages_per_cpu_second": round(per_second), "longest_ms": longest.as_millis() as u64, "lost": lost })
}

/// CPU time of this process so far.
pub(crate) fn cpu() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or_default(), u32::try_from(now.tv_nsec).unwrap_or_default())
}

fn round(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
