//! Refused, slow, half, garbage, huge, twice, never: what the provider can do to us, and what the user gets.

use sim::interactions::{End, Fault, FaultRule};

use super::*;

fn refused(status: u16) -> Fault {
    Fault::Status { status, string_code: true, array: false }
}

fn limited(retry_after: Option<u64>, per_day: bool) -> Fault {
    Fault::RateLimited { retry_after, retry_delay: None, per_day }
}

/// HR-05: no key, a wrong one, no way there: a coded error with a next step, and nothing started.
#[test]
fn hr_05_the_api_cannot_be_used() {
    let lab = Lab::new(Plan { keys: Some(vec!["another".into()]), ..still() });
    let mut client = lab.serve();
    let reply = client.call("start_deep_research", json!({"query": "How deep is the sea?"}));
    assert_eq!(code(&reply), "NOT_AUTHENTICATED", "{reply}");
    assert!(!reply["error"]["hints"].as_array().unwrap().is_empty());
    lab.api.go_down();
    let reply = client.call("start_deep_research", json!({"query": "How deep is the sea?"}));
    assert_eq!(code(&reply), "PROVIDER_UNREACHABLE", "{reply}");
    assert!(message(&reply).contains("cannot be reached"), "{reply}");
    let keyless =
        lab.command().env_remove("GEMINI_API_KEY").args(["--json", "start", "How deep is it?"]).output().unwrap();
    let reply: Value = serde_json::from_slice(&keyless.stdout).unwrap();
    assert!(code(&reply) == "NOT_AUTHENTICATED" && message(&reply).contains("GEMINI_API_KEY"), "{reply}");
    assert_eq!((lab.api.invoice().creates, keyless.status.code()), (0, Some(4)));
}

/// HR-05: too many requests are waited out as told; a limit for the day is told at once.
#[test]
fn hr_05_quotas() {
    let faults = vec![FaultRule::times(On::Create, limited(Some(1), false), 2)];
    let lab = Lab::new(Plan { faults, ..fast() });
    let mut client = lab.serve();
    let id = start(&mut client, "How deep is the sea?");
    assert_eq!(ended(&mut client, &id)["status"], "completed");
    assert_eq!((lab.asked(On::Create), lab.api.invoice().creates), (3, 1));
    let at: Vec<u64> = lab.api.requests().iter().filter(|r| r.verb == On::Create).map(|r| r.at_ms).collect();
    assert!(at.windows(2).all(|pair| pair[1] - pair[0] >= 1_000), "{at:?}");
    lab.api.set_plan(Plan { faults: vec![FaultRule::always(On::Create, limited(None, true))], ..fast() });
    let reply = client.call("start_deep_research", json!({"query": "How wide is the sea?"}));
    assert_eq!(code(&reply), "DAILY_QUOTA_EXCEEDED", "{reply}");
    assert_eq!(lab.asked(On::Create), 4, "not tried again");
}

/// HR-12: a reply that is lost ends in a state that says so. Nothing starts a second run by itself, also not later.
#[test]
fn hr_12_a_lost_reply_is_not_a_second_run() {
    let faults =
        [Fault::LostReply, Fault::Create500ButCreated, Fault::NotJson, Fault::HalfBody, refused(503), Fault::Html502];
    for fault in faults {
        let lab = Lab::new(Plan { faults: vec![FaultRule::times(On::Create, fault, 1)], ..fast() });
        let mut client = lab.serve();
        let reply = client.call("start_deep_research", json!({"query": "How deep is the sea?"}));
        assert_eq!(code(&reply), "PAID_RUN_UNCERTAIN", "{fault:?}: {reply}");
        assert!(message(&reply).contains("may exist") && reply["error"]["retryable"] == false, "{reply}");
        drop(client);
        let mut client = lab.serve();
        let id = reply["task_id"].as_str().unwrap();
        assert_eq!(status(&mut client, id)["status"], "failed");
        assert_eq!(lab.asked(On::Create), 1, "{fault:?}");
        // The user's own choice is one.
        let id = start(&mut client, "How deep is the sea?");
        assert_eq!(ended(&mut client, &id)["status"], "completed");
    }
}

/// HR-12: one more run, if the user has said so beforehand, and then no other.
#[test]
fn hr_12_retrying_is_opted_into() {
    let plan = Plan { faults: vec![FaultRule::times(On::Create, refused(503), 1)], ..fast() };
    let lab = Lab::new(plan).with("HADAL_RETRY_UNCERTAIN", "once");
    let mut client = lab.serve();
    let id = start(&mut client, "How deep is the sea?");
    assert_eq!(ended(&mut client, &id)["status"], "completed");
    assert_eq!(lab.asked(On::Create), 2);
}

/// HR-12: killed while the start was under way: the next owner says that a paid run may exist.
#[test]
fn hr_12_killed_between_acceptance_and_our_write() {
    let plan = Plan { faults: vec![FaultRule::times(On::Create, Fault::Delay { ms: 60_000 }, 1)], ..fast() };
    let lab = Lab::new(plan);
    let mut client = lab.serve();
    client.send("tools/call", json!({"name": "start_deep_research", "arguments": {"query": "How deep is the sea?"}}));
    until("the create at the provider", || lab.api.invoice().creates == 1);
    drop(client);
    let mut client = lab.serve();
    let listed = client.call("list_research", json!({}));
    let id = listed["tasks"][0]["task_id"].as_str().unwrap().to_owned();
    let over = ended(&mut client, &id);
    assert_eq!((&over["status"], code(&over)), (&json!("failed"), "PAID_RUN_UNCERTAIN"), "{over}");
    assert_eq!(lab.asked(On::Create), 1);
}

/// HR-12: the same when the user has given it up meanwhile: what may be paid is told all the same.
#[test]
fn hr_12_cancelled_between_acceptance_and_our_write() {
    let plan = Plan { faults: vec![FaultRule::times(On::Create, Fault::Delay { ms: 60_000 }, 1)], ..fast() };
    let lab = Lab::new(plan);
    let mut client = lab.serve();
    client.send("tools/call", json!({"name": "start_deep_research", "arguments": {"query": "How deep is the sea?"}}));
    until("the create at the provider", || lab.api.invoice().creates == 1);
    let id = client.call("list_research", json!({}))["tasks"][0]["task_id"].as_str().unwrap().to_owned();
    client.send("tools/call", json!({"name": "cancel_research", "arguments": {"task_id": id}}));
    let asked = "SELECT count(*) FROM research_tasks WHERE cancel_requested IS NOT NULL";
    until("the request in the store", || lab.database().query_row(asked, [], |row| row.get::<_, i64>(0)).unwrap() == 1);
    drop(client);
    let mut client = lab.serve();
    let over = ended(&mut client, &id);
    assert_eq!((&over["status"], code(&over)), (&json!("failed"), "PAID_RUN_UNCERTAIN"), "{over}");
}

/// HR-12: a server that is asked to end waits for the reply to a paid start.
#[test]
fn hr_12_a_polite_end_keeps_the_id() {
    let plan = Plan { faults: vec![FaultRule::times(On::Create, Fault::Delay { ms: 3_000 }, 1)], ..still() };
    let lab = Lab::new(plan);
    let mut client = lab.serve();
    client.send("tools/call", json!({"name": "start_deep_research", "arguments": {"query": "How deep is the sea?"}}));
    until("the create at the provider", || lab.api.invoice().creates == 1);
    let pid = rustix::process::Pid::from_raw(i32::try_from(client.pid()).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    client.wait();
    lab.api.advance(3_000.0);
    let mut client = lab.serve();
    let listed = client.call("list_research", json!({}));
    let id = listed["tasks"][0]["task_id"].as_str().unwrap().to_owned();
    assert_eq!(ended(&mut client, &id)["status"], "completed");
    assert_eq!(lab.asked(On::Create), 1);
}

/// A run is deleted at the provider where that is wanted, after it was collected; what refuses changes nothing.
#[test]
fn deleting_is_best_effort() {
    for fault in [None, Some(Fault::Delete501)] {
        let faults = fault.map(|fault| FaultRule::always(On::Delete, fault)).into_iter().collect();
        let lab = Lab::new(Plan { faults, ..fast() }).with("HADAL_DEEP_RESEARCH_DELETE", "yes");
        let mut client = lab.serve();
        let id = start(&mut client, "How deep is the sea?");
        assert_eq!(ended(&mut client, &id)["status"], "completed");
        assert_eq!(lab.asked(On::Delete), 1);
        assert!(results(&mut client, &id)["report"].as_str().unwrap().contains("Challenger"));
    }
}

/// HR-13: the exact sentence; what was seen before stays readable.
#[test]
fn hr_13_expired() {
    let lab = Lab::new(still());
    let mut client = lab.serve();
    let id = start(&mut client, "How deep is the sea?");
    lab.api.advance(800.0);
    until_some("progress", || Some(status(&mut client, &id)).filter(|now| now["pages_read"].as_u64() > Some(0)));
    let seen = "SELECT count(*) FROM research_tasks WHERE json_array_length(live_json, '$.last.pages') > 0";
    until("progress in the store", || lab.database().query_row(seen, [], |row| row.get::<_, i64>(0)).unwrap() == 1);
    drop(client);
    lab.api.set_plan(Plan { faults: vec![FaultRule::always(On::Any, Fault::Expired)], ..still() });
    let mut client = lab.serve();
    let over = ended(&mut client, &id);
    assert_eq!(
        message(&over),
        "Research session expired on Gemini servers. Task was interrupted and cannot be recovered."
    );
    let kept = results(&mut client, &id);
    assert!(kept["partial"] == true && kept["report"].as_str().unwrap().contains("Pages read"), "{kept}");
}

/// A new interaction may be unknown or forbidden for a moment.
#[test]
fn hr_13_grace_after_create() {
    for fault in [Fault::NotFoundFor { seconds: 5.0 }, Fault::ForbiddenFor { seconds: 5.0 }] {
        let lab = Lab::new(Plan { faults: vec![FaultRule::always(On::Any, fault)], ..still() });
        let mut client = lab.serve();
        let id = start(&mut client, "How deep is the sea?");
        until("four looks", || lab.asked(On::Get) >= 4);
        assert_eq!(status(&mut client, &id)["status"], "running_async", "{fault:?}");
        lab.api.advance(2_000.0);
        assert_eq!(ended(&mut client, &id)["status"], "completed", "{fault:?}");
    }
}

/// HR-14: the network is gone for a while; the run goes on there, the looks resume by themselves.
#[test]
fn hr_14_network_loss() {
    let lab = Lab::new(still());
    let mut client = lab.serve();
    let id = start(&mut client, "How deep is the sea?");
    lab.api.go_down();
    let trouble = until_some("the trouble is shown", || {
        Some(status(&mut client, &id)).filter(|now| now["current_action"].as_str().unwrap().contains("cannot be asked"))
    });
    assert_eq!(trouble["status"], "running_async");
    lab.api.advance(600.0);
    drop(client);
    let mut client = lab.serve();
    lab.api.advance(700.0);
    lab.api.come_back().unwrap();
    assert_eq!(ended(&mut client, &id)["status"], "completed");
    assert_eq!(lab.api.invoice().creates, 1);
}

/// HR-14: everything at once, and every task completes with one create.
#[test]
fn hr_14_a_storm() {
    let rule = |on, fault, percent| FaultRule { percent: Some(percent), ..FaultRule::always(on, fault) };
    let faults = vec![
        rule(On::Create, limited(Some(1), false), 40),
        rule(On::Get, refused(500), 30),
        rule(On::Get, Fault::Html502, 10),
        rule(On::Get, limited(None, false), 10),
        rule(On::Get, Fault::HalfBody, 5),
        rule(On::Get, Fault::NotJson, 5),
        rule(On::Get, Fault::Drop, 5),
        rule(On::Stream, Fault::CutStreamAfter { seconds: 1.0 }, 50),
        rule(On::Stream, Fault::CutStream503 { after_frames: 2 }, 20),
        rule(On::Stream, Fault::HangStream { after_frames: 2 }, 20),
    ];
    let lab = Lab::new(Plan { faults, speed: 300.0, ..Plan::default() }).with("HADAL_GEMINI_API_RPS", "100");
    let mut client = lab.serve();
    let ids: Vec<String> = (0..40).map(|n| start(&mut client, &format!("Question {n}: how deep?"))).collect();
    lab.api.go_down();
    lab.api.advance(600.0);
    lab.api.come_back().unwrap();
    for id in &ids {
        let over = ended(&mut client, id);
        assert_eq!(over["status"], "completed", "{over}");
    }
    assert_eq!(lab.api.invoice().creates, 40);
    let hadal: f64 = ids.iter().map(|id| results(&mut client, id)["metadata"]["cost_usd"].as_f64().unwrap()).sum();
    let billed: u64 = lab.api.invoice().runs.iter().map(|run| run.cost_micros).sum();
    assert!((hadal - billed as f64 / 1e6).abs() < 0.001, "{hadal} for {billed}");
}

/// A zombie is given up when its user's patience ends, and a slow reply is not the end of a start.
#[test]
fn zombies_and_slow_replies() {
    let runs = vec![("zombie".to_owned(), Run { end: End::Zombie, ..Run::default() })];
    let faults =
        vec![FaultRule { input: Some("slow".into()), ..FaultRule::times(On::Create, Fault::Delay { ms: 3_000 }, 1) }];
    let lab = Lab::new(Plan { runs, faults, ..fast() }).with("HADAL_CALL_WINDOW_SECONDS", "1");
    let mut client = lab.serve();
    let slow = client.call("start_deep_research", json!({"query": "slow: how deep is it?"}));
    assert_eq!(slow["status"], "running_async", "the window ends first: {slow}");
    assert_eq!(ended(&mut client, slow["task_id"].as_str().unwrap())["status"], "completed");
    let id = start(&mut client, "zombie: how deep is it?");
    drop(client);
    // The patience of an hour, an hour ago.
    let aged = "UPDATE research_tasks SET spec_json = json_set(spec_json, '$.plan.deadline_ms', 1000) WHERE status = 'running'";
    let journal = "UPDATE effects SET body_json = json_set(body_json, '$.deadline_ms', 1000) WHERE ended_order IS NULL";
    assert_eq!(lab.database().execute(aged, []).unwrap(), 1);
    lab.database().execute(journal, []).unwrap();
    let mut client = lab.serve();
    let over = ended(&mut client, &id);
    assert_eq!(code(&over), "TIMEOUT", "{over}");
    assert_eq!(lab.asked(On::Cancel), 0, "nobody asked for that");
}
