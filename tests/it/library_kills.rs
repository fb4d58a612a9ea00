//! A process that is killed while it indexes, and a disk that is full: nothing is lost, whatever kinds of file are among the documents.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use sim::wait::until;

use crate::cli::Home;

/// Documents in each part: the files, those in archives and those attached to mail.
const DOCUMENTS: u32 = 21;

/// The folder with a file of every kind that a real program wrote, some times over, and one text that only says its number.
fn documents(home: &Home) -> PathBuf {
    let folder = home.0.path().join("documents");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/files");
    for part in 0..4 {
        let below = folder.join(format!("part-{part}"));
        std::fs::create_dir_all(&below).unwrap();
        for entry in std::fs::read_dir(&data).unwrap() {
            let path = entry.unwrap().path();
            std::fs::copy(&path, below.join(path.file_name().unwrap())).unwrap();
        }
        std::fs::write(below.join("own.md"), format!("The gauge of part {part} is called ninebark{part}.\n")).unwrap();
    }
    folder
}

/// Every file below a folder whose name ends so and that holds something.
fn has_file(folder: &Path, ending: &str) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    entries.filter_map(Result::ok).any(|entry| {
        let path = entry.path();
        let is_it = path.to_string_lossy().ends_with(ending);
        if path.is_dir() { has_file(&path, ending) } else { is_it && path.metadata().is_ok_and(|file| file.len() > 0) }
    })
}

fn adding(home: &Home, folder: &Path) -> Child {
    let mut command = home.command();
    command.args(["library", "add"]).arg(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("hadal starts")
}

fn has_child(pid: u32) -> bool {
    let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    // One is the warden, which is there from the start; threads start the others.
    let of_threads = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().filter_map(Result::ok);
    let all = of_threads.map(|thread| std::fs::read_to_string(thread.path().join("children")).unwrap_or_default());
    children.split_whitespace().count() + all.map(|list| list.split_whitespace().count()).sum::<usize>() > 1
}

/// LB-01: killed at different points of a run, the next one completes it.
#[test]
fn kills_while_indexing_lose_nothing() {
    let home = Home::new();
    let folder = documents(&home);
    let library = home.0.path().join("data/index");
    type Moment<'a> = &'a dyn Fn(u32) -> bool;
    let moments: [(&str, Moment<'_>); 5] = [
        ("it is known", &|_| has_file(&library, "root.json")),
        ("the index is made", &|_| has_file(&library, ".sqlite")),
        ("a reader of PDFs is there", &|pid| has_child(pid)),
        ("something is written", &|_| has_file(&library, ".sqlite-wal")),
        ("it has begun", &|_| true),
    ];
    for (what, has_come) in moments {
        let mut child = adding(&home, &folder);
        // A run that is faster than the look at it has ended by itself, which is one more thing that may happen.
        until(what, || has_come(child.id()) || child.try_wait().unwrap().is_some());
        let _already_ended = child.kill();
        child.wait().unwrap();
    }
    let done = home.run(&["library", "add", "--json", folder.to_str().unwrap()]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let reply = done.json();
    // Four of each: sixteen files and an own one, of which two are archives with two documents each.
    assert_eq!(
        (&reply["root"]["files"], &reply["problems"]),
        (&Value::from(4 * DOCUMENTS), &Value::Array(Vec::new())),
        "{reply}"
    );
    for part in 0..4 {
        let asked = home.run(&["deep-research", &format!("What is called ninebark{part}?")]);
        assert!(asked.stdout.contains(&format!("part-{part}/own.md")), "{}", asked.stdout);
    }
}

/// LB-01: a first run that is killed has kept most of what it did, and the next one takes up from there.
#[test]
fn lb_01_a_killed_first_run_has_kept_most_of_what_it_did() {
    let home = Home::new();
    let folder = home.0.path().join("notes");
    std::fs::create_dir(&folder).unwrap();
    for at in 0..2_500 {
        std::fs::write(folder.join(format!("{at}.md")), format!("The gauge of part {at} is called ninebark.\n"))
            .unwrap();
    }
    let mut command = home.command();
    command.args(["library", "add"]).arg(&folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("hadal starts");
    // It tells of each commit before it begins; with the second one the first is there.
    let mut told = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let is_commit = |line: &String| line.contains("files so far");
    assert!(told.by_ref().filter(is_commit).nth(1).is_some(), "it was not written down on the way");
    let _already_ended = child.kill();
    child.wait().unwrap();
    let reply = home.run(&["library", "add", "--json", folder.to_str().unwrap()]).json();
    let (added, kept) = (reply["added"].as_u64().unwrap(), reply["unchanged"].as_u64().unwrap());
    assert!(kept >= 500 && added + kept == 2_500, "{reply}");
}

/// Mounts a tmpfs at `$1` and leaves little of it free; adds the folder `$3` to a library on it with the program `$2`, makes room, adds again and asks.
const SCRIPT: &str = r#"
set -u
mount -t tmpfs -o size=8m tmpfs "$1" || exit 90
head -c 65536 /dev/zero > "$1/room" || exit 91
cat /dev/zero > "$1/filler" 2> "$4/filler" && exit 92
rm "$1/room"
export HADAL_HOME="$1" HADAL_BACKGROUND=no
"$2" library add --json "$3" > "$4/full" 2> "$4/full-stderr"
echo $? > "$4/full-status"
rm "$1/filler"
"$2" library add --json "$3" > "$4/added" 2> "$4/added-stderr"
"$2" deep-research "What is called ninebark2?" > "$4/answer" 2> "$4/answer-stderr"
"#;

/// LB-01: a full disk is said as such, and with room the library is whole.
#[test]
fn a_full_disk_while_indexing_is_said_and_costs_nothing() {
    let home = Home::new();
    let folder = documents(&home);
    let (disk, notes) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let output = Command::new("unshare")
        .args(["--map-root-user", "--mount", "sh", "-c", SCRIPT, "sh"])
        .args([
            disk.path().as_os_str(),
            env!("CARGO_BIN_EXE_hadal").as_ref(),
            folder.as_os_str(),
            notes.path().as_os_str(),
        ])
        .output()
        .expect("`unshare` of util-linux is installed");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "this test needs permission to make a user and a mount namespace: {said}");
    let note = |name: &str| std::fs::read_to_string(notes.path().join(name)).unwrap();
    let reply: Value = serde_json::from_str(&note("full")).unwrap();
    assert_eq!((note("full-status").trim(), reply["error"]["code"].as_str()), ("6", Some("DISK_FULL")), "{reply}");
    let reply: Value = serde_json::from_str(&note("added")).unwrap();
    assert_eq!(reply["root"]["files"], 4 * DOCUMENTS, "{reply}");
    assert!(note("answer").contains("part-2/own.md"), "{}", note("answer"));
}
