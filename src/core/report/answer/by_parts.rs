//! German compounds that a text has in its parts: `einer Frist von drei Monaten kündigen` for `Kündigungsfrist`.

use std::collections::BTreeSet;

use super::{AskedQuestion, part};
use crate::core::language::compounds::has_parts;
use crate::core::language::words::plain_words;
use crate::core::report::units::Unit;

impl AskedQuestion {
    /// The compounds whose parts stand near each other in a text.
    pub(super) fn held_by_parts(&self, text: &str) -> BTreeSet<usize> {
        if self.compounds.is_empty() {
            return BTreeSet::new();
        }
        let said = plain_words(text);
        self.compounds.iter().filter(|(_, parts)| has_parts(parts, &said)).map(|(at, _)| *at).collect()
    }

    /// What each of these units of a text holds. Where the text has a compound itself, its parts are said of something else.
    pub(super) fn held_by_units(&self, text: &str, units: &[Unit]) -> Vec<BTreeSet<usize>> {
        let said = if self.compounds.is_empty() { BTreeSet::new() } else { self.held_itself(text) };
        let held = |unit: &Unit| {
            let own = part(text, &unit.place);
            self.held_itself(own).into_iter().chain(self.held_by_parts(own).difference(&said).copied()).collect()
        };
        units.iter().map(held).collect()
    }

    /// A compound that `quote` has only in its parts, where one of these other texts of its document has it itself.
    pub(in crate::core::report) fn said_elsewhere<'t>(
        &self,
        quote: &[&str],
        mut others: impl Iterator<Item = &'t str>,
    ) -> Option<&str> {
        let said: BTreeSet<usize> = quote.iter().flat_map(|text| self.held_itself(text)).collect();
        let by_parts = quote.iter().flat_map(|text| self.held_by_parts(text)).collect::<BTreeSet<usize>>();
        let open: Vec<usize> = by_parts.difference(&said).copied().collect();
        if open.is_empty() {
            return None;
        }
        let found = others.find_map(|text| {
            let held = self.held_itself(text);
            open.iter().copied().find(|at| held.contains(at))
        });
        found.and_then(|at| self.word(at))
    }
}
