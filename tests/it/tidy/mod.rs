//! The rules of the house, run over the project's own sources: size rules that stand only in prose are broken
//! everywhere, rules that a test runs are kept.

mod circles;
mod promises;
mod requirements;
mod rules;
mod source;

use std::fs;
use std::path::Path;

use source::Source;

/// Where Rust files of the project stand.
const FOLDERS: [&str; 4] = ["src", "sim", "tests", "benches"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text_of(path: &str) -> String {
    fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}")).unwrap()
}

/// Every Rust file of the project. A file that cannot be read is a failure, not a gap.
fn sources() -> Vec<Source> {
    let files = FOLDERS.iter().flat_map(|folder| walkdir::WalkDir::new(root().join(folder)).sort_by_file_name());
    let paths = files.map(Result::unwrap).map(walkdir::DirEntry::into_path);
    let rust = paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    rust.map(|path| {
        let below = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
        source::read(&below, &text_of(&below)).unwrap()
    })
    .collect()
}

#[test]
fn the_project_keeps_the_rules_of_the_house() {
    let sources = sources();
    for known in ["src/lib.rs", "src/core/mod.rs", "sim/src/lib.rs", "tests/it/tidy/mod.rs"] {
        assert!(sources.iter().any(|source| source.path == known), "{known} was not looked at");
    }
    let mut found: Vec<String> = sources.iter().flat_map(rules::check).collect();
    found.extend(circles::check(&sources));
    assert!(found.is_empty(), "{} rules broken:\n{}", found.len(), found.join("\n"));
}

#[test]
fn requirements_marked_as_done_have_a_test() {
    let table = requirements::table(&text_of("docs/requirements.md")).unwrap();
    let done = requirements::done(&text_of("docs/requirements-done.txt"), &table).unwrap();
    let problems = requirements::check(&table, &done, &sources());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_promise_has_a_test() {
    let table = promises::table(&text_of("docs/promises.md"));
    let invariants = promises::invariants(&text_of("ARCHITECTURE.md"));
    assert!(table.len() > 60 && invariants.len() > 25, "{} promises, {} invariants", table.len(), invariants.len());
    let problems = promises::check(&table, &invariants, &sources(), &text_of("Cargo.toml"));
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
