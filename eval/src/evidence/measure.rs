//! `hadal-eval evidence FILE`: how well claims are judged.

use std::collections::BTreeMap;
use std::path::Path;

use hadal::eval::evidence::{Claim, Judgement, Page, check_names};
use serde_json::json;

use super::data::{self, Row};
use super::learn::{Example, Learnt, auroc};
use super::random::Random;
use crate::extraction::cpu;

pub(crate) const FOLDS: usize = 5;
pub(crate) const SEEDS: u64 = 5;

/// Prints the figures of one file; the last line is one JSON object.
pub(crate) fn run(file: &Path) -> Result<(), String> {
    let rows = data::read(file)?;
    let truth: Vec<bool> = rows.iter().map(|row| row.supported).collect();
    let before = cpu();
    let judged: Vec<Judgement> = rows.iter().map(|row| Claim::new(&row.claim).judge(&Page::new(&row.page))).collect();
    let per_second = rows.len() as f64 / cpu().saturating_sub(before).as_secs_f64().max(1e-9);
    let features: Vec<Vec<f32>> =
        rows.iter().map(|row| Claim::new(&row.claim).features(&Page::new(&row.page))).collect();
    let out_of_fold = (0..SEEDS).map(|seed| fold_auroc(&rows, &features, seed)).sum::<f64>() / SEEDS as f64;
    let shipped = auroc(&judged.iter().map(|found| f64::from(found.score)).collect::<Vec<_>>(), &truth);
    let share = |supported: bool, verdict: &str| share(&judged, &truth, supported, |found| found.verdict == verdict);
    let (hit, false_supported) = (share(true, "supported"), share(false, "supported"));
    let (missed, rejected) = (share(true, "unsupported"), share(false, "unsupported"));
    let balanced = f64::midpoint(hit, 1.0 - false_supported);
    println!("{} claims, {} of them true", rows.len(), truth.iter().filter(|truth| **truth).count());
    println!("AUROC out of fold {out_of_fold:.4}, of the shipped table {shipped:.4}; balanced accuracy {balanced:.3}");
    println!("called        supported  partial  unsupported");
    println!("true claims   {hit:>9.3} {:>8.3} {missed:>12.3}", share(true, "partial"));
    println!("false claims  {false_supported:>9.3} {:>8.3} {rejected:>12.3}", share(false, "partial"));
    let mut costs = BTreeMap::new();
    println!("check         of true claims  of false claims  true claims lost to it alone");
    for name in check_names() {
        let found = |judged: &Judgement| judged.findings.iter().any(|finding| finding.0 == name);
        let fires = |supported: bool| self::share(&judged, &truth, supported, found);
        let alone = |judged: &Judgement| {
            judged.score >= judged.supported_from
                && !judged.findings.is_empty()
                && judged.findings.iter().all(|finding| finding.0 == name)
        };
        let lost = self::share(&judged, &truth, true, alone);
        println!("{name:<13} {:>14.3} {:>16.3} {lost:>29.3}", fires(true), fires(false));
        costs.insert(name, json!({ "true": round(fires(true)), "false": round(fires(false)), "lost": round(lost) }));
    }
    println!("{per_second:.0} claims and pages per CPU second");
    let line = json!({ "claims": rows.len(), "auroc": round(out_of_fold), "auroc_shipped": round(shipped), "balanced_accuracy": round(balanced),
        "false_called_supported": round(false_supported), "true_called_unsupported": round(missed), "true_called_supported": round(hit),
        "false_called_unsupported": round(rejected), "claims_per_second": per_second.round(), "checks": costs });
    println!("{line}");
    Ok(())
}

fn round(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

fn share(judged: &[Judgement], truth: &[bool], supported: bool, holds: impl Fn(&Judgement) -> bool) -> f64 {
    let rows = judged.iter().zip(truth).filter(|(_, truth)| **truth == supported);
    let (hits, all) = rows.fold((0, 0), |(hits, all), (found, _)| (hits + u32::from(holds(found)), all + 1_u32));
    f64::from(hits) / f64::from(all.max(1))
}

/// The fold of each row: true and false ones are dealt out evenly.
pub(crate) fn folds(rows: &[Row], seed: u64) -> Vec<usize> {
    let mut folds = vec![0; rows.len()];
    let mut random = Random::new(seed);
    for supported in [true, false] {
        let mut same: Vec<usize> = (0..rows.len()).filter(|at| rows[*at].supported == supported).collect();
        random.shuffle(&mut same);
        for (number, at) in same.into_iter().enumerate() {
            folds[at] = number % FOLDS;
        }
    }
    folds
}

fn fold_auroc(rows: &[Row], features: &[Vec<f32>], seed: u64) -> f64 {
    let folds = folds(rows, seed);
    let truth: Vec<bool> = rows.iter().map(|row| row.supported).collect();
    let mut scores = vec![0.0; rows.len()];
    for fold in 0..FOLDS {
        let examples = (0..rows.len()).filter(|at| folds[*at] != fold);
        let examples: Vec<Example<'_>> =
            examples.map(|at| Example { features: &features[at], supported: truth[at], weight: 1.0 }).collect();
        let learnt = Learnt::of(&examples);
        for at in (0..rows.len()).filter(|at| folds[*at] == fold) {
            scores[at] = learnt.score(&features[at]);
        }
    }
    auroc(&scores, &truth)
}
