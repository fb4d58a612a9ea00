//! Every way in which the program can fail, and what a user is told.

use serde_json::{Value, json};
use sim::gemini::{End, Fault, Scenario, Script, Step};

use super::{Lab, QUERY, answer};

/// JR-04: what no retry can mend fails at once: one run, one coded error, words and a hint.
#[test]
fn what_no_retry_can_mend_fails_at_once() {
    let lab = Lab::new(&Script::default());
    let mut client = lab.serve();
    for (fault, code, says, hint) in [
        (Fault::AuthMissing, "NOT_AUTHENTICATED", "Please set an Auth method", "GEMINI_API_KEY"),
        (Fault::LoginNeeded, "NOT_AUTHENTICATED", "Manual authorization is required", "sign in"),
        (Fault::BadKey, "NOT_AUTHENTICATED", "API key not valid", "GEMINI_API_KEY"),
        (Fault::Unauthenticated, "NOT_AUTHENTICATED", "not signed in", "GEMINI_API_KEY"),
        (Fault::Forbidden, "NOT_AUTHENTICATED", "not signed in", "GEMINI_API_KEY"),
        (Fault::DailyQuota, "DAILY_QUOTA_EXCEEDED", "daily quota", "tomorrow"),
        (Fault::ModelNotFound, "MODEL_NOT_FOUND", "is not found", "GEMINI_MODEL"),
        (Fault::Untrusted, "ENGINE_UNAVAILABLE", "trust", "gemini"),
        (Fault::NodeMissing, "CLI_NOT_FOUND", "Node.js", "node"),
        (Fault::BadFlag, "ENGINE_UNAVAILABLE", "Unknown argument: nonsense", "npm install -g @google/gemini-cli"),
        (Fault::NoInput, "INVALID_QUERY", "did not take the prompt", "prompts"),
        (Fault::SlashCommand, "INVALID_QUERY", "did not take the prompt", "prompts"),
    ] {
        lab.fake.script(&Script::runs([Scenario::fault(fault)]));
        let before = lab.calls().len();
        let reply = client.call("deep_search", json!({"query": QUERY}));
        check(&reply, code, says, hint, &format!("{fault:?}"));
        assert_eq!(lab.calls().len(), before + 1, "{fault:?} was tried again");
    }
    assert_eq!(lab.leftovers().len(), 0);
}

fn check(reply: &Value, code: &str, says: &str, hint: &str, what: &str) {
    let error = &reply["error"];
    assert_eq!((&reply["success"], error["code"].as_str()), (&json!(false), Some(code)), "{what}: {reply:#}");
    assert!(error["message"].as_str().unwrap().contains(says), "{what}: {error}");
    assert!(error["hints"].to_string().contains(hint), "{what}: {error}");
}

/// JR-04: what may pass is tried three times, and the last words stand in the error. All searches run side by side.
#[test]
fn what_may_pass_is_tried_three_times() {
    let said = |scenario: Scenario| Scenario { answer: answer("lost", true).answer, ..scenario };
    let table = [
        ("f-quota", Scenario::fault(Fault::Quota), "exceeded your current quota", "minute"),
        ("f-limit", Scenario::fault(Fault::TurnLimit), "limit of turns", "narrower"),
        ("f-net", Scenario::fault(Fault::Network), "fetch failed", "network"),
        ("f-500", Scenario::fault(Fault::Internal), "exit 244", "later"),
        ("f-503", Scenario::fault(Fault::Overloaded), "exit 247", "later"),
        ("f-empty", Scenario::fault(Fault::Empty), "empty response", "later"),
        ("f-safety", Scenario::fault(Fault::Safety), "safety settings", "later"),
        ("f-code", said(Scenario::default()).end(End::Code(7)), "exit 7", "later"),
        ("f-exit0", said(Scenario::default()).end(End::Exit(0)), "ended before its result", "later"),
        ("f-half", said(Scenario::default()).end(End::HalfLine), "ended before its result", "later"),
        ("f-kill", said(Scenario::default()).end(End::Signal(9)), "killed by signal 9", "memory"),
        ("f-flood", Scenario::default().step(Step::Huge { mb: 70 }), "more than 67108864 bytes", "narrower"),
    ];
    let mut script = Script::default();
    for (word, scenario, ..) in &table {
        script = script.when(&[word], scenario.clone());
    }
    let lab = Lab::new(&script).with("HADAL_MAX_TASKS", "32");
    let mut client = lab.serve();
    let call = |word: &str| json!({"name": "search", "arguments": {"query": format!("what is {word}?")}});
    let ids = table.each_ref().map(|(word, ..)| client.send("tools/call", call(word)));
    for ((word, _, says, hint), id) in table.iter().zip(ids) {
        let reply = client.answer(id)["result"]["structuredContent"].clone();
        check(&reply, "EXECUTION_ERROR", says, hint, word);
        assert!(reply["error"]["message"].as_str().unwrap().contains("all retry and correction attempts"), "{reply:#}");
        let tries = lab.calls().iter().filter(|call| call.prompt.contains(word)).count();
        assert_eq!(tries, 3, "{word}");
    }
    assert!(super::load::peak_memory(client.pid()) < 400 << 20, "{} bytes", super::load::peak_memory(client.pid()));
    assert_eq!((lab.leftovers().len(), lab.fake.survivors().len()), (0, 0));
}

/// The coded error of the terminal is that of the server, with exit statuses that scripts can read.
#[test]
fn the_terminal_has_an_exit_status_for_every_kind() {
    for (fault, status, code) in [
        (Fault::AuthMissing, 4, "NOT_AUTHENTICATED"),
        (Fault::DailyQuota, 5, "DAILY_QUOTA_EXCEEDED"),
        (Fault::NodeMissing, 4, "CLI_NOT_FOUND"),
    ] {
        let lab = Lab::new(&Script::runs([Scenario::fault(fault)]));
        let output = lab.command().args(["search", QUERY]).output().unwrap();
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(status), &b""[..]), "{fault:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains(&format!("error[{code}]: ")) && stderr.contains("hint: "), "{stderr}");
        assert_eq!(lab.calls().len(), 1);
    }
}

/// A program that passes its trouble by itself is no failure.
#[test]
fn a_failure_that_passes_is_mended_by_the_next_cycle() {
    let lab = Lab::new(&Script::runs([Scenario::fault(Fault::Overloaded), answer("at last", true)]));
    let told = lab.deep_search(super::Face::Terminal, QUERY);
    assert_eq!(
        (&told.reply["result"], &told.reply["metadata"]["iterations"]),
        (&json!("at last"), &json!(1)),
        "{told:#?}"
    );
    assert_eq!(told.lines(&["[WARN] Round 1, cycle 1 failed: "]).len(), 1, "{}", told.stderr);
}

/// JR-04: files that cannot be made are no reason to try again.
#[test]
fn a_config_directory_that_cannot_be_written_is_said_at_once() {
    for face in super::FACES {
        let lab = Lab::new(&Script::default());
        std::fs::write(lab.config().join("gemini-cli"), "a file in the way").unwrap();
        let told = lab.deep_search(face, QUERY);
        assert_eq!(told.code(), "PERMISSION_DENIED");
        assert!(told.message().contains(lab.config().join("gemini-cli").to_str().unwrap()), "{told:#?}");
        assert_eq!((lab.calls().len(), told.lines(&["trying again"]).len()), (0, 0));
    }
}

/// EM-01: with documents at hand an engine that does not work at all gives way to them, and the result says so; a
/// pinned engine does not.
#[test]
fn an_engine_that_does_not_work_gives_way_to_documents() {
    for face in super::FACES {
        let lab = Lab::new(&Script::always(Scenario::fault(Fault::AuthMissing)));
        let docs = lab.path("docs");
        std::fs::create_dir(&docs).unwrap();
        let text = "# Trenches\n\nThe Mariana Trench is 10,935 metres deep at its deepest point.\n";
        std::fs::write(docs.join("trench.md"), text).unwrap();
        let added = lab.command().args(["library", "add", docs.to_str().unwrap()]).output().unwrap();
        assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
        let told = lab.deep_search(face, QUERY);
        assert!(told.reply["result"].as_str().is_some_and(|result| result.contains("10,935")), "{told:#?}");
        let problem = &told.reply["problems"][0];
        assert_eq!((&problem["subject"], &problem["code"]), (&json!("gemini-cli"), &json!("NOT_AUTHENTICATED")));
        let engine = &told.reply["metadata"]["engine"];
        assert_eq!(engine, &json!({"name": "extractive", "reason": "gemini-cli failed (NOT_AUTHENTICATED)"}));
        assert_eq!(lab.calls().len(), 1);
        let lab = lab.with("HADAL_ENGINE", "gemini-cli");
        assert_eq!(lab.deep_search(face, QUERY).code(), "NOT_AUTHENTICATED");
    }
}
