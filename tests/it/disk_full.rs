//! HR-11 on a disk that is really full: a small tmpfs, mounted in a mount namespace that only the test's own child sees.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::cli::Home;

/// Mounts a tmpfs of 256 KiB at `$1`, leaves one page of it free, saves the task `$3` there with the program `$2`, shows
/// what the disk holds then, makes room and saves again. Both replies and the listing are kept in `$4`, outside of the tmpfs.
const SCRIPT: &str = r#"
set -u
mount -t tmpfs -o size=256k tmpfs "$1" || exit 90
head -c 4096 /dev/zero > "$1/room" || exit 91
cat /dev/zero > "$1/filler" 2> "$4/filler" && exit 92
rm "$1/room"
"$2" save --json "$3" --output-dir "$1/reports" > "$4/full" 2> "$4/full-stderr"
echo $? > "$4/full-status"
find "$1" -type f | sort > "$4/full-files"
rm "$1/filler"
"$2" save --json "$3" --output-dir "$1/reports" > "$4/room" 2> "$4/room-stderr"
echo $? > "$4/room-status"
find "$1" -type f | sort > "$4/room-files"
cat "$1"/reports/*/*.md > "$4/saved.md"
"#;

fn in_namespace(home: &Home, disk: &Path, task: &str, notes: &Path) -> Output {
    Command::new("unshare")
        .args(["--map-root-user", "--mount", "sh", "-c", SCRIPT, "sh"])
        .args([disk.as_os_str(), env!("CARGO_BIN_EXE_hadal").as_ref(), task.as_ref(), notes.as_os_str()])
        .env("HADAL_HOME", home.0.path())
        .current_dir(home.0.path())
        .output()
        .expect("`unshare` of util-linux is installed")
}

/// A finished task whose report is larger than a page of memory.
fn finished_task(home: &Home) -> String {
    let library = home.0.path().join("library");
    std::fs::create_dir(&library).unwrap();
    for part in 0..12 {
        // Words of its own for each document: passages that say the same are shown once.
        let animals: String = (0..120).map(|n| format!("animal{part}x{n}, ")).collect();
        let text = format!("# Trench {part}\n\nThe hadal zone begins where they live: {animals}and others.\n");
        std::fs::write(library.join(format!("trench-{part}.md")), text).unwrap();
    }
    let done = home.run(&[
        "deep-research",
        "--json",
        "--length",
        "long",
        "--library",
        library.to_str().unwrap(),
        "where does the hadal zone begin?",
    ]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    done.json()["task_id"].as_str().unwrap().to_owned()
}

/// HR-11: the error names the path and the space that is needed, no half file stays, and with room it works.
#[test]
fn hr_11_a_full_disk_is_said_and_leaves_nothing_behind() {
    let home = Home::new();
    let task = finished_task(&home);
    let (disk, notes) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let output = in_namespace(&home, disk.path(), &task, notes.path());
    assert!(
        output.status.success(),
        "this test needs permission to make a user and a mount namespace (status {}): {}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    let note = |name: &str| std::fs::read_to_string(notes.path().join(name)).unwrap();

    let reply: Value = serde_json::from_str(&note("full")).unwrap();
    assert_eq!((note("full-status").trim(), reply["error"]["code"].as_str()), ("6", Some("DISK_FULL")));
    let message = reply["error"]["message"].as_str().unwrap();
    let saved = note("saved.md");
    assert!(saved.len() > 4_096, "{} bytes fit into the page that is left", saved.len());
    assert!(message.contains(disk.path().join("reports").to_str().unwrap()), "{message}");
    assert!(message.contains(&format!("{} bytes are needed", saved.len())), "{message}");
    assert_eq!(note("full-files"), format!("{}\n", disk.path().join("filler").display()));

    let reply: Value = serde_json::from_str(&note("room")).unwrap();
    assert_eq!((note("room-status").trim(), &reply["success"]), ("0", &Value::Bool(true)), "{}", note("room-stderr"));
    assert_eq!(note("room-files").trim(), reply["file_path"].as_str().unwrap());
    assert!(saved.starts_with("---\n") && saved.contains(&task) && saved.ends_with('\n'));
    assert_eq!(std::fs::read_dir(disk.path()).unwrap().count(), 0, "the tmpfs is seen outside of its namespace");
}
