//! Finds the programs of this crate for the tests that run them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

static BUILT: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());

/// The path of a program of `sim/src/bin`, built if need be.
///
/// Cargo builds the binaries of a package for its own tests only, and not even then for those of its library.
///
/// # Panics
/// When the program cannot be built; its test could not go on anyway.
#[must_use]
pub fn program(name: &str) -> PathBuf {
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    built.entry(name.to_owned()).or_insert_with(|| build(name)).clone()
}

#[expect(clippy::disallowed_methods, clippy::expect_used, reason = "part of the tests, not of hadal")]
fn build(name: &str) -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--quiet", "--offline", "--message-format=json", "--bin", name, "--manifest-path"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .stdin(Stdio::null())
        .output()
        .expect("cargo can be run");
    assert!(output.status.success(), "`{name}` was not built: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == name)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .expect("cargo names the program it built")
}
