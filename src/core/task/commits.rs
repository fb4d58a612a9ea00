//! When a long run of indexing writes down what it has done, so that one that is killed keeps most of it.
//!
//! It is counted in work and not in time, so that equal runs write equal indexes.

use crate::core::base::limits;

/// What a run has done, and how much of it is written down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Commits {
    kept: u64,
    waiting: u64,
}

impl Commits {
    /// Counts a file that was taken in or refused.
    pub(crate) fn count(&mut self, bytes: u64) {
        self.waiting = self.waiting.saturating_add(bytes).saturating_add(limits::LIBRARY_COMMIT_FILE_BYTES);
    }

    /// Whether what waits is to be written now: early at first, and then whenever a share of what is kept would be lost. Each commit makes
    /// a part of the index that is merged later, so many small ones would cost more than they keep.
    pub(crate) fn is_due(&self) -> bool {
        let share = self.kept / limits::LIBRARY_COMMIT_SHARE;
        self.waiting >= share.clamp(limits::LIBRARY_COMMIT_FIRST_BYTES, limits::LIBRARY_COMMIT_BYTES)
    }

    /// What waited is written.
    pub(crate) fn committed(&mut self) {
        self.kept = self.kept.saturating_add(std::mem::take(&mut self.waiting));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After how many files each commit comes.
    fn commits(files: u32, bytes: u64) -> Vec<u32> {
        let (mut commits, mut at) = (Commits::default(), Vec::new());
        for file in 1..=files {
            commits.count(bytes);
            if commits.is_due() {
                commits.committed();
                at.push(file);
            }
        }
        at
    }

    /// LB-01: a run that is killed at any file has kept most of what it did, and commits stay few.
    #[test]
    fn lb_01_a_killed_run_has_kept_most_of_what_it_did() {
        // What a folder holds; after how many files the first commit comes, and how many there are.
        let table = [
            ("small texts", 100_000, 2_000, 412, 24),
            ("empty files", 100_000, 0, 512, 21),
            ("papers", 1_000, 1_000_000, 5, 23),
            ("a few notes", 100, 2_000, 0, 0),
            ("one large file", 1, 16_000_000, 1, 1),
        ];
        for (what, files, bytes, first, count) in table {
            let at = commits(files, bytes);
            assert_eq!((at.first().copied().unwrap_or_default(), at.len()), (first, count), "{what}: {at:?}");
            for (before, next) in at.iter().zip(at.iter().skip(1)) {
                assert!(
                    next - before <= (before / 2).max(first) + 1,
                    "{what}: killed before {next}, {before} are kept"
                );
            }
        }
    }
}
