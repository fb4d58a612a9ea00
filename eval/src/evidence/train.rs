//! Makes the table of the judge from labelled claims, and shows what thresholds would do out of fold.

use std::path::Path;

use hadal::eval::evidence::{Claim, Judgement, Page, feature_names};

use super::data::{self, Row};
use super::learn::{Example, Learnt};
use super::measure::folds;

/// A set weighs this for the root of its rows: a small one teaches less than a large one, but more than its share.
const ROOT: f64 = 29.0;

struct Set {
    name: String,
    rows: Vec<Row>,
    features: Vec<Vec<f32>>,
    /// Whether a check caps the verdict, and whether one makes it unsupported.
    capped: Vec<(bool, bool)>,
    supported_from: Vec<f64>,
}

/// Learns from all files together and writes the table.
pub(crate) fn run(out: &Path, files: &[&str]) -> Result<(), String> {
    let mut sets = Vec::new();
    for file in files {
        let rows = data::read(Path::new(file))?;
        let pairs: Vec<(Claim, Page)> = rows.iter().map(|row| (Claim::new(&row.claim), Page::new(&row.page))).collect();
        let features = pairs.iter().map(|(claim, page)| claim.features(page)).collect();
        let judged: Vec<Judgement> = pairs.iter().map(|(claim, page)| claim.judge(page)).collect();
        let capped =
            judged.iter().map(|found| (!found.findings.is_empty(), found.findings.iter().any(|finding| finding.1)));
        let supported_from = judged.iter().map(|found| f64::from(found.supported_from)).collect();
        let name = Path::new(file).file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        sets.push(Set { name, capped: capped.collect(), supported_from, rows, features });
    }
    show_thresholds(&sets);
    let all: Vec<Example<'_>> = sets.iter().flat_map(|set| examples(set, |_| true)).collect();
    let learnt = Learnt::of(&all);
    let mut table = String::new();
    for (at, name) in feature_names().iter().enumerate() {
        table += &format!("{name} {:.5} {:.5} {:.4}\n", learnt.means[at], learnt.spreads[at], learnt.weights[at]);
    }
    table += &format!("bias {:.4}\n", learnt.bias);
    std::fs::write(out, table).map_err(|problem| format!("{}: {problem}", out.display()))
}

/// The rows of a set that are learnt from. True and false ones weigh the same in all, so that no set teaches how often claims are true.
fn examples(set: &Set, used: impl Fn(usize) -> bool) -> Vec<Example<'_>> {
    let true_rows = set.rows.iter().filter(|row| row.supported).count() as f64;
    let all = set.rows.len() as f64;
    let weight = |supported: bool| all.sqrt() * ROOT / 2.0 / if supported { true_rows } else { all - true_rows };
    let rows = set.rows.iter().zip(&set.features).enumerate().filter(|(at, _)| used(*at));
    rows.map(|(_, (row, features))| Example { features, supported: row.supported, weight: weight(row.supported) })
        .collect()
}

/// Scores of every row by models that have not seen it, learnt from all sets together.
fn out_of_fold(sets: &[Set], seed: u64) -> Vec<Vec<f64>> {
    let folds: Vec<Vec<usize>> = sets.iter().map(|set| folds(&set.rows, seed)).collect();
    let mut scores: Vec<Vec<f64>> = sets.iter().map(|set| vec![0.0; set.rows.len()]).collect();
    for fold in 0..super::measure::FOLDS {
        let learn: Vec<Example<'_>> =
            sets.iter().zip(&folds).flat_map(|(set, folds)| examples(set, |at| folds[at] != fold)).collect();
        let learnt = Learnt::of(&learn);
        for ((set, folds), scores) in sets.iter().zip(&folds).zip(&mut scores) {
            for at in (0..set.rows.len()).filter(|at| folds[*at] == fold) {
                scores[at] = learnt.score(&set.features[at]);
            }
        }
    }
    scores
}

fn show_thresholds(sets: &[Set]) {
    let runs: Vec<Vec<Vec<f64>>> = (0..super::measure::SEEDS).map(|seed| out_of_fold(sets, seed)).collect();
    for (number, set) in sets.iter().enumerate() {
        let truth: Vec<bool> = set.rows.iter().map(|row| row.supported).collect();
        let mean = runs.iter().map(|run| super::learn::auroc(&run[number], &truth)).sum::<f64>() / runs.len() as f64;
        println!("{} AUROC {mean:.4} with the other sets in the training", set.name);
        let at_shipped = |supported: bool| {
            let rows = || (0..truth.len()).filter(|at| truth[*at] == supported);
            let passes = |run: &Vec<Vec<f64>>| {
                rows().filter(|at| run[number][*at] >= set.supported_from[*at] && !set.capped[*at].0).count()
            };
            runs.iter().map(passes).sum::<usize>() as f64 / (rows().count() * runs.len()) as f64
        };
        println!(
            "  called supported out of fold: {:.3} of true claims, {:.3} of false ones",
            at_shipped(true),
            at_shipped(false)
        );
        println!("  threshold  true >=  false >=  true >= and unchecked  false >= and unchecked  true < or nowhere");
        for step in 2..17 {
            let threshold = f64::from(step) * 0.05;
            let share = |supported: bool, holds: &dyn Fn(f64, (bool, bool)) -> bool| {
                let rows = || (0..truth.len()).filter(|at| truth[*at] == supported);
                let hits = runs
                    .iter()
                    .map(|run| rows().filter(|at| holds(run[number][*at], set.capped[*at])).count())
                    .sum::<usize>();
                hits as f64 / (rows().count() * runs.len()) as f64
            };
            println!(
                "  {threshold:>9.2} {:>8.3} {:>9.3} {:>22.3} {:>23.3} {:>18.3}",
                share(true, &|score, _| score >= threshold),
                share(false, &|score, _| score >= threshold),
                share(true, &|score, capped| score >= threshold && !capped.0),
                share(false, &|score, capped| score >= threshold && !capped.0),
                share(true, &|score, capped| score < threshold || capped.1),
            );
        }
    }
}
