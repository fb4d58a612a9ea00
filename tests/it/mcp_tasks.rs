//! Whole research tasks over MCP, on a small library, with nothing configured.

use std::path::Path;

use serde_json::{Value, json};
use sim::wait::until_some;

use crate::client::Client;

/// A library of two documents, outside the server's home.
fn library(dir: &Path) -> String {
    let docs = dir.join("docs");
    std::fs::create_dir(&docs).unwrap();
    let trench = "# Trenches\n\nThe Mariana Trench is the deepest trench of the ocean, 10,935 metres deep.\n";
    std::fs::write(docs.join("trenches.md"), trench).unwrap();
    std::fs::write(docs.join("bread.md"), "# Bread\n\nKnead the dough for ten minutes.\n").unwrap();
    docs.to_str().unwrap().to_owned()
}

/// The id of the only task, once its row is there.
fn first_task(client: &mut Client) -> Value {
    until_some("a task", || {
        let listed = client.call("list_research", json!({}));
        assert_eq!(listed["success"], true, "{listed}");
        listed["tasks"].get(0).map(|task| task["task_id"].clone())
    })
}

fn finished(client: &mut Client, task_id: &Value) -> Value {
    until_some("the end of the task", || {
        let status = client.call("check_research_status", json!({"task_id": task_id, "wait_seconds": 25}));
        (status["status"] != "running_async").then_some(status)
    })
}

/// DS-04, EM-01, HR-08: question to cited report, and the same report again by its id.
#[test]
fn a_question_is_answered_from_documents() {
    let home = tempfile::tempdir().unwrap();
    let library = library(home.path());
    let mut client = Client::connect(home.path());
    let arguments = json!({"query": "How deep is the Mariana Trench?", "library": [library]});
    let params = json!({"name": "deep_research", "arguments": arguments, "_meta": {"progressToken": "p1"}});
    let reply = client.request("tools/call", params)["structuredContent"].clone();
    assert_eq!((&reply["success"], &reply["status"]), (&json!(true), &json!("completed")), "{reply}");
    assert!(reply["result"].as_str().unwrap().contains("10,935"), "{reply}");
    assert!(reply["sources"][0]["location"].as_str().unwrap().ends_with("trenches.md"), "{reply}");
    assert_eq!(reply["metadata"]["model"], "none");
    assert_eq!(reply["metadata"]["engine"]["name"], "extractive");

    // SE-03: progress rises strictly and carries the call's token.
    let heard: Vec<&Value> = client.notifications.iter().filter(|n| n["method"] == "notifications/progress").collect();
    let numbers: Vec<f64> = heard.iter().map(|n| n["params"]["progress"].as_f64().unwrap()).collect();
    assert!(!numbers.is_empty() && numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    assert!(heard.iter().all(|n| n["params"]["progressToken"] == "p1"), "{heard:?}");

    let task = json!({"task_id": reply["task_id"]});
    let status = client.call("check_research_status", task.clone());
    assert_eq!(status["status"], "completed");
    let results = client.call("get_research_results", task);
    assert_eq!(results["report"], reply["result"]);
    assert_eq!(results["sources"], reply["sources"]);
    let listed = client.call("list_research", json!({"status": "completed"}));
    assert_eq!(listed["tasks"][0]["task_id"], reply["task_id"]);
}

/// AS-09: nothing relevant is said, not invented.
#[test]
fn nothing_found_is_said() {
    let home = tempfile::tempdir().unwrap();
    let library = library(home.path());
    let mut client = Client::connect_modern(home.path());
    let reply = client.call("deep_research", json!({"query": "zymurgy quokka xylophone", "library": [library]}));
    assert_eq!(reply["stop_reason"], "nothing_found", "{reply}");
    assert_eq!(reply["sources"], json!([]));
}

/// JB-01: a cancelled request ends the waiting, not the task.
#[test]
fn a_cancelled_request_loses_nothing() {
    let home = tempfile::tempdir().unwrap();
    let library = library(home.path());
    let mut client = Client::connect(home.path());
    let arguments = json!({"query": "How deep is the Mariana Trench?", "library": [library]});
    let id = client.send("tools/call", json!({"name": "deep_research", "arguments": arguments}));
    client.notify("notifications/cancelled", json!({"requestId": id}));
    let task_id = first_task(&mut client);
    assert_eq!(finished(&mut client, &task_id)["status"], "completed");
}

/// JB-01: a client that leaves while its task runs finds the result when it comes back.
#[test]
fn a_client_that_leaves_loses_nothing() {
    let home = tempfile::tempdir().unwrap();
    let library = library(home.path());
    let mut client = Client::connect(home.path());
    let arguments = json!({"query": "How deep is the Mariana Trench?", "library": [library]});
    client.send("tools/call", json!({"name": "deep_research", "arguments": arguments}));
    client.close();
    assert!(client.wait().success());
    let mut client = Client::connect(home.path());
    let listed = client.call("list_research", json!({}));
    let task_id = listed["tasks"][0]["task_id"].clone();
    assert_eq!(finished(&mut client, &task_id)["status"], "completed", "{listed}");
}

/// HR-09: an id that nobody has is said to be unknown.
#[test]
fn an_unknown_task_is_not_found() {
    let home = tempfile::tempdir().unwrap();
    let mut client = Client::connect(home.path());
    let reply = client.call("check_research_status", json!({"task_id": "3f2b8c1e-5d44-4a0e-9c57-0b6f2f0e7a11"}));
    assert_eq!(reply["error"]["code"], "TASK_NOT_FOUND", "{reply}");
}

/// MC-01: what a client shows of a reply is all that it is sent; the rest is asked for by page, and nothing is lost.
#[test]
fn mc_01_replies_are_sized_by_client() {
    let home = tempfile::tempdir().unwrap();
    let notes = home.path().join("notes");
    std::fs::create_dir(&notes).unwrap();
    let fish = [
        "snail", "cusk", "lantern", "rattail", "tripod", "viper", "angler", "fang", "gulper", "hatchet", "dragon",
        "eel",
    ];
    for (n, name) in fish.iter().enumerate() {
        let sentence = |m: usize| {
            let depth = 6_000 + 31 * (n * 40 + m);
            format!(
                "In haul {m} the {name} fish of the hadal zone lived {depth} metres deep in trench {n}, where it ate {m} kinds of prey. "
            )
        };
        let text: String = (0..40).map(sentence).collect();
        std::fs::write(notes.join(format!("{name}.md")), format!("# The {name}fish\n\n{text}\n")).unwrap();
    }
    let mut client = Client::spawn(home.path());
    client.open_as("codex-mcp-client", json!({}));
    let asked = json!({"query": "how many metres deep was each haul in the hadal zone?", "engine": "extractive", "library": [notes], "length": "long", "task_scope": "large"});
    let reply = client.call("deep_research", asked);
    assert_eq!(reply["status"], "completed", "{reply:#}");
    let bytes = reply.to_string().len();
    assert!(bytes <= 12_500, "{bytes} bytes");
    let pages = reply["paging"]["pages"].as_u64().unwrap_or_else(|| panic!("a long report has pages: {reply:#}"));
    let id = reply["task_id"].as_str().unwrap();
    let rest = |client: &mut Client, pages: u64, most: usize| -> String {
        let page = |page| {
            let reply = client.call("get_research_results", json!({"task_id": id, "page": page}));
            assert!(reply.to_string().len() <= most, "page {page}");
            reply["report"].as_str().unwrap().to_owned()
        };
        (2..=pages).map(page).collect()
    };
    let joined = reply["result"].as_str().unwrap().to_owned() + &rest(&mut client, pages, 12_500);
    let mut other = Client::connect(home.path());
    let first = other.call("get_research_results", json!({"task_id": id}));
    let pages = first["paging"]["pages"].as_u64().unwrap();
    assert_eq!(joined, first["report"].as_str().unwrap().to_owned() + &rest(&mut other, pages, 1 << 20));
}

/// MC-01: prompts, completion of task ids, links and the parts of a task as resources.
#[test]
fn mc_01_a_task_is_found_in_every_way() {
    let home = tempfile::tempdir().unwrap();
    let notes = home.path().join("notes");
    std::fs::create_dir(&notes).unwrap();
    std::fs::write(notes.join("sea.md"), "# Sea\n\nThe hadal zone begins at 6,000 metres.\n").unwrap();
    let mut client = Client::connect(home.path());
    let prompts = client.request("prompts/list", json!({}));
    let names: Vec<&str> =
        prompts["prompts"].as_array().unwrap().iter().map(|prompt| prompt["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["research_this", "check_this_text", "compare_options"]);
    let prompt =
        client.request("prompts/get", json!({"name": "research_this", "arguments": {"question": "how deep?"}}));
    assert!(prompt["messages"][0]["content"]["text"].as_str().unwrap().ends_with("how deep?"), "{prompt}");

    let asked = json!({"query": "where does the hadal zone begin?", "engine": "extractive", "library": [notes]});
    let result = client.request("tools/call", json!({"name": "deep_research", "arguments": asked}));
    let id = result["structuredContent"]["task_id"].as_str().unwrap().to_owned();
    let link = &result["content"][1];
    assert_eq!(link["type"], "resource_link", "{result:#}");
    let report = client.request("resources/read", json!({"uri": link["uri"]}));
    assert!(report["contents"][0]["text"].as_str().unwrap().contains("6,000 metres"), "{report}");
    for (part, holds) in [("sources", "sea.md"), ("journal", "stop_reason"), ("evidence", "claims")] {
        let uri = format!("research://tasks/{id}/{part}");
        let read = client.request("resources/read", json!({"uri": uri}));
        let text = read["contents"][0]["text"].as_str().unwrap();
        assert!(text.contains(holds) && serde_json::from_str::<serde_json::Value>(text).is_ok(), "{part}: {text}");
    }
    for (typed, found) in [("", 1), (id.get(..8).unwrap(), 1), ("zzz", 0)] {
        let template = json!({"type": "ref/resource", "uri": "research://tasks/{task_id}/report"});
        let asked = json!({"ref": template, "argument": {"name": "task_id", "value": typed}});
        let values = client.request("completion/complete", asked)["completion"]["values"].clone();
        assert_eq!(values.as_array().unwrap().len(), found, "{typed:?}");
    }
}

/// MC-01: the list of reports is read page by page, each report once; what is finished or deleted meanwhile moves none. A cursor that nobody gave is
/// refused.
#[test]
fn mc_01_all_reports_are_listed_by_page() {
    let home = tempfile::tempdir().unwrap();
    let notes = home.path().join("notes");
    std::fs::create_dir(&notes).unwrap();
    std::fs::write(notes.join("sea.md"), "The hadal zone begins at 6,000 metres.\n").unwrap();
    let mut client = Client::connect(home.path());
    let ask = |client: &mut Client, number: u32| {
        let query = format!("where does the hadal zone {number} begin?");
        let reply = client.call("search", json!({"query": query, "library": [notes.to_str().unwrap()], "web": false}));
        format!("research://tasks/{}/report", reply["task_id"].as_str().unwrap())
    };
    let mut known: Vec<String> = (0..53).map(|number| ask(&mut client, number)).collect();
    let first = client.request("resources/list", json!({}));
    let uris = |page: &Value| -> Vec<String> {
        page["resources"].as_array().unwrap().iter().map(|row| row["uri"].as_str().unwrap().to_owned()).collect()
    };
    let mut listed = uris(&first);
    assert_eq!(listed.len(), 50);
    // One that is new, and one that is gone.
    ask(&mut client, 99);
    let gone = known.remove(52);
    let id = gone.split('/').nth(3).unwrap();
    assert_eq!(client.call("delete_research", json!({"task_ids": [id]}))["success"], true);
    let rest = client.request("resources/list", json!({"cursor": first["nextCursor"]}));
    assert_eq!((uris(&rest).len(), &rest["nextCursor"]), (3, &Value::Null), "{rest}");
    listed.extend(uris(&rest));
    listed.retain(|uri| *uri != gone);
    listed.sort_unstable();
    known.sort_unstable();
    assert_eq!(listed, known);
    // Tasks by the last one of the page before.
    let (mut tasks, mut after) = (Vec::new(), None);
    loop {
        let mut arguments = json!({"limit": 20});
        arguments.as_object_mut().unwrap().extend(after.map(|id| ("after".to_owned(), id)));
        let page = client.call("list_research", arguments);
        tasks.extend(page["tasks"].as_array().unwrap().iter().map(|task| task["task_id"].clone()));
        if page["more"] == false {
            break;
        }
        after = tasks.last().cloned();
    }
    assert_eq!(
        (tasks.len(), tasks.iter().map(Value::to_string).collect::<std::collections::BTreeSet<_>>().len()),
        (53, 53)
    );
    for cursor in ["", "x", "5.x", "99999999999999999999.3f2b8c1e-5d44-4a0e-9c57-0b6f2f0e7a11"] {
        let id = client.send("resources/list", json!({"cursor": cursor}));
        let refused = client.answer(id);
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
    }
}
