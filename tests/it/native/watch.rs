//! The plan as a tree that fills, seen from another process.

use serde_json::{Value, json};
use sim::wait;

use super::steer::{begun, held};

/// ST-03: whoever asks sees the sub-questions with their searches, pages and notes, while they fill and at the end.
#[test]
fn st_03_the_plan_is_seen_as_it_fills() {
    let (lab, is_asked, go_on) = held();
    let (child, id) = begun(&lab, &is_asked);
    let part = || -> Option<Value> {
        let (status, _) = lab.run(&["status", &id]);
        status["plan"][0]["pages"].as_u64().filter(|pages| *pages > 0)?;
        Some(status)
    };
    let status = wait::until_some("the pages that were read are shown", part);
    let sub = &status["plan"][0];
    assert_eq!((&sub["kind"], &sub["done"], &sub["notes"]), (&json!("sub_question"), &json!(false), &json!(0)));
    assert!(sub["searches"].as_u64().unwrap() > 0 && !sub["title"].as_str().unwrap().is_empty(), "{status:#}");
    let action = status["current_action"].as_str().unwrap();
    assert!(action.contains(" tokens, $"), "{action}");
    go_on.send(()).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    let (over, _) = lab.run(&["status", &id]);
    let sub = &over["plan"][0];
    assert_eq!(sub["done"], true, "{over:#}");
    assert!(sub["notes"].as_u64().unwrap() > 0, "{over:#}");
}
