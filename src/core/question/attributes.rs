//! What is asked of a thing: `the asset number` of `What is the asset number of the floor polisher?` A passage on the thing that never says it does not
//! answer.

use crate::core::language::fold::folded;
use crate::core::language::words::{is_filler, is_listed, runs};

/// How such a question begins: what asks, what it says, and the article. Between the first two may stand a word that asks for a figure: `how high`.
const BEGINNINGS: [(&str, &str, &str); 3] = [
    ("how what when where which who", "are is was were", "the"),
    ("quel quelle quelles quels qui", "est etaient etait sont", "l la le les"),
    ("wann was welche welcher welches wer wie wo", "heisst ist lautet lauten sind war waren", "das der die"),
];
/// What asks for a figure together with the word behind it.
const MEASURING: &str = "how wie";
/// What stands behind it, before the thing.
const BEHIND: &str = "at au auf aux bei beim chez d de der des du for from im in of on pour sur von vom zum zur";
/// Words that an answer seldom has: it says the name and not that it is one, and of a son that he has parents.
const UNSAID: &str = "address adresse age amount anzahl aufgabe betreff brother but cause child children color colour cost couleur cout date daughter day \
     difference duree eltern enfants farbe father fille fils first function goal grund husband kinder last least length main maximum meaning \
     mere minimum most mother mutter name nom nombre number numero nummer order parents pere place preis price prix purpose raison reason \
     result role sister size sohn son state status sum synonym tag temps theme time title titre tochter total type unit use value vater wife \
     year zeit ziel zweck";
/// No attribute has more words.
const MOST_WORDS: usize = 4;

/// The words of the attribute that a question asks for, in lower case; none where it asks otherwise, or for what is seldom said.
pub(crate) fn asked_attribute(question: &str) -> Vec<String> {
    let written: Vec<&str> = runs(question).filter_map(|place| question.get(place)).collect();
    let said: Vec<String> = written.iter().map(|word| folded(word)).collect();
    let word = |at: usize| said.get(at).map(String::as_str).unwrap_or_default();
    let begins = |(asks, is, article): &(&str, &str, &str)| {
        let says = if is_listed(MEASURING, word(0)) && !is_listed(is, word(1)) { 2 } else { 1 };
        let is_such = is_listed(asks, word(0)) && is_listed(is, word(says)) && is_listed(article, word(says + 1));
        is_such.then_some(says + 2)
    };
    let Some(begin) = BEGINNINGS.iter().find_map(begins) else { return Vec::new() };
    let Some(end) = (begin..=begin + MOST_WORDS).find(|at| is_listed(BEHIND, word(*at))) else { return Vec::new() };
    let attribute = written.get(begin..end).unwrap_or_default().iter().zip(said.get(begin..end).unwrap_or_default());
    let telling = attribute.filter(|(_, plain)| !is_filler(plain) && !is_listed(UNSAID, plain));
    telling.map(|(word, _)| word.to_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_attributes_of_things_are_known() {
        for (question, attribute) in [
            ("What is the asset number of the floor polisher?", &["asset"][..]),
            ("Who is the caretaker of the Methodist hall?", &["caretaker"]),
            ("What was the notice period in the contract?", &["notice", "period"]),
            ("What is the name of the cat in Flat 1?", &[]),
            ("What is the date of the meeting?", &[]),
            ("What is the capital?", &[]),
            ("Quelle est la tolérance de la vitrine ?", &["tolérance"]),
            ("Qui est le contact chez Cacao Barry ?", &["contact"]),
            ("Wie lautet das Aktenzeichen der Polizei?", &["aktenzeichen"]),
            ("Where is the asset number of it?", &["asset"]),
            ("How much is the monthly rent of hall 7?", &["monthly", "rent"]),
            ("How long is the shelf life of Rinsol 40?", &["shelf", "life"]),
            ("Wie hoch ist die Kaution der Halle 7?", &["kaution"]),
            ("How is the weather?", &[]),
            ("How much does the rent of it cost?", &[]),
            ("", &[]),
        ] {
            assert_eq!(asked_attribute(question), attribute, "{question}");
        }
    }
}
