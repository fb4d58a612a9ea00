//! PR-03: the numbers of a report mean what its own list says, in the reply, in the terminal and in a saved file.

use serde_json::{Value, json};
use sim::gemini::Script;

use super::{FACES, Face, Lab, QUERY, answer};

const FIRST_SEEN: &str = "https://first.example/seen";
const SECOND_SEEN: &str = "https://second.example/seen";

/// The list is in the other order than the visits, names a page that nobody visited, and is not called `Sources`.
const REPORT: &str = "# Depth\n\nIt is deep [1]. It was measured [2]. It is dark [3].\n\n## Sources of oil\n\n- Oil seeps there [1].\n\n\
                      ## Works cited\n\n1. Second, https://second.example/seen\n2. First, https://first.example/seen\n\
                      3. Never, https://never.example/read\n";

fn lab() -> Lab {
    Lab::new(&Script::always(answer(REPORT, true).search("depth", &[FIRST_SEEN, SECOND_SEEN])))
}

fn numbers(reply: &Value) -> Vec<(u64, &str, bool)> {
    let sources = reply["sources"].as_array().unwrap().iter();
    let read = |source: &'_ Value| source["claimed"].as_bool().unwrap_or(false);
    sources
        .map(|source| (source["number"].as_u64().unwrap(), source["location"].as_str().unwrap(), read(source)))
        .collect()
}

#[test]
fn numbers_mean_what_the_list_of_the_report_says() {
    for face in FACES {
        let told = lab().search(face, QUERY);
        let reply = &told.reply;
        let want = [(1, SECOND_SEEN, false), (2, FIRST_SEEN, false), (3, "https://never.example/read", true)];
        assert_eq!(numbers(reply), want, "{reply:#}");
        assert_eq!(
            reply["metadata"]["sources_visited"],
            json!([FIRST_SEEN, SECOND_SEEN]),
            "in the order of the visits"
        );
        assert!(reply["result"].as_str().unwrap().contains("Oil seeps there"), "{reply:#}");
        assert!(reply["note"].as_str().unwrap().contains("[3] is named by the model alone"), "{reply:#}");
    }
}

/// A report without a list of its own gets one; with a list it gets no second one, which would have other numbers.
#[test]
fn a_report_has_one_list() {
    let lab = lab();
    let output = lab.command().args(["search", QUERY]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.matches("## Works cited").count(), 1, "{text}");
    assert!(!text.contains("## Sources\n"), "{text}");
    let told = lab.search(Face::Terminal, QUERY);
    let id = told.reply["task_id"].as_str().unwrap();
    let saved = lab.command().args(["save", "--json", id]).output().unwrap();
    let saved: Value = serde_json::from_slice(&saved.stdout).unwrap();
    let file = std::fs::read_to_string(saved["file_path"].as_str().unwrap()).unwrap();
    assert_eq!(file.matches("https://second.example/seen").count(), 1, "{file}");
    assert!(file.contains("It is deep [1]") && file.contains("1. Second, https://second.example/seen"), "{file}");
}

/// Footnotes of a saved file whose report has numbers at its links.
#[test]
fn saved_footnotes_lead_to_the_cited_pages() {
    let report = "It is deep [2](https://second.example/seen). It was measured [1](https://first.example/seen).";
    let seen = answer(report, true).search("depth", &[SECOND_SEEN, FIRST_SEEN]);
    let lab = Lab::new(&Script::always(seen));
    let told = lab.search(Face::Terminal, QUERY);
    assert_eq!(numbers(&told.reply), [(1, FIRST_SEEN, false), (2, SECOND_SEEN, false)], "{:#}", told.reply);
}
