//! How alike two texts are.

use std::collections::HashMap;

use crate::pages::Truth;

/// Figures of one page, or the means of several.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Score {
    pub(crate) f1: f64,
    pub(crate) precision: f64,
    pub(crate) recall: f64,
    /// Share of the snippets that must be there and are.
    pub(crate) must: f64,
    /// Share of the snippets that must not be there and are not.
    pub(crate) must_not: f64,
}

impl Score {
    pub(crate) fn of(found: &str, truth: &Truth) -> Self {
        let (precision, recall) = overlap(&counts(found), &counts(&truth.main_content));
        let f1 = if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 };
        let flat = flat(found);
        let there = |snippet: &&String| flat.contains(&self::flat(snippet));
        let share = |count: usize, all: usize| if all == 0 { 1.0 } else { count as f64 / all as f64 };
        let must = share(truth.must_contain.iter().filter(there).count(), truth.must_contain.len());
        let bad = truth.must_not_contain.iter().filter(there).count();
        let must_not =
            1.0 - if truth.must_not_contain.is_empty() { 0.0 } else { share(bad, truth.must_not_contain.len()) };
        Self { f1, precision, recall, must, must_not }
    }

    pub(crate) fn mean(scores: &[Self]) -> Self {
        let mean = |of: fn(&Self) -> f64| scores.iter().map(of).sum::<f64>() / scores.len().max(1) as f64;
        Self {
            f1: mean(|score| score.f1),
            precision: mean(|score| score.precision),
            recall: mean(|score| score.recall),
            must: mean(|score| score.must),
            must_not: mean(|score| score.must_not),
        }
    }
}

/// How often each word stands in a text: runs of letters, digits and `_`, in small letters.
fn counts(text: &str) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for word in text.to_lowercase().split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()) {
        *counts.entry(word.to_owned()).or_default() += 1;
    }
    counts
}

/// Precision and recall of words, each counted as often as it stands there. Nothing for nothing is right.
fn overlap(found: &HashMap<String, usize>, truth: &HashMap<String, usize>) -> (f64, f64) {
    let (all_found, all_true): (usize, usize) = (found.values().sum(), truth.values().sum());
    if all_found == 0 && all_true == 0 {
        return (1.0, 1.0);
    }
    let both: usize = found.iter().map(|(word, count)| *count.min(truth.get(word).unwrap_or(&0))).sum();
    (both as f64 / all_found.max(1) as f64, both as f64 / all_true.max(1) as f64)
}

/// A text on one line in small letters, for looking snippets up.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_as_often_as_they_stand_there() {
        let truth = Truth {
            id: String::new(),
            page_type: String::new(),
            main_content: "The sea, the SEA and the moon".to_owned(),
            must_contain: vec!["the  sea".to_owned(), "stars".to_owned()],
            must_not_contain: vec!["menu".to_owned()],
        };
        let score = Score::of("the sea the sun", &truth);
        assert!((score.precision - 0.75).abs() < 1e-9 && (score.recall - 3.0 / 7.0).abs() < 1e-9);
        assert!((score.must - 0.5).abs() < 1e-9 && (score.must_not - 1.0).abs() < 1e-9);
        assert!(Score::of("", &truth).f1 == 0.0);
    }
}
