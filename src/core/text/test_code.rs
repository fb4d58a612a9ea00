//! Files that try what others define: tests have the names of everything, and explain little.

use crate::core::base::rows::is_listed;
use crate::core::language::identifiers::at_capitals;
use crate::core::language::words::words;

const FOLDERS: &str = "__tests__ spec specs test testing tests testdata";
const MARKS: [&str; 3] = ["test", "tests", "spec"];

/// Whether a file of source code is one of these, by its path below the root: `tests/rows.rs`, `test_rows.py`, `rows.spec.ts`, `RowsTest.java`.
pub(crate) fn is_test(path: &str) -> bool {
    let mut parts = path.split(['/', '!']).rev();
    // The kind of the file says nothing.
    let (stem, _) = parts.next().and_then(|name| name.rsplit_once('.')).unwrap_or_default();
    let stems: Vec<String> = stem
        .split(['.', '_', '-'])
        .flat_map(|part| Some(at_capitals(part)).filter(|humps| !humps.is_empty()).unwrap_or_else(|| vec![part]))
        .map(str::to_lowercase)
        .collect();
    let ends = [stems.first(), stems.last()].into_iter().flatten().any(|part| MARKS.contains(&part.as_str()));
    (ends && stems.len() > 1) || parts.any(|folder| is_listed(FOLDERS, &folder.to_lowercase()))
}

/// Whether a question is about them.
pub(crate) fn asks_for_tests(question: &str) -> bool {
    words(question).any(|word| word.starts_with("test") || word == "spec")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_known_by_name() {
        for path in [
            "tests/rows.rs",
            "a/test_rows.py",
            "src/rows_test.go",
            "rows.spec.ts",
            "src/__tests__/a.js",
            "rows.test.js",
            "src/RowsTest.java",
            "Rows/RowTests.cs",
            "RowsSpec.kt",
            "TestRows.java",
        ] {
            assert!(is_test(path), "{path}");
        }
        for path in [
            "src/rows.rs",
            "test.md",
            "latest.py",
            "contest/a.rs",
            "docs/testing.html",
            "src/spec.rs",
            "src/Latest.java",
            "src/Contest.cs",
        ] {
            assert!(!is_test(path), "{path}");
        }
        assert!(asks_for_tests("Which test covers rows?") && !asks_for_tests("What is the latest row?"));
    }
}
