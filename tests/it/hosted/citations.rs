//! PR-03: the numbers of reports that Google's models and agents write.

use sim::interactions::{ModelAnswer, Run, Source};

use super::*;

const REPORT: &str =
    "It is deep [2]. It was measured [1].\n\n## References\n\n[1] A, https://a.example/1\n[2] B, https://b.example/2\n";

fn numbers(sources: &Value) -> Vec<(u64, &str)> {
    let read = |source: &'_ Value| source["number"].as_u64().unwrap();
    sources.as_array().unwrap().iter().map(|source| (read(source), source["location"].as_str().unwrap())).collect()
}

/// The API cites the pages in the other order than the report lists them.
#[test]
fn a_round_over_the_api() {
    let text = json!({"success": true, "verified": true, "report": REPORT, "metadata": {}}).to_string();
    let sources = vec![
        Source::of(&text, "It is deep", "https://b.example/2", ""),
        Source::of(&text, "It was", "https://a.example/1", ""),
    ];
    let answer = ModelAnswer { text, sources, queries: Vec::new(), ..ModelAnswer::default() };
    let lab = Lab::new(Plan { models: vec![answer], ..still() });
    let (reply, _) = lab.run(&["search", "How deep is the Mariana Trench?"]);
    assert_eq!(numbers(&reply["sources"]), [(1, "https://a.example/1"), (2, "https://b.example/2")], "{reply:#}");
    assert_eq!(reply["metadata"]["sources_visited"], json!(["https://b.example/2", "https://a.example/1"]));
}

/// An agent that numbers its own text: its list counts, and no second numbers are put into the text.
#[test]
fn a_run_of_an_agent() {
    let sources = vec![
        Source::of(REPORT, "It is deep", "https://b.example/2", "B"),
        Source::of(REPORT, "It was measured", "https://a.example/1", "A"),
    ];
    let run = Run { report: REPORT.to_owned(), sources, ..Run::default() };
    let lab = Lab::new(Plan { run, ..fast() });
    let mut client = lab.serve();
    let id = start(&mut client, "How deep is the Mariana Trench?");
    ended(&mut client, &id);
    let reply = results(&mut client, &id);
    assert_eq!(numbers(&reply["sources"]), [(1, "https://a.example/1"), (2, "https://b.example/2")], "{reply:#}");
    assert!(reply["report"].as_str().unwrap().contains("It is deep [2]. It was measured [1]."), "{reply:#}");
}
