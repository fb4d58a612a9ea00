//! Every acceptance scenario: starting, following, results, estimates, files, follow-ups.

use sim::interactions::{End, Shape, Source};

use super::*;

/// HR-02, HR-06, HR-08: started, followed with true progress, collected.
#[test]
fn hr_02_a_research_from_start_to_report() {
    let lab = Lab::new(still());
    let mut client = lab.serve();
    let reply = client.call("start_deep_research", json!({"query": "How deep is the sea?"}));
    assert_eq!((&reply["status"], &reply["mode"]), (&json!("running_async"), &json!("async")), "{reply}");
    let id = reply["task_id"].as_str().unwrap().to_owned();
    assert_eq!(reply["check_status_command"], format!("check_research_status(task_id='{id}')"));
    assert!(reply["message"].as_str().unwrap().starts_with("Research running in background."));
    assert_eq!(reply["agent"], "deep-research-preview-04-2026");

    let first = status(&mut client, &id);
    assert_eq!(
        (&first["progress"], &first["cost_so_far"], &first["tokens_used"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    assert_eq!(first["estimated_completion_minutes"], Value::Null, "no run has ended here yet: {first}");
    assert_eq!(code(&results(&mut client, &id)), "RESEARCH_NOT_COMPLETED");

    lab.api.advance(700.0);
    let half =
        until_some("progress", || Some(status(&mut client, &id)).filter(|now| now["searches_made"].as_u64() > Some(0)));
    assert!(half["current_action"].as_str().unwrap().contains("search"), "{half}");
    assert!(half["searches_made"].as_u64().unwrap() <= 3 && half["stalled"] == false, "{half}");

    lab.api.advance(600.0);
    let over = ended(&mut client, &id);
    assert_eq!((&over["status"], &over["progress"]), (&json!("completed"), &json!(100)), "{over}");
    let results = results(&mut client, &id);
    let report = results["report"].as_str().unwrap();
    assert!(report.contains("Émile's 深海 expedition reached it twice 🌊 [2]"), "{report}");
    assert!(!report.contains("cite:") && !report.contains("**Sources:**"), "{report}");
    assert_eq!(results["sources"].as_array().unwrap().len(), 3);
    assert_eq!(results["metadata"]["mode"], "async");
    let invoice = lab.api.invoice();
    assert_eq!(invoice.creates, 1);
    let billed = invoice.runs[0].cost_micros as f64 / 1e6;
    assert_eq!(results["metadata"]["cost_usd"].as_f64().unwrap(), billed, "HR-16: the cost is the invoice's");
}

/// HR-02: a run that is over when it is created comes back with everything.
#[test]
fn hr_02_done_at_once_is_sync() {
    let plan = Plan { run: Run { sync: true, ..Run::default() }, ..still() };
    let lab = Lab::new(plan);
    let mut client = lab.serve();
    let reply = client.call("start_deep_research", json!({"query": "How deep is the sea?"}));
    assert_eq!((&reply["status"], &reply["mode"]), (&json!("completed"), &json!("sync")), "{reply}");
    assert!(reply["results"]["report"].as_str().unwrap().contains("Challenger Deep"));
    assert_eq!(reply["results"]["sources"].as_array().unwrap().len(), 3);
    assert_eq!(reply["cost_usd"].as_f64().unwrap(), lab.api.invoice().runs[0].cost_micros as f64 / 1e6);
}

/// HR-02: the same when what it used is told later, or never.
#[test]
fn hr_02_done_at_once_without_usage() {
    for delay in [6.0, 1e9] {
        let plan = Plan { run: Run { sync: true, usage_delay_seconds: delay, ..Run::default() }, ..fast() };
        let lab = Lab::new(plan);
        let mut client = lab.serve();
        let reply = client.call("start_deep_research", json!({"query": "How deep is the sea?"}));
        assert_eq!((&reply["status"], &reply["mode"]), (&json!("completed"), &json!("sync")), "{reply}");
        assert_eq!(reply["cost_usd"].as_f64() > Some(0.0), delay < 1e9, "{reply}");
    }
}

/// HR-03: the seed's agent is gone and its heir is used; an unknown one is refused with the known ones named.
#[test]
fn hr_03_agents_by_name() {
    let lab = Lab::new(still());
    let mut client = lab.serve();
    let query = "How deep is the sea?";
    let reply =
        client.call("start_deep_research", json!({"query": query, "model": "deep-research-pro-preview-12-2025"}));
    assert_eq!(reply["agent"], "deep-research-preview-04-2026");
    assert!(reply["warning"].as_str().unwrap().contains("shut down"), "{reply}");
    let reply = client.call("start_deep_research", json!({"query": query, "model": "deep-thought-42"}));
    assert_eq!(code(&reply), "MODEL_NOT_FOUND");
    assert!(reply["error"]["hints"].to_string().contains("deep-research-max-preview-04-2026"), "{reply}");
    assert_eq!(lab.api.invoice().creates, 1);
}

/// HR-04, HR-09, HR-11: bad arguments are refused before anything happens.
#[test]
fn hr_04_bad_arguments() {
    let lab = Lab::new(still());
    let mut client = lab.serve();
    for query in ["", "  ", "ab", &"x".repeat(10_001)] {
        for tool in ["start_deep_research", "estimate_research_cost"] {
            assert_eq!(code(&client.call(tool, json!({"query": query}))), "INVALID_QUERY", "{tool} {query:.20}");
        }
    }
    let unknown = "00000000-0000-4000-8000-000000000000";
    for tool in ["check_research_status", "get_research_results", "cancel_research", "save_research_to_markdown"] {
        assert_eq!(code(&client.call(tool, json!({"task_id": unknown}))), "TASK_NOT_FOUND", "{tool}");
        assert_eq!(code(&client.call(tool, json!({"task_id": "../../etc/passwd"}))), "INVALID_TASK_ID", "{tool}");
    }
    for (name, value) in [
        ("max_wait_hours", json!(0)),
        ("max_wait_hours", json!(1_000)),
        ("model", json!("../x")),
        ("follow_up_to", json!("x")),
        ("budget_usd", json!(-1)),
    ] {
        let reply = client.call("start_deep_research", json!({"query": "How deep is the sea?", name: value}));
        assert_eq!(reply["success"], false, "{name}: {reply}");
    }
    assert!(lab.api.requests().is_empty());
}

/// HR-10: estimates rest on what runs really cost, and say on how many. SC-004: after some runs they are near.
#[test]
fn hr_10_estimates_learn() {
    let lab = Lab::new(Plan { run: Run { sync: true, ..Run::default() }, ..still() });
    let mut client = lab.serve();
    let query = json!({"query": "How deep is the Mariana trench?"});
    let before = client.call("estimate_research_cost", query.clone());
    assert_eq!((&before["based_on_runs"], &before["query_complexity"]), (&json!(0), &json!("simple")), "{before}");
    let cost = &before["estimated_cost"];
    assert!(
        cost["min_usd"].as_f64() <= cost["likely_usd"].as_f64()
            && cost["likely_usd"].as_f64() <= cost["max_usd"].as_f64()
    );
    let complex = "Compare the history, economics, engineering and geopolitics of deep-sea mining since 1970, by country, \
                   and forecast the next ten years; list risks, actors, treaties and open questions.";
    let complex = client.call("estimate_research_cost", json!({"query": complex}));
    assert_eq!((&complex["query_complexity"], &complex["will_likely_go_async"]), (&json!("complex"), &json!(true)));
    let again = json!({"query": query["query"], "again": true});
    for _ in 0..20 {
        assert_eq!(client.call("start_deep_research", again.clone())["status"], "completed");
    }
    let requests = lab.api.requests().len();
    let after = client.call("estimate_research_cost", query);
    assert_eq!((&after["based_on_runs"], &after["similar_runs"]), (&json!(20), &json!(20)), "{after}");
    let actual = lab.api.invoice().runs[0].cost_micros as f64 / 1e6;
    let likely = after["estimated_cost"]["likely_usd"].as_f64().unwrap();
    assert!((likely / actual - 1.0).abs() <= 0.1, "{likely} for {actual}");
    assert_eq!(lab.api.requests().len(), requests, "an estimate asks nobody");
}

/// HR-06: with earlier runs there is a time of arrival; a run without movement is said to be stalled.
#[test]
fn hr_06_eta_and_stall() {
    let mut plan = Plan { run: Run { sync: true, ..Run::default() }, ..still() };
    let lab = Lab::new(plan.clone());
    let mut client = lab.serve();
    client.call("start_deep_research", json!({"query": "How deep is the sea?"}));
    plan.run.sync = false;
    lab.api.set_plan(plan);
    let id = start(&mut client, "How deep is the lake?");
    assert!(status(&mut client, &id)["estimated_completion_minutes"].is_number());
    until("a look", || status(&mut client, &id)["interaction_id"].is_string());
    let seen = "SELECT count(*) FROM research_tasks WHERE live_json IS NOT NULL AND status = 'running'";
    until("progress in the store", || lab.database().query_row(seen, [], |row| row.get::<_, i64>(0)).unwrap() == 1);
    // Eleven minutes ago by the store's own account.
    let aged = "UPDATE research_tasks SET live_json = json_set(live_json, '$.moved_ms', json_extract(live_json, '$.moved_ms') - 660000) WHERE status = 'running'";
    assert_eq!(lab.database().execute(aged, []).unwrap(), 1);
    let stalled = status(&mut client, &id);
    assert_eq!(stalled["stalled"], true, "{stalled}");
    assert!(stalled["minutes_without_news"].as_f64().unwrap() >= 11.0);
}

/// Both forms of the resource, a report in pieces, byte offsets over multi-byte text, pictures.
#[test]
fn every_shape_of_a_report() {
    let text = "Größe – 深海 🌊 is measured. Second sentence – naïve. Third.";
    let sources = vec![
        Source::of(text, "Größe – 深海 🌊 is measured", "https://a.example/1", "A"),
        Source::of(text, "Third", "https://b.example/2", "B"),
    ];
    let base = Run { report: text.into(), sources, ..Run::default() };
    let runs = vec![
        ("steps".to_owned(), base.clone()),
        ("spread".to_owned(), Run { spread: 4, ..base.clone() }),
        ("legacy".to_owned(), Run { shape: Shape::Outputs, ..base.clone() }),
        ("picture".to_owned(), Run { image_bytes: 6 << 20, ..base.clone() }),
        ("usage".to_owned(), Run { usage_delay_seconds: 6.0, ..base }),
    ];
    let lab = Lab::new(Plan { runs, ..fast() });
    let mut client = lab.serve();
    for kind in ["steps", "spread", "legacy", "picture", "usage"] {
        let id = start(&mut client, &format!("{kind}: how deep is it?"));
        assert_eq!(ended(&mut client, &id)["status"], "completed", "{kind}");
        let results = results(&mut client, &id);
        let marked = "Größe – 深海 🌊 is measured[1]. Second sentence – naïve. Third[2].";
        assert_eq!(results["report"], marked, "{kind}");
        assert_eq!(results["sources"][1]["location"], "https://b.example/2", "{kind}");
        assert!(results["metadata"]["cost_usd"].as_f64().unwrap() > 0.0, "{kind}");
        // One page of the simulated web is behind a paywall.
        assert_eq!(
            results["problems"].as_array().unwrap().len(),
            1 + usize::from(kind == "picture"),
            "{kind}: {results}"
        );
    }
}

/// HR-08: every way a run can end, with what there is of it.
#[test]
fn hr_08_every_end() {
    let ends = [
        ("errors", End::FailedWithErrors, "failed", Some("EXECUTION_ERROR")),
        ("instep", End::FailedInStep, "failed", Some("EXECUTION_ERROR")),
        ("incomplete", End::Incomplete, "completed", None),
        ("budget", End::BudgetExceeded, "completed", None),
        ("action", End::RequiresAction, "failed", Some("EXECUTION_ERROR")),
        ("continuation", End::RequiresContinuation, "failed", Some("EXECUTION_ERROR")),
        ("unknown", End::Unknown("pondering".into()), "failed", Some("EXECUTION_ERROR")),
    ];
    let runs =
        ends.iter().map(|(name, end, ..)| ((*name).to_owned(), Run { end: end.clone(), ..Run::default() })).collect();
    let lab = Lab::new(Plan { runs, ..fast() });
    let mut client = lab.serve();
    for (name, _, wanted, error) in ends {
        let id = start(&mut client, &format!("{name}: how deep is it?"));
        let over = ended(&mut client, &id);
        assert_eq!(over["status"], wanted, "{name}: {over}");
        assert_eq!(over["error"]["code"].as_str(), error, "{name}: {over}");
        let results = results(&mut client, &id);
        assert_eq!((&results["success"], &results["partial"]), (&json!(true), &json!(true)), "{name}: {results}");
        assert!(!results["report"].as_str().unwrap().trim().is_empty(), "{name}");
    }
}

/// A long report comes in pages, by section, and whole as a resource.
#[test]
fn long_reports_come_in_pages() {
    let sections: Vec<String> =
        (1..=9).map(|n| format!("## Part {n}\n\n{}\n\n", "The sea is deep and wide. ".repeat(120))).collect();
    let report = format!("# The sea\n\n{}", sections.concat());
    let run = Run { report: report.clone(), sources: Vec::new(), sync: true, ..Run::default() };
    let lab = Lab::new(Plan { run, ..still() });
    let mut client = lab.serve();
    let reply = client.call("start_deep_research", json!({"query": "How deep is the sea?"}));
    let id = reply["task_id"].as_str().unwrap().to_owned();
    let mut whole = String::new();
    let first = results(&mut client, &id);
    assert!(first.to_string().len() < 12_500, "{} bytes", first.to_string().len());
    let pages = first["paging"]["pages"].as_u64().unwrap();
    assert!(pages > 1 && first["paging"]["next"].as_str().unwrap().contains("page=2"), "{first}");
    for page in 1..=pages {
        let reply = client.call("get_research_results", json!({"task_id": id, "page": page}));
        whole.push_str(reply["report"].as_str().unwrap());
    }
    assert_eq!(whole, report);
    let part = client.call("get_research_results", json!({"task_id": id, "section": "Part 7"}));
    assert_eq!(part["report"], sections[6]);
    let none = client.call("get_research_results", json!({"task_id": id, "section": "Part 99"}));
    assert!(code(&none) == "INVALID_ARGUMENT" && none.to_string().contains("Part 3"), "{none}");
    assert_eq!(code(&client.call("get_research_results", json!({"task_id": id, "page": 99}))), "INVALID_ARGUMENT");
    let uri = format!("research://tasks/{id}/report");
    let resource = client.request("resources/read", json!({"uri": uri}));
    let text = resource["contents"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("# The sea") && text.contains("## Part 9"), "{text:.80}");
    let listed = client.request("resources/list", json!({}));
    assert_eq!(listed["resources"][0]["uri"], uri);
    let seventh = client.request("resources/read", json!({"uri": format!("{uri}/8")}));
    assert!(seventh["contents"][0]["text"].as_str().unwrap().starts_with("## Part 7"));
}

/// HR-11: the file, its place and its parts; not before the end.
#[test]
fn hr_11_saving() {
    let lab = Lab::new(still());
    let mut client = lab.serve();
    let id = start(&mut client, "How deep is the sea?");
    let early = client.call("save_research_to_markdown", json!({"task_id": id}));
    assert_eq!(code(&early), "RESEARCH_NOT_COMPLETED");
    lab.api.advance(2_000.0);
    ended(&mut client, &id);
    let requests = lab.asked(On::Get);
    let saved = client.call("save_research_to_markdown", json!({"task_id": id}));
    let path = PathBuf::from(saved["file_path"].as_str().unwrap());
    let path = lab.path("work").join(path);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("---\n") && text.contains("Challenger Deep") && text.contains(&id), "{text}");
    assert!(path.parent().unwrap().parent().unwrap().ends_with("research_reports"));
    let bare = json!({"task_id": id, "include_metadata": false, "include_sources": false, "filename_prefix": "sea", "output_dir": lab.path("elsewhere/new").to_str().unwrap()});
    let saved = client.call("save_research_to_markdown", bare);
    assert!(saved["filename"].as_str().unwrap().starts_with(&format!("sea_{id}_")), "{saved}");
    let text = std::fs::read_to_string(saved["file_path"].as_str().unwrap()).unwrap();
    assert!(!text.starts_with("---\n") && !text.contains("ocean.example"), "{text}");
    for prefix in ["../x", "a/b", "", ".hidden", "CON"] {
        let refused = client.call("save_research_to_markdown", json!({"task_id": id, "filename_prefix": prefix}));
        assert_eq!(code(&refused), "INVALID_ARGUMENT", "{prefix}");
    }
    assert_eq!(lab.asked(On::Get), requests, "HR-16: saving asks nobody");
}

/// Follow-ups go on from the earlier interaction; a plan is approved by one.
#[test]
fn follow_ups_and_plans() {
    let lab = Lab::new(fast());
    let mut client = lab.serve();
    let plan = client.call("start_deep_research", json!({"query": "How deep is the sea?", "plan_only": true}));
    let plan = plan["task_id"].as_str().unwrap().to_owned();
    ended(&mut client, &plan);
    assert!(!results(&mut client, &plan)["report"].as_str().unwrap().contains("Challenger"), "a plan, not a report");
    let go = json!({"query": "Go ahead with this plan", "follow_up_to": plan});
    let report = client.call("start_deep_research", go)["task_id"].as_str().unwrap().to_owned();
    ended(&mut client, &report);
    assert!(results(&mut client, &report)["report"].as_str().unwrap().contains("Challenger"));
    let runs = lab.api.invoice().runs;
    assert_eq!(runs[1].previous.as_deref(), Some(runs[0].id.as_str()));
    let creates: Vec<Value> = lab
        .api
        .requests()
        .into_iter()
        .filter(|request| request.verb == On::Create)
        .map(|request| request.body)
        .collect();
    assert_eq!(creates[0]["agent_config"]["collaborative_planning"], true);
    assert_eq!(creates[1]["agent_config"]["collaborative_planning"], false, "an approval says so explicitly");
    lab.api.set_plan(still());
    let running = start(&mut client, "Something else entirely?");
    let early = client.call("start_deep_research", json!({"query": "And now?", "follow_up_to": running}));
    assert_eq!(code(&early), "RESEARCH_NOT_COMPLETED");
    assert!(early["error"]["hints"].to_string().contains("check_research_status"), "that waits: {early}");
    let listed = client.call("list_research", json!({}))["tasks"][0].clone();
    assert_eq!(
        (&listed["task_id"], &listed["cost_usd"]),
        (&json!(running), &Value::Null),
        "nobody knows it yet: {listed}"
    );
    client.call("cancel_research", json!({"task_id": running}));
    ended(&mut client, &running);
    let late = client.call("start_deep_research", json!({"query": "And now?", "follow_up_to": running}));
    assert_eq!(code(&late), "RESULT_NOT_FOUND", "there will never be a report: {late}");
}

/// The command line does the same.
#[test]
fn the_command_line() {
    let lab = Lab::new(fast());
    let (estimate, _) = lab.run(&["estimate", "How deep is the sea?"]);
    assert_eq!(estimate["based_on_runs"], 0);
    let (reply, output) = lab.run(&["start", "--wait", "How deep is the sea?"]);
    assert_eq!(reply["status"], "completed", "{output:?}");
    let (left, _) = lab.run(&["start", "How wide is the sea?"]);
    assert_eq!(left["status"], "running_async");
    let id = left["task_id"].as_str().unwrap();
    let (results, _) = lab.run(&["results", "--wait", id]);
    assert!(results["report"].as_str().unwrap().contains("Challenger"), "{results}");
    assert_eq!(lab.api.invoice().creates, 2);
    let (refused, output) = lab.run(&["start", "ab"]);
    assert_eq!((code(&refused), output.status.code()), ("INVALID_QUERY", Some(2)));
}
