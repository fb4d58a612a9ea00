//! The names of a question, told from its nouns.
//!
//! A capital letter is that of a name, but in German every noun has one: there a word is none that stands behind an article or a word like it.

use crate::core::base::rows::{is_listed, listed};
use crate::core::language::detect::{Language, is_german};
use crate::core::language::fold::folded;
use crate::core::language::words::names;

/// German words that a noun follows, without accents; others of their forms are made by the endings.
const DETERMINING: &str = "am ans aufs beim das dem den der des die im ins viel viele vielen vom wieviel wieviele zum \
     zur";
const STEMS: &str = "dein dies ein euer ihr jed kein mein sein unser welch";
const ENDINGS: &[&str] = &["", "e", "em", "en", "er", "es"];

/// The words of a question as they are written, and whether each looks like a name.
pub(crate) fn names_of_question(question: &str) -> Vec<(&str, bool)> {
    let mut said: Vec<(&str, bool)> = names(question).collect();
    if is_german(question) {
        let mut is_determined = false;
        for (word, is_name) in &mut said {
            let plain = folded(word);
            if word.starts_with(char::is_uppercase) {
                *is_name &= !is_determined || word.chars().skip(1).any(|c| c.is_uppercase() || c.is_numeric());
                is_determined = false;
            } else if is_determining(&plain) {
                is_determined = true;
            } else if Language::German.is_function_word(&plain) {
                is_determined = false;
            }
        }
    }
    said
}

/// Those that look like names.
pub(crate) fn names_only(question: &str) -> impl Iterator<Item = &str> {
    names_of_question(question).into_iter().filter(|(_, is_name)| *is_name).map(|(word, _)| word)
}

fn is_determining(word: &str) -> bool {
    let is_form = |stem: &str| word.strip_prefix(stem).is_some_and(|ending| ENDINGS.contains(&ending));
    is_listed(DETERMINING, word) || listed(STEMS).any(is_form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_german_nouns_are_no_names() {
        for (question, names) in [
            ("Wie hoch ist der Schaden beim Hochwasser?", &[][..]),
            ("Wie viele Kälber hat Alois Huber gerettet?", &["Alois", "Huber"]),
            ("Wann wurde die neue Pumpe in Oberlohe geliefert?", &["Oberlohe"]),
            ("Wie heißt der Fahrer des LF20 in unserem Gerätehaus?", &["LF20"]),
            ("Was kostet eine Flasche Riesling?", &["Riesling"]),
            ("Who is the Captain of the Otter?", &["Captain", "Otter"]),
            ("", &[]),
        ] {
            let found: Vec<&str> = names_only(question).collect();
            assert_eq!(found, names, "{question}");
        }
    }
}
