//! PR-02: an agent's report is untrusted where it comes out.

use super::*;
use crate::neutral::{HOSTILE, acts, characters};

/// PR-02: the provider's offsets are resolved in the text as it came; then it is made to show and nothing else.
#[test]
fn pr_02_an_agents_report_only_shows() {
    let plan = Plan { run: Run { report: format!("The trench is 10,935 m deep. {HOSTILE}"), ..fast().run }, ..fast() };
    let lab = Lab::new(plan);
    let mut client = lab.serve();
    let id = start(&mut client, "how deep is the sea?");
    assert_eq!(ended(&mut client, &id)["status"], "completed");
    let reply = results(&mut client, &id);
    let text = reply["report"].as_str().unwrap();
    assert!(text.contains("10,935 m deep") && text.contains("<b>code</b>"), "{text}");
    assert_eq!(acts(text, &[]), Vec::<String>::new(), "{text}");
    assert_eq!(characters(&reply.to_string()), Vec::<String>::new());
    let saved = client.call("save_research_to_markdown", json!({"task_id": id}));
    let file = std::fs::read_to_string(saved["file_path"].as_str().unwrap()).unwrap();
    assert_eq!(characters(&file), Vec::<String>::new());
    client.close();
    assert!(client.wait().success());
}
