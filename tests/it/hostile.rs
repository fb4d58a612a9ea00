//! Libraries that cannot be read as they are, through the real program: what could be read counts, what could not is
//! named, and when nothing could be read that is a coded error and not the answer that there is nothing.

use std::os::unix::fs::symlink;
use std::path::Path;

use std::time::Duration;

use serde_json::{Value, json};

use crate::cli::{Done, Home};
use crate::client::Client;

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
    assert!(reply["result"].as_str().unwrap().replace("**", "").contains(ANSWER), "{reply}");
    // The pipe and the socket are counted with the folder.
    let [folder, binary, huge] = problems(&reply)[..] else { panic!("{reply}") };
    assert!(folder.ends_with("/library") && reply.to_string().contains("2 pipe, socket or device"), "{reply}");
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

/// A registered folder that has gone since: what was indexed of it answers and is kept with the report, which can still be checked.
#[test]
fn a_library_that_has_gone_is_answered_from_its_index() {
    let home = Home::new();
    let library = home.0.path().join("library");
    std::fs::create_dir(&library).unwrap();
    std::fs::write(library.join("a.md"), ANSWER).unwrap();
    assert_eq!(home.run(&["library", "add", library.to_str().unwrap()]).status, 0);
    assert_eq!(home.run(&["deep-research", "--json", QUESTION]).json()["stop_reason"], "good_enough");
    std::fs::remove_dir_all(&library).unwrap();
    let gone = home.run(&["deep-research", "--json", QUESTION]).json();
    assert_eq!(gone["stop_reason"], "good_enough", "{gone}");
    assert!(gone["result"].as_str().unwrap().contains("LIBRARY_NOT_FOUND"), "{gone}");
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
    // Everything behind the head of the file.
    let file = std::fs::OpenOptions::new().write(true).open(&database).unwrap();
    let length = usize::try_from(file.metadata().unwrap().len()).unwrap();
    file.write_all_at(&vec![0xa5; length - 100], 100).unwrap();
    let done = home.run(&["doctor", "--repair"]);
    assert_eq!(done.status, 6, "{}", done.stderr);
    assert!(done.stderr.contains("nothing could be read"), "{}", done.stderr);
    let kept = std::fs::read_dir(home.0.path().join("data")).unwrap();
    let is_kept = |name: String| name.starts_with("hadal.db.damaged");
    assert!(kept.filter_map(Result::ok).any(|entry| is_kept(entry.file_name().to_string_lossy().into_owned())));
}

/// PR-04: without the list of tables, without the head of the file even, what was asked and answered is saved.
#[test]
fn pr_04_a_repair_needs_no_list_of_tables() {
    use std::os::unix::fs::FileExt;

    for damage in [100..4_096_u64, 0..4_096] {
        let home = Home::new();
        let library = home.0.path().join("a.md");
        std::fs::write(&library, ANSWER).unwrap();
        let asked = ask(&home, &library);
        assert_eq!(asked.status, 0);
        let id = asked.json()["task_id"].as_str().unwrap().to_owned();
        let database = home.0.path().join("data/hadal.db");
        let file = std::fs::OpenOptions::new().write(true).open(&database).unwrap();
        file.write_all_at(&vec![0xa5; usize::try_from(damage.end - damage.start).unwrap()], damage.start).unwrap();
        let done = home.run(&["doctor", "--repair"]);
        assert!(done.status == 0 && done.stderr.contains("1 rows of `research_tasks`"), "{}", done.stderr);
        let results = home.run(&["results", "--json", &id]).json();
        assert!(
            results["report"].as_str().is_some_and(|report| report.replace("**", "").contains(ANSWER)),
            "{results}"
        );
    }
}

/// The processor's time of a process, which Linux tells in hundredths of a second.
fn processor_time(pid: u32) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let behind_name = stat.rsplit_once(')').unwrap().1;
    let ticks = |field: usize| behind_name.split_whitespace().nth(field).unwrap().parse::<u64>().unwrap();
    Duration::from_millis((ticks(11) + ticks(12)) * 10)
}

/// PR-02: a cancel is answered while a page is read that takes long. What cannot be stopped is left to itself: it is still at work
/// when the answer is there.
#[test]
fn pr_02_a_cancel_does_not_wait_for_a_hostile_page() {
    let home = Home::new();
    let library = home.0.path().join("deep.md");
    std::fs::write(&library, format!("{ANSWER} {}", "[a](b".repeat((4 << 20) / 5))).unwrap();
    let mut client = Client::connect(home.0.path());
    let (pid, idle) = (client.pid(), processor_time(client.pid()));
    let arguments = json!({"query": QUESTION, "library": [library]});
    client.send("tools/call", json!({"name": "deep_research", "arguments": arguments}));
    sim::wait::until("the page is read", || processor_time(pid) > idle + Duration::from_millis(200));
    let id = client.call("list_research", json!({}))["tasks"][0]["task_id"].clone();
    let cancelled = client.call("cancel_research", json!({"task_id": id}));
    let answered = processor_time(pid);
    assert_eq!(cancelled["status"], "cancelled", "{cancelled}");
    sim::wait::until("the work goes on", || processor_time(pid) > answered + Duration::from_millis(200));
    assert_eq!(client.call("check_research_status", json!({"task_id": id}))["status"], "cancelled");
}
