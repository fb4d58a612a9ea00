//! What is told of today and what is told of earlier: of a row of a timeline and one of a table that holds, the second one answers what something is.

use std::ops::Range;

use super::part;
use crate::core::question::state::{asks_what_is, asks_what_was_decided, tells_only_what_is, tells_what_was};
use crate::core::question::worth::SentenceWorth;
use crate::core::report::units::Unit;
use crate::core::text::editions::is_superseded;
use crate::core::text::status;

/// What a sentence is worth that tells what was, where it is asked what is, or only what is, where it is asked what was decided; and a row that calls itself
/// superseded.
const WAS: f32 = 0.7;
const SUPERSEDED: f32 = 0.5;

/// Of which time a question asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Holding {
    /// It asks for what is so, and names no time.
    of_state: bool,
    /// It asks for what was decided.
    of_decision: bool,
    /// It asks for what holds no longer.
    of_superseded: bool,
    sentences: SentenceWorth,
}

impl Holding {
    pub(super) fn of(question: &str) -> Self {
        Self {
            of_state: asks_what_is(question),
            of_decision: asks_what_was_decided(question),
            of_superseded: is_superseded(question),
            sentences: SentenceWorth::of(question),
        }
    }

    /// Whether what is so is asked for, and no time is named.
    pub(super) fn asks_what_is(self) -> bool {
        self.of_state
    }

    /// What a unit of a text below this heading is worth; `named_by` is what names it, of a row the head of its table.
    pub(super) fn worth(self, text: &str, unit: &Unit, named_by: Option<&Unit>, heading: Option<&str>) -> f32 {
        let said = |place: &Range<usize>| part(text, place);
        let name = named_by.map(|name| said(&name.place));
        let head = name.filter(|_| unit.is_row);
        let is_over = head.is_some_and(|head| status::row_says(head, said(&unit.place)));
        let sentence = said(&unit.place);
        let is_of_another_time = (self.of_state && tells_what_was(sentence))
            || (self.of_decision && !unit.is_row && !unit.names && tells_only_what_is(sentence));
        match (is_over && !self.of_superseded, is_of_another_time) {
            (true, _) => SUPERSEDED,
            (false, true) => WAS,
            (false, false) => self.sentences.worth(sentence, &[name, heading]),
        }
    }
}
