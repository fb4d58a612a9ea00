//! What a question speaks of: its names, and its other terms.

use super::quality::{GoalTerm, HeldTerms};
use crate::core::base::plain::is_digits;
use crate::core::language::identifiers::words_and_parts;
use crate::core::question::descriptions::describing;
use crate::core::question::names::names_of_question;
use crate::core::question::qualifiers::qualifiers;

/// A name or another term of the goal, as places in its terms.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Subject {
    /// The first one tells `Mariana Trench` from `Java Trench`.
    pub(super) terms: Vec<usize>,
    pub(super) is_name: bool,
    pub(super) is_measure: bool,
    /// It says of which one is asked: `permits for patients`.
    pub(super) is_qualifier: bool,
    pub(super) describes: Option<Describes>,
}

/// What tells the one thing that is asked about from its like.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Describes {
    /// It is the thing itself: `the hoopoe`.
    Itself,
    /// It says which one of what this term is: `the nested PCR`.
    Term(usize),
    /// It has letters and digits, `m5`, which nothing else is called.
    Label,
}

impl Subject {
    /// Whether these terms speak of it: a text may leave out what follows the first word of a name.
    pub(super) fn is_held(&self, held: &HeldTerms) -> bool {
        self.terms.first().is_some_and(|first| held.contains(first))
    }
}

/// What a goal speaks of: words that are written as names beside each other are one name.
pub(super) fn subjects(goal: &str, terms: &[GoalTerm]) -> Vec<Subject> {
    let place = |word: &str| terms.iter().position(|term| term.word == word);
    let is_measure = |at: &usize| terms.get(*at).is_some_and(|term| term.is_measure);
    let qualifying = qualifiers(goal);
    let is_qualifier =
        |at: &usize| terms.get(*at).is_some_and(|term| !term.is_measure && qualifying.contains(&term.word));
    let describing = describing(goal);
    let describes = |at: &usize| {
        let term = terms.get(*at).filter(|term| !term.is_measure)?;
        if term.word.contains(|c: char| c.is_ascii_digit()) && term.word.contains(char::is_alphabetic) {
            return Some(Describes::Label);
        }
        let found = describing.iter().find(|found| found.word == term.word)?;
        Some(found.of.as_ref().and_then(|of| place(of)).map_or(Describes::Itself, Describes::Term))
    };
    let subject = |terms: Vec<usize>, is_name| Subject {
        is_measure: terms.iter().all(is_measure),
        is_qualifier: terms.iter().any(is_qualifier),
        describes: terms.iter().find_map(describes),
        terms,
        is_name,
    };
    let mut subjects: Vec<Subject> = Vec::new();
    let mut known = HeldTerms::new();
    let mut open = false;
    for (word, is_name) in names_of_question(goal) {
        let fresh: Vec<usize> =
            words_and_parts(word).filter_map(|word| place(&word)).filter(|at| known.insert(*at)).collect();
        match subjects.last_mut() {
            Some(name) if open && (is_name || is_digits(word)) => name.terms.extend(fresh),
            _ if !fresh.is_empty() => subjects.push(subject(fresh, is_name)),
            _ => {}
        }
        // A number behind a name is a part of it: `Dolorex 200`.
        open = (is_name || is_digits(word)) && subjects.last().is_some_and(|last| last.is_name);
    }
    // Terms that come from no word of the goal stand for themselves.
    let rest = (0..terms.len()).filter(|at| !known.contains(at));
    subjects.extend(rest.map(|at| subject(vec![at], false)));
    subjects
}
