//! Spend caps: refused before the call, over all tasks and processes.

use super::*;

/// BU-01: a budget below the estimate refuses; caps of a day and a month count what runs, too.
#[test]
fn bu_01_caps_refuse_before_the_call() {
    let lab = Lab::new(still()).with("HADAL_BUDGET_DAY_USD", "5");
    let mut client = lab.serve();
    let query = "How deep is the Mariana trench?";
    let reply = client.call("start_deep_research", json!({"query": query, "budget_usd": 0.01}));
    assert_eq!(code(&reply), "BUDGET_EXCEEDED", "{reply}");
    assert!(lab.api.requests().is_empty());
    let mut started = 0;
    let refused = loop {
        let reply = client.call("start_deep_research", json!({"query": query, "again": true}));
        if reply["success"] == false {
            break reply;
        }
        started += 1;
        assert!(started < 10, "no cap");
    };
    assert_eq!(code(&refused), "BUDGET_EXCEEDED");
    assert!(started >= 1 && message(&refused).contains("a day"), "{refused}");
    assert_eq!(lab.asked(On::Create), started, "nothing was sent for what was refused");
    // Another process shares the cap.
    let (reply, _) = lab.run(&["start", query, "--again"]);
    assert_eq!(code(&reply), "BUDGET_EXCEEDED");
    let monthly = lab
        .command()
        .env("HADAL_BUDGET_DAY_USD", "900")
        .env("HADAL_BUDGET_MONTH_USD", "1")
        .args(["--json", "start", query, "--again"])
        .output()
        .unwrap();
    let reply: Value = serde_json::from_slice(&monthly.stdout).unwrap();
    assert!(message(&reply).contains("a month"), "{reply}");
}

/// BU-01: under a cap in dollars, whichever it is, an agent or a model without a price is refused before anything is sent.
#[test]
fn bu_01_a_name_without_a_price_is_refused_under_a_cap() {
    let query = "How deep is the Mariana trench?";
    let start = ["start", query, "--model", "oracle-9"];
    let rounds = ["deep-search", query, "--engine", "gemini-api"];
    for (setting, args) in [
        (None, &[&start[..], &["--budget-usd", "9"]].concat()[..]),
        (Some("HADAL_BUDGET_USD"), &start),
        (Some("HADAL_BUDGET_DAY_USD"), &start),
        (Some("HADAL_BUDGET_MONTH_USD"), &start),
        (Some("HADAL_BUDGET_USD"), &rounds),
    ] {
        let mut lab = Lab::new(still()).with("HADAL_GEMINI_API_MODEL", "oracle-9");
        if let Some(setting) = setting {
            lab = lab.with(setting, "9");
        }
        let (reply, _) = lab.run(args);
        assert_eq!(code(&reply), "PRICE_UNKNOWN", "{setting:?} {args:?}: {reply:#}");
        assert!(message(&reply).contains("`oracle-9`"), "{reply:#}");
        assert!(lab.api.requests().is_empty(), "{setting:?} {args:?}");
    }
}

/// BU-01: a run that turns out to cost more than its budget is stopped at the provider; what it found is handed back, with what it
/// cost until then. The budget is that of the call, or else that of the settings.
#[test]
fn bu_01_a_run_over_its_budget_is_stopped() {
    let usage = sim::interactions::Usage { input: 100_000_000, ..Default::default() };
    let dear = Plan { run: Run { usage, usage_while_running: true, ..Run::default() }, ..still() };
    for (setting, argument) in [(None, Some(6.0)), (Some("6"), None)] {
        let mut lab = Lab::new(dear.clone());
        if let Some(dollars) = setting {
            lab = lab.with("HADAL_BUDGET_USD", dollars);
        }
        let mut client = lab.serve();
        let mut call = json!({"query": "How deep is the Mariana trench?"});
        if let Some(dollars) = argument {
            call["budget_usd"] = json!(dollars);
        }
        let reply = client.call("start_deep_research", call);
        let id = reply["task_id"].as_str().unwrap_or_else(|| panic!("{reply}")).to_owned();
        let looked = lab.asked(On::Get);
        until("some looks", || lab.asked(On::Get) > looked + 3);
        assert_eq!(status(&mut client, &id)["status"], "running_async", "nothing was spent yet");
        lab.api.advance(900.0);
        let looked = lab.asked(On::Get);
        until("a cancel, or many looks without one", || lab.asked(On::Cancel) == 1 || lab.asked(On::Get) > looked + 30);
        assert_eq!(lab.asked(On::Cancel), 1);
        let over = ended(&mut client, &id);
        assert_eq!(over["status"], "completed", "{over}");
        let billed = lab.api.invoice().runs[0].clone();
        assert!(billed.cancelled && billed.cost_micros > 6_000_000, "{billed:?}");
        let results = results(&mut client, &id);
        assert_eq!((&results["stop_reason"], &results["partial"]), (&json!("budget_cost"), &json!(true)), "{results}");
        let cost = results["metadata"]["cost_usd"].as_f64().unwrap();
        assert_eq!(cost, billed.cost_micros as f64 / 1e6, "booked once");
    }
}

/// HR-16: tools that cost nothing ask nobody.
#[test]
fn hr_16_free_tools_make_no_call() {
    let lab = Lab::new(still()).with("HADAL_POLL_MS", "600000");
    let mut client = lab.serve();
    let id = start(&mut client, "How deep is the sea?");
    until("the first look and its stream", || lab.asked(On::Get) >= 1 && lab.asked(On::Stream) >= 1);
    let before = lab.api.requests().len();
    for _ in 0..20 {
        status(&mut client, &id);
        results(&mut client, &id);
        client.call("estimate_research_cost", json!({"query": "How deep is the sea?"}));
        client.call("save_research_to_markdown", json!({"task_id": id}));
        client.call("list_research", json!({}));
    }
    assert_eq!(lab.api.requests().len(), before);
}
