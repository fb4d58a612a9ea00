//! AS-09: what fails is told and skipped; a call ends with what is left.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use sim::chat::{Received, Say};
use sim::search::Fault;
use sim::web::{ANSWER, QUESTION, Web};

use super::script::{Step, asks_for_notes, asks_for_report, reader, reported, step};
use super::{Lab, problems};

/// AS-09: one provider is rate limited and another is ill; the third one's pages are enough.
#[test]
fn failing_providers_are_told_and_skipped() {
    let lab = Lab::new(reader).with("HADAL_SEARCH_PROVIDERS", "tavily,wikipedia,hackernews");
    lab.search.fail("tavily", Fault::RateLimited(Some(3_600)), 100);
    lab.search.fail("hackernews", Fault::Internal, 100);
    let reply = lab.research(&[QUESTION, "--task-scope", "large"]);
    assert!(reply["result"].as_str().unwrap().contains(ANSWER), "{reply:#}");
    for provider in ["tavily", "hackernews"] {
        assert!(problems(&reply).contains(provider), "{reply:#}");
    }
    assert_eq!(lab.search.invoice().get("tavily"), None);
}

/// AS-09: half of the pages are dead, refuse or are nothing; the rest answers.
#[test]
fn dead_pages_are_told_and_skipped() {
    let lab = Lab::new(reader);
    for dead in ["/status/500", "/cut", "/soft404", "/busy"] {
        let text = "captain of the ship that carried the Halvorsen expedition to Brannock Island";
        lab.search.list(&format!("http://traps.sim.test{dead}"), "The captain of the Halvorsen ship", text);
    }
    let reply = lab.research(&[QUESTION, "--task-scope", "large"]);
    assert!(reply["result"].as_str().unwrap().contains(ANSWER), "{reply:#}");
    for dead in ["/status/500", "/cut", "/soft404", "/busy"] {
        assert!(problems(&reply).contains(dead), "{dead} is not in {}", problems(&reply));
    }
    assert_eq!(reply["ledger"]["unsupported"], 0);
}

/// AS-09: the network goes away between two rounds; the report is what the first one found, and says what failed.
#[test]
fn a_network_that_goes_away_leaves_what_was_found() {
    let web: Arc<Mutex<Option<Web>>> = Arc::default();
    let cut = Arc::clone(&web);
    let mut lab = Lab::new(move |asked: &Received| {
        if asks_for_notes(asked) {
            drop(cut.lock().unwrap().take());
        }
        reader(asked)
    });
    let second = std::mem::replace(&mut lab.web, Web::start(Duration::ZERO).unwrap());
    let lab = lab.with("HADAL_FETCH_HOSTS", &second.hosts()).with("HADAL_FETCH_CACHE_MB", "0");
    *web.lock().unwrap() = Some(second);
    let reply = lab.research(&[QUESTION, "--task-scope", "large"]);
    let result = reply["result"].as_str().unwrap();
    assert!(result.contains("Meridian Lark") && !result.contains(ANSWER), "{reply:#}");
    assert!(problems(&reply).contains("registry.sim.test"), "{reply:#}");
    assert_eq!(reply["metadata"]["iterations"], 2, "{reply:#}");
}

/// AS-09: nothing at all is found: the answer says so, invents nothing and asks no model for a report.
#[test]
fn nothing_found_is_said() {
    let lab = Lab::new(reader);
    let reply = lab.research(&["What do xylophones cost in Quebec?"]);
    assert_eq!(reply["stop_reason"], "nothing_found", "{reply:#}");
    assert!(reply["result"].as_str().unwrap().contains("none of them answers the question"), "{reply:#}");
    assert_eq!(problems(&reply), "[]", "{reply:#}");
    assert!(!reply["result"].as_str().unwrap().contains('['), "{reply:#}");
    let looks = |asked| matches!(step(asked), Step::Brief | Step::Plan | Step::Notes);
    assert!(lab.chat.requests().iter().all(looks), "no report was asked for");
}

/// Weak models: whatever a model returns, the call ends with what was found, quoted, and says so.
#[test]
fn a_model_that_writes_nonsense_leaves_quotes() {
    for nonsense in [
        "asdf qwer zxcv",
        "The captain was Captain Nemo of the Nautilus, who lived below the sea [1]. He ate fish every day [7].",
        "NOTE: The captain was Captain Nemo of the Nautilus. | P1.1\nSTATUS: ANSWERED\nThe captain was Captain Nemo [n1].",
        "{\"success\": true}",
        "[1]",
        "[n1]",
    ] {
        let lab = Lab::new(move |_| Say::Text(nonsense.to_owned()));
        let reply = lab.research(&[QUESTION]);
        assert_eq!(reply["metadata"]["model"], "none", "{reply:#}");
        assert!(reply["note"].as_str().unwrap().contains("No model wrote this report"), "{reply:#}");
        let result = reply["result"].as_str().unwrap();
        assert!(result.contains("- In the spring of 1911") && !result.contains("Nemo"), "{result}");
        assert_eq!(reply["ledger"]["unsupported"], 0);
        let cost = reply["metadata"]["cost_usd"].as_f64().unwrap();
        assert!((cost - lab.invoice()).abs() < 1e-9, "nonsense is paid for too: {cost}");
    }
}

/// A model that is ill, locked or gone leaves quotes and the reason.
#[test]
fn a_model_that_does_not_answer_leaves_quotes() {
    for (say, code) in [
        (Say::Unauthorized, "NOT_AUTHENTICATED"),
        (Say::NoSuchModel, "MODEL_NOT_FOUND"),
        (Say::RateLimited(Some(3_600)), "QUOTA_EXCEEDED"),
    ] {
        let lab = Lab::new(move |_| say.clone());
        let reply = lab.research(&[QUESTION, "--task-scope", "tiny"]);
        assert_eq!(reply["metadata"]["model"], "none", "{reply:#}");
        assert!(problems(&reply).contains(code), "{code}: {reply:#}");
        assert!(reply["result"].as_str().unwrap().contains("- In the spring of 1911"), "{reply:#}");
        assert_eq!(reply["ledger"]["unsupported"], 0, "quotes hold: {reply:#}");
    }
}

/// A sentence that its notes do not bear out, cites none, or cites one that does not exist is not in the report.
#[test]
fn unsupported_claims_do_not_survive() {
    let lab = Lab::new(|asked| match asks_for_report(asked) {
        true => Say::Text(format!(
            "{} Penguins built a cathedral of marble [n1]. The crew ate fish. The Lark had 94 cannons on board [n99]. It sank off \
             Lisbon in 1955 [1].",
            reported(asked)
        )),
        false => reader(asked),
    });
    let reply = lab.research(&[QUESTION, "--task-scope", "tiny"]);
    let result = reply["result"].as_str().unwrap();
    assert!(result.contains("carried there by the Meridian Lark"), "{result}");
    for invented in ["Penguins", "fish", "cannons", "Lisbon", "[n"] {
        assert!(!result.contains(invented), "{invented}: {result}");
    }
    let ledger = &reply["ledger"];
    assert!(ledger["supported"].as_u64() > Some(0), "{reply:#}");
    assert_eq!((&ledger["unsupported"], &ledger["not_visited"]), (&0.into(), &0.into()), "{reply:#}");
}
