//! Tasks that cannot go on: a method that panics, a cap that the store does not take, a journal of another version. What was found
//! before, and what it cost, is kept and shown.

use std::process::Stdio;

use serde_json::{Value, json};
use sim::wait::until_some;

use crate::crash::House;

/// A paid step, then something else.
fn script(house: &House, then: &Value) -> Value {
    let paid = json!({"key": "a", "act": "paid", "ms": 1, "micros": 1_200, "tokens": 7, "invoice": house.invoice()});
    json!({"stages": [[paid], [{"key": "b", "act": "work", "ms": 1}], [then]]})
}

fn shown(house: &House, args: &[&str]) -> Value {
    let output = house.command().arg("--json").args(args).stderr(Stdio::null()).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

/// PR-03: a fault of the method ends its task as failed, with the report so far and its cost.
#[test]
fn pr_03_a_method_that_panics_keeps_what_was_found() {
    let house = House::new();
    let ids = house.leave(&[script(&house, &json!({"key": "c", "act": "fault"}))]);
    let reply = shown(&house, &["results", "--wait", &ids[0]]);
    assert_eq!((&reply["status"], &reply["report"]), (&json!("failed"), &json!("a=paid\nb=done")), "{reply:#}");
    assert_eq!(reply["error"]["code"], "INTERNAL_ERROR");
    assert_eq!(reply["error"]["message"], "the method has a fault");
    let status = shown(&house, &["status", &ids[0]]);
    assert_eq!(status["cost_so_far"], json!(0.0012), "{status:#}");
}

/// PR-03: rows that do not fit, or that this version cannot read, end the task with what came before them.
#[test]
fn pr_03_a_journal_that_does_not_fit_keeps_what_was_found() {
    let another = |body: &str, of: &str| format!("UPDATE effects SET body_json = '{body}' WHERE no = {of}");
    for (change, why) in [
        (another(r#"{"row":"effect","effect":"wait","ms":1}"#, "2"), "effect 2 is `wait`, not `work`"),
        (another(r#"{"row":"effect","effect":"of_the_future"}"#, "2"), "effect 2 cannot be read"),
        (another(r#"{"row":"of the future"}"#, "1"), "event 1 cannot be read"),
        ("UPDATE effects SET outcome_json = '{}' WHERE no = 1".to_owned(), "event 1 cannot be read"),
    ] {
        let house = House::new();
        let ids = house.leave(&[script(&house, &json!({"key": "c", "act": "work", "ms": 3_600_000}))]);
        let database = {
            let _worker = house.worker();
            let database = house.database();
            until_some("the last step", || {
                let begun = "SELECT no FROM effects WHERE no = 2";
                database.query_row(begun, [], |row| row.get::<_, u32>(0)).ok()
            });
            database
        };
        assert_eq!(database.execute(&change, []).unwrap(), 1);
        let reply = shown(&house, &["results", "--wait", &ids[0]]);
        let found = if why.starts_with("effect") { "a=paid\nb=done" } else { "a=paid" };
        assert_eq!((&reply["status"], &reply["report"]), (&json!("failed"), &json!(found)), "{why}: {reply:#}");
        assert!(reply["error"]["message"].as_str().unwrap().contains(why), "{why}: {reply:#}");
        assert_eq!(shown(&house, &["status", &ids[0]])["cost_so_far"], json!(0.0012));
        assert_eq!(house.billed().values().sum::<usize>(), 1, "{why}: something was paid again");
    }
}

/// PR-03: a cap that cannot be written ends the task all the same, with what there is, and is written as soon as that works.
#[test]
fn pr_03_a_cap_that_cannot_be_written_keeps_what_was_found() {
    let house = House::new();
    let then = json!({"key": "c", "act": "paid", "ms": 1, "micros": 900, "tokens": 7, "invoice": house.invoice()});
    let mut command = house.command();
    command.env("HADAL_BUDGET_USD", "0.002");
    let ids = house.leave_with(command, &[script(&house, &then)]);
    let database = house.database();
    let refuse = "CREATE TRIGGER no_caps BEFORE INSERT ON effects WHEN NEW.body_json LIKE '%\"row\":\"cap\"%'
                  BEGIN SELECT RAISE(FAIL, 'no caps today'); END";
    database.execute_batch(refuse).unwrap();
    let mut command = house.command();
    command.env("HADAL_REPORTS_DIR", house.path().join("rescued"));
    let mut client = crate::client::Client::serve(command, &house.path().join("log"));
    let reply = until_some("its end", || {
        let reply = client.call("get_research_results", json!({"task_id": ids[0]}));
        (reply["error"]["code"] != "RESEARCH_NOT_COMPLETED").then_some(reply)
    });
    assert_eq!((&reply["status"], &reply["report"]), (&json!("completed"), &json!("a=paid\nb=done")), "{reply:#}");
    assert_eq!(reply["stop_reason"], "budget_cost");
    database.execute_batch("DROP TRIGGER no_caps").unwrap();
    let done = "SELECT status FROM research_tasks WHERE status = 'completed'";
    until_some("it is written", || database.query_row(done, [], |row| row.get::<_, String>(0)).ok());
    let caps = "SELECT count(*) FROM effects WHERE body_json LIKE '%\"row\":\"cap\"%'";
    assert_eq!(database.query_row(caps, [], |row| row.get::<_, u32>(0)).unwrap(), 1);
    assert_eq!(house.billed().len(), 1);
}
