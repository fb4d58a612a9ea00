//! What is told of today and what is told of earlier: of a row of a timeline and one of a table that holds, the second one answers what something is.

use std::ops::Range;

use super::part;
use crate::core::question::state::{asks_what_is, tells_what_was};
use crate::core::report::units::Unit;
use crate::core::text::editions::is_superseded;
use crate::core::text::status;

/// What a sentence is worth that tells what was, where it is asked what is, and a row that calls itself superseded.
const WAS: f32 = 0.7;
const SUPERSEDED: f32 = 0.5;

/// Of which time a question asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Holding {
    /// It asks for what is so, and names no time.
    of_state: bool,
    /// It asks for what holds no longer.
    of_superseded: bool,
}

impl Holding {
    pub(super) fn of(question: &str) -> Self {
        Self { of_state: asks_what_is(question), of_superseded: is_superseded(question) }
    }

    /// What a unit of a text is worth; `named_by` is what names it, of a row the head of its table.
    pub(super) fn worth(self, text: &str, unit: &Unit, named_by: Option<&Unit>) -> f32 {
        let said = |place: &Range<usize>| part(text, place);
        let head = named_by.filter(|_| unit.is_row).map(|head| said(&head.place));
        let is_over = head.is_some_and(|head| status::row_says(head, said(&unit.place)));
        match (is_over && !self.of_superseded, self.of_state && tells_what_was(said(&unit.place))) {
            (true, _) => SUPERSEDED,
            (false, true) => WAS,
            (false, false) => 1.0,
        }
    }
}
