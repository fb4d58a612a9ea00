//! Cancelling: nothing is left in the process table.

use serde_json::json;
use sim::gemini::{Script, Step};

use super::{Lab, QUERY, answer, until};

/// A child that ignores signals, with children of its own in and out of its group, is gone within six seconds, whoever
/// cancels. What was found before is kept.
#[test]
fn a_cancelled_search_leaves_no_process() {
    let stubborn = answer("too late", true)
        .step(Step::Grandchild { setsid: true })
        .step(Step::Grandchild { setsid: false })
        .hold("never")
        .deaf();
    for by_command in [false, true] {
        let lab = Lab::new(&Script::runs([answer("draft", false), stubborn.clone()]));
        let mut client = lab.serve();
        let id = client.send("tools/call", json!({"name": "deep_search", "arguments": {"query": QUERY}}));
        let calls =
            lab.fake.wait_for("the second round", |calls| calls.iter().any(|call| call.grandchildren.len() == 2));
        assert_eq!((calls.len(), lab.fake.survivors().len()), (2, 3));
        let task = client.call("list_research", json!({}))["tasks"][0]["task_id"].clone();
        if by_command {
            let output = lab.command().args(["cancel", "--json", task.as_str().unwrap()]).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        } else {
            let reply = client.call("cancel_research", json!({"task_id": task}));
            assert_eq!((&reply["success"], &reply["status"]), (&json!(true), &json!("cancelled")), "{reply}");
        }
        until("every process is gone", || lab.fake.survivors().is_empty());
        let reply = client.answer(id)["result"]["structuredContent"].clone();
        assert_eq!((&reply["error"]["code"], &reply["result"]), (&json!("CANCELLED"), &json!("draft")), "{reply:#}");
        assert_eq!((lab.calls().len(), lab.leftovers().len()), (2, 0));
    }
}

/// A search that is cancelled while it waits for its next cycle asks nothing more.
#[test]
fn a_search_is_cancelled_between_its_cycles() {
    let lab = Lab::new(&Script::always(sim::gemini::Scenario::fault(sim::gemini::Fault::Overloaded)));
    let mut client = lab.serve();
    let id = client.send("tools/call", json!({"name": "search", "arguments": {"query": QUERY}}));
    until("the second cycle is over", || lab.server_log().contains("cycle 2 failed"));
    let task = client.call("list_research", json!({}))["tasks"][0]["task_id"].clone();
    assert_eq!(client.call("cancel_research", json!({"task_id": task}))["status"], "cancelled");
    assert_eq!(client.answer(id)["result"]["structuredContent"]["error"]["code"], "CANCELLED");
    assert_eq!(lab.calls().len(), 2);
}
