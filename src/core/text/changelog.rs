//! Files that tell what was changed and when: changelogs, release notes. Their thousands of short entries have words of every question, and seldom
//! say what holds today.

use crate::core::language::words::words;
use crate::core::text::format;

/// Names of files and folders, in lower case and without what joins their words and the number of a version behind them.
const NAMES: &[&str] =
    &["changelog", "changelogs", "releasehistory", "releaselog", "releasenotes", "relnotes", "whatsnew"];
/// Names that are those of changelogs only for a file: a folder `news` may hold anything.
const FILES: &[&str] = &["changes", "news", "oldnews", "releases"];
/// The same, in capitals as the files of a project's root are written.
const HISTORY: &str = "HISTORY";
/// Words of a question that asks what was changed, or when.
const ASKING: &[&str] = &[
    "added",
    "breaking",
    "changelog",
    "deprecated",
    "introduced",
    "neu",
    "neue",
    "new",
    "news",
    "recently",
    "release",
    "released",
    "releases",
    "since",
    "upgrade",
    "upgrading",
    "version",
    "versions",
];

/// Whether a file of a library is one of these, by its path below the root.
pub(crate) fn is_changelog(path: &str) -> bool {
    let stem = |part: &str| part.split('.').next().unwrap_or_default().to_owned();
    let name = |part: &str| -> String {
        let letters =
            stem(part).chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
        letters.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()
    };
    let file = format::file_name(path);
    path.split(['/', '!']).any(|part| NAMES.contains(&name(part).as_str()))
        || FILES.contains(&name(file).as_str())
        || stem(file) == HISTORY
        || words(&file.replace('_', " ")).any(|word| LOGS.contains(&word.as_str()))
}

/// Words that say it in the name of a file, whatever stands beside them: `logrotate-changelog`.
const LOGS: &[&str] = &["changelog", "changelogs"];

/// Words that ask so of a release, and of anything else where none is named.
const OF_RELEASE: &[&str] = &["änderte", "change", "changed", "changes", "fixed", "geändert"];

/// Whether a question that names a release is about what was changed in it.
pub(crate) fn asks_for_changes_of_release(question: &str) -> bool {
    asks_for_changes(question) || words(question).any(|word| OF_RELEASE.contains(&word.as_str()))
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
            "CHANGELOG-1.2.md",
            "HISTORY.md",
            "doc/logrotate-changelog",
            "infra_changelog.md",
        ] {
            assert!(is_changelog(path), "{path}");
        }
        for path in [
            "git-whatchanged.html",
            "exchanges.md",
            "history.html",
            "newsletter.md",
            "changeset.html",
            "news/flood.md",
            "changes/climate.md",
            "",
        ] {
            assert!(!is_changelog(path), "{path}");
        }
        assert!(asks_for_changes("In which version was it added?"));
        assert!(!asks_for_changes("Why has the file not changed?"));
        assert!(asks_for_changes_of_release("What changed in 3.0.1?"));
        assert!(!asks_for_changes_of_release("What does 3.0.1 need?"));
    }
}
