//! What strangers try.

use std::io::{Read, Write};

use serde_json::json;

use super::{MODERN, Server, command, initialize, modern};

/// A call that must not be answered with 200.
fn list(server: &Server, headers: &[(&str, &str)]) -> super::Answer {
    let mut all = vec![("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/list")];
    all.extend(headers);
    server.post(&all, &modern("tools/list", json!({})))
}

/// MC-01: pages of other sites, and names that were made to lead here, are refused.
#[test]
fn mc_01_foreign_hosts_and_origins_are_refused() {
    let server = Server::start(
        tempfile::tempdir().unwrap(),
        "127.0.0.1:0",
        &[("HADAL_HTTP_HOSTS", "hadal.corp"), ("HADAL_HTTP_ORIGINS", "https://app.corp")],
    );
    for (header, value, status) in [
        ("Host", "evil.example", 403),
        ("Host", "localhost.evil.example:7417", 403),
        ("Host", "", 403),
        ("Host", "hadal.corp", 200),
        ("Host", "localhost:1", 200),
        ("Origin", "https://evil.example", 403),
        ("Origin", "null", 403),
        ("Origin", "http://localhost:5173", 200),
        ("Origin", "https://app.corp", 200),
    ] {
        let answer = list(&server, &[(header, value)]);
        assert_eq!(answer.status, status, "{header}: {value}: {}", answer.body);
        if status == 403 {
            assert_eq!(answer.code(), "ORIGIN_REFUSED", "{header}: {value}");
        }
    }
    let two = list(&server, &[("Host", "localhost"), ("Host", "evil.example")]);
    assert!(two.status == 400 || two.status == 403, "{}", two.status);
    let opened = server.post(&[("Origin", "https://evil.example")], &initialize());
    assert_eq!((opened.status, opened.header("mcp-session-id")), (403, None));
}

/// MC-01: where a token is needed, nothing goes without it; a wrong one is refused everywhere.
#[test]
fn mc_01_tokens_are_asked_for() {
    for (address, rule) in [("127.0.0.1:0", "always"), ("0.0.0.0:0", "remote")] {
        let server = Server::start(tempfile::tempdir().unwrap(), address, &[("HADAL_HTTP_TOKEN", rule)]);
        let shown = command(server.home.path()).args(["serve", "--show-token"]).output().unwrap();
        let token = String::from_utf8(shown.stdout).unwrap().trim().to_owned();
        assert_eq!(token.len(), 64, "{token}");
        let bearer = format!("Bearer {token}");
        for (header, status) in [
            (None, 401),
            (Some("Bearer wrong"), 401),
            (Some(token.as_str()), 401),
            (bearer.get(..bearer.len() - 1), 401),
            (Some(bearer.as_str()), 200),
        ] {
            let headers: Vec<(&str, &str)> = header.map(|header| ("Authorization", header)).into_iter().collect();
            let answer = list(&server, &headers);
            assert_eq!(answer.status, status, "{address}: {}", answer.body);
            if status == 401 {
                assert_eq!(
                    (answer.code().as_str(), answer.header("www-authenticate")),
                    ("TOKEN_REFUSED", Some("bearer"))
                );
                assert!(!answer.body.contains(&token));
            }
        }
    }
    let open = Server::local();
    assert_eq!(list(&open, &[]).status, 200);
    assert_eq!(list(&open, &[("Authorization", "Bearer wrong")]).status, 401);
}

/// MC-01: what is too large is refused before it is held, whatever its head says.
#[test]
fn mc_01_large_requests_are_refused() {
    let server = Server::local();
    let huge = " ".repeat(50 << 20);
    let answer = server.request("POST", &[], &huge);
    // The refusal may be lost with the connection that is closed under the sender; it is never an answer to the message.
    assert!(answer.status == 413 || answer.status == 0, "{}", answer.status);
    let host = server.address;
    let chunked =
        format!("POST /mcp HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n");
    let mut bytes = chunked.into_bytes();
    for _ in 0..6 {
        bytes.extend(format!("{:x}\r\n{}\r\n", 1 << 20, " ".repeat(1 << 20)).bytes());
    }
    bytes.extend(b"0\r\n\r\n");
    let answer = server.raw(&bytes);
    assert!(answer.status == 413 || answer.status == 0, "{}", answer.status);
    let wide = "x".repeat(100_000);
    let answer = list(&server, &[("X-Wide", &wide)]);
    assert!(matches!(answer.status, 0 | 400 | 431), "{}", answer.status);
    let many: Vec<(&str, &str)> = std::iter::repeat_n(("X-Many", "1"), 1_000).collect();
    assert!(matches!(list(&server, &many).status, 0 | 400 | 431));
    assert_eq!(list(&server, &[]).status, 200, "others are still served");
}

/// MC-01: who sends too much is told so also when he sends all of it before he reads, with a length and without one.
#[test]
fn mc_01_a_refusal_for_size_arrives() {
    let server = Server::local();
    let body = " ".repeat(12 << 20);
    let head = format!("POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n", server.address);
    for request in [
        format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()),
        format!("{head}Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n", body.len()),
    ] {
        let mut stream = server.connect();
        stream.write_all(request.as_bytes()).unwrap();
        let mut begun = [0; 12];
        stream.read_exact(&mut begun).unwrap();
        assert_eq!(&begun, b"HTTP/1.1 413");
    }
}

/// MC-01: clients that hold connections and send nothing keep nobody out.
#[test]
fn mc_01_idle_connections_keep_nobody_out() {
    let server = Server::local();
    let mut idle: Vec<_> = (0..500).map(|_| server.connect()).collect();
    for stream in idle.iter_mut().take(250) {
        stream.write_all(b"POST /mcp HTTP/1.1\r\nHost: loc").unwrap();
    }
    assert_eq!(list(&server, &[]).status, 200);
    // A head that does not come to its end is not waited for.
    let mut slow = idle.swap_remove(0);
    let mut rest = Vec::new();
    let _ = slow.read_to_end(&mut rest);
    assert!(!String::from_utf8_lossy(&rest).contains("200 OK"));
}

/// MC-01: what is no message is refused, and the server goes on.
#[test]
fn mc_01_malformed_messages_are_refused() {
    let server = Server::local();
    let deep = "[".repeat(100_000);
    let mut bits = 0x2545_f491_4f6c_dd1d_u64;
    let mut bodies: Vec<String> =
        ["", "{", "null", "[]", "7", "\"x\"", "{}", "{\"jsonrpc\":\"2.0\"}", "\u{0}", &deep].map(String::from).to_vec();
    let template = modern("tools/list", json!({})).to_string();
    for _ in 0..200 {
        // Any byte of a good message becomes another.
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        let at = usize::try_from(bits % template.len() as u64).unwrap();
        let mut bytes = template.clone().into_bytes();
        bytes[at] = u8::try_from(32 + bits / 7 % 95).unwrap();
        bodies.push(String::from_utf8(bytes).unwrap());
    }
    for body in &bodies {
        let headers = [("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/list")];
        let answer = server.request("POST", &headers, body);
        assert!(matches!(answer.status, 200 | 202 | 400..=499), "{}: {body}", answer.status);
    }
    for method in ["PUT", "PATCH", "OPTIONS", "HEAD", "TRACE", "X"] {
        assert!(matches!(server.request(method, &[], "").status, 400..=499), "{method}");
    }
    assert_eq!(server.raw(b"GET /etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").status, 404);
    assert_eq!(list(&server, &[]).status, 200);
}
