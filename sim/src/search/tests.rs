//! The providers as a plain client sees them.

use std::io::{Read, Write};

use super::*;

fn send(api: &SearchApi, request: &str) -> String {
    let mut stream = TcpStream::connect(api.port.address()).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

fn get(api: &SearchApi, path: &str) -> String {
    send(api, &format!("GET {path} HTTP/1.1\r\nHost: x\r\nX-Subscription-Token: k\r\nConnection: close\r\n\r\n"))
}

#[test]
fn every_provider_finds_the_pages_of_the_web() {
    let api = SearchApi::start().unwrap();
    for path in [
        "/brave/res/v1/web/search?q=halvorsen+expedition",
        "/searxng/search?format=json&q=halvorsen+expedition",
        "/wikipedia/w/api.php?gsrsearch=halvorsen%20expedition",
        "/openalex/works?api_key=k&search=halvorsen+expedition",
        "/crossref/works?query.bibliographic=halvorsen+expedition",
        "/arxiv/api/query?search_query=all:halvorsen+AND+expedition",
        "/hackernews/api/v1/search?query=halvorsen+expedition",
        "/github/search/repositories?q=halvorsen+expedition",
    ] {
        let answer = get(&api, path);
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains(crate::web::FIRST_HOP), "{path}: {answer}");
    }
    assert!(get(&api, "/openalex/works?search=halvorsen").starts_with("HTTP/1.1 401"));
    assert!(get(&api, "/stackexchange/2.3/search/advanced?q=halvorsen").contains("content-encoding: gzip"));
    assert_eq!(api.invoice().get("brave"), Some(&5_000));
}

#[test]
fn keys_are_needed_and_faults_happen_as_often_as_told() {
    let api = SearchApi::start().unwrap();
    let post = |path: &str, head: &str| {
        let body = r#"{"query": "tides", "search_depth": "advanced"}"#;
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: x\r\n{head}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        send(&api, &request)
    };
    for path in ["/tavily/search", "/exa/search", "/serper/search"] {
        assert!(post(path, "").starts_with("HTTP/1.1 401"), "{path}");
    }
    api.fail("tavily", Fault::RateLimited(Some(7)), 1);
    let limited = post("/tavily/search", "Authorization: Bearer k\r\n");
    assert!(limited.starts_with("HTTP/1.1 429") && limited.contains("retry-after: 7"), "{limited}");
    assert!(post("/tavily/search", "Authorization: Bearer k\r\n").contains("tides.sim.test"));
    assert_eq!(api.invoice().get("tavily"), Some(&16_000));
    api.fail("tavily", Fault::Captcha, 1);
    assert!(post("/tavily/search", "").contains("human"));
    assert_eq!(api.requests().len(), 6);
}
