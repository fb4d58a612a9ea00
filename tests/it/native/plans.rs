//! A plan that is shown, approved, edited and run.

use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};
use sim::web::{ANSWER, QUESTION};

use super::Lab;
use super::script::{Step, reader, step};

/// The steps that the model was asked for, from a request on.
fn steps(lab: &Lab, from: usize) -> Vec<Step> {
    lab.chat.requests().iter().skip(from).map(step).collect()
}

fn id(reply: &Value) -> &str {
    reply["task_id"].as_str().unwrap()
}

/// A plan for the question, as the task that ended with it.
fn planned(lab: &Lab) -> Value {
    let (reply, _) = lab.run(&["ask", "--plan", "--deep", "--for", "old sailors", QUESTION]);
    assert_eq!((reply["status"].as_str(), reply["stop_reason"].as_str()), (Some("completed"), Some("answered")));
    reply
}

/// ST-03: a task that is asked for a plan ends with it; approved without a word it is run as it is, and as it was asked for.
#[test]
fn st_03_a_plan_is_shown_and_run() {
    let lab = Lab::new(reader);
    let plan = planned(&lab);
    let text = plan["result"].as_str().unwrap();
    assert!(text.starts_with("# Plan: ") && text.contains("\n### 1. ") && text.contains("\n- "), "{text}");
    assert_eq!(steps(&lab, 0), [Step::Brief, Step::Plan], "a plan researches nothing");
    assert!(plan["note"].as_str().unwrap().contains("follow_up_to"), "{plan:#}");
    let asked = lab.chat.requests().len();
    let (reply, _) = lab.run(&["ask", "--about", id(&plan)]);
    assert_eq!(reply["status"], "completed", "{reply:#}");
    assert!(reply["result"].as_str().unwrap().contains(ANSWER), "{reply:#}");
    assert_eq!((&reply["metadata"]["query"], &reply["metadata"]["strategy"]), (&json!(QUESTION), &json!("deep")));
    let steps = steps(&lab, asked);
    assert!(!steps.contains(&Step::Brief) && !steps.contains(&Step::Plan) && steps.contains(&Step::Notes), "{steps:?}");
    let writing = lab.chat.requests().into_iter().skip(asked).find(|asked| step(asked) == Step::Report).unwrap();
    assert!(writing.prompt.contains("old sailors"), "what the plan was asked for is forgotten: {}", writing.prompt);
}

/// ST-03: an edited plan is run as it was edited, also over MCP.
#[test]
fn st_03_an_edited_plan_is_run() {
    let lab = Lab::new(reader);
    let plan = planned(&lab);
    let edited =
        "# Plan: Who led the ship?\n\n### Who was the captain of the Meridian Lark?\n\n- Meridian Lark captain\n";
    let searches = || lab.search.requests().iter().map(|asked| format!("{asked:?}")).collect::<Vec<_>>();
    let before = searches().len();
    let mut child = lab.command();
    child.args(["--json", "ask", "--about", id(&plan), "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = child.spawn().unwrap();
    child.stdin.take().unwrap().write_all(edited.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let reply: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(reply["status"], "completed", "{reply:#}");
    assert!(reply["result"].as_str().unwrap().contains(ANSWER), "{reply:#}");
    let made = searches().split_off(before);
    assert!(made.len() == 1 && made[0].contains("Meridian Lark captain"), "{made:#?}");
    assert_eq!(reply["metadata"]["query"], QUESTION, "the question stays the task's own");
    let mut client = lab.serve();
    let over_mcp = client.call("deep_research", json!({"follow_up_to": id(&plan), "query": edited}));
    assert_eq!(over_mcp["status"], "completed", "{over_mcp:#}");
    let as_it_is = client.call("deep_research", json!({"follow_up_to": id(&plan)}));
    assert_eq!(as_it_is["status"], "completed", "{as_it_is:#}");
    let nothing = client.call("deep_research", json!({}));
    assert_eq!(nothing["error"]["code"], "INVALID_ARGUMENT", "{nothing:#}");
}

/// ST-03: words that are no plan are said of it, and reach everybody who works on it.
#[test]
fn st_03_what_is_said_of_a_plan_is_told_to_the_model() {
    let lab = Lab::new(reader);
    let plan = planned(&lab);
    let asked = lab.chat.requests().len();
    let (reply, _) = lab.run(&["ask", "--about", id(&plan), "leave", "out", "the", "weather"]);
    assert_eq!(reply["status"], "completed", "{reply:#}");
    let prompts: Vec<String> = lab.chat.requests().into_iter().skip(asked).map(|asked| asked.prompt).collect();
    assert!(
        !prompts.is_empty() && prompts.iter().all(|prompt| prompt.contains("leave out the weather")),
        "{prompts:#?}"
    );
    let again = lab.chat.requests().len();
    let (refined, _) = lab.run(&["ask", "--plan", "--about", id(&plan), "leave", "out", "the", "weather"]);
    assert!(refined["result"].as_str().unwrap().starts_with("# Plan: "), "{refined:#}");
    assert_eq!(steps(&lab, again), [Step::Brief, Step::Plan], "a plan is made anew with what was said");
}

/// ST-03: only studies have plans; who cannot make one says so, and nothing is started.
#[test]
fn st_03_who_makes_no_plans_says_so() {
    let lab = Lab::new(reader);
    let plan = planned(&lab);
    let notes = lab.home.path().to_str().unwrap();
    for args in [
        &["ask", "--plan", "--engine", "extractive", "--library", notes, QUESTION][..],
        &["ask", "--about", id(&plan), "--engine", "extractive", "--library", notes],
    ] {
        let (reply, output) = lab.run(args);
        let found = (reply["error"]["code"].as_str(), output.status.code());
        assert_eq!(found, (Some("ENGINE_UNAVAILABLE"), Some(4)), "{reply:#}");
    }
    let (listed, _) = lab.run(&["list"]);
    assert_eq!(listed["tasks"].as_array().unwrap().len(), 1, "{listed:#}");
}
