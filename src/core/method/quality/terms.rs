//! The words of a goal and the terms that a search made of them.

use std::collections::{BTreeSet, HashMap};

use super::GoalTerm;
use crate::core::evidence::passage::Term;
use crate::core::language::identifiers::humps;
use crate::core::language::stems::{Stems, stem_of};
use crate::core::language::words::names;

/// These terms in their order, each once and with the most that it weighs; one that only asks weighs nothing.
pub(super) fn weighed<'t>(
    terms: impl Iterator<Item = &'t Term>,
    is_asking: impl Fn(&str) -> bool,
) -> Vec<(&'t str, f32)> {
    let mut place_of: HashMap<&str, usize> = HashMap::new();
    let mut weighed: Vec<(&str, f32)> = Vec::new();
    for term in terms {
        let counts = term.weight.is_finite() && !is_asking(&term.text);
        let weight = if counts { term.weight.max(0.0) } else { 0.0 };
        let at = *place_of.entry(&term.text).or_insert(weighed.len());
        match weighed.get_mut(at) {
            Some((_, known)) => *known = known.max(weight),
            None => weighed.push((&term.text, weight)),
        }
    }
    weighed
}

/// The names of a goal that are written as identifiers, in lower case.
pub(super) fn identifiers_of(goal: &str) -> BTreeSet<String> {
    names(goal).filter(|(word, _)| !humps(word).is_empty()).map(|(word, _)| word.to_lowercase()).collect()
}

/// The first of these words for each stem, and each for itself.
pub(super) fn words_by_stems<'w>(words: &[&'w str]) -> HashMap<String, &'w str> {
    let mut word_of: HashMap<String, &str> = HashMap::new();
    for word in words.iter().copied() {
        word_of.entry(stem_of(word)).or_insert(word);
        word_of.entry(word.to_owned()).or_insert(word);
    }
    word_of
}

/// The stems by which terms and their other forms are known.
pub(super) fn stems_of(terms: &[GoalTerm]) -> Stems {
    let mut stems = Stems::default();
    for (at, term) in terms.iter().enumerate() {
        std::iter::once(&term.text).chain(&term.forms).for_each(|stem| stems.add(stem, at));
    }
    stems
}
