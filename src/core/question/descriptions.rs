//! Words of a question that describe the one thing it speaks of: `the nested PCR`, `beim Hochwasser`. What is told of another one lacks them.

use crate::core::base::rows::is_listed;
use crate::core::language::detect::is_of_grammar;
use crate::core::language::stems::alike;
use crate::core::language::words::{is_filler, places};

/// What stands before a thing that is known, in English, French, Italian, Portuguese and Spanish.
const DEFINITE: &str = "au aux del du el il la las le les los the";
/// The same in German, where nouns are told from what else stands there by their capital letters.
const GERMAN: &str = "am beim das dem den der des die im ins vom zum zur";
/// What joins something to what it is of: `the cause of the fire` may be told without the word.
const OF: &str = "d da de del der des di du of vom von";
/// Words that tell no thing from its like, beside those of grammar.
const LOOSE: &str = "again against between currently during ever last least most new next now often once per previous \
     since still then through today tomorrow until usually while within yesterday yet";

/// A word that describes, in lower case, and the one behind it that it may describe.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Describing {
    pub(crate) word: String,
    pub(crate) of: Option<String>,
}

/// The first word behind each article, with those that a hyphen joins to it. Of `the checkout outage` the rest may be told in other words, and of `does
/// the output connect` it is not of the thing.
pub(crate) fn describing(question: &str) -> Vec<Describing> {
    let mut found = Vec::new();
    // The words behind an article, and whether each is joined to the one before it.
    let mut run: Vec<(String, bool)> = Vec::new();
    let mut open: Option<Article> = None;
    let mut end = 0;
    for place in places(question) {
        let between = question.get(end..place.start).unwrap_or_default();
        let is_apart = between.contains([',', ';', ':', '(', '?']);
        end = place.end;
        let written = question.get(place).unwrap_or_default();
        let word = written.to_lowercase();
        let goes_on = match open {
            Some(Article::German) => written.starts_with(char::is_uppercase),
            Some(Article::Other) => !ends_run(&word),
            None => false,
        };
        if goes_on && !is_apart {
            run.push((word, between == "-"));
            continue;
        }
        if is_apart || !is_listed(OF, &word) {
            close(&mut found, &mut run);
        }
        run.clear();
        open = Article::of(&word);
    }
    close(&mut found, &mut run);
    found
}

/// Whether a text speaks of the only one that there is, and not of one of several: `the database`.
pub(crate) fn is_known(text: &str, word: &str) -> bool {
    let said = || places(text).filter_map(|place| text.get(place)).map(str::to_lowercase);
    said().zip(said().skip(1)).any(|(before, said)| Article::of(&before).is_some() && alike(&said, word))
}

#[derive(Clone, Copy, Debug)]
enum Article {
    German,
    Other,
}

impl Article {
    fn of(word: &str) -> Option<Self> {
        match word {
            _ if is_listed(DEFINITE, word) => Some(Self::Other),
            _ if is_listed(GERMAN, word) => Some(Self::German),
            _ => None,
        }
    }
}

fn ends_run(word: &str) -> bool {
    let is_superlative = word.len() > 4 && word.ends_with("est");
    is_superlative || is_filler(word) || is_of_grammar(word) || is_listed(LOOSE, word)
}

fn close(found: &mut Vec<Describing>, run: &mut Vec<(String, bool)>) {
    let count = 1 + run.iter().skip(1).take_while(|(_, is_joined)| *is_joined).count();
    let of = run.get(count).map(|(word, _)| word.clone());
    found.extend(run.drain(..).take(count).map(|(word, _)| Describing { word, of: of.clone() }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_the_only_one_is_known() {
        assert!(is_known("The backup of the Databases runs.", "database"));
        assert!(!is_known("Every customer database, each database, the old database.", "database"));
    }

    #[test]
    fn em_01_things_that_are_known_are_described() {
        for (question, expected) in [
            ("How many cycles does the nested PCR have?", &["nested pcr"][..]),
            ("Who painted the ceiling of room 6?", &[]),
            ("Who painted the ceiling?", &["ceiling"]),
            ("What is the dilution of the anti-histone antibody?", &["anti antibody", "histone antibody"]),
            ("When was the plate reader bought?", &["plate reader"]),
            ("What was the cause of the checkout outage in July?", &["checkout outage"]),
            ("What happens when the pump fails, and who repairs the spare one?", &["pump fails", "spare"]),
            ("Is the library now open, and the longest queue?", &["library"]),
            ("Wie hoch ist der Schaden beim Hochwasser?", &["schaden", "hochwasser"]),
            ("Wann wird die Tonne abgeholt?", &["tonne"]),
            ("À quelle heure est servi le petit déjeuner ?", &["petit déjeuner"]),
            ("Les détecteurs de métaux sont-ils autorisés ?", &[]),
            ("How did Duncan die?", &[]),
            ("Which company was awarded a contract?", &[]),
            ("", &[]),
        ] {
            let joined = |one: Describing| format!("{} {}", one.word, one.of.unwrap_or_default()).trim().to_owned();
            let found: Vec<String> = describing(question).into_iter().map(joined).collect();
            assert_eq!(found, expected, "{question}");
        }
    }
}
