//! `kill -9` of hadal in the middle of a search.

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use sim::gemini::{Scenario, Script};

use super::{Lab, QUERY, answer, until};

fn kill(pid: u32) {
    kill_process(Pid::from_raw(i32::try_from(pid).unwrap()).unwrap(), Signal::KILL).unwrap();
}

/// Rounds 1 and 2 are done, round 3 hangs in a child that ignores signals; its second run answers.
fn interrupted_in_round_three() -> Script {
    Script::runs([
        answer("one", false).search("first", &["https://a.example/1"]),
        answer("two", false).search("second", &["https://a.example/2"]),
        answer("lost", true).hold("never").deaf(),
        answer("three", true).search("third", &["https://a.example/3"]),
    ])
}

fn check(lab: &Lab, rounds: &serde_json::Value) {
    let summaries: Vec<&str> =
        rounds.as_array().unwrap().iter().filter_map(|round| round["intermediate_result_summary"].as_str()).collect();
    assert_eq!(summaries, ["one", "two", "three"]);
    assert_eq!(rounds[0]["sources_visited"], json!(["https://a.example/1"]));
    let calls = lab.calls();
    assert_eq!(calls.len(), 4, "{calls:#?}");
    assert_eq!(calls[2].prompt, calls[3].prompt, "round 3 is asked again as it was");
    assert!(calls[3].prompt.contains("round 3 of at most 5") && calls[3].prompt.contains("two"));
    assert_eq!(lab.fake.survivors(), [0; 0]);
}

/// DS-09, RS-01: a killed server is followed by one that finishes from round 3; nothing is done twice, nobody is left over.
#[test]
fn a_killed_server_is_followed_by_one_that_finishes() {
    let lab = Lab::new(&interrupted_in_round_three());
    let mut client = lab.serve();
    client.send("tools/call", json!({"name": "deep_search", "arguments": {"query": QUERY}}));
    let calls = lab.fake.wait_for("round 3", |calls| calls.len() == 3);
    kill(client.pid());
    until("the orphan is gone", || !sim::alive(calls[2].pid));
    drop(client);
    assert_eq!(lab.leftovers().len(), 1, "what the killed one could not take away");
    let mut client = lab.serve();
    let task = client.call("list_research", json!({}))["tasks"][0]["task_id"].clone();
    let status = client.call("check_research_status", json!({"task_id": task, "wait_seconds": 25}));
    assert_eq!(status["status"], "completed", "{status}");
    let results = client.call("get_research_results", json!({"task_id": task}));
    assert_eq!((&results["report"], &results["metadata"]["iterations"]), (&json!("three"), &json!(3)), "{results:#}");
    check(&lab, &results["metadata"]["rounds"]);
    assert_eq!(lab.leftovers().len(), 0);
    let log = lab.server_log();
    assert_eq!(log.matches("[INFO] Deep search round 1/5...").count(), 1, "{log}");
    assert!(log.contains("[INFO] Deep search completed: 3 rounds, verified: true\n"), "{log}");
}

/// RS-01: the same with a killed command, finished by `hadal results --wait`.
#[test]
fn a_killed_command_is_finished_by_another() {
    let lab = Lab::new(&interrupted_in_round_three());
    let mut running = lab.start(&["deep-search", QUERY]);
    let calls = lab.fake.wait_for("round 3", |calls| calls.len() == 3);
    kill(running.0.id());
    running.0.wait().unwrap();
    until("the orphan is gone", || !sim::alive(calls[2].pid));
    let log = lab.command_log();
    let id = log.lines().find_map(|line| line.strip_prefix("[INFO] Task ")?.strip_suffix(" started")).unwrap();
    let output = lab.command().args(["results", "--wait", "--json", id]).output().unwrap();
    let results: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(results["report"], "three", "{results:#}");
    check(&lab, &results["metadata"]["rounds"]);
}

/// JR-06: a server that is killed in a correction leaves a file; the next one sweeps it up and corrects again.
#[test]
fn a_file_of_a_killed_correction_is_swept_up() {
    let lab = Lab::new(&Script::runs([
        Scenario::answer("no JSON"),
        answer("lost", true).hold("never"),
        answer("mended", true),
    ]));
    let mut client = lab.serve();
    client.send("tools/call", json!({"name": "search", "arguments": {"query": QUERY}}));
    let calls = lab.fake.wait_for("the correction", |calls| calls.len() == 2);
    let file = &calls[1].invalid_outputs[0].path;
    kill(client.pid());
    until("the orphan is gone", || !sim::alive(calls[1].pid));
    drop(client);
    assert!(file.exists());
    let mut client = lab.serve();
    let task = client.call("list_research", json!({}))["tasks"][0]["task_id"].clone();
    let status = client.call("check_research_status", json!({"task_id": task, "wait_seconds": 25}));
    assert_eq!((&status["status"], file.exists()), (&json!("completed"), false), "{status}");
    let calls = lab.calls();
    assert_eq!((calls.len(), calls[2].invalid_outputs[0].contents.as_deref()), (3, Some("no JSON")));
    assert!(lab.server_log().contains("[INFO] Cleaned up 1 orphaned temporary files\n"), "{}", lab.server_log());
}
