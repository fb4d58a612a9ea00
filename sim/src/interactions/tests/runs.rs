use super::*;

#[test]
fn a_run_shows_its_steps_as_time_passes_and_its_report_at_the_end() {
    let service = Service::start(still(Run { queued_seconds: 60.0, ..Run::default() })).unwrap();
    let answer = create(&service, &asked("How deep is the sea?"));
    let first = answer.json();
    assert_eq!((answer.status, &first["status"], &first["steps"]), (200, &json!("queued"), &json!([])));
    assert!(first["id"].as_str().unwrap().len() == 70 && first["agent"] == AGENT, "{first}");
    let id = first["id"].as_str().unwrap();

    service.advance(60.0);
    let shown = get(&service, id).json();
    assert_eq!(shown["status"], "in_progress");
    assert_eq!(shown["steps"][0]["content"][0]["text"], "How deep is the sea?");
    assert_eq!(shown["steps"].as_array().unwrap().len(), 1);

    service.advance(600.0);
    let shown = get(&service, id).json();
    let (searches, pages) = (count(&shown, "google_search_call"), count(&shown, "url_context_result"));
    assert!((1..=3).contains(&searches) && pages < 4 && count(&shown, "model_output") == 0, "{shown}");
    assert!(shown.get("usage").is_none() && shown["updated"].as_str() > shown["created"].as_str(), "{shown}");

    service.advance(600.0);
    let shown = get(&service, id).json();
    assert_eq!(shown["status"], "completed");
    for (kind, expected) in
        [("thought", 2), ("google_search_result", 3), ("url_context_result", 4), ("model_output", 1)]
    {
        assert_eq!(count(&shown, kind), expected, "{kind}");
    }
    assert_eq!(report(&shown), Run::default().report);
    assert_eq!(shown["usage"]["total_tokens"], 321_500);
    assert_eq!(shown["usage"]["grounding_tool_count"][0]["count"], 83);
    assert!(shown.get("input").is_none(), "{shown}");
    let path = format!("/v1/interactions/{id}?include_input=true&stream=false");
    assert_eq!(call(&service, "GET", &path, &Value::Null).json()["input"], "How deep is the sea?");
}

#[test]
fn citations_are_bytes_of_the_text_they_are_on_even_where_the_report_is_cut() {
    let run = Run { spread: 5, searches: 4, ..Run::default() };
    let service = Service::start(still(run.clone())).unwrap();
    let id = created(&service, "x");
    service.advance(run.seconds);
    let shown = get(&service, &id).json();
    assert_eq!((count(&shown, "model_output"), count(&shown, "google_search_result")), (5, 4));
    let kinds: Vec<_> = shown["steps"].as_array().unwrap().iter().map(|step| step["type"].clone()).collect();
    assert_eq!(kinds.iter().rev().nth(1).unwrap(), "model_output");
    assert_eq!(kinds.iter().rev().nth(2).unwrap(), "google_search_result");
    assert_eq!(report(&shown), run.report);
    let mut cited: Vec<(String, String)> = Vec::new();
    for content in shown["steps"].as_array().unwrap().iter().filter_map(|step| step["content"].get(0)) {
        for annotation in content["annotations"].as_array().into_iter().flatten() {
            let at = |field: &str| usize::try_from(annotation[field].as_u64().unwrap()).unwrap();
            let text = content["text"].as_str().unwrap().get(at("start_index")..at("end_index")).unwrap();
            let url = annotation["url"].as_str().unwrap().to_owned();
            match cited.iter_mut().find(|(known, _)| *known == url) {
                Some((_, before)) => before.push_str(text),
                None => cited.push((url, text.to_owned())),
            }
        }
    }
    let expected: Vec<_> = run
        .sources
        .iter()
        .map(|source| (source.url.clone(), run.report.get(source.start..source.end).unwrap().to_owned()))
        .collect();
    assert_eq!(cited, expected);
}

#[test]
fn every_end_has_its_status_and_its_detail() {
    let full = Run::default().report.len();
    let table = [
        (End::Completed, "completed", full),
        (End::FailedWithErrors, "failed", 0),
        (End::FailedInStep, "failed", 0),
        (End::Incomplete, "incomplete", full / 2),
        (End::BudgetExceeded, "budget_exceeded", full / 2),
        (End::Unknown("paused".into()), "paused", 0),
        (End::Zombie, "in_progress", 0),
        (End::RequiresAction, "requires_action", 0),
        (End::RequiresContinuation, "requires_continuation", 0),
    ];
    for (end, status, length) in table {
        let service = Service::start(still(Run { end: end.clone(), ..Run::default() })).unwrap();
        let id = created(&service, "x");
        service.advance(1e6);
        let shown = get(&service, &id).json();
        assert_eq!(shown["status"], status, "{end:?}");
        match end {
            End::FailedInStep => assert_eq!(shown["steps"].as_array().unwrap().last().unwrap()["error"]["code"], 13),
            _ => assert!(report(&shown).len().abs_diff(length) < 4, "{end:?}: {shown}"),
        }
        assert_eq!(shown.get("errors").is_some(), end == End::FailedWithErrors);
        assert_eq!(shown.get("continuation_token").is_some(), end == End::RequiresContinuation);
        let run = &service.invoice().runs[0];
        assert_eq!(run.usage, if end == End::Zombie { Usage::NONE } else { Usage::default() }, "{end:?}");
        assert_eq!((run.status.as_str(), run.cost_micros > 0), (status, end != End::Zombie));
        assert_eq!(shown.get("usage").is_some(), end != End::Zombie);
        assert_eq!(shown["steps"] == json!([]), end == End::Zombie);
    }
}

#[test]
fn a_stalled_run_shows_nothing_new_until_it_ends() {
    let service = Service::start(still(Run { stall_after: Some(300.0), ..Run::default() })).unwrap();
    let id = created(&service, "x");
    service.advance(300.0);
    let before = get(&service, &id).json();
    assert!(before["steps"].as_array().unwrap().len() > 2, "{before}");
    service.advance(899.0);
    assert_eq!(get(&service, &id).json(), before);
    service.advance(1.0);
    assert_eq!(report(&get(&service, &id).json()), Run::default().report);
}

#[test]
fn usage_comes_later_an_image_has_its_size_and_thoughts_are_silent_unless_asked_for() {
    let run = Run { usage_delay_seconds: 30.0, image_bytes: 3_000_000, ..Run::default() };
    let service = Service::start(still(run)).unwrap();
    let id = create(&service, &json!({"agent": AGENT, "background": true, "input": "x"})).json()["id"].clone();
    let id = id.as_str().unwrap();
    service.advance(1200.0);
    let shown = get(&service, id).json();
    assert!(shown["status"] == "completed" && shown.get("usage").is_none());
    let image = &shown["steps"].as_array().unwrap().last().unwrap()["content"][1];
    assert_eq!(image["data"].as_str().unwrap().len(), 4_000_000);
    let thought = shown["steps"].as_array().unwrap().iter().find(|step| step["type"] == "thought").unwrap();
    assert_eq!(thought.get("summary"), None);
    service.advance(30.0);
    assert!(get(&service, id).json().get("usage").is_some());
}

#[test]
fn the_old_shape_has_outputs_and_no_steps() {
    let service = Service::start(still(Run { shape: Shape::Outputs, ..Run::default() })).unwrap();
    let id = created(&service, "x");
    service.advance(1200.0);
    let shown = get(&service, &id).json();
    assert!(shown.get("steps").is_none() && shown["role"] == "model", "{shown}");
    let text = shown["outputs"].as_array().unwrap().last().unwrap();
    assert_eq!(text["text"], Run::default().report);
    assert!(text["annotations"][0].get("type").is_none() && text["annotations"][0]["source"].is_string(), "{text}");
    assert_eq!(shown["usage"]["total_reasoning_tokens"], 51_000);
    let (name, _) = &events(&follow(&service, &id))[0];
    assert_eq!(name, "interaction.start");
}

#[test]
fn a_run_can_be_over_at_once() {
    let service = Service::start(still(Run { sync: true, ..Run::default() })).unwrap();
    let shown = create(&service, &asked("x")).json();
    assert_eq!(shown["status"], "completed");
    assert_eq!(report(&shown), Run::default().report);
    assert_eq!((count(&shown, "user_input"), shown["usage"]["total_tokens"].as_u64()), (0, Some(321_500)));
}

#[test]
fn a_cancelled_run_is_billed_for_the_work_it_did_and_cannot_be_cancelled_again() {
    let service = Service::start(still(Run::default())).unwrap();
    let id = created(&service, "x");
    service.advance(300.0);
    let got = cancel(&service, &id);
    assert_eq!((got.status, &got.json()["status"], got.json().get("steps")), (200, &json!("cancelled"), None));
    service.advance(5000.0);
    let run = service.invoice().runs[0].clone();
    let quarter =
        Usage { input: 62_750, cached: 37_500, output: 2_375, thought: 12_750, tool_use: 2_500, searches: 20 };
    assert_eq!((run.cancelled, run.usage), (true, quarter));
    assert_eq!(run.cost_micros, (62_750 - 37_500 + 2_500) * 2 + 7_500 + (2_375 + 12_750) * 12 + 20 * 14_000);
    let shown = get(&service, &id).json();
    assert_eq!((&shown["status"], &shown["usage"]["total_input_tokens"]), (&json!("cancelled"), &json!(62_750)));
    assert!(count(&shown, "google_search_call") > 0 && count(&shown, "model_output") == 0, "{shown}");
    let again = cancel(&service, &id);
    assert_eq!((again.status, again.message().as_str()), (400, "Cannot cancel interaction in status cancelled."));
}

#[test]
fn a_deleted_run_is_not_found_but_billed() {
    let service = Service::start(still(Run::default())).unwrap();
    let id = created(&service, "x");
    service.advance(1200.0);
    assert_eq!(delete(&service, &id).status, 200);
    for got in [get(&service, &id), delete(&service, &id), cancel(&service, &id), follow(&service, &id)] {
        assert_eq!((got.status, &got.json()["error"]["code"]), (404, &json!("not_found")));
    }
    assert_eq!((service.invoice().creates, service.invoice().cost_micros()), (1, 2_140_000));
}

#[test]
fn which_run_it_is_depends_on_the_input() {
    let other = Run { report: "About tea.".into(), sources: Vec::new(), sync: true, ..Run::default() };
    let plan = Plan { runs: vec![("tea".into(), other)], ..still(Run { sync: true, ..Run::default() }) };
    let service = Service::start(plan).unwrap();
    assert_eq!(report(&create(&service, &asked("Why tea?")).json()), "About tea.");
    let parts = json!([{"type": "user_input", "content": [{"type": "text", "text": "Again tea"}, {"type": "document", "uri": "u"}]}]);
    let mut body = asked("");
    body["input"] = parts;
    assert_eq!(report(&create(&service, &body).json()), "About tea.");
    assert_eq!(report(&create(&service, &asked("Why not?")).json()), Run::default().report);
}
