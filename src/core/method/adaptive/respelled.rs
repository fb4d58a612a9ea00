//! Words of a question that stand in no document, and what was perhaps meant.

use super::Adaptive;
use crate::core::evidence::passage::FoundPassages;
use crate::core::task::effect::Effect;

impl Adaptive {
    /// The question as it is searched for.
    pub(super) fn goal_text(&self) -> &str {
        self.respelled.as_ref().map_or(&self.plan.goal, |respelled| &respelled.query)
    }

    /// Searches with what was perhaps meant, where a word of the question stands nowhere. It is the same attempt.
    pub(super) fn search_respelled(&mut self, found: &FoundPassages) -> Option<Vec<Effect>> {
        let is_first = self.goal.is_none() && self.respelled.is_none() && self.plan.answer_first;
        let respelled = found.respelled.clone().filter(|_| is_first)?;
        self.queries.pop();
        let query = respelled.query.clone();
        self.respelled = Some(respelled);
        Some(self.search(query))
    }

    /// Which words were taken for others.
    pub(super) fn respelled_words(&self) -> String {
        let line = |(typed, meant): &(String, String)| {
            format!("The library has no word `{typed}`; `{meant}` was searched for.")
        };
        let words = self.respelled.iter().flat_map(|respelled| &respelled.words).map(line);
        words.collect::<Vec<_>>().join(" ")
    }
}
