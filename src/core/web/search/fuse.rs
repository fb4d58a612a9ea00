//! Several lists of results become one.

use std::collections::HashMap;

use super::{Hit, Provider, Result};
use crate::core::base::limits;
use crate::core::base::sorting::sort_by;
use crate::core::text::shingles::Shingles;
use crate::core::web::address::canonical;

/// The usual constant of reciprocal rank fusion: how little the first places differ from each other.
const K: f64 = 60.0;
/// Snippets with fewer words are alike by chance: a title, a cookie notice.
const COMPARED_WORDS: usize = 20;

/// Fuses lists, each in its provider's order, by reciprocal rank. A page found by several providers counts once, with the sum of
/// its scores, the longest snippet and the first title and date; a copy of a better page under another address is left out.
pub(crate) fn fuse(lists: Vec<(Provider, Vec<Hit>)>) -> Vec<Result> {
    let mut results: Vec<Result> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (provider, hits) in lists {
        let mut seen = std::collections::HashSet::new();
        let mut rank = 0.0;
        for hit in hits.into_iter().take(limits::SEARCH_HITS) {
            let Some(key) = canonical(&hit.url) else { continue };
            if !seen.insert(key.clone()) {
                continue;
            }
            rank += 1.0;
            let score = 1.0 / (K + rank);
            match places.get(&key).and_then(|place| results.get_mut(*place)) {
                Some(known) => merge(known, provider, hit, score),
                None => {
                    places.insert(key, results.len());
                    results.push(Result { hit, providers: vec![provider], score });
                }
            }
        }
    }
    // The sort is stable: what is equal stays in the order of the providers.
    sort_by(&mut results, |a, b| b.score.total_cmp(&a.score));
    without_copies(results)
}

fn merge(known: &mut Result, provider: Provider, hit: Hit, score: f64) {
    known.score += score;
    known.providers.push(provider);
    if hit.snippet.len() > known.hit.snippet.len() {
        known.hit.snippet = hit.snippet;
    }
    if known.hit.title.is_empty() {
        known.hit.title = hit.title;
    }
    known.hit.date = known.hit.date.take().or(hit.date);
}

fn without_copies(results: Vec<Result>) -> Vec<Result> {
    let mut kept: Vec<Result> = Vec::new();
    let mut texts: Vec<Shingles> = Vec::new();
    for result in results {
        if result.hit.snippet.split_whitespace().count() >= COMPARED_WORDS {
            let text = Shingles::of(&result.hit.snippet);
            if texts.iter().any(|other| other.copies(&text)) {
                continue;
            }
            texts.push(text);
        }
        kept.push(result);
    }
    kept
}
