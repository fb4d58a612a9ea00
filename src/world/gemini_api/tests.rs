use super::*;

use crate::core::agent::google::AGENTS;

/// What the reference says a create must and must not have.
#[test]
fn the_body_of_a_create() {
    let create = |worker: &str, previous: Option<&str>, plan_only| Create {
        worker: Worker::named(worker),
        input: "Why?".into(),
        previous: previous.map(str::to_owned),
        plan_only,
    };
    let agent = create_body(&create(AGENTS[0], None, false), TaskId::from_random(7));
    assert_eq!(agent["agent"], AGENTS[0]);
    assert_eq!(agent["labels"]["hadal_task"], TaskId::from_random(7).to_string(), "PR-01: a lost run can be found");
    assert_eq!((&agent["background"], &agent["store"], &agent["input"]), (&json!(true), &json!(true), &json!("Why?")));
    assert_eq!(agent["agent_config"]["thinking_summaries"], "auto");
    assert_eq!(agent["agent_config"]["collaborative_planning"], false, "an approval must say so");
    for refused in ["model", "system_instruction", "response_format", "previous_interaction_id"] {
        assert!(agent.get(refused).is_none(), "{refused}");
    }
    let plan = create_body(&create(AGENTS[1], Some("v1_x"), true), TaskId::from_random(7));
    assert_eq!(plan["agent_config"]["collaborative_planning"], true);
    assert_eq!(plan["previous_interaction_id"], "v1_x");
    let model = create_body(&create("gemini-3.8-flash", None, false), TaskId::from_random(7));
    assert_eq!(model["model"], "gemini-3.8-flash");
    assert!(model.get("agent").is_none() && model.get("agent_config").is_none());
}

#[test]
fn a_proxy_is_not_asked_about_this_machine() {
    for (url, here) in [
        ("http://127.0.0.1:8080/v1", true),
        ("http://localhost:1/v1beta", true),
        ("http://[::1]:80", true),
        ("https://generativelanguage.googleapis.com/v1", false),
        ("https://example.org/127.0.0.1", false),
    ] {
        assert_eq!(http::is_loopback(url), here, "{url}");
    }
}
