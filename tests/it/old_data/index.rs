//! The index of a library root beside its database. Its directory is named after the root's path, which every test has of its own;
//! in the stored data it is named `documents`, as the root is.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::lab::Lab;

const STORED: &str = "documents";

/// Where the index of the lab's documents lies.
fn place(lab: &Lab) -> PathBuf {
    let root = fs::canonicalize(lab.path("documents")).unwrap();
    let hash = Sha256::digest(root.to_str().unwrap().as_bytes());
    let name: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    lab.path("data/index").join(name)
}

/// Stores the index, if there is one; what it says of the root has marks for its path.
pub(super) fn store(lab: &Lab, folder: &Path, marked: impl Fn(String) -> String) {
    if !lab.path("data/index").exists() {
        return;
    }
    let to = folder.join("index").join(STORED);
    copy(&place(lab), &to);
    let marker = fs::read_to_string(to.join("root.json")).unwrap();
    fs::write(to.join("root.json"), marked(marker)).unwrap();
}

/// Puts a stored index, if there is one, where the program looks for it.
pub(super) fn restore(lab: &Lab, folder: &Path, filled: impl Fn(String) -> String) {
    let from = folder.join("index").join(STORED);
    if !from.exists() {
        return;
    }
    copy(&from, &place(lab));
    let marker = fs::read_to_string(from.join("root.json")).unwrap();
    fs::write(place(lab).join("root.json"), filled(marker)).unwrap();
}

/// Copies a directory without the lock files, which hold nothing.
fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(target).unwrap();
        } else if entry.path().extension().is_none_or(|extension| extension != "lock") {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
