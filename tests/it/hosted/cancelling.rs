//! Cancelling: here, at the provider, and what is left.

use sim::interactions::{Fault, FaultRule};

use super::*;

/// HR-09: stopped here and there, the partial result kept, the final cost told.
#[test]
fn hr_09_a_running_research_is_cancelled() {
    let lab = Lab::new(still());
    let mut client = lab.serve();
    let id = start(&mut client, "How deep is the sea?");
    lab.api.advance(700.0);
    until_some("progress", || Some(status(&mut client, &id)).filter(|now| now["pages_read"].as_u64() > Some(0)));
    let reply = client.call("cancel_research", json!({"task_id": id}));
    assert_eq!((&reply["status"], &reply["partial_saved"]), (&json!("cancelled"), &json!(true)), "{reply}");
    let billed = lab.api.invoice().runs[0].clone();
    assert!(billed.cancelled && billed.cost_micros > 0);
    assert_eq!(reply["final_cost_usd"].as_f64().unwrap(), billed.cost_micros as f64 / 1e6, "to the cent and beyond");
    let kept = results(&mut client, &id);
    assert_eq!((&kept["status"], &kept["partial"]), (&json!("cancelled"), &json!(true)));
    assert!(kept["report"].as_str().unwrap().contains("Pages read"), "{kept}");
    assert_eq!(code(&client.call("cancel_research", json!({"task_id": id}))), "RESEARCH_ALREADY_CANCELLED");
    assert_eq!(lab.asked(On::Cancel), 1);
}

/// HR-09: nothing is kept when that is wanted; a finished research cannot be cancelled.
#[test]
fn hr_09_without_partial_and_too_late() {
    let lab = Lab::new(still());
    let mut client = lab.serve();
    let id = start(&mut client, "How deep is the sea?");
    let reply = client.call("cancel_research", json!({"task_id": id, "save_partial": false}));
    assert_eq!(reply["partial_saved"], false);
    assert_eq!(code(&results(&mut client, &id)), "RESULT_NOT_FOUND");
    lab.api.set_plan(fast());
    let id = start(&mut client, "How wide is the sea?");
    ended(&mut client, &id);
    assert_eq!(code(&client.call("cancel_research", json!({"task_id": id}))), "RESEARCH_ALREADY_COMPLETED");
    assert_eq!(lab.asked(On::Cancel), 1, "the provider is told only when somebody asked");
}

/// A cancel that answers with a fault, or late, is looked after until it is known.
#[test]
fn hr_09_cancels_that_lie() {
    for fault in [
        FaultRule::always(On::Cancel, Fault::Cancel500ButCancelled),
        FaultRule::always(On::Cancel, Fault::LostReply),
        FaultRule::times(On::Cancel, Fault::Status { status: 503, string_code: true, array: false }, 1),
    ] {
        let lab = Lab::new(Plan { faults: vec![fault.clone()], ..still() });
        let mut client = lab.serve();
        let id = start(&mut client, "How deep is the sea?");
        lab.api.advance(300.0);
        let reply = client.call("cancel_research", json!({"task_id": id}));
        assert_eq!(reply["status"], "cancelled", "{fault:?}: {reply}");
        let billed = lab.api.invoice().runs[0].clone();
        assert!(billed.cancelled, "{fault:?}");
        assert_eq!(reply["final_cost_usd"].as_f64().unwrap(), billed.cost_micros as f64 / 1e6, "{fault:?}");
    }
}

/// HR-09: a request to cancel survives the server: whoever comes next carries it out, at the provider too.
#[test]
fn hr_09_a_cancel_from_another_process() {
    let lab = Lab::new(still());
    let mut client = lab.serve();
    let id = start(&mut client, "How deep is the sea?");
    let (reply, _) = lab.run(&["cancel", &id]);
    assert_eq!(reply["status"], "cancelled", "{reply}");
    assert!(lab.api.invoice().runs[0].cancelled);
    drop(client);
    // And of a task that nobody follows.
    let (left, _) = lab.run(&["start", "How wide is the sea?"]);
    let (reply, _) = lab.run(&["cancel", left["task_id"].as_str().unwrap()]);
    assert_eq!(reply["status"], "cancelled", "{reply}");
    assert!(lab.api.invoice().runs.iter().all(|run| run.cancelled));
}
