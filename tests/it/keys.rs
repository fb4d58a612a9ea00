//! `hadal key` through the real program: from a pipe and from a terminal.

use std::ffi::OsString;
use std::fs::{File, Permissions};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Stdio;

use rustix::pty::OpenptFlags;
use rustix::termios::{LocalModes, tcgetattr};
use serde_json::Value;
use sim::interactions::{Plan, Service};

use crate::cli::{Done, Home};

const CANARY: &str = "canary-4be1f7\"\\tell=nobody";

fn set(home: &Home, name: &str, stdin: &str) -> Done {
    let args = ["key", "set", name].map(OsString::from).to_vec();
    home.run_with(args, stdin.as_bytes())
}

fn file(home: &Home) -> PathBuf {
    home.0.path().join("config/keys.toml")
}

fn mode(home: &Home) -> u32 {
    std::fs::metadata(file(home)).unwrap().permissions().mode() & 0o777
}

fn origin(home: &Home, variables: &[(&str, &str)]) -> Option<String> {
    let output = home.command().args(["config", "--json"]).envs(variables.iter().copied()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains("canary"), "{text}");
    let reply: Value = serde_json::from_str(&text).unwrap();
    let settings = reply["settings"].as_array().unwrap();
    let shown = settings.iter().find(|setting| setting["key"] == "gemini_api_key").unwrap();
    shown["value"].as_str().map(|_| shown["origin"].as_str().unwrap().to_owned())
}

/// MC-02: a kept key is private, is used, gives way to the environment, and is shown by its origin alone.
#[test]
fn mc_02_a_key_is_kept_used_and_forgotten() {
    let home = Home::new();
    let done = set(&home, "gemini", &format!("{CANARY}\r\nsecond line"));
    assert_eq!((done.status, mode(&home)), (0, 0o600), "{}", done.stderr);
    assert!(!format!("{}{}", done.stdout, done.stderr).contains("canary"), "{} {}", done.stdout, done.stderr);
    assert!(origin(&home, &[]).unwrap().starts_with("key file "));
    let first = origin(&home, &[("GEMINI_API_KEY", "canary-other")]);
    assert_eq!(first.as_deref(), Some("environment variable GEMINI_API_KEY"));

    let api = Service::start(Plan::default()).unwrap();
    let mut command = home.command();
    command.args(["start", "how deep is the sea?"]).env("GOOGLE_GEMINI_BASE_URL", api.url());
    let started = command.env("HADAL_POLL_MS", "50").output().unwrap();
    assert!(started.status.success(), "{started:?}");
    assert!(api.requests().iter().any(|request| request.key.as_deref() == Some(CANARY)));

    assert_eq!(set(&home, "BRAVE_API_KEY", "canary-brave").status, 0);
    let list = home.run(&["key", "list"]).stdout;
    assert!(list.contains("gemini") && list.contains("key file") && !list.contains("canary"), "{list}");
    assert_eq!(home.run(&["key", "remove", "gemini"]).status, 0);
    assert_eq!(origin(&home, &[]), None);
    let again = home.run(&["key", "remove", "gemini", "--json"]);
    assert_eq!((again.status, again.code().as_str()), (2, "INVALID_ARGUMENT"));
    let kept = std::fs::read_to_string(file(&home)).unwrap();
    assert!(kept.contains("BRAVE_API_KEY = \"canary-brave\"") && !kept.contains("tell"), "{kept}");
}

/// MC-02: what is no key is refused without being repeated, and changes nothing.
#[test]
fn mc_02_what_is_no_key_is_refused() {
    let home = Home::new();
    for (name, stdin) in [
        ("gemini", ""),
        ("gemini", "\n"),
        ("gemini", "can ary"),
        ("gemini", "canäry"),
        ("bing", "canary"),
        ("gemini", &"canary".repeat(10_000)),
    ] {
        let done = set(&home, name, stdin);
        assert_eq!(done.status, 2, "{name}: {}", done.stderr);
        assert!(!done.stderr.contains("can"), "{}", done.stderr);
    }
    assert!(!file(&home).exists());
    // A value in the arguments would be seen by every user of the machine.
    assert_eq!(home.run(&["key", "set", "gemini", "canary"]).status, 2);
}

/// MC-02: a file that others can read is closed and that is said; one that cannot be read stops the program without showing it.
#[test]
fn mc_02_an_open_or_broken_file_of_keys_is_noticed() {
    let home = Home::new();
    assert_eq!(set(&home, "gemini", CANARY).status, 0);
    std::fs::set_permissions(file(&home), Permissions::from_mode(0o644)).unwrap();
    let done = home.run(&["key", "list"]);
    assert!(done.stderr.contains("was open to other users"), "{}", done.stderr);
    assert_eq!(mode(&home), 0o600);
    assert_eq!(home.run(&["key", "list"]).stderr, "");
    std::fs::write(file(&home), "GEMINI_API_KEY = canary").unwrap();
    let done = home.run(&["key", "list", "--json"]);
    assert_eq!((done.status, done.code().as_str()), (4, "INVALID_CONFIG"));
    assert!(done.stderr.contains("keys.toml`, line 1") && !done.stderr.contains("canary"), "{}", done.stderr);
}

/// A new terminal: its two ends.
fn terminal() -> (File, File) {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
    let master: OwnedFd = rustix::pty::openpt(flags).unwrap();
    rustix::pty::grantpt(&master).unwrap();
    rustix::pty::unlockpt(&master).unwrap();
    let name = rustix::pty::ptsname(&master, Vec::new()).unwrap();
    let open = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    (File::from(master), open)
}

/// MC-02: what is typed at the prompt is not shown, and the terminal is as before, also after Ctrl-C.
#[test]
fn mc_02_a_typed_key_is_not_shown() {
    let home = Home::new();
    for (typed, status) in [(format!("{CANARY}\n"), 0), ("canary\u{3}".to_owned(), 3)] {
        let (mut keyboard, screen) = terminal();
        let mut command = home.command();
        command.args(["key", "set", "gemini"]).stdin(screen.try_clone().unwrap());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut said = child.stderr.take().unwrap();
        let mut prompt = Vec::new();
        while !prompt.ends_with(b": ") {
            let mut byte = [0];
            said.read_exact(&mut byte).unwrap();
            prompt.extend(byte);
        }
        keyboard.write_all(typed.as_bytes()).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(status), "{typed:?}");
        assert!(tcgetattr(&screen).unwrap().local_modes.contains(LocalModes::ECHO | LocalModes::ISIG));
        // What the terminal shows is what was echoed and what is written to it now.
        (&screen).write_all(b"end").unwrap();
        let mut shown = Vec::new();
        while !shown.ends_with(b"end") {
            let mut bytes = [0; 256];
            let count = keyboard.read(&mut bytes).unwrap();
            shown.extend_from_slice(&bytes[..count]);
        }
        assert_eq!(String::from_utf8_lossy(&shown), "end");
    }
    let kept = std::fs::read_to_string(file(&home)).unwrap();
    assert!(kept.contains("tell=nobody"), "{kept}");
}
