//! How much a study shows and asks for at once, by what its models read.

use super::Study;
use crate::core::base::error::{Code, Error};
use crate::core::base::limits;
use crate::core::base::rows::phrases;
use crate::core::evidence::excerpt::{self, ShownRoom};
use crate::core::model::chat::StudyStep;
use crate::core::task::effect::Effect;
use crate::core::task::outcome::Outcome;

/// The sizes of prompts and answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    /// What a round shows of pages.
    pub(super) room: ShownRoom,
    /// Characters of notes or of a report in one prompt.
    pub(super) known_chars: usize,
    /// Characters of what the first look found.
    pub(super) first_look_chars: usize,
    /// Notes of a section, and of a report in one piece.
    pub(super) section_notes: usize,
    pub(super) whole_notes: usize,
    /// Quotes of a note that a writer sees, and characters of one.
    pub(super) quotes: usize,
    pub(super) quote_chars: usize,
    /// The part of an answer's tokens that is asked for, in tenths.
    answer_tenths: u32,
}

/// From so many tokens on, nothing needs to be made smaller.
const LARGE: u32 = 30_000;
/// Below so many, the smallest size is taken.
const SMALL: u32 = 7_000;
/// Between them, the size of models of 8,000 and of 16,000 tokens.
const MIDDLE: u32 = 14_000;

impl Size {
    const FULL: Self = Self {
        room: ShownRoom { all: limits::ROUND_SHOWN_BYTES, per_page: limits::PAGE_SHOWN_BYTES },
        known_chars: limits::KNOWN_CHARS,
        first_look_chars: limits::FIRST_LOOK_CHARS,
        section_notes: limits::SECTION_NOTES,
        whole_notes: limits::WHOLE_NOTES,
        quotes: 2,
        quote_chars: limits::SHOWN_QUOTE_CHARS,
        answer_tenths: 10,
    };
    const OF_16K: Self = Self {
        room: ShownRoom { all: 16_000, per_page: 6_000 },
        known_chars: 20_000,
        first_look_chars: 8_000,
        section_notes: 20,
        whole_notes: 30,
        quote_chars: 300,
        answer_tenths: 8,
        ..Self::FULL
    };
    const OF_8K: Self = Self {
        room: ShownRoom { all: 7_500, per_page: 4_000 },
        known_chars: 8_000,
        first_look_chars: 4_000,
        section_notes: 12,
        whole_notes: 14,
        quotes: 1,
        quote_chars: 240,
        answer_tenths: 6,
    };
    const OF_4K: Self = Self {
        room: ShownRoom { all: 3_000, per_page: 2_000 },
        known_chars: 3_000,
        first_look_chars: 1_500,
        section_notes: 6,
        whole_notes: 6,
        quotes: 1,
        quote_chars: 160,
        answer_tenths: 3,
    };

    /// The size for a window in tokens; one that is not known is taken for large.
    pub(super) fn of(window: Option<u32>) -> Self {
        match window {
            None => Self::FULL,
            Some(LARGE..) => Self::FULL,
            Some(MIDDLE..) => Self::OF_16K,
            Some(SMALL..) => Self::OF_8K,
            Some(_) => Self::OF_4K,
        }
    }

    /// The tokens of an answer that has so many where there is room.
    pub(super) fn answer(self, tokens: u32) -> u32 {
        tokens / 10 * self.answer_tenths
    }
}

impl Study {
    /// Asks once more for less, where a model refused a question because it was too long.
    pub(super) fn ask_smaller(&mut self, step: StudyStep, outcome: &Outcome) -> Option<Vec<Effect>> {
        let Outcome::Failed { error } = outcome else { return None };
        let window = told_window(error)?;
        if !self.asked_again.insert(step) {
            return None;
        }
        let smaller = window.unwrap_or(MIDDLE);
        self.learnt = Some(self.learnt.map_or(smaller, |known| known.min(smaller)));
        match step {
            StudyStep::Brief => Some(self.ask_brief()),
            StudyStep::Plan => Some(self.ask_plan()),
            StudyStep::Notes(place) => {
                let room = self.size(step).room;
                let round = self.subs.get_mut(place.sub as usize)?.rounds.get_mut(place.round as usize)?;
                round.pages = excerpt::fitting(std::mem::take(&mut round.pages), room);
                Some(vec![self.ask_notes(place)?])
            }
            StudyStep::Reflect(_) => Some(self.ask_reflect()),
            StudyStep::Outline => Some(self.ask_outline()),
            StudyStep::Section(at) => Some(vec![self.ask_section(at as usize)?]),
            StudyStep::Patch { section, .. } => Some(vec![self.ask_patch(section as usize)?]),
            StudyStep::Summary => Some(self.ask_summary()),
        }
    }
}

/// Whether a model refused a question because it was too long, and what it takes, if it said so.
fn told_window(error: &Error) -> Option<Option<u32>> {
    const WORDS: &str = "context length, context window, context size, too many tokens, prompt is too long, \
         input is too long, reduce the length";
    let said = error.message.to_lowercase();
    let too_long = error.code == Code::ProviderRefused && phrases(WORDS).any(|words| said.contains(words));
    // The first figure that can be a window: the rest of the sentence says what was asked for.
    let figures = said.split(|c: char| !c.is_ascii_digit()).filter_map(|figure| figure.parse::<u32>().ok());
    too_long.then(|| figures.into_iter().find(|tokens| (1_024..4_000_000).contains(tokens)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::model::chat::tokens_of;

    /// ST-01: whatever is shown at once leaves room for the answer.
    #[test]
    fn a_window_holds_what_is_shown_and_the_answer() {
        for window in [4_096_u32, 8_192, 16_384, 32_768] {
            let size = Size::of(Some(window));
            // Rules, question, template and numbers of sentences.
            let around = 4_500;
            let held =
                |shown: usize, answer: u32| tokens_of(&"x".repeat(shown + around)) + u64::from(size.answer(answer));
            let noted = size.room.all * 5 / 4;
            assert!(held(noted, limits::NOTES_TOKENS) <= u64::from(window), "notes at {window}");
            let section = (limits::SECTION_NOTES_BYTES * 2).min(size.known_chars);
            assert!(held(section, limits::SECTION_TOKENS) <= u64::from(window), "a section at {window}");
        }
        assert_eq!(Size::of(None), Size::of(Some(1_000_000)));
    }

    #[test]
    fn a_refusal_tells_the_window() {
        let refused = |code, text: &str| told_window(&Error::new(code, text));
        let openai = "the model `custom/x` did not take the question (400): This model's maximum context length is 8192 tokens. \
                      However, you requested 12000 tokens";
        assert_eq!(refused(Code::ProviderRefused, openai), Some(Some(8_192)));
        assert_eq!(refused(Code::ProviderRefused, "(400): prompt is too long"), Some(None));
        assert_eq!(refused(Code::ProviderRefused, "(400): no such parameter"), None);
        assert_eq!(refused(Code::QuotaExceeded, openai), None);
    }
}
