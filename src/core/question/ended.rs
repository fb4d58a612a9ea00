//! Sentences that say that something is no more: `Removed support for MySQL`, `MySQL is no longer supported`, `wird nicht mehr unterstützt`; and whether
//! what they end is what an earlier one told.

use std::collections::BTreeSet;

use crate::core::base::rows::is_listed;
use crate::core::language::fold::folded;
use crate::core::language::stems::stem_of;
use crate::core::language::words::{is_filler, plain_words, words};

/// Words that say it by themselves, without accents.
const ENDED: &str = "abolish abolished cancelled canceled discontinue discontinued discontinues drop dropped drops ended removal remove removed \
     removes removing retired stopped withdrawn \
     abgeschafft abgeschaltet aufgehoben beendet eingestellt entfallt entfernt gestrichen wegfall weggefallen \
     abandonne abandonnee abandonnees abandonnes retire retiree retirees retires retrait supprime supprimee supprimees supprimes suppression";
/// Two words that say it together, with words between them.
const TOGETHER: [(&str, &str); 6] =
    [("no", "longer"), ("not", "anymore"), ("nicht", "mehr"), ("keine", "mehr"), ("ne", "plus"), ("n", "plus")];
const APART: usize = 3;
/// Words beside them that say nothing of what is ended.
const BESIDE: &str = "any apply applies available deprecated feature legacy longer mehr now obsolete old option plus possible setting support supported supports unused used \
     alte alten funktion moglich option unterstutzt unterstutzung verfugbar veraltete veralteten \
     ancien ancienne charge disponible pris prise";
/// Signs behind which something else may be said.
const CLAUSES: [char; 6] = [',', ';', ':', '(', '—', '–'];
/// The share of what a sentence ends that the other must have told, in quarters.
const QUARTERS: usize = 3;

/// Whether a sentence says of something that it is no more.
pub(crate) fn tells_end(sentence: &str) -> bool {
    place_of_end(sentence).is_some()
}

/// Whether a later sentence says that what an earlier one told is no more.
pub(crate) fn ends(later: &str, earlier: &str) -> bool {
    let clauses = later.split(CLAUSES).filter(|clause| tells_end(clause));
    let told = things(earlier);
    let is_of_it = |clause: &str| {
        let ended = things(clause);
        let both = ended.intersection(&told).count();
        both > 0 && 4 * both >= QUARTERS * ended.len()
    };
    clauses.into_iter().any(is_of_it) && !tells_end(earlier)
}

fn place_of_end(sentence: &str) -> Option<usize> {
    let said = plain_words(sentence);
    let is_pair = |at: usize| {
        let behind = said.get(at + 1..).unwrap_or_default();
        let is_second = |second: &str| behind.iter().take(APART).any(|word| word == second);
        TOGETHER.iter().any(|(first, second)| said.get(at).is_some_and(|word| word == first) && is_second(second))
    };
    (0..said.len()).find(|at| said.get(*at).is_some_and(|word| is_listed(ENDED, word)) || is_pair(*at))
}

/// The stems of the words that say what a sentence is about.
fn things(sentence: &str) -> BTreeSet<String> {
    let is_thing = |word: &String| {
        let plain = folded(word);
        !is_filler(word) && !is_listed(ENDED, &plain) && !is_listed(BESIDE, &plain) && !is_grammar(&plain)
    };
    words(sentence).filter(is_thing).map(|word| stem_of(&word)).collect()
}

/// Short words of German and French that no stem is worth.
fn is_grammar(word: &str) -> bool {
    const WORDS: &str = "a au aux d l n das de dem den der des die du ein eine en est et für fur ist kein keine la le les ne nicht par pour sind \
         sont und une von werden wird wurde wurden";
    is_listed(WORDS, word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EM-01: what a later sentence ends is what an earlier one told.
    #[test]
    fn em_01_what_is_ended_is_known() {
        for (earlier, later, is_ended) in [
            ("Added support for MySQL databases.", "Removed support for MySQL.", true),
            ("Added support for MySQL databases.", "MySQL is no longer supported.", true),
            ("Added support for MySQL databases.", "Dropped MySQL, which nobody used.", true),
            ("Dark mode in the editor", "Removed the dark mode", true),
            ("MySQL wird unterstützt.", "MySQL wird nicht mehr unterstützt.", true),
            ("Unterstützung für MySQL", "Unterstützung für MySQL entfernt", true),
            ("Prise en charge de MySQL", "MySQL n'est plus pris en charge.", true),
            ("MySQL est pris en charge.", "MySQL n'est plus pris en charge.", true),
            ("Added support for MySQL databases.", "Removed support for Windows.", false),
            ("Added support for MySQL.", "Dropped MySQL 5.5.", false),
            ("Added support for Windows 7.", "Removed support for Windows 8.", false),
            ("Added support for MySQL.", "Removed a crash on start, MySQL works again.", false),
            ("Added support for MySQL.", "Support was removed.", false),
            ("Added support for MySQL.", "Improved support for MySQL.", false),
            ("Removed MySQL.", "Removed MySQL.", false),
            ("", "", false),
        ] {
            assert_eq!(ends(later, earlier), is_ended, "{earlier} {later}");
        }
        for (sentence, tells) in [
            ("The pool no longer opens on Mondays.", true),
            ("Die Kasse ist nicht mehr offen.", true),
            ("La caisse ne ferme plus.", true),
            ("It takes no more than a day.", false),
            ("Nicht immer mehr.", true),
            ("The default port is 80.", false),
        ] {
            assert_eq!(tells_end(sentence), tells, "{sentence}");
        }
    }
}
