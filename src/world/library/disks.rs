//! Disks that are mounted in folders of a root. One that goes leaves an empty folder behind, or none: its documents were not deleted.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::kept::absence;
use super::roots::{Marker, Target};
use super::scan::{Seen, problem};
use crate::core::base::error::{Code, Error, Problem};

/// The disks of a root, by their folders below it, with `/`.
#[derive(Debug, Default)]
pub(super) struct Disks {
    /// Those that are mounted and have documents.
    pub(super) here: Vec<String>,
    /// Those that had documents at an earlier look and are not mounted now.
    pub(super) away: Vec<String>,
}

impl Disks {
    /// What is mounted below a root in which these documents are, by the system's table, and what has gone since the last look.
    pub(super) fn of(target: &Target, seen: &[Seen], before: &Marker, table: Option<&[u8]>) -> Self {
        // Where the system does not tell, nothing was known before either.
        let Some(table) = table else { return Self::default() };
        let mounted = below(&target.path, table);
        let away = missing(&target.path, &before.disks, &mounted);
        let mut here = BTreeSet::new();
        if !mounted.is_empty() {
            let folders = seen.iter().flat_map(|seen| Path::new(&seen.path).ancestors().skip(1));
            here.extend(folders.filter_map(Path::to_str).filter(|folder| mounted.contains(*folder)));
        }
        Self { here: here.into_iter().map(str::to_owned).collect(), away }
    }

    pub(super) fn all(&self) -> Vec<String> {
        self.here.iter().chain(&self.away).cloned().collect()
    }
}

/// Those of a root's disks that are away at the moment, where the system tells what is mounted.
pub(super) fn away_now(root: &Path, disks: &[String], table: Option<&[u8]>) -> Vec<String> {
    match table {
        Some(table) if !disks.is_empty() => missing(root, disks, &below(root, table)),
        Some(_) | None => Vec::new(),
    }
}

fn missing(root: &Path, disks: &[String], mounted: &BTreeSet<String>) -> Vec<String> {
    let is_away = |disk: &&String| !mounted.contains(*disk) && absence(&root.join(disk)).is_some();
    disks.iter().filter(is_away).cloned().collect()
}

/// Whether a document, or a file in an archive, lies on a disk.
pub(super) fn is_on(disk: &str, path: &str) -> bool {
    path.strip_prefix(disk).is_some_and(|below| below.starts_with('/'))
}

/// What is told of a disk that is away, at every look until it comes back.
pub(super) fn away(target: &Target, disk: &str, files: usize) -> Problem {
    let path = target.path.join(disk);
    let kept = match files {
        0 => "nothing of it is searched".to_owned(),
        1 => "1 file of it is searched as it was indexed".to_owned(),
        _ => format!("{files} files of it are searched as they were indexed"),
    };
    let error = Error::new(Code::LibraryUnreadable, format!("the disk in `{}` is not mounted; {kept}", path.display()))
        .hint("mount it")
        .hint(format!("if it is not to come back, run `hadal library add {}`", target.text));
    problem(&path, error)
}

/// The folders below a root where something is mounted, by a table as in `/proc/self/mountinfo`: the fifth field of each line.
fn below(root: &Path, table: &[u8]) -> BTreeSet<String> {
    let points = table.split(|byte| *byte == b'\n').filter_map(|line| line.split(|byte| *byte == b' ').nth(4));
    let paths = points.filter_map(|point| Some(PathBuf::from(String::from_utf8(unescaped(point)).ok()?)));
    let inside = paths.filter_map(|path| Some(path.strip_prefix(root).ok()?.to_str()?.to_owned()));
    inside.filter(|below| !below.is_empty()).collect()
}

/// Spaces, tabs, line ends and backslashes stand in the table as three octal digits.
fn unescaped(field: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((first, behind)) = rest.split_first() {
        let code = behind.get(..3).and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 8).ok());
        match code.filter(|_| *first == b'\\') {
            Some(code) => {
                bytes.push(code);
                rest = behind.get(3..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_disks_are_told_by_the_table_of_mounts() {
        let line = |point: &str| format!("36 35 8:1 / {point} rw,noatime shared:1 - ext4 /dev/sdb1 rw\n");
        for (points, want) in [
            (vec!["/", "/docs", "/docs2/disk", "/elsewhere"], vec![]),
            (vec!["/docs/disk", "/docs/deep/er"], vec!["deep/er", "disk"]),
            (vec![r"/docs/my\040disk", r"/docs/a\134b", r"/docs/end\04"], vec![r"a\b", r"end\04", "my disk"]),
            (vec!["/docs/disk", "/docs/disk"], vec!["disk"]),
        ] {
            let table: String = points.iter().copied().map(line).collect();
            let found: Vec<_> = below(Path::new("/docs"), table.as_bytes()).into_iter().collect();
            assert_eq!(found, want, "{points:?}");
        }
        assert_eq!(below(Path::new("/docs"), b"36 35\n\n\xff \xff \xff \xff \xff"), BTreeSet::new());
    }

    #[test]
    fn what_lies_on_a_disk_is_told_by_its_path() {
        for (disk, path, is) in [
            ("disk", "disk/a.md", true),
            ("disk", "disk/a.tar!b.md", true),
            ("disk", "disk2/a.md", false),
            ("disk", "disk", false),
            ("a/disk", "a/disk/b/c.md", true),
            ("a/disk", "disk/b", false),
        ] {
            assert_eq!(is_on(disk, path), is, "{disk} {path}");
        }
    }
}
