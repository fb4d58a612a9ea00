//! HR-07: notes on a real session bus with a notification server.

use std::ffi::OsString;
use std::time::Duration;

use sim::notifications::{Desktop as Session, Server};

use super::*;
use crate::world::process::WardenProgram;

fn note(title: &str, body: &str) -> Note {
    Note { title: title.into(), body: body.into(), task_id: TaskId::from_random(7), urgency: Urgency::Critical }
}

const A_LOT: Duration = Duration::from_secs(120);
const TITLE: &str = "Research finished";
const BODY: &str = "<b>bold</b> & \"co\"\nsecond\u{202e} line";

/// A gate whose warden is not needed and is any program that reads.
fn gate() -> Gate {
    Gate::new(WardenProgram { program: "/bin/cat".into(), args: Vec::new() })
}

fn desktop_at(variable: &str, value: impl Into<OsString>) -> Desktop {
    Desktop::new(&ChildEnv(vec![(variable.into(), value.into())]), &gate())
}

/// What comes of a note to the session whose bus is at `address`.
async fn shown_at(address: &str) -> Result<(), String> {
    desktop_at("DBUS_SESSION_BUS_ADDRESS", address).show(&note(TITLE, BODY)).await
}

#[test]
fn notes_are_text_and_bounded() {
    let long = notification(&note(&"t".repeat(1_000), &"<".repeat(5_000)));
    assert_eq!(long.summary.chars().count(), limits::NOTE_TITLE_CHARS);
    assert!(long.body.starts_with("&lt;&lt;") && long.body.len() < 4 * limits::NOTE_BODY_CHARS + 100, "{}", long.body);
    assert!(long.body.ends_with("\nTask 00000000-0000-4000-8000-000000000007"));
    for (text, want) in [
        ("a\u{1b}[31m\tb\r\n\0 c", "a [31m b c"),
        ("", ""),
        ("1234567890", "1234567890"),
        ("12345678901", "123456789…"),
    ] {
        assert_eq!(plain(text, 10), want);
    }
}

/// HR-07: what the desktop gets is what was told, as text, once.
#[tokio::test]
async fn hr_07_a_note_reaches_the_desktop() {
    let mut session = Session::start(Server::Answers);
    assert_eq!(shown_at(session.address()).await, Ok(()));
    let got = session.next_note();
    assert_eq!(got["app_name"], "hadal");
    assert_eq!(got["summary"], TITLE);
    assert_eq!(
        got["body"],
        "&lt;b&gt;bold&lt;/b&gt; &amp; \"co\" second line\nTask 00000000-0000-4000-8000-000000000007"
    );
    assert_eq!((&got["urgency"], &got["replaces_id"], &got["expire_timeout"]), (&2.into(), &0.into(), &(-1).into()));
    assert_eq!((&got["app_icon"], &got["actions"]), (&"".into(), &serde_json::json!([])));
    // An address that leads nowhere is not the last word, and one that was told is.
    let several = format!("unix:path=/nowhere/bus;{0};{0}", session.address());
    assert_eq!(shown_at(&several).await, Ok(()));
    assert_eq!(session.next_note()["summary"], TITLE);
    assert_eq!(session.stop(), [serde_json::Value::Null; 0]);
}

/// HR-07: no desktop, one without a notification server, and one that hangs each give a reason in bounded time.
#[tokio::test]
async fn hr_07_without_a_desktop_the_reason_is_told() {
    let nowhere = tempfile::tempdir().unwrap();
    let address = format!("unix:path={}/bus", nowhere.path().display());
    assert!(shown_at(&address).await.unwrap_err().starts_with("the session bus is not there"));
    assert_eq!(shown_at("nonsense").await.unwrap_err(), "there is no session bus");
    let silent = Session::start(Server::None);
    assert!(shown_at(silent.address()).await.unwrap_err().contains("org.freedesktop.Notifications"));
    let hung = Session::start(Server::Hangs);
    assert_eq!(shown_at(hung.address()).await.unwrap_err(), "the desktop did not answer within 2 s");
}

/// HR-07: a session without an address listens at the usual place, and the doctor sees which is there.
#[tokio::test]
async fn hr_07_the_desktop_is_found() {
    let mut session = Session::start(Server::Answers);
    let path = session.address().strip_prefix("unix:path=").and_then(|rest| rest.split(',').next()).unwrap();
    let runtime = tempfile::tempdir().unwrap();
    let usual = desktop_at("XDG_RUNTIME_DIR", runtime.path());
    assert!(!usual.is_there());
    std::os::unix::fs::symlink(path, runtime.path().join("bus")).unwrap();
    assert!(usual.is_there());
    assert_eq!(usual.show(&note(TITLE, BODY)).await, Ok(()));
    assert_eq!(session.next_note()["summary"], TITLE);
    assert!(desktop_at("DBUS_SESSION_BUS_ADDRESS", session.address()).is_there());
    assert!(!desktop_at("DBUS_SESSION_BUS_ADDRESS", "nonsense").is_there());
}

/// HR-07: a program that shows notes is believed by its exit status, and what it complains of is the reason.
#[tokio::test]
async fn hr_07_a_program_may_show_it() {
    let shell = |script: &str| {
        let mut command = program::osascript("title", "body");
        command.program = "/bin/sh".into();
        command.args = vec!["-c".into(), script.into()];
        // A busy machine may take its time to start a shell.
        (command.limits.idle, command.limits.total) = (A_LOT, A_LOT);
        command
    };
    assert_eq!(run(&gate(), shell("exit 0")).await, Ok(()));
    let why = run(&gate(), shell("echo not allowed >&2; exit 3")).await.unwrap_err();
    assert!(why.contains("Code(3)") && why.contains("not allowed"), "{why}");
    let mut missing = shell("");
    missing.program = "/nowhere/osascript".into();
    assert!(run(&gate(), missing).await.unwrap_err().contains("/nowhere/osascript"));
}
