//! What a sentence is worth to a question, beside the words that both have.

use crate::core::question::announcing::Announcing;
use crate::core::question::denying::Denying;

/// What sentences are worth to one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SentenceWorth {
    announcing: Announcing,
    denying: Denying,
}

impl SentenceWorth {
    pub(crate) fn of(question: &str) -> Self {
        Self { announcing: Announcing::of(question), denying: Denying::of(question) }
    }

    /// What a sentence is worth that stands below these: less, if it only says where something is told, or denies nothing where that is asked.
    pub(crate) fn worth(self, sentence: &str, above: &[Option<&str>]) -> f32 {
        self.announcing.worth(sentence) * self.denying.worth(sentence, above)
    }
}
