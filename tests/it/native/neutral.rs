//! PR-02: a model's words are untrusted where they come out.

use serde_json::json;
use sim::chat::Say;
use sim::web::{ANSWER, QUESTION};

use super::Lab;
use super::script::{asks_for_report, reader};
use crate::neutral::{HOSTILE, acts, characters};

/// PR-02: in JSON, in the terminal, over MCP, as a resource and in saved files, what a model wrote only shows; its claims are still found in their
/// pages, and code is as it was.
#[test]
fn pr_02_a_models_words_only_show() {
    let lab = Lab::new(|asked| match reader(asked) {
        // What no note bears out is taken out, so that the acting words stand inside a sentence that holds, too.
        Say::Text(text) if asks_for_report(asked) => {
            let linked = text.replace("Meridian Lark,", "[Meridian Lark](javascript:alert(312)),");
            Say::Text(format!("{linked} {HOSTILE}"))
        }
        other => other,
    });
    let reply = lab.research(&[QUESTION, "--task-scope", "large"]);
    let text = reply["result"].as_str().unwrap();
    assert!(text.contains(ANSWER) && text.contains("```html\n<b>code</b>\n```"), "{text}");
    assert!(text.contains("`javascript:alert(312)`") && text.contains("\\<script>steal()\\</script>"), "{text}");
    assert!(reply["ledger"]["supported"].as_u64() > Some(0), "{reply:#}");
    assert_eq!(acts(text, &[]), Vec::<String>::new(), "{text}");

    let id = reply["task_id"].as_str().unwrap().to_owned();
    let shown = |lab: &Lab| {
        let mut texts = Vec::new();
        for args in [&["results", &id][..], &["--json", "results", &id], &["status", &id], &["--json", "status", &id]] {
            let output = lab.command().args(args).output().unwrap();
            texts.push(String::from_utf8(output.stdout).unwrap());
        }
        let (saved, _) = lab.run(&["save", &id]);
        texts.push(std::fs::read_to_string(saved["file_path"].as_str().unwrap()).unwrap());
        let mut client = lab.serve();
        let results = client.call("get_research_results", json!({"task_id": id}));
        texts.push(results["report"].as_str().unwrap().to_owned());
        let uri = format!("research://tasks/{id}/report");
        let resource = client.request("resources/read", json!({"uri": uri}));
        texts.push(resource["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("{resource:#}")).to_owned());
        client.close();
        assert!(client.wait().success());
        texts
    };
    let sources: Vec<&str> =
        reply["sources"].as_array().unwrap().iter().filter_map(|source| source["location"].as_str()).collect();
    let check = |texts: Vec<String>| {
        for text in &texts {
            assert_eq!(characters(text), Vec::<String>::new(), "{text}");
            // JSON is no Markdown.
            if !text.starts_with('{') {
                assert_eq!(acts(text, &sources), Vec::<String>::new(), "{text}");
            }
        }
        assert!(texts.iter().filter(|text| text.contains("<b>code</b>")).count() >= 5, "{texts:#?}");
    };
    check(shown(&lab));

    // A report as an earlier version stored it.
    let database = rusqlite::Connection::open(lab.home.path().join("data/hadal.db")).unwrap();
    let changed = database.execute("UPDATE research_results SET report_markdown = ?1", [HOSTILE]).unwrap();
    assert_eq!(changed, 1);
    drop(database);
    check(shown(&lab));
}
