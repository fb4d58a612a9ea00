//! BU-01: caps hold, and the report is written from the reserve.

use sim::chat::Say;
use sim::web::QUESTION;

use super::Lab;
use super::script::{Step, asks_for_report, reader, step};

/// A token cap that leaves no room for another question still has room for the answer.
#[test]
fn the_report_is_written_from_the_reserve() {
    let lab = Lab::new(reader);
    // From a cap with room for everything downwards, to the first one that refuses something.
    let (cap, steps, reply) = (32..=112)
        .rev()
        .map(|quarters| quarters * 250)
        .find_map(|cap: u64| {
            let asked_before = lab.chat.requests().len();
            let (reply, _) =
                lab.run(&["deep-research", QUESTION, "--task-scope", "large", "--budget-tokens", &cap.to_string()]);
            let steps: Vec<Step> = lab.chat.requests().iter().skip(asked_before).map(step).collect();
            (reply["stop_reason"] != "good_enough").then_some((cap, steps, reply))
        })
        .unwrap();
    assert_eq!(
        (reply["status"].as_str(), reply["stop_reason"].as_str()),
        (Some("completed"), Some("budget_tokens")),
        "{reply:#}"
    );
    assert_eq!(reply["partial"], true);
    assert_eq!(reply["metadata"]["model"], "custom/gemini-3.1-pro-preview", "{reply:#}");
    assert!(reply["result"].as_str().unwrap().contains("fourteen months [1]"), "{reply:#}");
    let used = &reply["metadata"]["tokens_used"];
    assert!(used["input"].as_u64().unwrap() + used["output"].as_u64().unwrap() <= cap, "{used}");
    assert!(steps.contains(&Step::Notes) && steps.last() == Some(&Step::Report), "{steps:?}");
    assert!(steps.len() < 6, "a question was refused before the report: {steps:?}");
}

/// A cap that has no room for the report either leaves quotes, and nothing is spent.
#[test]
fn a_cap_without_room_for_a_report_leaves_quotes() {
    let lab = Lab::new(reader).with("HADAL_SEARCH_PROVIDERS", "wikipedia");
    let (reply, _) = lab.run(&["deep-research", QUESTION, "--budget-usd", "0.0001"]);
    assert_eq!(
        (reply["status"].as_str(), reply["stop_reason"].as_str()),
        (Some("completed"), Some("budget_cost")),
        "{reply:#}"
    );
    assert_eq!(
        (reply["metadata"]["cost_usd"].as_f64(), reply["metadata"]["model"].as_str()),
        (Some(0.0), Some("none"))
    );
    assert!(reply["result"].as_str().unwrap().contains("- In the spring of 1911"), "{reply:#}");
    assert!(lab.chat.requests().is_empty());
}

/// A cap in dollars cannot hold for a model without a price: nobody is asked, and the refusal says how to go on. Where there is no such cap, or
/// the model is the user's own, it is asked.
#[test]
fn a_model_without_a_price_is_refused_under_a_cap_in_dollars() {
    let unpriced = || Lab::new(reader).with("HADAL_MODEL", "custom/gemini-3.1-pro-preview,custom/unpriced");
    let by_setting = || unpriced().with("HADAL_BUDGET_USD", "5");
    for (lab, args) in [
        (unpriced(), &["deep-research", QUESTION, "--budget-usd", "5"][..]),
        (by_setting(), &["deep-research", QUESTION]),
        (by_setting(), &["deep-search", QUESTION]),
        (by_setting(), &["search", QUESTION]),
    ] {
        let (reply, output) = lab.run(args);
        assert_eq!(reply["error"]["code"], "PRICE_UNKNOWN", "{args:?}: {reply:#}");
        assert_eq!(output.status.code(), Some(4), "{args:?}");
        let told = reply["error"].to_string();
        assert!(told.contains("`custom/unpriced`") && told.contains("tokens"), "{told}");
        assert!(!told.contains("pro-preview"), "the one with a price is not blamed: {told}");
        assert!(lab.chat.requests().is_empty() && lab.search.requests().is_empty(), "{args:?}: somebody was asked");
    }
    unpriced().research(&[QUESTION, "--task-scope", "tiny", "--budget-tokens", "500000"]);
    let lab = Lab::new(reader);
    let host = lab.chat.ollama_host();
    let lab = lab.with("HADAL_MODEL", "ollama/unpriced").with("HADAL_MODEL_BASE_URL", "").with("OLLAMA_HOST", &host);
    let reply = lab.research(&[QUESTION, "--task-scope", "tiny", "--budget-usd", "5"]);
    assert_eq!(reply["metadata"]["model"], "ollama/unpriced", "{reply:#}");
}

/// A paid search beyond the cap is not made.
#[test]
fn a_search_beyond_the_cap_is_not_made() {
    let lab = Lab::new(reader);
    let (reply, _) = lab.run(&["deep-research", QUESTION, "--budget-usd", "0.001"]);
    assert_eq!(reply["stop_reason"], "budget_cost", "{reply:#}");
    assert!(lab.search.requests().is_empty());
}

/// Time is up while a model writes: what was found is there.
#[test]
fn time_is_up_while_a_model_writes() {
    let lab = Lab::new(|asked| match asks_for_report(asked) {
        true => Say::Slow(sim::wait::SAFETY_NET, "too late [n1]".into()),
        false => reader(asked),
    });
    // A machine that does not even find something in this time gets more of it.
    let found = ["4", "20", "100"].into_iter().find_map(|seconds| {
        let (reply, _) = lab.run(&["deep-research", QUESTION, "--budget-seconds", seconds]);
        reply["result"].as_str().is_some_and(|result| result.contains("1911")).then_some(reply)
    });
    let reply = found.expect("something is found");
    assert_eq!(
        (reply["status"].as_str(), reply["stop_reason"].as_str()),
        (Some("completed"), Some("budget_time")),
        "{reply:#}"
    );
    assert!(reply["result"].as_str().unwrap().contains("- In the spring of 1911"), "{reply:#}");
}
