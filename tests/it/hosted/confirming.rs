//! The question back: a client that can ask its user is asked before money is spent.

use super::*;

fn asking(lab: &Lab) -> Client {
    let mut command = lab.command();
    command.arg("serve");
    let mut client = Client::start(command);
    client.open_as("hadal-test", json!({"elicitation": {}}));
    client
}

fn start_call() -> Value {
    json!({"name": "start_deep_research", "arguments": {"query": "how deep is the sea?"}})
}

/// MC-01: a session's client is asked once, with the estimate; only a yes starts something, and then once.
#[test]
fn mc_01_a_session_is_asked_before_money_is_spent() {
    let lab = Lab::new(still());
    let mut client = asking(&lab);
    for (answer, starts) in [
        (json!({"action": "decline"}), false),
        (json!({"action": "cancel"}), false),
        (json!({"action": "accept", "content": {"start": false}}), false),
        // Only a yes is one.
        (json!({"action": "accept", "content": {"start": "true"}}), false),
        (json!({"action": "accept", "content": {"start": null}}), false),
        (json!({"action": "accept", "content": {}}), false),
        (json!({"action": "accept"}), false),
        (json!({"action": "accept", "content": {"start": true}}), true),
    ] {
        let id = client.send("tools/call", start_call());
        let question = client.hear("a question", |message| message["method"] == "elicitation/create");
        let said = question["params"]["message"].as_str().unwrap();
        assert!(said.contains("how deep is the sea?") && said.contains("US dollars"), "{said}");
        assert_eq!(question["params"]["requestedSchema"]["required"], json!(["start"]));
        assert_eq!(lab.api.count(On::Create), 0, "nothing is started before the answer");
        client.line(&json!({"jsonrpc": "2.0", "id": question["id"], "result": answer}).to_string());
        let reply = client.answer(id)["result"]["structuredContent"].clone();
        if starts {
            assert_eq!(reply["status"], "running_async", "{reply:#}");
        } else {
            assert_eq!(code(&reply), "NOT_CONFIRMED", "{reply:#}");
            assert_eq!(client.call("list_research", json!({}))["tasks"], json!([]), "no task is left of it");
        }
    }
    assert_eq!(lab.api.count(On::Create), 1);
    // What would be refused anyway is refused without a question.
    let refused = client.call("start_deep_research", json!({"query": "x"}));
    assert_eq!(code(&refused), "INVALID_QUERY");
    let same = client.request("tools/call", start_call())["structuredContent"].clone();
    assert_eq!(code(&same), "RESEARCH_ALREADY_STARTED", "{same:#}");
    assert!(client.notifications.iter().all(|message| message["method"] != "elicitation/create"));
}

/// MC-01: without an answer within the call window nothing is started.
#[test]
fn mc_01_no_answer_is_no() {
    let lab = Lab::new(still()).with("HADAL_CALL_WINDOW_SECONDS", "1");
    let mut client = asking(&lab);
    let reply = client.request("tools/call", start_call())["structuredContent"].clone();
    assert_eq!(code(&reply), "NOT_CONFIRMED", "{reply:#}");
    assert_eq!(lab.api.count(On::Create), 0);
}

/// MC-01: a request that stands alone is answered with the question, and goes on when it comes again with the answer.
#[test]
fn mc_01_a_request_is_answered_with_the_question() {
    let lab = Lab::new(still());
    let mut command = lab.command();
    command.arg("serve");
    let mut client = Client::start(command);
    client.speak_modern();
    let capable = |mut call: Value| {
        call["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {"form": {}}});
        call
    };
    let asked = client.request("tools/call", capable(start_call()));
    assert_eq!(asked["resultType"], "input_required", "{asked:#}");
    let question = &asked["inputRequests"]["confirm"];
    assert_eq!(question["method"], "elicitation/create", "{asked:#}");
    let state = asked["requestState"].clone();
    let answered = |action: &str, state: Value| {
        let mut again = capable(start_call());
        again["inputResponses"] = json!({"confirm": {"action": action, "content": {"start": true}}});
        again["requestState"] = state;
        again
    };
    let dearer = |mut call: Value| {
        call["arguments"]["model"] = json!("deep-research-max-preview-04-2026");
        call
    };
    // A yes that nobody asked for, one to something else and one to another call: the question is asked anew.
    for call in
        [answered("accept", Value::Null), answered("accept", json!("7-1")), dearer(answered("accept", state.clone()))]
    {
        let reply = client.request("tools/call", call);
        assert_eq!(reply["resultType"], "input_required", "{reply:#}");
    }
    let refused = client.request("tools/call", answered("decline", state))["structuredContent"].clone();
    assert_eq!((code(&refused), lab.api.count(On::Create)), ("NOT_CONFIRMED", 0), "{refused:#}");
    let state = client.request("tools/call", capable(start_call()))["requestState"].clone();
    let reply = client.request("tools/call", answered("accept", state));
    assert_eq!(lab.api.count(On::Create), 1, "{reply:#}");
}

/// MC-01, BU-01: one yes starts one thing: the same answer, sent again or to another server, is asked about anew.
#[test]
fn mc_01_a_yes_counts_once() {
    let lab = Lab::new(still());
    let modern = || {
        let mut command = lab.command();
        command.arg("serve");
        let mut client = Client::start(command);
        client.speak_modern();
        client
    };
    let mut call = start_call();
    call["arguments"]["again"] = json!(true);
    call["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {"form": {}}});
    let mut client = modern();
    call["requestState"] = client.request("tools/call", call.clone())["requestState"].clone();
    call["inputResponses"] = json!({"confirm": {"action": "accept", "content": {"start": true}}});
    let sent: Vec<u64> = (0..3).map(|_| client.send("tools/call", call.clone())).collect();
    let replies: Vec<Value> = sent.into_iter().map(|id| client.answer(id)["result"].clone()).collect();
    let asked = replies.iter().filter(|reply| reply["resultType"] == "input_required").count();
    assert_eq!((asked, lab.api.count(On::Create)), (2, 1), "{replies:#?}");
    let elsewhere = modern().request("tools/call", call);
    assert_eq!((&elsewhere["resultType"], lab.api.count(On::Create)), (&json!("input_required"), 1), "{elsewhere:#}");
}

/// MC-01: a request whose id is in use is refused, and the one that has it is answered, in both eras.
#[test]
fn mc_01_an_id_in_use_is_refused_on_pipes() {
    let lab = Lab::new(still());
    for is_modern in [false, true] {
        let mut client = lab.serve();
        let task = start(&mut client, if is_modern { "how deep is the lake?" } else { "how deep is the sea?" });
        if is_modern {
            let mut command = lab.command();
            command.arg("serve");
            client = Client::start(command);
            client.speak_modern();
        }
        let wait = json!({"name": "check_research_status", "arguments": {"task_id": task, "wait_seconds": 45}});
        let first = client.send("tools/call", wait);
        let ping = json!({"jsonrpc": "2.0", "id": first, "method": "ping"}).to_string();
        client.line(&ping);
        let refused = client.answer(first);
        assert_eq!(refused["error"]["code"], -32_600, "{refused:#}");
        client.call("cancel_research", json!({"task_id": task}));
        let answered = client.answer(first)["result"]["structuredContent"].clone();
        assert_eq!(answered["task_id"], json!(task), "{answered:#}");
        // What was answered gives up its id.
        client.line(&ping);
        assert_ne!(client.answer(first)["error"]["code"], -32_600);
    }
}

/// MC-01: clients that cannot ask, and machines that are not to be asked, start as they are.
#[test]
fn mc_01_machines_are_not_asked() {
    let lab = Lab::new(still()).with("HADAL_CONFIRM", "never");
    start(&mut asking(&lab), "how deep is the sea?");
    let lab = Lab::new(still());
    start(&mut lab.serve(), "how deep is the sea?");
}

/// MC-01: a question that says too little is asked back once, by whichever tool, before a task exists; what the user says takes its place. Declined,
/// empty or unanswered nothing is started, with a code.
#[test]
fn mc_01_a_vague_question_is_asked_back() {
    let lab = Lab::new(still());
    std::fs::create_dir(lab.path("notes")).unwrap();
    std::fs::write(lab.path("notes/sea.md"), "# Sea\n\nThe hadal zone begins at 6,000 metres.\n").unwrap();
    assert!(lab.command().args(["library", "add"]).arg(lab.path("notes")).output().unwrap().status.success());
    let mut client = asking(&lab);
    // What is null is not said.
    let vague = |tool: &str| {
        let mut arguments = json!({"query": "how does it work?", "engine": "extractive"});
        if tool == "deep_research" {
            arguments["context"] = Value::Null;
            arguments["library"] = Value::Null;
        }
        json!({"name": tool, "arguments": arguments})
    };
    for tool in ["search", "deep_search", "deep_research"] {
        for answer in [
            json!({"action": "decline"}),
            json!({"action": "cancel"}),
            json!({"action": "accept", "content": {}}),
            json!({"action": "accept", "content": {"question": " \t"}}),
        ] {
            let id = client.send("tools/call", vague(tool));
            let question = client.hear("a question", |message| message["method"] == "elicitation/create");
            let said = question["params"]["message"].as_str().unwrap();
            assert!(said.contains("how does it work?") && said.contains("does not name"), "{said}");
            assert!(question["params"]["requestedSchema"]["properties"]["question"].is_object(), "{question:#}");
            client.line(&json!({"jsonrpc": "2.0", "id": question["id"], "result": answer}).to_string());
            let reply = client.answer(id)["result"]["structuredContent"].clone();
            assert_eq!(code(&reply), "QUESTION_UNCLEAR", "{reply:#}");
        }
    }
    assert_eq!(client.call("list_research", json!({}))["tasks"], json!([]), "no task is left of it");
    let id = client.send("tools/call", vague("search"));
    let question = client.hear("a question", |message| message["method"] == "elicitation/create");
    let meant = json!({"action": "accept", "content": {"question": "Where does the hadal zone begin?"}});
    client.line(&json!({"jsonrpc": "2.0", "id": question["id"], "result": meant}).to_string());
    let reply = client.answer(id)["result"]["structuredContent"].clone();
    assert_eq!(reply["metadata"]["query"], "Where does the hadal zone begin?", "{reply:#}");
    assert!(reply["result"].as_str().unwrap().contains("6,000 metres"), "{reply:#}");
    // A call that says more than its question is taken as it is.
    let told = json!({"query": "how does it work?", "engine": "extractive", "context": "the hadal zone"});
    assert_eq!(client.call("deep_research", told)["success"], true);
    // What lacks its key is refused without a question.
    let mut keyless = lab.command();
    keyless.env_remove("GEMINI_API_KEY").arg("serve");
    let mut client = Client::start(keyless);
    client.open_as("hadal-test", json!({"elicitation": {}}));
    let refused = client.call("start_deep_research", json!({"query": "how does it work?"}));
    assert_eq!(refused["success"], false, "{refused:#}");
    assert!(client.notifications.iter().all(|message| message["method"] != "elicitation/create"));
}

/// MC-01: a paid start with a vague question is asked about once, for both. What is meant may cost no more than was shown: otherwise nothing is
/// started, and the new figures are told. Machines are not asked.
#[test]
fn mc_01_one_question_for_all_doubts() {
    let broad = "Compare how deep-sea mining is regulated worldwide, analyse its impact on every industry and market, and forecast \
                 future trends across countries, policies and decades in comprehensive detail";
    let lab = Lab::new(still());
    let mut client = asking(&lab);
    let vague = json!({"name": "start_deep_research", "arguments": {"query": "tell me more"}});
    for (meant, starts) in [(broad, false), ("How deep is the sea?", true)] {
        let id = client.send("tools/call", vague.clone());
        let question = client.hear("a question", |message| message["method"] == "elicitation/create");
        let fields = &question["params"]["requestedSchema"]["properties"];
        assert!(fields["question"].is_object() && fields["start"].is_object(), "{question:#}");
        let answer = json!({"action": "accept", "content": {"start": true, "question": meant}});
        client.line(&json!({"jsonrpc": "2.0", "id": question["id"], "result": answer}).to_string());
        let reply = client.answer(id)["result"]["structuredContent"].clone();
        let tasks = client.call("list_research", json!({}));
        if starts {
            assert_eq!(reply["status"], "running_async", "{reply:#}");
            assert_eq!(tasks["tasks"][0]["query"], meant, "{tasks:#}");
        } else {
            assert_eq!(code(&reply), "NOT_CONFIRMED", "{reply:#}");
            let shown = question["params"]["message"].as_str().unwrap();
            let figures = reply["error"]["message"].as_str().unwrap().split("It is estimated").nth(1).unwrap();
            assert!(figures.contains("US dollars") && !shown.contains(figures), "{shown} {figures}");
            assert_eq!(tasks["tasks"], json!([]), "no task is left of it");
        }
    }
    assert_eq!(lab.api.count(On::Create), 1);
    let lab = Lab::new(still()).with("HADAL_CONFIRM", "never");
    start(&mut asking(&lab), "tell me more");
}

/// MC-01: a client that says it can ask and then cannot starts what is free, and nothing that costs money.
#[test]
fn mc_01_a_client_that_cannot_ask_after_all() {
    let lab = Lab::new(still()).with("HADAL_WEB", "no");
    let mut client = asking(&lab);
    let free = json!({"name": "deep_research", "arguments": {"query": "how does it work?", "engine": "extractive"}});
    for (call, expected) in [(free, "ENGINE_UNAVAILABLE"), (start_call(), "NOT_CONFIRMED")] {
        let id = client.send("tools/call", call);
        let question = client.hear("a question", |message| message["method"] == "elicitation/create");
        let error = json!({"code": -32_601, "message": "no such method"});
        client.line(&json!({"jsonrpc": "2.0", "id": question["id"], "error": error}).to_string());
        let reply = client.answer(id)["result"]["structuredContent"].clone();
        assert_eq!(code(&reply), expected, "{reply:#}");
    }
    assert_eq!(lab.api.count(On::Create), 0);
}

/// MC-01: a server that is told to end while it asks says so; its user has refused nothing.
#[test]
fn mc_01_a_question_ends_with_the_server() {
    let lab = Lab::new(still());
    let mut client = asking(&lab);
    let id = client.send("tools/call", start_call());
    client.hear("a question", |message| message["method"] == "elicitation/create");
    let pid = rustix::process::Pid::from_raw(i32::try_from(client.pid()).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    let reply = client.answer(id)["result"]["structuredContent"].clone();
    assert_eq!(code(&reply), "SHUTTING_DOWN", "{reply:#}");
    assert_eq!(lab.api.count(On::Create), 0);
}
