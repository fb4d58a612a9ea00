//! Requirement ids: the table in `docs/requirements.md`, what `docs/requirements-done.txt` marks as done, and the tests that
//! name them. A mark without a test is a claim without evidence.

use std::collections::{BTreeMap, BTreeSet};

use super::source::Source;

/// The table: every id and the letter of its section.
pub(super) type Table = BTreeMap<String, char>;

/// Reads the rows `| DS-01 | … |` below headings `## A. …`.
pub(super) fn table(text: &str) -> Result<Table, String> {
    let mut table = Table::new();
    let mut section = None;
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            section = heading.split_once(". ").and_then(|(letter, _)| letter.parse::<char>().ok());
        }
        let first = line.strip_prefix('|').and_then(|row| row.split('|').next()).map(str::trim);
        if let Some(id) = first.filter(|cell| is_id(cell)) {
            let section = section.ok_or_else(|| format!("`{id}` stands in no section `## A. …`"))?;
            if table.insert(id.to_owned(), section).is_some() {
                return Err(format!("`{id}` stands twice in the table"));
            }
        }
    }
    if table.is_empty() { Err("the table of requirements is empty".to_owned()) } else { Ok(table) }
}

/// Reads the marks: one id (`DS-01`) or section (`section A`) a line, `#` begins a comment.
pub(super) fn done(text: &str, table: &Table) -> Result<BTreeSet<String>, String> {
    let mut done = BTreeSet::new();
    for line in text.lines() {
        let mark = line.split('#').next().unwrap_or_default().trim();
        let letter = mark.strip_prefix("section ").and_then(|letter| letter.parse::<char>().ok());
        let ids: Vec<&String> = match letter {
            Some(letter) => table.iter().filter(|(_, section)| **section == letter).map(|(id, _)| id).collect(),
            None => table.keys().filter(|id| *id == mark).collect(),
        };
        if ids.is_empty() && !mark.is_empty() {
            return Err(format!("`{mark}` is neither an id of the table nor `section` and a letter of it"));
        }
        done.extend(ids.into_iter().cloned());
    }
    Ok(done)
}

/// What is wrong between table, marks and tests.
pub(super) fn check(table: &Table, done: &BTreeSet<String>, sources: &[Source]) -> Vec<String> {
    let mut named = BTreeSet::new();
    let mut problems = Vec::new();
    for source in sources {
        for test in source.functions.iter().filter(|function| function.is_test) {
            for id in in_docs(&test.docs).into_iter().chain(in_name(&test.name, table)) {
                if !table.contains_key(&id) {
                    let place = format!("{}:{}", source.path, test.line);
                    problems.push(format!("{place}: `{id}` is not in docs/requirements.md"));
                }
                named.insert(id);
            }
        }
    }
    problems.extend(done.difference(&named).map(|id| format!("`{id}` is marked as done, but no test names it")));
    problems
}

/// Two capitals, a hyphen, two digits.
fn is_id(word: &str) -> bool {
    match word.as_bytes() {
        [a, b, b'-', c, d] => {
            a.is_ascii_uppercase() && b.is_ascii_uppercase() && c.is_ascii_digit() && d.is_ascii_digit()
        }
        _ => false,
    }
}

fn in_docs(docs: &str) -> Vec<String> {
    let words = docs.split(|c: char| !c.is_alphanumeric() && c != '-');
    words.filter(|word| is_id(word)).map(str::to_owned).collect()
}

/// Ids in a function's name, `ds_01_stops`. Only prefixes of the table count: `of_10_files` is English.
fn in_name(name: &str, table: &Table) -> Vec<String> {
    let words: Vec<String> = name.split('_').map(str::to_uppercase).collect();
    let pairs = words.windows(2).filter_map(|pair| match pair {
        [prefix, number] => Some(format!("{prefix}-{number}")),
        _ => None,
    });
    let known = |id: &String| is_id(id) && table.keys().any(|other| other.split('-').next() == id.split('-').next());
    pairs.filter(known).collect()
}

#[cfg(test)]
mod tests {
    use super::super::source::read;
    use super::*;

    const TABLE: &str =
        "## A. One\n\n| id | requirement |\n|---|---|\n| DS-01 | a |\n| DS-02 | b |\n\n## F. Two\n| EV-01 | c |\n";

    fn problems(marks: &str, test: &str) -> Vec<String> {
        let table = table(TABLE).unwrap();
        let done = done(marks, &table).unwrap();
        check(&table, &done, &[read("tests/it/x.rs", test).unwrap()])
    }

    #[test]
    fn a_mark_needs_a_test_that_names_it() {
        assert_eq!(problems("# none\n", ""), [""; 0]);
        assert_eq!(problems("DS-01 # why\n", ""), ["`DS-01` is marked as done, but no test names it"]);
        assert_eq!(problems("DS-01\n", "#[test] fn ds_01_stops_at_once() {}"), [""; 0]);
        assert_eq!(problems("DS-01\n", "/// DS-01, EV-01: stops.\n#[tokio::test] async fn stops() {}"), [""; 0]);
        assert_eq!(
            problems("section A\n", "#[test] fn ds_01() {}"),
            ["`DS-02` is marked as done, but no test names it"]
        );
    }

    #[test]
    fn only_tests_count() {
        let missing = ["`DS-01` is marked as done, but no test names it"];
        for text in
            ["/// DS-01\nfn helper() {}", "fn ds_01() {}", "// DS-01\n#[test] fn f() {}", "#[test] fn ds_011() {}"]
        {
            assert_eq!(problems("DS-01\n", text), missing, "{text}");
        }
    }

    #[test]
    fn a_test_names_no_id_that_is_not_there() {
        assert_eq!(problems("", "#[test] fn ds_09() {}"), ["tests/it/x.rs:1: `DS-09` is not in docs/requirements.md"]);
        assert_eq!(
            problems("", "/// QQ-01: x\n#[test] fn f() {}"),
            ["tests/it/x.rs:2: `QQ-01` is not in docs/requirements.md"]
        );
        assert_eq!(problems("", "/// As of UTF-16, RFC-01.\n#[test] fn of_10_files() {}"), [""; 0]);
    }

    #[test]
    fn broken_tables_and_marks_are_refused() {
        assert!(table("nothing").unwrap_err().contains("empty"));
        assert!(table("## A. x\n| DS-01 | a |\n| DS-01 | b |").unwrap_err().contains("twice"));
        assert!(table("| DS-01 | a |").unwrap_err().contains("no section"));
        let table = table(TABLE).unwrap();
        for mark in ["DS-07", "section Q", "everything", "DS-01 DS-02"] {
            assert!(done(mark, &table).unwrap_err().contains(mark), "{mark}");
        }
    }
}
