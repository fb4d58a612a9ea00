//! A word to a study that runs, from another process.

use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use sim::wait;
use sim::web::QUESTION;

use super::Lab;
use super::script::{Step, reader, step};

const WORDS: &str = "leave out the weather";

/// A lab whose model holds its first notes back until it is let go on. Each message of the receiver is a question that is held.
pub(super) fn held() -> (Lab, Receiver<()>, Sender<()>) {
    let ((asked, is_asked), (go_on, gate)) = (channel(), channel::<()>());
    let gate = Mutex::new(Some(gate));
    let lab = Lab::new(move |question| {
        if step(question) == Step::Notes
            && let Some(gate) = gate.lock().unwrap().take()
        {
            asked.send(()).unwrap();
            // Also when the test is over.
            let _ = gate.recv();
        }
        reader(question)
    });
    (lab, is_asked, go_on)
}

/// Starts a study and returns with its id once its model is held.
pub(super) fn begun(lab: &Lab, is_asked: &Receiver<()>) -> (Child, String) {
    let mut command = lab.command();
    command.args(["--json", "ask", "--deep", QUESTION]).stdout(Stdio::piped()).stderr(Stdio::null());
    let child = command.spawn().unwrap();
    wait::message("the notes are asked for", is_asked).unwrap();
    let (listed, _) = lab.run(&["list"]);
    (child, listed["tasks"][0]["task_id"].as_str().unwrap().to_owned())
}

fn count(lab: &Lab, sql: &str) -> i64 {
    let path = lab.home.path().join("data/hadal.db");
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

const HEARD: &str =
    "SELECT count(*) FROM effects WHERE body_json LIKE '{\"row\":\"steer\"%' AND ended_order IS NOT NULL";

/// The steps whose prompts have the words, and those whose prompts do not.
fn told(lab: &Lab) -> (Vec<Step>, Vec<Step>) {
    let (with, without): (Vec<_>, Vec<_>) =
        lab.chat.requests().into_iter().partition(|asked| asked.prompt.contains(WORDS));
    (with.iter().map(step).collect(), without.iter().map(step).collect())
}

/// ST-03: a word from another process is heard by the owner of the study; every prompt behind it has it, none before.
#[test]
fn st_03_a_running_study_is_steered() {
    let (lab, is_asked, go_on) = held();
    let (child, id) = begun(&lab, &is_asked);
    let (reply, output) = lab.run(&["steer", &id, "leave", "out", "the", "weather"]);
    assert!(output.status.success() && reply["success"] == true, "{reply:#}");
    wait::until("the word is in the journal", || count(&lab, HEARD) == 1);
    assert_eq!(count(&lab, "SELECT count(*) FROM steers"), 0);
    go_on.send(()).unwrap();
    let output = child.wait_with_output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["status"], "completed", "{report:#}");
    let (with, without) = told(&lab);
    assert!(with.contains(&Step::Report) && with.contains(&Step::Reflect), "{with:?}");
    assert!(!without.contains(&Step::Report) && without.contains(&Step::Plan), "{without:?}");
    // It is over now: nobody is told anything.
    let (late, output) = lab.run(&["steer", &id, WORDS]);
    let found = (late["error"]["code"].as_str(), output.status.code());
    assert_eq!(found, (Some("RESEARCH_ALREADY_COMPLETED"), Some(3)), "{late:#}");
    let over_mcp = lab.serve().call("steer_research", json!({"task_id": id, "message": WORDS}));
    assert_eq!(over_mcp["error"]["code"], "RESEARCH_ALREADY_COMPLETED", "{over_mcp:#}");
}

/// ST-03: a study that was killed after it heard a word has it at the same place again.
#[test]
fn st_03_a_killed_study_remembers_what_it_was_told() {
    let (lab, is_asked, go_on) = held();
    let (mut child, id) = begun(&lab, &is_asked);
    let reply = lab.serve().call("steer_research", json!({"task_id": id, "message": WORDS}));
    assert_eq!(reply["success"], true, "{reply:#}");
    wait::until("the word is in the journal", || count(&lab, HEARD) == 1);
    child.kill().unwrap();
    child.wait().unwrap();
    drop(go_on);
    let asked = lab.chat.requests().len();
    let (report, _) = lab.run(&["results", "--wait", &id]);
    assert_eq!(report["success"], true, "{report:#}");
    assert_eq!(count(&lab, HEARD), 1, "it was said once");
    let after: Vec<_> = lab.chat.requests().into_iter().skip(asked).collect();
    let steps: Vec<Step> = after.iter().map(step).collect();
    assert!(!steps.contains(&Step::Plan) && steps.contains(&Step::Report), "{steps:?}");
    let writing = after.iter().find(|asked| step(asked) == Step::Report).unwrap();
    assert!(writing.prompt.contains(WORDS), "{}", writing.prompt);
}

/// ST-03: who cannot be told says so, with a code.
#[test]
fn st_03_what_is_no_study_is_not_steered() {
    let (lab, is_asked, go_on) = held();
    let (mut child, id) = begun(&lab, &is_asked);
    for (message, code) in
        [(" ", "INVALID_ARGUMENT"), (&*"x".repeat(1_001), "INVALID_ARGUMENT"), ("a\u{7}b", "INVALID_ARGUMENT")]
    {
        let (reply, output) = lab.run(&["steer", &id, message]);
        assert_eq!((reply["error"]["code"].as_str(), output.status.code()), (Some(code), Some(2)), "{reply:#}");
    }
    for number in 0..21 {
        let (reply, output) = lab.run(&["steer", &id, &format!("word {number}")]);
        let refused = (reply["error"]["code"].as_str(), output.status.code());
        assert_eq!(refused, if number < 20 { (None, Some(0)) } else { (Some("NOT_STEERABLE"), Some(3)) }, "{reply:#}");
    }
    let (reply, output) = lab.run(&["steer", "00000000-0000-4000-8000-000000000000", WORDS]);
    assert_eq!((reply["error"]["code"].as_str(), output.status.code()), (Some("TASK_NOT_FOUND"), Some(3)), "{reply:#}");
    // As if another method had it.
    child.kill().unwrap();
    child.wait().unwrap();
    drop(go_on);
    let path = lab.home.path().join("data/hadal.db");
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    connection
        .execute("UPDATE research_tasks SET spec_json = json_set(spec_json, '$.plan.method', 'rounds')", [])
        .unwrap();
    let (reply, output) = lab.run(&["steer", &id, WORDS]);
    assert_eq!((reply["error"]["code"].as_str(), output.status.code()), (Some("NOT_STEERABLE"), Some(3)), "{reply:#}");
}
