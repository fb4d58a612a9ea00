//! Clients that follow tasks: subscriptions to resources, changes of the list, log messages.

use super::*;

fn uri(id: &str) -> String {
    format!("research://tasks/{id}/report")
}

fn is_list_changed(message: &Value) -> bool {
    message["method"] == "notifications/resources/list_changed"
}

/// Waits for the log message about the end of a task.
fn logged(client: &mut Client, id: &str) {
    told(client, "a log message", |message| {
        message["method"] == "notifications/message"
            && message["params"]["data"].as_str().is_some_and(|data| data.contains(id))
    });
}

/// A message as wanted, also one that came before an answer.
fn told(client: &mut Client, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    match client.notifications.iter().position(&wanted) {
        Some(at) => client.notifications.remove(at),
        None => client.hear(what, wanted),
    }
}

/// MC-01: a session that follows a running task is told of its end, and gets a log message if it wants them. What it follows no longer is not
/// told. The list changes with a report that comes or goes, and not with a task that leaves none.
#[test]
fn mc_01_a_session_follows_a_task() {
    let lab = Lab::new(still());
    let mut client = lab.serve();
    let first = start(&mut client, "how deep is the sea?");
    let second = start(&mut client, "how wide is the sea?");
    let refused = client.send("resources/subscribe", json!({"uri": uri("00000000-0000-4000-8000-000000000000")}));
    assert_eq!(client.answer(refused)["error"]["data"]["error"]["code"], "TASK_NOT_FOUND");
    let refused = client.send("resources/subscribe", json!({"uri": "research://tasks"}));
    assert_eq!(client.answer(refused)["error"]["data"]["error"]["code"], "INVALID_ARGUMENT");
    for id in [&first, &second] {
        client.request("resources/subscribe", json!({"uri": uri(id)}));
    }
    client.request("resources/unsubscribe", json!({"uri": uri(&first)}));
    client.request("logging/setLevel", json!({"level": "info"}));
    client.call("cancel_research", json!({"task_id": first}));
    logged(&mut client, &first);
    client.call("cancel_research", json!({"task_id": second}));
    logged(&mut client, &second);
    let ended = |message: &Value| message["method"] == "notifications/resources/updated";
    let updated = told(&mut client, "an update", ended);
    assert_eq!(updated["params"]["uri"], uri(&second), "the first is not followed any more");
    assert!(!client.notifications.iter().any(is_list_changed), "there is no report");
    let third = start(&mut client, "how old is the sea?");
    lab.api.advance(20.0 * 60.0);
    told(&mut client, "a changed list", is_list_changed);
    client.call("delete_research", json!({"task_ids": [third]}));
    told(&mut client, "a list without it", is_list_changed);
}

/// MC-01: a session is told of the tasks of another process as of its own: progress, the end, the report, also of one that is over at once.
#[test]
fn mc_01_tasks_of_other_processes_are_told() {
    let lab = Lab::new(still());
    let mut client = lab.serve();
    client.request("logging/setLevel", json!({"level": "info"}));
    let mut command = lab.command();
    command.arg("serve");
    let mut other = Client::start(command);
    other.open();
    let id = start(&mut other, "how deep is the sea?");
    client.request("resources/subscribe", json!({"uri": uri(&id)}));
    lab.api.advance(5.0 * 60.0);
    let update = told(&mut client, "progress", |message| message["method"] == "notifications/resources/updated");
    assert_eq!(update["params"]["uri"], uri(&id));
    assert_eq!(status(&mut client, &id)["status"], "running_async");
    lab.api.advance(20.0 * 60.0);
    told(&mut client, "a changed list", is_list_changed);
    logged(&mut client, &id);
    std::fs::write(lab.path("work/sea.md"), "# Sea\n\nThe hadal zone begins at 6,000 metres.\n").unwrap();
    let asked = ["deep-research", "--engine", "extractive", "--library", ".", "where does the hadal zone begin?"];
    let (reply, _) = lab.run(&asked);
    assert_eq!(reply["status"], "completed", "{reply:#}");
    told(&mut client, "a changed list", is_list_changed);
    logged(&mut client, reply["task_id"].as_str().unwrap());
    assert!(!client.notifications.iter().any(is_list_changed), "each is told once");
}

/// MC-01: in the newest revision a request listens until it is cancelled.
#[test]
fn mc_01_a_request_listens() {
    let lab = Lab::new(still());
    let mut command = lab.command();
    command.arg("serve");
    let mut client = Client::start(command);
    client.speak_modern();
    let id = start(&mut client, "how deep is the sea?");
    let wanted = json!({"resourcesListChanged": true, "resourceSubscriptions": [uri(&id), "file:///etc/passwd"]});
    client.send("subscriptions/listen", json!({"notifications": wanted}));
    let begun = told(&mut client, "an acknowledgment", |message| {
        message["method"] == "notifications/subscriptions/acknowledged"
    });
    assert_eq!(begun["params"]["notifications"]["resourceSubscriptions"], json!([uri(&id)]), "{begun:#}");
    lab.api.advance(20.0 * 60.0);
    told(&mut client, "a changed list", is_list_changed);
    let updated = |message: &Value| {
        message["method"] == "notifications/resources/updated" && message["params"]["uri"] == uri(&id)
    };
    told(&mut client, "an update", updated);
}

/// MC-01: a session follows only so many resources; one that it follows already needs no further place, and one that it leaves gives one back. All
/// resources of a task are told of its end.
#[test]
fn mc_01_followed_resources_are_counted() {
    let lab = Lab::new(still());
    let mut client = lab.serve();
    let id = start(&mut client, "how deep is the sea?");
    let section = |n: u32| json!({"uri": format!("{}/{n}", uri(&id))});
    for n in 1..=100 {
        client.request("resources/subscribe", section(n));
    }
    let refused = client.send("resources/subscribe", section(101));
    assert_eq!(client.answer(refused)["error"]["data"]["error"]["code"], "TOO_MANY_REQUESTS");
    client.request("resources/subscribe", section(7));
    client.request("resources/unsubscribe", section(7));
    client.request("resources/subscribe", section(101));
    // What was told while it was followed.
    client.notifications.clear();
    client.call("cancel_research", json!({"task_id": id}));
    let mut told_of = std::collections::BTreeSet::new();
    while told_of.len() < 100 {
        let update = told(&mut client, "an update", |message| message["method"] == "notifications/resources/updated");
        told_of.insert(update["params"]["uri"].as_str().unwrap().to_owned());
    }
    assert!(told_of.contains(section(101)["uri"].as_str().unwrap()));
    assert!(!told_of.contains(section(7)["uri"].as_str().unwrap()), "it was left");
}
