//! Words of a question that only carry it and that no answer has: `who has got the key`, `wo befindet sich der Schlüssel`, `le montant de la redevance`.

use crate::core::base::rows::is_listed;
use crate::core::language::fold::folded;
use crate::core::language::words::runs;
use crate::core::question::labels::Label;

/// Such words, without accents.
const LIGHT: &str =
    "befand befanden befinden befindet gehoren gehort gehorte got montant pro zustandig zustandige zustandigen";
/// Verbs that ask what is to be done where something is wrong, and say nothing of it: `how do I fix a jammed locker`.
const MENDING: &str = "fix mend remedy solve troubleshoot behebe beheben behebt depanner remedier";
/// Verbs that say of a setting that it is one, and what stands before them: `which setting sets the timeout`.
const SETTING: &str = "controls determines defines sets";
const SETTINGS: &str = "directive field flag key option parameter property setting variable what which";

/// Those of a question, folded.
pub(crate) fn light_words(question: &str) -> Vec<String> {
    let said: Vec<String> = runs(question).filter_map(|place| question.get(place)).map(folded).collect();
    let before = std::iter::once("").chain(said.iter().map(String::as_str));
    let asks_for_remedy = Label::asked(question) == Some(Label::Remedy);
    let is_light = |(before, word): &(&str, &String)| {
        is_listed(LIGHT, word)
            || (asks_for_remedy && is_listed(MENDING, word))
            || (is_listed(SETTING, word) && is_listed(SETTINGS, before))
    };
    before.zip(&said).filter(is_light).map(|(_, word)| word.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lb_02_words_that_only_carry_a_question_are_known() {
        for (question, light) in [
            ("Who has got the key?", &["got"][..]),
            ("Wo befindet sich der Schlüssel?", &["befindet"]),
            ("Wer ist für die Prüfung zuständig?", &["zustandig"]),
            ("Quel est le montant de la redevance ?", &["montant"]),
            ("Which setting sets the pool timeout?", &["sets"]),
            ("How do I fix a jammed locker?", &["fix"]),
            ("Which fix was made?", &[]),
            ("How many sets are there?", &[]),
            ("", &[]),
        ] {
            assert_eq!(light_words(question), light, "{question}");
        }
    }
}
