//! The best object so far, and the nearest miss.

use super::fit::{self, Fields};
use super::{Answer, AnswerShape, Flaw, FoundInstead, Mismatch};

/// How an object came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Completeness {
    /// Closed by its own brace.
    pub(super) whole: bool,
    /// No string had bare quotes.
    pub(super) clean: bool,
}

/// What was found so far.
#[derive(Debug)]
pub(super) struct Best {
    shape: AnswerShape,
    answer: Option<(Completeness, Answer)>,
    near: Option<Near>,
    /// Objects that fitted, and objects that resembled an answer, so far.
    pub(super) fits: usize,
    pub(super) nears: usize,
}

#[derive(Debug)]
struct Near {
    resemblance: usize,
    fields: Vec<&'static str>,
    flaws: Vec<Flaw>,
    broken: bool,
}

impl Best {
    pub(super) fn new(shape: AnswerShape) -> Self {
        Self { shape, answer: None, near: None, fits: 0, nears: 0 }
    }

    /// Whether nothing even resembled an answer.
    pub(super) fn is_empty(&self) -> bool {
        self.answer.is_none() && self.near.is_none()
    }

    /// Takes an object, in the order in which objects end: the outer one after those inside it.
    pub(super) fn offer(&mut self, fields: &Fields, state: Completeness) {
        let resemblance = fields.resemblance();
        if resemblance == 0 {
            return;
        }
        match fit::fit(fields, self.shape, state.whole) {
            Ok(answer) => {
                self.fits += 1;
                if self.answer.as_ref().is_none_or(|old| is_better(state, &answer, old)) {
                    self.answer = Some((state, answer));
                }
            }
            Err(flaws) => {
                self.nears += 1;
                if self.near.as_ref().is_none_or(|old| resemblance >= old.resemblance) {
                    self.near = Some(Near { resemblance, fields: fields.names(), flaws, broken: !state.whole });
                }
            }
        }
    }

    pub(super) fn verdict(self, text: &str) -> Result<Answer, Mismatch> {
        match (self.answer, self.near) {
            (Some((_, answer)), _) => Ok(answer),
            (None, Some(Near { fields, flaws, broken, .. })) => {
                Err(Mismatch { found: FoundInstead::Object { fields, broken }, flaws })
            }
            (None, None) if text.trim().is_empty() => Err(Mismatch { found: FoundInstead::Nothing, flaws: Vec::new() }),
            (None, None) => Err(Mismatch { found: FoundInstead::Text { bytes: text.len() }, flaws: Vec::new() }),
        }
    }
}

/// Whole before broken, clean before mended. Of equals the last if they are whole (drafts and quoted formats come first), the
/// longer if they are broken. A later report, even a broken one, is worth more than an earlier "it failed", which may be the
/// echo of a tool.
fn is_better(state: Completeness, answer: &Answer, (old_state, old): &(Completeness, Answer)) -> bool {
    if answer.success && !old.success {
        return true;
    }
    match state.cmp(old_state) {
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => state.whole || answer.report.len() >= old.report.len(),
    }
}
