//! Deleting hosted research: the money stays counted, and the provider is asked only when that is wanted.

use sim::interactions::{Fault, FaultRule};

use super::*;

fn ended_by(lab: &Lab, args: &[&str]) -> String {
    let (reply, _) = lab.run(&[&["start", "--wait"], args].concat());
    assert_eq!(reply["status"], "completed", "{reply:#}");
    reply["task_id"].as_str().unwrap().to_owned()
}

/// PR-04: a deleted task is gone for every tool; what it cost still counts against the caps, and estimates still know it.
#[test]
fn deleting_gives_no_money_back() {
    let lab = Lab::new(fast()).with("HADAL_BUDGET_MONTH_USD", "8");
    let id = ended_by(&lab, &["How deep is the sea?"]);
    let cost = lab.run(&["list"]).0["tasks"][0]["cost_usd"].as_f64().unwrap();
    let known = |lab: &Lab| lab.run(&["estimate", "How high is the sky?"]).0["based_on_runs"].clone();
    assert!(cost > 0.5 && known(&lab) == json!(1), "{cost}");
    let spent = |lab: &Lab| -> Vec<String> {
        let (reply, _) =
            lab.run(&["start", "--no-notification", "How high is the sky, in every land and over every sea?"]);
        let text = reply.to_string();
        assert_eq!(code(&reply), "BUDGET_EXCEEDED", "{reply:#}");
        text.split_whitespace().filter(|word| word.starts_with('$')).map(str::to_owned).collect()
    };
    let lab = lab.with("HADAL_BUDGET_MONTH_USD", &cost.to_string());
    let before = spent(&lab);

    let (reply, output) = lab.run(&["delete", &id]);
    assert_eq!((&reply["success"], &reply["deleted"]), (&json!(true), &json!([id])), "{reply:#}");
    assert!(output.status.success());
    for command in ["status", "results", "save", "cancel", "delete"] {
        assert_eq!(code(&lab.run(&[command, &id]).0), "TASK_NOT_FOUND", "{command}");
    }
    assert_eq!(lab.run(&["list"]).0["tasks"], json!([]));
    assert_eq!(spent(&lab), before, "the money came back");
    assert_eq!(known(&lab), json!(1));
    assert_eq!(lab.asked(On::Delete), 0, "the provider was asked although nobody wanted that");
}

/// A task that runs is refused with the way out, over MCP and in the terminal, and none of the others goes either.
#[test]
fn a_running_task_is_cancelled_first() {
    let lab = Lab::new(fast());
    let done = ended_by(&lab, &["How deep is the sea?"]);
    lab.api.set_plan(still());
    let mut client = lab.serve();
    let running = start(&mut client, "How high is the sky?");
    let reply = client.call("delete_research", json!({"task_ids": [done, running]}));
    assert_eq!(code(&reply), "RESEARCH_NOT_COMPLETED", "{reply}");
    assert!(reply["error"]["hints"].to_string().contains("cancel it first"), "{reply}");
    for flag in [&[][..], &["--at-provider"]] {
        let (reply, output) = lab.run(&[&["delete", &done, &running], flag].concat());
        assert_eq!((code(&reply), output.status.code()), ("RESEARCH_NOT_COMPLETED", Some(3)), "{reply}");
    }
    assert_eq!((lab.asked(On::Delete), &results(&mut client, &done)["status"]), (0, &json!("completed")));
    client.call("cancel_research", json!({"task_id": running}));
    let reply = client.call("delete_research", json!({"task_ids": [done, running, done]}));
    assert_eq!((&reply["success"], &reply["deleted"]), (&json!(true), &json!([done, running])), "{reply}");
    assert_eq!(client.call("list_research", json!({}))["tasks"], json!([]));
}

/// With `--at-provider` the run goes there too. One that a kept follow-up rests on stays there; one that the provider does not
/// delete stays here as well, because only its row knows the run.
#[test]
fn the_provider_deletes_what_nobody_rests_on() {
    let lab = Lab::new(fast());
    let first = ended_by(&lab, &["How deep is the sea?"]);
    let second = ended_by(&lab, &["And who was there?", "--follow-up-to", &first]);
    let (reply, _) = lab.run(&["delete", "--at-provider", &first]);
    assert_eq!((&reply["success"], &reply["kept_at_provider"]), (&json!(true), &json!([first])), "{reply:#}");
    assert_eq!(lab.asked(On::Delete), 0);
    let third = ended_by(&lab, &["And when?", "--follow-up-to", &second]);

    lab.api.set_plan(Plan { faults: vec![FaultRule::always(On::Delete, Fault::Delete501)], ..fast() });
    let (reply, output) = lab.run(&["delete", "--at-provider", &second, &third]);
    assert_eq!((&reply["success"], &reply["deleted"]), (&json!(false), &json!([])), "{reply:#}");
    assert_eq!((reply["problems"].as_array().unwrap().len(), output.status.code()), (2, Some(5)), "{reply:#}");
    assert_eq!(lab.run(&["results", &second]).0["status"], "completed");

    lab.api.set_plan(fast());
    let (before, (reply, _)) = (lab.asked(On::Delete), lab.run(&["delete", "--at-provider", &second, &third]));
    assert_eq!((&reply["success"], &reply["deleted"]), (&json!(true), &json!([second, third])), "{reply:#}");
    assert_eq!(lab.asked(On::Delete) - before, 2);
}
