//! `hadal serve` as a process: handshake, bad input, end of input, signals.

use serde_json::json;

use crate::client::Client;

#[test]
fn both_eras_list_the_same_tools() {
    let home = tempfile::tempdir().unwrap();
    let old = Client::connect(home.path()).request("tools/list", json!({}));
    let mut modern = Client::connect_modern(home.path());
    let hello = modern.request("server/discover", json!({}));
    assert!(hello["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")), "{hello}");
    assert_eq!(modern.request("tools/list", json!({}))["tools"], old["tools"]);
    let names: Vec<&str> = old["tools"].as_array().unwrap().iter().filter_map(|tool| tool["name"].as_str()).collect();
    let starting = ["search", "deep_search", "deep_research", "start_deep_research", "check_claims"];
    let asking = ["check_research_status", "get_research_results", "steer_research", "cancel_research"];
    let rest = ["estimate_research_cost", "save_research_to_markdown", "list_research", "delete_research"];
    // HR-01: the six of the seed are among them.
    assert_eq!(names, [&starting[..], &asking[..], &rest[..]].concat());
}

/// PR-03: every malformed frame is answered, in both eras, before the handshake and behind it, and the server goes on.
#[test]
fn pr_03_every_malformed_frame_is_answered() {
    let home = tempfile::tempdir().unwrap();
    let long = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{}\"}}", "x".repeat(5 << 20));
    let frames = [
        ("this is not JSON", -32_700, json!(null)),
        ("{\"jsonrpc\":\"2.0\",\"id\":1", -32_700, json!(null)),
        (long.as_str(), -32_600, json!(null)),
        ("[]", -32_600, json!(null)),
        ("{\"jsonrpc\":\"2.0\",\"id\":901}", -32_600, json!(901)),
        ("{\"jsonrpc\":\"2.0\",\"id\":\"nine\",\"method\":\"tools/call\",\"params\":7}", -32_602, json!("nine")),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":902,\"method\":\"tools/call\",\"params\":{\"arguments\":{}}}",
            -32_602,
            json!(902),
        ),
    ];
    for mut client in [Client::connect(home.path()), Client::connect_modern(home.path()), Client::spawn(home.path())] {
        for (line, code, id) in &frames {
            client.line(line);
            let answer = client.hear("the answer to a malformed frame", |answer| answer["error"].is_object());
            assert_eq!((answer["error"]["code"].as_i64(), &answer["id"]), (Some(*code), id), "{answer}");
        }
    }
    let mut client = Client::connect(home.path());
    client.line("\u{0}");
    client.line("{\"jsonrpc\":\"2.0\",\"id\":903,\"method\":\"no/such/method\"}");
    let answer = client.hear("the answer to an unknown method", |answer| answer["id"] == 903);
    assert_eq!(answer["error"]["code"], -32_601, "{answer}");
    assert!(client.request("tools/list", json!({}))["tools"].is_array());
}

/// HR-04: bad questions and arguments are coded errors, and the server goes on.
#[test]
fn bad_input_is_answered() {
    let home = tempfile::tempdir().unwrap();
    let mut client = Client::connect(home.path());
    client.line("this is not JSON");
    client.line(&"x".repeat(5 << 20));
    for (arguments, code) in [
        (json!({"query": "x".repeat(1 << 20)}), "INVALID_QUERY"),
        (json!({"query": "a\u{0}b\u{1b}c"}), "INVALID_QUERY"),
        (json!({"query": ["why?"]}), "INVALID_ARGUMENT"),
        (json!({"query": "why?", "library": [home.path().join("none")]}), "LIBRARY_NOT_FOUND"),
    ] {
        let reply = client.call("deep_research", arguments);
        assert_eq!(reply["error"]["code"], code, "{reply}");
    }
    let reply = client.call("get_research_results", json!({"task_id": "../../etc/passwd"}));
    assert_eq!(reply["error"]["code"], "INVALID_TASK_ID");
    let unknown = client.send("tools/call", json!({"name": "rm", "arguments": {}}));
    assert_eq!(client.answer(unknown)["error"]["code"], -32_602);
}

/// PR-03: a model is told which tool to call, a person which command to type.
#[test]
fn hints_speak_the_language_of_their_surface() {
    let home = crate::cli::Home::new();
    let id = "3f2b8c1e-5d44-4a0e-9c57-0b6f2f0e7a11";
    let mut client = Client::connect(home.0.path());
    for (tool, command) in [("check_research_status", "status"), ("get_research_results", "results")] {
        let reply = client.call(tool, json!({"task_id": id}));
        assert_eq!(reply["error"]["code"], "TASK_NOT_FOUND", "{reply}");
        let hints = reply["error"]["hints"].to_string();
        assert!(hints.contains("list_research") && !hints.contains("hadal list"), "{hints}");
        let done = home.run(&[command, "--json", id]);
        let hints = done.json()["error"]["hints"].to_string();
        assert!(hints.contains("hadal list") && !hints.contains("list_research"), "{hints}");
        assert!(done.stderr.contains("hadal list") && !done.stderr.contains("list_research"), "{}", done.stderr);
    }
    client.close();
    assert!(client.wait().success());
}

/// With nothing in hand the end of input is the end of the server.
#[test]
fn end_of_input_ends_an_idle_server() {
    let home = tempfile::tempdir().unwrap();
    let mut silent = Client::spawn(home.path());
    silent.close();
    assert!(silent.wait().success());
    let mut client = Client::connect(home.path());
    client.request("tools/list", json!({}));
    client.close();
    assert!(client.wait().success());
}

/// A signal ends the server in order, with its client still there.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_the_server() {
    use rustix::process::{Pid, Signal, kill_process};
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let home = tempfile::tempdir().unwrap();
        // Whoever runs the tests may ignore signals, as `nohup` does; the server would keep to that.
        #[expect(clippy::disallowed_methods, reason = "the test starts the program as a shell does")]
        let mut command = std::process::Command::new("/usr/bin/env");
        command.args(["--default-signal", env!("CARGO_BIN_EXE_hadal"), "serve"]);
        command.env_clear().env("HADAL_BACKGROUND", "no").env("HADAL_WEB", "no").env("HADAL_HOME", home.path());
        let mut client = Client::start(command);
        client.open();
        client.request("tools/list", json!({}));
        let pid = Pid::from_raw(i32::try_from(client.pid()).unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
        assert_eq!(client.wait().code(), Some(0), "{signal:?}");
    }
}

/// What its caller wants ignored stays ignored: a server under `nohup` outlives its terminal.
#[cfg(target_os = "linux")]
#[test]
fn an_ignored_hangup_stays_ignored() {
    use rustix::process::{Pid, Signal, kill_process};
    let home = tempfile::tempdir().unwrap();
    #[expect(clippy::disallowed_methods, reason = "the test starts the program as a shell does")]
    let mut command = std::process::Command::new("/bin/sh");
    command.args(["-c", "trap '' HUP; exec \"$0\" serve", env!("CARGO_BIN_EXE_hadal")]);
    command.env_clear().env("HADAL_BACKGROUND", "no").env("HADAL_WEB", "no").env("HADAL_HOME", home.path());
    let mut client = Client::start(command);
    client.open();
    let pid = Pid::from_raw(i32::try_from(client.pid()).unwrap()).unwrap();
    kill_process(pid, Signal::HUP).unwrap();
    for _ in 0..100 {
        client.request("tools/list", json!({}));
    }
    kill_process(pid, Signal::TERM).unwrap();
    assert_eq!(client.wait().code(), Some(0));
}
