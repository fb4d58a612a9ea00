//! Who does something: the nouns of the verbs of a question that asks for a person.
//!
//! `Who teaches Tai Chi?` is answered by a table with a column `Teacher`, which has no form of the verb. A noun is made of a verb by its spelling
//! alone, so only where somebody is asked for and the word is a verb by its form or its place: `numb` makes no `number`.

use super::fold::plain;
use super::stems::regular;
use super::words::{is_filler, names};

/// Words that ask for a person.
const ASKING: &[&str] = &["who", "whom", "whose"];
/// What stands between such a word and the verb: `who can repair it`.
const AUXILIARIES: &[&str] = &[
    "can", "could", "did", "do", "does", "has", "have", "is", "may", "might", "must", "shall", "should", "to",
    "usually", "was", "were", "will", "would",
];
/// The shortest verb, in the form that the question has.
const SHORTEST: usize = 4;
/// Words that end as such nouns do and name nobody: `letting` is not what a `letter` does.
const NOBODY: &[&str] = &[
    "barber", "batter", "better", "butter", "center", "charter", "corner", "cover", "dinner", "ladder", "later",
    "latter", "letter", "liver", "master", "matter", "meter", "number", "offer", "order", "paper", "power", "quarter",
    "rather", "summer", "tower", "water", "winter",
];

/// The verbs of a question that asks for a person, as they are written, each with the nouns of those who do it.
pub(crate) fn doers(question: &str) -> Vec<(&str, Vec<String>)> {
    let said: Vec<(&str, String, bool)> = names(question).map(|(word, is_name)| (word, plain(word), is_name)).collect();
    let mut is_behind_asking = false;
    let mut asks = false;
    let mut found = Vec::new();
    for (word, plain, is_name) in &said {
        if ASKING.contains(&plain.as_str()) {
            // Behind `whose` stands what is owned.
            (is_behind_asking, asks) = (plain != "whose", true);
            continue;
        }
        if AUXILIARIES.contains(&plain.as_str()) {
            continue;
        }
        let nouns = if *is_name || is_filler(plain) { Vec::new() } else { nouns_of(plain, is_behind_asking) };
        is_behind_asking = false;
        if !nouns.is_empty() {
            found.push((*word, nouns));
        }
    }
    if asks { found } else { Vec::new() }
}

/// The nouns of a word that is a verb: by its form, or by its place whatever its form is.
fn nouns_of(word: &str, is_verb: bool) -> Vec<String> {
    let base = match regular(word) {
        Some(base) => base.to_owned(),
        None if word.len() < SHORTEST || !word.is_ascii() => return Vec::new(),
        None => match without_ending(word) {
            Some(base) => base,
            None if is_verb => word.to_owned(),
            None => return Vec::new(),
        },
    };
    let bare = base.strip_suffix('e').unwrap_or(&base);
    let er = match base.strip_suffix('y').filter(|rest| !rest.ends_with(['a', 'e', 'o', 'u'])) {
        Some(rest) => format!("{rest}ier"),
        None => format!("{bare}er"),
    };
    // `run` and `plan` have their last letter twice.
    let doubled = doubled(&base).map(|base| format!("{base}er"));
    let all = [Some(er), doubled, Some(format!("{bare}or"))].into_iter().flatten();
    all.filter(|noun| !NOBODY.contains(&noun.as_str()) && noun != word).collect()
}

/// What is left of a form of a verb that has an ending, as far as a noun is made of it.
fn without_ending(word: &str) -> Option<String> {
    let is_long = |rest: &&str| rest.len() >= SHORTEST - 1;
    let of_y = ["ies", "ied"].iter().find_map(|ending| word.strip_suffix(ending)).filter(is_long);
    if let Some(rest) = of_y {
        return Some(format!("{rest}y"));
    }
    let rest = ["ing", "ed"].iter().find_map(|ending| word.strip_suffix(ending)).filter(is_long);
    let rest = rest.or_else(|| word.strip_suffix('s').filter(|rest| !rest.ends_with(['s', 'u', 'i'])));
    rest.filter(is_long).map(str::to_owned)
}

/// A short verb with its last letter twice: one vowel before one consonant.
fn doubled(base: &str) -> Option<String> {
    let is_vowel = |c: char| "aeiou".contains(c);
    let mut last = base.chars().rev();
    let (end, vowel, before) = (last.next()?, last.next()?, last.next()?);
    let doubles = !is_vowel(end) && !"wxy".contains(end) && is_vowel(vowel) && !is_vowel(before);
    doubles.then(|| format!("{base}{end}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-02: the noun of who does it is found where somebody is asked for, and no word that only ends like it.
    #[test]
    fn verbs_have_nouns_of_those_who_do_it() {
        for (question, noun) in [
            ("Who teaches Tai Chi?", "teacher"),
            ("Who taught Tai Chi?", "teacher"),
            ("Who can teach Tai Chi?", "teacher"),
            ("By whom is the under-12 team trained?", "trainer"),
            ("Who owns the boat?", "owner"),
            ("Who supplies the flour?", "supplier"),
            ("Who supplied the flour?", "supplier"),
            ("Who drives the bus on Monday?", "driver"),
            ("Who is driving the bus?", "driver"),
            ("Who drove the bus?", "driver"),
            ("Who directed the play?", "director"),
            ("Who operates the crane?", "operator"),
            ("Who plans the trip?", "planner"),
            ("Who won the cup?", "winner"),
            ("Whose firm repairs roofs?", "repairer"),
        ] {
            let found = doers(question);
            assert!(found.iter().any(|(_, nouns)| nouns.iter().any(|known| known == noun)), "{question} {found:?}");
        }
        let friends = ["number", "corner", "offer", "letter", "master", "paper", "liver"];
        for question in [
            "Who has numb fingers?",
            "Who grows corn and pap?",
            "Who is off on Monday?",
            "Who let the flat?",
            "Who lets the flat?",
            "Who is letting the flat?",
            "Who numbs the mast?",
            "Who lives in the house?",
            "Who offs it?",
        ] {
            let found = doers(question);
            let is_friend = |noun: &String| friends.contains(&noun.as_str());
            assert!(!found.iter().any(|(_, nouns)| nouns.iter().any(is_friend)), "{question} {found:?}");
        }
        for question in ["What teaches us that?", "Where is Anna?", "Who is Anna Teaches?", "Who?", ""] {
            assert_eq!(doers(question), [], "{question}");
        }
    }
}
