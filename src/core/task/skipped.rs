//! Files of a library that are not read, counted by kind.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::core::base::counts::counted;
use crate::core::base::globs::IgnoreList;
use crate::core::base::sorting::sort_by_key;
use crate::core::task::hidden::{is_mark, is_of_project};
use crate::core::text::format::{SECRETS, WITHOUT_EXTENSION};
use crate::core::text::secret_files::{is_folder_of_secrets, is_in_folder_of_secrets};

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
/// What programs put into folders for themselves: `.gitkeep`.
const MARK: &str = "marks of programs";
/// Where hadal itself keeps its tasks, indexes and reserves.
pub(crate) const OWN: &str = "folder with data of hadal";
/// Links are not followed.
pub(crate) const LINK: &str = "link";
const ASKED: [&str; 12] = [
    HIDDEN,
    EXCLUDED,
    IGNORED,
    MADE_BY_TOOLS,
    SOURCE_OF_PAGE,
    MARK,
    OWN,
    LINK,
    HIDDEN_FOLDER,
    EXCLUDED_FOLDER,
    IGNORED_FOLDER,
    MADE_FOLDER,
];
/// Folders that are left out as a whole: nobody counts what is in them.
const HIDDEN_FOLDER: &str = "hidden folder";
const EXCLUDED_FOLDER: &str = "excluded folder";
const IGNORED_FOLDER: &str = "folder ignored by .gitignore";
const MADE_FOLDER: &str = "folder made by tools";
const SECRET_FOLDER: &str = "folder of secrets";
const FOLDERS: [(&str, &str); 6] = [
    (HIDDEN, HIDDEN_FOLDER),
    (EXCLUDED, EXCLUDED_FOLDER),
    (IGNORED, IGNORED_FOLDER),
    (MADE_BY_TOOLS, MADE_FOLDER),
    (SECRETS, SECRET_FOLDER),
    (OWN, OWN),
];
/// Pipes and sockets hold no documents.
pub(crate) const SPECIAL: &str = "pipe, socket or device";
/// Files of archives whose names begin at the top or lead out of the folder: `/etc/hosts`, `../x.md`.
pub(crate) const OUTSIDE: &str = "named outside of its archive";
/// How the kinds beyond these are called.
const OTHERS: &str = "other kinds";

/// Folders that hold what tools made of other files, or of what is no file at all.
const MADE_FOLDERS: [&str; 4] = ["node_modules", "target", ".git", "__MACOSX"];

/// Why a file or folder is left out by its path below the root, with `/`, and by what the user of the root chose; the folders above it are judged
/// before it.
pub(crate) fn left_out(path: &str, is_folder: bool, hidden: bool, excluded: &IgnoreList) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or_default();
    if is_folder && MADE_FOLDERS.contains(&name) {
        return Some(MADE_BY_TOOLS);
    }
    if hidden && is_folder && is_folder_of_secrets(path) {
        return Some(SECRETS);
    }
    if !is_folder && is_lock_of_office(name) {
        return Some(MARK);
    }
    if !hidden && name.starts_with('.') && !is_of_project(name, is_folder) {
        return Some(if is_mark(name) { MARK } else { HIDDEN });
    }
    if !is_folder && is_in_folder_of_secrets(path) {
        return Some(SECRETS);
    }
    (!excluded.is_empty() && excluded.leaves_out(path, is_folder) == Some(true)).then_some(EXCLUDED)
}

/// Whether it tells an office program that a document is open: `~$report.docx`, `.~lock.report.odt#`.
fn is_lock_of_office(name: &str) -> bool {
    name.starts_with("~$") || name.starts_with(".~lock.") && name.ends_with('#')
}

/// The same for a file with all folders above it.
pub(crate) fn left_out_on_the_way(file: &str, hidden: bool, excluded: &IgnoreList) -> Option<&'static str> {
    let mut folders = file.match_indices('/').filter_map(|(at, _)| file.get(..at));
    let above = folders.find_map(|folder| left_out(folder, true, hidden, excluded));
    above.or_else(|| left_out(file, false, hidden, excluded))
}

/// How many files were left out, by kind: an extension, or why. A folder that is left out as a whole counts as that: what is in it is not looked at.
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

    /// Counts a folder that is left out as a whole for this reason.
    pub(crate) fn count_folder(&mut self, why: &str) {
        let kind = FOLDERS.iter().find(|(reason, _)| *reason == why).map_or(why, |(_, kind)| *kind);
        self.count(kind);
    }

    pub(crate) fn add(&mut self, other: Self) {
        other.0.into_iter().for_each(|(kind, files)| self.add_files(&kind, files));
    }

    fn add_files(&mut self, kind: &str, files: u64) {
        // `notes.` ends with nothing.
        let kind = if kind.is_empty() { WITHOUT_EXTENSION } else { kind };
        let is_counted = self.0.contains_key(kind) || ASKED.contains(&kind) || self.0.len() < KINDS;
        let kind = if is_counted { kind } else { OTHERS };
        *self.0.entry(kind.to_owned()).or_default() += files;
    }

    /// Those that nobody asked to leave out.
    pub(crate) fn unasked(&self) -> Self {
        Self(self.0.iter().filter(|(kind, _)| !ASKED.contains(&kind.as_str())).map(|(k, n)| (k.clone(), *n)).collect())
    }

    /// Those that an answer tells of: what nobody asked to leave out, and what is hidden, for whoever asks may not know of it.
    pub(crate) fn told(&self) -> Self {
        let is_told = |kind: &str| [HIDDEN, HIDDEN_FOLDER].contains(&kind) || !ASKED.contains(&kind);
        Self(self.0.iter().filter(|(kind, _)| is_told(kind)).map(|(k, n)| (k.clone(), *n)).collect())
    }

    pub(crate) fn has_hidden(&self) -> bool {
        [HIDDEN, HIDDEN_FOLDER].iter().any(|kind| self.0.contains_key(*kind))
    }

    fn folders(&self) -> u64 {
        self.0.iter().filter(|(kind, _)| is_folder_kind(kind)).map(|(_, folders)| *folders).sum()
    }

    fn files(&self) -> u64 {
        self.0.iter().filter(|(kind, _)| !is_folder_kind(kind)).map(|(_, files)| *files).sum()
    }

    /// `7 files and 2 folders`.
    fn amount(&self) -> String {
        let (files, folders) = (self.files(), self.folders());
        let both = [(files, "file", "files"), (folders, "folder", "folders")];
        let some =
            both.into_iter().filter(|(count, _, _)| *count > 0).map(|(count, one, many)| counted(count, one, many));
        some.collect::<Vec<_>>().join(" and ")
    }
}

fn is_folder_kind(kind: &str) -> bool {
    FOLDERS.iter().any(|(_, folder)| *folder == kind)
}

/// `4 png`, `2 hidden folders`.
fn of_kind(kind: &str, count: u64) -> String {
    match is_folder_kind(kind) && count != 1 {
        true => format!("{count} {}", kind.replacen("folder", "folders", 1)),
        false => format!("{count} {kind}"),
    }
}

/// `7 files and 1 folder not read (4 png, 2 hidden, 1 hidden folder, 1 zip)`.
impl fmt::Display for SkippedFiles {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut kinds: Vec<(&String, &u64)> = self.0.iter().filter(|(kind, _)| *kind != OTHERS).collect();
        sort_by_key(&mut kinds, |(_, files)| std::cmp::Reverse(**files));
        let others = self.0.get(OTHERS).copied().unwrap_or_default();
        let rest = kinds.iter().skip(NAMED).map(|(_, files)| **files).sum::<u64>() + others;
        let mut named: Vec<String> = kinds.iter().take(NAMED).map(|(kind, count)| of_kind(kind, **count)).collect();
        if rest > 0 {
            named.push(format!("{rest} of other kinds"));
        }
        write!(to, "{} not read ({})", self.amount(), named.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_rule_says_what_is_left_out() {
        let excluded = IgnoreList::of_patterns(&["out/".to_owned(), "*.log".to_owned(), "!keep.log".to_owned()]);
        for (path, hidden, expected) in [
            ("a.md", false, None),
            ("deep/a.md", false, None),
            (".a.md", false, Some(HIDDEN)),
            (".a.md", true, None),
            (".config/a.md", false, Some(HIDDEN)),
            (".config/a.md", true, None),
            (".git/a.md", false, Some(MADE_BY_TOOLS)),
            (".ssh/config", false, Some(HIDDEN)),
            (".ssh/config", true, Some(SECRETS)),
            ("home/.config/gh/hosts.yml", true, Some(SECRETS)),
            ("gh/hosts.yml", true, None),
            (".github/workflows/ci.yml", false, None),
            ("deploy/secrets/database.yml", false, Some(SECRETS)),
            ("deploy/secrets/README.md", false, None),
            ("deep/.github/PULL_REQUEST_TEMPLATE.md", false, None),
            (".github/.cache/a.yml", false, Some(HIDDEN)),
            (".readthedocs.yaml", false, None),
            (".gitkeep", false, Some(MARK)),
            (".gitignore", false, Some(MARK)),
            (".gitignore", true, None),
            ("~$report.docx", false, Some(MARK)),
            ("deep/.~lock.report.odt#", true, Some(MARK)),
            ("~$folder/a.md", false, None),
            (".travis.yml/a.md", false, Some(HIDDEN)),
            (".circleci/out/a.md", false, Some(EXCLUDED)),
            (".git/a.md", true, Some(MADE_BY_TOOLS)),
            ("deep/.git/refs/a.md", true, Some(MADE_BY_TOOLS)),
            ("deep/node_modules/a.md", false, Some(MADE_BY_TOOLS)),
            ("target/a.md", true, Some(MADE_BY_TOOLS)),
            ("target", false, None),
            ("__MACOSX/a.md", false, Some(MADE_BY_TOOLS)),
            ("out/a.md", false, Some(EXCLUDED)),
            ("deep/out/er/a.md", false, Some(EXCLUDED)),
            ("out", false, None),
            ("deep/a.log", false, Some(EXCLUDED)),
            ("deep/keep.log", false, None),
        ] {
            assert_eq!(left_out_on_the_way(path, hidden, &excluded), expected, "{path} {hidden}");
        }
    }

    #[test]
    fn what_is_left_out_is_counted_by_kind() {
        let mut skipped = SkippedFiles::default();
        ["png", "zip", "png"].into_iter().for_each(|kind| skipped.count(kind));
        assert_eq!(skipped.to_string(), "3 files not read (2 png, 1 zip)");
        let mut odd = SkippedFiles::default();
        ["", SPECIAL, OUTSIDE, LINK].into_iter().for_each(|kind| odd.count(kind));
        let told = "3 files not read (1 named outside of its archive, 1 no extension, 1 pipe, socket or device)";
        assert_eq!(odd.told().to_string(), told);
        (0..100).for_each(|kind| skipped.count(&format!("k{kind}")));
        assert_eq!((skipped.0.len(), skipped.files()), (KINDS + 1, 103));
        assert!(skipped.to_string().ends_with(" of other kinds)"), "{skipped}");
        (0..50).for_each(|_| skipped.count(HIDDEN));
        assert_eq!(skipped.0.get(HIDDEN), Some(&50), "why files are left out is always told");
        let told = skipped.to_string();
        assert!(
            told.starts_with("153 files not read (50 hidden, 2 png, ") && told.matches("other kinds").count() == 1,
            "{told}"
        );
    }

    /// LB-01: a folder that is left out is called a folder, whatever is in it.
    #[test]
    fn lb_01_folders_that_are_left_out_are_counted_as_folders() {
        // What is left out, as a folder or as a file; what is said of all, what is told with an answer.
        type Row<'a> = (&'a [(&'a str, bool)], &'a str, &'a str);
        let table: [Row<'_>; 6] = [
            (&[(HIDDEN, true)], "1 folder not read (1 hidden folder)", "1 folder not read (1 hidden folder)"),
            (
                &[(HIDDEN, true), (HIDDEN, true)],
                "2 folders not read (2 hidden folders)",
                "2 folders not read (2 hidden folders)",
            ),
            (
                &[(HIDDEN, false), (MADE_BY_TOOLS, true)],
                "1 file and 1 folder not read (1 folder made by tools, 1 hidden)",
                "1 file not read (1 hidden)",
            ),
            (
                &[(IGNORED, true), (IGNORED, true), ("png", false)],
                "1 file and 2 folders not read (2 folders ignored by .gitignore, 1 png)",
                "1 file not read (1 png)",
            ),
            (
                &[(SECRETS, true), (SECRETS, false)],
                "1 file and 1 folder not read (1 folder of secrets, 1 secrets)",
                "1 file and 1 folder not read (1 folder of secrets, 1 secrets)",
            ),
            (
                &[(OWN, true), (EXCLUDED, true)],
                "2 folders not read (1 excluded folder, 1 folder with data of hadal)",
                "",
            ),
        ];
        for (left_out, said, told) in table {
            let mut skipped = SkippedFiles::default();
            for (why, is_folder) in left_out {
                if *is_folder { skipped.count_folder(why) } else { skipped.count(why) }
            }
            assert_eq!(skipped.to_string(), said);
            let shown = Some(skipped.told()).filter(|told| !told.is_empty()).map(|told| told.to_string());
            assert_eq!(shown.unwrap_or_default(), told);
            assert_eq!(skipped.has_hidden(), left_out.iter().any(|(why, _)| *why == HIDDEN));
        }
        let mut mount = SkippedFiles::default();
        [HIDDEN, MADE_BY_TOOLS].into_iter().for_each(|why| mount.count_folder(why));
        assert!(mount.unasked().is_empty());
    }
}
