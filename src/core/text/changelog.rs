//! Files that tell what was changed and when: changelogs, release notes. Their thousands of short entries have words of every question, and seldom
//! say what holds today.

use crate::core::base::rows::{is_listed, phrases};
use crate::core::language::fold::folded;
use crate::core::language::words::{plain_words, words, written};
use crate::core::text::format;

/// Names of files and folders, in lower case and without accents, what joins their words and the number of a version behind them.
const NAMES: &str = "anderungsprotokoll changelog changelogs journaldesmodifications notesdeversion releasehistory \
     releaselog releasenotes relnotes versionhistory versionsgeschichte versionshinweise versionshistorie whatsnew";
/// Names that are those of changelogs only for a file: a folder `news` may hold anything.
const FILES: &str = "anderungen changements changes news nouveautes oldnews releases";
/// The same, in capitals as the files of a project's root are written.
const HISTORY: &str = "HISTORY";
/// Words of a question that asks what was changed, or when.
const ASKING: &str = "added breaking changelog deprecated introduced neu neue new news recently release released \
     releases since upgrade upgrading version versions";

/// Whether a file of a library is one of these, by its path below the root.
pub(crate) fn is_changelog(path: &str) -> bool {
    let stem = |part: &str| part.split('.').next().unwrap_or_default().to_owned();
    let name = |part: &str| bare_name(&stem(part));
    let file = format::file_name(path);
    path.split(['/', '!']).any(|part| is_listed(NAMES, &name(part)))
        || is_listed(FILES, &name(file))
        || stem(file) == HISTORY
        || words(&file.replace('_', " ")).any(|word| LOGS.contains(&word.as_str()))
}

/// The same, as they stand in a title beside other words.
const IN_TITLES: &str =
    "change log, changelog, notes de version, release history, release notes, version history, what s new, whats new";

/// Whether the title of a document says that it is one of these: `CMake 3.24 Release Notes`, `2. NEWS`.
pub(crate) fn is_title_of_changelog(title: &str) -> bool {
    let said = between_words(&plain_words(title).join(" "));
    let is_file = |word: &str| !word.contains(char::is_lowercase) && is_listed(FILES, &folded(word));
    let mut unnumbered = written(title).skip_while(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    // Written as the files of a project's root are: `News` may be that of a village.
    let is_only_file = unnumbered.next().is_some_and(is_file) && unnumbered.next().is_none();
    is_only_file || phrases(IN_TITLES).any(|phrase| said.contains(&between_words(phrase)))
}

fn between_words(text: &str) -> String {
    format!(" {text} ")
}

/// Whether a heading says that what stands below it are releases: `## Changelog` of a README.
pub(crate) fn is_heading_of_releases(heading: &str) -> bool {
    is_listed(NAMES, &bare_name(heading))
}

/// A name without accents, what joins its words and the number behind it.
fn bare_name(name: &str) -> String {
    let letters = folded(name).chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    letters.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()
}

/// Words that say it in the name of a file, whatever stands beside them: `logrotate-changelog`.
const LOGS: &[&str] = &["changelog", "changelogs"];

/// Words that ask so of a release, and of anything else where none is named.
const OF_RELEASE: &str = "änderte change changed changes fixed geändert";

/// Whether a question that names a release is about what was changed in it.
pub(crate) fn asks_for_changes_of_release(question: &str) -> bool {
    asks_for_changes(question) || words(question).any(|word| is_listed(OF_RELEASE, &word))
}

/// Whether a question is about what was changed.
pub(crate) fn asks_for_changes(question: &str) -> bool {
    let said: Vec<String> = words(question).collect();
    let is_asking = |at: &usize| said.get(*at).is_some_and(|word| is_listed(ASKING, word));
    let mut asking = (0..said.len()).filter(is_asking).peekable();
    asking.peek().is_some() && !asking.all(|at| is_of_requirement(&said, at))
}

/// Words of what something needs, without accents: of `the minimum Node version` a value is asked for, and not what was changed.
const REQUIRING: &str = "earliest least lowest minimal minimum need needed oldest recommended require required support supported \
     benotigt benotigte braucht erforderlich minimale mindestens notig notwendig unterstutzt unterstutzte vorausgesetzt \
     exigee faut minimale minimum necessaire requise supportee";
/// What stands before a version that is that of a release, and not of another thing.
const OF_RELEASES: &str = "a an each every in last latest my newest next of our since that the this what which your \
     aktuelle die der diese dieser ihre in letzte neue neueste welche welcher \
     cette chaque dans derniere la quelle une";

/// Whether a word of a question is the version of another thing that is needed: `Which Python version is required?`
fn is_of_requirement(said: &[String], at: usize) -> bool {
    let word = |at: usize| said.get(at).map(|word| folded(word)).unwrap_or_default();
    let before = at.checked_sub(1).map(word).unwrap_or_default();
    let is_named = !before.is_empty() && !is_listed(OF_RELEASES, &before);
    let is_of_another = is_named || matches!(word(at + 1).as_str(), "of" | "de" | "von");
    // Who begins with `in which` asks when it came.
    let is_of_time = matches!(word(0).as_str(), "ab" | "dans" | "depuis" | "in" | "seit" | "since");
    let is_needed = || said.iter().any(|word| is_listed(REQUIRING, &folded(word)));
    matches!(word(at).as_str(), "version" | "versions") && is_of_another && !is_of_time && is_needed()
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
            "Änderungen.txt",
            "Versionshistorie.txt",
            "notes de version.txt",
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
        for (title, is) in [
            ("CMake 3.24 Release Notes — CMake 3.25.1 Documentation", true),
            ("2. NEWS", true),
            ("Changelog - a library", true),
            ("What's New in 4.0?", true),
            ("News of the village", false),
            ("News", false),
            ("Changes of the moon", false),
            ("Version 3", false),
            ("", false),
        ] {
            assert_eq!(is_title_of_changelog(title), is, "{title}");
        }
        assert!(asks_for_changes("In which version was it added?"));
        assert!(!asks_for_changes("Why has the file not changed?"));
        for (question, asks) in [
            ("What is the minimum Node.js version?", false),
            ("Which Python version is required?", false),
            ("Which version of Node is needed at least?", false),
            ("Welche Node-Version wird mindestens benötigt?", false),
            ("Quelle version de Node est requise ?", false),
            ("Which version requires Python 3.9?", true),
            ("In which version of Node was it supported first?", true),
            ("Since which Python version is it supported?", true),
            ("Which version is supported?", true),
            ("What is the latest version?", true),
        ] {
            assert_eq!(asks_for_changes(question), asks, "{question}");
        }
        assert!(asks_for_changes_of_release("What changed in 3.0.1?"));
        assert!(!asks_for_changes_of_release("What does 3.0.1 need?"));
    }
}
