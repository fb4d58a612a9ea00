//! The names of more than one word that are asked for.

use std::collections::{BTreeMap, BTreeSet};

use super::{AskedQuestion, part};
use crate::core::language::identifiers::words_and_parts;
use crate::core::language::stems::Stems;
use crate::core::language::words::{full_names, words, written};
use crate::core::question::joined::joined_parts;
use crate::core::report::units::{Unit, units};

/// The names of a question that have more than one word, as they are written, and which words these are.
pub(super) fn of_question(question: &str, stems: &Stems) -> Vec<(String, BTreeSet<usize>)> {
    let full = full_names(question).into_iter().map(|name| {
        let lower: Vec<String> = name.iter().map(|word| word.to_lowercase()).collect();
        (name.join(" "), lower.iter().flat_map(|word| stems.of_word(word)).collect())
    });
    full.filter(|(_, words): &(String, BTreeSet<usize>)| words.len() > 1).collect()
}

/// In which parts of a question each of its words stands.
pub(super) fn parts_of_words(question: &str, stems: &Stems) -> BTreeMap<usize, BTreeSet<usize>> {
    let mut parts_of: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (part, said) in joined_parts(question).into_iter().enumerate() {
        for word in words_and_parts(said).flat_map(|word| stems.of_word(&word).collect::<Vec<_>>()) {
            parts_of.entry(word).or_default().insert(part);
        }
    }
    parts_of
}

/// How well the name of a column or of a field fits a question: how many of its words were asked for, and then how few were not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fit {
    asked: usize,
    others: std::cmp::Reverse<usize>,
}

impl AskedQuestion {
    /// The first of these words of the question, where none of them stands in any of these texts. One for which another was searched is not looked for.
    pub(in crate::core::report) fn missing_all<'w>(&self, wanted: &'w [String], texts: &[&str]) -> Option<&'w str> {
        let held: BTreeSet<usize> = texts.iter().flat_map(|text| self.held(text)).collect();
        let mut known = wanted.iter().filter(|word| self.stems.of_word(word).next().is_some()).peekable();
        let first = *known.peek()?;
        let is_said = |word: &String| self.stems.of_word(word).any(|at| held.contains(&at));
        (!known.any(is_said)).then_some(first.as_str())
    }

    /// Whether the question joins two of its words, and does not ask for one thing that is both.
    pub(in crate::core::report) fn are_side_by_side(&self, one: usize, other: usize) -> bool {
        self.parts.get(&one).zip(self.parts.get(&other)).is_none_or(|(one, other)| one.is_disjoint(other))
    }

    /// The words of the headings above a text and of its title: they are what all of it is about, and say nothing of that.
    pub(super) fn held_by_all<'t>(
        &self,
        headings: [Option<&str>; 2],
        titles: impl Iterator<Item = &'t BTreeSet<usize>>,
    ) -> BTreeSet<usize> {
        headings.into_iter().flatten().flat_map(|heading| self.held(heading)).chain(titles.flatten().copied()).collect()
    }

    /// How well a name fits, but for words that are asked for elsewhere.
    pub(in crate::core::report) fn fit_of_name(&self, name: &str, elsewhere: &BTreeSet<usize>) -> Fit {
        let asked = self.held(name).difference(elsewhere).count();
        let others = words(&name.replace(['_', '-'], " ")).count().saturating_sub(asked);
        if asked == 0 { Fit::default() } else { Fit { asked, others: std::cmp::Reverse(others) } }
    }

    /// The names of more than one word, as they are written, and their words.
    pub(in crate::core::report) fn full_names(&self) -> impl Iterator<Item = (&str, &BTreeSet<usize>)> {
        self.names.iter().map(|(name, words)| (name.as_str(), words))
    }

    /// The names whose words all stand in a passage, but never together: `Rosa Dorn` is neither Rosa Berg nor Tina Dorn. `above` is what stands
    /// above all of it.
    pub(crate) fn scattered_names(&self, text: &str, above: &[&str]) -> Vec<&str> {
        if self.names.is_empty() {
            return Vec::new();
        }
        let above: BTreeSet<usize> = above.iter().flat_map(|text| self.held(text)).collect();
        let units = units(text);
        let said: Vec<BTreeSet<usize>> = units.iter().map(|unit| self.held(part(text, &unit.place))).collect();
        // A row is below the head of its table: in `Code F311` the first word may be the name of the column.
        let with_head = |(unit, own): (&Unit, &BTreeSet<usize>)| {
            let head = unit.named_by.filter(|_| unit.is_row).and_then(|at| said.get(at));
            head.into_iter().flatten().chain(own).copied().collect()
        };
        let units: Vec<BTreeSet<usize>> = units.iter().zip(&said).map(with_head).collect();
        let all: BTreeSet<usize> = units.iter().flatten().chain(&above).copied().collect();
        let is_together = |words: &BTreeSet<usize>| {
            let has_rest =
                |unit: &BTreeSet<usize>| words.iter().all(|word| unit.contains(word) || above.contains(word));
            has_rest(&above) || units.iter().any(has_rest)
        };
        let scattered = self.names.iter().filter(|(_, words)| words.is_subset(&all) && !is_together(words));
        let scattered =
            scattered.filter(|(_, words)| words.iter().all(|word| self.is_of_another_name(text, *word, words)));
        scattered.map(|(name, _)| name.as_str()).collect()
    }

    /// Whether a word of a name stands in a text beside a word that is written as a name and is none of it.
    fn is_of_another_name(&self, text: &str, word: usize, name: &BTreeSet<usize>) -> bool {
        let said: Vec<(&str, BTreeSet<usize>)> =
            written(text).map(|said| (said, self.stems.of_word(&said.to_lowercase()).collect())).collect();
        let is_other =
            |(said, of): &(&str, BTreeSet<usize>)| said.starts_with(char::is_uppercase) && of.is_disjoint(name);
        said.windows(2).any(|pair| match pair {
            [one, other] => (one.1.contains(&word) && is_other(other)) || (other.1.contains(&word) && is_other(one)),
            _ => false,
        })
    }
}
