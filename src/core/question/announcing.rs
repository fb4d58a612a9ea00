//! Sentences that only say where something is told: `This section describes how to …`, `See … for …`. They have the words of the questions that are answered
//! there, and answer none.

use crate::core::base::rows::is_listed;
use crate::core::language::words::plain_words;

/// What such a sentence is worth beside one that tells something.
const ANNOUNCED: f32 = 0.5;

/// Parts of documents, in the singular and the plural, without accents.
const PARTS: &str = "appendices appendix article articles chapter chapters document documents guide howto manual manuals page pages section sections \
     subsection subsections tutorial tutorials \
     abschnitt abschnitte anhang anleitung dokument handbuch kapitel seite seiten unterabschnitt \
     annexe chapitre chapitres manuel sections tutoriel";
/// Words that point to such a part.
const POINTING: &str = "following next remainder rest subsequent these this \
     diese diesem dieser dieses folgende folgenden nachste nachsten ce ces cet cette prochain prochaine suivant suivante";
/// What such a part does.
const TELLING: &str = "cover covers describe describes detail details discuss discusses examine examines explain explains explore explores illustrate \
     illustrates introduce introduces outline outlines show shows summarise summarises summarize summarizes \
     behandeln behandelt beschreiben beschreibt erklaren erklart erlautern erlautert zeigen zeigt \
     decrit decrivent explique expliquent montre montrent presente presentent";
/// What is done with something there.
const TOLD: &str = "covered described detailed discussed documented explained illustrated outlined summarised summarized \
     behandelt beschrieben erklart erlautert decrit decrite decrites decrits explique expliquee expliquees expliques";
/// Where that is, without the name of a part.
const ELSEWHERE: &str = "above below earlier elsewhere later there oben unten weiter";
const BEING: &str = "are be is werden wird est sont";

/// Words from the beginning of a sentence to what points, and from there to the part and on to what it does.
const TO_POINTING: usize = 4;
const TO_PART: usize = 3;
const TO_TELLING: usize = 5;
/// Words between `is` and `described`, and from there to the place.
const TO_TOLD: usize = 2;
const TO_PLACE: usize = 6;

/// What sentences are worth to a question by whether they only say where something is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Announcing {
    is_asked: bool,
}

impl Announcing {
    pub(crate) fn of(question: &str) -> Self {
        Self { is_asked: asks_where_told(question) }
    }

    pub(crate) fn worth(self, sentence: &str) -> f32 {
        if !self.is_asked && only_announces(sentence) { ANNOUNCED } else { 1.0 }
    }
}

/// Whether a sentence only says that something is told in this or another part of the document.
fn only_announces(sentence: &str) -> bool {
    let said = plain_words(sentence);
    announces(&said) || refers(&said) || is_told_elsewhere(&said)
}

/// Whether a question asks where something is told, so that such a sentence is its answer.
fn asks_where_told(question: &str) -> bool {
    plain_words(question).iter().any(|word| is_listed(PARTS, word) || is_listed(TOLD, word))
}

/// `The rest of this chapter briefly explains …`, `It also describes how …`.
fn announces(said: &[String]) -> bool {
    let near = |from: usize, most: usize, row: &str| {
        said.iter().enumerate().skip(from).take(most).find(|(_, word)| is_listed(row, word)).map(|(at, _)| at + 1)
    };
    let of_part = || {
        let pointing = near(0, TO_POINTING, POINTING)?;
        let part = near(pointing.saturating_sub(1), TO_PART + 1, PARTS)?;
        near(part, TO_TELLING, TELLING)
    };
    let is_of_it = || {
        let behind = said.first().filter(|word| *word == "it").and_then(|_| near(1, 2, TELLING));
        behind.is_some_and(|at| said.get(at..at + 2).is_some_and(|words| words == ["how", "to"]))
    };
    of_part().is_some() || is_of_it()
}

/// `See …`, `For more on …, see …`, `Refer to …`.
fn refers(said: &[String]) -> bool {
    let word = |at: usize| said.get(at).map(String::as_str).unwrap_or_default();
    let is_referring = |at: usize| match word(at) {
        "see" | "siehe" | "voir" => true,
        "refer" => word(at + 1) == "to",
        _ => false,
    };
    let begins = usize::from(matches!(word(0), "also" | "please"));
    let is_for = word(0) == "for"
        && matches!(word(1), "a" | "additional" | "an" | "details" | "further" | "information" | "more");
    is_referring(begins) || (is_for && (1..said.len()).any(is_referring))
}

/// `How this is done is described in section 5`.
fn is_told_elsewhere(said: &[String]) -> bool {
    let told = said.iter().enumerate().filter(|(_, word)| is_listed(TOLD, word)).map(|(at, _)| at);
    told.into_iter().any(|at| {
        let before = said.get(at.saturating_sub(TO_TOLD)..at).unwrap_or_default();
        let behind = said.get(at + 1..).unwrap_or_default();
        let is_place = |word: &String| is_listed(PARTS, word) || is_listed(ELSEWHERE, word);
        before.iter().any(|word| is_listed(BEING, word)) && behind.iter().take(TO_PLACE).any(is_place)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_says_where_something_is_told_is_known() {
        for (sentence, only) in [
            ("This section describes how to install, start and leave it.", true),
            ("It also explains how to make it the default.", true),
            ("The rest of this chapter briefly discusses what may go wrong.", true),
            ("The following sections show how a key is made.", true),
            ("In this tutorial, we introduce the parts of a file.", true),
            ("For more information on keys, see the chapter on safety.", true),
            ("See also the manual of the tool.", true),
            ("Please refer to the guide for the sizes.", true),
            ("How a key is revoked is fully described in section 5.", true),
            ("The option is explained below.", true),
            ("Dieses Kapitel erklärt, wie ein Schlüssel gemacht wird.", true),
            ("Cette section décrit la sauvegarde.", true),
            ("It shows how many files were read.", false),
            ("It explains the plan to the crew.", false),
            ("Press this key and the page shows the total.", false),
            ("The next key is shown in green.", false),
            ("You can see the total above the list.", false),
            ("For each file, see that it is closed.", false),
            ("The colour is described by three numbers.", false),
            ("A page is made of sections.", false),
            ("", false),
        ] {
            assert_eq!(only_announces(sentence), only, "{sentence}");
        }
        for (question, asks) in [
            ("Where is the backup described?", true),
            ("Which section is on keys?", true),
            ("How do I make a key?", false),
        ] {
            assert_eq!(asks_where_told(question), asks, "{question}");
            let worth = Announcing::of(question).worth("See the manual of the tool.");
            assert_eq!(worth < Announcing::of(question).worth("The tool makes backups."), !asks, "{question}");
        }
    }
}
