//! The promises of the texts and the tests that try to break them: the table in `docs/promises.md`. A test that is named there and does not exist, and
//! an invariant without a row, are promises without evidence.

use std::collections::BTreeSet;

use super::source::Source;

/// A row: what is promised, and what holds it.
pub(super) struct Promise {
    pub(super) text: String,
    pub(super) held_by: Vec<String>,
}

/// Reads the rows below the headings of the tables.
pub(super) fn table(text: &str) -> Vec<Promise> {
    let rows = text.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | "));
    rows.filter(|(promise, _)| *promise != "promise")
        .map(|(promise, held_by)| {
            let held_by = held_by.split(", ").map(|name| name.trim_matches('`').to_owned());
            Promise { text: promise.to_owned(), held_by: held_by.filter(|name| !name.is_empty()).collect() }
        })
        .collect()
}

/// The list below the heading `## Invariants`, each in one line.
pub(super) fn invariants(architecture: &str) -> Vec<String> {
    let section = architecture.split("\n## ").find_map(|section| section.strip_prefix("Invariants\n"));
    let mut found: Vec<String> = Vec::new();
    for line in section.unwrap_or_default().lines() {
        match (line.strip_prefix("- "), line.strip_prefix("  "), found.last_mut()) {
            (Some(first), _, _) => found.push(first.to_owned()),
            (None, Some(further), Some(last)) => *last = format!("{last} {}", further.trim()),
            (None, _, _) => {}
        }
    }
    found
}

/// What is wrong between the table, the invariants, the tests and the lints of `Cargo.toml`.
pub(super) fn check(table: &[Promise], invariants: &[String], sources: &[Source], manifest: &str) -> Vec<String> {
    let tests: BTreeSet<String> = sources
        .iter()
        .flat_map(|source| {
            let tests = source.functions.iter().filter(|function| function.is_test);
            tests.map(|test| format!("{}::{}", source.path, test.name))
        })
        .collect();
    let is_there = |name: &str| match name.strip_prefix("lint:") {
        Some(lint) => manifest.lines().any(|line| line == format!("{lint} = \"deny\"")),
        None => tests.contains(name),
    };
    let mut problems = Vec::new();
    for promise in table {
        if promise.held_by.is_empty() {
            problems.push(format!("nothing holds the promise `{}`", promise.text));
        }
        let missing = promise.held_by.iter().filter(|name| !is_there(name));
        problems.extend(missing.map(|name| format!("there is no `{name}`, which is to hold `{}`", promise.text)));
    }
    let has_row = |invariant: &&String| !table.iter().any(|promise| invariant.starts_with(&promise.text));
    problems
        .extend(invariants.iter().filter(has_row).map(|invariant| format!("no row for the invariant `{invariant}`")));
    problems
}

#[cfg(test)]
mod tests {
    use super::super::source;
    use super::*;

    const TABLE: &str =
        "| promise | held by |\n|---|---|\n| Nothing is lost | `src/a.rs::nothing_is_lost`, `lint:todo` |\n";
    const ARCHITECTURE: &str =
        "# A\n\n## Invariants\n\nText.\n\n- Nothing is lost, whatever\n  happens.\n\n## Gates\n\n- no invariant\n";
    const SOURCE: &str = "#[test]\nfn nothing_is_lost() {}\nfn no_test() {}\n";

    fn problems(table_text: &str, architecture: &str) -> Vec<String> {
        let sources = [source::read("src/a.rs", SOURCE).unwrap()];
        check(&table(table_text), &invariants(architecture), &sources, "[lints]\ntodo = \"deny\"\n")
    }

    #[test]
    fn what_is_held_passes() {
        assert_eq!(invariants(ARCHITECTURE), ["Nothing is lost, whatever happens."]);
        assert_eq!(problems(TABLE, ARCHITECTURE), Vec::<String>::new());
    }

    #[test]
    fn a_promise_without_evidence_is_found() {
        for (table, architecture, want) in [
            (
                TABLE.replace("nothing_is_lost`", "something_else`"),
                ARCHITECTURE.to_owned(),
                "there is no `src/a.rs::something_else`",
            ),
            (TABLE.replace("nothing_is_lost`", "no_test`"), ARCHITECTURE.to_owned(), "there is no `src/a.rs::no_test`"),
            (TABLE.replace("lint:todo", "lint:unused"), ARCHITECTURE.to_owned(), "there is no `lint:unused`"),
            ("| promise | held by |\n| Nothing is lost |  |\n".to_owned(), ARCHITECTURE.to_owned(), "nothing holds"),
            (TABLE.to_owned(), ARCHITECTURE.replace("Nothing is", "Money is never"), "no row for the invariant `Money"),
        ] {
            let found = problems(&table, &architecture);
            assert!(found.iter().any(|problem| problem.contains(want)), "{want}: {found:?}");
        }
    }
}
