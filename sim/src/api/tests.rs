use std::io::{Read, Write};
use std::net::Shutdown;

use super::*;

/// Sends a request over a new connection and returns status and the rest.
fn post(api: &GeminiApi, target: &str, body: &Value) -> (u16, String) {
    let mut stream = TcpStream::connect(api.url().trim_start_matches("http://")).unwrap();
    let body = body.to_string();
    let head = format!("POST /v1beta/models/{target} HTTP/1.1\r\nx-goog-api-key: k\r\ncontent-length: {}", body.len());
    stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    (status, answer)
}

fn asked(text: &str) -> Value {
    json!({"contents": [{"role": "user", "parts": [{"text": text}]}]})
}

const STREAM: &str = "m:streamGenerateContent?alt=sse";

#[test]
fn a_conversation_goes_on_with_the_results_of_its_tools() {
    let api = GeminiApi::start(Plan::research("first", "https://192.0.2.1/", "the answer")).unwrap();
    let mut body = asked("a question");
    let (status, answer) = post(&api, STREAM, &body);
    assert_eq!(status, 200);
    assert!(answer.contains("google_web_search") && answer.contains("first"), "{answer}");

    let result = json!({"role": "user", "parts": [{"functionResponse": {"name": "google_web_search"}}]});
    for expected in ["web_fetch", "the answer", "the answer"] {
        body["contents"].as_array_mut().unwrap().push(result.clone());
        let (_, answer) = post(&api, STREAM, &body);
        assert!(answer.contains(expected), "{answer}");
    }
    assert_eq!(api.invoice().models["m"].requests, 4);
    assert_eq!(api.invoice().models["m"].failed, 0);
}

#[test]
fn a_nested_search_names_its_sources() {
    let api = GeminiApi::start(Plan::default()).unwrap();
    let mut body = asked("rust");
    body["tools"] = json!([{"googleSearch": {}}]);
    let (_, answer) = post(&api, "m:generateContent", &body);
    assert!(answer.contains("groundingChunks") && answer.contains("grounding-api-redirect/SIM2"), "{answer}");
    assert_eq!(api.requests()[0].kind, Kind::Search);
    assert_eq!(api.invoice().models["m"].searches, 1);
}

#[test]
fn every_error_has_its_status_and_a_fault_ends_after_its_times() {
    let table = [
        (Fault::BadKey, 400, "API_KEY_INVALID"),
        (Fault::Unauthenticated, 401, "UNAUTHENTICATED"),
        (Fault::Forbidden, 403, "PERMISSION_DENIED"),
        (Fault::ModelNotFound, 404, "models/m is not found"),
        (Fault::DailyQuota, 429, "PerDay"),
        (Fault::MinuteQuota, 429, "PerMinute"),
        (Fault::BareQuota, 429, "Resource has been exhausted"),
        (Fault::Internal, 500, "INTERNAL"),
        (Fault::Overloaded, 503, "overloaded"),
        (Fault::Drop, 0, ""),
        (Fault::Safety, 200, "SAFETY"),
        (Fault::MaxTokens, 200, "MAX_TOKENS"),
    ];
    for (fault, status, text) in table {
        let plan = Plan::research("q", "u", "a").fault(Kind::Main, Some(1), fault);
        let api = GeminiApi::start(plan).unwrap();
        let (got, answer) = post(&api, STREAM, &asked("x"));
        assert_eq!(got, status, "{fault:?}");
        assert!(answer.contains(text), "{fault:?}: {answer}");
        assert_eq!(post(&api, STREAM, &asked("x")).0, 200, "{fault:?}");
        assert_eq!(api.invoice().models["m"].failed, u64::from(status != 200), "{fault:?}");
    }
}

#[test]
fn a_cut_stream_has_no_end() {
    let api = GeminiApi::start(Plan::research("q", "u", "a").fault(Kind::Main, None, Fault::Cut)).unwrap();
    let (status, answer) = post(&api, STREAM, &asked("x"));
    assert_eq!(status, 200);
    assert!(!answer.ends_with("0\r\n\r\n"), "{answer}");
}

#[test]
fn a_question_without_a_conversation_is_an_error() {
    let mut plan = Plan::research("q", "u", "a");
    plan.conversations[0].contains = vec!["tea".to_owned()];
    let api = GeminiApi::start(plan).unwrap();
    assert_eq!(post(&api, STREAM, &asked("coffee")).0, 400);
    assert_eq!(post(&api, STREAM, &asked("tea")).0, 200);
}
