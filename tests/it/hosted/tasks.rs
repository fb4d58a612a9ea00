//! The tasks extension: a client that takes tasks gets one, and whoever asks later gets its result.

use super::*;

fn modern(lab: &Lab) -> Client {
    let mut command = lab.command();
    command.arg("serve");
    let mut client = Client::start(command);
    client.speak_modern();
    client
}

/// The same request from a client that takes tasks.
fn taking_tasks(mut params: Value) -> Value {
    let extensions = json!({"io.modelcontextprotocol/tasks": {}});
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({"extensions": extensions});
    params
}

fn start_call(query: &str) -> Value {
    json!({"name": "start_deep_research", "arguments": {"query": query}})
}

/// MC-01, JB-01: a research of twenty minutes is a task at once; its client goes, and another collects the report.
#[test]
fn mc_01_a_long_research_is_a_task() {
    let lab = Lab::new(still());
    let mut client = modern(&lab);
    let created = client.request("tools/call", taking_tasks(start_call("how deep is the sea?")));
    assert_eq!((&created["resultType"], &created["status"]), (&json!("task"), &json!("working")), "{created:#}");
    let id = created["taskId"].as_str().unwrap().to_owned();
    let told = client.request("tasks/get", taking_tasks(json!({"taskId": id})));
    assert_eq!(told["status"], "working", "{told:#}");
    let pid = rustix::process::Pid::from_raw(i32::try_from(client.pid()).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    client.wait();
    lab.api.advance(20.0 * 60.0);
    let mut other = modern(&lab);
    let ended = until_some("the task to end", || {
        let told = other.request("tasks/get", taking_tasks(json!({"taskId": id})));
        (told["status"] != "working").then_some(told)
    });
    assert_eq!(ended["status"], "completed", "{ended:#}");
    let reply = &ended["result"]["structuredContent"];
    assert!(reply["success"] == true && !reply["results"]["report"].as_str().unwrap().is_empty(), "{reply:#}");
    assert!(reply.get("report").is_none(), "in the shape of its own tool: {reply:#}");
    assert_eq!(lab.api.count(On::Create), 1);
}

/// MC-01: tasks/cancel stops the task; a call that does not take tasks gets none; ids of nobody are refused.
#[test]
fn mc_01_tasks_are_cancelled_and_not_pressed_on_anybody() {
    let lab = Lab::new(still());
    let mut client = modern(&lab);
    let created = client.request("tools/call", taking_tasks(start_call("how deep is the sea?")));
    let id = created["taskId"].as_str().unwrap().to_owned();
    client.request("tasks/cancel", taking_tasks(json!({"taskId": id})));
    let told = client.request("tasks/get", taking_tasks(json!({"taskId": id})));
    assert_eq!((&told["status"], &told["statusMessage"]), (&json!("cancelled"), &Value::Null), "{told:#}");
    client.request("tasks/cancel", taking_tasks(json!({"taskId": id})));
    let plain = client.request("tools/call", start_call("how wide is the sea?"));
    assert_eq!(plain["structuredContent"]["status"], "running_async", "{plain:#}");
    let unknown = "00000000-0000-4000-8000-000000000000";
    let asked = client.send("tasks/get", taking_tasks(json!({"taskId": unknown})));
    assert_eq!(client.answer(asked)["error"]["code"], -32602);
}
