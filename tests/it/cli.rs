//! The command line with bad input: every answer is a coded error on the right channel, with its exit status.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// What a finished command left behind.
pub(crate) struct Done {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Done {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            status: output.status.code().expect("an exit status, not a signal"),
            stdout: String::from_utf8(output.stdout).expect("text"),
            stderr: String::from_utf8(output.stderr).expect("text"),
        }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|fault| panic!("{fault}: {}", self.stdout))
    }

    /// The error of `--json`, checked to be on stderr for people too.
    pub(crate) fn code(&self) -> String {
        let reply = self.json();
        assert_eq!(reply["success"], false, "{reply}");
        let code = reply["error"]["code"].as_str().expect("a code").to_owned();
        assert!(reply["error"]["hints"].is_array(), "{reply}");
        assert!(self.stderr.contains(&format!("error[{code}]: ")), "{}", self.stderr);
        code
    }
}

/// An installation of its own.
pub(crate) struct Home(pub(crate) TempDir);

impl Home {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a directory"))
    }

    /// A command in an empty environment but for the home.
    pub(crate) fn command(&self) -> Command {
        #[expect(clippy::disallowed_methods, reason = "the test starts the program as a shell does")]
        let mut command = Command::new(env!("CARGO_BIN_EXE_hadal"));
        command
            .env_clear()
            .env("HADAL_BACKGROUND", "no")
            .env("HADAL_WEB", "no")
            .env("HADAL_HOME", self.0.path())
            .current_dir(self.0.path());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Done {
        self.run_with(args.iter().map(OsString::from).collect(), b"")
    }

    pub(crate) fn run_with(&self, args: Vec<OsString>, stdin: &[u8]) -> Done {
        let mut command = self.command();
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("hadal starts");
        let mut pipe = child.stdin.take().expect("a pipe");
        let bytes = stdin.to_vec();
        // A program that has read enough closes the pipe; that is its right.
        let writer = std::thread::spawn(move || drop(pipe.write_all(&bytes)));
        let output = child.wait_with_output().expect("hadal ends");
        writer.join().expect("the writer ends");
        Done::of(output)
    }
}

const RESEARCH: [&str; 5] = ["search", "deep-search", "deep-research", "start", "estimate"];

/// HR-04: whatever command takes a question refuses what is none, also a megabyte of it.
#[test]
fn questions_that_are_none_are_refused() {
    let home = Home::new();
    let megabyte = vec![b'x'; 1 << 20];
    for command in RESEARCH {
        for (stdin, says) in [
            (&megabyte[..], "longer than 10000"),
            (b"", "empty"),
            (b"ab", "at least 3"),
            (b"what\0now", "U+0000"),
            (b"what \x1b[31m now", "U+001B"),
            (b"what \xff\xfe now", "not valid UTF-8"),
        ] {
            let done = home.run_with(vec![command.into(), "--json".into(), "-".into()], stdin);
            assert_eq!((done.status, done.code().as_str()), (2, "INVALID_QUERY"), "{command}");
            assert!(done.stderr.contains(says) && done.stderr.len() < 1_000, "{}", done.stderr);
        }
    }
}

#[test]
fn arguments_that_are_not_text_are_refused() {
    let home = Home::new();
    let garbage = OsStr::from_bytes(b"what \xff is it").to_owned();
    for command in RESEARCH {
        let done = home.run_with(vec![command.into(), "--json".into(), garbage.clone()], b"");
        assert_eq!((done.status, done.code().as_str()), (2, "INVALID_QUERY"), "{command}");
    }
    for args in [&["status"][..], &["results"], &["cancel"], &["save"], &["list", "--status"]] {
        let args = args.iter().map(OsString::from).chain(["--json".into(), garbage.clone()]);
        // The value of `--status` must follow it.
        let mut args: Vec<OsString> = args.collect();
        if args[0] == "list" {
            args.swap(1, 2);
        }
        let done = home.run_with(args, b"");
        assert_eq!((done.status, done.code().as_str()), (2, "INVALID_ARGUMENT"));
    }
}

/// Long and hostile arguments that are text.
#[test]
fn a_long_argument_is_refused_shortly() {
    let home = Home::new();
    let long = "é".repeat(50_000);
    for (args, code) in [
        (vec!["search", "--json", &long], "INVALID_QUERY"),
        (vec!["status", "--json", &long], "INVALID_TASK_ID"),
        (vec!["list", "--json", &long], "INVALID_ARGUMENT"),
        (vec!["search", "--json", "why?", "--engine", &long], "INVALID_ARGUMENT"),
        (vec!["save", "--json", ID, "--prefix", &long], "INVALID_ARGUMENT"),
    ] {
        let done = home.run(&args);
        assert_eq!(done.code(), code);
        assert!(done.stderr.len() < 5_000, "{} bytes", done.stderr.len());
    }
}

const ID: &str = "3f2b8c1e-5d44-4a0e-9c57-0b6f2f0e7a11";

#[test]
fn ids_that_are_none_are_refused() {
    let home = Home::new();
    for command in ["status", "results", "cancel", "save"] {
        for id in ["../../etc/passwd", "../x", "x", "", " ", "3F2B8C1E-5D44-4A0E-9C57-0B6F2F0E7A11"] {
            let done = home.run(&[command, "--json", "--", id]);
            assert_eq!((done.status, done.code().as_str()), (2, "INVALID_TASK_ID"), "{command} {id:?}");
        }
    }
    let done = home.run(&["results", "--wait", "--json", "../x"]);
    assert_eq!(done.code(), "INVALID_TASK_ID");
}

/// Needs the engine's store.
#[test]
fn ids_that_nobody_has_are_not_found() {
    let home = Home::new();
    for args in [&["status"][..], &["results"], &["results", "--wait"], &["cancel"], &["save"]] {
        let mut args = args.to_vec();
        args.extend(["--json", ID]);
        let done = home.run(&args);
        assert_eq!((done.status, done.code().as_str()), (3, "TASK_NOT_FOUND"), "{args:?}");
    }
    let done = home.run(&["list", "--json"]);
    assert_eq!((done.status, &done.json()["tasks"]), (0, &serde_json::json!([])));
}

#[test]
fn prefixes_that_could_escape_are_refused() {
    let home = Home::new();
    for prefix in ["../x", ".x", "a/b", "a b", "", "nul"] {
        let done = home.run(&["save", "--json", ID, "--prefix", prefix]);
        assert_eq!((done.status, done.code().as_str()), (2, "INVALID_ARGUMENT"), "{prefix:?}");
    }
}

/// A command whose engine does not exist says so and names what works.
#[test]
fn commands_without_an_engine_do_not_pretend() {
    let home = Home::new();
    // DS-10: nothing to search with, and instructions for every engine.
    for command in ["search", "deep-search"] {
        let done = home.run(&[command, "--json", "how deep is the sea?"]);
        assert_eq!((done.status, done.code().as_str()), (4, "CLI_NOT_FOUND"), "{command}");
        assert!(done.stderr.contains("npm install -g @google/gemini-cli"), "{}", done.stderr);
    }
    // HR-05: a hosted agent needs a key; what it would cost can be told without.
    let done = home.run(&["start", "--json", "how deep is the sea?"]);
    assert_eq!((done.status, done.code().as_str()), (4, "NOT_AUTHENTICATED"));
    assert!(done.stderr.contains("GEMINI_API_KEY"), "{}", done.stderr);
    assert_eq!(home.run(&["estimate", "--json", "how deep is the sea?"]).status, 0);
}

/// What clap refuses is a coded error as well, and without `--json` stdout stays empty.
#[test]
fn slips_of_the_finger_are_coded() {
    let home = Home::new();
    for (args, says) in [
        (&["serach", "x"][..], "search"),
        (&["status"], "TASK_ID"),
        (&["results", "--wiat", ID], "--wait"),
        (&["list", "--limit", "many"], "many"),
        (&["deep-research", "why?", "--task-scope", "huge"], "tiny"),
    ] {
        let done = home.run(args);
        assert_eq!((done.status, done.stdout.as_str()), (2, ""), "{args:?}");
        assert!(done.stderr.starts_with("error[INVALID_ARGUMENT]: "), "{}", done.stderr);
        assert!(done.stderr.contains(says) && done.stderr.contains("hint: "), "{}", done.stderr);
        let mut args = args.to_vec();
        args.push("--json");
        assert_eq!(home.run(&args).code(), "INVALID_ARGUMENT");
    }
}

#[test]
fn help_version_and_completions_go_to_stdout() {
    let home = Home::new();
    for (args, says) in [
        (&["--help"][..], "Exit status:"),
        (&["--version"], env!("CARGO_PKG_VERSION")),
        (&["help", "deep-research"], "--library <PATH>"),
        (&["completions", "bash"], "_hadal"),
        (&["completions", "fish"], "deep-research"),
    ] {
        let done = home.run(args);
        assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{args:?}");
        assert!(done.stdout.contains(says), "{}", done.stdout);
    }
    let nothing = home.run(&[]);
    assert_eq!((nothing.status, nothing.stdout.as_str()), (2, ""));
}

/// A reader that has read enough, and a disk that is full.
#[test]
fn a_closed_or_full_stdout_is_no_panic() {
    let home = Home::new();
    let mut command = home.command();
    let mut child =
        command.args(["completions", "bash"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    #[cfg(target_os = "linux")]
    {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = home.command().args(["completions", "bash"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(6));
        assert!(String::from_utf8_lossy(&output.stderr).contains("error[SAVE_FAILED]"));
    }
}

/// The child that reads PDFs: a line of JSON per finding, and nothing on stderr even where its parsers give up.
#[test]
fn the_reader_of_pdfs_says_what_is_wrong_in_a_line() {
    let document = "%PDF-1.4 and nothing more";
    let order = format!("1 simple {}\n{document}", document.len());
    let done = Home::new().run_with(vec!["__pdf".into()], order.as_bytes());
    assert_eq!((done.status, done.stderr.as_str()), (0, ""));
    let first: serde_json::Value = serde_json::from_str(done.stdout.lines().next().unwrap()).unwrap();
    assert!(first["broken"]["why"].is_string(), "{}", done.stdout);
}
