//! Ctrl-C pauses a question; it goes on when somebody asks for it.

use super::*;

/// PR-03, JB-01: what a person stops waiting for is paused, also where a server or a keeper could go on, until it is asked for.
#[test]
fn pr_03_an_interrupted_question_is_paused() {
    let house = House::new();
    let kept = Kept::below(house.path());
    let file = house.path().join("go");
    let script = house.path().join("script.json");
    std::fs::write(&script, until_file(&file).to_string()).unwrap();
    let mut command = command(&house);
    command.arg("scripted").arg(&script).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let database = until_some("a task", || {
        let data = house.path().join("data/hadal.db");
        let database = rusqlite::Connection::open_with_flags(data, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY).ok()?;
        let begun: u32 = database.query_row("SELECT count(*) FROM effects", [], |row| row.get(0)).ok()?;
        (begun > 0).then_some(database)
    });
    let id: String = database.query_row("SELECT task_id FROM research_tasks", [], |row| row.get(0)).unwrap();
    signal(child.id(), Signal::INT);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(kept.pid(), None);
    let paused = status(&house, &id);
    assert_eq!((&paused["status"], &paused["worked_on"]), (&json!("running_async"), &json!(false)));
    assert_eq!(word(&paused), "paused by its user");

    // A server works on another task to its end, and leaves this one alone.
    let worker = house.worker();
    let other = house.leave(&[json!({"stages": [[{"key": "a", "act": "work", "ms": 1}]]})]);
    until("the other task is over", || status(&house, &other[0])["status"] == "completed");
    assert_eq!(word(&status(&house, &id)), "paused by its user");
    drop(worker);
    std::fs::write(&file, "").unwrap();
    assert_eq!(shown(house.command(), &["results", "--wait", &id])["report"], "a=Code(0): there");
}

/// A paused task can be cancelled, by whoever asks.
#[test]
fn a_paused_question_can_be_cancelled() {
    let house = House::new();
    let ids = house.leave(&[hour()]);
    house.database().execute("UPDATE research_tasks SET owner = 'paused'", []).unwrap();
    assert_eq!(word(&status(&house, &ids[0])), "paused by its user");
    assert_eq!(shown(house.command(), &["cancel", &ids[0]])["status"], "cancelled");
}
