//! Which questions say too little to be researched: a person would ask back before spending time on them.
//!
//! The rule is careful: it judges short questions in plain English words alone, and takes everything else as it is. A question that is asked back
//! for nothing is worse than one that is searched for in vain.

use super::words::is_filler;

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

const POINTING: &[&str] = &[
    "it",
    "its",
    "this",
    "that",
    "these",
    "those",
    "they",
    "them",
    "their",
    "he",
    "she",
    "him",
    "her",
    "his",
    "there",
    "here",
    "one",
    "ones",
    "thing",
    "things",
    "stuff",
    "something",
    "anything",
    "everything",
];
const ASKING: &[&str] = &[
    "what", "who", "whom", "whose", "when", "where", "which", "why", "how", "is", "are", "was", "were", "do", "does",
    "did", "can", "could", "should", "would", "will", "has", "have", "define", "explain", "describe", "compare",
    "list",
];
/// Words that neither name something nor ask for something, beside the fillers of every question.
const FILLING: &[&str] =
    &["yes", "search", "research", "info", "answer", "report", "else", "s", "t", "ok", "hi", "hello"];
/// Fillers that name something where nothing else does: a language, a program, a verb that is the question.
const NAMING: &[&str] = &["go", "let", "make", "may", "mean", "means", "sort", "use", "uses", "work", "works"];

/// Whether a word names something.
fn names(word: &str) -> bool {
    let is_listed = [POINTING, ASKING, FILLING].iter().any(|list| list.contains(&word));
    !is_listed && (NAMING.contains(&word) || !is_filler(word))
}

/// Why a question says too little, if it does.
pub(crate) fn vague(question: &str) -> Option<Vague> {
    if !question.is_ascii() {
        return None;
    }
    let lower = question.to_ascii_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(JUDGED_WORDS + 1)
        .collect();
    if words.is_empty() || words.len() > JUDGED_WORDS {
        return None;
    }
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let mut naming = words.iter().filter(|word| names(word));
    match (naming.next(), naming.next()) {
        (None, _) => Some(Vague::NamesNothing),
        (Some(_), None) if has(POINTING) => Some(Vague::PointsElsewhere),
        (Some(word), None) if !has(ASKING) && word.bytes().all(|byte| byte.is_ascii_lowercase()) => {
            // An address, a number or a code says what it is.
            let is_plain = question
                .trim()
                .trim_end_matches(['?', '!', '.'])
                .bytes()
                .all(|byte| byte.is_ascii_alphabetic() || byte == b' ');
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
            "Where does it say what all of us should have done then?",
        ] {
            assert_eq!(vague(question), None, "{question}");
        }
    }
}
