//! Signs that a sentence may tell a reason. Reasons come in many forms, most of which have no word of their own; where there is no sign at all, a sentence
//! only tells that something is so.

use std::collections::BTreeSet;

use crate::core::language::fold::folded;
use crate::core::language::words::{informative, is_listed, runs, words};

/// Words that hardly stand where no reason is told, in lower case and without accents.
const PLAIN: &str = "accordingly avoid avoided avoiding avoids because cause caused causes causing consequence consequently due ensure ensures ensuring explains hence \
     lest otherwise owing prevent prevented preventing prevents purpose reason reasons result results thanks therefore thus why \
     aufgrund ausgelost bewirkt daher damit darum denn deshalb deswegen folge folglich grund grunde grunden infolge mangels namlich sodass somit sonst \
     ursache ursachen verhindern verhindert vermeiden vermeidet verursacht warum wegen weil weshalb zweck zwecks \
     afin car cause causes consequence consequent donc empeche empecher evite eviter faute grace parce pourquoi provoque puisque raison raisons sinon";
/// Words that may join a reason to what it is of.
const JOINING: &str = "after against as by during following for given if since so through under until unless when whenever where which while without would \
     als bei beim bis da dadurch durch falls fur gegen nach ob obwohl ohne seit so sobald solange trotz um unter vor wahrend wenn zu zum zur \
     alors apres comme contre depuis lors lorsque malgre pour quand sans sauf selon si sous vu";
/// What does so in several words.
const PHRASES: [&str; 9] = [
    "on account of",
    "in view of",
    "in light of",
    "in protest",
    "auf grund",
    "auf anordnung",
    "auf beschluss",
    "sur decision",
    "sur ordre",
];
/// Words of what something is good for.
const SERVING: &str = "allow allowing allows help helping helps keep keeping keeps lead leading leads led let lets made make makes making mean means need needs protect \
     protecting protects reduce reduces reducing require required requires save saves saving spare spares \
     benotigt braucht erforderlich ermoglicht fuhrt notig notwendig schont schutz schutzt spart verlangt vorgeschrieben \
     exige garde necessaire permet permettre protege proteger reduit";
/// Words of what goes wrong, which is told as the reason of what comes of it, and those that deny; before or behind what is asked about.
const WRONG: &str = "accident bad blocked broke broken cold complained complaint complaints cracked damage damaged danger dangerous dry empty error exceeded faulty fire flood flooded frost frozen full had \
     hot ice ill illegal lack lacks late law leak leaked leaking leaks loose lost missing never no none not nobody nothing old only overheated overheats repair repairs risk \
     safety short shortage shut sick snow still storm strike theft too unsafe weak wet worn wrong \
     alt brand defekt defekte eis fehlen fehlt fehlte feuer frost gefahr gefahrlich gesetz hatte hatten kalt kaputt kein keine keiner krank leck leer nass nicht nie niemand nur risiko \
     schaden schnee sturm uberhitzt verboten verloren verschlissen verstopft voll zu \
     aucun aucune avait avaient casse casses danger dangereux fuite gel incendie interdit jamais malade manque ni panne pas personne plein risque trop use usee vide";
/// How a sentence begins that says of the one before what it is for.
const POINTING: &str = "that then these this those dann das dies diese dieser dieses so alors cela ceci cette ce";
/// Behind these words, `to` belongs to them.
const WITH_TO: &str = "able according access allowed belongs close due get got had has have kept need needs next ought required similar subject up used wants";
const ARTICLES: &str = "a an each every her his its my our that the their these this those your";
/// Words that stand before a figure where something depends on it: `stops at 4 bar`.
const AT: &str = "ab above at au below beyond bei exceeds from over uber under unter";
const NUMBERS: &str = "one two three four five six seven eight nine ten eleven twelve \
     ein eine einen zwei drei vier funf sechs sieben acht neun zehn elf zwolf \
     un une deux trois quatre cinq six sept huit neuf dix";
/// With more words that the question does not have, a sentence says more than that it is so.
const NEW_WORDS: usize = 6;

/// Whether a text has a word that hardly stands where no reason is told.
pub(crate) fn tells_plainly(text: &str) -> bool {
    words(text).any(|word| is_listed(PLAIN, &folded(&word)))
}

/// Words at the beginning of a sentence among which one tells that it goes on with a reason of what was said before.
const BEGINNING: usize = 4;

/// Whether a sentence of another paragraph begins as a reason does: `The reason is`, `That is why`, `Grund dafür ist`.
pub(crate) fn may_begin_with_reason(sentence: &str) -> bool {
    let first: Vec<String> = words(sentence).take(BEGINNING).map(|word| folded(&word)).collect();
    first.iter().any(|word| is_listed(PLAIN, word)) || points(sentence)
}

/// Whether a sentence begins with a word that stands for what was said before; before a noun of German `das` is an article.
fn points(sentence: &str) -> bool {
    let mut said = runs(sentence).filter_map(|place| sentence.get(place));
    let first = said.next().map(folded).unwrap_or_default();
    let is_article = first == "das" && said.next().is_some_and(|next| next.starts_with(char::is_uppercase));
    is_listed(POINTING, &first) && !is_article
}

/// Whether a sentence that says what is asked about may tell its reason, too.
pub(crate) fn may_tell_its_own(question: &str, sentence: &str) -> bool {
    let asked: BTreeSet<String> = words(question).map(|word| folded(&word)).collect();
    let new = informative(sentence).into_iter().filter(|word| !asked.contains(&folded(word))).count();
    new > NEW_WORDS || has_signs(sentence) || has_joint(sentence, &asked)
}

/// Whether a sentence beside it may.
pub(crate) fn may_tell_of_another(sentence: &str) -> bool {
    let is_wrong = || words(sentence).any(|word| is_listed(WRONG, &folded(&word)) || word == "n't" || word == "t");
    points(sentence)
        || has_signs(sentence)
        || has_joint(sentence, &BTreeSet::new())
        || is_wrong()
        || words(sentence).any(|word| is_imperfect(&folded(&word)))
}

/// Whether a word of French may say what was so while something happened: `Le toit fuyait.`
fn is_imperfect(word: &str) -> bool {
    word.len() > "fait".len() && (word.ends_with("ait") || word.ends_with("aient"))
}

/// Signs between parts of a sentence of which one may be the reason of the other.
fn has_signs(sentence: &str) -> bool {
    let said = sentence.trim_end_matches(['.', ':', ' ', '\n']);
    let plain = folded(said);
    [": ", "; ", " – ", " — ", " - ", " (", "—"].iter().any(|sign| said.contains(sign))
        || PHRASES.iter().any(|phrase| plain.contains(phrase))
}

/// Whether a word that is not among these joins something to the sentence that may be its reason.
fn has_joint(sentence: &str, but: &BTreeSet<String>) -> bool {
    let written: Vec<&str> = runs(sentence).filter_map(|place| sentence.get(place)).collect();
    let plain: Vec<String> = written.iter().map(|word| folded(word)).collect();
    let word = |at: usize| plain.get(at).map(String::as_str).unwrap_or_default();
    let is_figure = |at: usize| word(at).starts_with(|c: char| c.is_ascii_digit());
    let is_counted = |at: usize| is_figure(at) || is_listed(NUMBERS, word(at));
    let is_name = |at: usize| written.get(at).is_some_and(|word| word.starts_with(char::is_uppercase));
    let is_purpose = |at: usize| {
        let is_behind = at.checked_sub(1).is_some_and(|before| is_listed(WITH_TO, word(before)));
        !is_behind && !is_counted(at + 1) && !is_name(at + 1) && !is_listed(ARTICLES, word(at + 1))
    };
    (0..plain.len()).filter(|at| !but.contains(word(*at))).any(|at| match word(at) {
        "to" => at + 1 < plain.len() && is_purpose(at),
        joint if is_listed(JOINING, joint) => {
            !is_counted(at + 1) || (is_listed(AT, joint) && !but.contains(word(at + 1)))
        }
        joint if is_listed(AT, joint) => is_figure(at + 1) && !but.contains(word(at + 1)),
        joint => is_listed(SERVING, joint),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_what_may_be_a_reason_is_not_denied() {
        for (question, sentence, may) in [
            ("Why is the archive locked on Fridays?", "The archive is locked on Fridays.", false),
            ("Why is the archive locked on Fridays?", "The archive is locked on Fridays to keep it dry.", true),
            ("Why is the archive locked on Fridays?", "The archive is locked on Fridays for cleaning.", true),
            ("Why is the archive locked?", "The archive is locked: it is cleaned.", true),
            ("Why is the archive locked?", "The archive is locked from 22:00 to 6:00 and on Sundays.", true),
            ("Why is the archive locked?", "The archive is locked when it rains.", true),
            ("Why was the meeting moved to Thursday?", "The meeting was moved to Thursday.", false),
            ("Why are invoices kept for ten years?", "Invoices are kept for ten years in the archive.", false),
            ("Why do visitors have to wear helmets?", "Visitors have to wear helmets in hall 3.", false),
            ("Why does the pump stop?", "The pump stops at 4 bar.", true),
            ("Warum ist das Archiv freitags zu?", "Das Archiv ist freitags zu.", false),
            ("Warum ist das Archiv geschlossen?", "Das Archiv ist zum Schutz der Karten geschlossen.", true),
            ("Pourquoi la salle est-elle fermée le lundi ?", "La salle est fermée le lundi.", false),
            ("Pourquoi la salle est-elle fermée ?", "La salle est fermée pour travaux.", true),
            ("Pourquoi la salle est-elle fermée ?", "La salle est fermée sur décision du maire.", true),
            ("Why was the trip cancelled?", "The trip was cancelled on account of the strike.", true),
        ] {
            assert_eq!(may_tell_its_own(question, sentence), may, "{sentence}");
        }
        for (sentence, may) in [
            ("This keeps the maps dry.", true),
            ("The key was lost.", true),
            ("The lamp does not work.", true),
            ("It holds 400 boxes.", false),
            ("Tickets cost 5 euros.", false),
            ("Die Kartons sind nass.", true),
            ("Il y a 400 boîtes.", false),
            ("Dann macht sie Hausbesuche.", true),
            ("Das Becken hat 4 Bahnen.", false),
            ("Das hält die Karten trocken.", true),
            ("Le toit fuyait.", true),
            ("Le toit est rouge.", false),
        ] {
            assert_eq!(may_tell_of_another(sentence), may, "{sentence}");
        }
        assert!(tells_plainly("It is so because it is.") && tells_plainly("weil") && !tells_plainly("It is so."));
    }
}
