//! Which model is asked, and which one the result names.

use std::collections::BTreeMap;

use sim::gemini::{Scenario, Script};

use super::{FACES, Face, Lab, QUERY, answer};

/// MS-01, MS-02: each kind of run has its own model or none, and the child never finds one in its environment.
#[test]
fn models_are_flags_and_independent_of_each_other() {
    let variables = |list: &[(&'static str, &'static str)]| list.to_vec();
    for (variables, search, correction) in [
        (variables(&[]), None, None),
        (variables(&[("GEMINI_MODEL", "m1")]), Some("m1"), None),
        (variables(&[("GEMINI_CORRECTION_MODEL", "m2")]), None, Some("m2")),
        (variables(&[("SECONDARY_GEMINI_MODEL", "m3")]), None, Some("m3")),
        (
            variables(&[("GEMINI_MODEL", "m1"), ("GEMINI_CORRECTION_MODEL", "m2"), ("SECONDARY_GEMINI_MODEL", "m3")]),
            Some("m1"),
            Some("m2"),
        ),
    ] {
        let face = if variables.len() == 1 { Face::Mcp } else { Face::Terminal };
        let lab = Lab::new(&Script::runs([Scenario::answer("no JSON"), answer("one", false), answer("two", true)]));
        let lab = variables.iter().fold(lab, |lab, (name, value)| lab.with(name, value));
        let told = lab.deep_search(face, QUERY);
        let calls = lab.calls();
        let flags: Vec<Option<&str>> = calls.iter().map(|call| call.flag("--model")).collect();
        assert_eq!(flags, [search, correction, search], "{variables:?}: {told:#?}");
        assert!(calls.iter().all(|call| !call.env.keys().any(|name| name.ends_with("_MODEL"))));
        assert!(calls.iter().all(|call| call.flag("-m").is_none()));
        // MM-01: the model that was asked for, else the one that did the research, never that of the correction.
        assert_eq!(told.reply["metadata"]["model"], search.unwrap_or("gemini-3.8-flash"), "{variables:?}");
        // With a known model the tools inside the CLI use it, too.
        let nested = calls[0].settings.as_ref().unwrap()["modelConfigs"]["customAliases"]["web-search"]["modelConfig"]
            ["model"]
            .clone();
        assert_eq!(nested.as_str(), search);
    }
}

/// MM-01: configured, else detected by record or statistics, else a placeholder.
#[test]
fn the_result_names_the_model_that_answered() {
    let silent = || Scenario { usage: Some(BTreeMap::new()), ..answer("ok", true) }.without_session();
    for face in FACES {
        for (scenario, model) in [
            (answer("ok", true).model("gemini-3.1-pro-preview"), "gemini-3.1-pro-preview"),
            (answer("ok", true).model("gemini-9-ultra").without_session(), "gemini-9-ultra"),
            (
                answer("ok", true)
                    .tokens("gemini-3.5-flash-lite", 9_000, 1)
                    .tokens("gemini-3.8-pro", 10, 1)
                    .without_session(),
                "gemini-3.8-pro",
            ),
            (silent(), "auto-detected"),
        ] {
            let lab = Lab::new(&Script::runs([scenario]));
            let told = lab.search(face, QUERY);
            assert_eq!(told.reply["metadata"]["model"], model, "{told:#?}");
        }
    }
    let lab = Lab::new(&Script::runs([silent()])).with("GEMINI_MODEL", "mine");
    assert_eq!(lab.search(Face::Terminal, QUERY).reply["metadata"]["model"], "mine");
}
