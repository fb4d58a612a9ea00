//! RS-01: a killed process goes on where it was; what is paid is not paid again.

use std::process::Stdio;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sim::chat::{Received, Say};
use sim::web::{ANSWER, QUESTION};

use super::Lab;
use super::script::{asks_for_report, reader};

/// RS-01: killed while the model writes: the searches and the questions before it are not repeated, and the budget carries over.
#[test]
fn a_killed_research_pays_nothing_twice() {
    let (tell, told) = channel();
    let tell = Mutex::new(Some(tell));
    let lab = Arc::new(Lab::new(move |asked: &Received| {
        if !asks_for_report(asked) {
            return reader(asked);
        }
        // The first report never comes: its process is killed.
        match tell.lock().unwrap().take() {
            Some(tell) => {
                tell.send(()).unwrap();
                Say::Slow(Duration::from_secs(2), "too late".into())
            }
            None => reader(asked),
        }
    }));
    let mut child = lab
        .command()
        .args(["deep-research", QUESTION, "--task-scope", "large"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    sim::wait::message("the question for the report", &told).unwrap();
    let paid = || {
        let asked = lab.chat.requests().into_iter().filter(|asked| !asks_for_report(asked)).map(|asked| asked.prompt);
        (lab.search.requests().len(), asked.collect::<Vec<_>>())
    };
    let before = paid();
    child.kill().unwrap();
    child.wait().unwrap();
    let (list, _) = lab.run(&["list"]);
    let id = list["tasks"][0]["task_id"].as_str().unwrap().to_owned();
    let (reply, _) = lab.run(&["results", &id, "--wait"]);
    assert_eq!(reply["status"], "completed", "{reply:#}");
    assert!(reply.to_string().contains(ANSWER), "{reply:#}");
    assert_eq!(before, paid(), "finished searches and questions are not asked again");
    // The brief, the plan, the notes of two rounds, and whether something is missing.
    assert_eq!((before.0, before.1.len()), (2, 5));
}
