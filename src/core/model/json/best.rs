//! The best object so far, and the nearest miss.

use super::fit::{self, Fields};
use super::{Answer, Found, Lack, Misfit, Shape};

/// How an object came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct State {
    /// Closed by its own brace.
    pub(super) whole: bool,
    /// No string had bare quotes.
    pub(super) clean: bool,
}

/// What was found so far.
#[derive(Debug)]
pub(super) struct Best {
    shape: Shape,
    answer: Option<(State, Answer)>,
    near: Option<Near>,
    /// Objects that fitted, and objects that resembled an answer, so far.
    pub(super) fits: usize,
    pub(super) nears: usize,
}

#[derive(Debug)]
struct Near {
    resemblance: usize,
    fields: Vec<&'static str>,
    lacks: Vec<Lack>,
    broken: bool,
}

impl Best {
    pub(super) fn new(shape: Shape) -> Self {
        Self { shape, answer: None, near: None, fits: 0, nears: 0 }
    }

    /// Whether nothing even resembled an answer.
    pub(super) fn is_empty(&self) -> bool {
        self.answer.is_none() && self.near.is_none()
    }

    /// Takes an object, in the order in which objects end: the outer one after those inside it.
    pub(super) fn offer(&mut self, fields: &Fields, state: State) {
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
            Err(lacks) => {
                self.nears += 1;
                if self.near.as_ref().is_none_or(|old| resemblance >= old.resemblance) {
                    self.near = Some(Near { resemblance, fields: fields.names(), lacks, broken: !state.whole });
                }
            }
        }
    }

    pub(super) fn verdict(self, text: &str) -> Result<Answer, Misfit> {
        match (self.answer, self.near) {
            (Some((_, answer)), _) => Ok(answer),
            (None, Some(Near { fields, lacks, broken, .. })) => {
                Err(Misfit { found: Found::Object { fields, broken }, lacks })
            }
            (None, None) if text.trim().is_empty() => Err(Misfit { found: Found::Nothing, lacks: Vec::new() }),
            (None, None) => Err(Misfit { found: Found::Text { bytes: text.len() }, lacks: Vec::new() }),
        }
    }
}

/// Whole before broken, clean before mended. Of equals the last if they are whole (drafts and quoted formats come first), the
/// longer if they are broken. A later report, even a broken one, is worth more than an earlier "it failed", which may be the
/// echo of a tool.
fn is_better(state: State, answer: &Answer, (old_state, old): &(State, Answer)) -> bool {
    if answer.success && !old.success {
        return true;
    }
    match state.cmp(old_state) {
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => state.whole || answer.report.len() >= old.report.len(),
    }
}
