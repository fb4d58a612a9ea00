//! What is asked of a thing: `the asset number` of `What is the asset number of the floor polisher?` A passage on the thing that never says it does not
//! answer.

use std::ops::Range;

use crate::core::base::rows::{is_listed, listed};
use crate::core::language::fold::folded;
use crate::core::language::stems::alike;
use crate::core::language::words::{is_filler, runs};
use crate::core::question::present::present_words;

/// How such a question begins: what asks, what it says, and the article. Between the first two may stand a word that asks for a figure: `how high`.
const BEGINNINGS: [(&str, &str, &str); 3] = [
    ("how what when where which who", "are is was were", "the"),
    ("quel quelle quelles quels qui", "est etaient etait sont", "l la le les"),
    ("wann was welche welcher welches wer wie wo", "heisst ist lautet lauten sind war waren", "das der die"),
];
/// What asks for something that a thing has: `welche Kündigungsfrist hat der Vertrag`, `what insurance has KB-12`.
const WHICH: &str = "quel quelle quelles quels welche welchen welches what which";
const HAS: &str = "gilt hat has hatte have ont";
/// What stands before the thing then, and not before what `which` asks for by itself: `welche Maschine hat die Winde`. A name may stand there, too.
const HAVING: &str = "der dieser ein jeder our unser";
/// How such an English question ends: `what notice period does it have`.
pub(super) const DOES: &str = "did do does";
/// What asks for a figure together with the word behind it.
const MEASURING: &str = "how wie";
/// What stands behind it, before the thing.
pub(super) const BEHIND: &str =
    "at au auf aux bei beim chez d de der des du for from im in of on pour sur von vom zum zur";
/// Words that an answer seldom has: it says the name and not that it is one, and of a son that he has parents.
pub(super) const UNSAID: &str = "address adresse age amount anzahl aufgabe betreff brother but cause child children color colour cost couleur cout date daughter day \
     difference duree eltern enfants farbe father fille fils first function goal grund husband kinder last least length main maximum meaning \
     mere minimum montant most mother mutter name nom nombre number numero nummer order parents pere place preis price prix purpose raison reason \
     result role sister size sohn son state status steps sum synonym tag temps theme time title titre tochter total type unit use value vater wife \
     year zeit ziel zweck";
/// No attribute has more words.
const MOST_WORDS: usize = 4;

/// The words of the attribute that a question asks for, in lower case; none where it asks otherwise, or for what is seldom said. A name beside others only
/// says of what it is: `the Wi-Fi password`.
pub(crate) fn asked_attribute(question: &str) -> Vec<String> {
    said_of(question, &attribute(question))
}

/// The same of what a thing is asked to have: `welche Kündigungsfrist hat der Vertrag`. The head of a table has it for all of its rows, so that it says
/// nothing of where to look.
pub(crate) fn asked_to_have(question: &str) -> Vec<String> {
    said_of(question, &had(question))
}

/// Times in which a fee or a rate comes again. The words made of them, `monthly`, stand beside many a fee that is not asked for.
const RECURRING: &str = "annee day hour jahr jour mois monat month quarter semaine stunde tag trimestre week woche \
     year";

/// Whether a word says how often something comes: `monthly`.
pub(super) fn is_recurring(word: &str) -> bool {
    listed(RECURRING).any(|time| alike(time, word))
}

/// What an attribute is without words that only say how often it comes, where it has such words: `redevance` of `la redevance mensuelle`.
pub(crate) fn head_of(attribute: &[String]) -> Vec<String> {
    let head = || attribute.iter().filter(|word| !is_recurring(word)).cloned().collect();
    if attribute.iter().any(|word| is_recurring(word)) { head() } else { Vec::new() }
}

/// How it is asked whether a thing has something: what begins the question and what stands behind the thing; a question that begins with the verb has the
/// thing behind it, in one word or as a name, and what it has behind an article.
const WHETHER: [(&str, &str); 2] = [(DOES, "have include offer provide"), ("hat has hatte haben had", "")];
/// What stands before something that a thing may have.
const ANY: &str = "a an any ein eine einen";

/// What a thing is asked to have or not, in lower case: `airyscan` of `Does LSM-B have an Airyscan?`
pub(crate) fn asked_whether_it_has(question: &str) -> Vec<String> {
    let said: Vec<(&str, String)> =
        runs(question).filter_map(|place| question.get(place)).map(|word| (word, folded(word))).collect();
    let Some((_, first)) = said.first() else { return Vec::new() };
    let verb = |verbs: &str| match verbs {
        "" => Some(0),
        _ => said.iter().position(|(_, word)| is_listed(verbs, word)),
    };
    let had = WHETHER.iter().filter(|(begins, _)| is_listed(begins, first)).find_map(|(_, verbs)| verb(verbs));
    let behind = had.and_then(|had| said.get(had + 1..)).unwrap_or_default();
    let Some(article) = behind.iter().position(|(_, word)| is_listed(ANY, word)) else { return Vec::new() };
    // Only the thing itself stands between a verb that begins the question and the article.
    let is_near = had == Some(0) || article == 0;
    let thing = behind.get(article + 1..).filter(|_| is_near).unwrap_or_default();
    let thing = thing.iter().take_while(|(_, word)| !is_listed(BEHIND, word)).take(MOST_WORDS);
    thing.filter(|(_, plain)| !is_filler(plain)).map(|(word, _)| word.to_lowercase()).collect()
}

fn said_of(question: &str, attribute: &[(&str, String)]) -> Vec<String> {
    let present = present_words(question);
    let telling = |(word, plain): &(&str, String)| {
        let is_said = !is_filler(plain) && !is_listed(UNSAID, plain) && !present.contains(plain);
        is_said.then(|| (word.to_lowercase(), word.starts_with(char::is_uppercase)))
    };
    let said: Vec<(String, bool)> = attribute.iter().filter_map(telling).collect();
    // A capital says nothing where every noun has one.
    let is_english = runs(question)
        .next()
        .and_then(|first| question.get(first))
        .is_some_and(|first| BEGINNINGS.first().is_some_and(|(asks, ..)| is_listed(asks, &folded(first))));
    let is_of_name = is_english && said.last().is_some_and(|(_, is_name)| !is_name);
    said.into_iter().filter(|(_, is_name)| !(is_of_name && *is_name)).map(|(word, _)| word).collect()
}

/// Words that an answer never needs: a numbered list does not call itself steps, and the column of a table that is called `ip` no address. What may stand
/// before each; others are missed where they are not said.
const NEVER_SAID: [(&str, &str); 2] = [("steps", ""), ("address", "email ip mac mail web")];

/// Such words of the attribute, folded.
pub(crate) fn unsaid_words(question: &str) -> Vec<String> {
    let said: Vec<String> = attribute(question).into_iter().map(|(_, plain)| plain).collect();
    let is_unsaid = |at: &usize| {
        let before = at.checked_sub(1).and_then(|before| said.get(before)).map_or("", String::as_str);
        let fits = |kinds: &str| if kinds.is_empty() { *at == 0 } else { is_listed(kinds, before) };
        NEVER_SAID.iter().any(|(word, kinds)| said.get(*at).is_some_and(|own| own == word) && fits(kinds))
    };
    (0..said.len()).filter(is_unsaid).filter_map(|at| said.get(at).cloned()).collect()
}

/// The words of the attribute as they are written, and folded.
fn attribute(question: &str) -> Vec<(&str, String)> {
    let written: Vec<&str> = runs(question).filter_map(|place| question.get(place)).collect();
    let said: Vec<String> = written.iter().map(|word| folded(word)).collect();
    let place = place_of_attribute(&said).unwrap_or_default();
    let own = said.get(place.clone()).unwrap_or_default();
    written.get(place).unwrap_or_default().iter().copied().zip(own.iter().cloned()).collect()
}

/// Where the attribute stands in the words of a question, which are folded; behind it stands one word, and then the thing that it is of.
pub(super) fn place_of_attribute(said: &[String]) -> Option<Range<usize>> {
    let word = |at: usize| said.get(at).map(String::as_str).unwrap_or_default();
    let begins = |(asks, is, article): &(&str, &str, &str)| {
        let says = if is_listed(MEASURING, word(0)) && !is_listed(is, word(1)) { 2 } else { 1 };
        let is_such = is_listed(asks, word(0)) && is_listed(is, word(says)) && is_listed(article, word(says + 1));
        is_such.then_some(says + 2)
    };
    let begin = BEGINNINGS.iter().find_map(begins)?;
    let end = (begin..=begin + MOST_WORDS).find(|at| is_listed(BEHIND, word(*at)))?;
    Some(begin..end)
}

/// The words of what a thing is asked to have, as they are written, and folded.
fn had(question: &str) -> Vec<(&str, String)> {
    let written: Vec<&str> = runs(question).filter_map(|place| question.get(place)).collect();
    let said: Vec<(&str, String)> = written.iter().map(|word| (*word, folded(word))).collect();
    let word = |at: usize| said.get(at).map(|(_, plain)| plain.as_str()).unwrap_or_default();
    let verb = (2..=MOST_WORDS).find(|at| is_listed(HAS, word(*at)) || is_listed(DOES, word(*at)));
    let Some(verb) = verb.filter(|_| is_listed(WHICH, word(0))) else { return Vec::new() };
    let is_name = written.get(verb + 1).is_some_and(|behind| behind.starts_with(char::is_uppercase));
    let ends = said.last().is_some_and(|(_, last)| is_listed(HAS, last));
    let is_had = if is_listed(DOES, word(verb)) { ends } else { is_name || is_listed(HAVING, word(verb + 1)) };
    said.get(1..verb).filter(|_| is_had).map(<[_]>::to_vec).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_what_a_thing_has_is_known() {
        for (question, attribute) in [
            ("Welche Kündigungsfrist hat der Rahmenvertrag mit Grünwerk?", &["kündigungsfrist"][..]),
            ("Welche Zahlungsfrist hat Grünwerk?", &["zahlungsfrist"]),
            ("Welche Maschine hat die Winde?", &[]),
            ("What notice period does the 2026 agreement have?", &["notice", "period"]),
            ("What insurance has KB-12?", &["insurance"]),
            ("What value does the pool timeout have?", &[]),
            ("Which machine has a winch?", &[]),
            ("Which languages does she speak?", &[]),
        ] {
            assert_eq!(asked_to_have(question), attribute, "{question}");
        }
    }

    #[test]
    fn em_01_what_an_attribute_is_and_what_a_thing_may_have_is_known() {
        for (question, head) in [
            ("Quel est le montant de la redevance ?", &[][..]),
            ("Quelle est la redevance mensuelle de la salle 7 ?", &["redevance"]),
            ("How much is the monthly rent of hall 7?", &["rent"]),
            ("Wie hoch ist die monatliche Rate der Halle 7?", &["rate"]),
            ("How much is the rent of hall 7?", &[]),
        ] {
            assert_eq!(head_of(&asked_attribute(question)), head, "{question}");
        }
        for (question, thing) in [
            ("Does LSM-B have an Airyscan?", &["airyscan"][..]),
            ("Does the annex have any fire doors to the yard?", &["fire", "doors"]),
            ("Hat die Halle 7 eine Rampe?", &["rampe"]),
            ("Has the hall a ramp?", &["ramp"]),
            ("Does the hall have 40 chairs?", &[]),
            ("Does the pump have to be oiled in a week?", &[]),
            ("Does the pump run in a cellar?", &[]),
            ("What does the hall have?", &[]),
            ("", &[]),
        ] {
            assert_eq!(asked_whether_it_has(question), thing, "{question}");
        }
    }

    #[test]
    fn em_01_attributes_of_things_are_known() {
        for (question, attribute) in [
            ("What is the asset number of the floor polisher?", &["asset"][..]),
            ("Who is the caretaker of the Methodist hall?", &["caretaker"]),
            ("What was the notice period in the contract?", &["notice", "period"]),
            ("What is the name of the cat in Flat 1?", &[]),
            ("What is the date of the meeting?", &[]),
            ("What is the capital?", &[]),
            ("How deep is the Mariana Trench near Guam in the ocean?", &["mariana", "trench", "near", "guam"]),
            ("What is the Wi-Fi password of the guest network?", &["password"]),
            ("What is the current deadline of the review?", &["deadline"]),
            ("Quelle est la tolérance de la vitrine ?", &["tolérance"]),
            ("Qui est le contact chez Cacao Barry ?", &["contact"]),
            ("Wie lautet das Aktenzeichen der Polizei?", &["aktenzeichen"]),
            ("Where is the asset number of it?", &["asset"]),
            ("How much is the monthly rent of hall 7?", &["monthly", "rent"]),
            ("How long is the shelf life of Rinsol 40?", &["shelf", "life"]),
            ("Wie hoch ist die Kaution der Halle 7?", &["kaution"]),
            ("Wie hoch ist die monatliche Rate der Halle 7?", &["monatliche", "rate"]),
            ("How is the weather?", &[]),
            ("How much does the rent of it cost?", &[]),
            ("", &[]),
        ] {
            assert_eq!(asked_attribute(question), attribute, "{question}");
        }
        assert_eq!(unsaid_words("What is the IP address of mon1?"), ["address"]);
        assert_eq!(unsaid_words("What are the steps of a failover?"), ["steps"]);
        assert!(unsaid_words("Where is the address of Ann?").is_empty());
    }
}
