//! Bounds: a question for how many there may be asks for one, and `up to 64`, `höchstens drei`, `au plus deux` tell one.

use super::figures::{YEARS, is_number};
use crate::core::base::rows::is_listed;
use crate::core::language::words::plain_words;

/// Verbs that ask, beside a figure, for what is allowed or possible, without accents.
const MAY: &str = "allowed can could may permitted \
     darf durfen erlaubt kann konnen zulassig \
     autorise peut peuvent puis";
/// Words that tell a bound by themselves.
const BOUNDS: &str = "exceed exceeding exceeds limit limitation limited limits max maximal maximum minimal minimum unlimited \
     begrenzt grenze hochstens maximale maximalen maximaler mindestens obergrenze unbegrenzt \
     depasse depasser illimite limite limites maximale minimale plafond";
/// The same in two words.
const PAIRS: &[(&str, &str)] = &[
    ("at", "most least"),
    ("up", "to"),
    ("any", "number"),
    ("bis", "zu"),
    ("au", "plus moins"),
    ("jusqu", "a au aux"),
];
/// Pairs that tell one where it must be so, or not be so: `not more than 64`.
const COMPARED: &[(&str, &str)] = &[
    ("fewer greater higher larger less longer lower more older shorter smaller", "than"),
    ("alter grosser hoher junger kleiner kurzer langer mehr weniger", "als"),
    ("moins plus", "de"),
];
const MUST: &str = "cannot denied fail fails must never no not only refused rejected should \
     abgelehnt darf durfen kein keine keinen muss mussen nicht nie nur \
     doit doivent jamais ne pas refuse refuses";
/// What stands before two numbers, of which each is one.
const BETWEEN: &str = "between zwischen entre";
/// What stands between two numbers of which the second is one: `three to eight`.
const TO: &str = "a bis oder or ou to";
/// Words between [`BETWEEN`] and the second number.
const RANGE_WORDS: usize = 6;

/// Whether a question for a figure asks for a bound.
pub(crate) fn asks_for_bound(question: &str) -> bool {
    let said = plain_words(question);
    said.iter().any(|word| is_listed(MAY, word)) || tells(&said)
}

/// Whether a sentence tells one.
pub(crate) fn tells_bound(sentence: &str) -> bool {
    tells(&plain_words(sentence))
}

fn tells(said: &[String]) -> bool {
    let is_range = |at: usize| said.iter().skip(at + 1).take(RANGE_WORDS).filter(|word| is_count(word)).count() > 1;
    let next = |at: usize| said.get(at + 1).map(String::as_str).unwrap_or_default();
    let is_of = |pairs: &[(&str, &str)], at: usize, word: &str| {
        pairs.iter().any(|(first, second)| is_listed(first, word) && is_listed(second, next(at)))
    };
    let is_from_to = |at: usize| match said.get(at..at + 3) {
        Some([from, to, until]) => is_count(from) && is_count(until) && is_listed(TO, to),
        _ => false,
    };
    let is_ruled = || said.iter().any(|word| is_listed(MUST, word));
    said.iter().enumerate().any(|(at, word)| {
        is_listed(BOUNDS, word)
            || is_of(PAIRS, at, word)
            || (is_of(COMPARED, at, word) && is_ruled())
            || (is_listed(BETWEEN, word) && is_range(at))
            || is_from_to(at)
    })
}

/// Whether a word is a number, and none that may be a year.
fn is_count(word: &str) -> bool {
    is_number(word) && !word.parse().is_ok_and(|year: u16| YEARS.contains(&year))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lb_02_bounds_are_asked_for_and_told() {
        for (question, want) in [
            ("How many tables can be used in one join?", true),
            ("How long may a name be?", true),
            ("How many people at most are let in?", true),
            ("Wie viele Gäste dürfen in die Sauna?", true),
            ("Combien d'élèves peut-on inscrire ?", true),
            ("What is the maximum size of a page?", true),
            ("How many tables does the schema have?", false),
            ("Wie viele Gäste kamen?", false),
        ] {
            assert_eq!(asks_for_bound(question), want, "{question}");
        }
        for (sentence, want) in [
            ("It does not support joins containing more than 64 tables.", true),
            ("Allow up to 64 tables in a join.", true),
            ("(x between 0 and 15)", true),
            ("Between 2019 and the end of the lease.", false),
            ("Höchstens acht Gäste.", true),
            ("Es dürfen nicht mehr als 8 Gäste hinein.", true),
            ("Jusqu'à 12 élèves par groupe.", true),
            ("Au plus 12 élèves.", true),
            ("Three to eight documents.", true),
            ("Zimmer für 2 bis 4 Gäste.", true),
            ("From 2019 to 2022 there were 30 guests.", false),
            ("It must be shorter than 8000 bytes.", true),
            ("In a join, two or more tables are combined.", false),
            ("When more than two tables are joined, the order is from left to right.", false),
            ("Acht Gäste kamen.", false),
            ("", false),
        ] {
            assert_eq!(tells_bound(sentence), want, "{sentence}");
        }
    }
}
