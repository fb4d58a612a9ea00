//! Settings and `hadal doctor`, through the real program.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use serde_json::{Value, json};

use crate::cli::{Done, Home};

fn config(home: &Home, variables: &[(&str, &OsStr)]) -> Done {
    let output = home.command().args(["config", "--json"]).envs(variables.iter().copied()).output().unwrap();
    Done {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn setting<'a>(reply: &'a Value, key: &str) -> &'a Value {
    reply["settings"].as_array().unwrap().iter().find(|setting| setting["key"] == key).unwrap()
}

fn write_config(home: &Home, toml: &str) {
    std::fs::create_dir_all(home.0.path().join("config")).unwrap();
    std::fs::write(home.0.path().join("config/hadal.toml"), toml).unwrap();
}

#[test]
fn config_shows_values_and_origins_but_no_secret() {
    let home = Home::new();
    write_config(&home, "max_tasks = 3\n\n[budget]\ncost_usd = 1.5\n");
    let done = config(&home, &[("HADAL_LOG", "warn".as_ref()), ("GEMINI_API_KEY", "canary".as_ref())]);
    assert_eq!((done.status, done.stderr.as_str()), (0, ""));
    assert!(!done.stdout.contains("canary"), "{}", done.stdout);
    let reply = done.json();
    for (key, value, origin) in [
        ("engine", json!("auto"), "default"),
        ("max_tasks", json!("3"), "hadal.toml, line 1"),
        ("budget.cost_usd", json!("1.5"), "hadal.toml, line 4"),
        ("log", json!("warn"), "environment variable HADAL_LOG"),
        ("call_window", Value::Null, "default"),
    ] {
        let shown = setting(&reply, key);
        assert_eq!(shown["value"], value, "{key}");
        assert!(shown["origin"].as_str().unwrap().ends_with(origin), "{shown}");
    }
    let text = home.run(&["config"]).stdout;
    assert!(text.contains("max_tasks") && text.contains("hadal.toml, line 1"), "{text}");
}

#[test]
fn bad_settings_stop_every_command_at_its_start() {
    let home = Home::new();
    for (variable, value) in [
        ("HADAL_ENGINE", &b"gpt"[..]),
        ("HADAL_MAX_TASKS", b"0"),
        ("HADAL_BUDGET_USD", b"cheap"),
        ("HADAL_LOG", b"\xff\xfe"),
    ] {
        let done = config(&home, &[(variable, OsStr::from_bytes(value))]);
        assert_eq!((done.status, done.code().as_str()), (4, "INVALID_CONFIG"), "{variable}");
        assert!(done.stderr.contains(variable), "{}", done.stderr);
    }
    let done = config(&home, &[("HADAL_MAX_TASK", "3".as_ref())]);
    assert_eq!((done.status, done.code().as_str()), (4, "INVALID_CONFIG"));
    assert!(done.stderr.contains("unknown environment variable `HADAL_MAX_TASK`"), "{}", done.stderr);
    assert!(done.stderr.contains("hint: did you mean `HADAL_MAX_TASKS`?"), "{}", done.stderr);
    // A flag is an argument, whatever setting it stands for.
    for (flag, value) in
        [("--budget-usd", "-1"), ("--budget-tokens", "0"), ("--budget-seconds", "0"), ("--engine", "gpt")]
    {
        let done = home.run(&["deep-research", "--json", "how deep?", flag, value]);
        assert_eq!((done.status, done.code().as_str()), (2, "INVALID_ARGUMENT"), "{flag}");
        assert!(done.stderr.contains(&format!("flag `{flag}`: `{value}`")), "{}", done.stderr);
    }
    write_config(&home, "max_task = 3\n");
    for command in ["list", "serve", "doctor"] {
        let done = home.run(&[command, "--json"]);
        assert_eq!(done.code(), "INVALID_CONFIG");
        assert!(done.stderr.contains("line 1: unknown key `max_task`"), "{}", done.stderr);
        assert!(done.stderr.contains("hint: did you mean `max_tasks`?"), "{}", done.stderr);
    }
}

/// DS-10: with nothing available every rung is explained. hadal itself works, so the exit status is 0.
#[test]
fn doctor_explains_every_rung() {
    let home = Home::new();
    let done = home.run(&["doctor", "--json"]);
    let reply = done.json();
    assert_eq!((done.status, &reply["success"]), (0, &json!(true)), "{}", done.stderr);
    assert!(!done.stderr.contains("error["), "{}", done.stderr);
    let engines: Vec<&str> =
        reply["engines"].as_array().unwrap().iter().map(|e| e["engine"].as_str().unwrap()).collect();
    assert_eq!(engines, ["gemini-cli", "gemini-api", "native", "extractive"]);
    for engine in reply["engines"].as_array().unwrap() {
        assert_eq!(engine["usable"], false);
        assert!(engine["reason"].is_string() && engine["fix"].is_string(), "{engine}");
    }
    for check in reply["checks"].as_array().unwrap() {
        assert_ne!(check["state"], "broken", "{check}");
    }
}

/// The facts about the Gemini API and the desktop, without asking anybody: the address is a port that is watched.
#[test]
fn doctor_shows_the_gemini_api_and_asks_nobody() {
    let home = Home::new();
    let api = sim::interactions::Service::start(sim::interactions::Plan::default()).unwrap();
    let doctor = |variables: &[(&str, &str)], json: bool| {
        let args: &[&str] = if json { &["doctor", "--json"] } else { &["doctor"] };
        let mut command = home.command();
        command.args(args).env("GOOGLE_GEMINI_BASE_URL", api.url()).envs(variables.iter().copied());
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    let bare: Value = serde_json::from_str(&doctor(&[], true)).unwrap();
    let known = ["deep-research-preview-04-2026", "deep-research-max-preview-04-2026"];
    let facts = json!({"key_set": false, "base_url": api.url(), "version": "v1beta", "model": "gemini-3.8-flash",
        "agent": known[0], "known_agents": known});
    assert_eq!(bare["gemini_api"], facts, "{bare:#}");
    assert_eq!(bare["notifications"], json!({"enabled": true, "session_bus": !cfg!(target_os = "linux")}));
    let gone: Value =
        serde_json::from_str(&doctor(&[("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")], true)).unwrap();
    assert_eq!(gone["notifications"]["session_bus"], !cfg!(target_os = "linux"));
    let set = [
        ("GEMINI_API_KEY", "canary"),
        ("HADAL_DEEP_RESEARCH_AGENT", "deep-research-pro-preview-12-2025"),
        ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere;unix:path=/dev/null"),
    ];
    let reply: Value = serde_json::from_str(&doctor(&set, true)).unwrap();
    assert_eq!((&reply["success"], &reply["gemini_api"]["key_set"]), (&json!(true), &json!(true)), "{reply:#}");
    assert_eq!(reply["gemini_api"]["agent"], known[0]);
    assert!(reply["gemini_api"]["warning"].as_str().unwrap().contains("shut down"), "{reply:#}");
    assert_eq!(reply["notifications"]["session_bus"], true);
    let text = doctor(&set, false);
    for line in
        ["  yes gemini-api  GEMINI_API_KEY is set\n", "  key: set\n", "Notifications: on, through the desktop\n"]
    {
        assert!(text.contains(line), "{text}");
    }
    let off = doctor(&[("HADAL_NOTIFICATIONS", "no"), ("HADAL_DEEP_RESEARCH_AGENT", "deep-thought")], false);
    assert!(
        off.contains("Notifications: switched off") && off.contains("does not know the agent `deep-thought`"),
        "{off}"
    );
    assert!(!text.contains("canary") && api.requests().is_empty());
}

/// A home that cannot be made: every command that needs it has a coded error.
#[test]
fn a_home_that_is_a_file_is_a_coded_error() {
    let home = Home::new();
    std::fs::write(home.0.path().join("file"), "").unwrap();
    let done = home.run(&["doctor", "--json", "--home", "file"]);
    assert_eq!(done.status, 4);
    assert_eq!(done.code(), "INVALID_CONFIG");
}
