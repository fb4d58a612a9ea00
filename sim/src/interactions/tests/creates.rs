use super::*;

/// A body with some fields changed; null removes one.
fn changed(mut body: Value, changes: Value) -> Value {
    for (name, value) in changes.as_object().unwrap() {
        body[name] = value.clone();
        if value.is_null() {
            body.as_object_mut().unwrap().remove(name);
        }
    }
    body
}

#[test]
fn bodies_that_the_service_does_not_take_are_refused_and_not_billed() {
    let service = Service::start(still(Run::default())).unwrap();
    let running = created(&service, "runs");
    let table = [
        (json!({"agent": null, "model": AGENT}), 400, "refers to an agent, but was provided in the 'model' field"),
        (json!({"background": false}), 400, "background=true"),
        (json!({"background": null}), 400, "background=true"),
        (json!({"store": false}), 400, "store=true is required"),
        (json!({"system_instruction": "Be short."}), 400, "system_instruction is not supported"),
        (json!({"response_format": {"type": "text"}}), 400, "response_format is not supported"),
        (json!({"generation_config": {}}), 400, "generation_config is not supported"),
        (json!({"tools": [{"type": "function", "name": "f"}]}), 400, "Custom functions"),
        (json!({"agent_config": {"type": "dynamic"}}), 400, "deep-research"),
        (json!({"agent_config": {"type": "deep-research", "thinking_summaries": "yes"}}), 400, "thinking_summaries"),
        (json!({"labels": {"Key": "v"}}), 400, "Label 'Key'"),
        (json!({"model": "gemini-3.8-flash"}), 400, "Exactly one"),
        (json!({"agent": null}), 400, "Exactly one"),
        (json!({"input": null}), 400, "'input' field is required"),
        (json!({"temperature": 1}), 400, "Unknown name \"temperature\""),
        (json!({"agent": "deep-research-pro-preview-12-2025"}), 404, "Agent 'deep-research-pro-preview-12-2025'"),
        (json!({"agent": null, "model": "gpt-6"}), 404, "Model 'gpt-6'"),
        (json!({"previous_interaction_id": "v1_unknown"}), 404, "Interaction 'v1_unknown'"),
        (json!({"previous_interaction_id": running}), 400, "still in progress"),
    ];
    for (changes, status, message) in table {
        let got = create(&service, &changed(asked("x"), changes.clone()));
        assert_eq!(got.status, status, "{changes}");
        assert!(got.message().contains(message), "{changes}: {}", got.text);
        assert!(got.json()["error"]["code"].is_string(), "{}", got.text);
    }
    assert_eq!(service.invoice().creates, 1);
    let every = json!({"labels": {"k": "v_1"}, "service_tier": "standard", "store": true,
        "tools": [{"type": "google_search"}], "webhook_config": {"uris": ["https://example.com/hook"]}});
    let got = create(&service, &changed(asked("x"), every));
    assert_eq!((got.status, &got.json()["labels"]["k"]), (200, &json!("v_1")));
}

#[test]
fn known_agents_and_keys_are_those_of_the_plan() {
    let plan =
        Plan { keys: Some(vec!["right".into()]), known_agents: Some(vec!["mine".into()]), ..still(Run::default()) };
    let service = Service::start(plan.clone()).unwrap();
    let got = create(&service, &asked("x"));
    assert_eq!((got.status, &got.json()["error"]["details"][0]["reason"]), (400, &json!("API_KEY_INVALID")));
    assert_eq!(got.json()["error"]["code"], 400);
    let body = changed(asked("x"), json!({"agent": "mine"}));
    assert_eq!(call(&service, "POST", "/v1/interactions?key=right", &body).status, 400, "the header comes first");
    service.set_plan(Plan { keys: Some(vec!["k".into()]), ..plan });
    assert_eq!(create(&service, &body).status, 200);
    assert_eq!(create(&service, &asked("x")).status, 404);
    assert_eq!(service.requests()[0].key.as_deref(), Some("k"));
}

#[test]
fn planning_ends_with_a_plan_and_its_follow_up_with_the_report() {
    let service = Service::start(still(Run::default())).unwrap();
    let plans = |on: bool| json!({"type": "deep-research", "collaborative_planning": on});
    let first = create(&service, &changed(asked("x"), json!({"agent_config": plans(true)}))).json();
    let id = first["id"].as_str().unwrap();
    service.advance(120.0);
    let shown = get(&service, id).json();
    assert_eq!((shown["status"].as_str(), report(&shown).as_str()), (Some("completed"), PLAN_TEXT));
    assert_eq!(shown["usage"]["total_output_tokens"], 800);

    let next = changed(asked("Go."), json!({"agent_config": plans(false), "previous_interaction_id": id}));
    let second = create(&service, &next).json();
    assert_eq!(second["previous_interaction_id"], id);
    service.advance(1200.0);
    assert_eq!(report(&get(&service, second["id"].as_str().unwrap()).json()), Run::default().report);
    let runs = service.invoice().runs;
    assert_eq!((runs[0].usage, runs[1].usage), (Usage::PLANNING, Usage::default()));
    assert_eq!((runs[0].previous.as_deref(), runs[1].previous.as_deref()), (None, Some(id)));
}

#[test]
fn a_model_answers_at_once_in_the_order_of_the_plan() {
    let text = "Tea – 茶 – is a drink.".to_owned();
    let source = Source::of(&text, "茶", "https://tea.example/", "tea.example");
    let once =
        ModelAnswer { contains: "tea".into(), text, sources: vec![source], times: Some(1), ..ModelAnswer::default() };
    let broken = Fault::Status { status: 503, string_code: false, array: false };
    let models = vec![
        once,
        ModelAnswer { contains: "tea".into(), fault: Some(broken), times: Some(1), ..ModelAnswer::default() },
        ModelAnswer {
            contains: "expert".into(),
            text: "Expert.".into(),
            queries: Vec::new(),
            ..ModelAnswer::default()
        },
    ];
    let service = Service::start(Plan { models, ..still(Run::default()) }).unwrap();
    let body = json!({"model": "gemini-3.8-flash", "input": "What is tea?", "tools": [{"type": "google_search"}], "store": false,
        "generation_config": {"thinking_level": "low"}, "response_format": {"type": "text"}});
    let first = create(&service, &body).json();
    assert_eq!((&first["status"], &first["model"]), (&json!("completed"), &json!("gemini-3.8-flash")));
    assert_eq!(report(&first), "Tea – 茶 – is a drink.");
    assert_eq!(first["steps"][0]["arguments"]["queries"][0], "deepest place of the sea");
    let citation = &first["steps"][2]["content"][0]["annotations"][0];
    assert_eq!(
        (&citation["type"], &citation["start_index"], &citation["end_index"]),
        (&json!("url_citation"), &json!(8), &json!(11))
    );
    assert_eq!(get(&service, first["id"].as_str().unwrap()).status, 404, "it was not to be stored");

    assert_eq!(create(&service, &body).status, 503);
    assert_eq!(create(&service, &body).status, 400, "the plan has no answer left");
    let expert =
        create(&service, &changed(body, json!({"system_instruction": "You are an expert.", "store": true}))).json();
    assert_eq!(report(&expert), "Expert.");
    assert_eq!(get(&service, expert["id"].as_str().unwrap()).status, 200);
    let invoice = service.invoice();
    assert_eq!(invoice.creates, 2);
    // 3,600 tokens in, 950 out, and a search.
    assert_eq!(invoice.runs[0].cost_micros, 2_700 + 3_563 + 14_000);
    assert_eq!(service.requests()[2].fault, Some(broken));
}

#[test]
fn a_model_goes_on_where_an_agent_ended() {
    let service = Service::start(still(Run { sync: true, ..Run::default() })).unwrap();
    let id = created(&service, "x");
    let body = json!({"model": "gemini-3.8-flash", "input": "And then?", "previous_interaction_id": id});
    let answer = create(&service, &body).json();
    assert_eq!((&answer["status"], &answer["previous_interaction_id"]), (&json!("completed"), &json!(id)));
    let unstored = changed(body, json!({"store": false}));
    assert_eq!(create(&service, &unstored).status, 400);
}
