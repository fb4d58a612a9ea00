//! PR-03: no argument is ignored in silence.

use serde_json::{Value, json};
use sim::gemini::Script;

use super::{FACES, Lab, QUERY, answer};

fn ignored(reply: &Value) -> Vec<&str> {
    let list = reply["metadata"]["ignored_arguments"].as_array().into_iter().flatten();
    list.map(|name| name.as_str().unwrap()).collect()
}

/// Gemini CLI chooses sites, days and depth itself, reads no local documents and tells no prices.
#[test]
fn the_reply_says_which_arguments_did_nothing() {
    let lab = Lab::new(&Script::always(answer("It is deep.", true)));
    let docs = lab.path("docs");
    std::fs::create_dir_all(&docs).unwrap();
    let arguments = json!({"query": QUERY, "engine": "gemini-cli", "sites": ["a.example"], "since": "2026-01-31", "library": [docs],
        "task_scope": "large", "task_type_hint": "debug", "max_attempts": 2, "web": false, "context": "It is wet.",
        "budget_usd": 1.0, "budget_tokens": 1_000_000, "budget_seconds": 600});
    let want = ["sites", "since", "library", "web", "task_scope", "task_type_hint", "max_attempts", "budget_usd"];
    let mut client = lab.serve();
    let reply = client.call("deep_research", arguments);
    assert_eq!(ignored(&reply), want, "{reply:#}");
    let results = client.call("get_research_results", json!({"task_id": reply["task_id"]}));
    assert_eq!(ignored(&results), want, "{results:#}");
    client.close();
    assert!(client.wait().success());
    let output = lab
        .command()
        .args(["deep-research", QUERY, "--engine", "gemini-cli", "--site", "a.example", "--budget-usd", "1"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("Without effect on the engine gemini-cli: `sites`, `budget_usd`"), "{text}");
    for face in FACES {
        let told = lab.ask(face, "deep_search", &json!({"query": QUERY, "max_iterations": 2}));
        assert_eq!(ignored(&told.reply), [""; 0], "{:#}", told.reply);
    }
}

/// AS-03: a tiny question that its context answers costs nothing, also where a model program would have been asked.
#[test]
fn a_context_that_answers_asks_nobody() {
    let lab = Lab::new(&Script::always(answer("never asked", true)));
    let context = "The default port of the Postgres server is 5432.";
    for engine in ["auto", "gemini-cli"] {
        let arguments = json!({"query": "What is the default port of the Postgres server?", "task_scope": "tiny",
            "context": context, "engine": engine});
        let mut client = lab.serve();
        let reply = client.call("deep_research", arguments);
        client.close();
        assert!(client.wait().success());
        assert_eq!(reply["stop_reason"], "answered_by_context", "{reply:#}");
        assert!(reply["result"].as_str().unwrap().contains("5432"), "{reply:#}");
        assert_eq!((&reply["metadata"]["cost_usd"], ignored(&reply)), (&json!(0.0), vec![]), "{reply:#}");
    }
    assert!(lab.calls().is_empty());
}

/// Flags that a command could not heed are refused there.
#[test]
fn flags_that_mean_nothing_are_refused() {
    let lab = Lab::new(&Script::always(answer("never asked", true)));
    for args in [["start", "--engine", "native"], ["estimate", "--budget-usd", "1"], ["estimate", "--engine", "native"]]
    {
        let output = lab.command().args(args).arg(QUERY).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
    }
}
