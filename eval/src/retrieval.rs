//! Retrieval: which documents the reports on labelled questions cite, by the method that answers questions.
//!
//! A document is a file of its own. The reports are those at `large` and the usual ones; the index alone (BM25) stands beside them, the usual
//! reports are compared with as many of its documents as they have.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use hadal::eval::{Found, Index, Size};
use serde_json::{Value, json};

use crate::labelled::{Query, Shelf, cpu, lines};

/// Passages asked of the index, so that a hundred documents come back where there are as many.
const PASSAGES: u32 = 400;
/// Passages that are printed for a question.
const PRINTED: u32 = 60;
const RECALL_AT: [usize; 3] = [10, 15, 100];

/// Sums over questions.
#[derive(Debug, Default)]
struct Figures {
    questions: usize,
    ndcg_10: f64,
    recall: [f64; 3],
    /// Of all documents of a report.
    recall_of_all: f64,
    documents: f64,
    /// Questions whose answer stands in the first passage, and in what is quoted of it.
    in_passage: f64,
    in_quote: f64,
    /// Questions that nothing was found for.
    unanswered: f64,
    spent: Duration,
}

/// Measures and prints; the last line is one JSON object with the same figures.
pub(crate) fn run(documents: &Path, queries: &Path) -> Result<(), String> {
    let shelf = Shelf::read(documents)?;
    let queries: Vec<Query> = lines(queries)?;
    let [mut large, mut usual, mut wider, mut index, mut same_number] = [(); 5].map(|()| Figures::default());
    for query in &queries {
        let relevant: BTreeMap<&str, f64> =
            query.relevant.iter().map(|(id, gain)| (id.as_str(), *gain)).filter(|(_, gain)| *gain > 0.0).collect();
        if relevant.is_empty() {
            continue;
        }
        large.add_report(&shelf, query, &relevant, Size::Large)?;
        let documents = usual.add_report(&shelf, query, &relevant, Size::Normal)?;
        let before = cpu();
        let files = shelf.index.search_wider(&query.question, PASSAGES)?;
        wider.spent += cpu().saturating_sub(before);
        wider.add(&shelf.ids(&files), &relevant);
        let before = cpu();
        let files = shelf.index.search(&query.question, PASSAGES)?;
        index.spent += cpu().saturating_sub(before);
        let mut ids = shelf.ids(&files);
        index.add(&ids, &relevant);
        ids.truncate(documents);
        same_number.add(&ids, &relevant);
    }
    let answered = queries.iter().any(|query| query.answer.is_some());
    println!("{} documents, {} questions", shelf.documents.len(), large.questions);
    large.print("report at `large`", answered);
    usual.print("usual report", answered);
    same_number.print("BM25 at as many documents as the usual report", false);
    wider.print("wider search of the index", false);
    index.print("BM25", false);
    let mut object = large.json(answered);
    object["default"] = usual.json(answered);
    object["bm25_at_default_documents"] = same_number.json(false);
    object["wider"] = wider.json(false);
    object["bm25"] = index.json(false);
    println!("{object}");
    Ok(())
}

/// Prints the best passages of a folder for each question, a line of standard input, as a line of JSON.
pub(crate) fn passages(folder: &Path) -> Result<(), String> {
    let data = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let index = Index::new(data.path(), folder, None)?;
    for question in std::io::stdin().lines() {
        let question = question.map_err(|error| error.to_string())?;
        let found = index.passages(&question, PRINTED)?;
        println!("{}", json!({ "question": question, "found": found }));
    }
    Ok(())
}

impl Figures {
    /// Asks and measures; the number of documents in the report.
    fn add_report(
        &mut self,
        shelf: &Shelf,
        query: &Query,
        relevant: &BTreeMap<&str, f64>,
        size: Size,
    ) -> Result<usize, String> {
        let before = cpu();
        let found = shelf.index.report(&query.question, size)?;
        self.spent += cpu().saturating_sub(before);
        let ids = shelf.ids(&found.files);
        self.add(&ids, relevant);
        if let Some(answer) = &query.answer {
            let Found { first_passage, first_quote, .. } = &found;
            let holds = |text: &str| f64::from(u8::from(one_line(text).contains(&one_line(answer))));
            self.in_passage += holds(first_passage);
            self.in_quote += holds(first_quote);
        }
        Ok(ids.len())
    }

    fn add(&mut self, ranked: &[&str], relevant: &BTreeMap<&str, f64>) {
        self.questions += 1;
        self.ndcg_10 += ndcg(ranked, relevant, 10);
        let recall = |depth: usize| {
            ranked.iter().take(depth).filter(|id| relevant.contains_key(*id)).count() as f64 / relevant.len() as f64
        };
        for (at, sum) in RECALL_AT.into_iter().zip(&mut self.recall) {
            *sum += recall(at);
        }
        self.unanswered += f64::from(u8::from(ranked.is_empty()));
        self.recall_of_all += recall(usize::MAX);
        self.documents += ranked.len() as f64;
    }

    fn mean(&self, sum: f64) -> f64 {
        sum / self.questions.max(1) as f64
    }

    fn per_second(&self) -> f64 {
        self.questions as f64 / self.spent.as_secs_f64().max(f64::MIN_POSITIVE)
    }

    fn print(&self, name: &str, answered: bool) {
        let recall = RECALL_AT.iter().zip(self.recall).map(|(at, sum)| format!("  recall@{at} {:.3}", self.mean(sum)));
        println!("{name}: nDCG@10 {:.3}{}", self.mean(self.ndcg_10), recall.collect::<String>());
        print!("    recall of all {:.3}  documents {:.1}", self.mean(self.recall_of_all), self.mean(self.documents));
        print!("  nothing found {:.3}", self.mean(self.unanswered));
        if answered {
            print!("  answer in first passage {:.3}", self.mean(self.in_passage));
            print!("  answer in first extract {:.3}", self.mean(self.in_quote));
        }
        match self.spent.is_zero() {
            true => println!(),
            false => println!("  questions per CPU second {:.0}", self.per_second()),
        }
    }

    fn json(&self, answered: bool) -> Value {
        let mut object = json!({
            "ndcg@10": self.mean(self.ndcg_10),
            "recall": self.mean(self.recall_of_all),
            "documents_per_report": self.mean(self.documents),
            "nothing_found": self.mean(self.unanswered),
            "queries": self.questions,
        });
        for (at, sum) in RECALL_AT.into_iter().zip(self.recall) {
            object[format!("recall@{at}")] = self.mean(sum).into();
        }
        if !self.spent.is_zero() {
            object["queries_per_cpu_second"] = self.per_second().into();
        }
        if answered {
            object["answer_in_first_passage"] = self.mean(self.in_passage).into();
            object["answer_in_first_extract"] = self.mean(self.in_quote).into();
        }
        object
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
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
