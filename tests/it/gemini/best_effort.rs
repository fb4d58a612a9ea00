//! Rounds that fail for good: each costs itself, and nothing already found is lost.

use serde_json::json;
use sim::gemini::{Fault, Scenario, Script};

use super::{Lab, answer};

/// DS-09, JR-04: timeout, exit code, network and bad JSON, each with all its retries used up, in searches that run at
/// the same time. The waits between cycles are real: one second, then two.
#[test]
fn a_verification_round_that_fails_for_good_costs_only_itself() {
    let kinds = [
        ("kind-exit", Scenario::fault(Fault::Internal), "exit 244"),
        ("kind-network", Scenario::fault(Fault::Network), "fetch failed"),
        ("kind-words", Scenario::answer("I would rather talk about fish."), "JSON correction failed"),
        ("kind-timeout", Scenario::default().stall_after(2), "wrote nothing for 3s"),
    ];
    let mut script = Script::default().when(&["JSON formatter"], Scenario::answer("fish again"));
    for (kind, scenario, _) in &kinds {
        script = script.once(&[kind, "How to work"], answer(&format!("draft of {kind}"), false));
        // Round 2 fails with all its cycles, round 3 stands by what round 1 wrote.
        script = script.when(&[kind, "round 2 of"], scenario.clone());
        script = script.when(&[kind, "round 3 of"], answer(&format!("final of {kind}"), true));
    }
    let lab = Lab::new(&script).with("GEMINI_CLI_IDLE_SECONDS", "3").with("HADAL_MAX_TASKS", "16");
    let mut client = lab.serve();
    let call = |kind: &str| json!({"name": "deep_search", "arguments": {"query": format!("what is {kind}?")}});
    let ids = kinds.each_ref().map(|(kind, ..)| client.send("tools/call", call(kind)));
    for ((kind, _, says), id) in kinds.iter().zip(ids) {
        let reply = client.answer(id)["result"]["structuredContent"].clone();
        assert_eq!(
            (&reply["result"], &reply["verified"]),
            (&json!(format!("final of {kind}")), &json!(true)),
            "{reply:#}"
        );
        assert_eq!(reply["metadata"]["iterations"], 3);
        let error = reply["metadata"]["rounds"][1]["error"].as_str().unwrap();
        assert!(
            error.starts_with("EXECUTION_ERROR: all retry and correction attempts of round 2 were exhausted"),
            "{error}"
        );
        assert!(error.contains(says), "{error}");
        let tries: Vec<_> =
            lab.calls().into_iter().filter(|c| c.prompt.contains(kind) && c.prompt.contains("round 2 of")).collect();
        let gaps: Vec<u64> = tries.windows(2).map(|pair| pair[1].started_ms - pair[0].started_ms).collect();
        assert!(gaps.len() == 2 && gaps[0] >= 1_000 && gaps[1] >= 2_000, "{kind}: {gaps:?}");
        let third =
            lab.calls().into_iter().find(|c| c.prompt.contains(kind) && c.prompt.contains("round 3 of")).unwrap();
        assert!(third.prompt.contains(&format!("draft of {kind}")), "{}", third.prompt);
    }
    let log = lab.server_log();
    assert_eq!(log.matches("[ERROR] Round 2 failed: all retry").count(), kinds.len(), "{log}");
    assert_eq!(log.matches("[ERROR] JSON correction failed: ").count(), 3, "{log}");
    assert_eq!(log.matches("[INFO] Deep search completed: 3 rounds, verified: true\n").count(), kinds.len());
    assert_eq!(lab.fake.survivors(), [0; 0]);
}

/// DS-09: an engine that stops working for good ends the search early, with what was found.
#[test]
fn an_engine_that_is_used_up_ends_with_what_there_is() {
    for face in super::FACES {
        let lab = Lab::new(&Script::runs([answer("draft", false), Scenario::fault(Fault::DailyQuota)]));
        let told = lab.deep_search(face, super::QUERY);
        assert_eq!(
            (&told.reply["result"], &told.reply["stop_reason"]),
            (&json!("draft"), &json!("engine_failed")),
            "{told:#?}"
        );
        assert_eq!((&told.reply["partial"], &told.reply["metadata"]["iterations"]), (&json!(true), &json!(2)));
        let error = told.reply["metadata"]["rounds"][1]["error"].as_str().unwrap();
        assert!(error.starts_with("DAILY_QUOTA_EXCEEDED"), "{error}");
        assert!(told.reply["note"].as_str().unwrap().contains("engine_failed"));
        assert_eq!(lab.calls().len(), 2);
        assert_eq!(
            told.lines(&["[INFO] Deep search completed"]),
            ["[INFO] Deep search completed: 2 rounds, verified: false"]
        );
    }
}
