//! What the program shows of a task, and whether that is what it showed before.

use serde_json::{Value, json};

use super::lab::Lab;

/// What moves with the clock while a task is not over.
const MOVING: [&str; 4] = ["elapsed_minutes", "estimated_completion_minutes", "stalled", "minutes_without_news"];

/// What `status` and `results` show of a task.
pub(super) fn task(lab: &Lab, id: &str) -> Value {
    let mut status = lab.run(&["status", id]);
    if status["status"] == "running_async" {
        let fields = status.as_object_mut().unwrap();
        MOVING.iter().for_each(|field| drop(fields.remove(*field)));
    }
    json!({"task_id": id, "status": status, "results": lab.run(&["results", id])})
}

/// Where something that was shown before is no longer shown as it was. More than before may be shown.
pub(super) fn differences(was: &Value, is: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare(String::new(), was, is, &mut found);
    found
}

fn compare(place: String, was: &Value, is: &Value, found: &mut Vec<String>) {
    match (was, is) {
        (Value::Object(was), Value::Object(is)) => {
            for (name, was) in was {
                compare(format!("{place}.{name}"), was, is.get(name).unwrap_or(&Value::Null), found);
            }
        }
        (Value::Array(was), Value::Array(is)) if was.len() == is.len() => {
            for (at, (was, is)) in was.iter().zip(is).enumerate() {
                compare(format!("{place}[{at}]"), was, is, found);
            }
        }
        _ if was == is => {}
        _ => found.push(format!("{place}: was {was}, is {is}")),
    }
}

#[test]
fn what_is_missing_or_other_is_found_and_what_is_new_is_not() {
    let was = json!({"a": [1, {"b": "x"}], "c": null, "d": 2});
    assert_eq!(differences(&was, &json!({"a": [1, {"b": "x", "new": 1}], "d": 2})), [""; 0]);
    let found = differences(&was, &json!({"a": [1, {"b": "y"}], "c": 3}));
    assert_eq!(found, [".a[1].b: was \"x\", is \"y\"", ".c: was null, is 3", ".d: was 2, is null"]);
    assert_eq!(differences(&json!([1]), &json!([1, 2])), [": was [1], is [1,2]"]);
}
