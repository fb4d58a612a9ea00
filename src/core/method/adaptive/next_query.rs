//! The next query, by rule: what is still missing, and the names that the best passages brought up.

use std::collections::{BTreeMap, BTreeSet};

use super::evidence::{Finding, together};
use crate::core::base::sorting::sort_by;
use crate::core::language::stems::stem_of;
use crate::core::language::words::{is_filler, names, words};
use crate::core::method::quality::Goal;

/// Words of each kind in a follow-up query. A long query finds what the goal already found.
const MISSING_WORDS: usize = 4;
const NEW_WORDS: usize = 3;
/// The passages that new words are taken from.
const BEST_PASSAGES: usize = 3;
/// Words looked at for new ones; what comes later is hardly telling.
const TELLING_WORDS: usize = 100;
/// Shorter words are seldom names.
const SHORTEST_NAME: usize = 3;

/// A query that was not asked before, or `None` when the passages bring up no new word. `kept` is ranked, best first; `asked` starts with
/// the goal.
pub(super) fn next_query(goal: &Goal, kept: &[Finding], asked: &[String]) -> Option<String> {
    let known: BTreeSet<String> = asked.iter().flat_map(|query| words(query)).map(|word| stem_of(&word)).collect();
    let is_new = |word: &String| !known.contains(&stem_of(word));
    let fresh: Vec<String> = salient(kept).into_iter().filter(is_new).take(NEW_WORDS).collect();
    if fresh.is_empty() {
        return None;
    }
    let held = together(kept);
    // What a follow-up query asked for in vain is not asked for again: it stands nowhere.
    let vain = |word: &str| asked.iter().skip(1).any(|query| words(query).any(|other| other == word));
    let missing = goal.missing(&held).filter(|term| !vain(&term.word)).take(MISSING_WORDS);
    // The heaviest word that was found keeps the query on its subject.
    let found = held.iter().filter_map(|at| goal.terms().get(*at));
    let anchor = found.max_by(|a, b| a.weight.total_cmp(&b.weight));
    let mut query: Vec<String> = missing.chain(anchor).map(|term| term.word.clone()).collect();
    query.extend(fresh);
    Some(query.join(" "))
}

/// The telling words of the best passages, the most telling first: names, words of titles and headings, what is said often.
fn salient(kept: &[Finding]) -> Vec<String> {
    let mut scores: BTreeMap<String, (u32, usize)> = BTreeMap::new();
    let mut first = 0;
    let mut add = |word: &str, points: u32| {
        let lower = word.to_lowercase();
        let telling = lower.chars().count() >= SHORTEST_NAME && lower.chars().any(char::is_alphabetic);
        if telling && !is_filler(&lower) {
            first += 1;
            let entry = scores.entry(lower).or_insert((0, first));
            // What is said very often is the subject, which is known already, or a habit of the writer.
            entry.0 = (entry.0 + points).min(8);
        }
    };
    for finding in kept.iter().take(BEST_PASSAGES) {
        for heading in finding.passage.headings.iter().chain([&finding.passage.title]) {
            names(heading).for_each(|(word, _)| add(word, 2));
        }
        for (word, name) in names(&finding.passage.text) {
            add(word, if name { 3 } else { 1 });
        }
    }
    let mut ranked: Vec<(String, (u32, usize))> = scores.into_iter().collect();
    sort_by(&mut ranked, |(_, (a, a_first)), (_, (b, b_first))| b.cmp(a).then(a_first.cmp(b_first)));
    ranked.into_iter().take(TELLING_WORDS).map(|(word, _)| word).collect()
}
