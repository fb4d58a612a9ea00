//! PR-03: what `[n]` of a report means: in a study a source of its list, in a round the number under which the page was shown.

use serde_json::{Value, json};
use sim::chat::{Received, Say};
use sim::web::{FIRST_HOP, QUESTION};

use super::script::{asks_for_report, notes, reader};
use super::{Lab, source_with};

fn source(reply: &Value, number: u64) -> &Value {
    let sources = reply["sources"].as_array().unwrap();
    sources.iter().find(|source| source["number"] == number).unwrap_or_else(|| panic!("no [{number}]: {reply:#}"))
}

/// A model that numbers and lists its sources as it likes, and lists a page that nobody showed it.
fn renumbers(asked: &Received) -> Say {
    if !asks_for_report(asked) {
        return reader(asked);
    }
    let ship = notes(asked).into_iter().find(|(_, claim)| claim.contains("Meridian Lark, a")).unwrap().0.to_owned();
    let report = format!(
        "It was carried there by the Meridian Lark [{ship}][77]. The rest is invented by the author [8].\n\n## Sources of oil\n\nThe \
         Meridian Lark stayed for fourteen months [{ship}].\n\n### References\n\n[7] {FIRST_HOP}\n[8] https://never.example/read\n"
    );
    Say::Text(report)
}

/// PR-03: a number of the report is that of a source in the list of the reply, whatever numbers and lists the model wrote.
#[test]
fn numbers_of_a_study_are_those_of_its_sources() {
    let lab = Lab::new(renumbers);
    let reply = lab.research(&[QUESTION]);
    let result = reply["result"].as_str().unwrap();
    assert!(result.contains("Meridian Lark [1].") && result.contains("## Sources of oil"), "{result}");
    assert_eq!(source(&reply, 1)["location"], FIRST_HOP, "{reply:#}");
    assert!(source(&reply, 1).get("claimed").is_none() && source(&reply, 1).get("page").is_some(), "{reply:#}");
    for wrong in ["[7", "[8]", "never.example", "References", "invented"] {
        assert!(!result.contains(wrong), "{wrong}: {result}");
    }
    let last = reply["sources"].as_array().unwrap().len() as u64;
    let cited = result.split('[').skip(1).filter_map(|rest| rest.split_once(']')?.0.parse::<u64>().ok());
    assert!(cited.clone().count() > 1 && cited.clone().all(|number| (1..=last).contains(&number)), "{reply:#}");
    assert_eq!((&reply["ledger"]["not_visited"], &reply["ledger"]["unsupported"]), (&0.into(), &0.into()), "{reply:#}");
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
