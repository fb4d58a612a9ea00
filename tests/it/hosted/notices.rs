//! Notifications, on a real session bus with a server that writes down what it is asked to show.

use sim::interactions::{End, Fault, FaultRule};
use sim::notifications::{Desktop, Server};

use super::*;

/// HR-07: one notification for each task, whichever of three processes ends it, at completion and at failure.
#[test]
fn hr_07_one_notification_with_three_processes() {
    let mut desktop = Desktop::start(Server::Answers);
    let runs = vec![("fails".to_owned(), Run { end: End::FailedWithErrors, ..Run::default() })];
    let lab = Lab::new(Plan { runs, ..still() }).with("DBUS_SESSION_BUS_ADDRESS", desktop.address());
    let mut clients = [lab.serve(), lab.serve(), lab.serve()];
    let mut ids = Vec::new();
    for n in 0..12 {
        let word = if n % 4 == 3 { "fails" } else { "works" };
        ids.push(start(&mut clients[n % 3], &format!("Question {n} {word}: <b>how</b> deep & why?")));
    }
    // Two want none: one says so, one is cancelled by its user.
    let silent = json!({"query": "How silent is the sea?", "enable_notifications": false});
    let silent = clients[0].call("start_deep_research", silent)["task_id"].as_str().unwrap().to_owned();
    let cancelled = start(&mut clients[1], "How cancelled is the sea?");
    clients[1].call("cancel_research", json!({"task_id": cancelled}));
    // The first process ends with its tasks under way; the others take them over.
    let [first, mut second, third] = clients;
    drop(first);
    lab.api.advance(3_000.0);
    for id in ids.iter().chain([&silent]) {
        assert_ne!(ended(&mut second, id)["status"], "running_async");
    }
    let mut told: Vec<String> = (0..ids.len()).map(|_| desktop.next_note().to_string()).collect();
    told.sort_unstable();
    for id in &ids {
        let notes: Vec<&String> = told.iter().filter(|note| note.contains(id.as_str())).collect();
        assert_eq!(notes.len(), 1, "{id}: {notes:?}");
        assert!(!notes[0].contains("<b>"), "markup of a question is text: {}", notes[0]);
    }
    assert_eq!(told.iter().filter(|note| note.contains("Research failed")).count(), 3, "{told:?}");
    // Nothing more is in the pipe: the next note is the one of a task that comes now.
    lab.api.set_plan(fast());
    let last = start(&mut second, "The last question: how deep?");
    assert!(desktop.next_note().to_string().contains(&last));
    drop(third);
}

/// HR-07: finished at the provider while hadal was down: collected and told at the next start. Without a desktop, a line.
#[test]
fn hr_07_told_at_the_next_start_or_in_the_log() {
    let mut desktop = Desktop::start(Server::Answers);
    let lab = Lab::new(still());
    let mut client = lab.serve();
    let id = start(&mut client, "How deep is the sea?");
    drop(client);
    lab.api.advance(3_000.0);
    let mut command = lab.command();
    command.env("DBUS_SESSION_BUS_ADDRESS", desktop.address()).arg("serve");
    let mut client = Client::start(command);
    client.open();
    assert!(desktop.next_note().to_string().contains(&id));
    assert_eq!(ended(&mut client, &id)["status"], "completed");
    drop(client);
    // No bus at all.
    lab.api.set_plan(Plan { faults: vec![FaultRule::times(On::Get, Fault::Drop, 1)], ..fast() });
    let mut client = lab.serve();
    let id = start(&mut client, "How wide is the sea?");
    ended(&mut client, &id);
    until("the line", || lab.server_log().contains(&format!("task {id}; no desktop notification")));
}
