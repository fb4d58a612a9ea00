use super::*;

fn server() -> Server {
    Server {
        command: "/bin/hadal".to_owned(),
        args: vec!["serve".to_owned()],
        keys: vec!["GEMINI_API_KEY", "BRAVE_API_KEY"],
    }
}

/// MC-02: every client learns of the server, and of the keys in its own way; no value is written.
#[test]
fn mc_02_every_client_has_its_own_entry() {
    for (client, says) in [
        (Client::ClaudeCode, r#"{"mcpServers":{"hadal":{"type":"stdio","command":"/bin/hadal","args":["serve"]}}}"#),
        (Client::ClaudeDesktop, r#"{"mcpServers":{"hadal":{"command":"/bin/hadal","args":["serve"]}}}"#),
        (
            Client::Codex,
            "[mcp_servers.hadal]\ncommand = \"/bin/hadal\"\nargs = [\"serve\"]\nenv_vars = [\"GEMINI_API_KEY\", \"BRAVE_API_KEY\"]\n",
        ),
        (
            Client::GeminiCli,
            r#"{"mcpServers":{"hadal":{"command":"/bin/hadal","args":["serve"],"env":{"GEMINI_API_KEY":"$GEMINI_API_KEY","BRAVE_API_KEY":"$BRAVE_API_KEY"}}}}"#,
        ),
        (
            Client::Cursor,
            r#"{"mcpServers":{"hadal":{"command":"/bin/hadal","args":["serve"],"env":{"GEMINI_API_KEY":"${env:GEMINI_API_KEY}","BRAVE_API_KEY":"${env:BRAVE_API_KEY}"}}}}"#,
        ),
        (Client::Vscode, r#"{"servers":{"hadal":{"type":"stdio","command":"/bin/hadal","args":["serve"]}}}"#),
        (
            Client::Windsurf,
            r#"{"mcpServers":{"hadal":{"command":"/bin/hadal","args":["serve"],"env":{"GEMINI_API_KEY":"${env:GEMINI_API_KEY}","BRAVE_API_KEY":"${env:BRAVE_API_KEY}"}}}}"#,
        ),
        (Client::Zed, r#"{"context_servers":{"hadal":{"command":"/bin/hadal","args":["serve"]}}}"#),
    ] {
        for text in [connected(client, "", &server()).unwrap(), lines(client, &server())] {
            let compact = serde_json::from_str::<Value>(&text).map_or(text, |value| value.to_string());
            assert_eq!(compact, says, "{client:?}");
        }
    }
}

/// MC-02: connecting twice is connecting once; what the user added to the entry stays.
#[test]
fn mc_02_an_entry_is_mended_not_replaced() {
    for client in Client::ALL {
        let once = connected(client, "", &server()).unwrap();
        assert_eq!(connected(client, &once, &server()).unwrap(), once, "{client:?}");
        let gone = disconnected(client, &once).unwrap();
        assert!(!gone.contains("hadal"), "{client:?}: {gone}");
    }
    let own =
        r#"{"mcpServers": {"hadal": {"timeout": 9, "command": "old", "env": {"GEMINI_API_KEY": "mine", "A": "b"}}}}"#;
    let text = connected(Client::GeminiCli, own, &server()).unwrap();
    let entry = serde_json::from_str::<Value>(&text).unwrap()["mcpServers"]["hadal"].clone();
    assert_eq!((&entry["timeout"], &entry["command"]), (&json!(9), &json!("/bin/hadal")));
    let env = json!({"GEMINI_API_KEY": "mine", "BRAVE_API_KEY": "$BRAVE_API_KEY", "A": "b"});
    assert_eq!(entry["env"], env);
    let own = "[mcp_servers.hadal]\ncommand = \"old\"\nenv_vars = [\"HTTPS_PROXY\", \"BRAVE_API_KEY\"]\n";
    let text = connected(Client::Codex, own, &server()).unwrap();
    assert!(text.contains("env_vars = [\"HTTPS_PROXY\", \"BRAVE_API_KEY\", \"GEMINI_API_KEY\"]"), "{text}");
}

/// MC-02: an entry that had the server's address starts hadal and has nothing left of the other transport.
#[test]
fn mc_02_the_other_transport_goes() {
    let keep = json!({"timeout": 9, "env": {"A": "b"}});
    for client in Client::ALL.into_iter().filter(|client| *client != Client::Codex) {
        let row = client.row();
        assert!(row.remote.contains(&"url") && row.remote.contains(&"headers"), "{client:?}");
        for kind in ["http", "sse", "streamable-http"] {
            let mut entry = keep.clone();
            entry["type"] = json!(kind);
            for field in row.remote {
                entry[*field] = json!("https://hadal.example/mcp");
            }
            let text = json!({ row.servers: { "hadal": entry } }).to_string();
            let after: Value = serde_json::from_str(&connected(client, &text, &server()).unwrap()).unwrap();
            let after = after[row.servers]["hadal"].as_object().unwrap();
            let mut names: Vec<&str> = after.keys().map(String::as_str).filter(|name| *name != "type").collect();
            names.sort_unstable();
            assert_eq!(names, ["args", "command", "env", "timeout"], "{client:?}");
            let typed = row.form == Form::TypedJson;
            assert_eq!(after.get("type"), typed.then_some(&json!("stdio")), "{client:?}");
        }
    }
    let codex = "[mcp_servers.hadal]\nurl = \"https://x/mcp\"\nbearer_token_env_var = \"T\"\nstartup_timeout_sec = 9\n\n[mcp_servers.hadal.http_headers]\nA = \"b\"\n";
    assert_eq!(
        connected(Client::Codex, codex, &server()).unwrap(),
        "[mcp_servers.hadal]\ncommand = \"/bin/hadal\"\nargs = [\"serve\"]\nenv_vars = [\"GEMINI_API_KEY\", \"BRAVE_API_KEY\"]\nstartup_timeout_sec = 9\n\n"
    );
}

/// MC-02: a switch that keeps the client from starting hadal is seen.
#[test]
fn mc_02_an_entry_may_be_switched_off() {
    for (client, text, off) in [
        (Client::Codex, "[mcp_servers.hadal]\nenabled = false\n", Some("enabled = false")),
        (Client::Codex, "[mcp_servers.hadal]\nenabled = true\n", None),
        (Client::Windsurf, r#"{"mcpServers": {"hadal": {"disabled": true}}}"#, Some(r#""disabled": true"#)),
        (Client::Windsurf, r#"{"mcpServers": {"hadal": {"disabled": false}}}"#, None),
        (Client::Zed, r#"{"context_servers": {"hadal": {"enabled": false}}}"#, Some(r#""enabled": false"#)),
        (Client::Zed, "", None),
    ] {
        let text = connected(client, text, &server()).unwrap();
        assert_eq!(switched_off(client, &text).unwrap(), off, "{text}");
    }
}

/// MC-02: of two entries nobody knows which one the client takes.
#[test]
fn mc_02_a_second_entry_is_not_edited() {
    let text = "{\"mcpServers\": {\"hadal\": {},\n\"hadal\": {}}}";
    let fault = Refused { line: 2, what: "has the same name a second time" };
    assert_eq!(connected(Client::Cursor, text, &server()).unwrap_err(), fault);
    assert_eq!(disconnected(Client::Cursor, text).unwrap_err(), fault);
}

/// MC-02: what a client does not fill in is not taken for a key.
#[test]
fn mc_02_a_name_is_no_value() {
    for (value, unfilled) in [
        ("$GEMINI_API_KEY", true),
        ("${GEMINI_API_KEY}", true),
        ("${env:GEMINI_API_KEY}", true),
        ("$BRAVE_API_KEY", false),
        ("GEMINI_API_KEY", false),
        ("AIza$GEMINI_API_KEY", false),
        ("", false),
    ] {
        assert_eq!(is_unfilled("GEMINI_API_KEY", value), unfilled, "{value}");
    }
}

/// MC-02: each client's configuration of the user lies where the client looks for it.
#[test]
fn mc_02_every_client_has_its_file() {
    let places = ClientPlaces { home: Some("/u".into()), ..ClientPlaces::default() };
    let moved = ClientPlaces {
        xdg_config: Some("/x".into()),
        claude_config: Some("/cc".into()),
        codex_home: Some("/co".into()),
        gemini_home: Some("/g".into()),
        ..places.clone()
    };
    for (client, xdg, mac, elsewhere) in [
        (Client::ClaudeCode, "/u/.claude.json", "/u/.claude.json", "/cc/.claude.json"),
        (
            Client::ClaudeDesktop,
            "/u/.config/Claude/claude_desktop_config.json",
            "/u/Library/Application Support/Claude/claude_desktop_config.json",
            "/x/Claude/claude_desktop_config.json",
        ),
        (Client::Codex, "/u/.codex/config.toml", "/u/.codex/config.toml", "/co/config.toml"),
        (Client::GeminiCli, "/u/.gemini/settings.json", "/u/.gemini/settings.json", "/g/.gemini/settings.json"),
        (Client::Cursor, "/u/.cursor/mcp.json", "/u/.cursor/mcp.json", "/u/.cursor/mcp.json"),
        (
            Client::Vscode,
            "/u/.config/Code/User/mcp.json",
            "/u/Library/Application Support/Code/User/mcp.json",
            "/x/Code/User/mcp.json",
        ),
        (
            Client::Windsurf,
            "/u/.codeium/windsurf/mcp_config.json",
            "/u/.codeium/windsurf/mcp_config.json",
            "/u/.codeium/windsurf/mcp_config.json",
        ),
        (Client::Zed, "/u/.config/zed/settings.json", "/u/.config/zed/settings.json", "/x/zed/settings.json"),
    ] {
        assert_eq!(client.file(Platform::Xdg, &places), Some(xdg.into()), "{client:?}");
        assert_eq!(client.file(Platform::MacOs, &places), Some(mac.into()), "{client:?}");
        assert_eq!(client.file(Platform::Xdg, &moved), Some(elsewhere.into()), "{client:?}");
        assert_eq!(client.file(Platform::Xdg, &ClientPlaces::default()), None, "{client:?}");
    }
}
