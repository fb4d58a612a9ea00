//! The same research is paid for once, unless its user says otherwise; and a start keeps hold of what it pays for.

use std::io::BufRead as _;
use std::process::Stdio;

use sim::interactions::{Fault, FaultRule};

use super::*;

const QUERY: &str = "How deep is the Mariana trench?";

/// A start that must be refused because of an earlier task.
fn refused(client: &mut Client, call: &Value, earlier: &str) {
    let reply = client.call("start_deep_research", call.clone());
    assert_eq!(code(&reply), "RESEARCH_ALREADY_STARTED", "{call}: {reply:#}");
    assert!(message(&reply).contains(earlier), "{reply:#}");
}

fn started(client: &mut Client, call: &Value) -> String {
    let reply = client.call("start_deep_research", call.clone());
    assert_eq!(reply["success"], true, "{call}: {reply:#}");
    reply["task_id"].as_str().unwrap().to_owned()
}

/// PR-01: the same question to the same agent with the same options is refused while it runs, with the earlier id; what differs in what it
/// asks for is another research, what differs in patience or caps is not.
#[test]
fn pr_01_what_runs_is_not_paid_for_twice() {
    let lab = Lab::new(still());
    let mut client = lab.serve();
    let first = started(&mut client, &json!({"query": QUERY}));
    refused(&mut client, &json!({"query": QUERY}), &first);
    refused(&mut client, &json!({"query": QUERY, "max_wait_hours": 2, "budget_usd": 90}), &first);
    refused(&mut client, &json!({"query": QUERY, "again": false, "enable_notifications": false}), &first);
    let (reply, output) = lab.run(&["start", QUERY]);
    assert_eq!((code(&reply), output.status.code()), ("RESEARCH_ALREADY_STARTED", Some(3)), "{reply:#}");
    assert!(message(&reply).contains(&first) && reply["error"].to_string().contains("again"), "{reply:#}");
    assert_eq!(lab.asked(On::Create), 1, "nothing was sent for what was refused");
    started(&mut client, &json!({"query": "How deep is the Java trench?"}));
    started(&mut client, &json!({"query": QUERY, "plan_only": true}));
    started(&mut client, &json!({"query": QUERY, "model": "deep-research-max-preview-04-2026"}));
    started(&mut client, &json!({"query": QUERY, "again": true}));
    let (reply, _) = lab.run(&["start", QUERY, "--again"]);
    assert_eq!(reply["success"], true, "{reply:#}");
    assert_eq!(lab.asked(On::Create), 6);
}

/// PR-01: what completed within the hour stands in the way, what completed before it or was stopped does not.
#[test]
fn pr_01_what_completed_within_the_hour_is_not_paid_for_again() {
    let lab = Lab::new(fast());
    let mut client = lab.serve();
    let first = started(&mut client, &json!({"query": QUERY}));
    assert_eq!(ended(&mut client, &first)["status"], "completed");
    refused(&mut client, &json!({"query": QUERY}), &first);
    let follow = json!({"query": QUERY, "follow_up_to": first});
    let further = started(&mut client, &follow);
    refused(&mut client, &follow, &further);
    assert_eq!(ended(&mut client, &further)["status"], "completed");
    let ended_at = "UPDATE research_tasks SET completed_at = completed_at - 3600 * 1000 WHERE task_id = ?1";
    lab.database().execute(ended_at, [&first]).unwrap();
    let second = started(&mut client, &json!({"query": QUERY}));
    assert_ne!(second, first);
    let lab = Lab::new(still());
    let mut client = lab.serve();
    let first = started(&mut client, &json!({"query": QUERY}));
    client.call("cancel_research", json!({"task_id": first}));
    started(&mut client, &json!({"query": QUERY}));
}

/// PR-01: of starts at the same moment in several processes one goes through.
#[test]
fn pr_01_of_starts_at_the_same_moment_one_goes_through() {
    let lab = Lab::new(still());
    let spawn = || lab.command().args(["--json", "start", QUERY]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let children: Vec<_> = (0..6).map(|_| spawn().unwrap()).collect();
    let replies: Vec<Value> = children
        .into_iter()
        .map(|child| serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap())
        .collect();
    let (paid, refused): (Vec<&Value>, Vec<&Value>) = replies.iter().partition(|reply| reply["success"] == true);
    assert_eq!((paid.len(), lab.asked(On::Create)), (1, 1), "{replies:#?}");
    let id = paid[0]["task_id"].as_str().unwrap();
    for reply in refused {
        assert_eq!(code(reply), "RESEARCH_ALREADY_STARTED", "{reply:#}");
        assert!(message(reply).contains(id), "{reply:#}");
    }
}

/// HR-12: the provider takes longer than the command has: the id is printed in time, and the command stays until the reply to its own
/// paid request is there. (It used to give up eight seconds after the id, and the run was lost.)
#[test]
fn hr_12_a_command_prints_the_id_and_stays_for_its_paid_reply() {
    let slow = vec![FaultRule::times(On::Create, Fault::Delay { ms: 12_000 }, 1)];
    let lab = Lab::new(Plan { faults: slow, ..still() }).with("HADAL_CALL_WINDOW_SECONDS", "1");
    let mut child = lab
        .command()
        .args(["start", QUERY])
        .stdout(Stdio::piped())
        .stderr(std::fs::File::create(lab.path("start.log")).unwrap())
        .spawn()
        .unwrap();
    let lines = std::io::BufReader::new(child.stdout.take().unwrap()).lines();
    let told: Vec<String> = lines.map(Result::unwrap).collect();
    assert!(child.wait().unwrap().success(), "{told:?}");
    assert!(told.iter().any(|line| line.contains("Not started yet")), "told before the reply: {told:?}");
    let last = told.last().unwrap();
    let id = last.strip_prefix("Task ").and_then(|rest| rest.split(':').next()).unwrap_or_else(|| panic!("{told:?}"));
    let (status, _) = lab.run(&["status", id]);
    assert_eq!(status["status"], "running_async", "{status:#}");
    assert!(
        status["interaction_id"].as_str().is_some_and(|id| !id.is_empty()),
        "the id came with the reply: {status:#}"
    );
    assert_eq!(lab.asked(On::Create), 1);
}

/// HR-01: a run that ends while its start is answered is shown whole: whether it is partial, why it stopped, and what is to be said of it.
#[test]
fn hr_01_a_start_shows_how_its_task_ended() {
    let sync = |end| Plan { run: Run { sync: true, end, ..Run::default() }, ..fast() };
    for (end, partial) in [(sim::interactions::End::Completed, false), (sim::interactions::End::Incomplete, true)] {
        let lab = Lab::new(sync(end.clone()));
        let (reply, _) = lab.run(&["start", QUERY, "--wait"]);
        let (results, _) = lab.run(&["results", reply["task_id"].as_str().unwrap()]);
        for field in ["partial", "stop_reason", "note"] {
            assert_eq!(reply[field], results[field], "{end:?} {field}: {reply:#}");
        }
        assert_eq!((reply["partial"].as_bool(), reply["stop_reason"].is_string()), (Some(partial), true), "{reply:#}");
    }
}
