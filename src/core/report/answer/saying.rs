//! What a sentence must say to answer, beside having the words of the question: when something happens, and what holds by default.

use crate::core::base::rows::is_listed;
use crate::core::language::words::words;
use crate::core::question::labels::Label;
use crate::core::question::times::{asks_when, tells_time};
use crate::core::question::why::asks_why;

/// What joins a default to its value.
const JOINING: &str = "are is of to was ist sind";
/// Words between a default and what joins it to its value.
const REACH: usize = 4;

/// What is to be said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Saying {
    when: bool,
    default: bool,
    why: bool,
    /// It is asked in which version or edition.
    version: bool,
    /// What stands below such a label answers.
    label: Option<Label>,
}

impl Saying {
    pub(super) fn of(question: &str) -> Self {
        let said: Vec<String> = words(question).collect();
        // What is done by default is not what the default is.
        let before = std::iter::once("").chain(said.iter().map(String::as_str));
        let default = said.iter().zip(before).any(|(word, before)| is_default(word) && before != "by");
        let (when, why, version) = (asks_when(question), asks_why(question), asks_version(&said));
        Self { when, default, why, version, label: Label::asked(question) }
    }

    /// Whether a reason is asked for.
    pub(super) fn asks_why(self) -> bool {
        self.why
    }

    /// The label below which the answer stands where a text has such labels.
    pub(super) fn label(self) -> Option<Label> {
        self.label
    }

    /// Whether a default is asked for and this is the line that has nothing but one.
    pub(super) fn is_value(self, sentence: &str) -> bool {
        self.default && has_labelled_default(sentence)
    }

    /// Whether a time is asked for and a text tells one.
    pub(super) fn is_time_told(self, text: &str) -> bool {
        self.when && tells_time(text)
    }

    /// Whether it is asked in which version something was done.
    pub(super) fn asks_version(self) -> bool {
        self.version
    }

    /// Whether a sentence says all of it.
    pub(super) fn is_in(self, sentence: &str) -> bool {
        (self.when || self.default) && (!self.when || tells_time(sentence)) && (!self.default || says_default(sentence))
    }
}

/// Words behind which a version is asked for.
const WHICH: &str = "which what since welcher welche welchem seit quelle quel depuis";
const VERSION: &str = "version release edition ausgabe édition";

/// Whether a question asks in which version something was done.
fn asks_version(said: &[String]) -> bool {
    said.windows(2)
        .any(|pair| matches!(pair, [which, version] if is_listed(WHICH, which) && is_listed(VERSION, version)))
}

/// Whether a default is written with a colon or an equals sign.
fn has_labelled_default(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    ["default: ", "default:** ", "default**: ", "default = "].iter().any(|label| lower.contains(label))
}

fn is_default(word: &str) -> bool {
    matches!(word, "default" | "defaults" | "standardwert" | "voreinstellung")
}

/// Whether it tells what the default is, and not what is one: `The default value is 3`, `It defaults to 3`.
fn says_default(sentence: &str) -> bool {
    let said: Vec<String> = words(sentence).collect();
    has_labelled_default(sentence)
        || said.iter().enumerate().any(|(at, word)| {
            let behind = said.iter().skip(at + 1).take(REACH);
            let joins = behind.clone().take_while(|word| !is_default(word)).any(|word| is_listed(JOINING, word));
            is_default(word) && joins
        })
}

const WHO_OR_WHEN: &str = "quand qui wann wem wer when who whom whose";
/// What people do with messages.
const SENDING: &str = "announced answered asked confirmed email emailed envoyé geantwortet geschickt geschrieben \
     gesendet mail mailed message promised replied reply said say says schickte schrieb send sends sent suggested told \
     write writes written wrote écrit";

/// Whether a question is about who sent something and when.
pub(super) fn asks_for_sender(question: &str) -> bool {
    let any = |signs| words(question).any(|word| is_listed(signs, &word));
    any(WHO_OR_WHEN) && any(SENDING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_what_is_asked_must_be_said() {
        for (question, sentence, says) in [
            ("When does the ferry leave?", "It leaves on Monday at nine.", true),
            ("When does the ferry leave?", "It leaves at 9:30.", true),
            ("When does the ferry leave?", "It leaves daily.", true),
            ("When was the ferry built?", "It was built in 1984.", true),
            ("When does the ferry leave?", "It leaves when it is full.", false),
            ("Who is there when the ferry leaves?", "On Monday Ann is there.", false),
            ("What is the default value of zero?", "The default zero value is 1e-8.", true),
            ("What is the default value of zero?", "The zero value is the default threshold for values.", false),
            ("What is the default of fall?", "This value defaults to 3.", true),
            ("What is the default of fall?", "fall (default: 3)", true),
            ("When does it run by default?", "By default, it is configured to run on Sunday.", true),
            ("When does it run by default?", "It runs by default at 9:30.", true),
            ("When does it run by default?", "It runs with default priority.", false),
            ("What is fall?", "fall is 3 by default.", false),
        ] {
            assert_eq!(Saying::of(question).is_in(sentence), says, "{question} {sentence}");
        }
    }
}
