//! Doubt: how often a report says that its answer is perhaps none, where the documents that answer are there and where they are not.
//!
//! The documents are shelved in two halves. A question whose documents are all in a half can be answered there, in the other half it cannot; its
//! neighbours, which speak of the same things, are there in both.

use std::path::Path;

use hadal::eval::Size;
use serde_json::json;

use crate::labelled::{Document, Query, Shelf, lines};

/// How much of its question each answer holds; nothing where nothing was found.
#[derive(Debug, Default)]
struct Shares(Vec<Option<f32>>);

/// Measures and prints; the last line is one JSON object.
pub(crate) fn run(documents: &Path, queries: &Path) -> Result<(), String> {
    let queries: Vec<Query> = lines(queries)?;
    let [mut right, mut wrong, mut without] = [(); 3].map(|()| Shares::default());
    for half in 0..2 {
        let mut documents: Vec<Document> = lines(documents)?;
        let mut number = 0;
        documents.retain(|_| {
            number += 1;
            number % 2 == half
        });
        let shelf = Shelf::of(documents)?;
        for query in &queries {
            let of: Vec<&String> = query.relevant.iter().filter(|(_, gain)| **gain > 0.0).map(|(id, _)| id).collect();
            let here = of.iter().filter(|id| shelf.documents.iter().any(|document| document.id == ***id)).count();
            if of.is_empty() || (here > 0 && here < of.len()) {
                continue;
            }
            let found = shelf.index.report(&query.question, Size::Normal)?;
            let is_right = match &query.answer {
                Some(answer) => found.first_passage.contains(answer.trim()),
                None => shelf.ids(&found.files).first().is_some_and(|id| of.iter().any(|of| of.as_str() == *id)),
            };
            let shares = match (here, is_right) {
                (0, _) => &mut without,
                (_, true) => &mut right,
                (_, false) => &mut wrong,
            };
            shares.0.push(found.answer_share);
        }
    }
    println!(
        "answerable {} (of them {} with a right first passage), not answerable {}",
        right.0.len() + wrong.0.len(),
        right.0.len(),
        without.0.len()
    );
    println!("{:>6} {:>8} {:>8} {:>8}", "below", "right", "wrong", "without");
    let mut rows = Vec::new();
    for percent in (30_u8..=80).step_by(5) {
        let below = f32::from(percent) / 100.0;
        let row = [right.doubted(below), wrong.doubted(below), without.doubted(below)];
        println!("{below:>6.2} {:>8.3} {:>8.3} {:>8.3}", row[0], row[1], row[2]);
        rows.push(json!({"below": below, "right": row[0], "wrong": row[1], "without": row[2]}));
    }
    println!("{}", json!({ "doubted": rows }));
    Ok(())
}

impl Shares {
    /// The share of answers that hold less, or are none.
    fn doubted(&self, below: f32) -> f64 {
        let doubted = self.0.iter().filter(|share| share.is_none_or(|share| share < below)).count();
        doubted as f64 / self.0.len().max(1) as f64
    }
}
