//! What one guest may take of a machine that others use too.

use std::io::{Read, Write};

use serde_json::json;

use super::principals::{code, library, new_token};
use super::stopping::{sent, silent_api, waiting_server};
use super::{MODERN, Server, initialize, modern};

/// MC-01, BU-01: a guest spends the user's money: it lowers the caps of the settings and never raises them. The user's word counts.
#[test]
fn mc_01_a_guest_raises_no_cap() {
    let (_api, url) = silent_api();
    let server = waiting_server(&url, &[("HADAL_BUDGET_USD", "0.01"), ("HADAL_CALL_WINDOW_SECONDS", "1")]);
    let ann = new_token(&server, "ann");
    let asked = json!({"query": "how deep is the sea?", "budget_usd": 1_000});
    let reply = server.call(Some(&ann), "start_deep_research", asked.clone());
    assert_eq!(code(&reply), "BUDGET_EXCEEDED", "{reply:#}");
    let reply = server.call(None, "start_deep_research", asked);
    assert_eq!(reply["success"], true, "{reply:#}");
}

/// MC-01: the requests of a guest that are being answered are limited, and so are its tasks and sessions; others are served meanwhile.
#[test]
fn mc_01_one_guest_keeps_nobody_out() {
    let (_api, url) = silent_api();
    let server = waiting_server(&url, &[("HADAL_CALL_WINDOW_SECONDS", "1")]);
    let (ann, bob) = (new_token(&server, "ann"), new_token(&server, "bob"));
    let question = |n: u32| json!({"query": format!("how deep is sea number {n}?"), "engine": "gemini-api"});
    let started = |n: u32| {
        let reply = server.call(Some(&ann), "search", question(n));
        assert_eq!(reply["status"], "running_async", "{reply:#}");
        reply["task_id"].as_str().unwrap().to_owned()
    };
    // Each call waits a second for its task; all of them together do too.
    let ids: Vec<String> = std::thread::scope(|scope| {
        let calls: Vec<_> = (0..20)
            .map(|n| {
                scope.spawn({
                    let started = &started;
                    move || started(n)
                })
            })
            .collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    });
    // They all wait for an API that says nothing; the user of the machine gets a turn.
    library(&server);
    let own = server.call(
        None,
        "deep_research",
        json!({"query": "where does the hadal zone begin?", "engine": "extractive"}),
    );
    let wait = json!({"task_id": own["task_id"], "wait_seconds": 45});
    assert_eq!(server.call(None, "check_research_status", wait)["status"], "completed", "{own:#}");
    let refused = server.call(Some(&ann), "search", question(20));
    assert_eq!((code(&refused), &refused["error"]["retryable"]), ("TOO_MANY_TASKS", &json!(true)), "{refused:#}");
    assert_eq!(server.call(Some(&bob), "search", question(0))["status"], "running_async");
    assert_eq!(server.call(None, "search", question(0))["status"], "running_async");
    assert_eq!(server.call(Some(&ann), "cancel_research", json!({"task_id": ids[0]}))["success"], true);
    assert_eq!(server.call(Some(&ann), "search", question(21))["status"], "running_async");

    let bearer = format!("Bearer {ann}");
    let wait = json!({"name": "check_research_status", "arguments": {"task_id": ids[1], "wait_seconds": 45}});
    let headers = [
        ("MCP-Protocol-Version", MODERN),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "check_research_status"),
        ("Authorization", bearer.as_str()),
    ];
    let wait = modern("tools/call", wait).to_string();
    let mut waits: Vec<_> = (0..255).map(|_| sent(&server, &headers, &wait)).collect();
    let list = || {
        server.post(
            &[("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/list"), ("Authorization", &bearer)],
            &modern("tools/list", json!({})),
        )
    };
    // One that came while the list was answered was refused; another takes its place.
    let busy = sim::wait::until_some("a refusal", || {
        waits.push(sent(&server, &headers, &wait));
        Some(list()).filter(|answer| answer.status == 429)
    });
    assert_eq!((busy.code().as_str(), busy.header("retry-after")), ("TOO_MANY_REQUESTS", Some("1")), "{}", busy.body);
    assert_eq!(server.call(Some(&bob), "list_research", json!({}))["success"], true);
    drop(waits);
    // A client that is gone takes no place.
    sim::wait::until("a free place", || list().status == 200);
}

/// MC-01: a task that waits for its turn says so, and is not told as one that is worked on without a word.
#[test]
fn mc_01_a_task_that_waits_for_its_turn_says_so() {
    let (api, url) = silent_api();
    let server = waiting_server(&url, &[("HADAL_MAX_TASKS", "1"), ("HADAL_CALL_WINDOW_SECONDS", "1")]);
    let ask = |query: &str| {
        let reply = server.call(None, "search", json!({"query": query, "engine": "gemini-api"}));
        assert_eq!(reply["status"], "running_async", "{reply}");
        reply["task_id"].as_str().unwrap().to_owned()
    };
    let first = ask("how deep is the sea?");
    let asked = api.accept().unwrap();
    let second = ask("how wide is the sea?");
    let action = |id: &str| {
        let reply = server.call(None, "check_research_status", json!({"task_id": id}));
        reply["current_action"].as_str().unwrap_or_default().to_owned()
    };
    sim::wait::until("a word of it", || action(&second).starts_with("waiting for its turn"));
    assert!(!action(&first).contains("turn"));
    drop(asked);
}

/// MC-01: sessions are counted where they are made: a place is free again when one is ended, and requests without a session need none.
#[test]
fn mc_01_a_guest_has_only_so_many_sessions() {
    let server = Server::local();
    let bearer = format!("Bearer {}", new_token(&server, "ann"));
    let open = || server.post(&[("Authorization", &bearer)], &initialize());
    let sessions: Vec<String> =
        (0..256).map(|_| open().header("mcp-session-id").expect("a session").to_owned()).collect();
    let refused = open();
    assert_eq!((refused.status, refused.code().as_str()), (429, "TOO_MANY_REQUESTS"), "{}", refused.body);
    let headers = [("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/list"), ("Authorization", bearer.as_str())];
    assert_eq!(server.post(&headers, &modern("tools/list", json!({}))).status, 200);
    let ended = [("Authorization", bearer.as_str()), ("Mcp-Session-Id", sessions[7].as_str())];
    assert_eq!(server.request("DELETE", &ended, "").status, 204);
    assert_eq!((open().status, open().status), (200, 429));
    assert_eq!(server.post(&[], &initialize()).status, 200, "others have their own");
}

/// MC-01: more requests than a principal may send are refused with a time to come back; those of others are not. So are wrong tokens.
#[test]
fn mc_01_a_flood_of_requests_is_refused() {
    let server = Server::local();
    let ann = new_token(&server, "ann");
    let refusal = |request: String| {
        // One after the other on one connection, as fast as they are taken, until one is refused.
        let mut stream = server.connect();
        let mut writer = stream.try_clone().unwrap();
        let flood = request.repeat(100).into_bytes();
        let sender = std::thread::spawn(move || while writer.write_all(&flood).is_ok() {});
        let mut seen = Vec::new();
        let mut part = [0; 65_536];
        while !seen.windows(12).any(|window| window == b"HTTP/1.1 429") {
            let read = stream.read(&mut part).unwrap();
            assert!(read > 0, "the connection was closed");
            let keep = seen.len().saturating_sub(12);
            seen.drain(..keep);
            seen.extend_from_slice(&part[..read]);
        }
        stream.shutdown(std::net::Shutdown::Both).unwrap();
        sender.join().unwrap();
    };
    let head = |rest: &str| format!("PUT /mcp HTTP/1.1\r\nHost: {}\r\n{rest}Content-Length: 0\r\n\r\n", server.address);
    refusal(head(""));
    assert_eq!(server.call(Some(&ann), "list_research", json!({}))["success"], true);
    refusal(head("Authorization: Bearer wrong\r\n"));
    assert_eq!(server.call(Some(&ann), "list_research", json!({}))["success"], true, "a right token is let in");
}

/// MC-01: a server on all addresses of its machine is asked by any of them; a name that leads there is still not taken.
#[test]
fn mc_01_a_server_on_all_addresses_is_asked_by_any() {
    let server = Server::start(tempfile::tempdir().unwrap(), "0.0.0.0:0", &[]);
    let bearer = format!("Bearer {}", new_token(&server, "ann"));
    for (host, token, status) in [
        ("192.168.7.7:7417", Some(bearer.as_str()), 200),
        ("[fd00::7]:7417", Some(bearer.as_str()), 200),
        ("192.168.7.7:7417", None, 401),
        ("evil.example:7417", Some(bearer.as_str()), 403),
    ] {
        let mut headers = vec![("Host", host), ("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/list")];
        headers.extend(token.map(|token| ("Authorization", token)));
        assert_eq!(server.post(&headers, &modern("tools/list", json!({}))).status, status, "{host}");
    }
}
