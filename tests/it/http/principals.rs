//! Further tokens: each sees what it has started, and nothing else.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, channel};

use serde_json::{Value, json};

use super::stopping::sent;
use super::{MODERN, Server, command, initialize, listening, modern};

pub(super) fn new_token(server: &Server, name: &str) -> String {
    let output = command(server.home.path()).args(["serve", "--new-token", name]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

pub(super) fn code(reply: &Value) -> &str {
    reply["error"]["code"].as_str().unwrap_or_default()
}

fn research(server: &Server, token: Option<&str>) -> String {
    let reply = server.call(
        token,
        "deep_research",
        json!({"query": "where does the hadal zone begin?", "engine": "extractive"}),
    );
    assert_eq!(reply["status"], "completed", "{reply:#}");
    reply["task_id"].as_str().unwrap().to_owned()
}

fn ids(server: &Server, token: Option<&str>) -> Vec<String> {
    let reply = server.call(token, "list_research", json!({}));
    reply["tasks"].as_array().unwrap().iter().map(|task| task["task_id"].as_str().unwrap().to_owned()).collect()
}

/// The answer to a request in the way of the newest revision.
fn asked(server: &Server, token: Option<&str>, method: &str, name: &str, params: Value) -> Value {
    let bearer = token.map(|token| format!("Bearer {token}"));
    let mut headers = vec![("MCP-Protocol-Version", MODERN), ("Mcp-Method", method)];
    headers.extend(Some(("Mcp-Name", name)).filter(|(_, name)| !name.is_empty()));
    headers.extend(bearer.as_deref().map(|bearer| ("Authorization", bearer)));
    let mut message = modern(method, params);
    let tasks = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = tasks;
    server.post(&headers, &message).message()
}

/// MC-01: no verb reaches the task of another principal, and none tells that it exists; the user of the machine sees all.
#[test]
fn mc_01_a_principal_sees_its_own_tasks_only() {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir(home.path().join("notes")).unwrap();
    std::fs::write(home.path().join("notes/sea.md"), "# Sea\n\nThe hadal zone begins at 6,000 metres.\n").unwrap();
    let added = command(home.path()).args(["library", "add", "notes"]).output().unwrap();
    assert!(added.status.success(), "{added:?}");
    let server = Server::start(home, "127.0.0.1:0", &[]);
    let (ann, bob) = (new_token(&server, "ann"), new_token(&server, "bob"));
    let (ann, bob) = (Some(ann.as_str()), Some(bob.as_str()));
    let (of_ann, of_user) = (research(&server, ann), research(&server, None));
    assert_eq!(ids(&server, ann), std::slice::from_ref(&of_ann));
    assert_eq!(ids(&server, bob), [""; 0]);
    assert_eq!(ids(&server, None).len(), 2);
    for (token, id) in [(bob, &of_ann), (bob, &of_user), (ann, &of_user)] {
        for (tool, arguments) in [
            ("check_research_status", json!({"task_id": id})),
            ("check_research_status", json!({"task_id": id, "wait_seconds": 1})),
            ("get_research_results", json!({"task_id": id})),
            ("cancel_research", json!({"task_id": id})),
            ("steer_research", json!({"task_id": id, "message": "stop"})),
            ("delete_research", json!({"task_ids": [id]})),
            ("check_claims", json!({"task_id": id})),
            ("deep_research", json!({"query": "and then?", "follow_up_to": id})),
            ("start_deep_research", json!({"query": "and then?", "follow_up_to": id})),
        ] {
            let reply = server.call(token, tool, arguments);
            assert_eq!(code(&reply), "TASK_NOT_FOUND", "{tool}: {reply:#}");
        }
        for part in ["report", "evidence", "report/1", "sources", "journal"] {
            let uri = format!("research://tasks/{id}/{part}");
            let message = asked(&server, token, "resources/read", &uri, json!({"uri": uri}));
            assert_eq!(code(&message["error"]["data"]), "TASK_NOT_FOUND", "{message:#}");
            assert_eq!(message["error"]["data"]["uri"], uri, "{message:#}");
        }
        for method in ["tasks/get", "tasks/cancel", "tasks/update"] {
            let message = asked(&server, token, method, id, json!({"taskId": id, "inputResponses": {}}));
            assert_eq!(code(&message["error"]["data"]), "TASK_NOT_FOUND", "{method}: {message:#}");
        }
    }
    // Lists and completions have one's own.
    for (token, own) in [(ann, std::slice::from_ref(&of_ann)), (bob, &[][..])] {
        let listed = asked(&server, token, "resources/list", "", json!({}));
        let uris: Vec<&str> =
            listed["result"]["resources"].as_array().unwrap().iter().map(|row| row["uri"].as_str().unwrap()).collect();
        let expected: Vec<String> = own.iter().map(|id| format!("research://tasks/{id}/report")).collect();
        assert_eq!(uris, expected);
        let reference = json!({"type": "ref/resource", "uri": "research://tasks/{task_id}/report"});
        let typed = json!({"ref": reference, "argument": {"name": "task_id", "value": ""}});
        let completed = asked(&server, token, "completion/complete", "", typed);
        assert_eq!(completed["result"]["completion"]["values"], json!(own), "{completed:#}");
    }
    assert_eq!(server.call(ann, "get_research_results", json!({"task_id": of_ann}))["success"], true);
    assert_eq!(server.call(None, "get_research_results", json!({"task_id": of_ann}))["success"], true);
    // The disk of the machine is its user's.
    let reply = server.call(ann, "deep_research", json!({"query": "what is here?", "library": ["/etc"]}));
    assert_eq!(code(&reply), "NOT_FOR_GUESTS", "{reply:#}");
    let reply = server.call(ann, "save_research_to_markdown", json!({"task_id": of_ann}));
    assert_eq!(code(&reply), "NOT_FOR_GUESTS", "{reply:#}");
}

/// What a stream of events says, without its signs of life.
fn events(stream: TcpStream) -> Receiver<String> {
    let (send, events) = channel();
    // Ends with the stream.
    std::thread::spawn(move || {
        let lines = BufReader::new(stream).lines().map_while(Result::ok);
        for event in lines.filter(|line| line.starts_with("data:")) {
            if send.send(event).is_err() {
                break;
            }
        }
    });
    events
}

pub(super) fn library(server: &Server) {
    std::fs::create_dir(server.path("notes")).unwrap();
    std::fs::write(server.path("notes/sea.md"), "# Sea\n\nThe hadal zone begins at 6,000 metres.\n").unwrap();
    let added = command(server.home.path()).args(["library", "add", "notes"]).output().unwrap();
    assert!(added.status.success(), "{added:?}");
}

/// MC-01: nobody follows the task of another principal, nor hears of its end, in either era.
#[test]
fn mc_01_a_principal_follows_its_own_tasks_only() {
    let server = Server::local();
    library(&server);
    let (ann, bob) = (new_token(&server, "ann"), new_token(&server, "bob"));
    let bearer = format!("Bearer {bob}");
    let of_ann = research(&server, Some(&ann));
    let uri = |id: &str| format!("research://tasks/{id}/report");
    let opened = server.post(&[("Authorization", &bearer)], &initialize());
    let session = opened.header("mcp-session-id").unwrap_or_else(|| panic!("{}", opened.body)).to_owned();
    let headers = [("Mcp-Session-Id", session.as_str()), ("Authorization", bearer.as_str())];
    let subscribe =
        json!({"jsonrpc": "2.0", "id": 2, "method": "resources/subscribe", "params": {"uri": uri(&of_ann)}});
    assert_eq!(server.post(&headers, &subscribe).code(), "TASK_NOT_FOUND");

    let headers =
        [("MCP-Protocol-Version", MODERN), ("Mcp-Method", "subscriptions/listen"), ("Authorization", bearer.as_str())];
    let wanted = json!({"resourcesListChanged": true, "resourceSubscriptions": [uri(&of_ann)]});
    let listen = modern("subscriptions/listen", json!({"notifications": wanted}));
    let events = events(sent(&server, &headers, &listen.to_string()));
    let hear = |what: &str| {
        let mut before = String::new();
        loop {
            let event = sim::wait::message(what, &events).unwrap_or_else(|| panic!("no {what} in {before}"));
            if event.contains(what) {
                return before;
            }
            before += &event;
        }
    };
    hear("notifications/subscriptions/acknowledged");
    // Hers ends first; what is heard of an end is his.
    let second = research(&server, Some(&ann));
    research(&server, Some(&bob));
    let before = hear("notifications/resources/list_changed");
    assert!(!before.contains("updated") && !before.contains(&of_ann) && !before.contains(&second), "{before}");
    research(&server, Some(&bob));
    hear("notifications/resources/list_changed");
}

/// MC-01: what is open for a token ends when the token is taken away or replaced, in both eras; what is open for others goes on.
#[test]
fn mc_01_the_streams_of_a_revoked_token_end() {
    let server = Server::local();
    let bob = new_token(&server, "bob");
    let open = |token: &str| {
        let bearer = format!("Bearer {token}");
        let opened = server.post(&[("Authorization", &bearer)], &initialize());
        let session = opened.header("mcp-session-id").unwrap().to_owned();
        let mut stream = server.connect();
        let head = format!(
            "GET /mcp HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAccept: text/event-stream\r\n\
             Mcp-Session-Id: {session}\r\nAuthorization: {bearer}\r\n\r\n",
            server.address
        );
        stream.write_all(head.as_bytes()).unwrap();
        let headers =
            [("MCP-Protocol-Version", MODERN), ("Mcp-Method", "subscriptions/listen"), ("Authorization", &bearer)];
        let listen = modern("subscriptions/listen", json!({"notifications": {"resourcesListChanged": true}}));
        [events(stream), events(sent(&server, &headers, &listen.to_string()))]
    };
    let of_bob = open(&bob);
    for revoke in [["serve", "--remove-token", "ann"], ["serve", "--new-token", "ann"]] {
        let of_ann = open(&new_token(&server, "ann"));
        assert!(command(server.home.path()).args(revoke).output().unwrap().status.success());
        for stream in of_ann {
            while sim::wait::message("the end of a stream", &stream).is_some() {}
        }
    }
    library(&server);
    research(&server, Some(&bob));
    for stream in of_bob {
        let told = "notifications/resources/list_changed";
        while !sim::wait::message(told, &stream).expect("the stream goes on").contains(told) {}
    }
}

/// MC-01: the main token can be replaced while the server runs: the new one counts, the one before does not.
#[test]
fn mc_01_the_main_token_is_replaced() {
    let server = Server::start(tempfile::tempdir().unwrap(), "127.0.0.1:0", &[("HADAL_HTTP_TOKEN", "always")]);
    let shown = || {
        let output = command(server.home.path()).args(["serve", "--show-token"]).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let list = |token: &str| {
        let bearer = format!("Bearer {token}");
        let headers = [("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/list"), ("Authorization", &bearer)];
        server.post(&headers, &modern("tools/list", json!({}))).status
    };
    let before = shown();
    assert_eq!(list(&before), 200);
    std::fs::remove_file(server.path("config/http-token")).unwrap();
    let now = shown();
    assert_ne!(before, now);
    assert_eq!((list(&before), list(&now)), (401, 200));
}

/// MC-01: a session that asks for nothing is told of reports from its handshake on.
#[test]
fn mc_01_a_session_that_only_listens_is_told() {
    let server = Server::local();
    library(&server);
    let stream = listening(&server);
    research(&server, None);
    let (events, told) = (events(stream), "notifications/resources/list_changed");
    while !sim::wait::message(told, &events).expect("the stream goes on").contains(told) {}
}

/// MC-01: of several streams of a session the newest is told, also while one that is not read any more seems to be there, and after it has gone.
#[test]
fn mc_01_the_newest_stream_is_told() {
    let server = Server::local();
    library(&server);
    let opened = server.post(&[], &initialize());
    let session = opened.header("mcp-session-id").unwrap().to_owned();
    let open = || {
        let mut stream = server.connect();
        let head = format!(
            "GET /mcp HTTP/1.1\r\nHost: {}\r\nAccept: text/event-stream\r\nMcp-Session-Id: {session}\r\n\r\n",
            server.address
        );
        stream.write_all(head.as_bytes()).unwrap();
        // The head of the answer: from then on it is the newest.
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        stream
    };
    let told = "notifications/resources/list_changed";
    let hear = |events: &Receiver<String>| while !sim::wait::message(told, events).expect("goes on").contains(told) {};
    let unread = open();
    let second = events(open());
    research(&server, None);
    hear(&second);
    drop(unread);
    let third = events(open());
    research(&server, None);
    hear(&third);
}

/// MC-01: a session belongs to who opened it; a token that was taken away opens nothing.
#[test]
fn mc_01_a_session_is_its_principals_own() {
    let server = Server::local();
    let ann = format!("Bearer {}", new_token(&server, "ann"));
    let opened = server.post(&[("Authorization", ann.as_str())], &initialize());
    let session = opened.header("mcp-session-id").unwrap_or_else(|| panic!("{}", opened.body)).to_owned();
    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
    let bob = format!("Bearer {}", new_token(&server, "bob"));
    for (token, status) in [(Some(ann.as_str()), 200), (Some(bob.as_str()), 404), (None, 404)] {
        let mut headers = vec![("Mcp-Session-Id", session.as_str())];
        headers.extend(token.map(|token| ("Authorization", token)));
        assert_eq!(server.post(&headers, &list).status, status, "{token:?}");
        if status == 404 {
            // There is no such session for them; whatever they are told, nothing ends.
            server.request("DELETE", &headers, "");
        }
    }
    let headers = [("Mcp-Session-Id", session.as_str()), ("Authorization", ann.as_str())];
    assert_eq!(server.post(&headers, &list).status, 200);
    let removed = command(server.home.path()).args(["serve", "--remove-token", "ann"]).output().unwrap();
    assert!(removed.status.success());
    assert_eq!(server.post(&[("Authorization", ann.as_str())], &initialize()).status, 401);
}
