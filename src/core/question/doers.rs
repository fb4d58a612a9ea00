//! Who does something: the nouns of the verbs of a question that asks for a person.
//!
//! `Who teaches Tai Chi?` is answered by a table with a column `Teacher`, which has no form of the verb. A noun is made of a verb by its spelling
//! alone, so only where somebody is asked for and the word is a verb by its form or its place: `numb` makes no `number`.

use crate::core::base::rows::is_listed;
use crate::core::language::fold::folded;
use crate::core::language::sentences;
use crate::core::language::stems::{alike, regular};
use crate::core::language::words::{is_filler, names, written};

/// Words that ask for a person.
const ASKING: &[&str] = &["who", "whom", "whose"];
/// What stands between such a word and the verb: `who can repair it`.
const AUXILIARIES: &str = "can could did do does has have is may might must shall should to usually was were will \
     would";
/// The shortest verb, in the form that the question has.
const SHORTEST: usize = 4;
/// Words that end as such nouns do and name nobody: `letting` is not what a `letter` does.
const NOBODY: &str = "barber batter better butter center charter corner cover dinner ladder later latter letter liver \
     master matter meter number offer order paper power quarter rather summer tower water winter";

/// The verbs of a question that asks for a person, as they are written, each with the nouns of those who do it.
pub(crate) fn doers(question: &str) -> Vec<(&str, Vec<String>)> {
    let said: Vec<(&str, String, bool)> =
        names(question).map(|(word, is_name)| (word, folded(word), is_name)).collect();
    let mut is_behind_asking = false;
    let mut asks = false;
    let mut found = Vec::new();
    for (word, plain, is_name) in &said {
        if ASKING.contains(&plain.as_str()) {
            // Behind `whose` stands what is owned.
            (is_behind_asking, asks) = (plain != "whose", true);
            continue;
        }
        if is_listed(AUXILIARIES, plain) {
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

/// What stands before a participle where something is done to somebody: `has been stolen`.
const PASSIVE: &str = "are be been being is was were";
/// Words between that and the participle, and between the participle and `by`: `was badly damaged in a storm by`.
const BEFORE_DONE: usize = 2;
const BEFORE_BY: usize = 8;

/// Whether a text says that something was done and not by whom, where that is asked: `Who stole the pump?` in `a pump has been stolen`. A full name
/// in another sentence may be of who did it.
pub(crate) fn lacks_doer(question: &str, text: &str) -> bool {
    let mut asked = written(question).map(str::to_lowercase).skip_while(|word| word != "who").skip(1).peekable();
    // `Who was elected?` asks for somebody to whom it was done.
    if asked.peek().is_none_or(|next| is_listed(PASSIVE, next)) {
        return false;
    }
    let Some(verb) = asked.find(|word| !is_listed(AUXILIARIES, word)).filter(|verb| !is_filler(verb)) else {
        return false;
    };
    let places = sentences(text);
    let sentences = || places.iter().filter_map(|place| text.get(place.clone()));
    let tells = |sentence: &&str| written(sentence).any(|word| alike(&word.to_lowercase(), &verb));
    let is_said = |sentence: &str| is_said_without_doer(&verb, sentence);
    let is_done = sentences().any(|sentence| tells(&sentence));
    is_done && sentences().filter(tells).all(is_said) && !sentences().filter(|one| !tells(one)).any(has_full_name)
}

/// Whether whatever a sentence says by a verb is done to somebody, and not by somebody.
fn is_said_without_doer(verb: &str, sentence: &str) -> bool {
    let words: Vec<&str> = written(sentence).collect();
    let said: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    // Who is named behind it may have done it: `the ladder is kept in the vestry; the key has Mr Lyle`.
    let is_named_behind = |at: usize| has_full_name(&words.get(at + 1..).unwrap_or_default().join(" "));
    let is_passive = |at: usize| {
        let before = said.get(at.saturating_sub(BEFORE_DONE + 1)..at).unwrap_or_default();
        let mut behind = said.iter().skip(at + 1).take(BEFORE_BY);
        let is_passive = before.iter().any(|word| is_listed(PASSIVE, word));
        is_passive && behind.all(|word| word != "by") && !is_named_behind(at)
    };
    let is_it = |at: &usize| said.get(*at).is_some_and(|word| alike(word, verb));
    (0..said.len()).filter(is_it).all(is_passive)
}

/// Whether two words that are written as names stand side by side.
fn has_full_name(sentence: &str) -> bool {
    let is_written: Vec<bool> = written(sentence).map(|word| word.starts_with(char::is_uppercase)).collect();
    is_written.windows(2).any(|pair| matches!(pair, [true, true]))
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
    all.filter(|noun| !is_listed(NOBODY, noun) && noun != word).collect()
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

    #[test]
    fn em_01_what_was_done_does_not_tell_by_whom() {
        for (question, text, lacks) in [
            ("Who stole the pump?", "Mr Tolland answered that a pump has been stolen.", true),
            ("Who stole the left dolphin?", "The left dolphin was stolen in 1946 and found again in Ghent.", true),
            ("Who restored the frame?", "The frame was restored by Milan Dvorak.", false),
            ("Who repaired the roof?", "The roof was carefully repaired in June by two masons.", false),
            ("Who repaired the roof?", "The roof was repaired. Contact: Ann Lee.", false),
            ("Who repaired the roof?", "Two masons repaired the roof.", false),
            ("Who keeps the key?", "The ladder is kept in the vestry; the key has the verger, Mr Lyle.", false),
            ("Who was elected?", "A new chair was elected.", false),
            ("Who may enter?", "The hall is open.", false),
            ("When was it stolen?", "It was stolen in 1946.", false),
            ("", "", false),
        ] {
            assert_eq!(lacks_doer(question, text), lacks, "{question} {text}");
        }
    }
}
