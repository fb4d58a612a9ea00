//! A paid run is followed to its end, whoever goes.

use sim::interactions::{On, Plan, Service};
use tempfile::TempDir;

use super::*;

struct Lab {
    home: TempDir,
    api: Service,
}

impl Lab {
    fn new() -> Self {
        let api = Service::start(Plan { speed: 0.0, ..Plan::default() }).unwrap();
        Self { home: tempfile::tempdir().unwrap(), api }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hadal"));
        command
            .env_clear()
            .env("HADAL_HOME", self.home.path())
            .env("HOME", self.home.path())
            .env("HADAL_EVIDENCE", "off");
        command.env("GEMINI_API_KEY", "test-key-0123456789").env("GOOGLE_GEMINI_BASE_URL", self.api.url());
        command.env("HADAL_POLL_MS", "50").env("HADAL_GEMINI_API_RPS", "500").env("HADAL_RESOLVE_REDIRECTS", "no");
        command.current_dir(self.home.path());
        command
    }

    fn is_at_its_end(&self, id: &str, kept: &Kept) {
        self.api.advance(5_000.0);
        kept.gone();
        let results = shown(self.command(), &["results", id]);
        assert!(results["report"].as_str().unwrap().contains("Challenger Deep"), "{results:#}");
        assert_eq!(self.api.count(On::Create), 1);
    }
}

/// PR-03: `hadal start` ends and its run is followed to its end, with its cost, although nobody runs hadal again.
#[test]
fn pr_03_a_started_run_is_followed() {
    let lab = Lab::new();
    let kept = Kept::below(lab.home.path());
    let started = shown(lab.command(), &["start", "How deep is the sea?"]);
    let id = started["task_id"].as_str().unwrap();
    kept.there();
    let status = shown(lab.command(), &["status", id]);
    assert_eq!((&status["status"], &status["worked_on"]), (&json!("running_async"), &json!(true)), "{status:#}");
    lab.is_at_its_end(id, &kept);
}

/// PR-03: Ctrl-C ends the waiting for a paid run, not the run; it is handed over, and the command says so.
#[test]
fn pr_03_an_interrupted_paid_run_is_followed() {
    let lab = Lab::new();
    let kept = Kept::below(lab.home.path());
    let mut command = lab.command();
    let child = command.args(["start", "--wait", "How deep is the sea?"]).stderr(Stdio::piped()).spawn().unwrap();
    until("the run is followed", || lab.api.count(On::Get) > 0);
    signal(child.id(), Signal::INT);
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("goes on in the background") && told.contains("hadal cancel"), "{told}");
    let listed = shown(lab.command(), &["list"]);
    let id = listed["tasks"][0]["task_id"].as_str().unwrap();
    assert_eq!(listed["tasks"][0]["worked_on"], true);
    lab.is_at_its_end(id, &kept);
}
