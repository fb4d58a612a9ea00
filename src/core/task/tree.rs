//! The plan of a study as a tree that fills: its sub-questions with what was found for each, then the sections of its report.

use serde::{Deserialize, Serialize};

use crate::core::base::plain;

/// A part of the plan, and how far it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Branch {
    pub(crate) kind: BranchKind,
    pub(crate) title: String,
    pub(crate) searches: u32,
    pub(crate) pages: u32,
    pub(crate) notes: u32,
    pub(crate) done: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BranchKind {
    SubQuestion,
    Section,
}

/// Characters of a title on its line.
const TITLE_CHARS: usize = 70;

impl Branch {
    /// The part on a line, for people.
    pub(crate) fn line(&self) -> String {
        let mark = if self.done { '✓' } else { '·' };
        let title = plain::line(&self.title, TITLE_CHARS);
        let cut = if self.title.chars().nth(TITLE_CHARS).is_some() { "…" } else { "" };
        match self.kind {
            BranchKind::SubQuestion => {
                format!("{mark} {title}{cut} ({} searches, {} pages, {} notes)", self.searches, self.pages, self.notes)
            }
            BranchKind::Section => format!("{mark} § {title}{cut} ({} notes)", self.notes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_is_one_short_line() {
        let branch = Branch {
            kind: BranchKind::SubQuestion,
            title: "How\u{1b}[2J deep\nis it?".into(),
            searches: 2,
            pages: 3,
            notes: 4,
            done: true,
        };
        let line = branch.line();
        assert!(line.starts_with("✓ How") && line.ends_with("(2 searches, 3 pages, 4 notes)"), "{line}");
        assert!(!line.contains(['\n', '\u{1b}']), "{line:?}");
        let long = Branch { kind: BranchKind::Section, title: "x".repeat(500), done: false, ..branch }.line();
        assert!(long.starts_with("· § x") && long.chars().count() < 100 && long.contains('…'), "{long}");
    }
}
