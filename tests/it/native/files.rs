//! PR-02: what hadal writes below its own directories is for its user alone.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use sim::web::QUESTION;

use super::{Lab, reader};

/// A private note in a library, pages of the web, a report, a damaged habit of an earlier hadal: nothing of it can be read by others.
#[test]
fn pr_02_nothing_of_ours_is_open_to_others() {
    let lab = Lab::new(reader);
    let notes = lab.home.path().join("notes");
    fs::create_dir(&notes).unwrap();
    fs::write(notes.join("secret.md"), "# Mooring\n\nThe mooring of the Lark is at pier seven.\n").unwrap();
    fs::set_permissions(&notes, fs::Permissions::from_mode(0o755)).unwrap();
    // An installation as an earlier version left it.
    let data = lab.home.path().join("data");
    fs::create_dir_all(data.join("index")).unwrap();
    for open in [&data, &data.join("index")] {
        fs::set_permissions(open, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let (_, added) = lab.run(&["library", "add", notes.to_str().unwrap()]);
    assert!(String::from_utf8_lossy(&added.stderr).contains("open to other users"), "{added:?}");
    let (local, _) = lab.run(&["deep-research", "Where is the mooring of the Lark?", "--engine", "extractive"]);
    assert_eq!(local["status"], "completed", "{local:#}");
    let (far, _) = lab.run(&["deep-research", QUESTION]);
    assert_eq!(far["status"], "completed", "{far:#}");
    let mut seen = 0;
    for entry in walkdir::WalkDir::new(&data) {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        let most = if entry.file_type().is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode & !most, 0, "{:o} {}", mode, entry.path().display());
        seen += 1;
    }
    assert!(seen > 10, "only {seen} files were looked at");
    assert_eq!(fs::metadata(&notes).unwrap().permissions().mode() & 0o777, 0o755, "a user's own folder keeps its mode");
}
