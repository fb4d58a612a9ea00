//! Clients that follow tasks: subscriptions to resources, changes of the list, log messages.

use super::*;

fn uri(id: &str) -> String {
    format!("research://tasks/{id}/report")
}

/// A message as wanted, also one that came before an answer.
fn told(client: &mut Client, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    match client.notifications.iter().position(&wanted) {
        Some(at) => client.notifications.remove(at),
        None => client.hear(what, wanted),
    }
}

/// MC-01: a session that follows a running task is told of its end, of the list that changes with it, and gets a log message if it wants them. What
/// it follows no longer is not told.
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
    let message = told(&mut client, "a log message", |message| message["method"] == "notifications/message");
    assert!(message["params"]["data"].as_str().unwrap().contains(&first), "{message:#}");
    client.call("cancel_research", json!({"task_id": second}));
    let ended = |message: &Value| message["method"] == "notifications/resources/updated";
    let updated = told(&mut client, "an update", ended);
    assert_eq!(updated["params"]["uri"], uri(&second), "the first is not followed any more");
    told(&mut client, "a changed list", |message| message["method"] == "notifications/resources/list_changed");
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
    client.call("cancel_research", json!({"task_id": id}));
    told(&mut client, "a changed list", |message| message["method"] == "notifications/resources/list_changed");
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
    client.call("cancel_research", json!({"task_id": id}));
    let mut told_of = std::collections::BTreeSet::new();
    while told_of.len() < 100 {
        let update = told(&mut client, "an update", |message| message["method"] == "notifications/resources/updated");
        told_of.insert(update["params"]["uri"].as_str().unwrap().to_owned());
    }
    assert!(told_of.contains(section(101)["uri"].as_str().unwrap()));
    assert!(!told_of.contains(section(7)["uri"].as_str().unwrap()), "it was left");
}
