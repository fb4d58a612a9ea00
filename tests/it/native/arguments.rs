//! PR-03: no argument is ignored in silence, whichever way the report was made in the end.

use serde_json::Value;
use sim::search::Fault;
use sim::web::QUESTION;

use super::{Lab, reader};

fn ignored(reply: &Value) -> Vec<&str> {
    let list = reply["metadata"]["ignored_arguments"].as_array().into_iter().flatten();
    list.map(|name| name.as_str().unwrap()).collect()
}

#[test]
fn each_way_says_what_it_did_not_heed() {
    // Documents that are only registered may not be shown to its model.
    let lab = Lab::new(reader).beyond_this_machine();
    let notes = lab.home.path().join("notes");
    std::fs::create_dir_all(&notes).unwrap();
    std::fs::write(notes.join("ship.md"), "# The ship\n\nThe captain of the Halvorsen ship was Ines Varga.\n").unwrap();
    let notes = notes.to_str().unwrap();
    let none: [&str; 0] = [];
    let web = [
        "--site",
        "sim.test",
        "--since",
        "2001-01-31",
        "--task-scope",
        "large",
        "--max-attempts",
        "2",
        "--budget-usd",
        "1",
    ];
    let reply = lab.research(&[&[QUESTION, "--engine", "native"], &web[..]].concat());
    assert_eq!(ignored(&reply), none, "{reply:#}");
    let reply = lab.research(&[&[QUESTION, "--engine", "native", "--library", notes], &web[..]].concat());
    assert_eq!(ignored(&reply), ["sites", "since"], "the documents alone are studied: {reply:#}");
    let reply = lab.research(&[&[QUESTION, "--library", notes, "--web"], &web[..]].concat());
    assert_eq!(ignored(&reply), none, "documents and the web are: {reply:#}");
    let extractive = ["--engine", "extractive", "--library", notes, "--web"];
    let reply = lab.research(&[&[QUESTION], &extractive[..], &web[..]].concat());
    assert_eq!(ignored(&reply), ["sites", "since", "web"], "{reply:#}");
    let (reply, _) = lab.run(&["deep-search", QUESTION, "--engine", "extractive", "--max-iterations", "3"]);
    assert_eq!(reply["error"]["code"], "ENGINE_UNAVAILABLE", "{reply:#}");

    // What the native engine heeds, the documents that take its place do not.
    let (_, added) = lab.run(&["library", "add", notes]);
    assert!(added.status.success(), "{added:?}");
    let (reply, _) = lab.run(&[
        "deep-search",
        "Who was the captain of the Halvorsen ship?",
        "--engine",
        "extractive",
        "--max-iterations",
        "3",
    ]);
    assert_eq!(ignored(&reply), ["max_iterations"], "{reply:#}");
    lab.search.fail("tavily", Fault::Captcha, 1_000);
    let reply = lab.research(&["Who was the captain of the Halvorsen ship?", "--site", "sim.test"]);
    assert_eq!(reply["metadata"]["engine"]["name"], "extractive", "{reply:#}");
    assert_eq!(ignored(&reply), ["sites"], "{reply:#}");
}
