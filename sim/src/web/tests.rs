//! The web as a client without any caution sees it.

use std::io::{Read, Write};

use super::*;

fn get(web: &Web, host: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(web.address()).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn some_hundred_pages_link_to_each_other() {
    let web = Web::start(Duration::ZERO).unwrap();
    let urls = all_urls();
    assert!(urls.len() > 300, "{}", urls.len());
    for url in urls.iter().step_by(17) {
        let (host, path) = url.trim_start_matches("http://").split_once('/').unwrap();
        let answer = get(&web, host, &format!("/{path}"));
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("<a href="), "{url}: {answer}");
    }
    assert!(get(&web, "tides.sim.test", "/nothing").starts_with("HTTP/1.1 404"));
    assert!(web.connections() >= 18 && web.requests().len() >= 18);
}

#[test]
fn the_answer_needs_two_pages() {
    let pages = all();
    let text = |url: &str| pages.iter().find(|page| page.url == url).map(|page| page.text.clone()).unwrap();
    assert!(!text(FIRST_HOP).contains(ANSWER) && text(FIRST_HOP).contains("Meridian Lark"));
    assert!(text(SECOND_HOP).contains(ANSWER) && !text(SECOND_HOP).contains("Halvorsen"));
    assert_eq!(pages.iter().filter(|page| page.text.contains(ANSWER)).count(), 1);
}

#[test]
fn traps_are_what_they_say() {
    let web = Web::start(Duration::ZERO).unwrap();
    for (path, begins, holds) in [
        ("/loop/7", "HTTP/1.1 302", "location: /loop/8"),
        ("/to?http://127.0.0.1:1/", "HTTP/1.1 307", "location: http://127.0.0.1:1/"),
        ("/later", "HTTP/1.1 429", "retry-after: 0"),
        ("/later", "HTTP/1.1 200", "coming back"),
        ("/etag", "HTTP/1.1 200", "etag: \"v1\""),
        ("/soft404", "HTTP/1.1 200", "could not find"),
        ("/cut", "HTTP/1.1 200", "content-length: 1000"),
    ] {
        let answer = get(&web, "traps.sim.test", path);
        assert!(answer.starts_with(begins) && answer.contains(holds), "{path}: {answer}");
    }
    assert!(get(&web, "traps.sim.test", "/bomb").len() < 400_000);
    assert_eq!(get(&web, "traps.sim.test", "/nested").matches("<div>").count(), 100_000);
}
