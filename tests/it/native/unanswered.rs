//! PR-03: a search that nobody answered says nothing about the web, so it never ends as "nothing found".

use sim::search::Fault;
use sim::web::QUESTION;

use super::script::{Step, reader, step};
use super::{Lab, problems};

/// Status of the process when the far side failed.
const PROVIDER_FAILED: Option<i32> = Some(5);

/// No provider answered properly, however it says so: the task fails with a reason and a code of its own, and no model is
/// asked for more than what to search for.
#[test]
fn a_search_that_nobody_answered_has_failed() {
    for (provider, fault, code) in [
        ("tavily", Fault::Captcha, "SEARCH_BLOCKED"),
        ("tavily", Fault::Unauthorized, "NOT_AUTHENTICATED"),
        ("tavily", Fault::RateLimited(Some(3_600)), "QUOTA_EXCEEDED"),
        ("searxng", Fault::Unresponsive, "SEARCH_BLOCKED"),
        ("wikipedia", Fault::Maxlag(3_600), "QUOTA_EXCEEDED"),
        ("stackexchange", Fault::Throttled(4_520), "QUOTA_EXCEEDED"),
        ("brave", Fault::ErrorInside, "EXECUTION_ERROR"),
    ] {
        let lab = Lab::new(reader).with("HADAL_SEARCH_PROVIDERS", provider).with("BRAVE_API_KEY", "brave-test");
        lab.search.fail(provider, fault.clone(), 100);
        for args in [
            vec!["deep-research", QUESTION],
            vec!["search", QUESTION],
            vec!["deep-research", QUESTION, "--engine", "extractive", "--web"],
        ] {
            let (reply, output) = lab.run(&args);
            assert_eq!(output.status.code(), PROVIDER_FAILED, "{provider} {fault:?} {args:?}: {reply:#}");
            assert_eq!((reply["success"].as_bool(), reply["status"].as_str()), (Some(false), Some("failed")));
            assert_eq!(reply["stop_reason"], "search_failed", "{reply:#}");
            assert_eq!(reply["error"]["code"], "SEARCH_FAILED", "{reply:#}");
            assert!(problems(&reply).contains(code), "{code} is missing in {reply:#}");
        }
        let plans = |asked| matches!(step(asked), Step::Brief | Step::Plan);
        assert!(lab.chat.requests().iter().all(plans), "there was nothing to show to a model");
    }
}

/// The same for rounds, which search before each question.
#[test]
fn rounds_that_nobody_answered_have_failed() {
    let lab = Lab::new(reader);
    lab.search.fail("tavily", Fault::Captcha, 100);
    let (reply, output) = lab.run(&["deep-search", QUESTION]);
    assert_eq!(output.status.code(), PROVIDER_FAILED, "{reply:#}");
    assert_eq!((&reply["stop_reason"], &reply["error"]["code"]), (&"search_failed".into(), &"SEARCH_FAILED".into()));
    assert!(lab.chat.requests().is_empty());
}

/// People see it as well, not only programs.
#[test]
fn the_terminal_says_that_nobody_answered() {
    let lab = Lab::new(reader);
    lab.search.fail("tavily", Fault::Captcha, 100);
    let output = lab.command().args(["deep-research", QUESTION]).output().unwrap();
    assert_eq!(output.status.code(), PROVIDER_FAILED, "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("could not be searched") && text.contains("search_failed"), "{text}");
    assert!(!text.contains("Nothing relevant was found"), "{text}");
}

/// One provider answered, with nothing: then that is the answer, and the others are problems.
#[test]
fn one_proper_answer_without_results_is_nothing_found() {
    let lab = Lab::new(reader).with("HADAL_SEARCH_PROVIDERS", "tavily,wikipedia");
    lab.search.fail("tavily", Fault::Captcha, 100);
    lab.search.fail("wikipedia", Fault::Empty, 100);
    let reply = lab.research(&[QUESTION]);
    assert_eq!(reply["stop_reason"], "nothing_found", "{reply:#}");
    assert!(problems(&reply).contains("SEARCH_BLOCKED"), "{reply:#}");
}

/// `auto` goes on down the ladder: registered documents hold the answer that nobody could search the web for.
#[test]
fn auto_goes_on_with_registered_documents() {
    // A model that may not be shown them.
    let lab = Lab::new(reader).beyond_this_machine();
    let notes = lab.home.path().join("notes");
    std::fs::create_dir_all(&notes).unwrap();
    std::fs::write(notes.join("ship.md"), "# The expedition\n\nThe captain of the Halvorsen ship was Ines Varga.\n")
        .unwrap();
    let (_, added) = lab.run(&["library", "add", notes.to_str().unwrap()]);
    assert!(added.status.success(), "{added:?}");
    lab.search.fail("tavily", Fault::Captcha, 1_000);
    for args in [
        vec!["deep-research", "Who was the captain of the Halvorsen ship?"],
        vec!["search", "Who was the captain of the Halvorsen ship?"],
        vec!["deep-search", "Who was the captain of the Halvorsen ship?"],
    ] {
        let (reply, output) = lab.run(&args);
        assert!(output.status.success(), "{args:?}: {reply:#}");
        assert!(reply["result"].as_str().unwrap().contains("Ines Varga"), "{args:?}: {reply:#}");
        assert_eq!(reply["metadata"]["engine"]["name"], "extractive", "{reply:#}");
        assert!(
            reply["metadata"]["engine"]["reason"].as_str().unwrap().contains("native failed (SEARCH_FAILED)"),
            "{reply:#}"
        );
        assert!(problems(&reply).contains("SEARCH_BLOCKED"), "{reply:#}");
        let numbers: Vec<u64> = reply["metadata"]["rounds"]
            .as_array()
            .unwrap()
            .iter()
            .map(|round| round["round_number"].as_u64().unwrap())
            .collect();
        assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>(), "{reply:#}");
    }
    // A pinned engine never gives way.
    let (reply, output) =
        lab.run(&["deep-research", "Who was the captain of the Halvorsen ship?", "--engine", "native"]);
    assert_eq!((output.status.code(), &reply["stop_reason"]), (PROVIDER_FAILED, &"search_failed".into()), "{reply:#}");
}
