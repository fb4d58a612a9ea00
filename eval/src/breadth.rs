//! Breadth: how much of what belongs to a subject the broadest report finds, and how much of the report belongs to it.

use std::path::Path;
use std::time::Duration;

use hadal::eval::Size;
use serde::Deserialize;
use serde_json::json;

use crate::labelled::{Shelf, cpu, lines};

#[derive(Debug, Deserialize)]
struct Query {
    query: String,
    relevant: Vec<String>,
}

/// Documents that the index alone is compared at.
const PLAIN_DOCUMENTS: usize = 20;
/// Passages asked for, so that there are that many documents.
const PASSAGES: u32 = 200;

/// Measures and prints; the last line is one JSON object with the same figures.
pub(crate) fn run(dir: &Path) -> Result<(), String> {
    let shelf = Shelf::read(&dir.join("docs.jsonl"))?;
    let queries: Vec<Query> = lines(&dir.join("queries.jsonl"))?;
    let (mut report, mut plain) = (Figures::default(), Figures::default());
    for query in queries.iter().filter(|query| !query.relevant.is_empty()) {
        let before = cpu();
        let found = shelf.index.report(&query.query, Size::Large)?;
        report.spent += cpu().saturating_sub(before);
        report.add(&shelf.ids(&found.files), query);
        let files = shelf.index.search(&query.query, PASSAGES)?;
        let mut ids = shelf.ids(&files);
        ids.truncate(PLAIN_DOCUMENTS);
        plain.add(&ids, query);
    }
    let [recall, precision, documents] = report.means();
    let [plain_recall, plain_precision, _] = plain.means();
    let per_second = f64::from(report.questions) / report.spent.as_secs_f64().max(f64::MIN_POSITIVE);
    println!("{} documents, {} questions, {per_second:.0} per CPU second", shelf.documents.len(), report.questions);
    println!("report at `large`: recall {recall:.3}  precision {precision:.3}  documents {documents:.1}");
    println!("BM25 at {PLAIN_DOCUMENTS} documents: recall {plain_recall:.3}  precision {plain_precision:.3}");
    let object = json!({
        "recall": recall,
        "precision": precision,
        "documents_per_report": documents,
        "queries": report.questions,
        "queries_per_cpu_second": per_second,
        "bm25@20": { "recall": plain_recall, "precision": plain_precision },
    });
    println!("{object}");
    Ok(())
}

/// Sums over questions.
#[derive(Debug, Default)]
struct Figures {
    questions: u32,
    recall: f64,
    precision: f64,
    documents: f64,
    spent: Duration,
}

impl Figures {
    fn add(&mut self, ids: &[&str], query: &Query) {
        let right = ids.iter().filter(|id| query.relevant.iter().any(|relevant| relevant == *id)).count() as f64;
        self.questions += 1;
        self.recall += right / query.relevant.len() as f64;
        self.precision += right / ids.len().max(1) as f64;
        self.documents += ids.len() as f64;
    }

    fn means(&self) -> [f64; 3] {
        [self.recall, self.precision, self.documents].map(|sum| sum / f64::from(self.questions.max(1)))
    }
}
