//! Strange output: slow, silent, busy, garbled, cut off, enormous.

use serde_json::json;
use sim::gemini::{End, Fault, Scenario, Script, Step, ToolCall};

use super::{Face, Lab, QUERY, answer};

/// A program that stops talking, or spins without a word, is stopped by the idle watchdog and asked again; one that is
/// slow but talks is not.
#[test]
fn silence_is_stopped_and_slowness_is_not() {
    let slow = answer(&"slow but steady ".repeat(70), true).drip(4, 12);
    let script = Script::default()
        .once(&["w-stall"], Scenario::default().step(Step::Say("{".into())).step(Step::Stall))
        .once(&["w-loop"], Scenario::default().search("quota is used up", &[]).step(Step::HotLoop).deaf())
        .once(&["w-end"], answer("too late", true).end(End::Stall))
        .when(&["w-slow"], slow)
        .when(&["w-"], answer("second try", true));
    let lab = Lab::new(&script).with("GEMINI_CLI_IDLE_SECONDS", "3");
    let mut client = lab.serve();
    let words = ["w-stall", "w-loop", "w-end", "w-slow"];
    let call = |word: &str| json!({"name": "search", "arguments": {"query": format!("what is {word}?")}});
    let ids = words.map(|word| client.send("tools/call", call(word)));
    for (word, id) in words.iter().zip(ids) {
        let reply = client.answer(id)["result"]["structuredContent"].clone();
        let wanted = if *word == "w-slow" { "slow but steady" } else { "second try" };
        assert!(reply["result"].as_str().is_some_and(|result| result.starts_with(wanted)), "{word}: {reply:#}");
        let tries: Vec<_> = lab.calls().into_iter().filter(|call| call.prompt.contains(word)).collect();
        assert_eq!(tries.len(), if *word == "w-slow" { 1 } else { 2 }, "{word}");
    }
    let slow = lab.calls().into_iter().find(|call| call.prompt.contains("w-slow")).unwrap();
    assert!(slow.ended.unwrap().at_ms - slow.started_ms > 3_000, "it was not slow");
    let log = lab.server_log();
    assert_eq!(log.matches("was stopped: it wrote nothing for 3s; trying again").count(), 3, "{log}");
    assert_eq!(lab.fake.survivors(), [0; 0]);
}

/// The total limit stops also a program that never stops talking.
#[test]
fn the_total_limit_stops_an_endless_talker() {
    let endless = answer(&"and so on ".repeat(4_000), true).drip(4, 12);
    let script = Script::runs([endless, answer("short", true)]);
    let lab = Lab::new(&script).with("GEMINI_SEARCH_TIMEOUT", "4000");
    let told = lab.search(Face::Terminal, QUERY);
    assert_eq!(told.reply["result"], "short", "{told:#?}");
    assert_eq!(told.lines(&["it was not done after 4s; trying again"]).len(), 1, "{}", told.stderr);
}

/// Lines that are no events, bytes that are no text and thinking aloud are not part of the answer.
#[test]
fn garbage_around_the_answer_is_passed_over() {
    let noisy = answer("clean", true)
        .step(Step::Stdout("Warning: something about colours".into()))
        .step(Step::Bytes(vec![0xff, 0xfe, 0x00, b'{', b'\n']))
        .step(Step::Stdout("{\"type\":\"new in 0.99\",\"x\":1}".into()))
        .step(Step::Stderr("\u{1b}[31mnode:1 MaxListenersExceededWarning".into()))
        .step(Step::Say("{\"success\": true, \"report\": \"thinking aloud\", \"verified\": true}".into()))
        .tools(vec![
            ToolCall::search("a", &["https://a.example/"]),
            ToolCall::fetch("https://b.example/").failing("blocked"),
        ]);
    let lab = Lab::new(&Script::runs([noisy]));
    let told = lab.deep_search(Face::Terminal, QUERY);
    assert_eq!(told.reply["result"], "clean", "{told:#?}");
    let problem = &told.reply["problems"][0];
    assert_eq!((&problem["subject"], &problem["code"]), (&json!("https://b.example/"), &json!("EXECUTION_ERROR")));
    assert!(problem["message"].as_str().unwrap().contains("blocked"), "{problem}");
    assert!(!told.stderr.contains('\u{1b}'), "{}", told.stderr);
}

/// JR-01: an answer that breaks off is salvaged and marked; it never counts as verified.
#[test]
fn half_an_answer_is_salvaged_and_marked() {
    // In the order of the example: the report comes last, so that a cut takes only its end.
    let report = "every sentence counts. ".repeat(50);
    let whole = format!(r#"{{"success": true, "verified": true, "metadata": {{}}, "report": "{report}"}}"#);
    let lab = Lab::new(&Script::runs([Scenario { answer: Some(whole), ..Scenario::fault(Fault::MaxTokens) }]));
    let told = lab.search(Face::Mcp, QUERY);
    assert_eq!((&told.reply["partial"], &told.reply["verified"]), (&json!(true), &json!(false)), "{told:#?}");
    assert!(told.reply["result"].as_str().unwrap().starts_with("every sentence counts. every"), "{told:#?}");
    assert!(told.reply["note"].as_str().unwrap().contains("broke off"), "{told:#?}");
    assert_eq!(lab.calls().len(), 1);
}

/// An answer of 8 MB comes through whole, in one piece or in many, and hadal does not hold many copies of it.
#[test]
fn an_enormous_answer_comes_through() {
    let report = "deep water ".repeat(8_000_000 / 11);
    let one = answer(&report, true);
    let lab = Lab::new(&Script::runs([one]));
    let mut client = lab.serve();
    let reply = client.call("search", json!({"query": QUERY}));
    assert!(reply["result"] == report.as_str(), "{} characters", reply["result"].as_str().map_or(0, str::len));
    let peak = super::load::peak_memory(client.pid());
    assert!(peak < 300 << 20, "{peak} bytes");
    // Eight megabytes of chatter before the answer are no hindrance either.
    lab.fake.script(&Script::runs([answer("small", true).step(Step::Huge { mb: 8 })]));
    assert_eq!(client.call("search", json!({"query": QUERY}))["result"], "small");
}
