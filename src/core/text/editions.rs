//! Editions of one document: `policy-2024.md` and `policy-2026.md`, `sop-v2 (superseded).docx` and `sop-v3.docx`. What held once is seldom what is
//! asked for.

use crate::core::language::words::words;

/// Words of a name that say that what it names holds no longer.
const SUPERSEDED: &[&str] = &[
    "deprecated",
    "obsolete",
    "outdated",
    "superseded",
    "veraltet",
    "veraltete",
    "veralteter",
    "veraltetes",
    "withdrawn",
    "überholt",
];

/// Whether a path or a title says so.
pub(crate) fn is_superseded(name: &str) -> bool {
    words(name).any(|word| SUPERSEDED.contains(&word.as_str()))
}

/// Whether one path is that of a later edition than the other: they differ by their numbers alone, or by what says that one holds no longer.
pub(crate) fn is_later(one: &str, other: &str) -> bool {
    let (one_name, one_numbers) = parts(one);
    let (other_name, other_numbers) = parts(other);
    one_name == other_name
        && match (is_superseded(one), is_superseded(other)) {
            (false, true) => true,
            (true, false) => false,
            _ => one_numbers.len() == other_numbers.len() && one_numbers > other_numbers,
        }
}

/// Whether two headings are those of one section in two editions: but for their numbers they are the same.
pub(crate) fn is_same_section(one: &str, other: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    one == other || letters(one) == letters(other)
}

/// Words before the number of an edition.
const BEFORE: &[&str] = &["ed", "edition", "issue", "r", "rev", "revision", "v", "ver", "version"];

/// The words of a path, and its years and the numbers of its edition. Other numbers are a part of its name: chapter 3 is no edition of chapter 2.
fn parts(path: &str) -> (Vec<String>, Vec<u64>) {
    let (mut name, mut years, mut editions) = (Vec::<String>::new(), Vec::new(), Vec::new());
    let lower = path.to_lowercase();
    let runs = lower.split(|c: char| !c.is_alphanumeric()).flat_map(letters_and_digits);
    for run in runs.filter(|run| !run.is_empty() && !SUPERSEDED.contains(run)) {
        match run.parse::<u64>() {
            Ok(year) if (1900..2100).contains(&year) => years.push(year),
            Ok(edition) if name.last().is_some_and(|word| BEFORE.contains(&word.as_str())) => editions.push(edition),
            Ok(_) | Err(_) => name.push(run.to_owned()),
        }
    }
    (name, [years, editions].concat())
}

/// `v3` as `v` and `3`.
fn letters_and_digits(run: &str) -> [&str; 2] {
    let (letters, digits) = run.split_at(run.trim_end_matches(|c: char| c.is_ascii_digit()).len());
    [letters, digits]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_later_editions_are_known() {
        for (one, other, later) in [
            ("policy-2026.md", "policy-2024.md", true),
            ("policy-2024.md", "policy-2026.md", false),
            ("sop-v3.md", "sop-v2 (superseded).md", true),
            ("sop-v2 (superseded).md", "sop-v3.md", false),
            ("a/rules v3.txt", "a/rules v2.txt", true),
            ("a/rules, version 10.txt", "a/rules, version 9.txt", true),
            ("a/rules 2026.txt", "a/rules 2025.txt", true),
            ("chapter-3.md", "chapter-2.md", false),
            ("12.md", "11.md", false),
            ("policy-2026.md", "price-2024.md", false),
            ("policy-2026.md", "policy.md", false),
            ("policy.md", "policy.md", false),
        ] {
            assert_eq!(is_later(one, other), later, "{one}, {other}");
        }
        assert!(is_same_section("Rules 2025", "Rules 2026") && !is_same_section("Rules 2025", "Cups 2025"));
    }
}
