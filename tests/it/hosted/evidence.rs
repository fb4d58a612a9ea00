//! EV-02: reports of Google's models and agents beside the pages that they cite.

use std::time::Duration;

use sim::interactions::ModelAnswer;
use sim::web::{SECOND_HOP, Web};

use super::*;

const TRUE_CLAIM: &str = "From 1909 to 1914 the captain of the Meridian Lark was Ottoline Varga";
const FALSE_CLAIM: &str = "The Meridian Lark, a barquentine of 987 tons, was built in 1898";

fn report(claims: &str) -> String {
    format!(
        "# The ship\n\n{claims}\n\n## References\n\n[1] Registry, {SECOND_HOP}\n[2] Gone, http://traps.sim.test/status/404\n"
    )
}

fn lab(plan: Plan) -> (Lab, Web) {
    let web = Web::start(Duration::ZERO).unwrap();
    let lab = Lab::new(plan).with("HADAL_EVIDENCE", "auto");
    (lab.with("HADAL_FETCH_HOSTS", &web.hosts()).with("HADAL_FETCH_ALLOW_PRIVATE", "yes"), web)
}

/// A planted false citation in a hosted report is named; the cited page is in the archive; a dead one is unreachable.
#[test]
fn ev_02_a_false_citation_of_an_agent_is_named() {
    let text = report(&format!(
        "{TRUE_CLAIM} [1]. {FALSE_CLAIM} [1].\n\nHer bell was sold to a brewer in Lisbon [2].\n\nPenguins cannot fly, as everybody knows."
    ));
    let (lab, web) = lab(Plan { run: Run { report: text, sources: Vec::new(), ..Run::default() }, ..fast() });
    let mut client = lab.serve();
    let id = start(&mut client, "Who was her captain?");
    ended(&mut client, &id);
    let reply = results(&mut client, &id);
    let evidence = &reply["metadata"]["evidence"];
    for (name, count) in [("claims", 4), ("supported", 1), ("unsupported", 1), ("unreachable", 1), ("uncited", 1)] {
        assert_eq!(evidence[name], count, "{name}: {reply:#}");
    }
    assert_eq!(reply["sources"][0]["page"].as_str().map(str::len), Some(64), "{reply:#}");
    assert!(web.requests().iter().any(|request| request.path == "/vessels/meridian-lark"));
    let asked = web.requests().len();
    // The verdicts are a resource, and shown in a terminal.
    let resource = client.request("resources/read", json!({"uri": format!("research://tasks/{id}/evidence")}));
    let read: Value = serde_json::from_str(resource["contents"][0]["text"].as_str().unwrap()).unwrap();
    let (shown, _) = lab.run(&["results", &id, "--evidence"]);
    assert_eq!((&read["claims"], &read["evidence"]), (&shown["claims"], evidence), "{read:#}");
    assert!(shown["claims"][0]["cited"][0]["passage"].as_str().unwrap().contains("Ottoline Varga"), "{shown:#}");
    // EV-04: and they are in the page that is saved.
    let dir = tempfile::tempdir().unwrap();
    let (saved, _) = lab.run(&["save", &id, "--format", "html", "--output-dir", dir.path().to_str().unwrap()]);
    let page = std::fs::read_to_string(saved["file_path"].as_str().unwrap()).unwrap();
    for wanted in ["class=\"claim supported\"", "class=\"claim unsupported\"", "<mark>Ottoline Varga</mark>", "sha-256"]
    {
        assert!(page.contains(wanted), "{wanted}");
    }
    assert!(!page.contains("<script"));
    // The Markdown file marks what is not borne out; the stored report has no mark.
    let (saved, _) = lab.run(&["save", &id, "--output-dir", dir.path().to_str().unwrap()]);
    let file = std::fs::read_to_string(saved["file_path"].as_str().unwrap()).unwrap();
    let marked = "was built in 1898 [1]. (⚠ not borne out by [1])";
    assert!(file.contains(marked) && file.matches('⚠').count() == 1, "{file}");
    assert!(!results(&mut client, &id)["report"].as_str().unwrap().contains('⚠'));
    // The ledger of the report is what a check of it finds, without asking for the page again.
    let (checked, _) = lab.run(&["check", &id, "--offline"]);
    assert_eq!(web.requests().len(), asked);
    let named = checked["claims"].as_array().unwrap().iter().find(|claim| claim["verdict"] == "unsupported").unwrap();
    assert!(named["claim"].as_str().unwrap().starts_with("The Meridian Lark, a barquentine of 987"), "{checked:#}");
    assert!(named["reason"].as_str().unwrap().contains("987"), "{checked:#}");
}

/// With `evidence = off` nobody is asked, and nothing is said.
#[test]
fn ev_02_off_is_null() {
    let text = report(&format!("{TRUE_CLAIM} [1]."));
    let (lab, web) = lab(Plan { run: Run { report: text, sources: Vec::new(), ..Run::default() }, ..fast() });
    let lab = lab.with("HADAL_EVIDENCE", "off");
    let mut client = lab.serve();
    let id = start(&mut client, "Who was her captain?");
    ended(&mut client, &id);
    let reply = results(&mut client, &id);
    assert!(reply["metadata"]["evidence"].is_null(), "{reply:#}");
    let (shown, _) = lab.run(&["results", &id, "--evidence"]);
    assert_eq!(shown["error"]["code"], "RESULT_NOT_FOUND", "{shown:#}");
    assert!(web.requests().is_empty());
}

/// DS-03: the next round is told what the pages do not bear out, and the round with the better ledger is the report.
#[test]
fn ev_02_a_deep_search_mends_what_its_pages_do_not_bear_out() {
    let says = |claims: &str, verified: bool| ModelAnswer {
        text: json!({"success": true, "verified": verified, "report": report(claims), "metadata": {}}).to_string(),
        sources: Vec::new(),
        queries: Vec::new(),
        times: Some(1),
        ..ModelAnswer::default()
    };
    let models = vec![
        says(&format!("{FALSE_CLAIM} [1]."), false),
        says(&format!("{TRUE_CLAIM} [1]."), false),
        says(&format!("{FALSE_CLAIM} [1]."), false),
    ];
    let (lab, _web) = lab(Plan { models, ..still() });
    let (reply, _) =
        lab.run(&["deep-search", "Who was her captain?", "--max-iterations", "3", "--engine", "gemini-api"]);
    assert_eq!(reply["status"], "completed", "{reply:#}");
    let prompts: Vec<String> = lab.api.requests().iter().map(|request| request.body.to_string()).collect();
    let told: Vec<bool> =
        prompts.iter().map(|prompt| prompt.contains("- not found in [1]: The Meridian Lark")).collect();
    assert_eq!(told, [false, true, false], "{prompts:#?}");
    assert!(reply["result"].as_str().unwrap().contains(TRUE_CLAIM), "{reply:#}");
    let evidence = &reply["metadata"]["evidence"];
    assert_eq!((&evidence["supported"], &evidence["unsupported"]), (&json!(1), &json!(0)), "{reply:#}");
}
