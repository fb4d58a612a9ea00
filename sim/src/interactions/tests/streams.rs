use super::*;

/// The names of events, each run of the same name once.
fn names(events: &[(String, Value)]) -> Vec<&str> {
    let mut names: Vec<_> = events.iter().map(|(name, _)| name.as_str()).collect();
    names.dedup();
    names
}

/// The text of a stream.
fn streamed(events: &[(String, Value)]) -> String {
    let text = |(_, data): &(String, Value)| {
        (data["delta"]["type"] == "text").then(|| data["delta"]["text"].as_str().unwrap().to_owned())
    };
    events.iter().filter_map(text).collect()
}

#[test]
fn a_stream_of_a_finished_run_is_all_of_it() {
    let run = Run { thoughts: 1, searches: 0, pages: 0, image_bytes: 6, ..Run::default() };
    let service = Service::start(still(run.clone())).unwrap();
    let id = created(&service, "x");
    service.advance(run.seconds);
    let got = follow(&service, &id);
    assert!(got.whole && got.head.contains("text/event-stream"), "{got:?}");
    let events = events(&got);
    assert_eq!(
        names(&events),
        [
            "interaction.created",
            "interaction.status_update",
            "step.start",
            "step.delta",
            "step.stop",
            "step.start",
            "step.delta",
            "step.stop",
            "interaction.completed",
            "done"
        ]
    );
    assert!(events.iter().all(|(name, data)| data == "[DONE]" || data["event_type"] == *name), "{events:?}");
    assert!(events.iter().all(|(name, data)| data.get("event_id").is_some() == (name == "step.delta")), "{events:?}");
    assert_eq!(streamed(&events), run.report);
    let last = &events[events.len() - 2].1["interaction"];
    assert!(last["status"] == "completed" && last.get("usage").is_none() && last.get("steps").is_none(), "{last}");
    let deltas: Vec<_> = events.iter().filter_map(|(_, data)| data["delta"]["type"].as_str()).collect();
    assert!(deltas.ends_with(&["text", "text_annotation_delta", "image"]), "{deltas:?}");
    assert!(got.text.contains("iVBORw0K"), "{got:?}");
}

#[test]
fn a_stream_goes_on_after_any_event_with_an_id() {
    let service = Service::start(still(Run::default())).unwrap();
    let id = created(&service, "x");
    service.advance(1200.0);
    let all = events(&follow(&service, &id));
    let mut tried = 0;
    for (n, (_, data)) in all.iter().enumerate() {
        let Some(event) = data["event_id"].as_str() else { continue };
        let path = format!("/v1/interactions/{id}?stream=true&last_event_id={event}");
        assert_eq!(events(&call(&service, "GET", &path, &Value::Null)), all[n + 1..], "{event}");
        tried += 1;
    }
    assert!(tried > 10, "{tried}");
    let path = format!("/v1/interactions/{id}?stream=true&last_event_id=v1_none");
    assert_eq!(call(&service, "GET", &path, &Value::Null).status, 400);
}

#[test]
fn a_stream_follows_a_run_as_the_clock_moves() {
    let service = Service::start(still(Run { queued_seconds: 10.0, ..Run::default() })).unwrap();
    let mut client = Client::new(&service);
    let mut body = asked("x");
    body["stream"] = json!(true);
    client.send("POST", "/v1/interactions", &body.to_string());
    assert!(client.head().contains("text/event-stream"));
    let (name, data) = client.event();
    assert_eq!((name.as_str(), &data["interaction"]["status"]), ("interaction.created", &json!("queued")));
    service.advance(10.0);
    assert_eq!(client.event().1["status"], "in_progress");
    // 16 steps and the report, one after the other.
    service.advance(1200.0 / 17.0);
    assert_eq!(client.event().1["step"]["type"], "thought");
    assert_eq!(client.event().1["delta"]["type"], "thought_summary");
    assert_eq!(client.event().1["delta"]["type"], "thought_signature");
    assert_eq!(client.event().0, "step.stop");
    service.advance(1200.0);
    let mut rest = Vec::new();
    while rest.last().is_none_or(|(name, _): &(String, Value)| name != "done") {
        rest.push(client.event());
    }
    assert_eq!(streamed(&rest), Run::default().report);
    assert_eq!(client.chunk().unwrap(), None);
    let id = data["interaction"]["id"].as_str().unwrap();
    let got = client.call("GET", &format!("/v1/interactions/{id}"), "");
    assert_eq!((got.status, &got.json()["status"]), (200, &json!("completed")), "the connection is used again");
}

#[test]
fn a_stream_hears_of_a_cancel_and_of_every_other_end() {
    let service = Service::start(still(Run::default())).unwrap();
    let id = created(&service, "x");
    let mut client = Client::new(&service);
    client.open(&format!("/v1/interactions/{id}?stream=true"));
    client.event();
    client.event();
    service.advance(100.0);
    assert_eq!(client.event().0, "step.start");
    assert_eq!(cancel(&service, &id).status, 200);
    let mut last = client.event();
    while last.0 == "step.delta" || last.0 == "step.stop" {
        last = client.event();
    }
    assert_eq!((last.0.as_str(), &last.1["status"]), ("interaction.status_update", &json!("cancelled")));
    assert_eq!(client.event().1["interaction"]["status"], "cancelled");
    assert_eq!(client.event().0, "done");

    for (end, names) in [
        (End::FailedWithErrors, vec!["error", "interaction.status_update", "interaction.completed", "done"]),
        (End::Incomplete, vec!["interaction.status_update", "interaction.completed", "done"]),
        (End::Unknown("paused".into()), vec!["interaction.status_update", "interaction.completed", "done"]),
    ] {
        let service = Service::start(still(Run { end: end.clone(), ..Run::default() })).unwrap();
        let id = created(&service, "x");
        service.advance(1200.0);
        let events = events(&follow(&service, &id));
        let last: Vec<_> = events[events.len() - names.len()..].iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(last, names);
        assert_eq!(events[events.len() - 2].1["interaction"]["status"], end.status());
    }
}

#[test]
fn the_stream_of_a_zombie_or_of_a_deleted_run_has_no_end() {
    let service = Service::start(still(Run { end: End::Zombie, ..Run::default() })).unwrap();
    let id = created(&service, "x");
    let mut client = Client::new(&service);
    client.open(&format!("/v1/interactions/{id}?stream=true"));
    client.event();
    client.event();
    service.advance(1e6);
    assert_eq!(delete(&service, &id).status, 200);
    assert!(client.chunk().is_err());
}

#[test]
fn a_thousand_clients_follow_at_once() {
    let run = Run { thoughts: 1, searches: 0, pages: 0, ..Run::default() };
    let service = Service::start(still(run.clone())).unwrap();
    let id = created(&service, "x");
    let path = format!("/v1beta/interactions/{id}?stream=true");
    let mut clients: Vec<_> = (0..1000).map(|_| Client::new(&service)).collect();
    clients.iter_mut().for_each(|client| client.open(&path));
    for client in &mut clients {
        assert_eq!(client.event().0, "interaction.created");
        assert_eq!(client.event().0, "interaction.status_update");
    }
    service.advance(run.seconds);
    for client in &mut clients {
        let mut rest = vec![client.event()];
        while rest[rest.len() - 1].0 != "done" {
            rest.push(client.event());
        }
        assert_eq!(streamed(&rest), run.report);
    }
}

#[test]
fn a_stream_that_waits_notices_that_its_client_is_gone() {
    let service = Service::start(still(Run::default())).unwrap();
    let id = created(&service, "x");
    let mut client = Client::new(&service);
    client.open(&format!("/v1/interactions/{id}?stream=true"));
    client.event();
    client.event();
    drop(client);
    crate::wait::until("the end of the stream", || service.shared.open_connections() == 0);
}
