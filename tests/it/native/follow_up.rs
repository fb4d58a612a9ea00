//! Further questions: what a finished task archived is read first, and only what is missing is researched.

use serde_json::{Value, json};
use sim::chat::{Received, Say};
use sim::web::{ANSWER, QUESTION};

use super::script::{Step, noted, reader, step, study};
use super::{Lab, problems};

const FURTHER: &str = "Who was the captain of that ship?";

fn id(reply: &Value) -> &str {
    reply["task_id"].as_str().unwrap()
}

/// ST-03: a question that archived pages answer searches nothing and fetches nothing, and cites them.
#[test]
fn st_03_a_further_question_is_answered_from_what_was_archived() {
    let lab = Lab::new(reader);
    let first = lab.research(&[QUESTION, "--task-scope", "large"]);
    let (searches, fetches, asked) = (lab.search.requests().len(), lab.web.requests().len(), lab.chat.requests().len());
    let (reply, _) = lab.run(&["ask", "--about", id(&first), FURTHER]);
    assert_eq!((reply["status"].as_str(), reply["stop_reason"].as_str()), (Some("completed"), Some("good_enough")));
    assert!(reply["result"].as_str().unwrap().contains(ANSWER), "{reply:#}");
    assert_eq!((lab.search.requests().len(), lab.web.requests().len()), (searches, fetches), "{reply:#}");
    assert_eq!(reply["metadata"]["query"], FURTHER);
    let pages =
        |reply: &Value| reply["sources"].as_array().unwrap().iter().map(|s| s["page"].clone()).collect::<Vec<_>>();
    assert!(!pages(&reply).is_empty() && pages(&reply).iter().all(|page| pages(&first).contains(page)), "{reply:#}");
    let prompts: Vec<Received> = lab.chat.requests().into_iter().skip(asked).collect();
    assert!(prompts.iter().all(|asked| asked.prompt.contains(QUESTION)), "the earlier question is not told");
    // The pages stay when the first task goes.
    let (deleted, _) = lab.run(&["delete", id(&first)]);
    assert_eq!(deleted["success"], true, "{deleted:#}");
    let (again, _) = lab.run(&["ask", "--about", id(&reply), FURTHER]);
    assert!(again["result"].as_str().unwrap().contains(ANSWER), "{again:#}");
    assert_eq!(lab.web.requests().len(), fetches);
}

/// ST-03: what the archive lacks is researched, by somebody who knows what was found before; also over MCP.
#[test]
fn st_03_only_what_is_missing_is_researched() {
    let lab = Lab::new(|asked| match step(asked) {
        Step::Notes if asked.prompt.contains("Where was it built?") && !asked.prompt.contains("SEARCHED") => {
            Say::Text(format!("{}STATUS: MISSING the yard", noted(asked, &["Meridian Lark"])))
        }
        _ => reader(asked),
    });
    let first = lab.research(&[QUESTION, "--task-scope", "large"]);
    let (searches, asked) = (lab.search.requests().len(), lab.chat.requests().len());
    let mut client = lab.serve();
    let args = json!({"follow_up_to": id(&first), "query": "Where was it built?", "task_scope": "large"});
    let reply = client.call("deep_research", args);
    assert_eq!(reply["status"], "completed", "{reply:#}");
    assert!(lab.search.requests().len() > searches, "nothing was searched");
    let prompts: Vec<Received> = lab.chat.requests().into_iter().skip(asked).collect();
    let plan = prompts.iter().position(|asked| step(asked) == Step::Plan).unwrap();
    let notes = prompts.iter().position(|asked| step(asked) == Step::Notes).unwrap();
    assert!(notes < plan, "the archive is read before anything is planned");
    for known in ["Known from an earlier research", "Meridian Lark", "Still open: the yard"] {
        assert!(prompts[plan].prompt.contains(known), "{known}: {}", prompts[plan].prompt);
    }
}

/// ST-03: a task of any engine can be gone on with; private documents it rests on obey the rule of the library.
#[test]
fn st_03_a_further_question_keeps_documents_private() {
    let diary = |asked: &Received| study(asked, &["diary"]);
    for (far, flags, shown) in [(false, vec![], true), (true, vec![], false), (true, vec!["--library"], true)] {
        let mut lab = Lab::new(diary);
        if far {
            lab = lab.beyond_this_machine();
        }
        let notes = lab.home.path().join("notes");
        std::fs::create_dir_all(&notes).unwrap();
        std::fs::write(notes.join("diary.md"), "# Diary\n\nThe captain wrote a private diary about the ship.\n")
            .unwrap();
        let notes = notes.to_str().unwrap();
        let first = lab.research(&[
            "Which private diary of the captain is about the ship?",
            "--engine",
            "extractive",
            "--library",
            notes,
        ]);
        assert!(lab.chat.requests().is_empty());
        let named: Vec<&str> = flags.iter().flat_map(|flag| [*flag, notes]).collect();
        let about = ["ask", "--about", id(&first)];
        let (reply, _) = lab.run(&[&about[..], &named, &["What did the captain's diary tell?"]].concat());
        assert_eq!(reply["status"], "completed", "{reply:#}");
        let seen = lab.chat.requests().iter().any(|asked| asked.prompt.contains("wrote a private diary"));
        assert_eq!(seen, shown, "far: {far}, {flags:?}");
        assert_eq!(problems(&reply).contains("LIBRARY_NOT_SHOWN"), !shown, "{reply:#}");
    }
}

/// ST-03: what cannot be gone on with says so.
#[test]
fn st_03_what_cannot_be_gone_on_with() {
    let lab = Lab::new(reader);
    let first = lab.research(&[QUESTION, "--task-scope", "tiny"]);
    for (args, code, exit) in [
        (vec!["--about", id(&first)], "INVALID_ARGUMENT", 2),
        (vec!["--about", "00000000-0000-4000-8000-000000000000", "why is it so?"], "TASK_NOT_FOUND", 3),
        (vec!["--about", "nonsense", "why is it so?"], "INVALID_TASK_ID", 2),
    ] {
        let (reply, output) = lab.run(&[vec!["ask"], args].concat());
        assert_eq!((reply["error"]["code"].as_str(), output.status.code()), (Some(code), Some(exit)), "{reply:#}");
    }
}
