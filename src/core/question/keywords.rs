//! Questions of a few words that are no sentence: `boiler pressure Hamburg depot`. Nothing in them is said for the sake of grammar, so that each word is
//! meant, and an answer that leaves one out may be of another thing.

use crate::core::language::fold::folded;
use crate::core::language::words::{is_filler, is_listed, runs, words};
use crate::core::question::attributes::{UNSAID, is_recurring};
use crate::core::question::light::light_words;
use crate::core::question::measures::{are_keywords, measures};
use crate::core::question::prices;
use crate::core::question::things::FIGURES;

/// Words for what kind of text is looked for, or by what it can be reached, without accents: instructions do not call themselves so.
const KINDS: &str = "anleitung anleitungen bedeutung beispiel beispiele best contact definition definitions diagram docs documentation dokumentation durchwahl email extension erklarung exemple \
     emplacement exemples fax file guide guidelines hilfe horaire horaires hours howto info infos instruction instructions kontakt liste location mail manual meaning mode notes notice \
     offnungszeiten opening phone plan policies policy practice procedure procedures process processes regel regeln regles rule rules schedule schritte status \
     telefon telephone times tips topic tutorial vorgehen zeiten";
/// What figures are of, without accents: `24 m²` says no square metres.
const UNITS: &str = "euro euros heure heures kilo kilogramm liter litre litres meter meters metre metres minute minuten minutes percent prozent quadratmeter \
     seconds sekunden square uhr uhrzeit";
/// Who speaks in a sentence, however it begins: `I look for the key`.
const SPEAKERS: &str = "i ich je me mir moi my nous our us we wir";
/// Of fewer words one alone is often said otherwise.
const LEAST: usize = 3;

/// The words that such a question means, in lower case: none of a sentence, or of fewer words than tell anything apart.
pub(crate) fn asked_keywords(question: &str) -> Vec<String> {
    let written: Vec<&str> = runs(question).filter_map(|place| question.get(place)).collect();
    let plain: Vec<String> = written.iter().map(|word| folded(word)).collect();
    let is_said = plain.iter().any(|word| is_listed(SPEAKERS, word)) || question.trim_end().ends_with(['.', '!']);
    if is_said || !are_keywords(&plain) {
        return Vec::new();
    }
    let (measures, light) = (measures(question), light_words(question));
    let tells = |(word, plain): &(&&str, &String)| {
        let is_idle =
            is_filler(plain) || is_listed(UNSAID, plain) || is_listed(KINDS, plain) || is_listed(FIGURES, plain);
        let is_unit = is_listed(UNITS, plain) || is_recurring(plain);
        let is_figure = is_unit || measures.contains(*plain) || light.contains(plain) || prices::is_said(plain);
        let is_word = word.chars().all(char::is_alphabetic) && word.chars().count() >= SHORTEST;
        is_word && !is_idle && !is_figure
    };
    let telling: Vec<String> = written.iter().zip(&plain).filter(tells).map(|(word, _)| word.to_lowercase()).collect();
    let numbers = written.iter().filter(|word| word.contains(|c: char| c.is_ascii_digit())).count();
    if telling.len() + numbers >= LEAST { telling } else { Vec::new() }
}

/// Letters of the shortest word that is looked for, of one that may be a part of a longer word, and of a part of it.
const SHORTEST: usize = 3;
const WHOLE: usize = 4;
const PART: usize = 5;

/// Whether a word stands in one of these texts as a part of a longer word or the other way round: `Druck` in `Kesseldruck`, `Mietvertrag` where `Vertrag`
/// stands, `config` for `configuration`.
pub(crate) fn is_said_by_part(word: &str, texts: &[&str]) -> bool {
    let plain = folded(word);
    let is_part = |part: &str, whole: &str, least: usize| {
        part.chars().count() >= least && part.len() < whole.len() && (whole.starts_with(part) || whole.ends_with(part))
    };
    let said = texts.iter().flat_map(|text| words(text)).map(|word| folded(&word));
    said.into_iter().any(|other| is_part(&plain, &other, WHOLE) || is_part(&other, &plain, PART))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_each_word_of_a_few_is_meant() {
        for (question, expected) in [
            ("boiler pressure Hamburg depot", "boiler pressure hamburg depot"),
            ("Kesseldruck Lager Hamburg", "kesseldruck lager hamburg"),
            ("pression chaudière dépôt", "pression chaudière dépôt"),
            ("tractor cost Medibed per day", ""),
            ("opening hours museum Hamburg winter", "museum hamburg winter"),
            ("backup policy", ""),
            ("Laube Größe Garten Quadratmeter", "laube größe garten"),
            ("forklift licence 2026 renewal", "forklift licence renewal"),
            ("What is the pressure of the boiler in Hamburg?", ""),
            ("I look for the pressure of the boiler", ""),
            ("The boiler of the depot leaks.", ""),
            ("", ""),
        ] {
            assert_eq!(asked_keywords(question).join(" "), expected, "{question}");
        }
    }

    #[test]
    fn em_01_parts_of_words_say_them() {
        for (word, text, is_said) in [
            ("Druck", "Der Kesseldruck beträgt 2 bar.", true),
            ("Mietvertrag", "Der Vertrag endet im Mai.", true),
            ("config", "The configuration is read once.", true),
            ("Hamburg", "The depot in Bremen has a boiler.", false),
            ("car", "A carpet was laid.", false),
            ("boiler", "", false),
        ] {
            assert_eq!(is_said_by_part(word, &[text]), is_said, "{word}: {text}");
        }
    }
}
