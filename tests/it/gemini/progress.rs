//! What is seen while a call runs, and what a call that takes too long hands back.

use serde_json::{Value, json};
use sim::gemini::Script;

use super::{FACES, Lab, QUERY, answer, until};

fn says(words: &str) -> impl Fn(&Value) -> bool {
    move |message| {
        message["method"] == "notifications/progress"
            && message["params"]["message"].as_str().is_some_and(|said| said.contains(words))
    }
}

/// SE-03: a client with a token hears what the program does while it does it, and so does whoever asks for the status.
#[test]
fn progress_is_heard_while_the_call_runs() {
    let held = answer("done", true).search("trench depth", &["https://a.example/"]).hold("page");
    let held = held.fetch("https://a.example/deep").hold("end");
    let lab = Lab::new(&Script::runs([held]));
    let mut client = lab.serve();
    let arguments = json!({"query": QUERY});
    let call = json!({"name": "deep_search", "arguments": arguments, "_meta": {"progressToken": "t"}});
    let id = client.send("tools/call", call);
    let heard = client.hear("news of the search", says("searching: trench depth"));
    assert_eq!(heard["params"]["progressToken"], "t");
    lab.fake.release("page");
    client.hear("news of the page", says("reading: https://a.example/deep"));
    let task = client.call("list_research", json!({}))["tasks"][0]["task_id"].clone();
    until("the status says what is going on", || {
        let status = client.call("check_research_status", json!({"task_id": task}));
        assert_eq!((&status["status"], &status["progress"]), (&json!("running_async"), &json!(0)), "{status}");
        status["current_action"] == "reading: https://a.example/deep"
    });
    lab.fake.release("end");
    assert_eq!(client.answer(id)["result"]["structuredContent"]["result"], "done");
}

/// SE-03: the terminal shows the same on stderr, and stdout has nothing but the report.
#[test]
fn progress_is_shown_on_stderr() {
    let lab = Lab::new(&Script::runs([answer("done", true).search("trench depth", &[]).hold("end")]));
    let mut running = lab.start(&["deep-search", QUERY]);
    until("the search is shown", || lab.command_log().contains("[INFO] searching: trench depth\n"));
    assert!(lab.command_log().contains("[INFO] Deep search round 1/5...\n"));
    lab.fake.release("end");
    assert!(running.0.wait().unwrap().success());
    let shown = std::fs::read_to_string(lab.path("command.out")).unwrap();
    assert!(shown.starts_with("done\n") && !shown.contains("INFO"), "{shown}");
}

/// SE-04, JB-01: a call hands back the task when its window is over; the result is there later, with all rounds.
#[test]
fn a_call_that_outlives_its_window_hands_back_the_task() {
    let lab = Lab::new(&Script::runs([answer("draft", false), answer("final", true).hold("later")]));
    let lab = lab.with("HADAL_CALL_WINDOW_SECONDS", "1");
    let mut client = lab.serve();
    let reply = client.call("deep_search", json!({"query": QUERY}));
    assert_eq!((&reply["status"], &reply["mode"]), (&json!("running_async"), &json!("async")), "{reply:#}");
    assert!(reply["check_status_command"].as_str().unwrap().contains("check_research_status(task_id="));
    let task = json!({"task_id": reply["task_id"]});
    assert_eq!(client.call("get_research_results", task.clone())["error"]["code"], "RESEARCH_NOT_COMPLETED");
    lab.fake.release("later");
    let waiting = json!({"task_id": reply["task_id"], "wait_seconds": 25});
    assert_eq!(client.call("check_research_status", waiting)["status"], "completed");
    let results = client.call("get_research_results", task);
    assert_eq!(results["report"], "final", "{results:#}");
    // The terminal finds the same task, and waits without a window.
    let shown = lab.command().args(["results", "--json", reply["task_id"].as_str().unwrap()]).output().unwrap();
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!((&shown["report"], &shown["metadata"]), (&json!("final"), &results["metadata"]));
}

/// SE-04: whatever the face, the answer and the record of every round are one reply.
#[test]
fn the_reply_has_the_answer_and_every_round() {
    for face in FACES {
        let lab = Lab::new(&Script::runs([answer("first words", false), answer("last words", true)]));
        let told = lab.deep_search(face, QUERY);
        let rounds = told.reply["metadata"]["rounds"].as_array().unwrap();
        let summaries: Vec<&str> =
            rounds.iter().filter_map(|round| round["intermediate_result_summary"].as_str()).collect();
        assert_eq!(
            (told.reply["result"].as_str(), summaries.as_slice()),
            (Some("last words"), &["first words", "last words"][..])
        );
    }
    let lab = Lab::new(&Script::runs([answer("text for people", true)]));
    let told = lab.command().args(["search", QUERY]).output().unwrap();
    assert!(String::from_utf8_lossy(&told.stdout).starts_with("text for people\n"));
}
