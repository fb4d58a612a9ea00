//! `hadal connect` through the real program, on configuration files of the shapes that clients write.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::client::Client;

const KEY: &str = "canary-0123456789";

/// Every client and its file below the home directory.
const CLIENTS: [(&str, &str); 8] = [
    ("claude-code", ".claude.json"),
    ("claude-desktop", ".config/Claude/claude_desktop_config.json"),
    ("codex", ".codex/config.toml"),
    ("gemini-cli", ".gemini/settings.json"),
    ("cursor", ".cursor/mcp.json"),
    ("vscode", ".config/Code/User/mcp.json"),
    ("windsurf", ".codeium/windsurf/mcp_config.json"),
    ("zed", ".config/zed/settings.json"),
];

struct User(TempDir);

impl User {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn at(&self, below: &str) -> PathBuf {
        self.0.path().join(below)
    }

    fn write(&self, below: &str, text: &str) {
        std::fs::create_dir_all(self.at(below).parent().unwrap()).unwrap();
        std::fs::write(self.at(below), text).unwrap();
    }

    fn connect(&self, args: &[&str]) -> Output {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_hadal"));
        command.env_clear().env("HOME", self.0.path()).env("GEMINI_API_KEY", KEY).current_dir(self.0.path());
        let output = command.arg("connect").args(args).output().unwrap();
        let said = [&output.stdout[..], &output.stderr[..]].concat();
        assert!(!String::from_utf8_lossy(&said).contains(KEY), "{output:?}");
        output
    }
}

fn code(output: &Output) -> String {
    let reply: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    reply["error"]["code"].as_str().unwrap_or_default().to_owned()
}

/// What a client starts, by its own file: the command and its arguments.
fn started(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    if path.extension().is_some_and(|ending| ending == "toml") {
        let value = |line: &str| line.split_once(" = ").unwrap().1.to_owned();
        let mut lines = text.lines().skip_while(|line| *line != "[mcp_servers.hadal]");
        let command: String = serde_json::from_str(&value(lines.nth(1).unwrap())).unwrap();
        let args: Vec<String> = serde_json::from_str(&value(lines.next().unwrap())).unwrap();
        return [vec![command], args].concat();
    }
    let file: Value = serde_json::from_str(&text).unwrap_or_else(|fault| panic!("{fault}: {text}"));
    let servers = ["mcpServers", "servers", "context_servers"].iter().find_map(|name| file.get(name)).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let entry = &servers["hadal"];
    [vec![text(&entry["command"])], entry["args"].as_array().unwrap().iter().map(text).collect()].concat()
}

/// MC-02: after `connect` every client has a command that is hadal and speaks MCP; `--remove` takes it out; no key is written.
#[test]
fn mc_02_every_client_starts_hadal() {
    let user = User::new();
    for (client, file) in CLIENTS {
        assert!(user.connect(&[client]).status.success(), "{client}");
        let text = std::fs::read_to_string(user.at(file)).unwrap();
        assert!(!text.contains(KEY), "{text}");
        assert_eq!(std::fs::metadata(user.at(file)).unwrap().permissions().mode() & 0o777, 0o600);
        let line = started(&user.at(file));
        let mut command = std::process::Command::new(&line[0]);
        command.args(&line[1..]).env_clear().env("HOME", user.0.path()).env("HADAL_BACKGROUND", "no");
        let mut server = Client::start(command);
        server.open();
        assert!(
            !server.request("tools/list", serde_json::json!({}))["tools"].as_array().unwrap().is_empty(),
            "{client}"
        );
        drop(server);
        let again = user.connect(&[client, "--json"]);
        assert_eq!(serde_json::from_slice::<Value>(&again.stdout).unwrap()["changed"], false, "{client}");
        assert!(user.connect(&[client, "--remove"]).status.success());
        assert!(!user.at(file).exists(), "{client}: there was none");
    }
}

/// MC-02: comments, order and what others wrote stay to the byte, and the file as it was lies beside it.
#[test]
fn mc_02_the_rest_of_a_file_stays() {
    let user = User::new();
    let zed = "// Zed settings\n{\n  \"theme\": \"One Dark\", // dark\n  \"context_servers\": {\n    \"postgres\": { \"command\": \"pg\", \"args\": [] }, // work\n  },\n  /* last */\n  \"vim_mode\": true,\n}\n";
    let codex = "# model\nmodel = \"gpt-5\"\n\n[mcp_servers.docs]\nurl = \"https://docs.example/mcp\" # public\n\n[tui]\ntheme = 'x'\n";
    for (client, file, before) in [("zed", ".config/zed/settings.json", zed), ("codex", ".codex/config.toml", codex)] {
        user.write(file, before);
        let output = user.connect(&[client]);
        assert!(output.status.success(), "{output:?}");
        let after = std::fs::read_to_string(user.at(file)).unwrap();
        let mut rest = after.as_str();
        for line in before.lines() {
            let at = rest.find(line).unwrap_or_else(|| panic!("{line} is gone from {after}"));
            rest = rest.get(at + line.len()..).unwrap();
        }
        assert_eq!(std::fs::read_to_string(user.at(&format!("{file}.before-hadal"))).unwrap(), before);
        assert!(user.connect(&[client, "--remove"]).status.success());
        let removed = std::fs::read_to_string(user.at(file)).unwrap();
        assert_eq!(removed.trim_end(), before.trim_end());
    }
}

/// MC-02: taking hadal out again leaves the file as it was, to the byte, and none where there was none.
#[test]
fn mc_02_what_was_added_is_undone() {
    let json = [
        "{}",
        "{ }\n\n",
        "{\n    \"mcpServers\": {},\n    \"servers\": {},\n    \"context_servers\": {}\n}",
        "// mine\n\n",
        "",
    ];
    let toml = ["a = 1\n\n\n", "a = 1", "[mcp_servers.x]\r\nurl = 'y' # z\r\n", "# mine\n", ""];
    for (client, file) in CLIENTS {
        for before in if file.ends_with("toml") { toml } else { json } {
            let user = User::new();
            user.write(file, before);
            for _ in 0..2 {
                assert!(user.connect(&[client]).status.success());
                assert!(std::fs::read_to_string(user.at(file)).unwrap().contains("serve"));
                assert!(user.connect(&[client, "--remove"]).status.success());
                assert_eq!(std::fs::read_to_string(user.at(file)).unwrap(), before, "{client}");
                assert!(!user.at(&format!("{file}.before-hadal")).exists(), "it says the same");
            }
        }
        let user = User::new();
        assert!(user.connect(&[client]).status.success());
        assert!(user.connect(&[client, "--remove"]).status.success());
        assert!(!user.at(file).exists(), "{client}");
    }
}

/// MC-02: an entry of the user's own is never lost: it comes back, or lies in the copy beside the file.
#[test]
fn mc_02_an_entry_of_the_users_own_comes_back() {
    let own = "{\n  \"mcpServers\": {\n    \"hadal\": {\n      // mine\n      \"command\": \"/opt/my/hadal\",\n      \"args\": [\"serve\"] // so\n    }\n  }\n}\n";
    let beside = own.replace("{\n    \"hadal\"", "{\n    \"x\": {},\n    \"hadal\"");
    let toml = "[mcp_servers.hadal]\ncommand = \"/opt/my/hadal\"\nargs = [\"serve\"]\n";
    for (client, file, before) in [
        ("cursor", ".cursor/mcp.json", own),
        ("cursor", ".cursor/mcp.json", &beside),
        ("codex", ".codex/config.toml", toml),
    ] {
        let user = User::new();
        user.write(file, before);
        assert!(user.connect(&[client]).status.success());
        let text = std::fs::read_to_string(user.at(file)).unwrap();
        assert!(text.contains(env!("CARGO_BIN_EXE_hadal")) && !text.contains("/opt/my"), "{text}");
        assert_eq!(before.matches("//").count(), text.matches("//").count(), "comments stay: {text}");
        assert!(user.connect(&[client, "--remove"]).status.success());
        assert_eq!(std::fs::read_to_string(user.at(file)).unwrap(), before);
        // Who asks for it again means that one.
        assert!(user.connect(&[client, "--remove"]).status.success());
        assert!(!std::fs::read_to_string(user.at(file)).unwrap().contains("/opt/my"));
        assert_eq!(std::fs::read_to_string(user.at(&format!("{file}.before-hadal"))).unwrap(), before);
    }
}

/// MC-02: an entry that was brought up to date is taken out as the first one is.
#[test]
fn mc_02_what_was_added_twice_is_undone() {
    for (client, file, before) in [
        ("cursor", ".cursor/mcp.json", "{\"a\":1}"),
        ("cursor", ".cursor/mcp.json", "{\"mcpServers\":{\"x\":{\"command\":\"y\"}}}"),
        ("gemini-cli", ".gemini/settings.json", "{}"),
        ("codex", ".codex/config.toml", "a = 1\n\n\n"),
    ] {
        let user = User::new();
        user.write(file, before);
        let without_key = std::process::Command::new(env!("CARGO_BIN_EXE_hadal"))
            .env_clear()
            .env("HOME", user.0.path())
            .args(["connect", client])
            .output();
        assert!(without_key.unwrap().status.success());
        assert!(user.connect(&[client]).status.success());
        assert!(std::fs::read_to_string(user.at(file)).unwrap().contains("GEMINI_API_KEY"));
        assert!(user.connect(&[client, "--remove"]).status.success());
        assert_eq!(std::fs::read_to_string(user.at(file)).unwrap(), before);
    }
}

/// MC-02: what came into the file since stays; what hadal made alone is not kept as the user's.
#[test]
fn mc_02_later_changes_stay() {
    let user = User::new();
    for (client, file, begin, more) in [
        ("codex", ".codex/config.toml", "a = 1\n\n\n", "\n# mine\n[b]\nc = 1\n"),
        ("codex", ".codex/config.toml", "a = 1\n\n\n", "# mine\n"),
        ("cursor", ".cursor/mcp.json", "{}", "// mine\n"),
    ] {
        user.write(file, begin);
        assert!(user.connect(&[client]).status.success());
        let text = std::fs::read_to_string(user.at(file)).unwrap();
        user.write(file, &format!("{text}{more}"));
        assert!(user.connect(&[client, "--remove"]).status.success());
        let left = std::fs::read_to_string(user.at(file)).unwrap();
        assert!(left.ends_with(more.trim_start()) && !left.contains("serve"), "{left}");
        assert!(user.at(&format!("{file}.before-hadal")).exists());
    }
    // A file that hadal made and others write to has no state before hadal.
    let zed = ".config/zed/settings.json";
    assert!(user.connect(&["zed"]).status.success());
    user.write(zed, &std::fs::read_to_string(user.at(zed)).unwrap().replacen('{', "{\n  \"theme\": \"x\",", 1));
    assert!(user.connect(&["zed", "--remove"]).status.success());
    let left = std::fs::read_to_string(user.at(zed)).unwrap();
    assert!(left.contains("theme") && !left.contains("hadal"), "{left}");
    assert!(!user.at(&format!("{zed}.before-hadal")).exists(), "there was none");
}

/// MC-02: a file that cannot be parsed or written is left as it is, and the refusal has the lines to paste.
#[test]
fn mc_02_a_broken_or_read_only_file_is_left_alone() {
    let user = User::new();
    for (client, file) in CLIENTS {
        let broken = "{ \"mcpServers\": \n<<<<<<< HEAD\n";
        user.write(file, broken);
        let output = user.connect(&[client, "--json"]);
        assert_eq!((output.status.code(), code(&output).as_str()), (Some(4), "INVALID_CONFIG"), "{client}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("line ") && said.contains("by hand") && said.contains("\"serve\""), "{said}");
        assert_eq!(std::fs::read_to_string(user.at(file)).unwrap(), broken);
        std::fs::write(user.at(file), "").unwrap();
        std::fs::set_permissions(user.at(file), Permissions::from_mode(0o444)).unwrap();
        let output = user.connect(&[client, "--json"]);
        assert_eq!((output.status.code(), code(&output).as_str()), (Some(6), "PERMISSION_DENIED"), "{client}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("\"serve\""), "{output:?}");
        assert_eq!(std::fs::read_to_string(user.at(file)).unwrap(), "");
        let folder = user.at(file).parent().unwrap().read_dir().unwrap();
        let left: Vec<_> = folder
            .map(|entry| entry.unwrap().file_name())
            .filter(|name| name.to_string_lossy().contains("hadal"))
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

/// MC-02: keys of the environment are named in the client's own way; `--print` writes nothing.
#[test]
fn mc_02_keys_are_passed_on_by_name() {
    let user = User::new();
    for (client, says) in [
        ("codex", "env_vars = [\"GEMINI_API_KEY\"]"),
        ("gemini-cli", "\"GEMINI_API_KEY\": \"$GEMINI_API_KEY\""),
        ("cursor", "\"GEMINI_API_KEY\": \"${env:GEMINI_API_KEY}\""),
        ("windsurf", "\"GEMINI_API_KEY\": \"${env:GEMINI_API_KEY}\""),
    ] {
        let text = String::from_utf8(user.connect(&[client, "--print"]).stdout).unwrap();
        assert!(text.contains(says), "{text}");
    }
    assert!(user.0.path().read_dir().unwrap().next().is_none());
    let said = String::from_utf8(user.connect(&["claude-desktop"]).stdout).unwrap();
    assert!(said.contains("hadal key set gemini"), "{said}");
    // A client that did not fill the name in passes it on as the value.
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_hadal"));
    command.env_clear().env("HOME", user.0.path()).env("GEMINI_API_KEY", "$GEMINI_API_KEY");
    let list = String::from_utf8(command.args(["key", "list"]).output().unwrap().stdout).unwrap();
    assert!(list.lines().any(|line| line.starts_with("gemini ") && line.contains("not set")), "{list}");
}

/// MC-02: the file as it was before the first change stays beside it; links are written through and never replaced.
#[test]
fn mc_02_the_first_copy_stays() {
    let user = User::new();
    let (file, copy) = (".codex/config.toml", ".codex/config.toml.before-hadal");
    let before = "[mcp_servers.hadal]\nurl = \"https://hadal.example/mcp\"\nenabled = false\n";
    user.write(file, before);
    let said = String::from_utf8(user.connect(&["codex"]).stdout).unwrap();
    assert!(said.contains("`enabled = false`") && !said.contains("from now on"), "{said}");
    let text = std::fs::read_to_string(user.at(file)).unwrap();
    assert!(text.contains("command = ") && !text.contains("url"), "{text}");
    for _ in 0..2 {
        assert_eq!(std::fs::read_to_string(user.at(copy)).unwrap(), before);
        assert!(user.connect(&["codex", "--remove"]).status.success());
        assert_eq!(std::fs::read_to_string(user.at(file)).unwrap(), before);
        assert!(user.connect(&["codex"]).status.success());
    }
    std::fs::write(user.at(file), format!("{text}x = 1\n")).unwrap();
    assert!(user.connect(&["codex", "--remove"]).status.success());
    assert!(user.connect(&["codex"]).status.success());
    assert_eq!(std::fs::read_to_string(user.at(copy)).unwrap(), before, "the first one stays");
    std::fs::remove_file(user.at(copy)).unwrap();
    user.write("precious", "mine");
    std::os::unix::fs::symlink(user.at("precious"), user.at(copy)).unwrap();
    assert!(user.connect(&["codex"]).status.success());
    assert_eq!(std::fs::read_to_string(user.at("precious")).unwrap(), "mine");
    std::fs::create_dir_all(user.at(".cursor")).unwrap();
    std::fs::create_dir(user.at("dotfiles")).unwrap();
    std::os::unix::fs::symlink("../dotfiles/mcp.json", user.at(".cursor/mcp.json")).unwrap();
    assert!(user.connect(&["cursor"]).status.success());
    assert!(std::fs::symlink_metadata(user.at(".cursor/mcp.json")).unwrap().is_symlink());
    assert!(std::fs::read_to_string(user.at("dotfiles/mcp.json")).unwrap().contains("serve"));
}

/// MC-02: forms that cannot be edited are left alone, with the lines to paste.
#[test]
fn mc_02_other_forms_are_left_alone() {
    let user = User::new();
    for (client, file, text) in [
        ("codex", ".codex/config.toml", "[[mcp_servers]]\nname = \"x\"\n"),
        ("cursor", ".cursor/mcp.json", "{\"mcpServers\": {\"hadal\": {}, \"hadal\": {}}}"),
    ] {
        user.write(file, text);
        let output = user.connect(&[client, "--json"]);
        assert_eq!((output.status.code(), code(&output).as_str()), (Some(4), "INVALID_CONFIG"), "{client}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("\"serve\""), "{output:?}");
        assert_eq!(std::fs::read_to_string(user.at(file)).unwrap(), text);
    }
}
