use super::*;

#[test]
fn a_plan_is_json_with_defaults() {
    let plan: Plan = serde_json::from_value(json!({
        "speed": 0, "run": {"seconds": 5, "end": "failed_in_step", "shape": "outputs", "usage": {"searches": 9}},
        "runs": [["tea", {"end": {"unknown": "paused"}, "sources": [{"url": "u", "start": 1, "end": 2}]}]],
        "models": [{"contains": "x", "text": "y", "fault": {"status": {"status": 500}}}],
        "faults": [{"on": "create", "fault": "lost_reply", "times": 1}, {"fault": {"cut_stream503": {"after_frames": 2}}},
            {"on": "get", "fault": {"rate_limited": {"retry_after": 3}}, "percent": 30, "input": "z"}],
        "rate_limit": 2.5}))
    .unwrap();
    assert_eq!((plan.run.pages, plan.run.usage.searches, plan.run.usage.input), (4, 9, 0));
    assert_eq!(plan.runs[0].1.end, End::Unknown("paused".into()));
    assert_eq!(plan.faults[1], FaultRule::always(On::Any, Fault::CutStream503 { after_frames: 2 }));
    assert_eq!(serde_json::from_value::<Plan>(json!(plan)).unwrap(), plan);
    assert!(serde_json::from_value::<Plan>(json!({"sped": 1})).is_err());
    assert_eq!(serde_json::from_value::<Plan>(json!({})).unwrap(), Plan::default());
}

#[test]
fn the_simulation_is_driven_over_http_as_well() {
    let service = Service::start(still(Run::default())).unwrap();
    let id = created(&service, "x");
    assert_eq!(call(&service, "POST", "/_sim/advance?seconds=1200", &Value::Null).status, 200);
    assert_eq!(call(&service, "POST", "/_sim/advance?seconds=soon", &Value::Null).status, 400);
    assert_eq!(call(&service, "GET", "/_sim/now", &Value::Null).json(), 1200.0);
    assert_eq!(get(&service, &id).json()["status"], "completed");
    let invoice = call(&service, "GET", "/_sim/invoice", &Value::Null).json();
    assert_eq!(invoice["runs"][0]["cost_micros"], 2_140_000);
    let plan = json!({"speed": 0, "run": {"sync": true}});
    assert_eq!(call(&service, "POST", "/_sim/plan", &plan).status, 200);
    assert_eq!(call(&service, "POST", "/_sim/plan", &json!({"run": 1})).status, 400);
    assert_eq!(create(&service, &asked("y")).json()["status"], "completed");
    let requests = call(&service, "GET", "/_sim/requests", &Value::Null).json();
    let verbs: Vec<_> = requests.as_array().unwrap().iter().map(|request| request["verb"].as_str().unwrap()).collect();
    assert_eq!(verbs, ["create", "get", "create"]);
    assert_eq!(requests[0]["body"]["input"], "x");
    assert_eq!(requests[1]["path"], format!("/v1beta/interactions/{id}"));
}

#[test]
fn the_clock_runs_at_the_speed_of_the_plan() {
    let service = Service::start(Plan { speed: 1e6, ..Plan::default() }).unwrap();
    let id = created(&service, "x");
    // Twenty minutes are a little more than a millisecond.
    let got = follow(&service, &id);
    assert!(got.whole && got.text.contains("interaction.completed"), "{got:?}");
    assert!(service.now() >= 1200.0);
}

#[test]
fn a_service_that_was_down_comes_back_with_its_runs() {
    let service = Service::start(still(Run::default())).unwrap();
    let id = created(&service, "x");
    let mut client = Client::new(&service);
    client.open(&format!("/v1/interactions/{id}?stream=true"));
    client.event();
    client.event();
    service.go_down();
    assert!(client.chunk().is_err());
    assert!(TcpStream::connect(service.address()).is_err());
    service.advance(1200.0);
    service.come_back().unwrap();
    assert_eq!(get(&service, &id).json()["status"], "completed");

    service.go_down();
    let another = Service::start_on(service.address(), still(Run::default())).unwrap();
    assert_eq!((another.address(), get(&another, &id).status), (service.address(), 404));
    assert!(service.come_back().is_err(), "the other one listens there");
    assert!(Service::start_on(SocketAddr::from(([192, 0, 2, 1], 0)), Plan::default()).is_err());
}

#[test]
fn connections_are_kept_and_closed_as_the_client_asks() {
    let service = Service::start(still(Run::default())).unwrap();
    let mut client = Client::new(&service);
    let id = client.call("POST", "/v1/interactions", &asked("x").to_string()).json()["id"].clone();
    let path = format!("/v1/interactions/{}", id.as_str().unwrap());
    for _ in 0..3 {
        assert_eq!(client.call("GET", &path, "").status, 200);
    }
    assert_eq!(client.call("GET", &format!("{path}?fields=status"), "").status, 400);
    assert_eq!(client.call("GET", "/v1/models", "").status, 404);
    let request = format!("GET {path} HTTP/1.1\r\nconnection: close\r\n\r\n");
    client.0.get_mut().write_all(request.as_bytes()).unwrap();
    assert_eq!(client.receive().status, 200);
    assert_eq!(client.0.read(&mut [0]).unwrap(), 0);
}
