//! Finds the programs of this crate for the tests that run them.
//!
//! Cargo builds the binaries of a package only for its own integration tests, and tells no other package where they are. So the
//! program beside the test is taken if it is newer than everything it is made of, and Cargo is asked to build it otherwise.
//! That holds for `cargo test` (one process, many tests) as for runners that start a process for every test: only the first
//! of them waits for Cargo.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// Programs that need a feature of this crate, so that the others are built without what it brings.
const FEATURES: [(&str, &str); 1] = [("bare-rmcp", "bare-rmcp")];

static BUILT: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());

/// The path of a program of `sim/src/bin`, built if need be.
///
/// # Panics
/// When the program cannot be built; its test could not go on anyway.
#[must_use]
pub fn program(name: &str) -> PathBuf {
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    built.entry(name.to_owned()).or_insert_with(|| fresh(name).unwrap_or_else(|| build(name))).clone()
}

/// The program in the directory above that of the test, if it is up to date.
fn fresh(name: &str) -> Option<PathBuf> {
    let test = std::env::current_exe().ok()?;
    let program = test.parent()?.parent()?.join(name);
    let built = program.metadata().ok()?.modified().ok()?;
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let parts = [package.join("src"), package.join("Cargo.toml"), package.with_file_name("Cargo.lock")];
    parts.iter().all(|part| changed(part).is_some_and(|time| time < built)).then_some(program)
}

/// When a file, or anything in a directory, was changed last.
fn changed(path: &Path) -> Option<SystemTime> {
    if !path.is_dir() {
        return path.metadata().ok()?.modified().ok();
    }
    std::fs::read_dir(path).ok()?.flatten().map(|entry| changed(&entry.path())).max()?
}

#[expect(clippy::disallowed_methods, clippy::expect_used, reason = "part of the tests, not of hadal")]
fn build(name: &str) -> PathBuf {
    let begun = SystemTime::now();
    let feature = FEATURES.iter().find(|(program, _)| *program == name);
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--quiet", "--offline", "--message-format=json", "--bin", name])
        .args(feature.iter().flat_map(|(_, feature)| ["--features", *feature]))
        .arg("--manifest-path")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .stdin(Stdio::null())
        .output()
        .expect("cargo can be run");
    assert!(output.status.success(), "`{name}` was not built: {}", String::from_utf8_lossy(&output.stderr));
    let program: PathBuf = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == name)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .expect("cargo names the program it built");
    // Cargo leaves a program alone that does not depend on what has changed; the next test need not ask again.
    let _is_asked_again = std::fs::File::open(&program).and_then(|file| file.set_modified(begun));
    program
}
