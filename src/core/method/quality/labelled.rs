//! Passages below the label that is asked for: `Pump hums › Cause` for `Why does the pump hum?`

use super::Goal;
use crate::core::evidence::passage::Passage;
use crate::core::language::identifiers::words_and_parts;
use crate::core::question::labels::Label;

impl Goal {
    /// The share of the goal that stands above a passage whose heading is the label below which the answer stands.
    pub(crate) fn labelled(&self, passage: &Passage) -> f32 {
        if !self.is_labelled(passage) {
            return 0.0;
        }
        let above = [&passage.title].into_iter().chain(&passage.headings);
        let said = above.flat_map(|heading| words_and_parts(heading)).filter_map(|word| self.term_of(&word));
        self.share(&said.collect())
    }

    /// Whether a passage stands below that label in the section that another one stands in: what was seen stands below `Symptom`, and why below `Cause`.
    pub(crate) fn is_labelled_beside(&self, passage: &Passage, other: &Passage) -> bool {
        let Some((_, section)) = passage.headings.split_last().filter(|_| self.is_labelled(passage)) else {
            return false;
        };
        let is_within = other.headings == section || other.headings.split_last().is_some_and(|(_, of)| of == section);
        let is_own = |line: &str| self.label.is_some_and(|label| Label::at_beginning_of(line).contains(&label));
        is_within && !section.is_empty() && !self.is_labelled(other) && !other.text.lines().any(is_own)
    }

    fn is_labelled(&self, passage: &Passage) -> bool {
        self.label.zip(passage.headings.last()).is_some_and(|(label, heading)| label.is_named_by(heading))
    }
}
