//! Finding pages of the field by words, as a plain search engine does.

use std::collections::{BTreeMap, BTreeSet};

use super::Field;
use crate::web::Page;

/// Characters of a snippet.
const SNIPPET_CHARS: usize = 160;

/// Words in lower case; of a script without spaces, its pairs of characters.
fn terms(text: &str) -> BTreeSet<String> {
    let mut terms = BTreeSet::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let chars: Vec<char> = word.to_lowercase().chars().collect();
        if chars.iter().any(|c| ('\u{4e00}'..'\u{a000}').contains(c)) {
            terms.extend(chars.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else if chars.len() > 2 {
            terms.insert(chars.into_iter().collect());
        }
    }
    terms
}

pub(super) fn index(pages: &[Page]) -> BTreeMap<String, BTreeSet<usize>> {
    let mut index: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (at, page) in pages.iter().enumerate().filter(|(_, page)| !page.url.contains("/annex/")) {
        for term in terms(&format!("{} {}", page.title, page.text)) {
            index.entry(term).or_default().insert(at);
        }
    }
    index
}

impl Field {
    /// The pages that hold words of a query, rare words counting more, each with a snippet in place of its text.
    pub(crate) fn find(&self, query: &str, limit: usize) -> Vec<Page> {
        let mut scores: BTreeMap<usize, f64> = BTreeMap::new();
        for term in terms(query) {
            let Some(found) = self.index.get(&term) else { continue };
            let weight = (self.pages.len() as f64 / found.len() as f64).ln() + 0.1;
            for at in found {
                // A word in the title counts twice.
                let times = if terms(&self.pages[*at].title).contains(&term) { 2.0 } else { 1.0 };
                *scores.entry(*at).or_default() += weight * times;
            }
        }
        let mut ranked: Vec<(usize, f64)> = scores.into_iter().collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let shown = |(at, _): (usize, f64)| {
            let page = &self.pages[at];
            Page { text: snippet(&page.text, query), html: None, ..page.clone() }
        };
        ranked.into_iter().take(limit).map(shown).collect()
    }
}

/// The beginning of the paragraph that holds the most words of a query.
fn snippet(text: &str, query: &str) -> String {
    let wanted = terms(query);
    let held = |paragraph: &&str| terms(paragraph).intersection(&wanted).count();
    let best = text.split_inclusive("\n\n").max_by_key(held).unwrap_or_default();
    best.trim().chars().take(SNIPPET_CHARS).collect()
}
