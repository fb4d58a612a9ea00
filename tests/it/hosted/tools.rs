//! The six tools as their callers know them.

use super::*;

/// HR-01: names and parameters, what is required of them, and that the command line has the same.
#[test]
fn hr_01_six_tools_and_their_parameters() {
    let table: [(&str, &str, &[&str], &[&str]); 6] = [
        ("start_deep_research", "start", &["query"], &["enable_notifications", "max_wait_hours", "model"]),
        ("check_research_status", "status", &["task_id"], &[]),
        ("get_research_results", "results", &["task_id"], &["include_sources"]),
        ("cancel_research", "cancel", &["task_id"], &["save_partial"]),
        ("estimate_research_cost", "estimate", &["query"], &[]),
        (
            "save_research_to_markdown",
            "save",
            &["task_id"],
            &["output_dir", "filename_prefix", "include_metadata", "include_sources"],
        ),
    ];
    let lab = Lab::new(still());
    let mut client = lab.serve();
    let listed = client.request("tools/list", json!({}));
    let tools = listed["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 13, "{:?}", tools.iter().map(|tool| &tool["name"]).collect::<Vec<_>>());
    for (name, command, required, optional) in table {
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("no {name}"));
        let schema = &tool["inputSchema"];
        assert_eq!(schema["required"], json!(required), "{name}");
        for parameter in required.iter().chain(optional) {
            assert!(schema["properties"].get(*parameter).is_some(), "{name} takes no {parameter}: {schema:#}");
        }
        let help = lab.command().args([command, "--help"]).output().unwrap();
        assert!(help.status.success(), "{command}: {help:?}");
    }
    assert!(lab.api.requests().is_empty());
}

/// HR-01: with nothing but what is required every tool does what its defaults say, and its reply has every field.
#[test]
fn hr_01_six_tools_by_their_defaults() {
    let lab = Lab::new(fast());
    let mut client = lab.serve();
    let has = |reply: &Value, fields: &[&str]| {
        for field in fields {
            let path = format!("/{}", field.replace('.', "/"));
            assert!(reply.pointer(&path).is_some(), "no {field}: {reply:#}");
        }
    };
    let query = json!({"query": "How deep is the sea?"});
    let estimate = client.call("estimate_research_cost", query.clone());
    has(&estimate, &["query_complexity", "will_likely_go_async", "recommendation"]);
    for field in ["min_minutes", "max_minutes", "likely_minutes"] {
        assert!(estimate["estimated_duration"][field].is_number(), "{estimate}");
    }
    for field in ["min_usd", "max_usd", "likely_usd"] {
        assert!(estimate["estimated_cost"][field].is_number(), "{estimate}");
    }
    let started = client.call("start_deep_research", query);
    has(&started, &["success", "task_id", "status", "mode", "message", "check_status_command"]);
    let task = json!({"task_id": started["task_id"]});
    let status = client.call("check_research_status", task.clone());
    has(&status, &["task_id", "status", "progress", "current_action", "elapsed_minutes", "tokens_used", "cost_so_far"]);
    has(&status, &["estimated_completion_minutes"]);
    ended(&mut client, started["task_id"].as_str().unwrap());
    let results = client.call("get_research_results", task.clone());
    has(
        &results,
        &["success", "task_id", "query", "report", "sources.0", "metadata.duration_minutes", "metadata.mode"],
    );
    has(&results, &["metadata.tokens_used.input", "metadata.tokens_used.output", "metadata.cost_usd"]);
    let saved = client.call("save_research_to_markdown", task.clone());
    has(&saved, &["success", "task_id", "file_path", "file_size_kb", "filename", "created_at"]);
    assert!(saved["filename"].as_str().unwrap().starts_with("research_"), "{saved}");
    assert!(lab.path("work/research_reports").is_dir());
    assert_eq!(code(&client.call("cancel_research", task)), "RESEARCH_ALREADY_COMPLETED");
    lab.api.set_plan(still());
    let other = start(&mut client, "And how wide?");
    let cancelled = client.call("cancel_research", json!({"task_id": other}));
    has(&cancelled, &["success", "task_id", "status", "partial_saved", "final_cost_usd", "tokens_used.input"]);
}
