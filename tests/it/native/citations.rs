//! PR-03: what `[n]` of a chat model means: its own list if it wrote one, else the numbers under which it was shown the pages.

use serde_json::{Value, json};
use sim::chat::{Received, Say};
use sim::web::{FIRST_HOP, QUESTION};

use super::{Lab, asks_for_queries, source_with};

fn source(reply: &Value, number: u64) -> &Value {
    let sources = reply["sources"].as_array().unwrap();
    sources.iter().find(|source| source["number"] == number).unwrap_or_else(|| panic!("no [{number}]: {reply:#}"))
}

/// A model that gives the page with the ship another number than the prompt did, and lists a page that nobody showed it.
fn renumbers(asked: &Received) -> Say {
    if asks_for_queries(asked) {
        return Say::Text("DONE".to_owned());
    }
    let report = format!(
        "It was carried there by the Meridian Lark [7]. The rest is invented [8].\n\n## Sources of oil\n\nThe Meridian Lark carried \
         the expedition in 1911 [7].\n\n### References\n\n[7] {FIRST_HOP}\n[8] https://never.example/read\n"
    );
    Say::Text(report)
}

#[test]
fn a_list_of_the_model_says_what_its_numbers_mean() {
    let lab = Lab::new(renumbers);
    let reply = lab.research(&[QUESTION]);
    assert_eq!(source(&reply, 7)["location"], FIRST_HOP, "{reply:#}");
    assert!(source(&reply, 7).get("claimed").is_none() && source(&reply, 7).get("page").is_some(), "{reply:#}");
    assert_eq!(source(&reply, 8)["claimed"], true, "{reply:#}");
    let result = reply["result"].as_str().unwrap();
    assert!(result.contains("## Sources of oil") && !result.contains("### References"), "{result}");
    assert_eq!(reply["ledger"]["not_visited"], 1, "{reply:#}");
    assert!(reply["note"].as_str().unwrap().contains("[8] is named by the model alone"), "{reply:#}");
}

/// A round whose report has no list: its numbers are those of the prompt.
#[test]
fn numbers_of_a_round_are_those_of_its_prompt() {
    let lab = Lab::new(|asked: &Received| {
        let ship = source_with(asked, "Meridian Lark").unwrap();
        let report = format!("The ship was the Meridian Lark [{ship}].");
        let answer = json!({"success": true, "verified": true, "report": report, "metadata": {}});
        Say::Text(answer.to_string())
    });
    let (reply, _) = lab.run(&["deep-search", QUESTION]);
    let result = reply["result"].as_str().unwrap();
    let number = result.split(['[', ']']).nth(1).unwrap().parse().unwrap();
    assert_eq!(source(&reply, number)["location"], FIRST_HOP, "{reply:#}");
}
