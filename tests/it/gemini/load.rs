//! Many searches at once, in one process and in several.

use std::collections::BTreeSet;

use serde_json::json;
use sim::gemini::{Scenario, Script};

use super::{Lab, answer};

/// The most memory a process ever had, in bytes.
pub(super) fn peak_memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1_024
}

/// JR-02: ten deep searches in each of three processes that share one home, every one with a correction: no file is
/// shared, no answer goes to the wrong question.
#[test]
fn thirty_searches_in_three_processes_do_not_mix() {
    let topics: Vec<String> = (0..30).map(|n| format!("topic-{n:02}-end")).collect();
    let mut script = Script::default().when(&["JSON formatter"], answer("corrected", false));
    for topic in &topics {
        script = script.once(&[topic], Scenario::answer(format!("raw words about {topic}")));
        let found = format!("https://{topic}.example/");
        script = script.when(&[topic], answer(&format!("final of {topic}"), true).search(topic, &[&found]));
    }
    let lab = Lab::new(&script).with("HADAL_MAX_TASKS", "16");
    let mut clients = [lab.serve(), lab.serve(), lab.serve()];
    let mut ids = Vec::new();
    for (n, topic) in topics.iter().enumerate() {
        let arguments = json!({"query": format!("what is {topic}?")});
        ids.push(clients[n % 3].send("tools/call", json!({"name": "deep_search", "arguments": arguments})));
    }
    for (n, topic) in topics.iter().enumerate() {
        let reply = clients[n % 3].answer(ids[n])["result"]["structuredContent"].clone();
        assert_eq!(reply["result"], format!("final of {topic}"), "{reply:#}");
        assert_eq!(reply["metadata"]["search_queries_used"], json!([topic]));
        assert_eq!(reply["metadata"]["sources_visited"], json!([format!("https://{topic}.example/")]));
        assert_eq!(reply["metadata"]["iterations"], 2);
    }
    let calls = lab.calls();
    assert_eq!(calls.len(), 90);
    let files: Vec<_> = calls.iter().flat_map(|call| &call.invalid_outputs).collect();
    let paths: BTreeSet<_> = files.iter().map(|file| &file.path).collect();
    let contents: BTreeSet<_> = files.iter().filter_map(|file| file.contents.clone()).collect();
    assert_eq!((files.len(), paths.len()), (30, 30));
    assert_eq!(contents, topics.iter().map(|topic| format!("raw words about {topic}")).collect());
    let policies: BTreeSet<_> = calls.iter().map(|call| &call.policies[0].path).collect();
    assert_eq!(policies.len(), 90, "every run has files of its own");
    assert_eq!((lab.leftovers().len(), lab.fake.survivors().len()), (0, 0));
}
