//! When what was found is taken for an answer, and when it is doubted.

use super::{Goal, HeldTerms};
use crate::core::language::fold::folded;
use crate::core::language::weekdays::Weekday;
use crate::core::method::subjects::{Describes, Subject};
use crate::core::question::descriptions::is_known;

/// An answer that holds less of the goal is none, nineteen times out of twenty: by questions whose documents were taken away (`hadal-eval
/// doubt`; docs/finding-figures.md has the table).
pub(crate) const CLEAR_SHARE: f32 = 2.0 / 3.0;

impl Goal {
    /// The share of the goal from which an answer out of a passage with these terms, and with this text, is taken for one. In a small library
    /// what is spoken of is counted and not weighed. `seen` are the terms of all that was found.
    pub(crate) fn clear_share(&self, held: &HeldTerms, seen: &HeldTerms, text: &str) -> f32 {
        // What happened on a day, or in the stretch in which one lies, is not told by what else happened then.
        let in_stretches = self.periods.only_in_stretches(&[text], &self.stems);
        let is_time = |at: &usize| self.days.contains(at) || in_stretches.contains(at);
        let asked = || self.subjects.iter().filter(|subject| !subject.terms.iter().all(is_time));
        let of = || asked().filter(|subject| subject.is_held(held));
        let has_digit =
            |at: &&usize| self.terms.get(**at).is_some_and(|term| term.word.contains(|c: char| c.is_ascii_digit()));
        // Of `Kelvora K9` the number tells it from its like.
        let is_named =
            |subject: &Subject| subject.is_name && subject.terms.iter().filter(has_digit).all(|at| held.contains(at));
        // Whether a day is told is asked elsewhere, in all the forms that it has.
        let is_weekday =
            |at: &usize| self.terms.get(*at).is_some_and(|term| Weekday::named(&folded(&term.word)).is_some());
        let asks_for_name = asked().any(|subject| subject.is_name);
        let has_rest = asked().any(|subject| !subject.is_name && !subject.is_measure);
        // A name, or what says of which one it is asked, that is missing here and spoken of elsewhere: it may be asked of that one.
        let is_elsewhere = |subject: &Subject| {
            let tells_which = (subject.is_name || subject.is_qualifier) && !subject.terms.iter().all(is_weekday);
            tells_which && !subject.is_held(held) && subject.is_held(seen)
        };
        match (self.small, asks_for_name) {
            (true, _) if self.lacks_what_describes(held, text) => 1.0,
            // What is said of others says nothing of it, and that it is spoken of does not tell what is asked about it.
            (_, true) if !of().any(is_named) || (has_rest && of().count() == 1) => 1.0,
            (true, true) | (_, false) if asked().any(is_elsewhere) => 1.0,
            (true, true) => 0.0,
            (true, false) if 2 * of().count() >= asked().count() && of().count() > 1 => 0.0,
            _ => CLEAR_SHARE,
        }
    }

    /// Whether something is missing that tells the one thing that is asked about from its like.
    fn lacks_what_describes(&self, held: &HeldTerms, text: &str) -> bool {
        let weight = |subject: &Subject| -> f32 {
            subject.terms.iter().filter_map(|at| self.terms.get(*at)).map(|term| term.weight).sum()
        };
        let usual = self.total / f32::from(u16::try_from(self.terms.len().max(1)).unwrap_or(u16::MAX));
        let has_name = self.subjects.iter().any(|subject| subject.is_name && subject.is_held(held));
        let is_only_one = |of: &usize| self.terms.get(*of).is_some_and(|term| is_known(text, &term.word));
        let tells = |subject: &Subject| match &subject.describes {
            Some(Describes::Label) => true,
            Some(Describes::Term(of)) => held.contains(of) && !is_only_one(of),
            // Where something is that has a name need not be said.
            Some(Describes::Itself) => !has_name,
            None => false,
        };
        // Nor what everything here is about.
        let is_rare = |subject: &Subject| weight(subject) >= usual;
        self.subjects.iter().any(|subject| tells(subject) && !subject.is_held(held) && is_rare(subject))
    }
}
