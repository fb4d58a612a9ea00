//! What a browser needs before a page of an allowed origin can use the server.

use serde_json::json;

use super::{MODERN, Server, command, initialize, modern};

/// MC-01: a page of an allowed origin can ask and read the answers, also refusals; others get no leave.
#[test]
fn mc_01_pages_of_allowed_origins_can_ask() {
    let variables = [("HADAL_HTTP_ORIGINS", "https://app.corp"), ("HADAL_HTTP_TOKEN", "always")];
    let server = Server::start(tempfile::tempdir().unwrap(), "127.0.0.1:0", &variables);
    for origin in ["https://app.corp", "http://localhost:5173"] {
        let wish = [
            ("Origin", origin),
            ("Access-Control-Request-Method", "POST"),
            ("Access-Control-Request-Headers", "authorization,content-type,mcp-session-id"),
        ];
        // A browser sends no token with it.
        let leave = server.request("OPTIONS", &wish, "");
        assert_eq!((leave.status, leave.body.as_str()), (204, ""), "{}", leave.head);
        assert_eq!(leave.header("access-control-allow-origin"), Some(origin));
        assert_eq!(leave.header("vary"), Some("origin"));
        assert!(leave.header("access-control-max-age").is_some());
        let allows = |list: &str, name: &str| {
            leave.header(list).is_some_and(|names| names.split(", ").any(|allowed| allowed == name))
        };
        for method in ["get", "post", "delete"] {
            assert!(allows("access-control-allow-methods", method), "{}", leave.head);
        }
        let sent = [
            "authorization",
            "content-type",
            "mcp-session-id",
            "mcp-protocol-version",
            "mcp-method",
            "mcp-name",
            "last-event-id",
        ];
        for name in sent {
            assert!(allows("access-control-allow-headers", name), "{name}: {}", leave.head);
        }
        let refused = server.post(&[("Origin", origin)], &initialize());
        assert_eq!((refused.status, refused.header("access-control-allow-origin")), (401, Some(origin)));
        let shown = command(server.home.path()).args(["serve", "--show-token"]).output().unwrap();
        let bearer = format!("Bearer {}", String::from_utf8(shown.stdout).unwrap().trim());
        let opened = server.post(&[("Origin", origin), ("Authorization", &bearer)], &initialize());
        assert_eq!((opened.status, opened.header("access-control-allow-origin")), (200, Some(origin)));
        assert!(opened.header("mcp-session-id").is_some());
        assert!(opened.header("access-control-expose-headers").unwrap().contains("mcp-session-id"));
    }
    for origin in ["https://evil.example", "null"] {
        for method in ["OPTIONS", "POST"] {
            let answer = server.request(method, &[("Origin", origin)], "");
            assert_eq!(answer.status, 403, "{method} {origin}");
            assert!(!answer.head.contains("access-control"), "{}", answer.head);
        }
    }
    let local = Server::local();
    let headers = [("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/list")];
    let answer = local.post(&headers, &modern("tools/list", json!({})));
    assert!(answer.status == 200 && !answer.head.contains("access-control"), "{}", answer.head);
}
