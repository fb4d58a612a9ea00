//! Questions for what holds now: `What is the rent now?`, `the current roadmap`. Such a word chooses among documents of several times, and stands in none of
//! them.

use std::ops::Range;

use crate::core::base::rows::is_listed;
use crate::core::language::fold::folded;
use crate::core::language::words::{is_filler, runs};

/// Words that say it wherever they stand, without accents.
const ALWAYS: &str =
    "actualmente actuellement ahora attualmente currently derzeit jetzt maintenant momentan now nowadays presently";
/// Words that say it before what they are said of, and are things otherwise: `the current of the motor`.
const BEFORE: &str = "actuel actuelle aktuelle aktuellen aktueller aktuelles attuale current derzeitige derzeitigen derzeitiger latest \
     neueste neuesten neuester neuestes newest present";
/// What stands before those.
const ARTICLES: &str = "das dem den der die il l la le my our the their unser unsere your";

/// The words of a question that ask for what holds now, in lower case and without accents.
pub(crate) fn present_words(question: &str) -> Vec<String> {
    let places: Vec<Range<usize>> = runs(question).collect();
    let word = |at: Option<usize>| {
        let place = at.and_then(|at| places.get(at)).cloned();
        place.and_then(|place| question.get(place)).map(folded).unwrap_or_default()
    };
    // `now()` is a function.
    let is_called = |at: usize| {
        places.get(at).and_then(|place| question.get(place.end..)).is_some_and(|rest| rest.starts_with(['(', '_']))
    };
    let asks = |at: &usize| {
        let (own, next) = (word(Some(*at)), word(at.checked_add(1)));
        let is_said_of = !next.is_empty() && !is_filler(&next) && is_listed(ARTICLES, &word(at.checked_sub(1)));
        !is_called(*at) && (is_listed(ALWAYS, &own) || (is_listed(BEFORE, &own) && is_said_of))
    };
    (0..places.len()).filter(asks).map(|at| word(Some(at))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_words_that_ask_for_the_present() {
        for (question, want) in [
            ("What is the basic rent now?", &["now"][..]),
            ("What is the current deadline of the review?", &["current"]),
            ("Wie hoch ist die aktuelle Miete?", &["aktuelle"]),
            ("Where do we keep the keys currently?", &["currently"]),
            ("What is our latest price list?", &["latest"]),
            ("What current does the motor draw?", &[]),
            ("What is the current of the motor?", &[]),
            ("What does now() return?", &[]),
            ("What is the present?", &[]),
            ("", &[]),
        ] {
            assert_eq!(present_words(question), want, "{question}");
        }
    }
}
