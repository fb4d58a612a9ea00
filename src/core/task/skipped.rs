//! Files of a library that are not read, counted by kind.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Kinds that are counted one by one; the rest is counted together.
const KINDS: usize = 40;
/// Kinds that are named in a sentence.
const NAMED: usize = 8;
/// What is left out because the folder or its user says so, or because it is there twice.
pub(crate) const HIDDEN: &str = "hidden";
pub(crate) const EXCLUDED: &str = "excluded";
pub(crate) const IGNORED: &str = "ignored by .gitignore";
pub(crate) const MADE_BY_TOOLS: &str = "made by tools";
pub(crate) const SOURCE_OF_PAGE: &str = "source of a page";
/// Links are not followed, and pipes and sockets hold no documents.
pub(crate) const LINK: &str = "link";
pub(crate) const SPECIAL: &str = "special";
const ASKED: [&str; 7] = [HIDDEN, EXCLUDED, IGNORED, MADE_BY_TOOLS, SOURCE_OF_PAGE, LINK, SPECIAL];
/// How the kinds beyond these are called.
const OTHERS: &str = "other kinds";

/// How many files were left out, by kind: an extension, or why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct SkippedFiles(pub(crate) BTreeMap<String, u64>);

impl SkippedFiles {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn count(&mut self, kind: &str) {
        self.add_files(kind, 1);
    }

    pub(crate) fn add(&mut self, other: Self) {
        other.0.into_iter().for_each(|(kind, files)| self.add_files(&kind, files));
    }

    fn add_files(&mut self, kind: &str, files: u64) {
        let kind = if self.0.contains_key(kind) || self.0.len() < KINDS { kind } else { OTHERS };
        *self.0.entry(kind.to_owned()).or_default() += files;
    }

    /// Those that nobody asked to leave out.
    pub(crate) fn unasked(&self) -> Self {
        Self(self.0.iter().filter(|(kind, _)| !ASKED.contains(&kind.as_str())).map(|(k, n)| (k.clone(), *n)).collect())
    }

    pub(crate) fn files(&self) -> u64 {
        self.0.values().sum()
    }
}

/// `7 files not read (4 png, 2 hidden, 1 zip)`.
impl fmt::Display for SkippedFiles {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut kinds: Vec<(&String, &u64)> = self.0.iter().collect();
        kinds.sort_by_key(|(_, files)| std::cmp::Reverse(**files));
        let rest: u64 = kinds.iter().skip(NAMED).map(|(_, files)| **files).sum();
        let mut named: Vec<String> = kinds.iter().take(NAMED).map(|(kind, files)| format!("{files} {kind}")).collect();
        if rest > 0 {
            named.push(format!("{rest} of other kinds"));
        }
        let files = self.files();
        write!(to, "{files} {} not read ({})", if files == 1 { "file" } else { "files" }, named.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_counted_by_kind() {
        let mut skipped = SkippedFiles::default();
        ["png", "zip", "png"].into_iter().for_each(|kind| skipped.count(kind));
        assert_eq!(skipped.to_string(), "3 files not read (2 png, 1 zip)");
        (0..100).for_each(|kind| skipped.count(&format!("k{kind}")));
        assert_eq!((skipped.0.len(), skipped.files()), (KINDS + 1, 103));
        assert!(skipped.to_string().ends_with(" of other kinds)"), "{skipped}");
    }
}
