//! `hadal-eval common-words TABLE FILE…`: which words stand on many pages, so that finding one says little.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use super::data;
use super::words::words;

/// Words of the table, before fillers and numbers are left out.
const WORDS: usize = 1_500;
/// Letters of a stem, as the judge cuts them.
const STEM: usize = 5;
/// Words that the judge does not look at.
const FILLERS: &str = "a also an and are as at be been being but by can could did do does for from had has have he her here him his i if in into is it its may me my no not \
    of on or our over s she should so such t than that the their them then there these they this those to was we were which who whom will with would you your";

/// Writes the table: a weight and the stems that have it, per line.
pub(crate) fn run(out: &Path, files: &[&str]) -> Result<(), String> {
    let mut pages = 0_u32;
    let mut counts: HashMap<String, u32> = HashMap::new();
    for file in files {
        for row in data::read(Path::new(file))? {
            pages += 1;
            let stems: BTreeSet<String> = words(&row.page)
                .into_iter()
                .map(|(_, word)| word.to_lowercase().chars().take(STEM).collect())
                .collect();
            stems.into_iter().for_each(|stem| *counts.entry(stem).or_default() += 1);
        }
    }
    let mut counts: Vec<(String, u32)> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut lines: BTreeMap<u32, BTreeSet<String>> = BTreeMap::new();
    for (stem, count) in counts.into_iter().take(WORDS) {
        let known = FILLERS.split_whitespace().any(|filler| filler == stem);
        if !known && !stem.starts_with(|c: char| c.is_ascii_digit()) {
            let weight = (f64::from(pages + 1) / (f64::from(count) + 0.5)).ln();
            lines.entry((weight * 10.0).round().max(0.0) as u32).or_default().insert(stem);
        }
    }
    let line = |(weight, stems): (u32, BTreeSet<String>)| {
        format!("{:.1} {}\n", f64::from(weight) / 10.0, stems.into_iter().collect::<Vec<_>>().join(" "))
    };
    std::fs::write(out, lines.into_iter().map(line).collect::<String>())
        .map_err(|problem| format!("{}: {problem}", out.display()))
}
