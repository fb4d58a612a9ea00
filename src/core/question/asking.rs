//! The sentence of a text that asks. Whoever pastes a mail asks its last question, and the rest would only be looked for in vain.

use crate::core::base::rows::is_listed;
use crate::core::language::sentences;
use crate::core::language::words::{informative, words};
use crate::core::question::vague::is_pointing;

/// Words that must be left, so that what is asked can be understood; of a shorter question the story before it tells what it is about.
const LEAST_WORDS: usize = 6;
/// Further words that stand for something that another sentence names, and those of whoever tells a story.
const POINTING: &str = "i me my we us our ich wir je nous there such one both er sie es ihn ihm ihr diese dieser \
     dieses il elle ce";

/// The only question of a text of several sentences, where it is understood without the others.
pub(crate) fn asking_sentence(text: &str) -> Option<&str> {
    let all: Vec<&str> = sentences(text).into_iter().filter_map(|place| text.get(place)).collect();
    let asks = |sentence: &&&str| sentence.trim_end_matches(['"', '”', ')', ' ']).ends_with(['?', '？']);
    let mut asking = all.iter().filter(asks);
    let (Some(question), None, true) = (asking.next(), asking.next(), all.len() > 1) else { return None };
    let points = words(question).any(|word| is_pointing(&word) || is_listed(POINTING, &word));
    (!points && informative(question).len() >= LEAST_WORDS).then_some(*question)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_question_of_a_text_is_asked() {
        for (text, want) in [
            (
                "My boss wants a report on Monday. After how many consecutive unsuccessful health checks is a server considered as dead?",
                Some("After how many consecutive unsuccessful health checks is a server considered as dead?"),
            ),
            (
                "From which small port does the last evening ferry to the northern islands leave? Tom is in a hurry.",
                Some("From which small port does the last evening ferry to the northern islands leave?"),
            ),
            // What it is about stands in the story.
            ("There is a ferry to Brest. Which port is nearest?", None),
            ("The ferry is full. From which other port can we reach the islands before winter?", None),
            // What is meant stands in the other sentence.
            ("We use Postgres 15. How do I upgrade it to 16 without losing data?", None),
            ("There is a ferry to Brest. When does that leave the harbour?", None),
            // Which of two?
            ("Who built the ferry? Who owns the ferry today?", None),
            ("The ferry is late. Why?", None),
            ("Which port does the ferry leave from?", None),
            ("The ferry leaves at nine. The port is full.", None),
            ("", None),
        ] {
            assert_eq!(asking_sentence(text), want, "{text}");
        }
    }
}
