//! What a study is made of: which documents a model gets to see, what its reader wants, and what its account says.

use sim::chat::Say;
use sim::web::QUESTION;

use super::Lab;
use super::script::reader;

/// ST-02: documents are shown to a model if the call names them, and not because they are registered.
#[test]
fn st_02_only_named_documents_reach_a_model() {
    let lab = Lab::new(reader);
    let notes = lab.home.path().join("notes");
    std::fs::create_dir_all(&notes).unwrap();
    let private = "The captain of the ship of the Halvorsen expedition to Brannock Island wrote a private diary.";
    std::fs::write(notes.join("diary.md"), format!("# Diary\n\n{private}\n")).unwrap();
    let notes = notes.to_str().unwrap();
    let (_, added) = lab.run(&["library", "add", notes]);
    assert!(added.status.success(), "{added:?}");
    lab.research(&[QUESTION, "--engine", "native", "--task-scope", "large"]);
    let seen = || lab.chat.requests().iter().filter(|asked| asked.prompt.contains("private diary")).count();
    assert!(!lab.chat.requests().is_empty());
    assert_eq!(seen(), 0, "a registered document was shown to a model");
    let searches = lab.search.requests().len();
    let reply = lab.research(&[QUESTION, "--library", notes]);
    assert!(seen() > 0, "a named document was not read: {reply:#}");
    assert_eq!(lab.search.requests().len(), searches, "the web was asked without a word of the call");
    assert_eq!(reply["metadata"]["engine"]["name"], "native", "{reply:#}");
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
