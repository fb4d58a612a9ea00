//! A desktop session without a desktop: a private bus of the real `dbus-daemon`, and a notification server on it
//! (`notification-server`) that writes down what it is asked to show.

#[cfg(feature = "notifications")]
pub mod server;

use std::io::{BufRead, BufReader, Lines};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use serde_json::Value;

/// What answers for `org.freedesktop.Notifications`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Server {
    Answers,
    /// Takes a notification and never says so.
    Hangs,
    None,
}

/// A session bus, with all that runs on it. It ends with the value.
#[derive(Debug)]
pub struct Desktop {
    address: String,
    bus: Child,
    server: Option<(Child, Lines<BufReader<ChildStdout>>)>,
}

impl Desktop {
    /// Starts a session and waits until its server has its name.
    ///
    /// # Panics
    /// When `dbus-daemon` is not installed or does not start; its test could not go on anyway.
    #[must_use]
    #[expect(clippy::expect_used, reason = "part of the tests, not of hadal")]
    pub fn start(server: Server) -> Self {
        let config = concat!("--config-file=", env!("CARGO_MANIFEST_DIR"), "/src/notifications/bus.conf");
        let (bus, mut lines) = spawn("dbus-daemon".as_ref(), &[config, "--nofork", "--nopidfile", "--print-address"]);
        let address = lines.next().and_then(Result::ok).expect("dbus-daemon prints its address");
        let mut desktop = Self { address, bus, server: None };
        let mode = match server {
            Server::Answers => "answer",
            Server::Hangs => "hang",
            Server::None => return desktop,
        };
        let program = crate::program("notification-server");
        let server = desktop.server.insert(spawn(program.as_os_str(), &[&desktop.address, mode]));
        let ready = server.1.next().and_then(Result::ok);
        assert_eq!(ready.as_deref(), Some("ready"), "the notification server has its name");
        desktop
    }

    /// For `DBUS_SESSION_BUS_ADDRESS`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The next notification that was to be shown; waits for it.
    ///
    /// # Panics
    /// When there is no server.
    #[expect(clippy::expect_used, reason = "part of the tests, not of hadal")]
    pub fn next_note(&mut self) -> Value {
        let (_, lines) = self.server.as_mut().expect("a notification server");
        let line = lines.next().and_then(Result::ok).expect("the notification server runs");
        serde_json::from_str(&line).expect("it prints JSON")
    }

    /// Ends the session and gives what nobody has looked at.
    #[must_use]
    pub fn stop(mut self) -> Vec<Value> {
        let Some((mut server, lines)) = self.server.take() else { return Vec::new() };
        let _is_over = server.kill();
        let _reaped = server.wait();
        lines.map_while(Result::ok).filter_map(|line| serde_json::from_str(&line).ok()).collect()
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        if let Some((server, _)) = &mut self.server {
            let _already_over = server.kill();
            let _reaped = server.wait();
        }
        // Asked to end, it takes its socket away.
        let bus = rustix::process::Pid::from_child(&self.bus);
        let _already_over = rustix::process::kill_process(bus, rustix::process::Signal::TERM);
        let _reaped = self.bus.wait();
    }
}

/// Runs a program to its end in the session whose bus is at `address`.
///
/// # Panics
/// When the program cannot be started.
#[must_use]
#[expect(clippy::disallowed_methods, clippy::expect_used, reason = "part of the tests, not of hadal")]
pub fn run_at(address: &str, program: &Path, args: &[&str]) -> Output {
    Command::new(program).args(args).env("DBUS_SESSION_BUS_ADDRESS", address).output().expect("the program starts")
}

#[expect(clippy::disallowed_methods, clippy::panic, clippy::expect_used, reason = "part of the tests, not of hadal")]
fn spawn(program: &std::ffi::OsStr, args: &[&str]) -> (Child, Lines<BufReader<ChildStdout>>) {
    // Its complaints about limits of the machine are not for those who read test results.
    let child =
        Command::new(program).args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut child = child.unwrap_or_else(|fault| panic!("{program:?} of the Debian package `dbus` is needed: {fault}"));
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    (child, lines)
}
