//! Files that tell what was changed and when: changelogs, release notes. Their thousands of short entries have words of every question, and seldom
//! say what holds today.

use super::words::words;

/// Names of files and folders, in lower case and without what joins their words.
const NAMES: &[&str] = &[
    "changelog",
    "changelogs",
    "changes",
    "news",
    "oldnews",
    "releasehistory",
    "releaselog",
    "releasenotes",
    "releases",
    "relnotes",
    "whatsnew",
];
/// Words of a question that asks what was changed, or when.
const ASKING: &[&str] = &[
    "added",
    "changelog",
    "deprecated",
    "introduced",
    "new",
    "news",
    "release",
    "released",
    "releases",
    "since",
    "version",
    "versions",
];

/// Whether a file of a library is one of these, by its path below the root.
pub(crate) fn is_changelog(path: &str) -> bool {
    let name_of = |part: &str| -> String {
        let stem = part.split('.').next().unwrap_or_default();
        stem.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    path.split(['/', '!']).any(|part| NAMES.contains(&name_of(part).as_str()))
}

/// Whether a question is about what was changed.
pub(crate) fn asks_for_changes(question: &str) -> bool {
    words(question).any(|word| ASKING.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changelogs_are_known_by_name() {
        for path in [
            "CHANGELOG.md",
            "debian/changelog.Debian.gz",
            "NEWS",
            "docs/Release-Notes/3.html",
            "a.zip!x/CHANGES.txt",
            "whatsnew/3.8.html",
            "releaselog/3_3_13.html",
        ] {
            assert!(is_changelog(path), "{path}");
        }
        for path in ["git-whatchanged.html", "exchanges.md", "history.html", "newsletter.md", "changeset.html", ""] {
            assert!(!is_changelog(path), "{path}");
        }
        assert!(asks_for_changes("In which version was it added?"));
        assert!(!asks_for_changes("Why has the file not changed?"));
    }
}
