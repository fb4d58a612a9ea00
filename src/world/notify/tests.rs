//! HR-07: notes on a real session bus with a notification server.
//!
//! The library takes the address of the session from the environment, and a test must not change its own: what shows a
//! note is this test binary, run once more with another environment.

use sim::notifications::{Desktop, Server, run_at};

use super::*;

const ROLE: &str = "world::notify::tests::notes_are_text_and_bounded";

fn note(title: &str, body: &str) -> Note {
    Note { title: title.into(), body: body.into(), task_id: TaskId::from_random(7), urgency: Urgency::Critical }
}

const TITLE: &str = "Research finished";
const BODY: &str = "<b>bold</b> & \"co\"\nsecond\u{202e} line";

/// Shows a note in a process whose session bus is at `address`, and gives what came of it.
fn shown_at(address: &str) -> String {
    let this = std::env::current_exe().unwrap();
    let output = run_at(address, &this, &["--exact", ROLE, "--nocapture", "role=desktop"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let told = text.lines().find_map(|line| line.split_once("told: "));
    told.unwrap_or_else(|| panic!("{text}{}", String::from_utf8_lossy(&output.stderr))).1.to_owned()
}

/// The child's part.
fn tell() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let told = runtime.block_on(show(&note(TITLE, BODY)));
    let mut stdout = std::io::stdout();
    std::io::Write::write_all(&mut stdout, format!("\ntold: {told:?}\n").as_bytes()).unwrap();
}

#[test]
fn notes_are_text_and_bounded() {
    if std::env::args().any(|argument| argument == "role=desktop") {
        return tell();
    }
    let long = notification(&note(&"t".repeat(1_000), &"<".repeat(5_000)));
    assert_eq!(long.summary.chars().count(), limits::NOTE_TITLE_CHARS);
    assert!(long.body.starts_with("&lt;&lt;") && long.body.len() < 4 * limits::NOTE_BODY_CHARS + 100, "{}", long.body);
    assert!(long.body.ends_with("\nTask 00000000-0000-4000-8000-000000000007"));
    for (text, want) in
        [("a\u{1b}[31m\tb\r\n c", "a [31m b c"), ("", ""), ("1234567890", "1234567890"), ("12345678901", "123456789…")]
    {
        assert_eq!(plain(text, 10), want);
    }
}

/// HR-07: what the desktop gets is what was told, as text, once.
#[test]
fn hr_07_a_note_reaches_the_desktop() {
    let mut desktop = Desktop::start(Server::Answers);
    assert_eq!(shown_at(desktop.address()), "Ok(())");
    let got = desktop.next_note();
    assert_eq!(got["app_name"], "hadal");
    assert_eq!(got["summary"], TITLE);
    assert_eq!(
        got["body"],
        "&lt;b&gt;bold&lt;/b&gt; &amp; \"co\" second line\nTask 00000000-0000-4000-8000-000000000007"
    );
    assert_eq!(got["urgency"], 2);
    assert_eq!(desktop.stop(), [serde_json::Value::Null; 0]);
}

/// HR-07: no desktop, one without a notification server, and one that hangs each give a reason in bounded time.
#[test]
fn hr_07_without_a_desktop_the_reason_is_told() {
    let nowhere = tempfile::tempdir().unwrap();
    let address = format!("unix:path={}/bus", nowhere.path().display());
    assert!(shown_at(&address).starts_with("Err("));
    assert!(shown_at("nonsense").starts_with("Err("));
    let silent = Desktop::start(Server::None);
    assert!(shown_at(silent.address()).contains("org.freedesktop.Notifications"));
    let hung = Desktop::start(Server::Hangs);
    assert_eq!(shown_at(hung.address()), "Err(\"the desktop did not answer within 2 s\")");
}
