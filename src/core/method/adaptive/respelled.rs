//! Words of a question that stand in no document, and what was perhaps meant.

use super::Adaptive;
use crate::core::evidence::passage::Reach;
use crate::core::language::spelling::{is_guess, is_short, may_be_another};
use crate::core::language::words::names;

impl Adaptive {
    /// How far the next search of the library reaches.
    pub(super) fn reach(&self) -> Reach {
        if self.wide_attempt == Some(self.attempt()) {
            Reach::Wide
        } else if self.goal.is_none() && self.plan.answer_first {
            Reach::Respelled
        } else {
            Reach::Words
        }
    }

    /// The question as it is searched for.
    pub(super) fn goal_text(&self) -> &str {
        self.respelled.as_ref().map_or(self.plan.sought(), |respelled| &respelled.query)
    }

    /// Which words were taken for others.
    pub(super) fn respelled_words(&self) -> String {
        let line = |(typed, meant): &(String, String)| {
            format!("The library has no word `{typed}`; `{meant}` was searched for.")
        };
        let words = self.respelled.iter().flat_map(|respelled| &respelled.words).map(line);
        words.collect::<Vec<_>>().join(" ")
    }

    /// The words of the question that were taken for others and may well be no errors: names, what is short, and what differs by two errors.
    pub(super) fn other_words(&self) -> Vec<&str> {
        let is_name = |typed: &str| names(self.plan.sought()).any(|(word, is_name)| is_name && word == typed);
        let words = self.respelled.iter().flat_map(|respelled| &respelled.words);
        let may_be = |(typed, meant): &&(String, String)| {
            is_guess(typed, meant) || (may_be_another(typed, meant) && (is_short(typed) || is_name(typed)))
        };
        let others = words.filter(may_be);
        others.map(|(typed, _)| typed.as_str()).collect()
    }
}
