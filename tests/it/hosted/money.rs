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
        let reply = client.call("start_deep_research", json!({"query": query}));
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
    let (reply, _) = lab.run(&["start", query]);
    assert_eq!(code(&reply), "BUDGET_EXCEEDED");
    let monthly = lab
        .command()
        .env("HADAL_BUDGET_DAY_USD", "900")
        .env("HADAL_BUDGET_MONTH_USD", "1")
        .args(["--json", "start", query])
        .output()
        .unwrap();
    let reply: Value = serde_json::from_slice(&monthly.stdout).unwrap();
    assert!(message(&reply).contains("a month"), "{reply}");
}

/// HR-16: tools that cost nothing ask nobody.
#[test]
fn hr_16_free_tools_make_no_call() {
    let lab = Lab::new(still()).with("HADAL_POLL_MS", "600000");
    let mut client = lab.serve();
    let id = start(&mut client, "How deep is the sea?");
    until("the first look and its stream", || (lab.asked(On::Get) >= 1 && lab.asked(On::Stream) >= 1).then_some(()));
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
