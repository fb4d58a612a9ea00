//! Which questions say too little to be researched: a person would ask back before spending time on them.
//!
//! The rule is careful: it judges short questions in plain English words alone, and takes everything else as it is. A question that is asked back
//! for nothing is worse than one that is searched for in vain.

use crate::core::base::rows::is_listed;
use crate::core::language::words::is_filler;

/// Why a question says too little.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vague {
    /// It names nothing: "tell me more".
    NamesNothing,
    /// It speaks of something that was said elsewhere: "how does it work?"
    PointsElsewhere,
    /// It names one thing and does not say what of it is wanted: "python".
    AsksNothing,
}

impl Vague {
    /// What its user is asked.
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Self::NamesNothing => "It names nothing that could be looked for.",
            Self::PointsElsewhere => "It speaks of something that it does not name.",
            Self::AsksNothing => "It does not say what of it is wanted.",
        }
    }
}

/// Longer questions say enough, whatever their words are.
const JUDGED_WORDS: usize = 8;

/// Whether a word stands for something that is named elsewhere.
pub(super) fn is_pointing(word: &str) -> bool {
    is_listed(POINTING, word)
}

const POINTING: &str = "it its this that these those they them their he she him her his here ones thing things stuff \
     something anything everything";
const ASKING: &str = "what who whom whose when where which why how is are was were do does did can could should would \
     will has have define explain describe compare list summarize summarise summary overview example examples show \
     difference differences comprehensive explanation";
/// Words that neither name something nor ask for something, beside the fillers of every question.
const FILLING: &str = "yes search research info answer report else s t ok hi hello";
/// Fillers that name something where nothing else does: a language, a program, a verb that is the question.
const NAMING: &str = "go let make may mean means sort use uses work works";

/// Whether a word names something.
fn names(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    let lower = lower.as_str();
    let says_little = [POINTING, ASKING, FILLING].iter().any(|row| is_listed(row, lower));
    is_capitals(word) || !says_little && (is_listed(NAMING, lower) || !is_filler(lower))
}

/// Whether a word is written as abbreviations are: `IT`, `WHO`, `US`.
fn is_capitals(word: &str) -> bool {
    word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Why a question says too little, if it does.
pub(crate) fn vague(question: &str) -> Option<Vague> {
    if !question.is_ascii() {
        return None;
    }
    // Where everything is in capitals, they say nothing.
    let is_loud = !question.bytes().any(|byte| byte.is_ascii_lowercase());
    let written = if is_loud { question.to_ascii_lowercase() } else { question.to_owned() };
    let words: Vec<&str> = written
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(JUDGED_WORDS + 1)
        .collect();
    if words.is_empty() || words.len() > JUDGED_WORDS {
        return None;
    }
    let has = |row: &str| {
        let mut plain = words.iter().filter(|word| !is_capitals(word));
        plain.any(|word| is_listed(row, &word.to_ascii_lowercase()))
    };
    let mut naming = words.iter().filter(|word| names(word));
    match (naming.next(), naming.next()) {
        (None, _) => Some(Vague::NamesNothing),
        (Some(_), None) if has(POINTING) => Some(Vague::PointsElsewhere),
        // A word in capitals, a code, an address or a number says what it is.
        (Some(word), None) if !has(ASKING) && !is_capitals(word) => {
            let plain = question.trim().trim_end_matches(['?', '!', '.']);
            let is_plain = plain.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b' ');
            is_plain.then_some(Vague::AsksNothing)
        }
        (Some(_), _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MC-01: what is asked back, and what is taken as it is.
    #[test]
    fn mc_01_questions_that_say_too_little() {
        for (question, why) in [
            ("tell me more", Vague::NamesNothing),
            ("What about this one?", Vague::NamesNothing),
            ("research this", Vague::NamesNothing),
            ("Why?", Vague::NamesNothing),
            ("how does it work?", Vague::PointsElsewhere),
            ("What does that mean?", Vague::PointsElsewhere),
            ("python", Vague::AsksNothing),
            ("Economy.", Vague::AsksNothing),
            ("the weather", Vague::AsksNothing),
            ("WHAT IS THIS?", Vague::NamesNothing),
            ("HOW DOES IT WORK?", Vague::PointsElsewhere),
            ("PYTHON", Vague::AsksNothing),
            ("Summarize", Vague::NamesNothing),
            ("show me examples", Vague::NamesNothing),
            ("give me an overview of this", Vague::NamesNothing),
        ] {
            assert_eq!(vague(question), Some(why), "{question}");
        }
        for question in [
            "What is photosynthesis?",
            "how deep is the sea?",
            "rust vs go",
            "hadal zone",
            "CVE-2024-3094",
            "RFC 9110",
            "Why is it that the sky looks blue?",
            "who is Ada?",
            "tokio::select",
            "https://example.com",
            "深海",
            "D\u{fc}rer",
            "what is go?",
            "How do I use make?",
            "What is IT?",
            "the WHO",
            "the US",
            "Who runs the WHO?",
            "Is there a god?",
            "how does one die?",
            "summarize photosynthesis",
            "Summarise Brexit",
            "python overview",
            "example of recursion",
            "show monads",
            "difference in pressure",
            "comprehensive explanation of gravity",
            "Where does it say what all of us should have done then?",
        ] {
            assert_eq!(vague(question), None, "{question}");
        }
    }
}
