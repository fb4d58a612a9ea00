//! The program itself: launcher and worker, what is refused before the start, and how a run ends.
//!
//! Checks come in the order of the real CLI: flags, trust, input, slash commands; only then a scenario is taken.

mod args;
mod fault;
mod input;
mod output;
mod play;
mod session;

use std::ffi::OsStr;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::call::{Call, Desk, Ended, Entry};
use super::scenario::{Fault, Scenario};
use crate::host::{env, now_ms};
use args::Args;
use input::Workspace;
use play::Play;

/// What would be for ever ends here: a test that failed must not leave processes behind.
const FOR_EVER: Duration = Duration::from_secs(120);
/// Exit codes that the real CLI does not have: the script has no scenario left, the fake itself failed, for ever is over.
const NO_SCENARIO: u8 = 99;
const BROKEN: u8 = 98;
const OVER: u8 = 97;

/// The first argument of a process that a run leaves behind.
const GRANDCHILD: &str = "__grandchild";

static RUN: OnceLock<(Desk, usize)> = OnceLock::new();
static ENDED: AtomicBool = AtomicBool::new(false);
static DEAF: AtomicBool = AtomicBool::new(false);

/// The `main` of the fake.
#[must_use]
pub fn main() -> ExitCode {
    let argv: Vec<String> = std::env::args_os().map(|arg| arg.to_string_lossy().into_owned()).collect();
    if argv.get(1).is_some_and(|arg| arg == GRANDCHILD) {
        return grandchild(argv.get(2).is_some_and(|arg| arg == "setsid"));
    }
    let result = match env("GEMINI_CLI_NO_RELAUNCH") {
        Some(value) if !value.is_empty() => worker(argv.get(1..).unwrap_or_default()),
        _ => launcher(),
    };
    let code = result.unwrap_or_else(|problem| {
        let _ = writeln!(io::stderr(), "fake gemini: {problem}");
        BROKEN
    });
    finish(code, "end");
    ExitCode::from(code)
}

/// Starts the CLI once more and waits. It hears signals and does nothing about them, so they are not passed on either.
#[expect(clippy::disallowed_methods, reason = "starting itself again is what it is for")]
fn launcher() -> io::Result<u8> {
    let _deaf = Signals::new([SIGTERM, SIGINT, SIGHUP])?;
    let mut argv = std::env::args_os();
    let mut command = Command::new(std::env::current_exe()?);
    command.arg0(argv.next().unwrap_or_default()).args(argv);
    command.env("GEMINI_CLI_NO_RELAUNCH", "true").env("FAKE_GEMINI_LAUNCHER", std::process::id().to_string());
    let status = command.status()?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

fn worker(argv: &[String]) -> io::Result<u8> {
    let mut signals = Signals::new([SIGTERM, SIGINT, SIGHUP])?;
    std::thread::spawn(move || {
        for _ in signals.forever() {
            if !DEAF.load(Ordering::SeqCst) {
                // The log of the start is seen a moment before the run knows its number.
                crate::wait::until("the number of the run", || RUN.get().is_some());
                // The real one cleans up and claims success.
                finish(0, "signal");
                exit(0);
            }
        }
    });
    let desk = Desk::at(script());
    let mut call = Call { argv: argv.to_vec(), started_ms: now_ms(), ..seen() };
    let args = match Args::parse(argv) {
        Ok(args) => args,
        Err(line) => {
            begin(&desk, &mut call)?;
            writeln!(io::stderr(), "{line}\n{}", args::help())?;
            return Ok(1);
        }
    };
    if args.version || args.help {
        begin(&desk, &mut call)?;
        output::raw(if args.version { "0.61.0\n".to_owned() } else { args::help() }.as_bytes())?;
        return Ok(0);
    }
    let workspace = Workspace::new(&args.include);
    call.policies = args.policies.iter().map(|path| workspace.file(path)).collect();
    call.session_id = args.session_id.clone().unwrap_or_else(uuid);
    call.prompt = input::join(input::stdin(), args.prompt.as_deref());
    call.expanded = workspace.expanded(&call.prompt);
    call.invalid_outputs = workspace.invalid_outputs(&call.prompt);
    if let Some(refusal) = refused(&args, &call.prompt) {
        begin(&desk, &mut call)?;
        return outcome(Play::new(&refusal, &call, &args, &workspace, &desk).run());
    }
    let taken = desk.take(&mut call, |call, scenario| {
        call.scenario.clone_from(&scenario.name);
        call.model = play::model(scenario, &args);
        DEAF.store(scenario.deaf, Ordering::SeqCst);
    })?;
    let _first = RUN.set((desk.clone(), call.run));
    let Some(scenario) = taken else {
        writeln!(io::stderr(), "fake gemini: the script has no scenario left")?;
        return Ok(NO_SCENARIO);
    };
    outcome(Play::new(&scenario, &call, &args, &workspace, &desk).run())
}

/// A closed stdout ends the real CLI at once, and with success.
fn outcome(result: io::Result<u8>) -> io::Result<u8> {
    match result {
        Err(problem) if problem.kind() == io::ErrorKind::BrokenPipe => {
            finish(0, "stdout closed");
            Ok(0)
        }
        other => other,
    }
}

/// What the CLI refuses by itself, whatever the script says.
fn refused(args: &Args, prompt: &str) -> Option<Scenario> {
    let trusted = args.skip_trust || env("GEMINI_CLI_TRUST_WORKSPACE").is_some_and(|value| value == "true");
    if !trusted {
        Some(Scenario::fault(Fault::Untrusted))
    } else if prompt.is_empty() {
        Some(Scenario::fault(Fault::NoInput))
    } else if input::is_command(prompt) {
        Some(Scenario::fault(Fault::SlashCommand))
    } else {
        None
    }
}

/// Logs a run that no scenario is taken for.
fn begin(desk: &Desk, call: &mut Call) -> io::Result<()> {
    desk.refused(call)?;
    let _first = RUN.set((desk.clone(), call.run));
    Ok(())
}

/// Logs the end of the run, once.
fn finish(code: u8, how: &str) {
    if let Some((desk, run)) = RUN.get()
        && !ENDED.swap(true, Ordering::SeqCst)
    {
        let ended = Ended { code, how: how.to_owned(), at_ms: now_ms() };
        let _ = desk.log(&Entry::End { run: *run, ended });
    }
}

/// The script: named by the environment, or beside the program. A program that is a symbolic link counts as where the link is,
/// which only the name it was called by can tell.
fn script() -> PathBuf {
    if let Some(path) = env("FAKE_GEMINI_SCRIPT") {
        return PathBuf::from(path);
    }
    let called = PathBuf::from(std::env::args_os().next().unwrap_or_default());
    let candidates: Vec<PathBuf> = if called.components().count() > 1 {
        vec![called]
    } else {
        let path = env("PATH").unwrap_or_default();
        std::env::split_paths(OsStr::new(&path)).map(|dir| dir.join(&called)).collect()
    };
    let own = std::env::current_exe().into_iter();
    let beside = candidates.into_iter().chain(own).map(|program| program.with_file_name("script.json"));
    beside.into_iter().find(|script| script.exists()).unwrap_or_else(|| PathBuf::from("script.json"))
}

/// What a run can see of how it was started.
fn seen() -> Call {
    let settings = env("GEMINI_CLI_SYSTEM_SETTINGS_PATH").map(PathBuf::from);
    let cwd = std::env::current_dir().unwrap_or_default();
    let entries = std::fs::read_dir(&cwd).into_iter().flatten().flatten();
    Call {
        env: environment(),
        system_md: env("GEMINI_SYSTEM_MD").and_then(|path| std::fs::read_to_string(path).ok()),
        settings: settings.as_ref().and_then(|path| serde_json::from_slice(&std::fs::read(path).ok()?).ok()),
        settings_exposed: settings.as_deref().is_some_and(exposed),
        cwd_entries: entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect(),
        cwd,
        pid: std::process::id(),
        ppid: std::os::unix::process::parent_id(),
        group: rustix::process::getpgrp().as_raw_nonzero().get().cast_unsigned(),
        launcher: env("FAKE_GEMINI_LAUNCHER").and_then(|pid| pid.parse().ok()),
        ..Call::default()
    }
}

#[expect(clippy::disallowed_methods, reason = "showing the environment is what it is for")]
fn environment() -> std::collections::BTreeMap<String, String> {
    let text = |value: std::ffi::OsString| value.to_string_lossy().into_owned();
    let shown = |name: String, value| if name.contains("KEY") { (name, "(set)".to_owned()) } else { (name, value) };
    std::env::vars_os().map(|(name, value)| shown(text(name), text(value))).collect()
}

/// Whether others may write to a directory above a file.
fn exposed(file: &Path) -> bool {
    let writable = |dir: &Path| dir.metadata().is_ok_and(|data| data.permissions().mode() & 0o022 != 0);
    file.ancestors().skip(1).any(writable)
}

fn uuid() -> String {
    let random = || RandomState::new().build_hasher().finish();
    let (a, b) = (random(), random());
    let digits = format!("{a:016x}{b:016x}");
    let parts = [(0, 8), (8, 4), (12, 4), (16, 4), (20, 12)];
    let part = |(from, length)| digits.chars().skip(from).take(length).collect::<String>();
    parts.map(part).join("-")
}

fn grandchild(setsid: bool) -> ExitCode {
    if setsid {
        let _leader_already = rustix::process::setsid();
    }
    std::thread::sleep(FOR_EVER);
    ExitCode::from(OVER)
}

/// Does nothing any more.
fn stall() -> ! {
    std::thread::sleep(FOR_EVER);
    exit(OVER)
}

#[expect(clippy::disallowed_methods, reason = "signals and stalls end the process from wherever they are")]
fn exit(code: u8) -> ! {
    std::process::exit(i32::from(code))
}
