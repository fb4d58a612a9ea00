//! The store cannot be written while a run is under way: nothing is lost.

use super::*;

/// HR-15: the research goes on in memory, its report is saved in a file, and written back when the store can.
#[test]
fn hr_15_the_store_is_locked_at_the_end() {
    let lab = Lab::new(still()).with("HADAL_REPORTS_DIR", "rescued");
    let mut client = lab.serve();
    let id = start(&mut client, "How deep is the sea?");
    until("the first look", || lab.asked(On::Get) >= 1);
    // Another process holds the database and does not let go.
    let database = lab.database();
    database.execute_batch("BEGIN IMMEDIATE").unwrap();
    lab.api.advance(2_000.0);
    let saved = until_some("a backup", || {
        let months = std::fs::read_dir(lab.path("work/rescued")).ok()?;
        let files = months.flatten().flat_map(|month| std::fs::read_dir(month.path()).into_iter().flatten().flatten());
        files.map(|file| file.path()).find(|path| path.extension().is_some_and(|extension| extension == "md"))
    });
    let text = std::fs::read_to_string(&saved).unwrap();
    assert!(text.contains("Challenger Deep") && text.contains(&id), "{text}");
    assert!(lab.server_log().contains("kept in memory"), "{}", lab.server_log());
    // This process has it already; the others get it once the store is free.
    assert!(results(&mut client, &id)["report"].as_str().unwrap().contains("Challenger Deep"));
    database.execute_batch("ROLLBACK").unwrap();
    drop(database);
    until("the store has it", || {
        let (reply, _) = lab.run(&["results", &id]);
        reply["success"] == true
    });
    assert_eq!(lab.api.invoice().creates, 1);
}

/// HR-15, HR-18: a store that cannot be written refuses a start before anything is paid.
#[test]
fn hr_15_nothing_is_started_without_a_store() {
    let lab = Lab::new(still());
    std::fs::write(lab.path("data"), "a file where the directory should be").unwrap();
    let (reply, output) = lab.run(&["start", "How deep is the sea?"]);
    assert_eq!(reply["error"]["code"].as_str().map(|code| code.starts_with("STORE_")), Some(true), "{reply}");
    assert_eq!(output.status.code(), Some(6));
    assert!(lab.api.requests().is_empty());
}
