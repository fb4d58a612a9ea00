//! The fake is run as hadal would run it, with nothing inherited.

mod faults;
mod processes;

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};

use super::*;

const POLICY: &str =
    "[[rule]]\ntoolName = [\"google_web_search\", \"web_fetch\", \"read_file\"]\ndecision = \"allow\"\n";

/// A fake with a home, a working directory and a policy, as a caller would set it up.
struct Bench {
    root: tempfile::TempDir,
    fake: FakeGemini,
}

impl Bench {
    fn new(script: &Script) -> Self {
        let root = tempfile::tempdir().unwrap();
        for dir in ["home", "cwd", "config"] {
            fs::create_dir(root.path().join(dir)).unwrap();
        }
        fs::write(root.path().join("config/policy.toml"), POLICY).unwrap();
        let fake = FakeGemini::install(&root.path().join("bin"));
        fake.script(script);
        Self { root, fake }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    #[expect(clippy::disallowed_methods, reason = "the fake is what is tested")]
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(self.fake.program());
        command.args(args).env_clear().current_dir(self.path("cwd")).env("HOME", self.path("home"));
        command.env("TMPDIR", self.root.path()).env("GEMINI_CLI_NO_RELAUNCH", "true").env("TERM", "xterm-256color");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Starts it the recommended way.
    fn start(&self, prompt: &str) -> Child {
        let policy = self.path("config/policy.toml");
        feed(self.command(&["-o", "stream-json", "--skip-trust", "--policy", policy.to_str().unwrap()]), prompt)
    }

    fn run(&self, prompt: &str) -> (Option<i32>, Vec<Value>) {
        let output = self.start(prompt).wait_with_output().unwrap();
        (output.status.code(), events(&output))
    }
}

fn feed(mut command: Command, prompt: &str) -> Child {
    let mut child = command.spawn().unwrap();
    // A child that does not read its input is none of our business here.
    let _ = child.stdin.take().unwrap().write_all(prompt.as_bytes());
    child
}

fn events(output: &Output) -> Vec<Value> {
    String::from_utf8_lossy(&output.stdout).lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn kinds(events: &[Value]) -> Vec<&str> {
    events.iter().filter_map(|event| event["type"].as_str()).collect()
}

fn deltas(events: &[Value]) -> String {
    events.iter().filter(|event| event["delta"] == true).filter_map(|event| event["content"].as_str()).collect()
}

#[test]
fn a_research_run_has_the_events_of_the_real_one_and_its_sources_in_the_session_file() {
    let scenario = Scenario::json(&json!({"report": "deep"}))
        .search("sea", &["https://a.example/1", "https://b.example/2"])
        .fetch("https://a.example/1")
        .model("gemini-9-test");
    let bench = Bench::new(&Script::runs([scenario]));
    let (code, events) = bench.run("How deep is the sea?");

    assert_eq!(code, Some(0));
    let expected = ["init", "message", "tool_use", "tool_result", "tool_use", "tool_result", "message", "result"];
    assert_eq!(kinds(&events), expected);
    assert_eq!(events[2]["parameters"]["query"], "sea");
    assert_eq!(events[3]["output"], "Search results for \"sea\" returned.");
    assert!(deltas(&events).contains("\"report\": \"deep\""));
    assert!(events[7]["stats"]["models"]["gemini-9-test"]["input_tokens"].as_u64().unwrap() > 0);
    assert_eq!(events[7]["stats"]["tool_calls"], 2);
    assert!(!format!("{events:?}").contains("b.example"), "sources are not on stdout");

    let chats = bench.path("home/.gemini/tmp/cwd/chats");
    let file = fs::read_dir(chats).unwrap().next().unwrap().unwrap().path();
    let call = &bench.fake.calls()[0];
    assert!(file.to_str().unwrap().ends_with(&format!("-{}.jsonl", &call.session_id.split('-').next().unwrap())));
    let lines: Vec<Value> =
        fs::read_to_string(file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let search = lines.iter().find(|line| line["toolCalls"][0]["name"] == "google_web_search").unwrap();
    assert_eq!(search["model"], "gemini-9-test");
    let output = search["toolCalls"][0]["result"][0]["functionResponse"]["response"]["output"].as_str().unwrap();
    assert!(output.ends_with("Sources:\n[1] a.example (https://a.example/1)\n[2] b.example (https://b.example/2)"));
    assert_eq!(lines.iter().filter(|line| line["id"] == search["id"]).count(), 2, "the turn is there twice");
}

#[test]
fn a_run_is_recorded_with_all_it_was_given() {
    let bench = Bench::new(&Script::always(Scenario::answer("ok")));
    let invalid = bench.path("config/temp-invalid-output-17.txt");
    fs::write(&invalid, "half {").unwrap();
    fs::write(bench.path("config/system.md"), "be brief").unwrap();
    fs::write(bench.path("config/settings.json"), r#"{"general":{"maxAttempts":2}}"#).unwrap();
    fs::write(bench.path("cwd/secret.txt"), "s").unwrap();
    let config = bench.path("config");
    let args =
        ["--output-format=stream-json", "--skip-trust", "--include-directories", config.to_str().unwrap(), "-m", "pro"];
    let mut command = bench.command(&args);
    command.env("GEMINI_SYSTEM_MD", config.join("system.md")).env("GEMINI_API_KEY", "k");
    command.env("GEMINI_CLI_SYSTEM_SETTINGS_PATH", config.join("settings.json"));
    let prompt = format!("mend {}. See @secret.txt and \\@secret.txt and @/etc/passwd", invalid.display());
    let output = feed(command, &prompt).wait_with_output().unwrap();
    assert!(output.status.success());

    let calls = bench.fake.calls();
    let [call] = calls.as_slice() else { panic!("one call") };
    assert_eq!(call.prompt, prompt);
    assert_eq!(call.flag("-m"), Some("pro"));
    assert_eq!(call.flag("--output-format"), Some("stream-json"));
    assert_eq!(call.model, "gemini-3.1-pro-preview");
    assert_eq!(call.system_md.as_deref(), Some("be brief"));
    assert_eq!(call.settings.as_ref().unwrap()["general"]["maxAttempts"], 2);
    assert_eq!(call.env["GEMINI_API_KEY"], "(set)");
    assert_eq!(call.invalid_outputs[0].contents.as_deref(), Some("half {"));
    assert!(call.invalid_outputs[0].in_workspace);
    assert_eq!(call.expanded, [bench.path("cwd/secret.txt").canonicalize().unwrap()]);
    assert_eq!(call.cwd_entries, ["secret.txt"]);
    assert_eq!(call.ended.as_ref().map(|ended| (ended.code, ended.how.as_str())), Some((0, "end")));
    assert!(bench.fake.survivors().is_empty());
}

#[test]
fn concurrent_runs_take_different_scenarios() {
    let names: Vec<String> = (0..8).map(|n| format!("scenario {n}")).collect();
    let bench = Bench::new(&Script::runs(names.iter().map(|name| Scenario::answer(name).name(name))));
    let children: Vec<Child> = names.iter().map(|_| bench.start("go")).collect();
    let mut answers: Vec<String> =
        children.into_iter().map(|child| deltas(&events(&child.wait_with_output().unwrap()))).collect();
    answers.sort();
    assert_eq!(answers, names);
    let runs: Vec<usize> = bench.fake.calls().iter().map(|call| call.run).collect();
    assert_eq!(runs, (0..8).collect::<Vec<_>>());

    let (code, _) = bench.run("one too many");
    assert_eq!(code, Some(99));
}

#[test]
fn the_prompt_can_choose_the_scenario() {
    let script = Script::always(Scenario::answer("other"))
        .once(&["tea"], Scenario::answer("first"))
        .when(&["tea", "cup"], Scenario::answer("cup"));
    let bench = Bench::new(&script);
    for (prompt, answer) in [("tea", "first"), ("tea cup", "cup"), ("tea", "other"), ("cup of tea", "cup")] {
        assert_eq!(deltas(&bench.run(prompt).1), answer, "{prompt}");
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the fake is what is tested")]
fn the_script_is_found_beside_a_symbolic_link_on_the_path() {
    let bench = Bench::new(&Script::default());
    let other = bench.path("other");
    fs::create_dir(&other).unwrap();
    std::os::unix::fs::symlink(bench.fake.program(), other.join("gemini")).unwrap();
    fs::write(other.join("script.json"), r#"[{"answer": "from the link"}]"#).unwrap();

    let mut command = Command::new("gemini");
    command.args(["-p", "hi", "--skip-trust"]).env_clear().env("PATH", &other).env("GEMINI_CLI_NO_RELAUNCH", "true");
    let output = command.stdin(Stdio::null()).current_dir(bench.path("cwd")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "from the link");
    assert!(bench.fake.calls().is_empty());
}
