//! `search` and `deep_search` where there is a chat model and nothing else.

use serde_json::{Value, json};
use sim::chat::{Received, Say};
use sim::web::QUESTION;

use super::script::{Step, reader, step};
use super::{Lab, problems, source_with};
use crate::marks::fenced;

/// A model that answers a round in the form that it is asked for; the second round verifies.
fn rounds(asked: &Received) -> Say {
    let ship = source_with(asked, "Meridian Lark").unwrap_or(1);
    let verified = asked.prompt.contains("BEGIN DRAFT");
    let report = format!("The ship was the Meridian Lark [{ship}].");
    let metadata = json!({"sources_visited": [], "search_queries_used": [], "iterations": 1});
    let answer = json!({"success": true, "verified": verified, "metadata": metadata, "report": report});
    Say::Text(format!("Here it is:\n```json\n{answer}\n```"))
}

fn deep_search(lab: &Lab) -> Value {
    let (reply, _) = lab.run(&["deep-search", QUESTION, "--max-iterations", "3"]);
    assert_eq!(reply["status"], "completed", "{reply:#}");
    reply
}

/// DS-01, DS-02, DS-04: a draft and its verification, each from pages that were searched and read for it; the cost is what everybody
/// outside would bill.
#[test]
fn rounds_on_a_chat_model() {
    let lab = Lab::new(rounds);
    for n in 1..6 {
        let text = "captain of the ship that carried the Halvorsen expedition to Brannock Island";
        lab.search.list(&format!("http://traps.sim.test/status/50{n}"), "The captain", text);
    }
    let reply = deep_search(&lab);
    assert_eq!(
        (reply["verified"].as_bool(), reply["metadata"]["iterations"].as_u64()),
        (Some(true), Some(2)),
        "{reply:#}"
    );
    assert_eq!(reply["metadata"]["engine"]["name"], "native");
    assert_eq!(reply["metadata"]["model"], "custom/gemini-3.1-pro-preview");
    assert!(reply["metadata"]["sources_visited"].to_string().contains("expedition.sim.test"), "{reply:#}");
    assert_eq!(reply["metadata"]["search_queries_used"], json!([QUESTION]));
    assert!(problems(&reply).contains("status/50"), "{reply:#}");
    let cost = reply["metadata"]["cost_usd"].as_f64().unwrap();
    assert!((cost - lab.invoice()).abs() < 1e-9, "{cost} is not {}", lab.invoice());
}

/// JR-01, JR-02: an answer in another form is corrected, by a question that holds it as data.
#[test]
fn an_answer_in_another_form_is_corrected() {
    let lab = Lab::new(|asked: &Received| match asked.prompt.contains("BEGIN OUTPUT") {
        true => rounds(asked),
        false if asked.number == 0 => Say::Text("The ship was the Meridian Lark, I think.".into()),
        false => rounds(asked),
    });
    let reply = deep_search(&lab);
    assert_eq!(reply["verified"], true, "{reply:#}");
    assert!(lab.chat.requests()[1].prompt.contains("Meridian Lark, I think"));
    assert!(!lab.chat.requests()[1].prompt.contains("{{"), "no hole is left open");
}

/// A model that cannot do it leaves what was found, quoted.
#[test]
fn a_weak_model_leaves_quotes() {
    let lab = Lab::new(|_| Say::Text("I am a teapot".into()));
    let reply = deep_search(&lab);
    assert_eq!(
        (reply["verified"].as_bool(), reply["metadata"]["model"].as_str()),
        (Some(false), Some("none")),
        "{reply:#}"
    );
    assert!(reply["result"].as_str().unwrap().contains("> In the spring of 1911"), "{reply:#}");
    assert!(reply["note"].as_str().unwrap().contains("No model wrote this report"), "{reply:#}");
}

/// SE-01: one round: the question and its telling words are searched for, a few pages are read, noted and answered from.
#[test]
fn a_quick_search_is_one_round() {
    let lab = Lab::new(reader);
    let (reply, _) = lab.run(&["search", QUESTION]);
    assert_eq!(
        (reply["status"].as_str(), reply["metadata"]["iterations"].as_u64()),
        (Some("completed"), Some(1)),
        "{reply:#}"
    );
    assert!(reply["result"].as_str().unwrap().contains("fourteen months [1]"), "{reply:#}");
    let steps: Vec<Step> = lab.chat.requests().iter().map(step).collect();
    assert_eq!((lab.search.requests().len(), steps), (2, vec![Step::Notes, Step::Report]), "{reply:#}");
    let mut client = lab.serve();
    let reply = client.call("search", json!({"query": QUESTION, "engine": "native"}));
    assert_eq!(reply["metadata"]["engine"]["name"], "native", "{reply:#}");
}

/// PR-02: the marks of a task hold one word, which is its own and is kept with it: after a kill the same prompt is sent.
#[test]
fn pr_02_the_word_in_the_marks_is_the_tasks_own() {
    let lab = Lab::new(rounds);
    let words = || -> Vec<String> {
        let prompts = lab.chat.requests().into_iter().map(|request| request.prompt);
        prompts.map(|prompt| fenced(&prompt, "SOURCE 1").0).collect()
    };
    lab.run(&["deep-search", QUESTION]);
    let first = words();
    assert!(first.len() > 1 && first.iter().all(|word| *word == first[0]), "{first:?}");
    lab.run(&["deep-search", QUESTION]);
    let both = words();
    assert!(both.iter().skip(first.len()).all(|word| *word == both[first.len()] && *word != first[0]), "{both:?}");
    let database = rusqlite::Connection::open(lab.home.path().join("data/hadal.db")).unwrap();
    let specs: u32 = database
        .query_row("SELECT count(*) FROM research_tasks WHERE spec_json LIKE '%' || ?1 || '%'", [&first[0]], |row| {
            row.get(0)
        })
        .unwrap();
    assert_eq!(specs, 1, "kept with its task");
}
