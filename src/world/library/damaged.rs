//! Indexes that turn out to be damaged while they are searched.

use std::path::Path;
use std::time::Duration;

use super::fault::Fault;
use super::lock::WriteLock;
use super::roots::Place;
use super::{Library, index};
use crate::core::base::error::{Code, Error, Problem, Result};
use crate::core::evidence::passage::{FoundPassages, Reach};
use crate::world::log;

impl Library {
    /// The best passages for a question. An index that shows its damage while it is searched is built again and searched once more: that nothing was
    /// found in it would not be true.
    pub(crate) fn search_mended(
        &self,
        query: &str,
        roots: &[String],
        (limit, reach): (u32, Reach),
        stop: &dyn Fn() -> bool,
    ) -> Result<FoundPassages> {
        let first = self.search_within(query, roots, limit, reach)?;
        let is_damage = |problem: &&Problem| problem.error.code == Code::IndexDamaged;
        let damaged: Vec<String> = first.problems.iter().filter(is_damage).map(|it| it.subject.clone()).collect();
        if damaged.is_empty() {
            return Ok(first);
        }
        let failure = self.refresh(&damaged, stop).err();
        if let Some(error) = failure.as_ref().filter(|error| error.code == Code::Cancelled) {
            return Err(error.clone());
        }
        let mut found = self.search_within(query, roots, limit, reach)?;
        let is_lost = |root: &String| found.problems.iter().any(|problem| problem.subject == *root);
        let (lost, mended): (Vec<String>, Vec<String>) = damaged.into_iter().partition(is_lost);
        if let Some(root) = lost.first().filter(|_| found.passages.is_empty()) {
            let told = first.problems.into_iter().find(|problem| problem.subject == *root).map(|problem| problem.error);
            return Err(failure.or(told).unwrap_or_else(|| Error::new(Code::IndexDamaged, "an index is damaged")));
        }
        found.problems.extend(mended.into_iter().map(|root| {
            let message = format!("the index of `{root}` was damaged and has been built again");
            Problem { subject: root, error: Error::new(Code::IndexDamaged, message) }
        }));
        Ok(found)
    }

    /// A damaged index is taken away, so that the next refresh builds it again; but not one that another process has
    /// built since `file` was the index.
    pub(super) fn give_up(&self, root: String, file: Option<&Path>, fault: Fault) -> Problem {
        self.opened().remove(&root);
        let error = match fault {
            Fault::Other(error) => error,
            Fault::Damaged(what) => {
                let place = Place::of(&self.dir, &root);
                if let Ok(_lock) = WriteLock::take(place.lock(), Duration::ZERO, &|| false)
                    && index::file_of(&place.index()).as_deref() == file
                    && let Err(error) = place.wipe_index()
                {
                    log::warn(error);
                }
                let error = Error::new(Code::IndexDamaged, format!("the index of `{root}` is damaged ({what})"));
                log::warn(&error);
                error.hint("ask again: it is built again before the next search")
            }
        };
        Problem { subject: root, error }
    }
}
