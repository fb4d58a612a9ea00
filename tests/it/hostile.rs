//! Libraries that cannot be read as they are, through the real program: what could be read counts, what could not is
//! named, and when nothing could be read that is a coded error and not the answer that there is nothing.

use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::Value;

use crate::cli::{Done, Home};

const QUESTION: &str = "Is the whale a mammal?";
const ANSWER: &str = "The whale is a mammal, not a fish.";

fn ask(home: &Home, library: &Path) -> Done {
    home.run(&["deep-research", "--json", "--library", library.to_str().unwrap(), QUESTION])
}

fn problems(reply: &Value) -> Vec<&str> {
    reply["problems"].as_array().unwrap().iter().map(|problem| problem["subject"].as_str().unwrap()).collect()
}

/// Two gigabytes, of which not one is read.
fn huge(path: &Path) {
    std::fs::File::create(path).unwrap().set_len(2 << 30).unwrap();
}

#[test]
fn what_cannot_be_read_does_not_hide_what_can() {
    let home = Home::new();
    let library = home.0.path().join("library");
    std::fs::create_dir(&library).unwrap();
    std::fs::write(library.join("a.md"), ANSWER).unwrap();
    std::fs::write(library.join("binary.txt"), b"\x7fELF\0\0\0whale").unwrap();
    huge(&library.join("huge.txt"));
    symlink("loop.md", library.join("loop.md")).unwrap();
    symlink("..", library.join("up")).unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, library.join("pipe.txt"), rustix::fs::FileType::Fifo, 0o600.into(), 0)
        .unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(library.join("socket.md")).unwrap();
    let done = ask(&home, &library);
    let reply = done.json();
    assert_eq!((done.status, &reply["stop_reason"]), (0, &"good_enough".into()), "{reply}");
    assert!(reply["result"].as_str().unwrap().contains(ANSWER), "{reply}");
    let [binary, huge] = problems(&reply)[..] else { panic!("{reply}") };
    assert!(binary.ends_with("/binary.txt") && huge.ends_with("/huge.txt"), "{reply}");
}

/// AS-09: nothing that could be read is another thing than nothing that was found.
#[test]
fn a_library_that_cannot_be_read_is_an_error() {
    let home = Home::new();
    let at = |name: &str| home.0.path().join(name);
    huge(&at("huge.txt"));
    std::fs::create_dir(at("binaries")).unwrap();
    std::fs::write(at("binaries/a.md"), b"whale\0mammal").unwrap();
    symlink("self", at("self")).unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, at("pipe.txt"), rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    std::fs::create_dir(at("empty")).unwrap();
    for (name, code) in [
        ("huge.txt", "LIBRARY_UNREADABLE"),
        ("binaries", "LIBRARY_UNREADABLE"),
        ("self", "LIBRARY_UNREADABLE"),
        ("pipe.txt", "INVALID_ARGUMENT"),
        ("nowhere", "LIBRARY_NOT_FOUND"),
    ] {
        let done = ask(&home, &at(name));
        assert_eq!((done.status, done.code().as_str()), (2, code), "{name}: {}", done.stderr);
    }
    assert_eq!(ask(&home, &at("empty")).json()["stop_reason"], "nothing_found");
}

/// A registered folder that has gone since: its index would still answer, but nothing of it could be checked.
#[test]
fn a_library_that_has_gone_is_an_error() {
    let home = Home::new();
    let library = home.0.path().join("library");
    std::fs::create_dir(&library).unwrap();
    std::fs::write(library.join("a.md"), ANSWER).unwrap();
    assert_eq!(home.run(&["library", "add", library.to_str().unwrap()]).status, 0);
    assert_eq!(home.run(&["deep-research", "--json", QUESTION]).json()["stop_reason"], "good_enough");
    std::fs::remove_dir_all(&library).unwrap();
    let done = home.run(&["deep-research", "--json", QUESTION]);
    assert_eq!((done.status, done.code().as_str()), (2, "LIBRARY_NOT_FOUND"));
}

/// A question of nothing but question words names nothing; it is not answered with whatever says "what".
#[test]
fn a_question_without_a_word_to_look_up_says_so() {
    let home = Home::new();
    let library = home.0.path().join("a.md");
    std::fs::write(&library, "What is it that makes a whale a whale? What it is.").unwrap();
    let done = home.run(&["deep-research", "--json", "--library", library.to_str().unwrap(), "What is it?"]);
    let reply = done.json();
    assert_eq!((done.status, &reply["stop_reason"]), (0, &"nothing_found".into()), "{reply}");
    assert!(reply["result"].as_str().unwrap().contains("no word that could be looked up"), "{reply}");
}

/// A damaged page that no other command happens to read.
#[test]
fn the_doctor_finds_what_the_repair_mends() {
    use std::os::unix::fs::FileExt;

    let home = Home::new();
    let library = home.0.path().join("a.md");
    std::fs::write(&library, ANSWER).unwrap();
    assert_eq!(ask(&home, &library).status, 0);
    let database = home.0.path().join("data/hadal.db");
    // Everything into the file itself.
    let connection = rusqlite::Connection::open(&database).unwrap();
    let _row: i64 = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)).unwrap();
    let root = "SELECT rootpage FROM sqlite_schema WHERE name = 'pages'";
    let page: u32 = connection.query_row(root, [], |row| row.get(0)).unwrap();
    drop(connection);
    let file = std::fs::OpenOptions::new().write(true).open(&database).unwrap();
    file.write_all_at(&[0xa5; 4096], u64::from(page - 1) * 4096).unwrap();

    let state = |done: &Done| {
        let reply = done.json();
        let checks = reply["checks"].as_array().unwrap().clone();
        checks.into_iter().find(|check| check["name"] == "database").unwrap()["state"].clone()
    };
    let sick = home.run(&["doctor", "--json"]);
    assert_eq!((sick.status, state(&sick)), (6, "broken".into()), "{}", sick.stderr);
    let mended = home.run(&["doctor", "--repair", "--json"]);
    assert_eq!(state(&mended), "ok", "{}", mended.stderr);
    assert!(mended.stderr.contains("the damaged file is"), "{}", mended.stderr);
    assert_eq!(home.run(&["list", "--json"]).json()["tasks"][0]["status"], "completed");
}

/// PR-04: a repair that can read nothing is no success, and keeps the file.
#[test]
fn pr_04_a_repair_that_saves_nothing_says_so() {
    use std::os::unix::fs::FileExt;

    let home = Home::new();
    let library = home.0.path().join("a.md");
    std::fs::write(&library, ANSWER).unwrap();
    assert_eq!(ask(&home, &library).status, 0);
    let database = home.0.path().join("data/hadal.db");
    // The list of tables, behind the head of the file.
    let file = std::fs::OpenOptions::new().write(true).open(&database).unwrap();
    file.write_all_at(&[0xa5; 3996], 100).unwrap();
    let done = home.run(&["doctor", "--repair"]);
    assert_eq!(done.status, 6, "{}", done.stderr);
    assert!(done.stderr.contains("nothing could be read"), "{}", done.stderr);
    let kept = std::fs::read_dir(home.0.path().join("data")).unwrap();
    let is_kept = |name: String| name.starts_with("hadal.db.damaged");
    assert!(kept.filter_map(Result::ok).any(|entry| is_kept(entry.file_name().to_string_lossy().into_owned())));
}
