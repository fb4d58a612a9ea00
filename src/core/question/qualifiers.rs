//! Words of a question that say of which one it asks: `backups of search`, `permits for patients`. An answer that leaves them out speaks of
//! another one.

use crate::core::base::rows::is_listed;
use crate::core::language::words::{is_filler, places};

/// Words in front of what tells one from its like, in English, German, French, Italian, Portuguese and Spanish. `to` is not among them, for it
/// mostly stands before a verb.
const BEFORE: &str = "about am at aus bei beim by con da dans de del der des di du during en for from für im in mit of \
     ohne on para per por pour under vom von with without zum zur";
/// Articles and their like, behind which it still comes.
const BETWEEN: &str = "a all an any das de dem den der die each ein eine einem einen einer el every il la las le les \
     lo los my our the their un una une your";

/// The words, in lower case: the first behind each preposition, with the names and numbers that go on with it.
pub(crate) fn qualifiers(question: &str) -> Vec<String> {
    let mut found = Vec::new();
    // Whether a preposition was read, and whether a word that it is before.
    let (mut is_open, mut has_word) = (false, false);
    let mut end = 0;
    for place in places(question) {
        let is_apart =
            question.get(end..place.start).is_some_and(|between| between.contains([',', ';', ':', '(', '?']));
        end = place.end;
        let written = question.get(place).unwrap_or_default();
        let goes_on = written.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        let word = written.to_lowercase();
        let is = |row| is_listed(row, &word);
        is_open &= !is_apart;
        if is(BEFORE) && !(is_open && is(BETWEEN)) {
            (is_open, has_word) = (true, false);
        } else if is_open && !has_word && is(BETWEEN) {
            // It comes behind it.
        } else if is_open && !is_filler(&word) && (!has_word || goes_on) {
            has_word = true;
            found.push(word);
        } else {
            is_open = false;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_qualifiers_stand_behind_prepositions() {
        for (question, expected) in [
            ("How long are backups of search kept?", &["search"][..]),
            ("How much do parking permits cost for patients?", &["patients"]),
            ("Who replaced the seal of the autoclave in room 17?", &["autoclave", "room", "17"]),
            ("How often does the agent send a heartbeat?", &[]),
            ("On what day are sharps collected?", &[]),
            ("Wie hoch ist die Miete für die Wohnung von Ewa?", &["wohnung", "ewa"]),
            ("When, in March, is it open?", &["march"]),
        ] {
            assert_eq!(qualifiers(question), expected, "{question}");
        }
    }
}
