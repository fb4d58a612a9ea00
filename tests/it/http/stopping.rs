//! What becomes of waiting calls when the server is told to end.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::{MODERN, Server, initialize, modern, parsed};

/// An API that takes connections and never says a word, and its address.
pub(super) fn silent_api() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    (listener, url)
}

/// A server whose research asks an API that does not answer.
pub(super) fn waiting_server(url: &str, more: &[(&str, &str)]) -> Server {
    let mut variables = vec![("GEMINI_API_KEY", "key-of-a-test"), ("GOOGLE_GEMINI_BASE_URL", url)];
    variables.extend(more);
    Server::start(tempfile::tempdir().unwrap(), "127.0.0.1:0", &variables)
}

pub(super) fn terminate(server: &Server) {
    let pid = Pid::from_raw(i32::try_from(server.child.id()).unwrap()).unwrap();
    kill_process(pid, Signal::TERM).unwrap();
}

/// Sends a request and leaves its answer on the way.
pub(super) fn sent(server: &Server, headers: &[(&str, &str)], body: &str) -> TcpStream {
    let rows: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\n{rows}Content-Length: {}\r\n\r\n{body}",
        server.address,
        body.len()
    );
    let mut stream = server.connect();
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

/// MC-01, JB-01: a call that waits when the server is told to end is answered: its task goes on later, and here is its id. In both eras.
#[test]
fn mc_01_waiting_calls_are_answered_at_the_end() {
    for legacy in [false, true] {
        let (api, url) = silent_api();
        let mut server = waiting_server(&url, &[]);
        let arguments = json!({"query": "how deep is the sea?", "engine": "gemini-api"});
        let params = json!({"name": "search", "arguments": arguments});
        let stream = if legacy {
            let opened = server.post(&[], &initialize());
            let session = opened.header("mcp-session-id").unwrap().to_owned();
            let headers = [("Mcp-Session-Id", session.as_str()), ("MCP-Protocol-Version", "2025-06-18")];
            server.post(&headers, &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
            let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
            sent(&server, &headers, &call.to_string())
        } else {
            let headers = [("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/call"), ("Mcp-Name", "search")];
            sent(&server, &headers, &modern("tools/call", params).to_string())
        };
        // The question has arrived at the API: the task runs, and the call waits for it.
        let asked = api.accept().unwrap();
        terminate(&server);
        let mut stream = stream;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let answer = parsed(&bytes);
        let reply = answer.message()["result"]["structuredContent"].clone();
        assert_eq!((answer.status, reply["status"].as_str()), (200, Some("running_async")), "{}", answer.body);
        assert!(reply["task_id"].as_str().is_some_and(|id| !id.is_empty()));
        drop(asked);
        assert!(server.child.wait().unwrap().success());
    }
}
