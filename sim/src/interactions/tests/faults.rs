use super::*;

#[test]
fn errors_come_in_both_envelopes_and_nothing_happens() {
    for (status, code, name) in [
        (500, "internal_error", "INTERNAL"),
        (503, "unavailable", "UNAVAILABLE"),
        (403, "permission_denied", "PERMISSION_DENIED"),
    ] {
        for (string_code, array) in [(false, false), (true, false), (false, true), (true, true)] {
            let service = with_fault(FaultRule::times(On::Create, Fault::Status { status, string_code, array }, 1));
            let got = create(&service, &asked("x"));
            let body = if array { got.json()[0].clone() } else { got.json() };
            assert_eq!(got.status, status);
            assert_eq!(body["error"]["code"], if string_code { json!(code) } else { json!(status) });
            assert_eq!(body["error"].get("status").is_none(), string_code);
            assert!(string_code || body["error"]["status"] == name, "{body}");
            assert_eq!((service.invoice().creates, create(&service, &asked("x")).status), (0, 200));
        }
    }
}

#[test]
fn a_429_says_when_to_come_again_in_the_ways_it_is_told_to() {
    for (retry_after, retry_delay, per_day) in
        [(Some(7), None, false), (None, Some(5), false), (Some(1), Some(2), true)]
    {
        let service =
            with_fault(FaultRule::times(On::Create, Fault::RateLimited { retry_after, retry_delay, per_day }, 1));
        let got = create(&service, &asked("x"));
        assert_eq!((got.status, &got.json()["error"]["status"]), (429, &json!("RESOURCE_EXHAUSTED")));
        let header =
            got.head.split_once("retry-after: ").map(|(_, rest)| rest.split("\r\n").next().unwrap().parse().unwrap());
        assert_eq!(header, retry_after);
        let expected = retry_delay.map(|seconds| format!("{seconds}s"));
        let details = got.json()["error"]["details"].as_array().cloned().unwrap_or_default();
        let delay = details.iter().find_map(|detail| detail["retryDelay"].as_str().map(str::to_owned));
        assert_eq!((delay, got.text.contains("PerDay")), (expected, per_day));
        assert_eq!(service.invoice().creates, 0);
    }
}

#[test]
fn more_requests_than_the_limit_are_turned_away() {
    let service = Service::start(Plan { rate_limit: Some(0.001), ..still(Run::default()) }).unwrap();
    let statuses: Vec<_> = (0..5).map(|_| get(&service, "v1_none").status).collect();
    assert_eq!(statuses, [404, 429, 429, 429, 429]);
    assert!(matches!(service.requests()[1].fault, Some(Fault::RateLimited { .. })));
}

#[test]
fn a_lost_reply_is_billed_and_a_dropped_request_is_not() {
    for (fault, creates) in [
        (Fault::LostReply, 1),
        (Fault::Drop, 0),
        (Fault::Html502, 0),
        (Fault::NotJson, 1),
        (Fault::HalfBody, 1),
        (Fault::Create500ButCreated, 1),
    ] {
        let service = with_fault(FaultRule::times(On::Create, fault, 1));
        let got = create(&service, &asked("x"));
        let status = match fault {
            Fault::LostReply | Fault::Drop => 0,
            Fault::Html502 => 502,
            Fault::Create500ButCreated => 500,
            _ => 200,
        };
        assert_eq!((got.status, service.invoice().creates), (status, creates), "{fault:?}");
        let is_json = serde_json::from_str::<Value>(&got.text).is_ok();
        assert_eq!(is_json, fault == Fault::Create500ButCreated, "{fault:?}: {got:?}");
        assert_eq!(got.whole, !matches!(fault, Fault::LostReply | Fault::Drop | Fault::HalfBody), "{fault:?}");
        assert_eq!((service.requests()[0].fault, service.requests()[0].verb), (Some(fault), On::Create));
        assert_eq!(create(&service, &asked("x")).status, 200);
    }
}

#[test]
fn delays_add_up_and_come_after_the_deed() {
    let delay = |ms| FaultRule::times(On::Create, Fault::Delay { ms }, 1);
    let faults = vec![delay(20), FaultRule::times(On::Create, Fault::LostReply, 1), delay(30)];
    let service = Service::start(Plan { faults, ..still(Run::default()) }).unwrap();
    let begun = std::time::Instant::now();
    assert_eq!(create(&service, &asked("x")).status, 0);
    assert!(begun.elapsed() >= Duration::from_millis(50));
    assert_eq!(service.invoice().creates, 1);

    // Whoever does not wait for the answer has a run all the same.
    let service = with_fault(FaultRule::always(On::Create, Fault::Delay { ms: 600_000 }));
    let mut client = Client::new(&service);
    client.send("POST", "/v1/interactions", &asked("x").to_string());
    crate::wait::until("the run", || service.invoice().creates == 1);
}

#[test]
fn an_answer_can_be_larger_than_anybody_wants() {
    let service = with_fault(FaultRule::always(On::Get, Fault::Huge));
    let id = created(&service, "x");
    let mut client = Client::new(&service);
    client.send("GET", &format!("/v1/interactions/{id}"), "");
    assert!(client.head().contains("application/json"));
    let mut size = 0;
    while size < 32 * 1024 * 1024 {
        size += client.chunk().unwrap().unwrap().len();
    }
}

#[test]
fn a_stream_is_cut_or_disturbed_after_so_many_events() {
    let after_frames = 3;
    for fault in
        [Fault::CutStream { after_frames }, Fault::CutStream503 { after_frames }, Fault::NoisyStream { after_frames }]
    {
        let service = with_fault(FaultRule::times(On::Stream, fault, 1));
        let id = created(&service, "x");
        service.advance(1200.0);
        let got = follow(&service, &id);
        let all = events(&follow(&service, &id));
        let begin = got.text.split_terminator("\n\n").take(3).map(event).collect::<Vec<_>>();
        assert_eq!(begin, all[..3], "{fault:?}");
        match fault {
            Fault::CutStream { .. } => assert!(!got.whole && events(&got).len() == 3, "{got:?}"),
            Fault::CutStream503 { .. } => {
                let rest = got.text.rsplit_once("\n\n").unwrap().1;
                assert_eq!(serde_json::from_str::<Value>(rest).unwrap()[0]["error"]["code"], 503);
                assert!(got.whole, "{got:?}");
            }
            _ => {
                assert_eq!(events(&got)[3], ("error".to_owned(), json!({"event_type": "error", "error": {}})));
                assert_eq!(events(&got)[4..], all[3..]);
            }
        }
    }
    // A create that streams meets the faults of streams too.
    let service = with_fault(FaultRule::always(On::Stream, Fault::CutStream { after_frames: 1 }));
    let mut body = asked("x");
    body["stream"] = json!(true);
    assert_eq!(events(&create(&service, &body)).len(), 1);
}

#[test]
fn a_stream_that_waits_is_cut_by_the_clock_disturbed_once_or_hangs() {
    let service = with_fault(FaultRule::always(On::Stream, Fault::CutStreamAfter { seconds: 600.0 }));
    let id = created(&service, "x");
    let mut client = Client::new(&service);
    client.open(&format!("/v1/interactions/{id}?stream=true"));
    client.event();
    client.event();
    service.advance(599.0);
    assert_eq!(client.event().0, "step.start");
    service.advance(1.0);
    let mut rest = 0;
    while client.chunk().is_ok_and(|chunk| chunk.is_some()) {
        rest += 1;
    }
    assert!((10..30).contains(&rest), "{rest}");

    // An empty error comes once, however long the stream then waits.
    let service = with_fault(FaultRule::always(On::Stream, Fault::NoisyStream { after_frames: 2 }));
    let id = created(&service, "x");
    let mut client = Client::new(&service);
    client.open(&format!("/v1/interactions/{id}?stream=true"));
    let names: Vec<_> = (0..3).map(|_| client.event().0).collect();
    assert_eq!(names, ["interaction.created", "interaction.status_update", "error"]);
    assert!(client.is_silent());

    let service = with_fault(FaultRule::always(On::Stream, Fault::HangStream { after_frames: 2 }));
    let id = created(&service, "x");
    service.advance(1200.0);
    let mut client = Client::new(&service);
    client.open(&format!("/v1/interactions/{id}?stream=true"));
    client.event();
    client.event();
    assert!(client.is_silent());
    drop(service);
    assert!(client.chunk().is_err(), "it ends with the service");
}

#[test]
fn cancel_and_delete_can_fail_in_their_own_ways() {
    let service = with_fault(FaultRule::always(On::Any, Fault::Cancel500ButCancelled));
    let id = created(&service, "x");
    assert_eq!(cancel(&service, &id).status, 500);
    assert_eq!(get(&service, &id).json()["status"], "cancelled");
    let got = events(&follow(&service, &id));
    assert_eq!(got[got.len() - 4].0, "error");

    let service = with_fault(FaultRule::always(On::Any, Fault::CancelLag { seconds: 10.0 }));
    let id = created(&service, "x");
    assert_eq!(cancel(&service, &id).json()["status"], "cancelled");
    service.advance(9.0);
    let shown = get(&service, &id).json();
    assert_eq!((&shown["status"], shown.get("usage")), (&json!("in_progress"), None));
    service.advance(1.0);
    let shown = get(&service, &id).json();
    assert_eq!((&shown["status"], shown.get("usage").is_some()), (&json!("cancelled"), true));

    let service = with_fault(FaultRule::always(On::Any, Fault::Delete501));
    let id = created(&service, "x");
    let got = delete(&service, &id);
    assert_eq!((got.status, &got.json()["error"]["code"]), (501, &json!("not_implemented")));
    assert_eq!(get(&service, &id).status, 200);
}

#[test]
fn an_interaction_may_be_unknown_at_first_or_forgotten_later() {
    for (fault, status) in [(Fault::NotFoundFor { seconds: 5.0 }, 404), (Fault::ForbiddenFor { seconds: 5.0 }, 403)] {
        let service = with_fault(FaultRule::always(On::Get, fault));
        let id = created(&service, "x");
        assert_eq!(get(&service, &id).status, status);
        service.advance(4.9);
        assert_eq!(get(&service, &id).status, status);
        service.advance(0.1);
        assert_eq!(get(&service, &id).status, 200);
    }
    let rule = FaultRule { input: Some("tea".into()), ..FaultRule::always(On::Any, Fault::Expired) };
    let service = with_fault(rule);
    let (tea, other) = (created(&service, "Why tea?"), created(&service, "Why?"));
    assert_eq!((get(&service, &tea).status, get(&service, &other).status), (404, 200));
}

#[test]
fn a_share_of_the_requests_is_always_the_same_share() {
    let fault = Fault::Status { status: 500, string_code: false, array: false };
    let statuses = || {
        let rule = FaultRule { percent: Some(30), ..FaultRule::always(On::Get, fault) };
        let service = with_fault(rule);
        let id = created(&service, "x");
        (0..200).map(|_| get(&service, &id).status).collect::<Vec<_>>()
    };
    let first = statuses();
    let failed = first.iter().filter(|status| **status == 500).count();
    assert!((45..=75).contains(&failed), "{failed}");
    assert_eq!(statuses(), first);
}
