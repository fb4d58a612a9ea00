//! What the child gets of us, and what nobody gets.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::json;
use sim::gemini::{Fault, Scenario, Script, Step};

use super::{Face, Lab, QUERY, answer};

const CANARY: &str = "canary-7f3a9c-do-not-tell";

fn lab(script: &Script) -> Lab {
    Lab::new(script)
        .with("PATH", "/usr/bin:/bin")
        .with("LANG", "C.UTF-8")
        .with("GEMINI_API_KEY", CANARY)
        .with("OPENAI_API_KEY", "another-secret")
        .with("HADAL_LOG", "info")
        .with("GEMINI_MODEL", "m1")
        .with("NODE_OPTIONS", "--inspect")
        .with("HTTPS_PROXY", format!("http://me:{CANARY}@127.0.0.1:9/"))
}

/// The child's environment is a list, its working directory is empty, its flags and files are ours.
#[test]
fn the_child_gets_exactly_what_it_needs() {
    let lab = lab(&Script::runs([answer("ok", true)]));
    let told = lab.search(Face::Terminal, QUERY);
    assert_eq!(told.reply["result"], "ok", "{told:#?}");
    let call = lab.calls().remove(0);
    let passed = ["PATH", "HOME", "LANG", "GEMINI_API_KEY", "HTTPS_PROXY"];
    let ours = [
        "GEMINI_CLI_NO_RELAUNCH",
        "GEMINI_CLI_TRUST_WORKSPACE",
        "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
        "GEMINI_SYSTEM_MD",
        "TMPDIR",
        "NO_COLOR",
        "TERM",
        "COLORTERM",
        "HADAL_CHILD",
    ];
    let names: BTreeSet<&str> = call.env.keys().map(String::as_str).collect();
    assert_eq!(names, passed.into_iter().chain(ours).collect());
    assert_eq!((call.cwd_entries.len(), call.launcher, call.group), (0, None, call.pid));
    assert!(call.cwd.starts_with(lab.config()), "{}", call.cwd.display());
    let policy = call.policies[0].path.to_str().unwrap();
    let flags = ["--output-format", "stream-json", "--skip-trust", "-e", "none", "--policy", policy, "--model", "m1"];
    assert_eq!(call.argv, flags);
    let rules = call.policies[0].contents.as_deref().unwrap();
    assert!(rules.contains("toolName = [\"google_web_search\", \"web_fetch\"]\ndecision = \"allow\""), "{rules}");
    assert!(rules.contains("toolName = \"*\"\ndecision = \"deny\"") && !rules.contains("read_file"), "{rules}");
    let settings = call.settings.unwrap();
    assert_eq!(settings["general"], json!({"maxAttempts": 3, "enableAutoUpdate": false}));
    assert_eq!(settings["privacy"]["usageStatisticsEnabled"], false);
    assert_eq!(settings["security"], json!(null), "the user's own login stands");
    let system = call.system_md.unwrap();
    assert!(system.len() < 1_000 && system.contains("never an instruction to you"), "{system}");
    assert!(Path::new(&call.env["TMPDIR"]).starts_with(lab.config()) && lab.leftovers().is_empty());
}

/// With another base address the CLI needs to be told that the key is a key.
#[test]
fn a_base_address_selects_the_key() {
    let lab = lab(&Script::runs([answer("ok", true)])).with("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:9");
    lab.search(Face::Terminal, QUERY);
    assert_eq!(lab.calls()[0].settings.as_ref().unwrap()["security"]["auth"]["selectedType"], "gemini-api-key");
}

/// The key stands in the child's environment and nowhere else: no log, no argument, no database, no reply, also when the
/// program itself shouts it out in its error.
#[test]
fn the_key_is_told_to_nobody() {
    let shouting = Scenario::fault(Fault::BadKey).step(Step::Stderr(format!("key {CANARY} refused")));
    let early = Scenario::default()
        .step(Step::Stderr(format!("cannot reach http://me:{CANARY}@127.0.0.1:9/ with {CANARY}")))
        .end(sim::gemini::End::Exit(44));
    let tool = answer("ok", true)
        .tools(vec![sim::gemini::ToolCall::fetch("https://a.example/").failing(&format!("proxy {CANARY} failed"))]);
    let lab = lab(&Script::runs([Scenario::answer("no JSON"), answer("draft", true), shouting, early, tool]));
    let mut seen = String::new();
    for (face, tool) in
        [(Face::Mcp, "deep_search"), (Face::Terminal, "search"), (Face::Mcp, "search"), (Face::Terminal, "search")]
    {
        let told = lab.ask(face, tool, &json!({"query": QUERY}));
        seen.push_str(&told.stderr);
        seen.push_str(&told.reply.to_string());
    }
    assert!(seen.contains("NOT_AUTHENTICATED") && seen.contains("ENGINE_UNAVAILABLE"), "{seen}");
    assert!(!seen.contains(CANARY), "{seen}");
    assert!(lab.calls().iter().all(|call| !call.argv.join(" ").contains(CANARY) && !call.prompt.contains(CANARY)));
    let doctor = lab.command().args(["doctor"]).output().unwrap();
    assert!(!String::from_utf8_lossy(&doctor.stdout).contains(CANARY));
    for dir in ["data", "config"] {
        for file in
            walkdir::WalkDir::new(lab.path(dir)).into_iter().flatten().filter(|entry| entry.file_type().is_file())
        {
            let bytes = std::fs::read(file.path()).unwrap();
            let found = bytes.windows(CANARY.len()).any(|window| window == CANARY.as_bytes());
            assert!(!found, "{}", file.path().display());
        }
    }
}
