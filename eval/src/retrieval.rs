//! Retrieval: which documents the library finds for labelled questions, by the same code that answers questions.
//!
//! A document is a file of its own; of several passages of a document the best one counts.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

/// Passages asked for, so that a hundred documents come back where there are as many.
const PASSAGES: u32 = 400;

#[derive(Debug, Deserialize)]
struct Document {
    id: String,
    title: String,
    text: String,
}

#[derive(Debug, Deserialize)]
struct Query {
    question: String,
    /// How relevant documents are; 0 was judged and is not.
    relevant: BTreeMap<String, f64>,
}

/// Sums over questions.
#[derive(Debug, Default)]
struct Figures {
    questions: usize,
    ndcg_10: f64,
    recall: [f64; 3],
    spent: Duration,
}

const RECALL_AT: [usize; 3] = [10, 15, 100];

/// Measures and prints; the last line is one JSON object with the same figures.
pub(crate) fn run(documents: &Path, queries: &Path) -> Result<(), String> {
    let documents: Vec<Document> = lines(documents)?;
    let queries: Vec<Query> = lines(queries)?;
    let dir = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let folder = dir.path().join("documents");
    write(&folder, &documents).map_err(|error| format!("cannot write {}: {error}", folder.display()))?;
    let index = hadal::eval::Index::new(&dir.path().join("library"), &folder)?;
    let mut figures = Figures::default();
    for query in &queries {
        figures.add(&index, &documents, query)?;
    }
    let Figures { questions, ndcg_10, recall, spent } = figures;
    let mean = |sum: f64| sum / questions.max(1) as f64;
    let per_second = questions as f64 / spent.as_secs_f64().max(f64::MIN_POSITIVE);
    println!("{} documents, {questions} questions, {per_second:.0} questions per CPU second", documents.len());
    let mut table = format!("nDCG@10 {:.3}", mean(ndcg_10));
    let mut object = json!({ "ndcg@10": mean(ndcg_10), "queries_per_cpu_second": per_second, "queries": questions });
    for (at, sum) in RECALL_AT.into_iter().zip(recall) {
        // Writing to a string cannot fail.
        let _ = write!(table, "  recall@{at} {:.3}", mean(sum));
        object[format!("recall@{at}")] = mean(sum).into();
    }
    println!("{table}\n{object}");
    Ok(())
}

impl Figures {
    fn add(&mut self, index: &hadal::eval::Index, documents: &[Document], query: &Query) -> Result<(), String> {
        let relevant: BTreeMap<&str, f64> =
            query.relevant.iter().map(|(id, gain)| (id.as_str(), *gain)).filter(|(_, gain)| *gain > 0.0).collect();
        if relevant.is_empty() {
            return Ok(());
        }
        let before = cpu();
        let files = index.search(&query.question, PASSAGES)?;
        self.spent += cpu().saturating_sub(before);
        let mut seen = HashSet::new();
        let ranked: Vec<&str> = files
            .iter()
            .filter_map(|file| documents.get(file.strip_suffix(".md")?.parse::<usize>().ok()?))
            .map(|document| document.id.as_str())
            .filter(|id| seen.insert(*id))
            .collect();
        self.questions += 1;
        self.ndcg_10 += ndcg(&ranked, &relevant, 10);
        for (at, sum) in RECALL_AT.into_iter().zip(&mut self.recall) {
            *sum +=
                ranked.iter().take(at).filter(|id| relevant.contains_key(*id)).count() as f64 / relevant.len() as f64;
        }
        Ok(())
    }
}

/// The discounted gain of the first documents, as a share of what is possible.
fn ndcg(ranked: &[&str], relevant: &BTreeMap<&str, f64>, depth: usize) -> f64 {
    let discounted = |gains: &mut dyn Iterator<Item = f64>| -> f64 {
        gains.take(depth).zip(2..).map(|(gain, place)| gain / f64::from(place).log2()).sum()
    };
    let mut best: Vec<f64> = relevant.values().copied().collect();
    best.sort_by(|a, b| b.total_cmp(a));
    let found = discounted(&mut ranked.iter().map(|id| relevant.get(id).copied().unwrap_or_default()));
    found / discounted(&mut best.into_iter()).max(f64::MIN_POSITIVE)
}

/// Writes each document as a Markdown file that is named by its number.
fn write(folder: &Path, documents: &[Document]) -> std::io::Result<()> {
    std::fs::create_dir(folder)?;
    for (number, document) in documents.iter().enumerate() {
        let title = document.title.replace(['\n', '_'], " ");
        std::fs::write(folder.join(format!("{number}.md")), format!("# {title}\n\n{}\n", document.text))?;
    }
    Ok(())
}

fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let parse = |line| serde_json::from_str(line).map_err(|error| format!("{}: {error}", path.display()));
    text.lines().filter(|line| !line.trim().is_empty()).map(parse).collect()
}

fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), u32::try_from(time.tv_nsec).unwrap_or_default())
}
