//! What is no message, or comes twice, is answered in the protocol's own way.

use std::io::{BufRead, BufReader, Read, Write};

use serde_json::{Value, json};

use super::stopping::{sent, silent_api, waiting_server};
use super::{MODERN, Server, initialize, modern};

fn session(server: &Server) -> String {
    server.post(&[], &initialize()).header("mcp-session-id").unwrap().to_owned()
}

/// MC-01: what is no message gets 400 and an error of JSON-RPC, with its id where it has one, in a session and outside of one.
#[test]
fn mc_01_what_is_no_message_is_told_so() {
    let server = Server::local();
    let session = session(&server);
    for (body, code, id) in [
        ("not json", -32_700, Value::Null),
        ("", -32_700, Value::Null),
        ("{}", -32_600, Value::Null),
        ("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", -32_600, Value::Null),
        ("{\"jsonrpc\":\"1.0\",\"id\":3,\"method\":\"ping\"}", -32_600, json!(3)),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"ping\"}", -32_602, json!(2)),
        ("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools/call\",\"params\":7}", -32_602, json!("a")),
        ("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"initialize\",\"params\":{}}", -32_602, json!(4)),
    ] {
        for headers in [&[("Mcp-Session-Id", session.as_str())][..], &[]] {
            let answer = server.request("POST", headers, body);
            assert_eq!(answer.header("content-type"), Some("application/json"), "{body}: {}", answer.head);
            let message = answer.message();
            assert_eq!((answer.status, message["error"]["code"].as_i64()), (400, Some(code)), "{body}: {message}");
            assert_eq!((&message["jsonrpc"], &message["id"]), (&json!("2.0"), &id), "{body}");
        }
    }
    // In the newest revision there is no handshake, whatever its parameters are.
    let headers = [("MCP-Protocol-Version", MODERN), ("Mcp-Method", "initialize")];
    let unknown = server.post(&headers, &modern("initialize", json!({})));
    assert_eq!(unknown.message()["error"]["code"], -32_601, "{}", unknown.body);
    let kinds = [("text/plain", 415), ("APPLICATION/JSON", 200), ("application/json ; charset=utf-8", 200)];
    for (kind, status) in kinds {
        let body = initialize().to_string();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: {kind}\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n\r\n{body}",
            server.address,
            body.len()
        );
        assert_eq!(server.raw(head.as_bytes()).status, status, "{kind}");
    }
}

/// MC-01: a request whose id is in use in its session is refused; the one that has it is answered.
#[test]
fn mc_01_an_id_in_use_is_refused() {
    let (api, url) = silent_api();
    let server = waiting_server(&url, &[]);
    let session = session(&server);
    let headers = [("Mcp-Session-Id", session.as_str()), ("MCP-Protocol-Version", "2025-06-18")];
    server.post(&headers, &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let arguments = json!({"query": "how deep is the sea?", "engine": "gemini-api"});
    let params = json!({"name": "search", "arguments": arguments});
    let call = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
    let mut first = sent(&server, &headers, &call.to_string());
    let asked = api.accept().unwrap();
    let second = server.post(&headers, &json!({"jsonrpc": "2.0", "id": 7, "method": "ping"}));
    let message = second.message();
    assert_eq!((second.status, &message["id"], &message["error"]["code"]), (400, &json!(7), &json!(-32_600)));
    assert_eq!(server.post(&headers, &json!({"jsonrpc": "2.0", "id": 8, "method": "ping"})).status, 200);
    super::stopping::terminate(&server);
    let mut bytes = Vec::new();
    first.read_to_end(&mut bytes).unwrap();
    assert!(String::from_utf8_lossy(&bytes).contains("running_async"), "the first is answered");
    drop(asked);
}

/// MC-01: a client whose connection broke gets the answer that came meanwhile, also twice; who asks for events that are not known is refused,
/// instead of being told to ask again for ever.
#[test]
fn mc_01_an_answer_waits_for_its_client() {
    let (api, url) = silent_api();
    let server = waiting_server(&url, &[]);
    let (session, other) = (session(&server), session(&server));
    let headers = [("Mcp-Session-Id", session.as_str()), ("MCP-Protocol-Version", "2025-06-18")];
    server.post(&headers, &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let arguments = json!({"query": "how deep is the sea?", "engine": "gemini-api"});
    let params = json!({"name": "search", "arguments": arguments});
    let call = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
    let mut lines = BufReader::new(sent(&server, &headers, &call.to_string())).lines().map_while(Result::ok);
    let event = lines.find_map(|line| line.strip_prefix("id:").map(|id| id.trim().to_owned())).unwrap();
    let asked = api.accept().unwrap();
    drop(lines);
    let task = server.call(None, "list_research", json!({}))["tasks"][0]["task_id"].clone();
    assert_eq!(server.call(None, "cancel_research", json!({"task_id": task}))["success"], true);
    let resume = |session: &str, event: &str| {
        server.request("GET", &[("Mcp-Session-Id", session), ("Last-Event-ID", event)], "")
    };
    // The first may still see the end come.
    for _ in 0..2 {
        let answer = resume(&session, &event).message();
        assert_eq!(
            (&answer["id"], &answer["result"]["structuredContent"]["task_id"]),
            (&json!(7), &task),
            "{answer:#}"
        );
    }
    for (session, event) in [(&session, "99/99"), (&session, "garbage"), (&other, event.as_str())] {
        let refused = resume(session, event);
        assert_eq!((refused.status, &refused.message()["error"]["code"]), (400, &json!(-32_600)), "{event}");
    }
    drop(asked);
}

/// MC-01: what is too large is refused before its sender is told to go on, and a head beyond its limit is not read.
#[test]
fn mc_01_nobody_is_told_to_send_what_is_too_large() {
    let server = Server::local();
    let head = |length: usize| {
        format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nExpect: 100-continue\r\nContent-Length: {length}\r\n\r\n",
            server.address
        )
    };
    let answer = server.raw(head((4 << 20) + 1).as_bytes());
    assert_eq!((answer.status, answer.code().as_str()), (413, "REQUEST_TOO_LARGE"), "{}", answer.head);
    let mut stream = server.connect();
    stream.write_all(head(4 << 20).as_bytes()).unwrap();
    let mut begun = [0; 12];
    stream.read_exact(&mut begun).unwrap();
    assert_eq!(&begun, b"HTTP/1.1 100");
    for (bytes, status) in [(31 << 10, 200), (33 << 10, 431)] {
        let answer = server.post(&[("X-Wide", &"x".repeat(bytes))], &initialize());
        assert_eq!(answer.status, status, "{bytes}");
    }
}
