//! What a study is made of: which documents a model gets to see, what its reader wants, and what its account says.

use sim::chat::{Received, Say};
use sim::web::QUESTION;

use super::script::{Step, noted, reader, step};
use super::{Lab, problems};

/// A folder with a private document, registered with hadal.
fn registered(lab: &Lab) -> String {
    let notes = lab.home.path().join("notes");
    std::fs::create_dir_all(&notes).unwrap();
    let private = "The captain of the ship of the Halvorsen expedition to Brannock Island wrote a private diary.";
    std::fs::write(notes.join("diary.md"), format!("# Diary\n\n{private}\n")).unwrap();
    let notes = notes.to_str().unwrap().to_owned();
    let (_, added) = lab.run(&["library", "add", &notes]);
    assert!(added.status.success(), "{added:?}");
    notes
}

/// How many questions to the model showed the private document.
fn seen(lab: &Lab) -> usize {
    lab.chat.requests().iter().filter(|asked| asked.prompt.contains("private diary")).count()
}

/// ST-02: documents are shown to a model beyond this machine if the call names them, and not because they are registered.
#[test]
fn st_02_only_named_documents_reach_a_model() {
    let lab = Lab::new(reader).beyond_this_machine();
    let notes = registered(&lab);
    let reply = lab.research(&[QUESTION, "--engine", "native", "--task-scope", "large"]);
    assert!(!lab.chat.requests().is_empty());
    assert_eq!(seen(&lab), 0, "a registered document was shown to a model");
    assert!(problems(&reply).contains("LIBRARY_NOT_SHOWN"), "{reply:#}");
    let searches = lab.search.requests().len();
    let reply = lab.research(&[QUESTION, "--library", &notes]);
    assert!(seen(&lab) > 0, "a named document was not read: {reply:#}");
    assert_eq!(lab.search.requests().len(), searches, "the web was asked without a word of the call");
    assert_eq!(reply["metadata"]["engine"]["name"], "native", "{reply:#}");
}

/// ST-02: with `library.to_model` registered documents are read beside the web, and searches made of them go out. A model on this machine sees
/// them without it, and then such searches stay here.
#[test]
fn st_02_registered_documents_are_studied_where_they_may_be() {
    let curious = |asked: &Received| match step(asked) {
        Step::Notes if asked.prompt.contains("private diary") && !asked.prompt.contains("SECRETWORD") => {
            Say::Text(format!("{}STATUS: MISSING more\nQUERY: SECRETWORD diary", noted(asked, &["diary"])))
        }
        _ => reader(asked),
    };
    for permitted in [true, false] {
        let lab = Lab::new(curious);
        let lab = if permitted { lab.beyond_this_machine().with("HADAL_LIBRARY_TO_MODEL", "yes") } else { lab };
        registered(&lab);
        let reply = lab.research(&[QUESTION, "--engine", "native", "--task-scope", "large"]);
        assert!(seen(&lab) > 0, "the registered document was not read: {reply:#}");
        assert!(!problems(&reply).contains("LIBRARY_NOT_SHOWN"), "{reply:#}");
        let queries: Vec<String> = lab.search.requests().iter().map(|asked| format!("{asked:?}")).collect();
        assert!(!queries.is_empty(), "the web is searched too");
        let told = queries.iter().any(|query| query.contains("SECRETWORD"));
        assert_eq!(told, permitted, "{queries:#?}");
        let made = reply["metadata"]["search_queries_used"].to_string();
        assert!(made.contains("SECRETWORD"), "it is searched for in the library: {made}");
    }
}

/// ST-01: length, language and reader reach those who write.
#[test]
fn st_01_the_wishes_of_the_reader_are_told_to_the_writer() {
    let lab = Lab::new(reader);
    lab.research(&[
        QUESTION,
        "--task-scope",
        "large",
        "--language",
        "German",
        "--for",
        "old sailors",
        "--length",
        "brief",
    ]);
    let prompts: Vec<String> = lab.chat.requests().into_iter().map(|asked| asked.prompt).collect();
    let writing = prompts.iter().filter(|prompt| prompt.starts_with("You write"));
    let told = |prompt: &String| ["German", "old sailors", "short"].iter().all(|wish| prompt.contains(wish));
    assert!(writing.clone().count() > 0 && writing.clone().all(told), "{writing:#?}");
    let (reply, output) = lab.run(&["deep-research", QUESTION, "--language", &"x".repeat(61)]);
    assert_eq!(
        (reply["error"]["code"].as_str(), output.status.code()),
        (Some("INVALID_ARGUMENT"), Some(2)),
        "{reply:#}"
    );
}

/// PR-01: what questions that failed may have cost is not known where the model has no price.
#[test]
fn pr_01_failed_questions_to_a_model_without_a_price_cost_something_unknown() {
    let lab = Lab::new(|_| Say::Drop).with("HADAL_MODEL", "custom/unpriced");
    let reply = lab.research(&[QUESTION, "--task-scope", "tiny"]);
    assert!(reply["metadata"]["tokens_used"]["input"].as_u64().unwrap() > 0, "{reply:#}");
    assert_eq!(reply["metadata"]["cost_usd"], serde_json::Value::Null, "{reply:#}");
}
