//! `hadal-eval faults FILE…`: faults planted in true claims, and how many the judge lets pass.

#![expect(clippy::string_slice, reason = "ranges were made from the same text")]

use std::path::Path;

use hadal::eval::evidence::{Claim, Page};
use serde_json::json;

use super::data::{self, Row};
use super::plant::{KINDS, Soil, plants};
use super::random::Random;
use super::words::{STRANGERS, names};

/// Prints a line per kind and one JSON object; an error if a kind passes more often than it may, or there are too few faults.
pub(crate) fn run(files: &[&str], show: Option<&str>) -> Result<(), String> {
    let mut rows: Vec<Row> = Vec::new();
    for file in files {
        rows.extend(data::read(Path::new(file))?);
    }
    // Names of other claims, of several words: a single word with a capital is often no name.
    let others = rows.iter().flat_map(|row| names(&row.claim).into_iter().map(|range| row.claim[range].to_owned()));
    let strangers: Vec<String> = others.filter(|name| name.contains(' ')).chain(STRANGERS.map(str::to_owned)).collect();
    let true_rows: Vec<(&Row, Page)> =
        rows.iter().filter(|row| row.supported).map(|row| (row, Page::new(&row.page))).collect();
    let supported: Vec<bool> =
        true_rows.iter().map(|(row, page)| Claim::new(&row.claim).judge(page).verdict == "supported").collect();
    println!(
        "{} true claims, {} of them called supported",
        true_rows.len(),
        supported.iter().filter(|known| **known).count()
    );
    println!("{:<24} {:>7} {:>10} {:>7} {:>7} {:>6}", "fault", "planted", "in support", "pass", "share", "bar");
    let (mut all, mut failed, mut figures) = (0, Vec::new(), serde_json::Map::new());
    for (number, (kind, bar)) in KINDS.iter().enumerate() {
        let mut random = Random::new(1 + number as u64);
        let (mut planted, mut counted, mut passed) = (0, 0, 0);
        for ((row, page), supported) in true_rows.iter().zip(&supported) {
            let soil = Soil { claim: &row.claim, page: &row.page, strangers: &strangers };
            for fault in plants(kind, &soil, &mut random) {
                planted += 1;
                if !supported {
                    continue;
                }
                counted += 1;
                let judged = Claim::new(&fault).judge(page);
                let passes = judged.verdict == "supported";
                passed += usize::from(passes);
                if passes && show == Some(kind) {
                    println!(
                        "{:.2} {fault}\n     was: {}\n     page: {}",
                        judged.score,
                        row.claim,
                        row.page.chars().take(300).collect::<String>().replace('\n', " ")
                    );
                }
            }
        }
        all += planted;
        let share = passed as f64 / f64::from(u32::try_from(counted.max(1)).unwrap_or(1));
        println!("{kind:<24} {planted:>7} {counted:>10} {passed:>7} {share:>7.3} {bar:>6.2}");
        figures.insert((*kind).to_owned(), json!({ "planted": planted, "in_supported": counted, "passed": passed, "share": (share * 1e4).round() / 1e4, "bar": bar }));
        if share > *bar || counted == 0 {
            failed.push(*kind);
        }
    }
    println!("{}", json!({ "faults": all, "kinds": figures }));
    match (failed.is_empty(), all >= 5_000) {
        (true, true) => Ok(()),
        (true, false) => Err(format!("{all} faults are fewer than 5,000")),
        (false, _) => Err(format!("passed too often: {}", failed.join(", "))),
    }
}
