//! Kept pages that are to go: those that are old, and those that were fetched for tasks which are deleted.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::cache::{Cache, Kept};
use crate::core::base::limits;
use crate::world::clock;

/// Which of the kept pages are to go. Moments are milliseconds since 1970.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stale {
    pub(crate) before_ms: i64,
    /// From and until. Who fetched a page is not written down, so a task takes all pages of its time with it; whoever needs one
    /// of them fetches it again.
    pub(crate) within_ms: Vec<(i64, i64)>,
}

impl Stale {
    /// What is too old to be of use to anybody.
    pub(crate) fn by_age() -> Self {
        let age = i64::try_from(limits::CACHE_AGE.as_millis()).unwrap_or(i64::MAX);
        Self { before_ms: clock::now_ms().saturating_sub(age), within_ms: Vec::new() }
    }

    fn has(&self, kept: &Kept) -> bool {
        let at = kept.fetched_at;
        at < self.before_ms || self.within_ms.iter().any(|(from, until)| (*from..=*until).contains(&at))
    }
}

/// Removes kept pages of a data directory. What cannot be removed now is tried again by whoever comes next. Blocking.
pub(crate) fn forget(data_dir: &Path, stale: &Stale) {
    let cache = Cache::new(Cache::below(data_dir), 0);
    let (mut used, mut dropped) = (HashSet::new(), HashSet::new());
    for path in files(&cache.dir.join("records")) {
        let Some(kept) = cache.record_at(&path) else { continue };
        if stale.has(&kept) {
            let _tried_again = fs::remove_file(&path);
            dropped.extend(cache.body(&kept.hash));
        } else {
            used.extend(cache.body(&kept.hash));
        }
    }
    for path in files(&cache.dir.join("bodies")) {
        // A body is written before the record that names it.
        if !used.contains(&path) && (dropped.contains(&path) || is_settled(&path)) {
            let _tried_again = fs::remove_file(&path);
        }
    }
}

fn files(dir: &Path) -> impl Iterator<Item = PathBuf> {
    walkdir::WalkDir::new(dir)
        .into_iter()
        .flatten()
        .filter(|entry| entry.file_type().is_file())
        .map(walkdir::DirEntry::into_path)
}

/// Whether nobody can be about to name it.
fn is_settled(path: &Path) -> bool {
    clock::file_age(path).is_some_and(|age| age >= limits::UPKEEP_GRACE)
}
