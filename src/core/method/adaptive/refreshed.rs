//! What bringing the index up to date says of the library.

use super::Adaptive;
use crate::core::task::effect::Effect;
use crate::core::task::outcome::Outcome;

impl Adaptive {
    /// Goes on with what bringing the index up to date came to.
    pub(super) fn refreshed(&mut self, outcome: Outcome) -> Vec<Effect> {
        match outcome {
            Outcome::Refreshed(done) => {
                let documents = [done.added, done.changed, done.unchanged].into_iter().map(u64::from).sum();
                self.documents = Some(documents);
                if documents == 0 {
                    // Not one document could be read, which is another thing than a library without any. What is of other kinds is counted
                    // first, and a file that failed says more.
                    let counts = usize::from(!done.skipped.told().is_empty());
                    let told = done.problems.get(counts).or(done.problems.first());
                    self.trouble.refresh = told.map(|problem| problem.error.clone());
                }
                (self.skipped, self.unread) = (done.skipped, done.unread);
                self.problems.add_all(done.problems, done.more_problems);
            }
            // What was indexed before can still be searched.
            other => self.trouble.refresh = Some(self.failed("library", other)),
        }
        self.search(self.plan.sought().to_owned())
    }

    /// Notes how many passages a search looked at. What was indexed of a folder that could not be looked at is no library without documents, though
    /// nobody counted them now.
    pub(super) fn note_searched(&mut self, passages: Option<u64>) {
        if passages.is_some_and(|passages| passages > 0) && self.trouble.refresh.take().is_some() {
            self.documents = None;
        }
    }
}
